"""Completes the attributes of instructions: adds what text leaves out, drops what is redundant.

An attribute at its default is left out; what follows from operands and result is filled in.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from stablemate.xla.kinds import ATTRIBUTES, Kind
from stablemate.xla.primitive_types import PRED, S32
from stablemate.xla.shape import Shape
from stablemate.xla.values import HloSharding, ListedGroups, Metadata, SparsityConfig


class CompletionError(ValueError):
    """An instruction whose parts are inconsistent."""


Values: TypeAlias = dict[str, Any]
Completion: TypeAlias = Callable[[Shape | None, Values, Sequence[Shape]], None]

# Values that are equivalent to an absent attribute.
EMPTY: Final[dict[Kind, object]] = {
    Kind.FLAG: False,
    Kind.WINDOW: (),
    Kind.WORDS: (),
    Kind.STATISTICS: None,
    Kind.RESULT_ACCURACY: None,
    Kind.METADATA: Metadata(),
    Kind.STRING_OR_DICT: "",
    Kind.FRONTEND_ATTRIBUTES: {},
    Kind.ALIASING: (),
    Kind.REPLICA_GROUPS: ListedGroups(),
    Kind.SPARSITY: SparsityConfig(),
}
EMPTY_BY_NAME: Final[dict[str, object]] = {
    **{row.name: row.default for row in ATTRIBUTES.values() if row.default is not None},
    **{row.name: EMPTY[row.kind] for row in ATTRIBUTES.values() if row.kind in EMPTY},
    **dict.fromkeys(("infeed_config", "outfeed_config"), ""),
    **dict.fromkeys(("called_computations", "slice_sizes"), ()),
    **dict.fromkeys(("lhs_batch_dims", "rhs_batch_dims"), ()),
    **dict.fromkeys(("lhs_ragged_dims", "rhs_group_dims"), ()),
    **dict.fromkeys(("operand_batching_dims", "start_indices_batching_dims"), ()),
    **dict.fromkeys(("input_batching_dims", "scatter_indices_batching_dims"), ()),
    "inferred_dimension": -1,
    "async_execution_thread": "main",
}
# Attributes for which an empty list is a value.
NOTHING: Final[frozenset[str]] = frozenset()
KEPT: Final = {"gather": frozenset({"slice_sizes"}), "custom-call": frozenset({"window"})}
COMPARISONS: Final = {
    **{"float": "FLOAT", "complex": "FLOAT", "signed": "SIGNED", "unsigned": "UNSIGNED"},
    "pred": "UNSIGNED",
}


def complete(opcode: str, shape: Shape | None, operands: Sequence[Shape], values: Values) -> None:
    """Brings attributes into the form in which the tree stores them.

    Args:
        opcode: The opcode of the instruction.
        shape: The shape of its result; None where it follows.
        operands: The shapes of its operands.
        values: The attributes as they were read, which are changed.

    Raises:
        CompletionError: Attributes, operands and result do not fit together.
    """
    kept = KEPT.get(opcode, NOTHING)
    for name in [name for name in values if name in EMPTY_BY_NAME and name not in kept]:
        if values[name] == EMPTY_BY_NAME[name]:
            del values[name]
    check_replication(values, shape)
    if opcode in COMPLETIONS:
        COMPLETIONS[opcode](shape, values, operands)


def spread_sharding(values: Values, shape: Shape) -> None:
    """Gives each leaf of a result its sharding."""
    if "sharding" in values and shape.is_tuple:
        values["sharding"] = on_leaves(values["sharding"], shape)


def on_leaves(sharding: HloSharding, shape: Shape) -> HloSharding:
    """Returns the sharding of a tuple: a single sharding is repeated for each leaf."""
    if sharding.kind == "tuple":
        return sharding
    return HloSharding("tuple", elements=(sharding,) * max(1, sum(1 for _ in shape.leaves())))


def complete_tuple(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires as many elements as operands."""
    if shape is None:
        return
    if not shape.is_tuple:
        raise CompletionError(f"the result of 'tuple' is a tuple, not {shape}")
    if len(shape.elements) != len(operands):
        count = len(shape.elements)
        raise CompletionError(f"a tuple of {count} parts has {count} operands, not {len(operands)}")


def complete_map(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Sets all dimensions; those that are written must be all if the shape is not written."""
    rank = operands[0].rank if shape is None else shape.rank
    value = values.get("dimensions", ())
    if shape is None and value != tuple(range(rank)):
        raise CompletionError(f"'dimensions' of 'map' are all {rank}, not {list(value)}")
    values["dimensions"] = tuple(range(rank))


def complete_broadcast(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Adds an empty list of dimensions for a scalar."""
    if "dimensions" not in values:
        if operands[0].rank:
            raise CompletionError("'broadcast' must have 'dimensions' unless its operand is scalar")
        values["dimensions"] = ()


def complete_compare(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Drops the comparison type that follows from the operands."""
    if values.get("type") == COMPARISONS.get(operands[0].element_type.family):
        values.pop("type", None)


def complete_topk(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Selects the largest elements by default."""
    values.setdefault("largest", True)


def complete_scan(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires one dimension; ``is_associative`` is false by default."""
    complete_dimension(shape, values, operands)
    values.setdefault("is_associative", False)


def complete_dot(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Adds contracting dimensions, which the tree always has."""
    values.setdefault("lhs_contracting_dims", ())
    values.setdefault("rhs_contracting_dims", ())


def complete_custom_call(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Turns a single computation into a list of one."""
    if "to_apply" in values:
        if "called_computations" in values:
            raise CompletionError("'custom-call' has either 'to_apply' or 'called_computations'")
        values["called_computations"] = (values.pop("to_apply"),)
    constraints = values.get("operand_layout_constraints")
    if constraints is not None and len(constraints) != len(operands):
        raise CompletionError(
            f"'operand_layout_constraints' has a shape for each of the {len(operands)} operands, "
            f"not {len(constraints)}"
        )


def complete_dimension(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires a list of one dimension."""
    dimensions = values.get("dimensions")
    if dimensions is not None and len(dimensions) != 1:
        raise CompletionError(f"'dimensions' is one dimension, not {len(dimensions)}")


def complete_reduce_scatter(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires one dimension, and a channel for global device ids."""
    complete_dimension(shape, values, operands)
    complete_all_reduce(shape, values, operands)


def complete_infeed(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires data and a token."""
    if shape is not None and not (shape.is_tuple and shape.elements):
        raise CompletionError(f"the result of 'infeed' is a tuple of data and a token, not {shape}")


def complete_outfeed(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Sets the shape of what is sent to that of the operand."""
    values.setdefault("outfeed_shape", operands[0])


def complete_permute(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires pairs of two devices."""
    if any(len(pair) != 2 for pair in values["source_target_pairs"]):
        raise CompletionError("'source_target_pairs' are pairs")
    if "slice_sizes" in values and len(operands) != 4:
        raise CompletionError("'slice_sizes' needs four operands")


def complete_all_reduce(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires a channel for global device ids."""
    if "use_global_device_ids" in values and "channel_id" not in values:
        raise CompletionError("'use_global_device_ids' needs 'channel_id'")


def check_replication(values: Values, shape: Shape | None) -> None:
    """Requires a boolean for each leaf, for any opcode."""
    replicated = values.get("parameter_replication")
    if replicated is None or shape is None:
        return
    leaves = sum(1 for _ in shape.leaves())
    if len(replicated) != leaves:
        raise CompletionError(
            f"'parameter_replication' has {leaves} values, one for each leaf, not {len(replicated)}"
        )


def complete_conditional(shape: Shape | None, values: Values, operands: Sequence[Shape]) -> None:
    """Requires two computations for a boolean, or a list of branches for an index."""
    pair = ("true_computation", "false_computation")
    if operands and (operands[0].rank or operands[0].element_type not in (PRED, S32)):
        raise CompletionError(f"'conditional' is on a pred or s32, not {operands[0]}")
    is_pred = bool(operands) and operands[0].element_type is PRED
    expected = pair if is_pred else ("branch_computations",)
    if any((name in values) != (name in expected) for name in (*pair, "branch_computations")):
        kind = "pred" if is_pred else "a number"
        names = " and ".join(f"'{name}'" for name in expected)
        raise CompletionError(f"'conditional' on {kind} has {names}")
    count = 2 if is_pred else len(values["branch_computations"])
    if len(operands) != count + 1:
        raise CompletionError(
            f"'conditional' has {count + 1} operands, one after the first for each branch, "
            f"not {len(operands)}"
        )


COMPLETIONS: Final[dict[str, Completion]] = {
    "tuple": complete_tuple,
    "map": complete_map,
    "broadcast": complete_broadcast,
    "compare": complete_compare,
    "topk": complete_topk,
    "scan": complete_scan,
    "dot": complete_dot,
    "ragged-dot": complete_dot,
    "scaled-dot": complete_dot,
    "custom-call": complete_custom_call,
    "outfeed": complete_outfeed,
    "collective-permute": complete_permute,
    "collective-permute-start": complete_permute,
    "all-reduce": complete_all_reduce,
    "all-reduce-start": complete_all_reduce,
    "reduce-scatter": complete_reduce_scatter,
    **dict.fromkeys(("all-gather", "all-gather-start"), complete_dimension),
    **dict.fromkeys(("concatenate", "sort", "all-to-all"), complete_dimension),
    **dict.fromkeys(("get-dimension-size", "set-dimension-size"), complete_dimension),
    "infeed": complete_infeed,
    "conditional": complete_conditional,
}

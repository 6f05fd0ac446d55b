"""The sharding rule of each operation.

Source: Shardy, its registry of sharding rules. An operation without a rule stops propagation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.reducers import ELEMENTWISE
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType
from stablemate.transforms.propagation import elementwise_rules as elementwise
from stablemate.transforms.propagation import indexing_rules as indexing
from stablemate.transforms.propagation import reduction_rules as reductions
from stablemate.transforms.propagation.reshape_rule import reshape

RuleOf = Callable[[Any], OpShardingRule | None]

NOT_PROPAGATED: Final = frozenset({"stablehlo.constant", "stablehlo.optimization_barrier"})
CONSTRAINT: Final = "sdy.sharding_constraint"
POINTWISE: Final = (
    (ELEMENTWISE - NOT_PROPAGATED)
    | {f"stablehlo.{name}" for name in ("all_reduce", "collective_broadcast", "map")}
    | {"stablehlo.collective_permute", "chlo._asin_acos_kernel", CONSTRAINT}
)
RULES: Final[Mapping[str, RuleOf]] = {
    **dict.fromkeys(POINTWISE, elementwise.pointwise),
    "chlo.top_k": elementwise.SHRINKING,
    "stablehlo.batch_norm_inference": elementwise.batch_norm_inference,
    "stablehlo.bitcast_convert": elementwise.bitcast_convert,
    "stablehlo.broadcast_in_dim": elementwise.broadcast_in_dim,
    "stablehlo.cholesky": elementwise.batched_rule(2),
    "stablehlo.concatenate": elementwise.concatenate,
    "stablehlo.convolution": reductions.convolution,
    "stablehlo.dot": reductions.dot,
    "stablehlo.dot_general": reductions.dot_general,
    "stablehlo.dynamic_slice": elementwise.dynamic_slice,
    "stablehlo.dynamic_update_slice": elementwise.dynamic_update_slice,
    "stablehlo.fft": elementwise.fft,
    "stablehlo.gather": indexing.gather,
    "stablehlo.pad": elementwise.SHIFTING,
    "stablehlo.reduce": reductions.reduce,
    "stablehlo.reduce_window": reductions.reduce_window,
    "stablehlo.reshape": reshape,
    "stablehlo.reverse": elementwise.reverse,
    "stablehlo.rng_bit_generator": elementwise.rng_bit_generator,
    "stablehlo.scatter": indexing.scatter,
    "stablehlo.select_and_scatter": reductions.select_and_scatter,
    "stablehlo.slice": elementwise.SHIFTING,
    "stablehlo.sort": elementwise.sort,
    "stablehlo.transpose": elementwise.transpose,
    "stablehlo.triangular_solve": reductions.triangular_solve,
}
POINTWISE_CUSTOM_CALLS: Final = (
    "Cholesky",
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "Sharding",
    "annotate_device_placement",
    "mhlo.erf",
)
CUSTOM_CALLS: Final[Mapping[str, RuleOf]] = {
    **dict.fromkeys(POINTWISE_CUSTOM_CALLS, elementwise.pointwise),
    "mhlo.topk": elementwise.SHRINKING,
}

# Composites have the names of the CHLO operations that they decompose.
CALLED: Final = {"stablehlo.custom_call": CUSTOM_CALLS}


def rule_of(operation: Operation) -> OpShardingRule | None:
    """The sharding rule of an operation: that of the program, else that of its name."""
    own = operation.discardable.get("sdy.sharding_rule")
    if isinstance(own, OpShardingRule):
        return own
    values = [*operation.operands, *operation.results]
    if any(isinstance(value.type, TensorType) and not value.type.is_static for value in values):
        return None
    rule = CALLED.get(operation.name, RULES).get(name_of(operation))
    return None if rule is None else rule(operation)


def name_of(operation: Any) -> str:
    """The name that says what an operation computes."""
    match operation.name:
        case "stablehlo.custom_call":
            name: str = operation.call_target_name
        case "stablehlo.composite":
            name = operation.attributes["name"].value
        case name:
            pass
    return name


def is_elementwise(operation: Operation) -> bool:
    """Whether an operation counts as elementwise for the order of propagation."""
    if operation.name == "stablehlo.bitcast_convert":
        source, target = operation.operands[0].type, operation.results[0].type
        return getattr(source, "shape", None) == getattr(target, "shape", None)
    return operation.name in ELEMENTWISE - NOT_PROPAGATED or operation.name == CONSTRAINT

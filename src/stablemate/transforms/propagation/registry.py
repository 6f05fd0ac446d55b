"""The sharding rule of each operation.

Source: Shardy, its registry of sharding rules. An operation without a rule stops propagation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from stablemate.dialects.registry import OPERATIONS, rules_by_name
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of, has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType
from stablemate.transforms.propagation import elementwise_rules as elementwise
from stablemate.transforms.propagation import indexing_rules as indexing
from stablemate.transforms.propagation import reduction_rules as reductions
from stablemate.transforms.propagation.reshape_rule import reshape

RuleOf = Callable[[Any], OpShardingRule | None]

NOT_PROPAGATED: Final = frozenset({"stablehlo.constant", "stablehlo.optimization_barrier"})
CONSTRAINT: Final = "sdy.sharding_constraint"
# The rules of operations that are not elementwise.
RULES: Final[Mapping[str, RuleOf]] = {
    **rules_by_name(
        "stablehlo",
        elementwise.batch_norm_inference,
        elementwise.bitcast_convert,
        elementwise.broadcast_in_dim,
        elementwise.concatenate,
        reductions.convolution,
        reductions.dot,
        reductions.dot_general,
        elementwise.dynamic_slice,
        elementwise.dynamic_update_slice,
        elementwise.fft,
        indexing.gather,
        reductions.reduce,
        reductions.reduce_window,
        reshape,
        elementwise.reverse,
        elementwise.rng_bit_generator,
        indexing.scatter,
        reductions.select_and_scatter,
        elementwise.sort,
        elementwise.transpose,
        reductions.triangular_solve,
    ),
    CONSTRAINT: elementwise.pointwise,
    "chlo.top_k": elementwise.SHRINKING,
    "stablehlo.cholesky": elementwise.batched_rule(2),
    "stablehlo.pad": elementwise.SHIFTING,
    "stablehlo.slice": elementwise.SHIFTING,
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


def rule_of(operation: Operation) -> OpShardingRule | None:
    """The sharding rule of an operation: that of the program, else that of its name."""
    own = operation.discardable.get("sdy.sharding_rule")
    if isinstance(own, OpShardingRule):
        return own
    values = [*operation.operands, *operation.results]
    if any(isinstance(value.type, TensorType) and not value.type.is_static for value in values):
        return None
    rule = named_rule(operation)
    return None if rule is None else rule(operation)


def named_rule(operation: Operation) -> RuleOf | None:
    """The rule of an operation's name; of a composite, that of the operation it decomposes."""
    match operation:
        case CustomCall():
            return CUSTOM_CALLS.get(operation.call_target_name)
        case Composite():
            return rule_of_class(OPERATIONS.get(operation.composite_name))
        case _:
            return rule_of_class(type(operation))


def rule_of_class(cls: type[Operation] | None) -> RuleOf | None:
    """The rule of a class: its row, or that of elementwise operations."""
    if cls is None:
        return None
    is_alike = is_pointwise(cls) or has_trait(cls, Trait.SHARDED_ALIKE)
    return RULES.get(definition_of(cls).name, elementwise.pointwise if is_alike else None)


def is_pointwise(operation: Operation | type[Operation]) -> bool:
    """Whether shardings pass between all operands and results of an operation."""
    name = definition_of(operation).name
    return name not in NOT_PROPAGATED and has_trait(operation, Trait.ELEMENTWISE)


def is_elementwise(operation: Operation) -> bool:
    """Whether an operation counts as elementwise for the order of propagation."""
    if isinstance(operation, BitcastConvert):
        return operation.operand.type.shape == operation.result.type.shape
    return is_pointwise(operation) or operation.name == CONSTRAINT

"""Sharding rules of operations whose operands and results have corresponding dimensions.

Source: Shardy, its registry of sharding rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.batch_norm_inference import BatchNormInference
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.fft import Fft
from stablemate.dialects.stablehlo.reverse import Reverse
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.types import Type
from stablemate.transforms.propagation.rule_builder import (
    FactorKind,
    Shape,
    builder_of,
    shape_of,
)

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
    from stablemate.dialects.stablehlo.sort import Sort

NEED_REPLICATION: Final = FactorKind.NEED_REPLICATION
PASS_THROUGH: Final = FactorKind.PASS_THROUGH
PERMUTATION: Final = FactorKind.PERMUTATION


def common_shape(operation: Operation) -> Shape:
    """The shape of the first result, or operand, that is no scalar."""
    values = [*operation.results, *operation.operands]
    return next((shape for value in values if (shape := shape_of(value))), ())


def pointwise(operation: Operation) -> OpShardingRule:
    """All dimensions; scalars beside them have none."""
    builder = builder_of(operation)
    builder.pointwise(common_shape(operation))
    return builder.rule()


def batched_rule(count: int) -> Callable[[Operation], OpShardingRule]:
    """The rule of an operation on matrices or vectors: the last dimensions need replication."""

    def rule(operation: Operation) -> OpShardingRule:
        shape = common_shape(operation)
        rank = len(shape) - count
        builder = builder_of(operation)
        builder.pointwise(shape, lambda d: PASS_THROUGH if d < rank else NEED_REPLICATION)
        return builder.rule()

    return rule


def bitcast_convert(operation: BitcastConvert) -> OpShardingRule:
    """All dimensions but the one that only one of the types has."""
    builder = builder_of(operation)
    source, target = shape_of(operation.operand), shape_of(operation.result)
    builder.pointwise(min(source, target, key=len))
    if len(source) != len(target):
        last = max(len(source), len(target)) - 1
        is_longer = len(source) > len(target)
        operand, result = (last, None) if is_longer else (None, last)
        size = source[-1] if is_longer else target[-1]
        builder.factor(size, [operand], [result], NEED_REPLICATION)
    return builder.rule()


def transpose(operation: Transpose) -> OpShardingRule:
    """Maps each dimension of the result to the operand's dimension that it permutes."""
    builder = builder_of(operation)
    shape = shape_of(operation.operand)
    permutation: Sequence[int] = operation.permutation
    for result_dimension, dimension in enumerate(permutation):
        builder.factor(shape[dimension], [dimension], [result_dimension])
    return builder.rule()


def broadcast_in_dim(operation: BroadcastInDim) -> OpShardingRule:
    """Dimensions of the operand that are not expanded, and new ones of the result."""
    builder = builder_of(operation)
    source, target = shape_of(operation.operand), shape_of(operation.result)
    dimensions: Sequence[int] = operation.broadcast_dimensions
    operand_dimension = {d: i for i, d in enumerate(dimensions)}
    for d, size in enumerate(target):
        own = operand_dimension.get(d)
        if own is not None and source[own] == 1 != size:
            builder.factor(1, [own], [None])
            own = None
        builder.factor(size, [own], [d])
    return builder.rule()


def reverse(operation: Reverse) -> OpShardingRule:
    """All dimensions; shards of reversed ones move."""
    builder = builder_of(operation)
    reversed_dimensions: Sequence[int] = operation.dimensions
    shape = shape_of(operation.result)
    builder.pointwise(shape, lambda d: PERMUTATION if d in reversed_dimensions else PASS_THROUGH)
    return builder.rule()


def resizing_rule(kind: FactorKind, *, is_blocked: bool) -> Callable[[Operation], OpShardingRule]:
    """The rule of an operation that changes the size of dimensions: slices, padding, top-k."""

    def rule(operation: Operation) -> OpShardingRule:
        source, target = shape_of(operation.operands[0]), shape_of(operation.results[0])
        builder = builder_of(operation)
        for d, (size, result_size) in enumerate(zip(source, target, strict=True)):
            if size == result_size:
                builder.common(d, size)
            else:
                builder.common(d, size, kind, is_blocked=is_blocked)
        return builder.rule()

    return rule


SHRINKING: Final = resizing_rule(NEED_REPLICATION, is_blocked=True)
SHIFTING: Final = resizing_rule(PERMUTATION, is_blocked=False)


def dynamic_slice(operation: DynamicSlice) -> OpShardingRule:
    """All dimensions; shards of sliced ones move if the start is constant, else they end there."""
    is_static = all(is_constant(value) for value in operation.start_indices)
    return (SHIFTING if is_static else SHRINKING)(operation)


def concatenate(operation: Concatenate) -> OpShardingRule:
    """All dimensions; pieces of slices are permuted, others need replication."""
    sources = [sliced_operand(value) for value in operation.operands]
    are_sliced = [
        source is not value for source, value in zip(sources, operation.operands, strict=True)
    ]
    moves = all(are_sliced) or (any(are_sliced) and len(set(sources)) == 1)
    kind = PERMUTATION if moves else NEED_REPLICATION
    builder = builder_of(operation)
    shape = shape_of(operation.result)
    builder.pointwise(shape, lambda d: kind if d == operation.dimension else PASS_THROUGH)
    return builder.rule()


def owner_of(value: Value[Type]) -> Operation | None:
    """The operation that produces a value; None for an argument."""
    return value.operation if isinstance(value, OpResult) else None


def sliced_operand(value: Value[Type]) -> Value[Type]:
    """The tensor of which a value is a static slice; else the value."""
    owner = owner_of(value)
    return owner.operands[0] if owner is not None and owner.name == "stablehlo.slice" else value


def sort(operation: Sort) -> OpShardingRule:
    """All dimensions; the sorted one needs replication."""
    builder = builder_of(operation)
    shape = common_shape(operation)
    dimension: int = operation.dimension % len(shape)
    is_alone = math.prod(shape) == shape[dimension]
    for d, size in enumerate(shape):
        if d == dimension:
            builder.common(d, size, NEED_REPLICATION, is_blocked=is_alone)
        else:
            builder.common(d, size)
    return builder.rule()


def fft(operation: Fft) -> OpShardingRule:
    """All dimensions; transformed ones need replication."""
    builder = builder_of(operation)
    source, target = shape_of(operation.operand), shape_of(operation.result)
    batch = len(source) - len(operation.fft_length)
    for d, size in enumerate(source):
        kind = PASS_THROUGH if d < batch else NEED_REPLICATION
        is_last = d == len(source) - 1
        builder.common(d, size, kind, is_blocked=is_last and size != target[-1])
    return builder.rule()


def dynamic_update_slice(operation: DynamicUpdateSlice) -> OpShardingRule:
    """All dimensions of the operand; where it is smaller, the update needs replication."""
    builder = builder_of(operation)
    starts = [None] * len(operation.start_indices)
    pairs = zip(shape_of(operation.operand), shape_of(operation.update), strict=True)
    is_static = all(is_constant(value) for value in operation.start_indices)
    for d, (size, update_size) in enumerate(pairs):
        if size == update_size:
            builder.common(d, size)
            continue
        kind = PASS_THROUGH if is_static else NEED_REPLICATION
        builder.factor(size, [d, None, *starts], [d])
        builder.factor(update_size, [None, d, *starts], [None], kind)
    return builder.rule()


def is_constant(value: Value[Type]) -> bool:
    """Whether a value is a constant."""
    owner = owner_of(value)
    return owner is not None and owner.name in ("stablehlo.constant", "sdy.constant")


def batch_norm_inference(operation: BatchNormInference) -> OpShardingRule:
    """All dimensions; the statistics have that of features."""
    builder = builder_of(operation)
    for d, size in enumerate(shape_of(operation.operand)):
        statistic = 0 if d == operation.feature_index else None
        builder.factor(size, [d, *[statistic] * (len(operation.operands) - 1)], [d])
    return builder.rule()


def rng_bit_generator(operation: Operation) -> OpShardingRule:
    """All dimensions of the output; the states need replication."""
    builder = builder_of(operation)
    for d, size in enumerate(shape_of(operation.operands[0])):
        builder.factor(size, [d], [d, None], NEED_REPLICATION, is_blocked=True)
    for d, size in enumerate(shape_of(operation.results[1])):
        builder.factor(size, [None], [None, d])
    return builder.rule()

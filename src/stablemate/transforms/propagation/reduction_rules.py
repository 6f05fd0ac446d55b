"""Sharding rules of reductions, windows, contractions and triangular solves.

Source: Shardy, its registry of sharding rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.dot import Dot
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.dynamic_conv import DynamicConv
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
from stablemate.dialects.stablehlo.select_and_scatter import SelectAndScatter
from stablemate.dialects.stablehlo.triangular_solve import TriangularSolve
from stablemate.transforms.propagation.rule_builder import (
    FactorKind,
    RuleBuilder,
    builder_of,
    shape_of,
)

NEED_REPLICATION: Final = FactorKind.NEED_REPLICATION
PASS_THROUGH: Final = FactorKind.PASS_THROUGH
PERMUTATION: Final = FactorKind.PERMUTATION
REDUCTION: Final = FactorKind.REDUCTION


def reduce(operation: Reduce) -> OpShardingRule:
    """Dimensions that stay, and those over which it reduces; initial values have none."""
    builder, count = builder_of(operation), len(operation.inputs)
    reduced: Sequence[int] = operation.dimensions
    result_dimension = 0
    for d, size in enumerate(shape_of(operation.inputs[0])):
        operands = [*[d] * count, *[None] * count]
        if d in reduced:
            builder.factor(size, operands, [None] * count, REDUCTION)
        else:
            builder.factor(size, operands, [result_dimension] * count)
            result_dimension += 1
    return builder.rule()


def passes_through(operation: ReduceWindow | SelectAndScatter, dimension: int) -> bool:
    """Whether each window has one element along a dimension, and each element one window."""
    lists = [operation.window_dimensions, operation.window_strides]
    padding = operation.padding
    return all(not values or values[dimension] == 1 for values in lists) and (
        not padding or tuple(padding[dimension]) == (0, 0)
    )


def reduce_window(operation: ReduceWindow) -> OpShardingRule:
    """All dimensions, divided by windows; neighbors exchange what windows overlap."""
    builder = builder_of(operation)
    shape = shape_of(operation.results[0])
    builder.pointwise(
        shape, lambda d: PASS_THROUGH if passes_through(operation, d) else PERMUTATION
    )
    return builder.rule()


def select_and_scatter(operation: SelectAndScatter) -> OpShardingRule:
    """All dimensions of the operand; the source needs replication where windows overlap."""
    builder = builder_of(operation)
    source = shape_of(operation.source)
    for d, size in enumerate(shape_of(operation.result)):
        if passes_through(operation, d):
            builder.common(d, size)
        else:
            builder.factor(source[d], [None, d, None], [None], NEED_REPLICATION)
            builder.factor(size, [d, None, None], [d], PERMUTATION)
    return builder.rule()


def dot_general(operation: DotGeneral) -> OpShardingRule:
    """Batch, rows and columns, then what is contracted."""
    numbers: DotDimensionNumbers = operation.dot_dimension_numbers
    lhs, rhs = shape_of(operation.lhs), shape_of(operation.rhs)
    batch = list(zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True))
    depth = list(
        zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True)
    )
    paired = [*batch, *depth]
    rows = [i for i in range(len(lhs)) if i not in {left for left, _ in paired}]
    columns = [j for j in range(len(rhs)) if j not in {right for _, right in paired}]
    free: list[tuple[int | None, int | None]] = [(i, None) for i in rows]
    free += [(None, j) for j in columns]
    builder = builder_of(operation)
    for result_dimension, (i, j) in enumerate([*batch, *free]):
        size = lhs[i] if i is not None else rhs[j or 0]
        builder.factor(size, [i, j], [result_dimension])
    for i, j in depth:
        builder.factor(lhs[i], [i, j], [None], REDUCTION)
    return builder.rule()


def dot(operation: Dot) -> OpShardingRule:
    """Rows, columns, and the last dimension of lhs with the first of rhs."""
    builder = builder_of(operation)
    lhs, rhs = shape_of(operation.lhs), shape_of(operation.rhs)
    if len(lhs) == 2:
        builder.factor(lhs[0], [0, None], [0])
    if len(rhs) == 2:
        builder.factor(rhs[1], [None, 1], [len(lhs) - 1])
    builder.factor(rhs[0], [len(lhs) - 1, 0], [None], REDUCTION)
    return builder.rule()


def convolution(operation: Convolution | DynamicConv) -> OpShardingRule:
    """Batch, windows and features; groups are factors of their own."""
    numbers: ConvDimensionNumbers = operation.dimension_numbers
    rhs, out = shape_of(operation.rhs), shape_of(operation.result)
    builder = builder_of(operation)
    batch, features = numbers.output_batch_dimension, numbers.output_feature_dimension
    filters = numbers.kernel_output_feature_dimension
    batch_groups: int = operation.batch_group_count
    feature_groups: int = operation.feature_group_count
    if batch_groups > 1:
        builder.factor(batch_groups, [numbers.input_batch_dimension, filters], [features])
    builder.factor(out[batch], [numbers.input_batch_dimension, None], [batch])
    add_spatial_factors(builder, operation, numbers)
    if feature_groups > 1:
        builder.factor(feature_groups, [numbers.input_feature_dimension, filters], [features])
    depth = numbers.kernel_input_feature_dimension
    builder.factor(rhs[depth], [numbers.input_feature_dimension, depth], [None], REDUCTION)
    per_group = out[features] // (batch_groups * feature_groups)
    if per_group > 1:
        builder.factor(per_group, [None, filters], [features])
    return builder.rule()


def add_spatial_factors(
    builder: RuleBuilder, operation: Convolution | DynamicConv, numbers: ConvDimensionNumbers
) -> None:
    """Adds the number of windows and the size of a window, the larger one as the major factor."""
    lhs, rhs = shape_of(operation.lhs), shape_of(operation.rhs)
    out = shape_of(operation.result)
    for left, right, result in zip(
        numbers.input_spatial_dimensions,
        numbers.kernel_spatial_dimensions,
        numbers.output_spatial_dimensions,
        strict=True,
    ):
        rest = lhs[left]
        is_window_major = out[result] < rhs[right]
        for is_contracting in (is_window_major, not is_window_major):
            size = min(rest, rhs[right] if is_contracting else out[result])
            if size <= 1:
                continue
            rest //= size
            if is_contracting:
                builder.factor(size, [left, right], [None], REDUCTION)
            else:
                builder.factor(size, [left, None], [result], PERMUTATION)


def triangular_solve(operation: TriangularSolve) -> OpShardingRule:
    """Batch dimensions; the matrices need replication."""
    builder = builder_of(operation)
    a, b = shape_of(operation.a), shape_of(operation.b)
    builder.pointwise(a[:-2])
    first, second = len(a) - 2, len(a) - 1
    is_transposed = operation.transpose_a.name in ("TRANSPOSE", "ADJOINT")
    free, contracting = (second, first) if is_transposed else (first, second)
    own, other = (first, second) if operation.left_side else (second, first)
    if not operation.left_side:
        free, contracting = contracting, free
        builder.factor(b[other], [None, other], [other], NEED_REPLICATION)
        builder.factor(a[free], [free, own], [None], NEED_REPLICATION)
    else:
        builder.factor(a[free], [free, own], [None], NEED_REPLICATION)
        builder.factor(b[other], [None, other], [other], NEED_REPLICATION)
    builder.factor(a[contracting], [contracting, None], [own], NEED_REPLICATION)
    return builder.rule()

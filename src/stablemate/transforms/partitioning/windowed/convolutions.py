"""Convolutions over divided space: devices get the rows that windows share.

Where the kernel is divided too, as in gradients of kernels, devices have terms of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.ir.builder import Builder
from stablemate.ir.kinds import SI64_MATRIX
from stablemate.numerics.elements import QuantizedType
from stablemate.transforms.partitioning.division import FactorAxes, divide_factors
from stablemate.transforms.partitioning.local_attributes import group_counts
from stablemate.transforms.partitioning.movement.row_routes import RowRange
from stablemate.transforms.partitioning.partitioned_values import PartitionedValue, window_of
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    are_disjoint,
    join_axes,
)
from stablemate.transforms.partitioning.windowed.reading import is_cheap, read_window
from stablemate.transforms.partitioning.windowed.results import axes_of, is_even

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioner import Partitioner


@dataclass(frozen=True, slots=True)
class SpatialDimension:
    """A spatial dimension of a convolution.

    Attributes:
        lhs: The dimension of lhs.
        rhs: The dimension of the kernel.
        result: The dimension of the result.
        stride: The distance of two windows.
        lhs_dilation: The distance of two rows of lhs.
        rhs_dilation: The distance of two rows of the kernel.
        low: The padding before lhs.
        high: The padding after it.
    """

    lhs: int
    rhs: int
    result: int
    stride: int
    lhs_dilation: int
    rhs_dilation: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class LocalRows:
    """The rows of lhs that each device needs along a dimension.

    Attributes:
        rows: The rows.
        padding: The padding of these rows.
    """

    rows: RowRange
    padding: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class ConvolutionPlan:
    """How a convolution over divided space is divided.

    Attributes:
        rows: The rows of lhs by its dimension.
        padding: The padding by spatial dimension.
        lhs: The axes of space, by dimension of lhs.
        rhs: The same for the kernel.
        result: The same for the result.
        terms: The axes along which devices have terms.
    """

    rows: dict[int, RowRange] = field(default_factory=dict[int, RowRange])
    padding: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    lhs: dict[int, Axes] = field(default_factory=dict[int, Axes])
    rhs: dict[int, Axes] = field(default_factory=dict[int, Axes])
    result: dict[int, Axes] = field(default_factory=dict[int, Axes])
    terms: Axes = ()


def convolution(self: Partitioner, operation: Convolution, builder: Builder) -> bool:
    """Divides space: windows of lhs overlap; a divided kernel leaves terms."""
    lhs, rhs = (self.partitioned[value] for value in operation.operands)
    plan = plan_convolution(operation, lhs, rhs)
    axes = None if plan is None else factor_axes(self, operation, lhs, rhs)
    if plan is None or axes is None or not fits(plan, axes):
        return False
    rule = self.rule(operation)
    left = with_space(axes.placement(rule.operands[0]), plan.lhs)
    right = with_space(axes.placement(rule.operands[1]), plan.rhs)
    result = with_space(axes.placement(rule.results[0]), plan.result)
    terms = join_axes(axes.terms, plan.terms)
    values = [
        read_window(self, builder, lhs, window_of(left.dimensions, plan.rows)),
        self.shard(builder, rhs, right),
    ]
    padding = SI64_MATRIX.attribute(tuple(plan.padding))
    types = [result.local(operation.result.type)]
    attributes = {**group_counts(operation, values, types), "padding": padding}
    copy = self.copy_as(operation, builder, values, types, attributes)
    self.record(operation.result, copy.results[0], TensorPlacement(result.dimensions, terms))
    return True


def spatial_dimensions(operation: Convolution) -> list[SpatialDimension]:
    """The spatial dimensions of a convolution."""
    numbers = operation.dimension_numbers
    rank = len(numbers.input_spatial_dimensions)
    ones = (1,) * rank
    rows = zip(
        numbers.input_spatial_dimensions,
        numbers.kernel_spatial_dimensions,
        numbers.output_spatial_dimensions,
        operation.window_strides or ones,
        operation.lhs_dilation or ones,
        operation.rhs_dilation or ones,
        operation.padding or ((0, 0),) * rank,
        strict=True,
    )
    return [SpatialDimension(*row, *edges) for *row, edges in rows]


def plan_convolution(
    operation: Convolution, lhs: PartitionedValue, rhs: PartitionedValue
) -> ConvolutionPlan | None:
    """Plans the division of space; None if it is not divided, or not evenly, or too much moves."""
    elements = (value.type.element_type for value in (*operation.operands, operation.result))
    if any(isinstance(element, QuantizedType) for element in elements):
        return None  # padding is no zero
    if lhs.is_windowed:
        return None  # nor are its rows outside
    plan = ConvolutionPlan()
    for number, space in enumerate(spatial_dimensions(operation)):
        own, kernel = axes_of(lhs)[space.lhs], axes_of(rhs)[space.rhs]
        local: LocalRows | None = None
        if kernel:
            is_reversed = number in operation.reversal
            local = None if is_reversed else contracted_rows(operation, space, kernel)
            plan.rhs[space.rhs] = kernel
            plan.terms = join_axes(plan.terms, kernel)
        elif own:
            local = window_rows(operation, space, own)
            plan.result[space.result] = own
        else:
            plan.padding.append((space.low, space.high))
            continue
        axes = kernel or own
        if local is None or (own and not is_worth(lhs, local.rows, space, own, axes)):
            return None
        plan.lhs[space.lhs] = axes
        plan.rows[space.lhs] = local.rows
        plan.padding.append(local.padding)
    return plan if plan.rows else None


def is_worth(
    lhs: PartitionedValue, rows: RowRange, space: SpatialDimension, own: Axes, axes: Axes
) -> bool:
    """Whether few rows of lhs are moved."""
    size, count = lhs.shape[space.lhs], shard_count(axes)
    return own == axes and is_cheap(rows, size, count, size)


def window_rows(operation: Convolution, space: SpatialDimension, axes: Axes) -> LocalRows | None:
    """The rows of lhs that a device needs for its shard of the result; None if that is uneven."""
    count, size = shard_count(axes), operation.result.type.shape[space.result]
    step = space.stride * (size // count)  # in rows of the dilated lhs
    dilation = space.lhs_dilation
    if not is_even(size, axes) or step % dilation:
        return None
    reach = (operation.rhs.type.shape[space.rhs] - 1) * space.rhs_dilation + 1
    needed = space.stride * (size // count - 1) + reach
    first, last = -(space.low // dilation), (needed - 1 - space.low) // dilation
    length = last - first + 1
    if length < 1:
        return None
    low = dilation * first + space.low
    padding = (low, needed - low - (dilation * (length - 1) + 1))
    starts = tuple(step // dilation * place + first for place in range(count))
    return LocalRows(RowRange(starts, length), padding)


def contracted_rows(
    operation: Convolution, space: SpatialDimension, axes: Axes
) -> LocalRows | None:
    """The rows of lhs that meet the rows of the kernel that a device has; None if uneven."""
    count, size = shard_count(axes), operation.rhs.type.shape[space.rhs]
    if not is_even(size, axes) or space.lhs_dilation != 1:
        return None
    block = size // count
    windows = operation.result.type.shape[space.result]
    length = (block - 1) * space.rhs_dilation + 1 + (windows - 1) * space.stride
    starts = (block * place * space.rhs_dilation - space.low for place in range(count))
    return LocalRows(RowRange(tuple(starts), length))


def factor_axes(
    self: Partitioner, operation: Convolution, lhs: PartitionedValue, rhs: PartitionedValue
) -> FactorAxes | None:
    """The axes of batches and features; None if the operation cannot be divided as they are."""
    numbers = operation.dimension_numbers
    placements = [
        with_space(operand.placement.reduced, dict.fromkeys(dimensions, ()))
        for operand, dimensions in (
            (lhs, numbers.input_spatial_dimensions),
            (rhs, numbers.kernel_spatial_dimensions),
        )
    ]
    try:
        return divide_factors(operation, self.rule(operation), placements)
    except UnsupportedError:
        return None


def with_space(placement: TensorPlacement, space: dict[int, Axes]) -> TensorPlacement:
    """The placement with the axes of spatial dimensions."""
    for dimension, axes in space.items():
        placement = placement.with_axes(dimension, axes)
    return placement


def fits(plan: ConvolutionPlan, axes: FactorAxes) -> bool:
    """Whether no axis divides two dimensions."""
    lists: Sequence[Axes] = [*plan.lhs.values(), tuple(axes.used)]
    return all(are_disjoint(a, b) for i, a in enumerate(lists) for b in lists[:i])

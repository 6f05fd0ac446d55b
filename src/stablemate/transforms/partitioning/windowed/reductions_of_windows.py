"""Reductions of windows along a divided dimension, running sums among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
from stablemate.dialects.stablehlo.reducers import is_log_of_sum
from stablemate.dialects.stablehlo.select_and_scatter import SelectAndScatter
from stablemate.ir.builder import Builder
from stablemate.ir.core import Region, Value
from stablemate.ir.kinds import SI64_ARRAY, SI64_MATRIX
from stablemate.ir.types import Attribute, TensorType, tensor
from stablemate.transforms.partitioning.movement.row_exchange import RowExchange
from stablemate.transforms.partitioning.movement.row_routes import RowRange
from stablemate.transforms.partitioning.movement.splats import spread
from stablemate.transforms.partitioning.partitioned_values import (
    NeededPart,
    PartitionedValue,
    WindowReader,
    window_of,
)
from stablemate.transforms.partitioning.placement import Axes, TensorPlacement
from stablemate.transforms.partitioning.reductions import (
    combine_by_region,
    may_repeat,
    monoids_of,
)
from stablemate.transforms.partitioning.windowed.reading import fill_outside, read_window
from stablemate.transforms.partitioning.windowed.results import (
    axes_of,
    common_axes,
    is_even,
    record_windowed,
)
from stablemate.transforms.partitioning.windowed.slices import is_cheap_along

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioner import Partitioner


@dataclass(frozen=True, slots=True)
class WindowRow:
    """The windows along one dimension.

    Attributes:
        size: How many elements a window has.
        stride: The distance of two windows.
        base_dilation: The distance of two elements of the operand.
        dilation: The distance of two elements of a window.
        low: The padding before the operand.
        high: The padding after it.
    """

    size: int
    stride: int
    base_dilation: int
    dilation: int
    low: int
    high: int

    @property
    def is_trivial(self) -> bool:
        """Whether each window is one element, and there is one for each."""
        return self == WindowRow(1, 1, 1, 1, 0, 0)

    def rows_before(self, rows: RowRange) -> RowRange:
        """The rows of the operand in windows, if it is not dilated."""
        wide = rows.before(-self.low, self.stride)
        return RowRange(wide.starts, wide.length + (self.size - 1) * self.dilation)

    def are_shared_evenly(self, windows: int, size: int, axes: Axes) -> bool:
        """Whether each device has whole windows, and no element beside them.

        Args:
            windows: The number of windows.
            size: The number of elements.
            axes: The axes that divide both.
        """
        blocks = WindowRow(self.size, self.stride, 1, 1, 0, 0)
        is_disjoint = self == blocks and self.size <= self.stride
        return is_disjoint and size == windows * self.stride and is_even(windows, axes)


def window_rows(operation: ReduceWindow | SelectAndScatter) -> list[WindowRow]:
    """The windows along each dimension."""
    rank = len(operation.window_dimensions)
    ones = (1,) * rank
    base, inner = (
        (operation.base_dilations, operation.window_dilations)
        if isinstance(operation, ReduceWindow)
        else (None, None)
    )
    lists = (
        operation.window_dimensions,
        operation.window_strides or ones,
        base or ones,
        inner or ones,
    )
    padding = operation.padding or ((0, 0),) * rank
    return [WindowRow(*numbers, *edges) for *numbers, edges in zip(*lists, padding, strict=True)]


@dataclass(frozen=True, slots=True)
class WindowReduction:
    """The windows of the results of a reduction of windows.

    Attributes:
        partitioner: Emits operations.
        operation: The operation.
    """

    partitioner: Partitioner
    operation: ReduceWindow

    @property
    def operands(self) -> list[PartitionedValue]:
        """The values that are reduced."""
        return [self.partitioner.partitioned[value] for value in self.operation.inputs]

    def read(self, at: Builder, window: NeededPart, result: int) -> Value[TensorType]:
        """Emits a window of a result."""
        rows = window_rows(self.operation)
        target = self.operation.results[0].type.shape
        divided = [d for d, row in enumerate(rows) if not row.is_trivial and window.is_divided(d)]
        needed = {
            **window.by_dimension,
            **{d: rows[d].rows_before(window.rows_along(d, target[d])) for d in divided},
        }
        axes = window.placement.dimensions
        inits = [self.partitioner.partitioned[value] for value in self.operation.init_values]
        scalars = [self.partitioner.replicate(at, init) for init in inits]
        values: list[Value] = []
        for operand, fill in zip(self.operands, zip(inits, scalars, strict=True), strict=True):
            value = read_window(self.partitioner, at, operand, window_of(axes, needed))
            for d in divided:
                exchange = RowExchange(self.partitioner.resharder, at, d, axes[d])
                value = fill_outside(exchange, value, needed[d], operand, fill)
            values.append(value)
        padding = [(0, 0) if d in divided else (row.low, row.high) for d, row in enumerate(rows)]
        types = [window.local(value.type) for value in self.operation.results]
        copy = self.partitioner.copy_as(
            self.operation, at, [*values, *scalars], types, self.with_padding(padding)
        )
        return copy.results[result]

    def with_padding(self, padding: Sequence[tuple[int, int]]) -> dict[str, Attribute]:
        """The attributes with another padding."""
        return {**self.operation.attributes, "padding": SI64_MATRIX.attribute(tuple(padding))}


def reduce_window(self: Partitioner, operation: ReduceWindow, builder: Builder) -> bool:
    """Devices get the rows of windows that begin or end with another device."""
    if running_reduction(self, operation, builder):
        return True
    windows = WindowReduction(self, operation)
    rows, axes = window_rows(operation), common_axes(windows.operands)
    target = operation.results[0].type.shape
    changed = [d for d, row in enumerate(rows) if not row.is_trivial]
    operand = windows.operands[0]
    if any(axes[d] and rows[d].base_dilation != 1 for d in changed):
        return False
    if not all(
        is_cheap_along(operand, d, axes, target, lambda d, own: rows[d].rows_before(own))
        for d in changed
    ):
        return False
    depth = 1 + max(operand.depth for operand in windows.operands)
    for i, result in enumerate(operation.results):

        def read(at: Builder, window: NeededPart, i: int = i) -> Value[TensorType]:
            return windows.read(at, window, i)

        record_windowed(self, builder, result, WindowReader(read, axes, None, depth))
    return True


# ---- running reductions


def running_reduction(self: Partitioner, operation: ReduceWindow, builder: Builder) -> bool:
    """Partitions a running sum, product, ...: devices need the totals of those before them."""
    if len(operation.inputs) != 1:
        return False
    operand = self.partitioned[operation.inputs[0]]
    init = self.partitioned[operation.init_values[0]]
    dimension, axes = running_dimension(operation), axes_of(operand)
    if dimension is None or not may_begin_anywhere(operation.body, init):
        return False
    own = axes[dimension]
    if not own or operand.is_windowed or not is_even(operand.shape[dimension], own):
        return False
    placement = operand.placement.reduced
    running = RunningReduction(self, operation, builder, dimension, own)
    value = running.emit(self.shard(builder, operand, placement), self.replicate(builder, init))
    self.record(operation.results[0], value, TensorPlacement(placement.dimensions))
    return True


def may_begin_anywhere(body: Region, init: PartitionedValue) -> bool:
    """Whether each device may begin with the initial value, and totals may be combined."""
    monoids = monoids_of(body)
    if monoids:
        return may_repeat(monoids[0], init)
    return is_log_of_sum(body) and init.number is not None and bool(init.number == -np.inf)


def running_dimension(operation: ReduceWindow) -> int | None:
    """The dimension in which windows end (or begin) with each element, if all others are whole."""
    rows = window_rows(operation)
    changed = [d for d, row in enumerate(rows) if not row.is_trivial]
    if len(changed) != 1:
        return None
    (dimension,) = changed
    size = operation.inputs[0].type.shape[dimension]
    edges = ((size - 1, 0), (0, size - 1))
    running = [WindowRow(size, 1, 1, 1, *edge) for edge in edges]
    return dimension if rows[dimension] in running else None


@dataclass(frozen=True, slots=True)
class RunningReduction:
    """A running reduction along a divided dimension.

    Attributes:
        partitioner: Emits operations.
        operation: The operation.
        builder: Where operations are emitted.
        dimension: The dimension.
        axes: The axes that divide it.
    """

    partitioner: Partitioner
    operation: ReduceWindow
    builder: Builder
    dimension: int
    axes: Axes

    def emit(self, shard: Value, init: Value) -> Value:
        """Emits the shard of the result."""
        block, count = shard.type.shape[self.dimension], shard_count(self.axes)
        is_reversed = window_rows(self.operation)[self.dimension].low == 0
        own = self.within(shard, init, block, is_reversed=is_reversed)
        exchange = RowExchange(self.partitioner.resharder, self.builder, self.dimension, self.axes)
        total = exchange.rows(own, 0 if is_reversed else block - 1, 1)
        totals = self.partitioner.resharder.gather(self.builder, total, self.dimension, self.axes)
        places = tuple(range(count))
        first = tuple(place + 1 for place in places) if is_reversed else (0,) * count
        limit = (count,) * count if is_reversed else places
        mask = exchange.between(totals.type, first, limit)
        kept = exchange.select(mask, totals, spread(self.builder, init, totals.type))
        others = self.reduce_rows(kept, init)
        kept_dimensions = [d for d in range(own.type.rank) if d != self.dimension]
        wide = self.builder.create(
            BroadcastInDim,
            operand=others,
            broadcast_dimensions=kept_dimensions,
            results=[own.type],
        ).results[0]
        pair = (own, wide) if is_reversed else (wide, own)
        return combine_by_region(self.builder, self.operation.body, *pair)

    def within(
        self, shard: Value, init: Value, block: int, *, is_reversed: bool
    ) -> Value[TensorType]:
        """The running reduction of the rows of a device."""
        sizes = [1] * shard.type.rank
        sizes[self.dimension] = block
        padding = [(0, 0)] * shard.type.rank
        padding[self.dimension] = (0, block - 1) if is_reversed else (block - 1, 0)
        attributes: dict[str, Attribute] = {
            **self.operation.attributes,
            "window_dimensions": SI64_ARRAY.attribute(tuple(sizes)),
            "padding": SI64_MATRIX.attribute(tuple(padding)),
        }
        local = shard.type.with_element(self.operation.results[0].type.element_type)
        return self.partitioner.copy_as(
            self.operation, self.builder, [shard, init], [local], attributes
        ).results[0]

    def reduce_rows(self, totals: Value, init: Value) -> Value:
        """The total of the rows of some devices."""
        shape = [n for d, n in enumerate(totals.type.shape) if d != self.dimension]
        element = totals.type.element_type
        return self.builder.create(
            Reduce,
            inputs=[totals],
            init_values=[init],
            dimensions=(self.dimension,),
            regions=[self.partitioner.copy_region(self.operation.body, self.builder)],
            results=[tensor(element, *shape)],
        ).results[0]

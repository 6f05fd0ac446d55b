"""Select-and-scatter in parts: gradients of maxima of windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.select_and_scatter import SelectAndScatter
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.kinds import SI64_MATRIX
from stablemate.ir.types import Attribute, TensorType
from stablemate.transforms.partitioning.movement.row_exchange import RowExchange
from stablemate.transforms.partitioning.movement.row_routes import RowRange
from stablemate.transforms.partitioning.partitioned_values import (
    NeededPart,
    PartitionedValue,
    WindowReader,
    window_of,
)
from stablemate.transforms.partitioning.placement import Axes, TensorPlacement
from stablemate.transforms.partitioning.reductions import monoids_of
from stablemate.transforms.partitioning.windowed.reading import (
    fill_outside,
    is_zero,
    read_window,
)
from stablemate.transforms.partitioning.windowed.reductions_of_windows import (
    WindowRow,
    window_rows,
)
from stablemate.transforms.partitioning.windowed.results import axes_of, record_windowed

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioner import Partitioner


def select_and_scatter(self: Partitioner, operation: SelectAndScatter, builder: Builder) -> bool:
    """Each device scatters into its own windows, and into those that it shares with neighbors."""
    operand, source = self.partitioned[operation.operand], self.partitioned[operation.source]
    axes, rows = axes_of(operand), window_rows(operation)
    changed = [d for d, row in enumerate(rows) if axes[d] and not row.is_trivial]
    if not changed:
        return False
    if not operand.is_windowed and all(
        rows[d].are_shared_evenly(source.shape[d], operand.shape[d], axes[d]) for d in changed
    ):
        scatter_into_shards(self, operation, builder, TensorPlacement(axes))
        return True
    windows = ScatteredWindows(self, operation)
    if not windows.can_repeat or not all(windows.are_shared(d, axes[d]) for d in changed):
        return False
    depth = 1 + max(operand.depth, source.depth)
    record_windowed(self, builder, operation.result, WindowReader(windows.read, axes, None, depth))
    return True


def scatter_into_shards(
    self: Partitioner, operation: SelectAndScatter, builder: Builder, placement: TensorPlacement
) -> None:
    """Emits what devices scatter into windows that none of them shares with another."""
    values = [
        self.shard(builder, self.partitioned[operation.operand], placement),
        self.shard(builder, self.partitioned[operation.source], placement),
        self.replicate(builder, self.partitioned[operation.init_value]),
    ]
    types = [placement.local(operation.result.type)]
    copy = self.copy_as(operation, builder, values, types, operation.attributes)
    self.record(operation.result, copy.results[0], placement)


@dataclass(frozen=True, slots=True)
class ScatteredWindows:
    """The rows of a result to which windows that overlap are scattered.

    A device computes all windows that have an element among its rows, neighbors some of them, too.

    Attributes:
        partitioner: Emits operations.
        operation: The operation.
    """

    partitioner: Partitioner
    operation: SelectAndScatter

    @property
    def init(self) -> PartitionedValue:
        """The initial value of all elements, which those keep that nothing is scattered to."""
        return self.partitioner.partitioned[self.operation.init_value]

    @property
    def can_repeat(self) -> bool:
        """Whether windows that do not exist may scatter the initial value."""
        return monoids_of(self.operation.scatter) == ["add"] and is_zero(self.init)

    def are_shared(self, dimension: int, axes: Axes) -> bool:
        """Whether windows along a dimension cover it, and are of neighbors at most."""
        row = window_rows(self.operation)[dimension]
        block = self.operation.result.type.shape[dimension] // shard_count(axes)
        return not (row.low or row.high) and row.stride <= row.size <= block

    def read(self, at: Builder, window: NeededPart) -> Value[TensorType]:
        """Emits a window of the result."""
        rows, target = window_rows(self.operation), self.operation.result.type.shape
        divided = {
            d: window.rows_along(d, target[d])
            for d, row in enumerate(rows)
            if not row.is_trivial and window.is_divided(d)
        }
        numbers = {d: windows_with(rows[d], own) for d, own in divided.items()}
        elements = {d: elements_of(rows[d], own) for d, own in numbers.items()}
        padding = [(0, 0) if d in divided else (row.low, row.high) for d, row in enumerate(rows)]
        wide = window_of(window.placement.dimensions, {**window.by_dimension, **elements})
        source = self.scatter_windows(at, window, numbers)
        value = self.emit(at, wide, source, padding)
        for d, own in divided.items():
            exchange = RowExchange(self.partitioner.resharder, at, d, wide.placement.dimensions[d])
            pairs = zip(own.starts, elements[d].starts, strict=True)
            value = exchange.rows_at(value, tuple(a - b for a, b in pairs), own.length)
        return value

    def scatter_windows(
        self, at: Builder, window: NeededPart, numbers: dict[int, RowRange]
    ) -> Value[TensorType]:
        """The elements that windows scatter; the initial value where a window does not exist."""
        source = self.partitioner.partitioned[self.operation.source]
        axes = window.placement.dimensions
        value = read_window(
            self.partitioner, at, source, window_of(axes, {**window.by_dimension, **numbers})
        )
        scalar = self.partitioner.replicate(at, self.init)
        for d, rows in numbers.items():
            exchange = RowExchange(self.partitioner.resharder, at, d, axes[d])
            value = fill_outside(exchange, value, rows, source, (self.init, scalar))
        return value

    def emit(
        self, at: Builder, window: NeededPart, source: Value, padding: Sequence[tuple[int, int]]
    ) -> Value[TensorType]:
        """Emits the operation for all elements of some windows."""
        operand = self.partitioner.partitioned[self.operation.operand]
        values = [
            read_window(self.partitioner, at, operand, window),
            source,
            self.partitioner.replicate(at, self.init),
        ]
        attributes: dict[str, Attribute] = {
            **self.operation.attributes,
            "padding": SI64_MATRIX.attribute(tuple(padding)),
        }
        types = [window.local(self.operation.result.type)]
        return self.partitioner.copy_as(self.operation, at, values, types, attributes).results[0]


def windows_with(row: WindowRow, rows: RowRange) -> RowRange:
    """The windows that have an element among the rows of each device, and maybe later ones."""
    first = tuple((start - row.size) // row.stride + 1 for start in rows.starts)
    last = ((start + rows.length - 1) // row.stride for start in rows.starts)
    return RowRange(first, max(b - a + 1 for a, b in zip(first, last, strict=True)))


def elements_of(row: WindowRow, windows: RowRange) -> RowRange:
    """The rows of the elements of windows."""
    starts = tuple(first * row.stride for first in windows.starts)
    return RowRange(starts, (windows.length - 1) * row.stride + row.size)

"""Slices, padding and reversals of divided dimensions: devices get the rows that they lack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.reverse import Reverse
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.types import Attribute, TensorType
from stablemate.transforms.partitioning.movement.bit_sums import is_summable, sum_of_bits
from stablemate.transforms.partitioning.movement.resharding import Resharder
from stablemate.transforms.partitioning.movement.row_exchange import (
    RowContribution,
    RowExchange,
)
from stablemate.transforms.partitioning.movement.row_routes import (
    Piece,
    RowRange,
    RowShares,
    even_rows,
    shares_from,
)
from stablemate.transforms.partitioning.partitioned_values import (
    NeededPart,
    SliceView,
    WindowReader,
    window_of,
)
from stablemate.transforms.partitioning.placement import Axes, are_disjoint, join_axes
from stablemate.transforms.partitioning.windowed.reading import (
    fill_outside,
    is_cheap,
    read_window,
)
from stablemate.transforms.partitioning.windowed.results import (
    axes_of,
    is_even,
    record_windowed,
)

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
    from stablemate.transforms.partitioning.partitioner import Partitioner

RowsBefore: TypeAlias = Callable[[int, RowRange], RowRange]
EDGES: Final[Sequence[str]] = ("edge_padding_low", "edge_padding_high", "interior_padding")


@dataclass(frozen=True, slots=True)
class SlicedRows:
    """The windows of a slice.

    Attributes:
        partitioner: Emits operations.
        operation: The operation.
        operand: What is sliced.
    """

    partitioner: Partitioner
    operation: Slice
    operand: PartitionedValue

    @property
    def bounds(self) -> list[tuple[int, int, int]]:
        """The first row, the limit and the stride along each dimension."""
        own = self.operation
        return list(zip(own.start_indices, own.limit_indices, own.strides, strict=True))

    @property
    def changed(self) -> list[int]:
        """The dimensions that are not taken whole."""
        return [d for d, size in enumerate(self.operand.shape) if self.bounds[d] != (0, size, 1)]

    def rows_before(self, dimension: int, rows: RowRange) -> RowRange:
        """The rows of the operand that rows of the result are."""
        start, _, stride = self.bounds[dimension]
        return rows.before(start, stride)

    def read(self, at: Builder, window: NeededPart) -> Value[TensorType]:
        """Emits the slice of a window, along which every device keeps its own rows."""
        bounds, rows = self.bounds, window.by_dimension
        target = self.operation.result.type.shape
        for d in filter(window.is_divided, self.changed):
            rows[d] = self.rows_before(d, window.rows_along(d, target[d]))
        sent = self.sent_dimensions(window)
        gathered = self.gathered_dimensions(window)
        axes = list(window.placement.dimensions)
        for d in (*sent, *gathered):
            axes[d] = self.operand.placement.dimensions[d]
        value = read_window(self.partitioner, at, self.operand, window_of(axes, rows))
        for d in self.changed:
            exchange = RowExchange(self.partitioner.resharder, at, d, axes[d])
            first, _, stride = (0, 0, bounds[d][2]) if d in rows else bounds[d]
            if d in gathered:
                value = self.gather_strided(exchange, value)
            elif d in sent:
                starts = even_rows(self.operand.shape[d], shard_count(axes[d])).starts
                local = tuple(first - start for start in starts)
                value = exchange.rows_at(value, local, stride * (target[d] - 1) + 1)
                value = exchange.rows(value, 0, target[d], stride)
            else:
                length = (rows[d].length - 1) // stride + 1 if d in rows else target[d]
                value = exchange.rows(value, first, length, stride)
        if not sent:
            return value
        every = join_axes(*(axes[d] for d in sent))
        return sum_of_bits(self.partitioner.resharder, at, value, every)

    def gather_strided(self, exchange: RowExchange, value: Value[TensorType]) -> Value[TensorType]:
        """Emits the rows of a slice with a stride, of which each device takes its own at first."""
        dimension, axes = exchange.dimension, exchange.axes
        first, _, stride = self.bounds[dimension]
        numbers = self.shares_along(dimension).edges
        most = max(after - before for before, after in pairwise(numbers))
        shards = even_rows(self.operand.shape[dimension], shard_count(axes))
        starts = zip(numbers, shards.starts, strict=False)
        local = tuple(first + stride * number - start for number, start in starts)
        own = exchange.rows_at(value, local, stride * (most - 1) + 1)
        own = exchange.rows(own, 0, most, stride)
        every = self.partitioner.resharder.gather(exchange.builder, own, dimension, axes)
        pieces = [
            Piece(0, most * place, before, after - before)
            for place, (before, after) in enumerate(pairwise(numbers))
            if after > before
        ]
        rows = [RowContribution(every, {0: piece}, is_zero_elsewhere=False) for piece in pieces]
        return exchange.concatenate(every, rows, numbers[-1])

    def shares_along(self, dimension: int) -> RowShares:
        """The rows of the result of which each device holds the operand's."""
        first, limit, stride = self.bounds[dimension]
        count = shard_count(self.operand.placement.dimensions[dimension])
        starts = even_rows(self.operand.shape[dimension], count).starts
        size = -((first - limit) // stride)
        return shares_from([-((first - start) // stride) for start in starts], size)

    @property
    def shares(self) -> dict[int, RowShares]:
        """The rows of the result of which each device holds the operand's."""
        axes, shape = self.operand.placement.dimensions, self.operand.shape
        return {
            d: self.shares_along(d)
            for d in self.changed
            if axes[d] and not self.operand.is_windowed and is_even(shape[d], axes[d])
        }

    def rows_to_gather(self, dimension: int) -> int:
        """How many rows all devices have together, of those that each has itself."""
        numbers = self.shares_along(dimension).edges
        return max(after - before for before, after in pairwise(numbers)) * (len(numbers) - 1)

    def gathered_dimensions(self, window: NeededPart) -> list[int]:
        """The dimensions of which all devices need the rows of a slice with a stride."""
        sent, shape = self.sent_dimensions(window), self.operand.shape
        whole = [d for d in self.whole_dimensions(window) if self.bounds[d][2] > 1]
        return [d for d in whole if d not in sent and self.rows_to_gather(d) < shape[d]]

    def sent_dimensions(self, window: NeededPart) -> list[int]:
        """The dimensions of which all devices need few rows, which few devices have."""
        if not is_summable(self.operation.operand.type.element_type):
            return []
        return [d for d in self.whole_dimensions(window) if self.is_sent(d)]

    def is_sent(self, dimension: int) -> bool:
        """Whether rows are so few that an all_reduce moves less than an all_gather.

        An all_gather of all rows is shared by slices with a stride that make them up together.
        """
        target, stride = self.operation.result.type.shape[dimension], self.bounds[dimension][2]
        if stride == 1:
            return 2 * target <= self.operand.shape[dimension]
        return 4 * target <= self.rows_to_gather(dimension)

    def whole_dimensions(self, window: NeededPart) -> list[int]:
        """The dimensions that are divided before, and of which all devices need the same rows."""
        if self.operand.is_windowed:
            return []
        axes = self.operand.placement.dimensions
        used = [part for own in window.placement.dimensions for part in own]
        return [
            d
            for d in self.changed
            if axes[d]
            and not window.is_divided(d)
            and are_disjoint(axes[d], used)
            and is_even(self.operand.shape[d], axes[d])
        ]


def slice_(self: Partitioner, operation: Slice, builder: Builder) -> bool:
    """Rows of the operand that are rows of the result are moved to where they are needed."""
    operand = self.partitioned[operation.operand]
    rows, axes = SlicedRows(self, operation, operand), axes_of(operand)
    target = operation.result.type.shape
    if not all(is_cheap_along(operand, d, axes, target, rows.rows_before) for d in rows.changed):
        return False
    is_dense = all(stride == 1 for _, _, stride in rows.bounds)
    view = SliceView(operand, tuple(operation.start_indices)) if is_dense else None
    reader = WindowReader(
        rows.read, axes, view, operand.depth + 1, rows.shares, operation.operand.type.bytes
    )
    record_windowed(self, builder, operation.result, reader)
    return True


def is_cheap_along(
    operand: PartitionedValue,
    dimension: int,
    axes: Sequence[Axes],
    target: Sequence[int],
    rows_before: RowsBefore,
) -> bool:
    """Whether the exchange of the rows of shards of a result moves less than anything else."""
    own, size = axes[dimension], operand.shape[dimension]
    if not own or operand.is_windowed or not is_even(target[dimension], own):
        return True
    count = shard_count(own)
    rows = rows_before(dimension, even_rows(target[dimension], count))
    return is_cheap(rows, size, count, target[dimension])


@dataclass(frozen=True, slots=True)
class PaddedRows:
    """The windows of a padded value.

    Attributes:
        partitioner: Emits operations.
        operation: The operation.
        operand: What is padded.
        fill: The padding.
    """

    partitioner: Partitioner
    operation: Pad
    operand: PartitionedValue
    fill: PartitionedValue

    @property
    def edges(self) -> list[tuple[int, int, int]]:
        """The padding before, after and between the rows of each dimension."""
        pad = self.operation
        lists = pad.edge_padding_low, pad.edge_padding_high, pad.interior_padding
        return list(zip(*lists, strict=True))

    def rows_before(self, dimension: int, rows: RowRange) -> RowRange:
        """The rows of the operand among rows of the result, if ``has_pattern``."""
        low, _, interior = self.edges[dimension]
        step = interior + 1
        starts = tuple(-((low - start) // step) for start in rows.starts)
        last = (rows.starts[0] + rows.length - 1 - low) // step
        return RowRange(starts, last + 1 - starts[0])

    def has_pattern(self, dimension: int, rows: RowRange) -> bool:
        """Whether rows of the result are padded alike on all devices, and each has an operand's."""
        low, _, interior = self.edges[dimension]
        phases = {(start - low) % (interior + 1) for start in rows.starts}
        return len(phases) == 1 and self.rows_before(dimension, rows).length > 0

    def local_edges(self, dimension: int, rows: RowRange) -> tuple[int, int, int]:
        """The padding of the rows of the operand among rows of the result."""
        low, _, interior = self.edges[dimension]
        own, step = self.rows_before(dimension, rows), interior + 1
        before = low + step * own.starts[0] - rows.starts[0]
        return before, rows.length - before - (step * (own.length - 1) + 1), interior

    def read(self, at: Builder, window: NeededPart) -> Value[TensorType]:
        """Emits a window: rows that lie outside of the operand are padding."""
        target = self.operation.result.type.shape
        divided = {
            d: window.rows_along(d, target[d])
            for d, edges in enumerate(self.edges)
            if any(edges) and window.is_divided(d)
        }
        if not all(self.has_pattern(d, rows) for d, rows in divided.items()):
            return self.read_whole(at, window)
        rows = window.by_dimension
        for d, own in divided.items():
            rows[d] = self.rows_before(d, own)
        axes = window.placement.dimensions
        value = read_window(self.partitioner, at, self.operand, window_of(axes, rows))
        number = self.partitioner.replicate(at, self.fill)
        for d in divided:
            exchange = RowExchange(self.partitioner.resharder, at, d, axes[d])
            value = fill_outside(exchange, value, rows[d], self.operand, (self.fill, number))
        edges = [
            self.local_edges(d, divided[d]) if d in divided else own
            for d, own in enumerate(self.edges)
        ]
        return self.pad_rows(at, window, value, number, edges)

    def pad_rows(
        self,
        at: Builder,
        window: NeededPart,
        value: Value[TensorType],
        number: Value,
        edges: Sequence[tuple[int, int, int]],
    ) -> Value[TensorType]:
        """Emits the padding before, after and between the rows that a device has."""
        if not any(map(any, edges)):
            return value
        lists = [SI64_ARRAY.attribute(row) for row in zip(*edges, strict=True)]
        attributes: dict[str, Attribute] = dict(zip(EDGES, lists, strict=True))
        types = [window.local(self.operation.result.type)]
        copy = self.partitioner.copy_as(self.operation, at, [value, number], types, attributes)
        return copy.results[0]

    def read_whole(self, at: Builder, window: NeededPart) -> Value[TensorType]:
        """Emits a window of the whole result, which every device computes."""
        values = [self.partitioner.replicate(at, value) for value in (self.operand, self.fill)]
        whole = self.operation.result.type
        copy = self.partitioner.copy_as(self.operation, at, values, [whole])
        value: Value[TensorType] = copy.results[0]
        for d, size in enumerate(whole.shape):
            if window.is_divided(d):
                rows, axes = window.rows_along(d, size), window.placement.dimensions[d]
                exchange = RowExchange(self.partitioner.resharder, at, d, axes)
                value = exchange.rows_at(value, rows.starts, rows.length)
        return value


def pad(self: Partitioner, operation: Pad, builder: Builder) -> bool:
    """Rows are moved to where they are needed; those that lie outside are padding."""
    operand = self.partitioned[operation.operand]
    padded = PaddedRows(self, operation, operand, self.partitioned[operation.padding_value])
    axes, target = axes_of(operand), operation.result.type.shape
    changed = [d for d, edges in enumerate(padded.edges) if any(edges)]
    if not all(is_interleaved_alike(padded, d, axes[d]) for d in changed):
        return False
    if not all(is_cheap_along(operand, d, axes, target, padded.rows_before) for d in changed):
        return False
    reader = WindowReader(padded.read, axes, None, operand.depth + 1)
    record_windowed(self, builder, operation.result, reader)
    return True


def is_interleaved_alike(padded: PaddedRows, dimension: int, axes: Axes) -> bool:
    """Whether a divided dimension has no padding between its rows, or all devices the same."""
    size = padded.operation.result.type.shape[dimension]
    if not axes or not padded.edges[dimension][2]:
        return True
    rows = even_rows(size, shard_count(axes))
    return is_even(size, axes) and padded.has_pattern(dimension, rows)


def reverse(self: Partitioner, operation: Reverse, builder: Builder) -> bool:
    """The last rows of the operand are the first ones of the result."""
    operand = self.partitioned[operation.operand]
    shape = operation.operand.type.shape
    changed = tuple(operation.dimensions)

    def rows_before(d: int, rows: RowRange) -> RowRange:
        return RowRange(tuple(shape[d] - s - rows.length for s in rows.starts), rows.length)

    def read(at: Builder, window: NeededPart) -> Value[TensorType]:
        rows, axes = window.by_dimension, window.placement.dimensions
        if (
            not rows
            and not operand.is_windowed
            and all(is_even(shape[d], axes[d]) for d in changed)
        ):
            value = self.shard(at, operand, window.placement)
            value = mirror_shards(self.resharder, at, value, join_axes(*(axes[d] for d in changed)))
            return self.copy_as(operation, at, [value], [value.type]).results[0]
        for d in changed:
            own = window.rows_of(d, shape[d])
            if own is not None:
                rows[d] = rows_before(d, own)
        value = read_window(self, at, operand, window_of(axes, rows))
        return self.copy_as(operation, at, [value], [value.type]).results[0]

    axes = axes_of(operand)
    if not all(is_cheap_along(operand, d, axes, shape, rows_before) for d in changed):
        return False
    reader = WindowReader(read, axes, None, operand.depth + 1)
    record_windowed(self, builder, operation.result, reader)
    return True


def mirror_shards(resharder: Resharder, at: Builder, value: Value, axes: Axes) -> Value:
    """The shard of the device as far from the last one along axes as this is from the first."""
    if not axes:
        return value
    pairs = [
        pair
        for group in resharder.devices.groups(axes)
        for pair in zip(group, reversed(group), strict=True)
    ]
    return resharder.send(at, value, pairs)

"""Concatenations along a divided dimension, rolls among them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.movement.row_exchange import RowExchange
from stablemate.transforms.partitioning.movement.row_routes import (
    Piece,
    RowRange,
    messages_of,
    pieces_of,
    rows_sent,
)
from stablemate.transforms.partitioning.partitioned_values import (
    NeededPart,
    WindowReader,
    window_of,
)
from stablemate.transforms.partitioning.placement import Axes
from stablemate.transforms.partitioning.windowed.reading import is_worth_messages, read_window
from stablemate.transforms.partitioning.windowed.results import (
    common_axes,
    is_even,
    record_windowed,
)

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
    from stablemate.transforms.partitioning.partitioner import Partitioner


@dataclass(frozen=True, slots=True)
class Roll:
    """A concatenation of slices that follow one another in a value, as if it were periodic.

    Attributes:
        operand: The value.
        shift: The row of it that is the first one of the result.
    """

    operand: PartitionedValue
    shift: int


def concatenate(self: Partitioner, operation: Concatenate, builder: Builder) -> bool:
    """Devices get the rows that they need of each operand."""
    dimension: int = operation.dimension
    operands = [self.partitioned[value] for value in operation.operands]
    size = operation.result.type.shape[dimension]
    axes = common_axes(operands)
    own_axes = axes[dimension]
    roll = roll_of(operands, dimension, own_axes)
    shards_only = all(has_even_shards(operand, dimension, own_axes) for operand in operands)
    if not own_axes:
        return False
    if roll is None and shards_only and not is_cheap_concatenation(operands, dimension, own_axes):
        return False
    offsets = [0, *accumulate(operand.shape[dimension] for operand in operands)]

    def read(at: Builder, window: NeededPart) -> Value[TensorType]:
        rows = window.rows_of(dimension, size)
        if rows is None:
            values = [read_window(self, at, operand, window) for operand in operands]
            return self.copy_as(operation, at, values, [joined_type(values, dimension)]).results[0]
        is_own = window.placement.dimensions[dimension] == own_axes
        if roll is not None and is_own:
            return read_roll(self, at, roll, dimension, window, rows)
        if shards_only and is_own:
            return read_shards(self, at, operation, operands, window, rows)
        return read_selected(self, at, operands, offsets, dimension, window, rows)

    depth = 1 + max(operand.depth for operand in operands)
    record_windowed(self, builder, operation.result, WindowReader(read, axes, None, depth))
    return True


def joined_type(values: Sequence[Value], dimension: int) -> Any:
    """The type of a concatenation."""
    shape = list(values[0].type.shape)
    shape[dimension] = sum(value.type.shape[dimension] for value in values)
    return values[0].type.with_shape(shape)


def has_even_shards(operand: PartitionedValue, dimension: int, axes: Axes) -> bool:
    """Whether devices hold shards of a value by these axes."""
    return (
        not operand.is_windowed
        and bool(axes)
        and operand.placement.dimensions[dimension] == axes
        and is_even(operand.shape[dimension], axes)
    )


# ---- rolls


def roll_of(operands: Sequence[PartitionedValue], dimension: int, axes: Axes) -> Roll | None:
    """The roll that a concatenation is; None if it is none."""
    views = [view_along(operand, dimension) for operand in operands]
    base = views[0].operand
    period = base.shape[dimension]
    if not has_even_shards(base, dimension, axes):
        return None
    row = shift = views[0].shift
    for view, operand in zip(views, operands, strict=True):
        if view.operand is not base or (view.shift - row) % period:
            return None
        row += operand.shape[dimension]
    return Roll(base, shift)


def view_along(operand: PartitionedValue, dimension: int) -> Roll:
    """Finds the value of which this one is a slice along one dimension only; by default itself."""
    view = operand.reader.view if operand.reader is not None else None
    if view is None:
        return Roll(operand, 0)
    shape, source = operand.shape, view.operand.shape
    if any(a != b for d, (a, b) in enumerate(zip(shape, source, strict=True)) if d != dimension):
        return Roll(operand, 0)
    return Roll(view.operand, view.starts[dimension])


def read_roll(
    self: Partitioner, at: Builder, roll: Roll, dimension: int, window: NeededPart, rows: RowRange
) -> Value[TensorType]:
    """Rows of a roll: those of a periodic value."""
    axes = window.placement.dimensions[dimension]
    value = read_window(self, at, roll.operand, without_rows(window, dimension))
    block, count = value.type.shape[dimension], shard_count(axes)
    needed = pieces_of(rows.before(roll.shift), block, count, is_periodic=True)
    exchange = RowExchange(self.resharder, at, dimension, axes)
    if is_worth_messages(needed, block):
        return exchange.gather_pieces(value, needed, rows.length)
    whole = self.resharder.gather(at, value, dimension, axes)
    pieces = [
        [piece_of_whole(piece, block, place) for piece in row] for place, row in enumerate(needed)
    ]
    return exchange.gather_pieces(whole, pieces, rows.length)


def piece_of_whole(piece: Piece, block: int, place: int) -> Piece:
    """A piece of a shard as a piece of the whole, which each device has."""
    return Piece(place, piece.source * block + piece.first, piece.target, piece.length)


def without_rows(window: NeededPart, dimension: int) -> NeededPart:
    """The window with the shards along one dimension."""
    rows = {d: own for d, own in window.rows if d != dimension}
    return window_of(window.placement.dimensions, rows)


# ---- concatenations of shards


def is_cheap_concatenation(
    operands: Sequence[PartitionedValue], dimension: int, axes: Axes
) -> bool:
    """Whether rows of shards are moved by few messages, and fewer than gathering all of them."""
    size = sum(operand.shape[dimension] for operand in operands)
    count = shard_count(axes)
    if size % count:
        return True
    block = size // count
    rows = RowRange(tuple(block * place for place in range(count)), block)
    needed = concatenation_pieces(operands, dimension, rows, count)
    messages = messages_of(needed)
    return len(messages) <= len(operands) + 1 and rows_sent(messages) <= 2 * block


def concatenation_pieces(
    operands: Sequence[PartitionedValue], dimension: int, rows: RowRange, count: int
) -> list[list[Piece]]:
    """The pieces that each device needs of the concatenated shards of all operands."""
    pieces: list[list[Piece]] = [[] for _ in range(count)]
    offset = own_offset = 0
    for operand in operands:
        size = operand.shape[dimension]
        block = size // count
        for place, start in enumerate(rows.starts):
            skipped = max(0, offset - start)
            length = min(start + rows.length, offset + size) - (start + skipped)
            if length <= 0:
                continue
            part = RowRange((start + skipped - offset,), length)
            for piece in pieces_of(part, block, count)[0]:
                first, target = piece.first + own_offset, piece.target + skipped
                pieces[place].append(Piece(piece.source, first, target, piece.length))
        offset += size
        own_offset += block
    return pieces


def read_shards(
    self: Partitioner,
    at: Builder,
    operation: Concatenate,
    operands: Sequence[PartitionedValue],
    window: NeededPart,
    rows: RowRange,
) -> Value[TensorType]:
    """Rows of a concatenation, all of whose operands devices hold shards of."""
    dimension: int = operation.dimension
    axes = window.placement.dimensions[dimension]
    shards = without_rows(window, dimension)
    values = [read_window(self, at, operand, shards) for operand in operands]
    held = self.copy_as(operation, at, values, [joined_type(values, dimension)]).results[0]
    needed = concatenation_pieces(operands, dimension, rows, shard_count(axes))
    return RowExchange(self.resharder, at, dimension, axes).gather_pieces(held, needed, rows.length)


def read_selected(
    self: Partitioner,
    at: Builder,
    operands: Sequence[PartitionedValue],
    offsets: Sequence[int],
    dimension: int,
    window: NeededPart,
    rows: RowRange,
) -> Value[TensorType]:
    """Rows of a concatenation: of the operand that each one is in."""
    axes = window.placement.dimensions[dimension]
    exchange = RowExchange(self.resharder, at, dimension, axes)
    result: Value | None = None
    for operand, offset in zip(operands, offsets, strict=False):
        own = {**window.by_dimension, dimension: rows.before(-offset)}
        value = read_window(self, at, operand, window_of(window.placement.dimensions, own))
        if result is None:
            result = value
            continue
        bounds = tuple(offset - start for start in rows.starts)
        mask = exchange.compare_rows(value.type, bounds, ComparisonDirection.GE)
        result = exchange.select(mask, value, result)
    assert result is not None
    return result

"""Emits windows of values: by messages from neighbors, or from what a device has itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, Protocol

from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.movement.resharding import Resharder
from stablemate.transforms.partitioning.movement.row_exchange import RowExchange
from stablemate.transforms.partitioning.movement.row_routes import (
    Piece,
    RowRange,
    messages_of,
    pieces_of,
    rows_sent,
)
from stablemate.transforms.partitioning.movement.splats import splat_constant, spread
from stablemate.transforms.partitioning.partitioned_values import NeededPart, PartitionedValue
from stablemate.transforms.partitioning.placement import TensorPlacement

MOST_MESSAGES: Final = 4  # beyond, one all_gather is cheaper


class ShardEmitter(Protocol):
    """Emits the shards of values, and remembers what it has emitted: a partitioner."""

    resharder: Resharder

    def shard(
        self, builder: Builder, partitioned_value: PartitionedValue, placement: TensorPlacement
    ) -> Value:
        """Returns the shard of a value by a placement."""
        ...

    def emitted_value(self, partitioned_value: PartitionedValue, key: Hashable) -> Value | None:
        """Returns what has been emitted of a value."""
        ...

    def remember(
        self, partitioned_value: PartitionedValue, key: Hashable, value: Value[TensorType]
    ) -> None:
        """Records what has been emitted of a value."""
        ...


def read_window(
    self: ShardEmitter, builder: Builder, operand: PartitionedValue, window: NeededPart
) -> Value[TensorType]:
    """The rows of a value that each device needs; those that lie outside may be anything.

    Rows outside of a value that has shards are zeros.
    """
    if not window.rows:
        return self.shard(builder, operand, window.placement)
    known = self.emitted_value(operand, window)
    if known is not None:
        return known
    if operand.reader is not None and operand.value is None:
        value = operand.reader.read(builder, window)
    elif operand.number is not None:
        value = splat_constant(builder, window.local(operand.type), operand.number)
    else:
        value = rows_of_shards(self, builder, operand, window)
    self.remember(operand, window, value)
    return value


def rows_of_shards(
    self: ShardEmitter, builder: Builder, operand: PartitionedValue, window: NeededPart
) -> Value[TensorType]:
    """The rows of a value that has shards, one dimension after the other."""
    placement = held_placement(operand, window)
    value = self.shard(builder, operand, placement)
    for dimension, rows in window.rows:
        axes = window.placement.dimensions[dimension]
        exchange = RowExchange(self.resharder, builder, dimension, axes)
        block, count = value.type.shape[dimension], shard_count(axes)
        if not placement.dimensions[dimension]:
            value = exchange.rows_at(value, rows.starts, rows.length)
            continue
        needed = pieces_of(rows, block, count)
        if is_worth_messages(needed, block):
            value = exchange.gather_pieces(value, needed, rows.length)
        else:
            whole = self.resharder.gather(builder, value, dimension, axes)
            value = exchange.rows_at(whole, rows.starts, rows.length)
    return value


def fill_outside(
    exchange: RowExchange,
    value: Value[TensorType],
    rows: RowRange,
    operand: PartitionedValue,
    fill: tuple[PartitionedValue, Value[TensorType]],
) -> Value[TensorType]:
    """Rows of a value, with a number in the place of those that lie outside of it.

    Args:
        exchange: The exchange that brought the rows.
        value: The rows.
        rows: Which ones they are.
        operand: What they are rows of.
        fill: The number: the value of the program, and the scalar.
    """
    mask = exchange.inside(value.type, rows, operand.shape[exchange.dimension])
    if mask is None or (is_zero(fill[0]) and not operand.is_windowed):
        return value
    return exchange.select(mask, value, spread(exchange.builder, fill[1], value.type))


def is_zero(value: PartitionedValue) -> bool:
    """Whether a value is zero, and no negative zero."""
    number = value.number
    return number is not None and not number and not str(number).startswith("-")


def held_placement(operand: PartitionedValue, window: NeededPart) -> TensorPlacement:
    """By which axes the rows of a window are divided where they come from."""
    placement = window.placement
    for dimension, _ in window.rows:
        count = shard_count(placement.dimensions[dimension])
        is_even = operand.shape[dimension] % count == 0
        if not is_even or not operand.placement.dimensions[dimension]:
            placement = placement.with_axes(dimension, ())
    return placement


def is_worth_messages(needed: Sequence[Sequence[Piece]], block: int) -> bool:
    """Whether devices receive fewer rows by messages than by gathering all of them."""
    messages = messages_of(needed)
    return len(messages) <= MOST_MESSAGES and rows_sent(messages) < (len(needed) - 1) * block


def is_cheap(rows: RowRange, size: int, count: int, result: int) -> bool:
    """Whether the exchange of rows moves less than dividing another dimension, there and back.

    Args:
        rows: The rows that each device needs.
        size: The number of all rows.
        count: The number of devices.
        result: The number of all rows of the result.
    """
    if size % count:
        return False
    messages = messages_of(pieces_of(rows, size // count, count))
    return len(messages) <= 2 and rows_sent(messages) * count <= size + result

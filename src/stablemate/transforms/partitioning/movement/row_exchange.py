"""Emits the messages that bring each device the rows that it needs, and puts them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.elementwise import And
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.select import Select
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import BOOLEAN, I32
from stablemate.transforms.partitioning.movement.resharding import Resharder, zero
from stablemate.transforms.partitioning.movement.row_routes import (
    Piece,
    RowMessage,
    RowRange,
    messages_of,
    own_pieces,
)
from stablemate.transforms.partitioning.placement import Axes


@dataclass(frozen=True, slots=True)
class RowContribution:
    """Rows that devices have or received, and where they belong.

    Attributes:
        value: The rows.
        pieces: Where they are in ``value``, for each place that needs some of them.
        is_zero_elsewhere: Whether devices that need none of them have zeros.
    """

    value: Value[TensorType]
    pieces: Mapping[int, Piece]
    is_zero_elsewhere: bool


@dataclass(frozen=True, slots=True)
class RowExchange:
    """The exchange of rows along one dimension.

    Attributes:
        resharder: Emits messages.
        builder: Where operations are emitted.
        dimension: The dimension.
        axes: The axes that divide it.
    """

    resharder: Resharder
    builder: Builder
    dimension: int
    axes: Axes

    def gather_pieces(
        self, value: Value[TensorType], needed: Sequence[Sequence[Piece]], length: int
    ) -> Value[TensorType]:
        """The rows that each device needs; those that are in no piece are zeros.

        Args:
            value: What a device holds.
            needed: The pieces that each device needs.
            length: How many rows each device needs.
        """
        count = len(needed)
        contributions = [
            RowContribution(value, layer, is_zero_elsewhere=False) for layer in own_pieces(needed)
        ]
        contributions += [self.receive(value, message) for message in messages_of(needed)]
        if are_uniform(contributions, count):
            return self.concatenate(value, contributions, length)
        return self.select_contributions(value, contributions, length, count)

    def receive(self, value: Value[TensorType], message: RowMessage) -> RowContribution:
        """Exchanges one message of rows between devices by a collective permute."""
        size, length = value.type.shape[self.dimension], message.length
        groups = self.resharder.devices.groups(self.axes)
        starts = [0] * len(groups[0])
        for piece in message.pieces.values():
            starts[piece.source] = min(piece.first, size - length)
        own = {starts[piece.source] for piece in message.pieces.values()}
        first = own.pop() if len(own) == 1 else None
        rows = (
            self.rows(value, first, length)
            if first is not None
            else self.rows_at(value, tuple(starts), length)
        )
        pairs = [
            (group[piece.source], group[place])
            for group in groups
            for place, piece in message.pieces.items()
        ]
        pieces = {
            place: Piece(
                piece.source, piece.first - starts[piece.source], piece.target, piece.length
            )
            for place, piece in message.pieces.items()
        }
        return RowContribution(
            self.resharder.send(self.builder, rows, pairs), pieces, is_zero_elsewhere=True
        )

    # ---- rows of a device

    def with_rows(self, local: TensorType, length: int) -> TensorType:
        """A type with another number of rows."""
        shape = list(local.shape)
        shape[self.dimension] = length
        return local.with_shape(shape)

    def rows(
        self, value: Value[TensorType], first: int, length: int, stride: int = 1
    ) -> Value[TensorType]:
        """The rows after the first one, which all devices take at the same place."""
        shape = value.type.shape
        if (first, length, stride) == (0, shape[self.dimension], 1):
            return value
        starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
        starts[self.dimension], strides[self.dimension] = first, stride
        limits[self.dimension] = first + stride * (length - 1) + 1
        return self.builder.create(
            Slice,
            operand=value,
            start_indices=starts,
            limit_indices=limits,
            strides=strides,
            results=[self.with_rows(value.type, length)],
        ).results[0]

    def rows_at(
        self, value: Value[TensorType], starts: tuple[int, ...], length: int
    ) -> Value[TensorType]:
        """The rows after the first one, whose number depends on the device; zeros outside."""
        size = value.type.shape[self.dimension]
        low, high = max(0, -min(starts)), max(0, max(starts) + length - size)
        wide = self.pad_rows(value, low, high)
        if len({*starts}) == 1:
            return self.rows(wide, starts[0] + low, length)
        shape = self.with_rows(value.type, length).shape
        indices = [self.resharder.place((), 0)] * len(shape)
        indices[self.dimension] = self.resharder.table(
            self.axes, tuple(start + low for start in starts)
        )
        return self.builder.create(
            DynamicSlice, operand=wide, start_indices=indices, slice_sizes=shape
        ).result

    def pad_rows(self, value: Value[TensorType], low: int, high: int) -> Value[TensorType]:
        """A value with rows of zeros before and after it; negative numbers take rows away."""
        if not (low or high):
            return value
        edges = [[0] * value.type.rank for _ in range(3)]
        edges[0][self.dimension], edges[1][self.dimension] = low, high
        length = value.type.shape[self.dimension] + low + high
        return self.builder.create(
            Pad,
            operand=value,
            padding_value=zero(self.builder, tensor(value.type.element_type)),
            edge_padding_low=edges[0],
            edge_padding_high=edges[1],
            interior_padding=edges[2],
            results=[self.with_rows(value.type, length)],
        ).results[0]

    # ---- together

    def concatenate(
        self, value: Value[TensorType], contributions: Sequence[RowContribution], length: int
    ) -> Value[TensorType]:
        """Contributions that are at the same place on all devices, one after the other."""
        parts: list[Value[TensorType]] = []
        row = 0
        placed = [(next(iter(c.pieces.values())), c.value) for c in contributions]
        for piece, rows in sorted(placed, key=lambda pair: pair[0].target):
            if piece.target > row:
                parts.append(zero(self.builder, self.with_rows(value.type, piece.target - row)))
            parts.append(self.rows(rows, piece.first, piece.length))
            row = piece.target + piece.length
        if row < length:
            parts.append(zero(self.builder, self.with_rows(value.type, length - row)))
        if len(parts) == 1:
            return parts[0]
        return self.builder.create(
            Concatenate,
            inputs=parts,
            dimension=self.dimension,
            results=[self.with_rows(value.type, length)],
        ).results[0]

    def select_contributions(
        self,
        value: Value[TensorType],
        contributions: Sequence[RowContribution],
        length: int,
        count: int,
    ) -> Value[TensorType]:
        """Contributions that are at other places on other devices."""
        result = zero(self.builder, self.with_rows(value.type, length))
        for contribution in contributions:
            pieces = [contribution.pieces.get(place) for place in range(count)]
            usual = next(iter(contribution.pieces.values()))
            shifts = tuple(p.first - p.target if p else usual.first - usual.target for p in pieces)
            aligned = self.rows_at(contribution.value, shifts, length)
            first = tuple(piece.target if piece else 0 for piece in pieces)
            last = tuple(piece.target + piece.length if piece else 0 for piece in pieces)
            mask = self.between(result.type, first, last)
            result = self.select(mask, aligned, result)
        return result

    def select(self, mask: Value[TensorType], chosen: Value, other: Value) -> Value[TensorType]:
        """One of two values, element by element."""
        return self.builder.create(
            Select, pred=mask, on_true=chosen, on_false=other, results=[chosen.type]
        ).results[0]

    # ---- numbers of rows

    def inside(self, local: TensorType, rows: RowRange, size: int) -> Value[TensorType] | None:
        """Whether rows are those of a tensor, for each element; None if all are."""
        if min(rows.starts) >= 0 and max(rows.starts) + rows.length <= size:
            return None
        first = tuple(-start for start in rows.starts)
        return self.between(local, first, tuple(size - start for start in rows.starts))

    def between(
        self, local: TensorType, first: tuple[int, ...], limit: tuple[int, ...]
    ) -> Value[TensorType]:
        """Whether the number of the row is in a range that depends on the device."""
        above = self.compare_rows(local, first, ComparisonDirection.GE)
        below = self.compare_rows(local, limit, ComparisonDirection.LT)
        return self.builder.create(And, lhs=above, rhs=below, results=[above.type]).results[0]

    def compare_rows(
        self, local: TensorType, bounds: tuple[int, ...], direction: ComparisonDirection
    ) -> Value[TensorType]:
        """How the number of the row compares with a bound that depends on the device."""
        numbers = local.with_element(I32)
        row = self.builder.create(Iota, iota_dimension=self.dimension, results=[numbers])
        bound = self.builder.create(
            BroadcastInDim,
            operand=self.resharder.table(self.axes, bounds),
            broadcast_dimensions=(),
            results=[numbers],
        )
        return self.builder.create(
            Compare,
            lhs=row.results[0],
            rhs=bound.results[0],
            comparison_direction=direction,
            results=[local.with_element(BOOLEAN)],
        ).results[0]


def are_uniform(contributions: Sequence[RowContribution], count: int) -> bool:
    """Whether contributions belong to the same places on all devices, and do not overlap."""
    if not all(is_uniform(contribution, count) for contribution in contributions):
        return False
    pieces = sorted(
        (next(iter(contribution.pieces.values())) for contribution in contributions),
        key=lambda piece: piece.target,
    )
    return all(a.target + a.length <= b.target for a, b in pairwise(pieces))


def is_uniform(contribution: RowContribution, count: int) -> bool:
    """Whether rows belong to the same place on all devices that need some of them."""
    pieces = contribution.pieces
    places = {(piece.first, piece.target, piece.length) for piece in pieces.values()}
    return len(places) == 1 and (contribution.is_zero_elsewhere or len(pieces) == count)

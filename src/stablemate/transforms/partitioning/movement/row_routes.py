"""Rows that devices need of one another, and the messages that carry them.

A device sends one piece and receives one in each message (a permutation). Pieces of neighbors at
one distance are one message, as in the exchange of halos; where devices need rows of few others at
many distances, messages are the colors of an edge coloring.

Source: Xu et al., "GSPMD: General and Scalable Parallelization for ML Computation Graphs" (2021),
section 4.3, "Halo exchange".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowRange:
    """The rows of a dimension that each device needs.

    Attributes:
        starts: The first one, for each place along the axes; rows may lie outside of the tensor.
        length: How many.
    """

    starts: tuple[int, ...]
    length: int

    def before(self, offset: int, stride: int = 1) -> RowRange:
        """The rows ``offset + stride * row``, with those between them."""
        starts = tuple(offset + stride * start for start in self.starts)
        return RowRange(starts, stride * (self.length - 1) + 1)


def even_rows(size: int, count: int) -> RowRange:
    """The rows of shards of equal size."""
    length = size // count
    return RowRange(tuple(length * place for place in range(count)), length)


@dataclass(frozen=True, slots=True)
class RowShares:
    """The rows of a dimension that each device computes, one device after the other.

    Attributes:
        starts: The row at which each device begins, which may lie in front of its share.
        edges: The first row of each device's share, and at last the number of all rows.
    """

    starts: tuple[int, ...]
    edges: tuple[int, ...]

    @property
    def first(self) -> tuple[int, ...]:
        """Where the share of each device begins in the rows that it computes."""
        pairs = zip(self.edges, self.starts, strict=False)
        return tuple(edge - start for edge, start in pairs)

    @property
    def limit(self) -> tuple[int, ...]:
        """Where the share of each device ends in the rows that it computes."""
        pairs = zip(self.edges[1:], self.starts, strict=True)
        return tuple(edge - start for edge, start in pairs)

    @property
    def rows(self) -> RowRange:
        """The rows that each device computes, as many as the longest share has."""
        return RowRange(self.starts, max(self.limit))


def shares_from(starts: Sequence[int], size: int) -> RowShares:
    """The shares that begin at some rows, and end where the next ones begin."""
    edges = (*(min(max(start, 0), size) for start in starts), size)
    return RowShares(tuple(starts), edges)


def nearly_even_shares(size: int, count: int) -> RowShares:
    """Shares of equal size, of which the last ones are smaller, or empty."""
    length = -(-size // count)
    return shares_from([length * place for place in range(count)], size)


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows that a device needs of one device.

    Attributes:
        source: The place of the device that has them.
        first: The first row, in what that device holds.
        target: The first row, in what this device needs.
        length: How many rows.
    """

    source: int
    first: int
    target: int
    length: int


def pieces_of(
    rows: RowRange, block: int, count: int, *, is_periodic: bool = False
) -> list[list[Piece]]:
    """The pieces that each device needs of shards of equal size.

    Args:
        rows: The rows that each device needs.
        block: The rows that a device holds.
        count: The number of devices.
        is_periodic: Whether the row after the last is the first.
    """
    return [
        [*device_pieces(start, rows.length, block, count, is_periodic=is_periodic)]
        for start in rows.starts
    ]


def device_pieces(
    start: int, length: int, block: int, count: int, *, is_periodic: bool
) -> Iterator[Piece]:
    """The pieces that one device needs."""
    row = start if is_periodic else max(start, 0)
    limit = start + length if is_periodic else min(start + length, block * count)
    while row < limit:
        holder, first = divmod(row, block)
        taken = min(block - first, limit - row)
        yield Piece(holder % count, first, row - start, taken)
        row += taken


@dataclass(frozen=True, slots=True)
class RowMessage:
    """A message: each device sends a piece to at most one, and receives one from at most one.

    Attributes:
        pieces: By the place of the receiver.
        length: The number of rows that are sent.
    """

    pieces: dict[int, Piece]
    length: int


def own_pieces(needed: Sequence[Sequence[Piece]]) -> list[dict[int, Piece]]:
    """The pieces that devices have themselves; several of one device follow one another."""
    layers: list[dict[int, Piece]] = []
    for place, pieces in enumerate(needed):
        own = [piece for piece in pieces if piece.source == place]
        for layer, piece in enumerate(own):
            if layer == len(layers):
                layers.append({})
            layers[layer][place] = piece
    return layers


def messages_of(needed: Sequence[Sequence[Piece]]) -> list[RowMessage]:
    """The messages that bring each device the pieces that it needs of others."""
    sent = [
        (place, piece)
        for place, pieces in enumerate(needed)
        for piece in pieces
        if piece.source != place
    ]
    count = len(needed)
    by_distance: dict[tuple[int, int, int], dict[int, Piece]] = {}
    for place, piece in sent:
        key = (piece.source - place) % count, piece.first, piece.target
        by_distance.setdefault(key, {})[place] = piece
    colored = edge_coloring(sent)
    rounds = [*by_distance.values()] if len(by_distance) <= len(colored) else colored
    return [RowMessage(pieces, max(piece.length for piece in pieces.values())) for pieces in rounds]


def edge_coloring(sent: Sequence[tuple[int, Piece]]) -> list[dict[int, Piece]]:
    """Pieces in rounds in which no device sends two or receives two; long pieces first."""
    rounds: list[dict[int, Piece]] = []
    sources: list[set[int]] = []
    busy = Counter[int](piece.source for _, piece in sent)
    for place, piece in sorted(sent, key=lambda pair: (-pair[1].length, -busy[pair[1].source])):
        free = (
            i
            for i, pieces in enumerate(rounds)
            if place not in pieces and piece.source not in sources[i]
        )
        chosen = next(free, len(rounds))
        if chosen == len(rounds):
            rounds.append({})
            sources.append(set())
        rounds[chosen][place] = piece
        sources[chosen].add(piece.source)
    return rounds


def rows_sent(messages: Sequence[RowMessage]) -> int:
    """How many rows a device receives."""
    return sum(message.length for message in messages)

"""Exchanges: the data that members of a group send one another in a collective operation.

An operation specifies which pieces of its operands a member needs, and whether they are placed in a
result or combined. An algorithm turns that into messages. All algorithms give the same bits,
because pieces are combined element by element:

* ``direct``: each member sends every other member what it needs. One round.
* ``blocks``: operands that are combined as a whole are split into one block per member. Each member
  combines one block, in the order of the group, and sends it to all that need it. Two rounds with
  the traffic of a ring: each element leaves a member twice.

Source: R. Rabenseifner, Optimization of collective reduction operations, 2004, for ``blocks``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, Protocol, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array

Shape: TypeAlias = tuple[int, ...]
Index: TypeAlias = tuple[slice, ...]
Algorithm: TypeAlias = Literal["direct", "blocks"]
Round: TypeAlias = dict[tuple[int, int], int]  # (sender, receiver): bytes


class Combiner(Protocol):
    """Combines the pieces of all members into a result, or a block of it."""

    def __call__(self, pieces: Sequence[Array], out: Array | None = None, /) -> Array:
        """The result; written to ``out`` and returned, if that is given."""
        ...


def single_piece(pieces: Sequence[Array], out: Array | None = None) -> Array:
    """The combiner of operations that only move data: a result is the one piece received."""
    (piece,) = pieces
    if out is None:
        return piece
    out[...] = piece
    return out


WHOLE: Final[Index] = ()
BLOCKS_THRESHOLD: Final = 1 << 16  # bytes of an operand from which on two rounds pay


@dataclass(frozen=True, slots=True)
class OperandPiece:
    """Part of an operand that one member sends to another, or keeps.

    Attributes:
        operand: The number of the operand, and of the result that it is for.
        source: Its place in the operand.
        target: Its place in the result; None if it is combined with those of other members.
    """

    operand: int
    source: Index = WHOLE
    target: Index | None = None

    def of(self, operands: Sequence[Array]) -> Array:
        """The piece itself, a view."""
        view: Array = operands[self.operand][self.source] if self.source else operands[self.operand]
        return view

    def shape(self, shapes: Sequence[Shape]) -> Shape:
        """Its shape, given those of the operands."""
        shape = shapes[self.operand]
        cut = [len(range(*s.indices(n))) for s, n in zip(self.source, shape, strict=False)]
        return (*cut, *shape[len(cut) :])


@dataclass(frozen=True, slots=True)
class CollectiveExchange:
    """The data that members of a group send one another, for operands of certain shapes.

    Attributes:
        size: Number of members.
        shapes: The shapes of the operands, the same in all members.
        results: The shapes of the results.
        pieces: What a member needs of the operands of another, or of its own; takes the positions
            of sender and receiver.
        is_elementwise: Whether pieces are combined element by element.
    """

    size: int
    shapes: Sequence[Shape]
    results: Sequence[Shape]
    pieces: Callable[[int, int], Sequence[OperandPiece]]
    is_elementwise: bool = False

    def receivers(self, operand: int) -> list[int]:
        """The members that need an operand."""
        return [
            receiver
            for receiver in range(self.size)
            if any(piece.operand == operand for piece in self.pieces(0, receiver))
        ]

    @property
    def is_splittable(self) -> bool:
        """Whether operands are combined as a whole, and so can be combined block by block."""
        if not self.is_elementwise or self.size < 2:
            return False
        pieces = [piece for r in range(self.size) for piece in self.pieces(0, r)]
        return bool(pieces) and all(p.target is None and not p.source for p in pieces)


def all_operands_to_all(operands: int) -> Callable[[int, int], Sequence[OperandPiece]]:
    """Every member needs all operands of all."""
    pieces = [OperandPiece(k) for k in range(operands)]
    return lambda sender, receiver: pieces


def slice_along(dimension: int, number: int, size: int) -> Index:
    """The index of part ``number`` along a dimension that is divided into equal parts."""
    cut = slice(number * size, (number + 1) * size)
    return (*(slice(None),) * dimension, cut)


def algorithm_for(exchange: CollectiveExchange, item_sizes: Sequence[int]) -> Algorithm:
    """The algorithm that carries out an exchange of elements of these sizes in bytes.

    Large operands are combined in blocks, where that moves less or divides the work.
    """
    largest = max(map(size_in_bytes, exchange.shapes, item_sizes), default=0)
    return "blocks" if largest >= BLOCKS_THRESHOLD and exchange.is_splittable else "direct"


def size_in_bytes(shape: Shape, item_size: int) -> int:
    """How large an array is."""
    return math.prod(shape) * item_size


def block_range(count: int, size: int, member: int) -> slice:
    """A member's block of ``count`` elements: blocks are equal, but the last may be smaller."""
    step = -(-count // size)
    return slice(min(member * step, count), min((member + 1) * step, count))


def rounds(
    exchange: CollectiveExchange, item_sizes: Sequence[int], algorithm: Algorithm
) -> Iterator[Round]:
    """The messages of an algorithm: the bytes of each, round by round.

    Args:
        exchange: The data to send.
        item_sizes: The size in bytes of an element of each operand.
        algorithm: The algorithm.
    """
    members = range(exchange.size)
    pairs = [(sender, receiver) for sender in members for receiver in members if sender != receiver]
    if algorithm == "direct":
        yield message_sizes(pairs, lambda s, r: direct_bytes(exchange, item_sizes, s, r))
        return
    yield message_sizes(pairs, lambda s, r: block_bytes(exchange, item_sizes, r))
    yield message_sizes(pairs, lambda s, r: block_bytes(exchange, item_sizes, s, needed_by=r))


def message_sizes(pairs: Sequence[tuple[int, int]], size: Callable[[int, int], int]) -> Round:
    """The messages that are not empty."""
    sizes = {pair: size(*pair) for pair in pairs}
    return {pair: size for pair, size in sizes.items() if size}


def direct_bytes(
    exchange: CollectiveExchange, item_sizes: Sequence[int], sender: int, receiver: int
) -> int:
    """The bytes that one member sends to another."""
    return sum(
        size_in_bytes(piece.shape(exchange.shapes), item_sizes[piece.operand])
        for piece in exchange.pieces(sender, receiver)
    )


def block_bytes(
    exchange: CollectiveExchange,
    item_sizes: Sequence[int],
    member: int,
    needed_by: int | None = None,
) -> int:
    """The bytes of the blocks of a member: of all operands, or of those that a receiver needs."""
    total = 0
    for operand, (shape, item_size) in enumerate(zip(exchange.shapes, item_sizes, strict=True)):
        receivers = exchange.receivers(operand)
        if receivers and needed_by in (None, *receivers):
            slice_along = block_range(math.prod(shape), exchange.size, member)
            total += (slice_along.stop - slice_along.start) * item_size
    return total

"""Writes the results of collective operations to their buffers, straight from the operands.

Source: ``ir/exchange.py`` says which pieces go where; what is combined is combined a block at a
time, so that operands pass through the processor's cache once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.collectives.data_movement import PLAIN, Mover
from stablemate.ir.data_movement import DataMovement, PieceReduction
from stablemate.ir.exchange import CollectiveExchange, Combiner, Index
from stablemate.ir.request import GroupOperation, PlainFunction
from stablemate.numerics.elements import Array

BLOCK: Final = 1 << 16  # bytes


@dataclass(frozen=True, slots=True)
class PieceMove:
    """A piece of an operand of a member that is placed in a result."""

    sender: int
    operand: int
    source: Index
    target: Index


@dataclass(frozen=True, slots=True)
class MemberPlacement:
    """How the results of one member are computed.

    Attributes:
        moves: What is placed.
        sources: For each operand that is combined, where the pieces are, member by member.
        is_whole: Whether every result is made of these.
    """

    moves: Sequence[PieceMove]
    sources: Mapping[int, Sequence[Index]]
    is_whole: bool


def placement_of(exchange: CollectiveExchange, receiver: int) -> MemberPlacement:
    """How the results of a member are computed."""
    moves: list[PieceMove] = []
    sources: dict[int, list[Index]] = {}
    for sender in range(exchange.size):
        for piece in exchange.pieces(sender, receiver):
            if piece.target is not None:
                moves.append(PieceMove(sender, piece.operand, piece.source, piece.target))
            else:
                sources.setdefault(piece.operand, []).append(piece.source)
    covered = {move.operand for move in moves} | set(sources)
    return MemberPlacement(moves, sources, covered == set(range(len(exchange.results))))


class ResultPlacement:
    """How the results of all members of an operation's groups are computed."""

    def __init__(self, mover: Mover = PLAIN) -> None:
        self.mover = mover
        self.placements: dict[tuple[int, int], MemberPlacement] = {}
        self.combiners: dict[tuple[int, int], Combiner] = {}

    def write(
        self,
        operation: GroupOperation,
        operands: Sequence[Sequence[Array]],
        targets: Mapping[int, Sequence[Array]],
        regions: Sequence[PlainFunction],
        moves: DataMovement,
    ) -> None:
        """Writes the results of the members of a group, except those that are only moved.

        Args:
            operation: The operation.
            operands: The operands of each member, in the order of the group.
            targets: For each member by its position, memory for its results: none of the operands',
                unless the operation works in place (``Trait.IN_PLACE``).
            regions: The operation's regions as functions.
            moves: Takes what has been combined, and what is still to be copied, by the mover.

        Raises:
            EvaluationError: The values break a rule of the specification.
        """
        exchange: CollectiveExchange | None = None
        combined = False  # for all members at once
        moves.is_repeatable &= operation.routing_operand is None
        for receiver, places in targets.items():
            if combined:
                continue
            key = len(operands), receiver
            placement = self.placements.get(key)
            if placement is None:
                exchange = exchange or exchange_of(operation, operands)
                placement = placement_of(exchange, receiver)
                if operation.routing_operand is None:
                    self.placements[key] = placement
            if not placement.is_whole:
                write_evaluated(operation, operands, receiver, places, regions)
                moves.is_repeatable = False
                continue
            for move in placement.moves:
                value = operands[move.sender][move.operand]
                place = places[move.operand]
                target = place[move.target] if move.target else place
                moves.copies.append((target, value[move.source] if move.source else value))
            for k, sources in placement.sources.items():
                pairs = zip(operands, sources, strict=True)
                pieces = [source[k][index] if index else source[k] for source, index in pairs]
                others = targets.values() if operation.uniform_results else ()
                contributions = [places[k], *[other[k] for other in others if other is not places]]
                plain = operation.reduction_ufunc(k)
                moves.is_repeatable &= plain is not None
                if plain is not None:
                    moves.reductions.append(PieceReduction(plain, pieces, contributions))
                    if self.mover.reduce(plain, pieces, contributions):
                        continue
                combiner = self.combiners.get((k, receiver))
                if combiner is None:
                    combiner = operation.combiner(k, receiver, regions)
                    self.combiners[k, receiver] = combiner
                combine(combiner, pieces, contributions)
            combined = operation.uniform_results and bool(placement.sources)


def exchange_of(
    operation: GroupOperation, operands: Sequence[Sequence[Array]]
) -> CollectiveExchange:
    """The pieces that the members send to each other."""
    shapes = [np.shape(operand) for operand in operands[0]]
    routing = operation.routing_operand
    source = [] if routing is None else [operand[routing] for operand in operands]
    return operation.exchange(shapes, len(operands), source)


def write_evaluated(
    operation: GroupOperation,
    operands: Sequence[Sequence[Array]],
    position: int,
    places: Sequence[Array],
    regions: Sequence[PlainFunction],
) -> None:
    """Writes the operation's own results, for a member that receives nothing."""
    results: Any = operation.evaluate_group(operands, position, regions)
    for place, value in zip(places, results if len(places) != 1 else (results,), strict=True):
        place[...] = value


def combine(combiner: Combiner, pieces: Sequence[Array], targets: Sequence[Array]) -> None:
    """Reduces pieces of one shape into the first target, and copies the result to the others."""
    count = len(targets)
    for arrays in blocks([*targets, *pieces]):
        out = arrays[0]
        combined = combiner(arrays[count:], out)
        if combined is not out:
            out[...] = combined
        for array in arrays[1:count]:
            array[...] = out


def blocks(arrays: Sequence[Array]) -> Iterator[Sequence[Array]]:
    """Contiguous arrays of one shape, block by block."""
    first = arrays[0]
    if first.nbytes <= BLOCK or not all(array.flags.c_contiguous for array in arrays):
        yield arrays
        return
    flat = [array.reshape(-1) for array in arrays]
    step = BLOCK // first.itemsize
    for start in range(0, first.size, step):
        yield [array[start : start + step] for array in flat]

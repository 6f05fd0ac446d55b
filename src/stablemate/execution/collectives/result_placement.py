"""Landing: results of collective operations are written where they belong, straight from operands.

Source: ``ir/exchange.py`` says which pieces go where; what is combined is combined a block at a
time, so that operands pass through the processor's cache once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stablemate.execution.collectives.data_movement import PLAIN, Mover
from stablemate.ir.exchange import Combiner, Exchange, Index
from stablemate.ir.moves import Combined, Moves
from stablemate.ir.request import GroupOperation, PlainFunction
from stablemate.numerics.elements import Array

BLOCK: Final = 1 << 16  # bytes


@dataclass(frozen=True, slots=True)
class Move:
    """A piece of an operand of a member that is placed in a result."""

    sender: int
    operand: int
    source: Index
    target: Index


@dataclass(frozen=True, slots=True)
class Landing:
    """How the results of one member come about.

    Attributes:
        moves: What is placed.
        sources: For each operand that is combined, where the pieces are, member by member.
        is_whole: Whether every result is made of these.
    """

    moves: Sequence[Move]
    sources: Mapping[int, Sequence[Index]]
    is_whole: bool


def landing_of(exchange: Exchange, receiver: int) -> Landing:
    """How the results of a member come about."""
    moves: list[Move] = []
    sources: dict[int, list[Index]] = {}
    for sender in range(exchange.size):
        for piece in exchange.pieces(sender, receiver):
            if piece.target is not None:
                moves.append(Move(sender, piece.operand, piece.source, piece.target))
            else:
                sources.setdefault(piece.operand, []).append(piece.source)
    made = {each.operand for each in moves} | set(sources)
    return Landing(moves, sources, made == set(range(len(exchange.results))))


class Landings:
    """How the results of all members of the groups of an operation come about, as far as known."""

    def __init__(self, mover: Mover = PLAIN) -> None:
        self.mover = mover
        self.known: dict[tuple[int, int], Landing] = {}
        self.combiners: dict[tuple[int, int], Combiner] = {}

    def write(
        self,
        operation: GroupOperation,
        operands: Sequence[Sequence[Array]],
        targets: Mapping[int, Sequence[Array]],
        regions: Sequence[PlainFunction],
        moves: Moves,
    ) -> None:
        """Writes the results of members of a group, but for what is only moved.

        Args:
            operation: The operation.
            operands: The operands of each member, in the order of the group.
            targets: For each member by its position, memory for its results, which is none of the
                operands'.
            regions: The operation's regions as functions.
            moves: Takes what has been combined, and what is still to be copied, by the mover.

        Raises:
            EvaluationError: The values break a rule of the specification.
        """
        exchange: Exchange | None = None
        combined = False  # for all members at once
        moves.is_all &= operation.deciding is None
        for receiver, places in targets.items():
            if combined:
                continue
            key = len(operands), receiver
            landing = self.known.get(key)
            if landing is None:
                exchange = exchange or exchange_of(operation, operands)
                landing = landing_of(exchange, receiver)
                if operation.deciding is None:
                    self.known[key] = landing
            if not landing.is_whole:
                write_evaluated(operation, operands, receiver, places, regions)
                moves.is_all = False
                continue
            for move in landing.moves:
                value = operands[move.sender][move.operand]
                place = places[move.operand]
                target = place[move.target] if move.target else place
                moves.copies.append((target, value[move.source] if move.source else value))
            for k, sources in landing.sources.items():
                pairs = zip(operands, sources, strict=True)
                pieces = [held[k][index] if index else held[k] for held, index in pairs]
                others = targets.values() if operation.same_for_all else ()
                made = [places[k], *[each[k] for each in others if each is not places]]
                plain = operation.plain_fold(k)
                moves.is_all &= plain is not None
                if plain is not None:
                    moves.folds.append(Combined(plain, pieces, made))
                    if self.mover.fold(plain, pieces, made):
                        continue
                combiner = self.combiners.get((k, receiver))
                if combiner is None:
                    combiner = operation.combiner(k, receiver, regions)
                    self.combiners[k, receiver] = combiner
                combine(combiner, pieces, made)
            combined = operation.same_for_all and bool(landing.sources)


def exchange_of(operation: GroupOperation, operands: Sequence[Sequence[Array]]) -> Exchange:
    """What the members hand to one another."""
    shapes = [np.shape(each) for each in operands[0]]
    deciding = operation.deciding
    held = [] if deciding is None else [each[deciding] for each in operands]
    return operation.exchange(shapes, len(operands), held)


def write_evaluated(
    operation: GroupOperation,
    operands: Sequence[Sequence[Array]],
    position: int,
    places: Sequence[Array],
    regions: Sequence[PlainFunction],
) -> None:
    """Writes what the operation gives by itself, where a member is handed nothing."""
    results: Any = operation.evaluate_group(operands, position, regions)
    for place, value in zip(places, results if len(places) != 1 else (results,), strict=True):
        place[...] = value


def combine(combiner: Combiner, pieces: Sequence[Array], targets: Sequence[Array]) -> None:
    """Combines pieces of one shape into the first target, and copies that to the others."""
    count = len(targets)
    for arrays in blocks([*targets, *pieces]):
        out = arrays[0]
        made = combiner(arrays[count:], out)
        if made is not out:
            out[...] = made
        for each in arrays[1:count]:
            each[...] = out


def blocks(arrays: Sequence[Array]) -> Iterator[Sequence[Array]]:
    """Arrays of one shape, block by block, if they lie in one piece."""
    first = arrays[0]
    if first.nbytes <= BLOCK or not all(each.flags.c_contiguous for each in arrays):
        yield arrays
        return
    flat = [each.reshape(-1) for each in arrays]
    step = BLOCK // first.itemsize
    for start in range(0, first.size, step):
        yield [each[start : start + step] for each in flat]

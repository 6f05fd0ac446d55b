"""Whether anything will still happen in the ranks of a job: rank 0 asks all of them, in waves.

Two waves find every rank quiet, with the same counters. Then no rank has done anything in between.
As many messages about values were received as sent: none is on its way. And no rank waits for one
that has begun the same round of the same site as often: what is exchanged there will not come.

Source: F. Mattern, Algorithms for distributed termination detection, 1987.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from stablemate.execution.collectives.messages import Account, End, Quiet, State
from stablemate.execution.process import text_of
from stablemate.ir.grid import Grid

PAUSE: Final = 0.05  # seconds between waves that do not settle it
SHAPES: Final = "the operands have the same shapes in all processes of a group"


class Watch:
    """What rank 0 knows of all ranks: who is quiet, and what the last two waves said."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.quiet: set[int] = set()
        self.wave = 0
        self.is_open = False  # whether a wave is on its way
        self.states: dict[int, State] = {}
        self.before: list[State] | None = None
        self.earliest = 0.0  # when the next wave may start

    def take(self, message: Quiet | State) -> None:
        """A rank says that it is quiet, or answers a wave."""
        if isinstance(message, Quiet):
            self.quiet.add(message.rank)
        elif message.wave == self.wave:
            self.states[message.rank] = message

    def due(self) -> int | None:
        """The number of the wave that is to start, if one is."""
        all_quiet = len(self.quiet) == self.size
        if self.is_open or not all_quiet or time.monotonic() < self.earliest:
            return None
        self.is_open = True
        self.wave += 1
        self.states.clear()
        return self.wave

    def settled(self) -> list[State] | None:
        """The states of all ranks, if they will not change any more."""
        if not self.is_open or len(self.states) < self.size:
            return None
        self.is_open = False
        states = [self.states[rank] for rank in range(self.size)]
        self.quiet -= {each.rank for each in states if not each.quiet}
        timeless = [replace(each, wave=0) for each in states]
        same, is_first = timeless == self.before, self.before is None
        self.before = timeless
        self.earliest = time.monotonic() + (0 if is_first else PAUSE)
        balanced = sum(each.sent for each in states) == sum(each.received for each in states)
        if not (same and balanced and len(self.quiet) == self.size):
            return None
        return None if any(coming(states)) else states


def begun(states: Sequence[State]) -> dict[tuple[int, int], Account]:
    """How each rank stands at each site."""
    return {(state.rank, each.tag): each for state in states for each in state.accounts}


def coming(states: Sequence[State]) -> Iterator[tuple[int, int]]:
    """The pairs of ranks, of which one waits for what the other has already given."""
    known = begun(states)
    for (rank, _), account in known.items():
        turn = account.round
        for tag, other in account.awaited:
            own, partner = known[rank, tag], known.get((other, tag))
            if partner is not None and partner.begun[turn] >= own.begun[turn]:
                yield rank, other


def verdict(states: Sequence[State], grid: Grid) -> End:
    """How the run ends: with what there is to be said of all processes, or as it should."""
    gifts = list(lost(states, grid))
    if not gifts and not any(each.lines for each in states):
        return End(())
    lines: list[str] = []
    for process, each in zip(grid.processes, states, strict=True):
        lines += each.lines or (f"{text_of(process)} has ended",)
    shapes = list(different_shapes(states, grid))
    return End((*lines, *gifts, *shapes), SHAPES if shapes else "")


def lost(states: Sequence[State], grid: Grid) -> Iterator[str]:
    """What was given to processes that did not come for it."""
    known = begun(states)
    for (rank, tag), account in known.items():
        takers = [known.get((each, tag)) for each in account.receivers]
        for receiver, taker in zip(account.receivers, takers, strict=True):
            if not account.awaited and (taker.begun[0] if taker else 0) < account.begun[0]:
                giver, whom = grid.process(rank), text_of(grid.process(receiver))
                yield f"{text_of(giver)} gave its operands at {account.place}, not taken by {whom}"


def different_shapes(states: Sequence[State], grid: Grid) -> Iterator[str]:
    """The shapes of operands with which processes wait at the same operation."""
    waiting = [(s.rank, each) for s in states for each in s.accounts if each.awaited]
    for rank, account in waiting:
        if any(each.key == account.key and each.shapes != account.shapes for _, each in waiting):
            yield f"{text_of(grid.process(rank))} has operands of {account.shapes}"

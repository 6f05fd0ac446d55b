"""Quiescence detection: rank 0 queries the states of all ranks until nothing can happen any more.

Two queries find every rank idle, with the same counters: in between, no rank has done anything.
As many messages about values were received as sent: none is on its way. And no rank waits for one
that has begun the same round of the same site as often: what is exchanged there will not come.

Source: F. Mattern, Algorithms for distributed termination detection, 1987.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from stablemate.execution.collectives.messages import CollectiveProgress, End, Idle, State
from stablemate.execution.placement import RankPlacement
from stablemate.execution.process import text_of
from stablemate.ir.grid import Grid

# A query takes messages to all ranks; a deadlock is reported so much later.
PAUSE: Final = 0.05  # seconds between queries that do not settle it
SHAPES: Final = "the operands have the same shapes in all processes of a group"


class QuiescenceDetector:
    """The state of all ranks on rank 0: which are idle, and the answers to the last two queries."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.quiet: set[int] = set()
        self.query = 0
        self.is_open = False  # whether a query is on its way
        self.states: dict[int, State] = {}
        self.before: list[State] | None = None
        self.earliest = 0.0  # when the next query may start

    def take(self, message: Idle | State) -> None:
        """A rank reports that it is idle, or answers a query.

        A rank that answers that it is not idle reports once more when it is; that report may come
        before the other ranks have answered the query.
        """
        if isinstance(message, Idle):
            self.quiet.add(message.rank)
        elif message.query == self.query:
            self.states[message.rank] = message
            if not message.quiet:
                self.quiet.discard(message.rank)

    def due(self) -> int | None:
        """The number of the query that is to be sent, if one is."""
        all_quiet = len(self.quiet) == self.size
        if self.is_open or not all_quiet or time.monotonic() < self.earliest:
            return None
        self.is_open = True
        self.query += 1
        self.states.clear()
        return self.query

    def settled_states(self) -> list[State] | None:
        """The states of all ranks, if they will not change any more."""
        if not self.is_open or len(self.states) < self.size:
            return None
        self.is_open = False
        states = [self.states[rank] for rank in range(self.size)]
        timeless = [replace(state, query=0) for state in states]
        same, is_first = timeless == self.before, self.before is None
        self.before = timeless
        self.earliest = time.monotonic() + (0 if is_first else PAUSE)
        balanced = sum(state.sent for state in states) == sum(state.received for state in states)
        if not (same and balanced and all(state.quiet for state in states)):
            return None
        return None if any(pending_deliveries(states)) else states


def progress_by_rank(states: Sequence[State]) -> dict[tuple[int, int], CollectiveProgress]:
    """How far each rank is at each collective."""
    return {(state.rank, account.tag): account for state in states for account in state.accounts}


def pending_deliveries(states: Sequence[State]) -> Iterator[tuple[int, int]]:
    """The pairs of ranks of which one waits for what the other has already sent."""
    accounts = progress_by_rank(states)
    for (rank, _), account in accounts.items():
        round_number = account.round
        for tag, partner_rank in account.awaited:
            own_account, partner = accounts[rank, tag], accounts.get((partner_rank, tag))
            if (
                partner is not None
                and partner.begun[round_number] >= own_account.begun[round_number]
            ):
                yield rank, partner_rank


def verdict(states: Sequence[State], placement: RankPlacement) -> End:
    """How the run ends: normally, or with a report on all processes."""
    grid = placement.grid
    contributions = list(lost_messages(states, grid))
    if not contributions and not any(state.lines for state in states):
        return End(())
    lines: list[str] = []
    for state in states:
        own = placement.processes(state.rank)
        lines += state.lines or [f"{text_of(process)} has ended" for process in own]
    shapes = list(different_shapes(states, grid))
    return End((*lines, *contributions, *shapes), SHAPES if shapes else "")


def lost_messages(states: Sequence[State], grid: Grid) -> Iterator[str]:
    """The messages that no process has received."""
    accounts = progress_by_rank(states)
    for (rank, tag), account in accounts.items():
        takers = [accounts.get((receiver, tag)) for receiver in account.receivers]
        for receiver, taker in zip(account.receivers, takers, strict=True):
            if not account.awaited and (taker.begun[0] if taker else 0) < account.begun[0]:
                giver, whom = grid.process(rank), text_of(grid.process(receiver))
                yield f"{text_of(giver)} gave its operands at {account.place}, not taken by {whom}"


def different_shapes(states: Sequence[State], grid: Grid) -> Iterator[str]:
    """The shapes of operands with which processes wait at the same operation."""
    waiting = [(s.rank, account) for s in states for account in s.accounts if account.awaited]
    for rank, account in waiting:
        if any(
            partner_rank.key == account.key and partner_rank.shapes != account.shapes
            for _, partner_rank in waiting
        ):
            yield f"{text_of(grid.process(rank))} has operands of {account.shapes}"

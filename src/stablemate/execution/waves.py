"""Whether anything will still happen in the ranks of a job: rank 0 asks all of them, in waves.

When two waves find every rank quiet, with the same counters, and as many values received as sent,
nothing is on its way and nobody can go on.

Source: F. Mattern, Algorithms for distributed termination detection, 1987.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from stablemate.execution.messages import Quiet, State
from stablemate.execution.process import text_of
from stablemate.ir.grid import Grid

PAUSE: Final = 0.05  # seconds between waves that do not settle it


class Watch:
    """What rank 0 knows of all ranks: who is quiet, and what the last two waves said."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.quiet: set[int] = set()
        self.wave = 0
        self.is_open = False  # whether a wave is on its way
        self.states: dict[int, State] = {}
        self.before: list[tuple[int, int]] | None = None
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
        counts = [(each.sent, each.received) for each in states]
        same, is_first = counts == self.before, self.before is None
        self.before = counts
        self.earliest = time.monotonic() + (0 if is_first else PAUSE)
        balanced = sum(sent for sent, _ in counts) == sum(received for _, received in counts)
        return states if same and balanced and len(self.quiet) == self.size else None


def lines_of(states: Sequence[State], grid: Grid) -> tuple[str, ...]:
    """What there is to be said of all processes; nothing if all have ended as they should."""
    if not any(each.lines for each in states):
        return ()
    lines: list[str] = []
    for process, each in zip(grid.processes, states, strict=True):
        lines += each.lines or (f"{text_of(process)} has ended",)
    return tuple(lines)

"""Assigns each local buffer an offset in the arena."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import inf
from typing import Final, TypeAlias

import numpy as np

from stablemate.compiler.plan.plan import (
    Branch,
    Copy,
    Exchange,
    Jump,
    Launch,
    Plan,
    Request,
    Slot,
    Step,
)

Placement: TypeAlias = tuple[int, int, int, int]  # offset, end, first step, last step

ALIGNMENT: Final = 64
STEPS: Final = 64  # steps for which live buffers are kept in one list
MOST_LISTS: Final = 16  # in which a buffer is kept
FEW: Final = 256  # buffers that are compared one by one


def slots_used(step: Step) -> Iterator[Slot]:
    """The slots that a step reads or writes."""
    match step:
        case Launch(_, slots):
            yield from slots
        case Copy(one, other) | Exchange(one, other):
            yield one
            yield other
        case Branch(slot):
            yield slot
        case Request(_, operands, results, _, scratch):
            yield from operands
            yield from results
            yield from scratch
        case _:
            return


def lifetimes(plan: Plan) -> dict[Slot, tuple[int, int]]:
    """The first and last step that uses each local slot; slots read in a loop live until its end.

    Slots that exchange their memory live as long as both together.
    """
    lifetime: dict[Slot, tuple[int, int]] = {}
    for number, step in enumerate(plan.steps):
        for slot in slots_used(step):
            if slot.origin == "local":
                first, _ = lifetime.get(slot, (number, number))
                lifetime[slot] = first, number
    loops = [
        (step.target, number)
        for number, step in enumerate(plan.steps)
        if isinstance(step, Jump) and step.loops
    ]
    pairs = [(step.first, step.second) for step in plan.steps if isinstance(step, Exchange)]
    changed = True
    while changed:
        changed = False
        for one, other in pairs:
            both = tuple(zip(lifetime[one], lifetime[other], strict=True))
            union = min(both[0]), max(both[1])
            changed |= lifetime[one] != union or lifetime[other] != union
            lifetime[one] = lifetime[other] = union
        for slot, (first, last) in lifetime.items():
            for start, end in loops:
                if first < start <= last < end:
                    lifetime[slot] = first, end
                    changed = True
                    break
    return lifetime


class Placements:
    """The buffers that have been placed, found by the steps during which they are live."""

    def __init__(self) -> None:
        self.by_steps: defaultdict[int, list[Placement]] = defaultdict(list)
        self.lasting: list[Placement] = []  # those that are live for too many steps to list them
        self.end = 0
        self.table = np.zeros((4, 0), np.int64)  # the buffers as columns, by their offset
        self.latest: list[Placement] = []  # those that are not in the table
        self.last_placed: Placement = (0, 0, 0, 0)
        self.gap_end: float = 0  # of the gap in which the last buffer is

    def place(self, size: int, first: int, last: int) -> int:
        """Places a buffer in the first gap that is large enough.

        One like the last one is beside it: there is no lower gap, and nothing was placed since.
        """
        start, end, *steps = self.last_placed
        if (end - start, steps) == (size, [first, last]) and end + size <= self.gap_end:
            offset = end
        else:
            offset, self.gap_end = self.first_gap(size, first, last)
        self.last_placed = (offset, offset + size, first, last)
        self.add(self.last_placed)
        return offset

    def add(self, placement: Placement) -> None:
        """Adds a buffer."""
        _, end, first, last = placement
        self.end = max(self.end, end)
        self.latest.append(placement)
        if is_lasting(first, last):
            self.lasting.append(placement)
            return
        for steps in range(first // STEPS, last // STEPS + 1):
            self.by_steps[steps].append(placement)

    def first_gap(self, size: int, first: int, last: int) -> tuple[int, float]:
        """The first gap of so many bytes among the buffers that are live during these steps.

        Returns:
            Where it begins and ends.
        """
        if is_lasting(first, last):
            return self.first_gap_in_table(size, first, last)
        lists = [self.by_steps.get(steps, ()) for steps in range(first // STEPS, last // STEPS + 1)]
        lists.append(self.lasting)
        if sum(map(len, lists)) > FEW:
            return self.first_gap_in_table(size, first, last)
        live = {
            placement
            for placements in lists
            for placement in placements
            if placement[2] <= last and first <= placement[3]
        }
        offset = 0
        for start, end, _, _ in sorted(live):
            if offset + size <= start:
                return offset, start
            offset = max(offset, end)
        return offset, inf

    def first_gap_in_table(self, size: int, first: int, last: int) -> tuple[int, float]:
        """The same where many buffers are live."""
        if self.latest:
            columns = np.array(sorted(self.latest), np.int64).T
            rows = np.searchsorted(self.table[0], columns[0])  # pyright: ignore[reportUnknownVariableType]
            places = np.asarray(rows, np.int64)
            self.table = np.insert(self.table, places, columns, axis=1)
            self.latest.clear()
        is_live = (self.table[2] <= last) & (first <= self.table[3])
        starts, ends = self.table[:2, is_live]
        offsets = np.maximum.accumulate(np.concatenate(([0], ends)))
        gaps = np.flatnonzero(offsets[:-1] + size <= starts)
        if not gaps.size:
            return int(offsets[-1]), inf
        return int(offsets[gaps[0]]), int(starts[gaps[0]])


def is_lasting(first: int, last: int) -> bool:
    """Whether a buffer is live for many steps."""
    return last // STEPS - first // STEPS > MOST_LISTS


def assign_buffers(plan: Plan) -> None:
    """Assigns each local slot an offset; slots that are live at the same time do not overlap.

    Of symbolic sizes, a version assigns them for each combination when it is called.
    """
    if plan.has_symbolic_sizes:
        return
    lifetime = lifetimes(plan)
    placements = Placements()
    for slot in sorted(lifetime, key=lambda slot: -slot.bytes):
        first, last = lifetime[slot]
        size = -(-max(slot.bytes, 1) // ALIGNMENT) * ALIGNMENT
        slot.offset = placements.place(size, first, last)
    plan.arena = placements.end

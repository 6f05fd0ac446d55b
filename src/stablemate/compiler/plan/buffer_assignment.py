"""Assigns each local buffer an offset in the arena."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import inf
from typing import Final, TypeAlias

from stablemate.compiler.plan.hosted_buffers import host_in_results, live_bytes
from stablemate.compiler.plan.in_place_chains import in_place_chains
from stablemate.compiler.plan.plan import (
    JumpStep,
    Plan,
    PlanBuffer,
    Request,
    SwapSlots,
    slots_used,
)

Placement: TypeAlias = tuple[int, int, int, int]  # offset, end, first step, last step

ALIGNMENT: Final = 64  # of buffers of so many bytes; smaller ones have that of their size
# Lists by steps find the buffers that are alive at the same time without comparing all pairs:
# ``python -m benchmarks.compile_scaling`` measures plans of up to 100,000 operations
# (benchmarks/results/compile_scaling.md).
STEPS: Final = 64  # steps for which live buffers are kept in one list
MOST_LISTS: Final = 16  # in which a buffer is kept
FEW: Final = 256  # buffers that are compared one by one
LONGEST_RUN: Final = 128  # buffers that are summarized together
# Orders in which buffers are placed, by their bytes, first and last step, and the most bytes that
# are live during these: the first one is as good as any for most plans, and the others are tried
# where it leaves gaps.
Order: TypeAlias = tuple[int, ...]
ORDERS: Final[Sequence[Callable[[int, int, int, int], Order]]] = (
    lambda size, first, last, peak: (-size,),
    lambda size, first, last, peak: (-size * (last - first + 1),),
    lambda size, first, last, peak: (first - last, -size),
    lambda size, first, last, peak: (-peak, first - last, -size),
    lambda size, first, last, peak: (-peak, -size),
    lambda size, first, last, peak: (-peak, first),
    lambda size, first, last, peak: (-peak, -last),
    lambda size, first, last, peak: (first, -size),
    lambda size, first, last, peak: (-last, -size),
)
MOST_REORDERED: Final = 1024  # buffers for which several orders are tried


def lifetimes(plan: Plan) -> dict[PlanBuffer, tuple[int, int]]:
    """The first and last step that uses each local slot; slots read in a loop live until its end.

    Slots that exchange their memory live as long as both together.
    """
    lifetime: dict[PlanBuffer, tuple[int, int]] = {}
    for number, step in enumerate(plan.steps):
        for slot in slots_used(step):
            if slot.origin == "local":
                first, _ = lifetime.get(slot, (number, number))
                lifetime[slot] = first, number
    loops = [
        (step.target, number)
        for number, step in enumerate(plan.steps)
        if isinstance(step, JumpStep) and step.loops
    ]
    pairs = [(step.first, step.second) for step in plan.steps if isinstance(step, SwapSlots)]
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


class BufferRun:
    """Some buffers with neighboring offsets, and what they have in common.

    Attributes:
        placements: The buffers by their offset.
        end: The highest end.
        largest_gap: The bytes of the largest gap between buffers, or more, if all of them are live.
        earliest: The first step during which one of them is live.
        latest: The last step during which one of them is live.
        common: The first and last step during which all of them are live.
    """

    def __init__(self, placements: list[Placement]) -> None:
        _, self.end, first, last = placements[0]
        self.placements = placements[:1]
        self.largest_gap = 0
        self.earliest, self.latest, self.common = first, last, (first, last)
        for placement in placements[1:]:
            self.add(placement)

    def add(self, placement: Placement) -> None:
        """Adds a buffer, and updates the run's end and largest gap."""
        start, end, first, last = placement
        self.largest_gap = max(self.largest_gap, start - self.end, self.placements[0][0] - end)
        self.end = max(self.end, end)
        self.earliest = min(self.earliest, first)
        self.latest = max(self.latest, last)
        self.common = max(self.common[0], first), min(self.common[1], last)
        insort(self.placements, placement)

    def halves(self) -> tuple[BufferRun, BufferRun]:
        """The lower and the upper half of the buffers."""
        middle = len(self.placements) // 2
        return BufferRun(self.placements[:middle]), BufferRun(self.placements[middle:])

    def first_gap(self, offset: int, size: int, first: int, last: int) -> tuple[int, float]:
        """The first gap of so many bytes from an offset on, as ``first_gap_among`` returns it."""
        if self.earliest > last or self.latest < first:
            return offset, inf
        if self.is_live(first, last) and self.placements[0][0] - offset < size > self.largest_gap:
            return max(offset, self.end), inf
        live = (item for item in self.placements if item[2] <= last and first <= item[3])
        return first_gap_among(live, offset, size)

    def is_live(self, first: int, last: int) -> bool:
        """Whether all buffers are live during some of these steps."""
        return self.common[0] <= last and first <= self.common[1]


class Runs:
    """Buffers by their offset, in runs: most runs are passed over by their summaries."""

    def __init__(self) -> None:
        self.runs: list[BufferRun] = []
        self.starts: list[int] = []  # of the first buffer of each run

    def add(self, placement: Placement) -> None:
        """Adds a buffer to the run that reaches it, or begins a new one."""
        if not self.runs:
            self.runs.append(BufferRun([placement]))
            self.starts.append(placement[0])
            return
        number = max(bisect_right(self.starts, placement[0]) - 1, 0)
        run = self.runs[number]
        run.add(placement)
        parts = run.halves() if len(run.placements) > LONGEST_RUN else (run,)
        self.runs[number : number + 1] = parts
        self.starts[number : number + 1] = [part.placements[0][0] for part in parts]

    def first_gap(self, size: int, first: int, last: int) -> tuple[int, float]:
        """The first gap of so many bytes among the buffers that are live during these steps."""
        offset = 0
        for run in self.runs:
            offset, end = run.first_gap(offset, size, first, last)
            if end < inf:
                return offset, end
        return offset, inf


def first_gap_among(live: Iterable[Placement], offset: int, size: int) -> tuple[int, float]:
    """The first gap of so many bytes from an offset on, among buffers in the order of offsets.

    Returns:
        Where it begins and ends: at infinity if it lies behind all buffers.
    """
    for start, end, _, _ in live:
        if offset + size <= start:
            return offset, start
        offset = max(offset, end)
    return offset, inf


class Placements:
    """The buffers that have been placed, found by the steps during which they are live."""

    def __init__(self) -> None:
        self.by_steps: defaultdict[int, list[Placement]] = defaultdict(list)
        self.lasting: list[Placement] = []  # those that are live for too many steps to list them
        self.runs = Runs()
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
        """Adds a buffer to the index of every step in which it is alive."""
        _, _, first, last = placement
        self.runs.add(placement)
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
            return self.runs.first_gap(size, first, last)
        lists = [self.by_steps.get(steps, ()) for steps in range(first // STEPS, last // STEPS + 1)]
        lists.append(self.lasting)
        if sum(map(len, lists)) > FEW:
            return self.runs.first_gap(size, first, last)
        live = {
            placement
            for placements in lists
            for placement in placements
            if placement[2] <= last and first <= placement[3]
        }
        return first_gap_among(sorted(live), 0, size)


def is_lasting(first: int, last: int) -> bool:
    """Whether a buffer is live for many steps."""
    return last // STEPS - first // STEPS > MOST_LISTS


def assign_buffers(
    plan: Plan, donated: Collection[int] = (), *, shares_machine: bool = False
) -> None:
    """Assigns each local slot an offset; slots that are live at the same time do not overlap.

    Where devices share the memory of the machine, results host local slots, and slots are computed
    in the place of others.

    Of symbolic sizes, a version assigns them for each combination when it is called.

    Args:
        plan: The plan.
        donated: The positions of the arguments that the caller donates.
        shares_machine: Whether the program is that of one of several devices; those that make
            requests are.
    """
    if plan.has_symbolic_sizes:
        return
    lifetime = lifetimes(plan)
    if shares_machine or any(isinstance(e, Request) and e.calls is None for e in plan.steps):
        chains = {chain[0]: chain for chain in in_place_chains(plan.steps, lifetime)}
        lifetime = {
            first: (lifetime[first][0], lifetime[chain[-1]][1]) for first, chain in chains.items()
        }
        host_in_results(plan, lifetime, donated, chains)
    else:
        chains = {}
    lifetime = {slot: steps for slot, steps in lifetime.items() if slot.host is None}
    plan.arena = place_slots(lifetime, len(plan.steps))
    for first, chain in chains.items():
        for slot in chain:
            slot.host, slot.offset = first.host, first.offset


def place_slots(lifetime: Mapping[PlanBuffer, tuple[int, int]], steps: int) -> int:
    """Assigns slots offsets; returns the bytes of the arena.

    Args:
        lifetime: The first and last step that uses each slot.
        steps: The number of steps.
    """
    live = live_bytes(lifetime, steps)
    is_small = len(lifetime) <= MOST_REORDERED  # of more, peaks would cost quadratic time
    peaks = {s: max(live[a : b + 1]) if is_small else 0 for s, (a, b) in lifetime.items()}
    offsets: Mapping[PlanBuffer, int] = {}
    least = -1
    for order in ORDERS if is_small else ORDERS[:1]:
        placed = place_in_order(lifetime, peaks, order)
        # no buffer lies behind the last one: its end needs no alignment
        arena = max((offset + slot.bytes for slot, offset in placed.items()), default=0)
        if least < 0 or arena < least:
            offsets, least = placed, arena
        if least < max(live, default=0) + ALIGNMENT:
            break
    for slot, offset in offsets.items():
        slot.offset = offset
    return least


def place_in_order(
    lifetime: Mapping[PlanBuffer, tuple[int, int]],
    peaks: Mapping[PlanBuffer, int],
    order: Callable[[int, int, int, int], Order],
) -> Mapping[PlanBuffer, int]:
    """The offsets of slots that are placed one after the other.

    Those that are smaller than the alignment come last, the largest first: what follows a slot
    needs at most its alignment.
    """

    def key(slot: PlanBuffer) -> tuple[int, Order]:
        return max(ALIGNMENT - slot.bytes, 0), order(slot.bytes, *lifetime[slot], peaks[slot])

    placements = Placements()
    offsets: dict[PlanBuffer, int] = {}
    for slot in sorted(lifetime, key=key):
        alignment = min(ALIGNMENT, 1 << max(slot.bytes - 1, 0).bit_length())
        size = -(-max(slot.bytes, 1) // alignment) * alignment
        offsets[slot] = placements.place(size, *lifetime[slot])
    return offsets

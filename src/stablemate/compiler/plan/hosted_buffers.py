"""Places local buffers in the memory of results that are written later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

from stablemate.compiler.plan.argument_reuse import reads_in_place, reusable_arguments
from stablemate.compiler.plan.in_place_chains import Lifetimes
from stablemate.compiler.plan.plan import (
    JumpStep,
    Plan,
    PlanBuffer,
    Request,
    Step,
    exchanged_slots,
    slots_used,
)


def host_in_results(
    plan: Plan,
    lifetime: Lifetimes,
    donated: Collection[int] = (),
    chains: Mapping[PlanBuffer, Sequence[PlanBuffer]] | None = None,
) -> None:
    """Gives local slots a host: a result of at least their size that is not written yet.

    The slot dies before the first step that uses the result, or in this step, if it reads each
    element of the slot only to compute the element of the result in its place. Results that may
    take over the memory of a donated argument host nothing. Slots come first that are live when
    most bytes are.

    Args:
        plan: The plan.
        lifetime: The first and last step that uses each local slot; of chains, by the first slot.
        donated: The positions of the arguments that the caller donates.
        chains: The slots that have the same memory, by the first of them.
    """
    ends = {first: slots[-1] for first, slots in (chains or {}).items()}
    pairs = reusable_arguments(plan) if donated else ()
    taken = {result for argument, result in pairs if argument in donated}
    first_uses = {
        slot: first
        for slot, first in first_steps(plan.steps).items()
        if slot.position not in taken and slot.bytes
    }
    hosted: defaultdict[PlanBuffer, list[tuple[int, int]]] = defaultdict(list)
    fixed = fixed_slots(plan.steps)
    suitable = [slot for slot in lifetime if slot.bytes and slot not in fixed]
    live = live_bytes(lifetime, len(plan.steps))
    peaks = {slot: max(live[first : last + 1]) for slot, (first, last) in lifetime.items()}
    for slot in sorted(suitable, key=lambda slot: (-peaks[slot], -slot.bytes)):
        (first, last), end = lifetime[slot], ends.get(slot, slot)
        for result in sorted(first_uses, key=lambda result: result.bytes):
            if result.bytes < slot.bytes or not (
                last < first_uses[result]
                or (last == first_uses[result] and reads_in_place(plan.steps[last], end, result))
            ):
                continue
            if all(end < first or last < start for start, end in hosted[result]):
                hosted[result].append((first, last))
                slot.host = result
                break


def live_bytes(lifetime: Lifetimes, steps: int) -> list[int]:
    """The bytes of the slots that are live during each step."""
    changes = [0] * (steps + 1)
    for slot, (first, last) in lifetime.items():
        changes[first] += slot.bytes
        changes[last + 1] -= slot.bytes
    return list(accumulate(changes[:-1]))


def first_steps(steps: Sequence[Step]) -> dict[PlanBuffer, int]:
    """The first step that uses each result, or the first of the outermost loop around it."""
    loops = [
        (step.target, number)
        for number, step in enumerate(steps)
        if isinstance(step, JumpStep) and step.loops
    ]
    found: dict[PlanBuffer, int] = {}
    for number, step in enumerate(steps):
        for slot in slots_used(step):
            if slot.origin == "result" and slot not in found:
                around = [start for start, end in loops if start <= number <= end]
                found[slot] = min(around, default=number)
    return found


def fixed_slots(steps: Sequence[Step]) -> set[PlanBuffer]:
    """The slots that have to lie in the arena: exchanged ones, and the scratch of library calls.

    That is read and written in whole vectors, for which results may not be aligned.
    """
    fixed = exchanged_slots(steps)
    for step in steps:
        if isinstance(step, Request):
            fixed.update(step.scratch)
    return fixed

"""Assigns each local buffer an offset in the arena."""

from __future__ import annotations

from collections.abc import Iterator

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

ALIGNMENT = 64


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


def assign_buffers(plan: Plan) -> None:
    """Assigns each local slot an offset; slots that are live at the same time do not overlap."""
    lifetime = lifetimes(plan)
    placements: list[tuple[int, int, int, int]] = []  # offset, end, first, last
    for slot in sorted(lifetime, key=lambda slot: -slot.bytes):
        first, last = lifetime[slot]
        size = -(-max(slot.bytes, 1) // ALIGNMENT) * ALIGNMENT
        offset = 0
        for start, end, other_first, other_last in sorted(placements):
            if other_first <= last and first <= other_last:
                if offset + size <= start:
                    break
                offset = max(offset, end)
        slot.offset = offset
        placements.append((offset, offset + size, first, last))
    plan.arena = max((end for _, end, _, _ in placements), default=0)

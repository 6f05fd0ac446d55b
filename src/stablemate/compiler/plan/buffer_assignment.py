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
        case Request(_, operands, results):
            yield from operands
            yield from results
        case _:
            return


def lifetimes(plan: Plan) -> dict[Slot, tuple[int, int]]:
    """First and last step that uses each local slot; what a loop reads lives as long as it.

    Slots that exchange their memory live as long as both.
    """
    lives: dict[Slot, tuple[int, int]] = {}
    for number, step in enumerate(plan.steps):
        for slot in slots_used(step):
            if slot.origin == "local":
                first, _ = lives.get(slot, (number, number))
                lives[slot] = first, number
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
            both = tuple(zip(lives[one], lives[other], strict=True))
            union = min(both[0]), max(both[1])
            changed |= lives[one] != union or lives[other] != union
            lives[one] = lives[other] = union
        for slot, (first, last) in lives.items():
            for start, end in loops:
                if first < start <= last < end:
                    lives[slot] = first, end
                    changed = True
                    break
    return lives


def assign_buffers(plan: Plan) -> None:
    """Gives each local slot an offset; slots that live at the same time do not overlap."""
    lives = lifetimes(plan)
    placed: list[tuple[int, int, int, int]] = []  # offset, end, first, last
    for slot in sorted(lives, key=lambda slot: -slot.bytes):
        first, last = lives[slot]
        size = -(-max(slot.bytes, 1) // ALIGNMENT) * ALIGNMENT
        offset = 0
        for start, end, begin, finish in sorted(placed):
            if begin <= last and first <= finish:
                if offset + size <= start:
                    break
                offset = max(offset, end)
        slot.offset = offset
        placed.append((offset, offset + size, first, last))
    plan.arena = max((end for _, end, _, _ in placed), default=0)

"""Writes values straight into result buffers instead of copying them at the end (copy elision)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate.compiler.plan.plan import (
    Branch,
    Copy,
    Done,
    Exchange,
    Jump,
    Launch,
    Request,
    Slot,
    Step,
)


def elide_copies(steps: Sequence[Step]) -> list[Step]:
    """The steps, without those copies at the end that need not be.

    One of a local slot stays, where slots exchange their memory, and where it is not the first one.
    """
    end = len(steps) - 1
    while end > 0 and isinstance(steps[end - 1], Copy):
        end -= 1
    exchanged = {
        slot for step in steps if isinstance(step, Exchange) for slot in (step.first, step.second)
    }
    landed: dict[Slot, Slot] = {}
    for step in steps[end:]:
        if isinstance(step, Copy) and can_elide(step) and step.source not in exchanged:
            landed.setdefault(step.source, step.target)
    moved = [replace_slots(step, landed) for step in steps]
    last = [e for e in moved[end:] if not isinstance(e, Copy) or e.source is not e.target]
    return [*moved[:end], *last]


def can_elide(copy: Copy) -> bool:
    """Whether a copy makes a result of what the arena holds."""
    return copy.source.origin == "local" and copy.target.origin == "result"


def replace_slots(step: Step, landed: Mapping[Slot, Slot]) -> Step:
    """A step with other slots."""

    def new(slot: Slot) -> Slot:
        return landed.get(slot, slot)

    match step:
        case Launch(kernel, slots, nodes):
            return Launch(kernel, [new(slot) for slot in slots], nodes)
        case Copy(source, target):
            return Copy(new(source), new(target))
        case Exchange(first, second):
            return Exchange(new(first), new(second))
        case Branch(slot, targets, by_index):
            return Branch(new(slot), targets, by_index)
        case Request(node, operands, results):
            return Request(node, [new(s) for s in operands], [new(s) for s in results])
        case Jump() | Done():
            return step

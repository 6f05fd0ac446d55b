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
    exchanged_slots,
)


def elide_copies(steps: Sequence[Step]) -> list[Step]:
    """Removes the copies at the end of a plan whose sources can be computed in the result's memory.

    A copy stays if its source exchanges memory with another slot, or was already copied to a
    result.
    """
    end = len(steps) - 1
    while end > 0 and isinstance(steps[end - 1], Copy):
        end -= 1
    exchanged = exchanged_slots(steps)
    result_slots: dict[Slot, Slot] = {}
    for step in steps[end:]:
        if isinstance(step, Copy) and can_elide(step) and step.source not in exchanged:
            result_slots.setdefault(step.source, step.target)
    replaced = [replace_slots(step, result_slots) for step in steps]
    last = [e for e in replaced[end:] if not isinstance(e, Copy) or e.source is not e.target]
    return [*replaced[:end], *last]


def can_elide(copy: Copy) -> bool:
    """Whether a copy writes a value of the arena to a result."""
    return copy.source.origin == "local" and copy.target.origin == "result"


def replace_slots(step: Step, result_slots: Mapping[Slot, Slot]) -> Step:
    """A step with some slots replaced."""

    def new(slot: Slot) -> Slot:
        return result_slots.get(slot, slot)

    match step:
        case Launch(kernel, slots, nodes):
            return Launch(kernel, [new(slot) for slot in slots], nodes)
        case Copy(source, target):
            return Copy(new(source), new(target))
        case Exchange(first, second):
            return Exchange(new(first), new(second))
        case Branch(slot, targets, by_index):
            return Branch(new(slot), targets, by_index)
        case Request(node, operands, results, calls, scratch):
            operands, results = [new(s) for s in operands], [new(s) for s in results]
            return Request(node, operands, results, calls, scratch)
        case Jump() | Done():
            return step

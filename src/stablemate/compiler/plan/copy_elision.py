"""Writes values straight into result buffers instead of copying them at the end (copy elision)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    EndStep,
    JumpStep,
    LaunchStep,
    PlanBuffer,
    Request,
    Step,
    SwapSlots,
    exchanged_slots,
)


def elide_copies(steps: Sequence[Step]) -> list[Step]:
    """Removes the copies at the end of a plan whose sources can be computed in the result's memory.

    A copy stays if its source exchanges memory with another slot, or was already copied to a
    result.
    """
    end = len(steps) - 1
    while end > 0 and isinstance(steps[end - 1], CopySlot):
        end -= 1
    exchanged = exchanged_slots(steps)
    result_slots: dict[PlanBuffer, PlanBuffer] = {}
    for step in steps[end:]:
        if isinstance(step, CopySlot) and can_elide(step) and step.source not in exchanged:
            result_slots.setdefault(step.source, step.target)
    replaced = [replace_slots(step, result_slots) for step in steps]
    last = [e for e in replaced[end:] if not isinstance(e, CopySlot) or e.source is not e.target]
    return [*replaced[:end], *last]


def can_elide(copy: CopySlot) -> bool:
    """Whether a copy writes a value of the arena to a result."""
    return copy.source.origin == "local" and copy.target.origin == "result"


def replace_slots(step: Step, result_slots: Mapping[PlanBuffer, PlanBuffer]) -> Step:
    """A step with some slots replaced."""

    def new(slot: PlanBuffer) -> PlanBuffer:
        return result_slots.get(slot, slot)

    match step:
        case LaunchStep(kernel, slots, nodes):
            return LaunchStep(kernel, [new(slot) for slot in slots], nodes)
        case CopySlot(source, target):
            return CopySlot(new(source), new(target))
        case SwapSlots(first, second):
            return SwapSlots(new(first), new(second))
        case BranchStep(slot, targets, by_index):
            return BranchStep(new(slot), targets, by_index)
        case Request(node, operands, results, calls, scratch):
            operands, results = [new(s) for s in operands], [new(s) for s in results]
            return Request(node, operands, results, calls, scratch)
        case JumpStep() | EndStep():
            return step

"""Lets loops write values that they carry where these are, instead of moving them at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from stablemate.compiler.plan.argument_reuse import reads_in_place
from stablemate.compiler.plan.copy_elision import replace_slots
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    JumpStep,
    LaunchStep,
    PlanBuffer,
    Request,
    Step,
    SwapSlots,
    jump_targets,
    redirect_jumps,
    slots_used,
)
from stablemate.numerics.symbolic_sizes import is_symbolic

# An exchange of two slots saves a copy in each iteration, and its analysis takes compile time:
# ``python -m benchmarks.jax.loops`` measures loops.
MIN_BYTES: Final = 1 << 12  # it takes longer to analyze smaller ones than to exchange them
MIN_COPIED_BYTES: Final = 64  # smaller copies become part of a kernel


def write_in_place(steps: Sequence[Step]) -> list[Step]:
    """The steps of a plan, whose large carried values are written in place where that is sound.

    A value is computed into a slot of its own, and this is exchanged with the slot of the value
    before, or copied to it. Nothing uses the value before between the computation and this move:
    the computation writes it, unless it reads more of it than the element in whose place it writes,
    and what uses the computed value in between finds it there.
    """
    uses: defaultdict[PlanBuffer, list[int]] = defaultdict(list)
    for number, step in enumerate(steps):
        for slot in set(slots_used(step)):
            uses[slot].append(number)
    targets = jump_targets(steps)
    # Devices that exchange values share the memory of the machine.
    least = MIN_COPIED_BYTES if any(isinstance(step, Request) for step in steps) else MIN_BYTES
    changed = list(steps)
    removed: set[int] = set()
    for number, step in enumerate(steps):
        moved = carried_slots(step, least)
        if moved is None:
            continue
        carried, computed = moved
        before = [use for use in uses[computed] if use != number]
        if not before or not removed.isdisjoint(before) or not before[-1] < number:
            continue
        writer = changed[before[0]]
        between = range(before[0] + 1, number)
        if (
            not any(isinstance(steps[i], JumpStep | BranchStep) for i in between)
            and targets.isdisjoint(range(before[0] + 1, number + 1))
            and not any(before[0] < use < number for use in uses[carried])
            and can_write(writer, carried, computed)
        ):
            for use in before:
                changed[use] = replace_slots(changed[use], {computed: carried})
            removed.add(number)
    return without_steps(changed, removed)


def carried_slots(step: Step, least: int) -> tuple[PlanBuffer, PlanBuffer] | None:
    """The slot of a carried value and that of the next one, which a step moves.

    None if there is no such value, or a small one: of fewer bytes than ``least`` where slots are
    exchanged.
    """
    match step:
        case SwapSlots(carried, computed) if is_larger(carried, least):
            return carried, computed
        case CopySlot(computed, carried) if (
            computed.origin == "local"
            and carried.origin in ("local", "result")
            and computed.bytes == carried.bytes
            and is_larger(carried, MIN_COPIED_BYTES)
        ):
            return carried, computed
        case _:
            return None


def is_larger(slot: PlanBuffer, size: int) -> bool:
    """Whether a slot is known to have more than so many bytes."""
    return not is_symbolic(slot.bytes) and slot.bytes > size


def can_write(writer: Step, carried: PlanBuffer, computed: PlanBuffer) -> bool:
    """Whether a step that computes a slot can write the carried one instead."""
    match writer:
        case LaunchStep(_, slots):
            return carried not in slots or reads_in_place(writer, carried, computed)
        case Request(_, operands, results, None):
            return computed in results and carried not in (*operands, *results)
        case _:
            return False


def without_steps(steps: Sequence[Step], removed: set[int]) -> list[Step]:
    """The steps without some; jumps and branches continue at the following ones."""
    new_indices: dict[int, int] = {}
    kept: list[Step] = []
    for number, step in enumerate(steps):
        new_indices[number] = len(kept)
        if number not in removed:
            kept.append(step)
    if removed:
        redirect_jumps(kept, new_indices)
    return kept

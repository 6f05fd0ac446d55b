"""Chains of local slots, each of which is computed in the memory of the one before.

A step may write a slot over another one of the same size that dies there, if it reads each element
only to compute the one in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from stablemate.compiler.plan.argument_reuse import reads_in_place
from stablemate.compiler.plan.plan import PlanBuffer, Step, exchanged_slots, slots_used

Lifetimes: TypeAlias = Mapping[PlanBuffer, tuple[int, int]]


def in_place_chains(steps: Sequence[Step], lifetime: Lifetimes) -> list[list[PlanBuffer]]:
    """The chains of all local slots; most consist of one slot.

    Args:
        steps: The steps of a plan.
        lifetime: The first and last step that uses each local slot.
    """
    fixed = exchanged_slots(steps)
    chains = {slot: [slot] for slot in lifetime}  # by their last slot
    for slot in sorted(lifetime, key=lambda slot: lifetime[slot][0]):
        step = steps[lifetime[slot][0]]
        if slot in fixed or not slot.bytes:
            continue
        for before in dict.fromkeys(slots_used(step)):
            if (
                before in chains
                and before is not slot
                and before not in fixed
                and before.bytes == slot.bytes
                and lifetime[before][1] == lifetime[slot][0]
                and reads_in_place(step, before, slot)
            ):
                chains[slot] = [*chains.pop(before), slot]
                break
    return list(chains.values())

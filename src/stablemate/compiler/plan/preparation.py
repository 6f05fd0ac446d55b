"""Preparation of constants: launches that read constants alone run when a program is compiled.

What they write becomes a constant, such as the panels into which the weights of a product are
packed, or weights that are transposed or converted. The original is no longer part of the program
if nothing else reads it. In a program for many sizes, these are launches that depend on none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Final

import numpy as np

from stablemate.compiler.loops.statements import (
    CombinePartials,
    Fetch,
    Kernel,
    Loop,
    MoveTile,
    When,
    walk_statements,
)
from stablemate.compiler.plan.kernel_accesses import KernelAccesses, kernel_accesses
from stablemate.compiler.plan.plan import (
    CopySlot,
    EndStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Preparation,
    Request,
    Step,
    SwapSlots,
    redirect_jumps,
    slots_used,
)
from stablemate.compiler.schedule.schedule import expressions_of, subexpressions
from stablemate.numerics.symbolic_sizes import is_symbolic

# What is prepared once saves its launch in each call, and takes memory for as long as the program
# lives.
LEAST_BYTES: Final = 1 << 12  # of constants that are worth a preparation
MOST_GROWTH: Final = 2  # times the bytes that it reads: a launch that writes more is no packing
SMALL: Final = 1 << 12  # bytes that are prepared, whatever they are computed from
MOST_WIDENED: Final = 1 << 17  # bytes that may be the floats of so many constant bytes
MOST_UNPACKED: Final = 1 << 17  # bytes that other preparations alone read, as those of a fill
WIDENING: Final = 5  # times the bytes that they are read from; panels of them overlap
# Bytes that one preparation writes, unless a single constant has more: all of a model are never in
# memory together with what they are computed from.
MOST_AT_ONCE: Final = 1 << 24


def prepare_constants(plan: Plan) -> None:
    """Moves the launches of a plan that depend on constants alone into its preparations."""
    constants = [slot for slot in plan.slots if slot.origin == "constant"]
    if sum(slot.bytes for slot in constants if not is_symbolic(slot.bytes)) < LEAST_BYTES:
        return
    search = PreparationSearch(plan.steps)
    numbers = search.find()
    if search.read_bytes < LEAST_BYTES:
        return
    steps = [plan.steps[number] for number in numbers]
    launches = [step for step in steps if isinstance(step, LaunchStep)]
    plan.steps = without_steps(plan.steps, set(numbers))
    split_slots(plan, launches, search.written)


class PreparationSearch:
    """Finds the launches that depend on constants alone.

    Attributes:
        written: The slots that they write, each of which no other step writes.
        unpacked: Those of them that have more bytes than they are worth in each call: only
            preparations read them.
        read_bytes: The bytes of the constants that they read.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.accesses: dict[Kernel, KernelAccesses] = {}
        self.excluded: set[PlanBuffer] = set()
        self.written: dict[PlanBuffer, None] = {}
        self.unpacked: set[PlanBuffer] = set()
        self.read_bytes = 0

    def find(self) -> list[int]:
        """The numbers of the launches."""
        while True:
            numbers, rewritten = self.candidates()
            if not rewritten:
                return numbers
            self.excluded |= rewritten

    def candidates(self) -> tuple[list[int], set[PlanBuffer]]:
        """Launches that read constants alone, and those of their results that others write."""
        self.written, self.unpacked, self.read_bytes = {}, set(), 0
        numbers: list[int] = []
        used, rewritten = set(self.excluded), set[PlanBuffer]()
        for number, step in enumerate(self.steps):
            if isinstance(step, LaunchStep) and self.is_candidate(step, used):
                numbers.append(number)
                self.written |= dict.fromkeys(self.slots_written(step))
                continue
            slots = set(slots_used(step))
            if not slots.isdisjoint(self.written):
                rewritten |= self.written.keys() & set(self.slots_written(step))
                rewritten |= self.unpacked & slots
            used |= slots
        return numbers, rewritten

    def is_candidate(self, launch: LaunchStep, used: set[PlanBuffer]) -> bool:
        """Whether a launch packs constants into slots that no step has used before."""
        slots = dict.fromkeys(launch.slots)
        if any(is_symbolic(slot.bytes) for slot in slots):
            return False
        read = [slot for slot in slots if slot.origin == "constant" or slot in self.written]
        fresh = [slot for slot in slots if slot not in read]
        if not fresh:
            return False
        if any(slot.origin != "local" or slot in used for slot in fresh):
            return False
        read_bytes, fresh_bytes = (sum(slot.bytes for slot in part) for part in (read, fresh))
        is_unpacked = not is_packed(read_bytes, fresh_bytes)
        if is_unpacked and fresh_bytes > MOST_UNPACKED:
            return False
        is_packing = set(self.slots_written(launch)) == set(fresh) and not depends_on_sizes(
            launch.kernel
        )
        if is_packing:
            self.read_bytes += read_bytes
            self.unpacked |= set(fresh) if is_unpacked else set()
        return is_packing

    def slots_written(self, step: Step) -> Iterable[PlanBuffer]:
        """The slots that a step writes."""
        match step:
            case LaunchStep(kernel, slots):
                written = self.accesses_of(kernel).written
                pairs = zip(kernel.arguments, slots, strict=True)
                return [slot for buffer, slot in pairs if buffer in written]
            case CopySlot(_, target):
                return [target]
            case SwapSlots(first, second):
                return [first, second]
            case Request(_, _, results, _, scratch):
                return [*results, *scratch]
            case _:
                return ()

    def accesses_of(self, kernel: Kernel) -> KernelAccesses:
        """The arguments that a kernel accesses."""
        if kernel not in self.accesses:
            self.accesses[kernel] = kernel_accesses(kernel)
        return self.accesses[kernel]


def depends_on_sizes(kernel: Kernel) -> bool:
    """Whether a kernel loads a symbolic size."""
    statements = list(walk_statements(kernel.body))
    roots = list(expressions_of(statements))
    numbers: list[object] = []
    for statement in statements:
        match statement:
            case Loop(extent=extent, condition=condition):
                numbers.append(extent)
                roots += () if condition is None else (condition,)
            case MoveTile(place=place, stride=stride):
                numbers.append(stride)
                roots.append(place)
            case CombinePartials(place=root) | When(condition=root) | Fetch(place=root):
                roots.append(root)
            case _:
                pass
    for expression in subexpressions(roots):
        detail = expression.detail
        numbers += detail if isinstance(detail, tuple) else (detail,)
    return any(map(is_symbolic, numbers))


def is_packed(read: int, written: int) -> bool:
    """Whether bytes that are written are few for those that they are computed from."""
    growth = WIDENING if written <= MOST_WIDENED else MOST_GROWTH
    return written <= max(growth * read, SMALL)


def without_steps(steps: Sequence[Step], numbers: set[int]) -> list[Step]:
    """The steps but some; a jump to one of those continues behind it."""
    result: list[Step] = []
    new_indices: dict[int, int] = {}
    for number, step in enumerate(steps):
        new_indices[number] = len(result)
        if number not in numbers:
            result.append(step)
    redirect_jumps(result, new_indices)
    return result


def split_slots(
    plan: Plan, launches: Sequence[LaunchStep], written: Collection[PlanBuffer]
) -> None:
    """Gives a plan preparations, whose results are constants of the plan.

    Args:
        plan: The plan without the launches.
        launches: The launches that the preparations run.
        written: The slots that these write.
    """
    used = {slot for step in plan.steps for slot in slots_used(step)}
    inner = set(written) - used
    plan.slots = [slot for slot in plan.slots if slot not in inner]
    plan.preparations = [
        preparation_of(group, [slot for slot in written if slot in used])
        for group in independent_groups(launches, written)
    ]
    for slot in set(written) & used:
        slot.origin = "constant"
        slot.data = np.broadcast_to(np.uint8(0), (slot.bytes,))  # until the preparation has run


def preparation_of(launches: Sequence[LaunchStep], constants: Iterable[PlanBuffer]) -> Preparation:
    """The preparation that some launches are.

    Args:
        launches: The launches.
        constants: The slots that become constants of the plan; others may write some of them.
    """
    touched = dict.fromkeys(chain(*[launch.slots for launch in launches]))
    written = [slot for slot in constants if slot in touched]
    results = {
        slot: PlanBuffer(slot.number, slot.bytes, "result", position)
        for position, slot in enumerate(written)
    }
    steps: list[Step] = [
        LaunchStep(step.kernel, [results.get(slot, slot) for slot in step.slots], step.nodes)
        for step in launches
    ]
    slots = [results.get(slot, slot) for slot in touched]
    return Preparation(Plan(slots, [*steps, EndStep()]), written)


def independent_groups(
    launches: Sequence[LaunchStep], written: Collection[PlanBuffer]
) -> list[list[LaunchStep]]:
    """Groups of launches, none of which reads what another one writes.

    Args:
        launches: The launches, in order.
        written: The slots that they write.
    """
    joined: dict[PlanBuffer, PlanBuffer] = {}  # another slot of the same group, or the slot itself

    def first(slot: PlanBuffer) -> PlanBuffer:
        while joined[slot] is not slot:
            joined[slot] = joined[joined[slot]]
            slot = joined[slot]
        return slot

    touched = [[slot for slot in launch.slots if slot in written] for launch in launches]
    for slots in touched:
        for slot in slots:
            joined.setdefault(slot, slot)
            joined[first(slot)] = first(slots[0])
    members: dict[PlanBuffer, list[LaunchStep]] = {}
    for launch, slots in zip(launches, touched, strict=True):
        members.setdefault(first(slots[0]), []).append(launch)
    groups: list[list[LaunchStep]] = []
    room = 0
    for group in members.values():
        size = sum({slot: slot.bytes for launch in group for slot in launch.slots
                    if slot in written}.values())  # fmt: skip
        if size > room:
            groups.append([])
            room = MOST_AT_ONCE
        groups[-1] += group
        room -= size
    return groups

"""Verifies plans: memory is read only after it was written, and no live value is overwritten.

A violation is an error of the compiler that is found before code is generated. Sets of slots are
integers with one bit for each slot, because a plan has many steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.sized_verifier import verify_sized
from stablemate.compiler.loops.statements import (
    CombinePartials,
    Kernel,
    Reduce,
    Store,
    When,
    stored_buffers,
    walk_statements,
)
from stablemate.compiler.loops.verifier import extent_of, verify
from stablemate.compiler.plan.plan import (
    Branch,
    Copy,
    Done,
    Exchange,
    Jump,
    Launch,
    Plan,
    Request,
    Slot,
)
from stablemate.diagnostics.errors import CompileError
from stablemate.numerics.elements import Array

INDEX_BYTES = 4  # of the index that a branch reads


def verify_plan(plan: Plan) -> None:
    """Checks a plan and its kernels.

    Raises:
        CompileError: A kernel is invalid; a launch passes a buffer that is too small; a step jumps
            to a step that does not exist, reads uninitialized memory, or overwrites a live value.
    """
    PlanVerifier(plan).verify()


def verify_sized_plan(plan: Plan) -> None:
    """Checks a plan whose sizes are symbolic, and its kernels.

    Where local slots are is not known: they are placed for each combination of sizes. That a slot
    is large enough for the buffer of a kernel is assumed, if it does not follow.

    Raises:
        CompileError: See ``verify_plan``.
    """
    SizedPlanVerifier(plan).verify()


@dataclass(frozen=True, slots=True)
class KernelAccesses:
    """The arguments that a kernel accesses.

    Attributes:
        read: The buffers that it only reads.
        written: The buffers that it writes.
    """

    read: frozenset[Buffer]
    written: frozenset[Buffer]


def kernel_accesses(kernel: Kernel) -> KernelAccesses:
    """The arguments that a kernel accesses."""
    read: set[Buffer] = set()
    for statement in walk_statements(kernel.body):
        match statement:
            case Store(_, place, value) | Reduce(_, place, _, value):
                read |= place.reads | value.reads
            case CombinePartials(_, place):
                read |= place.reads
            case When(condition):
                read |= condition.reads
            case _:
                pass
    written = stored_buffers(kernel.body)
    arguments = frozenset(kernel.arguments)
    return KernelAccesses((frozenset(read) - written) & arguments, written & arguments)


class PlanVerifier:
    """Checks one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.slot_numbers: dict[Slot, int] = {}
        self.numbered: list[Slot] = []  # the slots by their number
        self.kernels: dict[Kernel, KernelAccesses] = {}
        self.reads = [0] * len(plan.steps)
        self.writes = [0] * len(plan.steps)
        self.overwritten = [0] * len(plan.steps)  # slots that a step overwrites as a whole

    def require(self, condition: bool, step: int, message: str) -> None:
        """Rejects the plan unless a condition holds."""
        if not condition:
            self.reject(step, message)

    def reject(self, step: int, message: str) -> NoReturn:
        """Rejects the plan.

        Raises:
            CompileError: Always.
        """
        raise CompileError(f"step {step} of the plan: {message}")

    def verify(self) -> None:
        """Checks each step, then the order of reads and writes."""
        for number in range(len(self.plan.steps)):
            self.check_step(number)
        ends_with_done = bool(self.plan.steps) and isinstance(self.plan.steps[-1], Done)
        self.require(ends_with_done, len(self.plan.steps), "the last step is not the end")
        successors = [self.successors(number) for number in range(len(self.plan.steps))]
        self.check_reads(self.written_before(successors))
        self.check_overlaps(self.needed_after(successors))

    def check_reads(self, written: Sequence[int]) -> None:
        """Checks that what a step reads was written before it."""
        for number, reads in enumerate(self.reads):
            missing = reads & ~written[number]
            if missing:
                self.reject(number, f"{self.slot_names(missing)} is read, but was not written")

    def bit(self, slot: Slot) -> int:
        """The bit of a slot; 0 for a slot that is initialized from the start."""
        if slot.origin in ("argument", "constant") or not slot.bytes:
            return 0
        number = self.slot_numbers.setdefault(slot, len(self.numbered))
        if number == len(self.numbered):
            self.numbered.append(slot)
        return 1 << number

    def bits(self, slots: Sequence[Slot]) -> int:
        """The bits of slots."""
        mask = 0
        for slot in slots:
            mask |= self.bit(slot)
        return mask

    def slots(self, bits: int) -> Iterator[Slot]:
        """The slots of bits."""
        while bits:
            lowest = bits & -bits
            yield self.numbered[lowest.bit_length() - 1]
            bits ^= lowest

    def slot_names(self, bits: int) -> str:
        """The names of slots."""
        return ", ".join(map(repr, self.slots(bits)))

    # One step

    def check_step(self, number: int) -> None:
        """Checks one step and records the slots that it reads and writes."""
        step = self.plan.steps[number]
        match step:
            case Launch():
                self.check_launch(number, step)
            case Copy(source, target):
                self.require(target.bytes >= source.bytes, number, f"{target!r} is too small")
                self.record_accesses(number, [source], [target])
            case Exchange(first, second):
                can_exchange = (
                    first.bytes == second.bytes and first.origin == second.origin == "local"
                )
                self.require(can_exchange, number, f"{first!r} and {second!r} cannot be exchanged")
                self.record_accesses(number, [first, second], [])
            case Branch(slot, _, by_index):
                is_large_enough = slot.bytes >= (INDEX_BYTES if by_index else 1)
                self.require(is_large_enough, number, f"{slot!r} is too small")
                self.record_accesses(number, [slot], [])
            case Request(_, operands, results):
                self.record_accesses(number, operands, results)
            case Done():
                results = [slot for slot in self.plan.slots if slot.origin == "result"]
                self.record_accesses(number, results, [])
            case Jump():
                pass

    def record_accesses(self, number: int, reads: Sequence[Slot], writes: Sequence[Slot]) -> None:
        """Records the slots that a step reads and those that it overwrites."""
        for write in writes:
            self.require(write.origin != "constant", number, f"the constant {write!r} is written")
            self.require(write.origin != "argument", number, f"the argument {write!r} is written")
        self.reads[number] = self.bits(reads)
        self.writes[number] = self.overwritten[number] = self.bits(writes)

    def check_launch(self, number: int, launch: Launch) -> None:
        """Checks that a launch passes the buffers that the kernel expects."""
        kernel, slots = launch.kernel, launch.slots
        if kernel not in self.kernels:
            self.verify_kernel(kernel)
            self.kernels[kernel] = kernel_accesses(kernel)
        uses = self.kernels[kernel]
        self.require(
            len(slots) == len(kernel.arguments), number, f"{kernel.name} takes other slots"
        )
        pairs = list(zip(kernel.arguments, slots, strict=True))
        for buffer, slot in pairs:
            size = extent_of(buffer) * BYTES[buffer.type]
            self.require(slot.bytes >= size, number, f"{slot!r} is too small for {buffer}")
        reads = [slot for buffer, slot in pairs if buffer in uses.read]
        writes = [slot for buffer, slot in pairs if buffer in uses.written]
        self.record_accesses(number, reads, writes)
        before = self.plan.steps[number - 1] if number else None
        if isinstance(before, Launch) and before.nodes and before.nodes == launch.nodes:
            self.overwritten[number] &= ~self.writes[number - 1]  # both write parts of one result

    def verify_kernel(self, kernel: Kernel) -> None:
        """Checks a kernel."""
        verify(kernel)

    # All steps

    def successors(self, number: int) -> Sequence[int]:
        """The steps that may run next."""
        step = self.plan.steps[number]
        match step:
            case Done():
                return ()
            case Jump(target):
                targets: Sequence[int] = (target,)
            case Branch(_, branch_targets):
                targets = branch_targets
            case _:
                targets = (number + 1,)
        for target in targets:
            self.require(0 <= target < len(self.plan.steps), number, f"there is no step {target}")
        return targets

    def after_exchange(self, number: int, bits: int) -> int:
        """The bits after a step that may exchange the memory of two slots."""
        step = self.plan.steps[number]
        if isinstance(step, Exchange):
            first, second = self.bit(step.first), self.bit(step.second)
            if bool(bits & first) != bool(bits & second):
                return bits ^ (first | second)
        return bits

    def written_before(self, successors: Sequence[Sequence[int]]) -> list[int]:
        """The slots that were written before each step, on every path that leads to it."""
        everything = (1 << len(self.slot_numbers)) - 1
        before = [0, *[everything] * (len(successors) - 1)]
        changed = True
        while changed:
            changed = False
            for number, targets in enumerate(successors):
                after = self.after_exchange(number, before[number] | self.writes[number])
                for target in targets:
                    if before[target] & ~after:
                        before[target] &= after
                        changed = True
        return before

    def needed_after(self, successors: Sequence[Sequence[int]]) -> Iterator[int]:
        """The slots that may have been written by the end of each step and may be read after it.

        These are yielded one by one, because those of all steps together are many.
        """
        count = len(successors)
        before, after, exchanged = [0] * count, [0] * count, [0] * count
        changed = True
        while changed:
            changed = False
            for number in reversed(range(count)):
                needed = 0
                for successor in successors[number]:
                    needed |= before[successor]
                after[number] = needed
                needed = (
                    self.after_exchange(number, needed & ~self.overwritten[number])
                    | self.reads[number]
                )
                changed |= needed != before[number]
                before[number] = needed
            for number, targets in enumerate(successors):
                done = self.after_exchange(number, exchanged[number] | self.writes[number])
                for successor in targets:
                    changed |= bool(done & ~exchanged[successor])
                    exchanged[successor] |= done
        for number, mask in enumerate(after):
            yield mask & (exchanged[number] | self.writes[number])

    def check_overlaps(self, needed: Iterable[int]) -> None:
        """Checks that no step overwrites the memory of a live value."""
        exchange_classes = self.exchange_classes()
        for slot in self.slot_numbers:
            if slot.origin == "local":
                is_inside = 0 <= slot.offset <= self.plan.arena - slot.bytes
                self.require(is_inside, 0, f"{slot!r} is outside the arena")
        in_arena = self.bits([slot for slot in self.slot_numbers if slot.origin == "local"])
        moving = self.bits(list(exchange_classes))
        starts = np.array([slot.offset for slot in self.numbered], np.int64)
        ends = starts + np.array([slot.bytes for slot in self.numbered], np.int64)
        checked: dict[Slot, int] = {}
        for number, (writes, kept) in enumerate(zip(self.writes, needed, strict=True)):
            live = (kept | self.reads[number]) & in_arena
            for slot in self.slots(writes & in_arena):
                accounted = checked.get(slot, self.bit(slot))
                checked[slot] = accounted | live
                others = live & ~accounted
                if slot not in exchange_classes:
                    fixed = numbers_of(others & ~moving)
                    start, end = slot.offset, slot.offset + slot.bytes
                    overlaps = fixed[(starts[fixed] < end) & (start < ends[fixed])]
                    if overlaps.size:
                        overwritten = self.numbered[int(overlaps[0])]
                        self.reject(number, f"{slot!r} is written over {overwritten!r}")
                    others &= moving
                for other in self.slots(others):
                    if not are_disjoint(
                        exchange_classes.get(slot, [slot]), exchange_classes.get(other, [other])
                    ):
                        self.reject(number, f"{slot!r} is written over {other!r}")

    def exchange_classes(self) -> dict[Slot, list[Slot]]:
        """For each slot that exchanges its memory, all slots whose memory it may have."""
        exchanged: dict[Slot, list[Slot]] = {}
        for step in self.plan.steps:
            if isinstance(step, Exchange):
                one = exchanged.get(step.first, [step.first])
                both = [
                    *one,
                    *(x for x in exchanged.get(step.second, [step.second]) if x not in one),
                ]
                exchanged.update((slot, both) for slot in both)
        return exchanged


class SizedPlanVerifier(PlanVerifier):
    """Checks one plan whose sizes are symbolic."""

    def verify_kernel(self, kernel: Kernel) -> None:
        """Checks a kernel."""
        verify_sized(kernel)

    def check_overlaps(self, needed: Iterable[int]) -> None:
        """Local slots have no places yet."""


def are_disjoint(one: Sequence[Slot], other: Sequence[Slot]) -> bool:
    """Whether slots of the arena have no byte in common."""
    return all(
        a is b or a.offset + a.bytes <= b.offset or b.offset + b.bytes <= a.offset
        for a in one
        for b in other
    )


def numbers_of(bits: int) -> Array:
    """The numbers of the bits that are set."""
    content = np.frombuffer(bits.to_bytes(-(-bits.bit_length() // 8), "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(content, bitorder="little"))

"""Verifies plans: memory is read only after it was written, and no live value is overwritten.

A violation is an error of the compiler that is found before code is generated. Sets of slots are
integers with one bit for each slot, because a plan has many steps. As the sets of all steps
together are larger than the plan, only those at the start of each segment of steps are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import Final, NoReturn

import numpy as np

from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Kernel
from stablemate.compiler.loops.verifier import extent_of, verify
from stablemate.compiler.plan.argument_reuse import reads_in_place
from stablemate.compiler.plan.kernel_accesses import KernelAccesses, kernel_accesses
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    EndStep,
    JumpStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Request,
    SwapSlots,
)
from stablemate.diagnostics.errors import CompileError
from stablemate.numerics.elements import Array

INDEX_BYTES = 4  # of the index that a branch reads
SEGMENT: Final = 256  # steps, at most
FEW: Final = 64  # slots whose bits are set one by one


def verify_plan(plan: Plan) -> None:
    """Checks a plan and its kernels.

    Where sizes are symbolic, local slots have no places yet, and a slot is assumed to be large
    enough for the buffer of a kernel if that does not follow.

    Raises:
        CompileError: A kernel is invalid; a launch passes a buffer that is too small; a step jumps
            to a step that does not exist, reads uninitialized memory, or overwrites a live value.
    """
    PlanVerifier(plan).verify()


class PlanVerifier:
    """Checks one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.slot_numbers: dict[PlanBuffer, int] = {}
        self.numbered: list[PlanBuffer] = []  # the slots by their number
        self.kernels: dict[Kernel, KernelAccesses] = {}
        count = len(plan.steps)
        self.reads: list[Sequence[int]] = [()] * count  # numbers of slots
        self.writes: list[Sequence[int]] = [()] * count
        self.overwritten: list[Sequence[int]] = [()] * count  # those that a step writes as a whole

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
        ends_with_done = bool(self.plan.steps) and isinstance(self.plan.steps[-1], EndStep)
        self.require(ends_with_done, len(self.plan.steps), "the last step is not the end")
        self.check_reads()
        if not self.plan.has_symbolic_sizes:
            self.check_overlaps(self.needed_after())

    def check_reads(self) -> None:
        """Checks that what a step reads was written before it."""
        segments = self.segments()
        for segment, written in zip(segments, self.written_before(segments), strict=True):
            for number in segment:
                missing = mask_of(self.reads[number]) & ~written
                if missing:
                    self.reject(number, f"{self.slot_names(missing)} is read, but was not written")
                written = self.after_writes(number, written)

    def bit(self, slot: PlanBuffer) -> int:
        """The bit of a slot; 0 for a slot that is initialized from the start."""
        if slot.origin in ("argument", "constant") or not slot.bytes:
            return 0
        number = self.slot_numbers.setdefault(slot, len(self.numbered))
        if number == len(self.numbered):
            self.numbered.append(slot)
        return 1 << number

    def numbers(self, slots: Iterable[PlanBuffer]) -> Sequence[int]:
        """The numbers of slots that are not initialized from the start."""
        return tuple(self.slot_numbers[slot] for slot in slots if self.bit(slot))

    def slots(self, bits: int) -> list[PlanBuffer]:
        """Returns the slots whose bits are set."""
        numbers: list[int] = numbers_of(bits).tolist()
        return [self.numbered[number] for number in numbers]

    def slot_names(self, bits: int) -> str:
        """Lists the slots whose bits are set, for an error message."""
        return ", ".join(map(repr, self.slots(bits)))

    # One step

    def check_step(self, number: int) -> None:
        """Checks one step and records the slots that it reads and writes."""
        step = self.plan.steps[number]
        match step:
            case LaunchStep():
                self.check_launch(number, step)
            case CopySlot(source, target):
                self.require(target.bytes >= source.bytes, number, f"{target!r} is too small")
                self.record_accesses(number, [source], [target])
            case SwapSlots(first, second):
                can_exchange = (
                    first.bytes == second.bytes and first.origin == second.origin == "local"
                )
                self.require(can_exchange, number, f"{first!r} and {second!r} cannot be exchanged")
                self.record_accesses(number, [first, second], [])
            case BranchStep(slot, _, by_index):
                is_large_enough = slot.bytes >= (INDEX_BYTES if by_index else 1)
                self.require(is_large_enough, number, f"{slot!r} is too small")
                self.record_accesses(number, [slot], [])
            case Request(_, operands, results):
                self.record_accesses(number, operands, results)
            case EndStep():
                results = [slot for slot in self.plan.slots if slot.origin == "result"]
                self.record_accesses(number, results, [])
            case JumpStep():
                pass

    def record_accesses(
        self, number: int, reads: Sequence[PlanBuffer], writes: Sequence[PlanBuffer]
    ) -> None:
        """Records the slots that a step reads and those that it overwrites."""
        for write in writes:
            self.require(write.origin != "constant", number, f"the constant {write!r} is written")
            self.require(write.origin != "argument", number, f"the argument {write!r} is written")
        self.reads[number] = self.numbers(reads)
        self.writes[number] = self.overwritten[number] = self.numbers(writes)

    def check_launch(self, number: int, launch: LaunchStep) -> None:
        """Checks that a launch passes the buffers that the kernel expects."""
        kernel, slots = launch.kernel, launch.slots
        if kernel not in self.kernels:
            verify(kernel)
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
        if isinstance(before, LaunchStep) and before.nodes and before.nodes == launch.nodes:
            parts = self.writes[number - 1]  # both write parts of one result
            self.overwritten[number] = [n for n in self.writes[number] if n not in parts]

    # All steps

    def successors(self, number: int) -> Sequence[int]:
        """The steps that may run next."""
        step = self.plan.steps[number]
        match step:
            case EndStep():
                return ()
            case JumpStep(target):
                targets: Sequence[int] = (target,)
            case BranchStep(_, branch_targets):
                targets = branch_targets
            case _:
                targets = (number + 1,)
        for target in targets:
            self.require(0 <= target < len(self.plan.steps), number, f"there is no step {target}")
        return targets

    def after_exchange(self, number: int, bits: int) -> int:
        """The bits after a step that may exchange the memory of two slots."""
        step = self.plan.steps[number]
        if isinstance(step, SwapSlots):
            first, second = self.bit(step.first), self.bit(step.second)
            if bool(bits & first) != bool(bits & second):
                return bits ^ (first | second)
        return bits

    def segments(self) -> Sequence[range]:
        """The steps in pieces that are entered at their first step and left after their last."""
        count = len(self.plan.steps)
        starts = set(range(0, count, SEGMENT))
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, JumpStep | BranchStep):
                starts.update((number + 1, *self.successors(number)))
        ordered = [*sorted(start for start in starts if start < count), count]
        return [range(start, end) for start, end in pairwise(ordered)]

    def segment_successors(self, segments: Sequence[range]) -> Sequence[Sequence[int]]:
        """The segments that may follow each segment, by their numbers."""
        numbers = {segment.start: number for number, segment in enumerate(segments)}
        return [[numbers[step] for step in self.successors(segment[-1])] for segment in segments]

    def after_writes(self, number: int, bits: int) -> int:
        """The slots that are written after a step, of those before it."""
        return self.after_exchange(number, bits | mask_of(self.writes[number]))

    def after_segment(self, segment: range, bits: int) -> int:
        """The slots that are written after a segment, of those before it."""
        return reduce(lambda before, step: self.after_writes(step, before), segment, bits)

    def before_reads(self, number: int, bits: int) -> int:
        """The slots that are needed before a step, of those after it."""
        kept = self.after_exchange(number, bits & ~mask_of(self.overwritten[number]))
        return kept | mask_of(self.reads[number])

    def written_before(self, segments: Sequence[range]) -> list[int]:
        """The slots that were written before each segment, on every path that leads to it."""
        everything, following = (1 << len(self.slot_numbers)) - 1, self.segment_successors(segments)
        before = [0, *[everything] * (len(segments) - 1)]
        changed = True
        while changed:
            changed = False
            for number, segment in enumerate(segments):
                after = self.after_segment(segment, before[number])
                for target in following[number]:
                    if before[target] & ~after:
                        before[target] &= after
                        changed = True
        return before

    def maybe_written_before(self, segments: Sequence[range]) -> list[int]:
        """The slots that may have been written before each segment."""
        following, before = self.segment_successors(segments), [0] * len(segments)
        changed = True
        while changed:
            changed = False
            for number, segment in enumerate(segments):
                after = self.after_segment(segment, before[number])
                for target in following[number]:
                    changed |= bool(after & ~before[target])
                    before[target] |= after
        return before

    def read_after(self, segments: Sequence[range]) -> list[int]:
        """The slots that may be read after each segment, before they are overwritten."""
        count, following = len(segments), self.segment_successors(segments)
        before, after = [0] * count, [0] * count
        changed = True
        while changed:
            changed = False
            for number in reversed(range(count)):
                for target in following[number]:
                    after[number] |= before[target]
                needed = reduce(
                    lambda bits, step: self.before_reads(step, bits),
                    reversed(segments[number]),
                    after[number],
                )
                changed |= needed != before[number]
                before[number] = needed
        return after

    def needed_after(self) -> Iterator[int]:
        """The slots that may have been written by the end of each step and may be read after it."""
        segments = self.segments()
        states = zip(
            segments, self.maybe_written_before(segments), self.read_after(segments), strict=True
        )
        for segment, before, after in states:
            read = [after]
            for number in reversed(segment[1:]):
                read.append(self.before_reads(number, read[-1]))
            for number in segment:
                yield read.pop() & (before | mask_of(self.writes[number]))
                before = self.after_writes(number, before)

    def check_overlaps(self, needed: Iterable[int]) -> None:
        """Checks that no step overwrites the memory of a live value."""
        exchange_classes, hosts = self.exchange_classes(), self.hosts()
        for slot in self.slot_numbers:
            if is_in_arena(slot):
                is_inside = 0 <= slot.offset <= self.plan.arena - slot.bytes
                self.require(is_inside, 0, f"{slot!r} is outside the arena")
        local = self.numbers(slot for slot in self.numbered if is_in_arena(slot))
        in_arena, moving = mask_of(local), mask_of(self.numbers(exchange_classes))
        starts = np.array([slot.offset for slot in self.numbered], np.int64)
        ends = starts + np.array([slot.bytes for slot in self.numbered], np.int64)
        checked: dict[PlanBuffer, int] = {}  # of slots that several steps write
        writers = Counter(number for writes in self.writes for number in writes)
        for number, (writes, kept) in enumerate(zip(self.writes, needed, strict=True)):
            live = (kept | mask_of(self.reads[number])) & in_arena
            for written in writes:
                slot = self.numbered[written]
                if beside := hosts.get(slot.host or slot):
                    self.check_host(number, slot, beside, kept)
                if not is_in_arena(slot):
                    continue
                accounted = checked.get(slot, 1 << written)
                if writers[written] > 1:
                    checked[slot] = accounted | live
                others = live & ~accounted
                if slot not in exchange_classes:
                    fixed = numbers_of(others & ~moving)
                    start, end = slot.offset, slot.offset + slot.bytes
                    overlaps = fixed[(starts[fixed] < end) & (start < ends[fixed])]
                    for overlapped in map(int, overlaps):
                        self.check_in_place(number, slot, self.numbered[overlapped], kept)
                    others &= moving
                for other in self.slots(others):
                    if not are_disjoint(
                        exchange_classes.get(slot, [slot]), exchange_classes.get(other, [other])
                    ):
                        self.reject(number, f"{slot!r} is written over {other!r}")

    def hosts(self) -> dict[PlanBuffer, int]:
        """The bits of each result that hosts local slots, and of these."""
        found: dict[PlanBuffer, int] = {}
        for slot in self.numbered:
            if slot.host is not None:
                found[slot.host] = found.get(slot.host, self.bit(slot.host)) | self.bit(slot)
        return found

    def check_host(self, number: int, slot: PlanBuffer, beside: int, kept: int) -> None:
        """Checks that a step that writes a result, or a slot in its memory, overwrites no other.

        Args:
            number: The step.
            slot: What it writes.
            beside: The bits of the result and the slots in its memory.
            kept: The bits of the slots that are needed after the step.
        """
        host = slot.host or slot
        self.require(host.origin == "result", number, f"{slot!r} lies in {host!r}")
        self.require(host.bytes >= slot.bytes, number, f"{slot!r} is too large for {host!r}")
        others = beside & ~self.bit(slot)
        step = self.plan.steps[number]
        for other in self.slots(others & (kept | mask_of(self.reads[number]))):
            is_needed = self.bit(other) & kept or not reads_in_place(step, other, slot)
            self.require(not is_needed, number, f"{slot!r} is written over {other!r}")

    def check_in_place(self, number: int, slot: PlanBuffer, other: PlanBuffer, kept: int) -> None:
        """Checks that a step writes a slot over another one that it only reads in place."""
        is_dead = not self.bit(other) & kept
        self.require(
            is_dead
            and other.offset == slot.offset
            and reads_in_place(self.plan.steps[number], other, slot),
            number,
            f"{slot!r} is written over {other!r}",
        )

    def exchange_classes(self) -> dict[PlanBuffer, list[PlanBuffer]]:
        """For each slot that exchanges its memory, all slots whose memory it may have."""
        exchanged: dict[PlanBuffer, list[PlanBuffer]] = {}
        for step in self.plan.steps:
            if isinstance(step, SwapSlots):
                one = exchanged.get(step.first, [step.first])
                both = [
                    *one,
                    *(x for x in exchanged.get(step.second, [step.second]) if x not in one),
                ]
                exchanged.update((slot, both) for slot in both)
        return exchanged


def is_in_arena(slot: PlanBuffer) -> bool:
    """Whether a slot is local, and in no result's memory."""
    return slot.origin == "local" and slot.host is None


def are_disjoint(one: Sequence[PlanBuffer], other: Sequence[PlanBuffer]) -> bool:
    """Whether slots of the arena have no byte in common."""
    return all(
        a is b or a.offset + a.bytes <= b.offset or b.offset + b.bytes <= a.offset
        for a in one
        for b in other
    )


def mask_of(numbers: Sequence[int]) -> int:
    """The integer whose bits of some numbers are set."""
    if len(numbers) > FEW:
        bits = np.zeros(max(numbers) + 1, np.uint8)
        bits[list(numbers)] = 1
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def numbers_of(bits: int) -> Array:
    """The numbers of the bits that are set."""
    content = np.frombuffer(bits.to_bytes(-(-bits.bit_length() // 8), "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(content, bitorder="little"))

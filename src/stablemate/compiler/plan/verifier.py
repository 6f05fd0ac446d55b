"""Verifies plans: memory is read only after it was written, and no other value is overwritten.

What is wrong is an error of the compiler, found before there is code. Sets of slots are integers,
one bit a slot: a plan has many steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Combine, Fold, Kernel, Store, When, stored, walk
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

INDEX_BYTES = 4  # of what chooses one of several steps


def verify_plan(plan: Plan) -> None:
    """Checks a plan and its kernels.

    Raises:
        CompileError: A kernel is not right; a launch hands in too little; a step jumps nowhere,
            reads what was not written, or writes what is still needed.
    """
    PlanVerifier(plan).verify()


@dataclass(frozen=True, slots=True)
class KernelAccesses:
    """What a kernel does with its arguments.

    Attributes:
        read: The buffers that it only reads.
        written: The buffers that it writes.
    """

    read: frozenset[Buffer]
    written: frozenset[Buffer]


def kernel_accesses(kernel: Kernel) -> KernelAccesses:
    """What a kernel does with its arguments."""
    read: set[Buffer] = set()
    for statement in walk(kernel.body):
        match statement:
            case Store(_, place, value) | Fold(_, place, _, value):
                read |= place.reads | value.reads
            case Combine(_, place):
                read |= place.reads
            case When(condition):
                read |= condition.reads
            case _:
                pass
    written = stored(kernel.body)
    arguments = frozenset(kernel.arguments)
    return KernelAccesses((frozenset(read) - written) & arguments, written & arguments)


class PlanVerifier:
    """Checks one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.numbers: dict[Slot, int] = {}
        self.kernels: dict[Kernel, KernelAccesses] = {}
        self.reads = [0] * len(plan.steps)
        self.writes = [0] * len(plan.steps)
        self.fresh = [0] * len(plan.steps)  # what is written from the beginning

    def hold(self, condition: bool, step: int, message: str) -> None:
        """Refuses the plan unless a condition holds."""
        if not condition:
            self.refuse(step, message)

    def refuse(self, step: int, message: str) -> NoReturn:
        """Refuses the plan.

        Raises:
            CompileError: Always.
        """
        raise CompileError(f"step {step} of the plan: {message}")

    def verify(self) -> None:
        """Checks each step, then the order of reads and writes."""
        for number in range(len(self.plan.steps)):
            self.step(number)
        ends = bool(self.plan.steps) and isinstance(self.plan.steps[-1], Done)
        self.hold(ends, len(self.plan.steps), "the last step is not the end")
        following = [self.following(number) for number in range(len(self.plan.steps))]
        written = self.written_before(following)
        for number, reads in enumerate(self.reads):
            missing = reads & ~written[number]
            if missing:
                self.refuse(number, f"{self.names(missing)} is read, but was not written")
        self.overlaps(self.needed_after(following))

    def bit(self, slot: Slot) -> int:
        """The bit of a slot; 0 of what is there from the beginning."""
        if slot.origin in ("argument", "constant") or not slot.bytes:
            return 0
        return 1 << self.numbers.setdefault(slot, len(self.numbers))

    def bits(self, slots: Sequence[Slot]) -> int:
        """The bits of slots."""
        mask = 0
        for slot in slots:
            mask |= self.bit(slot)
        return mask

    def slots(self, bits: int) -> Iterator[Slot]:
        """The slots of bits."""
        slots = list(self.numbers)
        while bits:
            lowest = bits & -bits
            yield slots[lowest.bit_length() - 1]
            bits ^= lowest

    def names(self, bits: int) -> str:
        """What slots are called."""
        return ", ".join(map(repr, self.slots(bits)))

    # One step

    def step(self, number: int) -> None:
        """Checks one step, and notes what it reads and writes."""
        step = self.plan.steps[number]
        match step:
            case Launch():
                self.launch(number, step)
            case Copy(source, target):
                self.hold(target.bytes >= source.bytes, number, f"{target!r} is too small")
                self.note(number, [source], [target])
            case Exchange(first, second):
                same = first.bytes == second.bytes and first.origin == second.origin == "local"
                self.hold(same, number, f"{first!r} and {second!r} cannot be exchanged")
                self.note(number, [first, second], [])
            case Branch(slot, _, by_index):
                enough = slot.bytes >= (INDEX_BYTES if by_index else 1)
                self.hold(enough, number, f"{slot!r} is too small")
                self.note(number, [slot], [])
            case Request(_, operands, results):
                self.note(number, operands, results)
            case Done():
                results = [slot for slot in self.plan.slots if slot.origin == "result"]
                self.note(number, results, [])
            case Jump():
                pass

    def note(self, number: int, reads: Sequence[Slot], writes: Sequence[Slot]) -> None:
        """Notes what a step reads, and what it writes as a whole."""
        for write in writes:
            self.hold(write.origin != "constant", number, f"the constant {write!r} is written")
            self.hold(write.origin != "argument", number, f"the argument {write!r} is written")
        self.reads[number] = self.bits(reads)
        self.writes[number] = self.fresh[number] = self.bits(writes)

    def launch(self, number: int, launch: Launch) -> None:
        """Checks a launch: it hands in what the kernel takes."""
        kernel, slots = launch.kernel, launch.slots
        if kernel not in self.kernels:
            verify(kernel)
            self.kernels[kernel] = kernel_accesses(kernel)
        uses = self.kernels[kernel]
        self.hold(len(slots) == len(kernel.arguments), number, f"{kernel.name} takes other slots")
        pairs = list(zip(kernel.arguments, slots, strict=True))
        for buffer, slot in pairs:
            size = extent_of(buffer) * BYTES[buffer.type]
            self.hold(slot.bytes >= size, number, f"{slot!r} is too small for {buffer}")
        reads = [slot for buffer, slot in pairs if buffer in uses.read]
        writes = [slot for buffer, slot in pairs if buffer in uses.written]
        self.note(number, reads, writes)
        before = self.plan.steps[number - 1] if number else None
        if isinstance(before, Launch) and before.nodes and before.nodes == launch.nodes:
            self.fresh[number] &= ~self.writes[number - 1]  # parts of one result

    # All steps

    def following(self, number: int) -> Sequence[int]:
        """The steps that may come next."""
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
        for each in targets:
            self.hold(0 <= each < len(self.plan.steps), number, f"there is no step {each}")
        return targets

    def exchanged(self, number: int, bits: int) -> int:
        """The bits on the other side of a step that may exchange two slots."""
        step = self.plan.steps[number]
        if isinstance(step, Exchange):
            first, second = self.bit(step.first), self.bit(step.second)
            if bool(bits & first) != bool(bits & second):
                return bits ^ (first | second)
        return bits

    def written_before(self, following: Sequence[Sequence[int]]) -> list[int]:
        """What was written before each step, whichever way led there."""
        everything = (1 << len(self.numbers)) - 1
        before = [0, *[everything] * (len(following) - 1)]
        changed = True
        while changed:
            changed = False
            for number, targets in enumerate(following):
                after = self.exchanged(number, before[number] | self.writes[number])
                for target in targets:
                    if before[target] & ~after:
                        before[target] &= after
                        changed = True
        return before

    def needed_after(self, following: Sequence[Sequence[int]]) -> list[int]:
        """What may have been written before each step has ended and may be read after it."""
        count = len(following)
        before, after, exchanged = [0] * count, [0] * count, [0] * count
        changed = True
        while changed:
            changed = False
            for number in reversed(range(count)):
                needed = 0
                for successor in following[number]:
                    needed |= before[successor]
                after[number] = needed
                needed = self.exchanged(number, needed & ~self.fresh[number]) | self.reads[number]
                changed |= needed != before[number]
                before[number] = needed
            for number, targets in enumerate(following):
                done = self.exchanged(number, exchanged[number] | self.writes[number])
                for successor in targets:
                    changed |= bool(done & ~exchanged[successor])
                    exchanged[successor] |= done
        return [
            mask & (exchanged[number] | self.writes[number]) for number, mask in enumerate(after)
        ]

    def overlaps(self, needed: Sequence[int]) -> None:
        """Checks that no step writes where something stands that is needed."""
        parts = self.exchanges()
        for slot in self.numbers:
            if slot.origin == "local":
                inside = 0 <= slot.offset <= self.plan.arena - slot.bytes
                self.hold(inside, 0, f"{slot!r} is outside the arena")
        checked: dict[Slot, int] = {}
        for number, writes in enumerate(self.writes):
            around = needed[number] | self.reads[number]
            for slot in self.slots(writes):
                accounted = checked.get(slot, self.bit(slot))
                checked[slot] = accounted | around
                for other in self.slots(around & ~accounted):
                    if not are_disjoint(parts.get(slot, [slot]), parts.get(other, [other])):
                        self.refuse(number, f"{slot!r} is written over {other!r}")

    def exchanges(self) -> dict[Slot, list[Slot]]:
        """For slots that exchange their memory, all whose memory they may have."""
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


def are_disjoint(one: Sequence[Slot], other: Sequence[Slot]) -> bool:
    """Whether slots of the arena have no byte in common."""
    return all(
        a is b
        or "result" in (a.origin, b.origin)
        or a.offset + a.bytes <= b.offset
        or b.offset + b.bytes <= a.offset
        for a in one
        for b in other
    )

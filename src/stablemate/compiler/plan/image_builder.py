"""Builds the program image of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.compiler.codegen.bounds_checks import REPORT, SPARE
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Kernel
from stablemate.compiler.loops.verifier import extent_of
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
    step_text,
)
from stablemate.compiler.plan.verifier import INDEX_BYTES
from stablemate.compiler.program.image import COPY_BLOCKS, Place, ProgramImage, RequestRecord
from stablemate.compiler.runtime.native.step_loop import (
    BACK_EDGE,
    BRANCH,
    COPY,
    COPY_BLOCK_BYTES,
    COUNTED_BRANCH,
    EXCHANGE,
    JUMP,
    LAUNCH,
    LEAVE,
    PARALLEL_LAUNCH,
    RECORD_WORDS,
    SWITCH,
)
from stablemate.compiler.runtime.native.thread_pool import MAX_CHUNKS
from stablemate.compiler.schedule.parallel_chunks import BRIEF, Estimate, chunks_of
from stablemate.diagnostics.errors import CompileError
from stablemate.dialects.calls import is_request
from stablemate.ir.core import Operation

PARALLEL_COPY_BYTES: Final = 1 << 20  # bytes; a larger copy is cut into chunks
COPY_BLOCK_SECONDS: Final = COPY_BLOCK_BYTES * 0.2e-9


class ImageBuilder:
    """Makes the image of a plan."""

    def __init__(
        self, plan: Plan, arguments: int, names: Mapping[str, str], iterations: int | None,
        numbers: Mapping[Operation, int], *, check: bool = False,
    ) -> None:  # fmt: skip
        """Starts an image.

        Args:
            plan: The plan.
            arguments: How many arguments the program has.
            names: The function of each kernel.
            iterations: The most iterations of a loop.
            numbers: The numbers of operations.
            check: Whether kernels are checked: they are handed extents, and a place to report to.
        """
        self.plan = plan
        self.arguments = arguments
        self.names = names
        self.iterations = iterations
        self.numbers = numbers
        self.check = check
        self.reporting: list[int] = []  # words that are the address of the report
        self.words: list[int] = [0] * (RECORD_WORDS * len(plan.steps))
        self.functions: dict[str, int] = {}
        self.constants: dict[Slot, int] = {}
        self.inner: list[int] = []
        self.local: list[int] = []
        self.pointed: dict[Slot, list[int]] = {}  # where the address of a local slot stands
        self.called: list[int] = []
        self.held: list[int] = []
        self.handed: list[tuple[int, int]] = []
        self.requests: dict[int, RequestRecord] = {}
        self.loops: dict[int, int] = {}
        self.exchanged: set[Slot] = set()
        self.seconds = 0.0
        self.returns = False
        self.is_cut = False

    def image(self) -> ProgramImage:
        """The image."""
        exits = self.counted_exits() if self.iterations is not None else {}
        self.exchanged = {
            slot
            for step in self.plan.steps
            if isinstance(step, Exchange)
            for slot in (step.first, step.second)
        }
        for number, step in enumerate(self.plan.steps):
            if self.check:
                self.look_at(number, step)
            self.record(number, step, exits.get(number))
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, Exchange):
                self.exchange(RECORD_WORDS * number, step)
        report = self.report() if self.check else 0
        handed = np.array(self.handed, np.int64).reshape(-1, 2)
        constants = [slot.data for slot in self.constants if slot.data is not None]
        return ProgramImage(
            words=np.array(self.words, np.int64),
            steps=len(self.plan.steps),
            arena=self.plan.arena,
            functions=list(self.functions),
            constants=constants,
            inner=np.array(self.inner, np.int64),
            local=np.array(self.local, np.int64),
            called=np.array(self.called, np.int64),
            held=np.array(self.held, np.int64),
            handed=handed[:, 0].copy(),
            operands=handed[:, 1].copy(),
            requests=self.requests,
            loops=self.loops,
            is_brief=self.is_brief,
            is_cut=self.is_cut,
            report=report,
        )

    @property
    def is_brief(self) -> bool:
        """Whether the program ends at once, and nobody has to look at anything behind it."""
        ends = self.seconds < 10 * BRIEF and not self.returns
        return ends and not self.requests and not self.check

    def record(self, number: int, step: Step, loop: Operation | None) -> None:
        """Fills in the record of a step."""
        at = RECORD_WORDS * number
        words = self.words
        match step:
            case Launch(kernel, slots):
                seconds = Estimate(kernel).seconds
                self.launch(at, self.names[kernel.name], slots, kernel.steps, seconds)
                if self.check:
                    self.extents(kernel, slots)
            case Copy(source, target) if source.bytes >= PARALLEL_COPY_BYTES:
                blocks = -(-source.bytes // COPY_BLOCK_BYTES)
                self.launch(at, COPY_BLOCKS, (target, source), blocks, COPY_BLOCK_SECONDS)
                words.append(source.bytes)
            case Copy(source, target):
                words[at], words[at + 3] = COPY, source.bytes
                self.point(at + 1, target)
                self.point(at + 2, source)
                self.seconds += source.bytes * 0.2e-9
            case Jump(target, loops):
                words[at], words[at + 1] = BACK_EDGE if loops else JUMP, target
                self.returns |= loops
            case Exchange():
                words[at] = EXCHANGE
            case Branch(slot, targets, by_index):
                self.point(at + 1, slot)
                if by_index:
                    words[at], words[at + 3] = SWITCH, len(targets) - 1
                    self.table(at + 2)
                    words += targets
                else:
                    words[at : at + 4 : 1] = [BRANCH, words[at + 1], *targets]
                    if loop is not None:
                        assert self.iterations is not None
                        words[at], words[at + 5] = COUNTED_BRANCH, self.iterations
                        self.loops[number] = self.numbers[loop]
            case Request(node, operands, results):
                words[at] = LEAVE
                self.requests[number] = RequestRecord(
                    self.numbers[node.operation],
                    [self.place(operand) for operand in operands],
                    [self.place(result) for result in results],
                    is_request(node.operation),
                )
            case _:
                words[at] = LEAVE

    def launch(
        self, at: int, function: str, slots: Sequence[Slot], steps: int, seconds: float
    ) -> None:
        """Fills in the record of a launch."""
        size, chunks = chunks_of(steps, seconds, MAX_CHUNKS)
        total = steps * seconds
        self.seconds += total
        self.is_cut |= chunks > 1
        self.words[at] = LAUNCH if total < BRIEF else PARALLEL_LAUNCH
        self.words[at + 1] = self.functions.setdefault(function, len(self.functions))
        self.called.append(at + 1)
        self.words[at + 3 : at + 6] = [steps, size, chunks]
        self.table(at + 2)
        start = len(self.words)
        self.words += [0] * len(slots)
        for i, slot in enumerate(slots):
            self.point(start + i, slot)

    def extents(self, kernel: Kernel, slots: Sequence[Slot]) -> None:
        """Hands a checked kernel, behind its buffers, where to report to and how large they are."""
        self.reporting.append(len(self.words))
        self.words.append(0)
        for buffer, slot in zip(kernel.arguments, slots, strict=True):
            fitting = self.reach(slot) // BYTES[buffer.type]
            self.words.append(min(extent_of(buffer), fitting))

    def look_at(self, number: int, step: Step) -> None:
        """Checks what the native loop itself reads and writes.

        Raises:
            CompileError: It leaves a slot.
        """
        needs: list[tuple[Slot, int]] = []
        match step:
            case Copy(source, target):
                needs = [(source, source.bytes), (target, source.bytes)]
            case Branch(slot, _, by_index):
                needs = [(slot, INDEX_BYTES if by_index else 1)]
            case Request(_, operands, results):
                needs = [(operand, operand.bytes) for operand in (*operands, *results)]
            case _:
                pass
        for slot, size in needs:
            available = self.reach(slot)
            if available < size:
                message = f"{size} bytes are not inside {slot!r}, of which there are {available}"
                raise CompileError(f"step {number} of the plan, {step_text(step)}: {message}")

    def reach(self, slot: Slot) -> int:
        """How many bytes from the beginning of a slot on are its own."""
        match slot.origin:
            case "local":
                return max(0, min(slot.bytes, self.plan.arena - slot.offset))
            case "constant":
                return 0 if slot.data is None else min(slot.bytes, slot.data.nbytes)
            case _:
                return slot.bytes

    def report(self) -> int:
        """Adds the words of the report; the first of them."""
        first = len(self.words)
        for word in self.reporting:
            self.words[word] = 8 * first
        self.inner += self.reporting
        self.words += [0] * (REPORT + SPARE)
        return first

    def exchange(self, at: int, step: Exchange) -> None:
        """Fills in which words an exchange changes, once all of them are known."""
        for place, slot in ((at + 1, step.first), (at + 3, step.second)):
            pointed = self.pointed[slot]
            self.table(place)
            self.words[place + 1] = len(pointed)
            for pointer in pointed:
                self.inner.append(len(self.words))
                self.words.append(8 * pointer)

    def table(self, at: int) -> None:
        """Lets a word be the address of what is added next."""
        self.words[at] = 8 * len(self.words)
        self.inner.append(at)

    def point(self, at: int, slot: Slot) -> None:
        """Lets a word be the address of a slot."""
        match slot.origin:
            case "local":
                self.words[at] = slot.offset
                self.local.append(at)
                self.pointed.setdefault(slot, []).append(at)
            case "constant":
                self.words[at] = self.constants.setdefault(slot, len(self.constants))
                self.held.append(at)
            case "argument":
                self.handed.append((at, slot.position))
            case "result":
                self.handed.append((at, self.arguments + slot.position))

    def place(self, slot: Slot) -> Place:
        """Where a slot is, as numbers."""
        match slot.origin:
            case "local" if slot in self.exchanged:
                at = len(self.words)
                self.words.append(0)
                self.point(at, slot)
                return "moving", at
            case "local":
                return slot.origin, slot.offset
            case "constant":
                return slot.origin, self.constants.setdefault(slot, len(self.constants))
            case _:
                return slot.origin, slot.position

    def counted_exits(self) -> dict[int, Operation]:
        """The step that leaves each loop of the program, with the operation of the loop."""
        return {i: loop for i, loop in loop_exits(self.plan) if loop in self.numbers}


def loop_exits(plan: Plan) -> Iterator[tuple[int, Operation]]:
    """The step that leaves each loop, with the operation of the loop."""
    for number, step in enumerate(plan.steps):
        if isinstance(step, Jump) and step.loops:
            assert step.node is not None
            for i in range(step.target, number):
                inner = plan.steps[i]
                if isinstance(inner, Branch) and inner.targets == [number + 1, i + 1]:
                    yield i, step.node.operation
                    break

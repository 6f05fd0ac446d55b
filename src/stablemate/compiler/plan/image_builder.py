"""Builds the program image of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.bounds_checks import REPORT, SPARE
from stablemate.compiler.library_calls.calls import (
    MAX_ARGUMENTS,
    REFERENCE_WORDS,
    CallSequence,
    Reference,
    Space,
)
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Kernel
from stablemate.compiler.loops.verifier import extent_of
from stablemate.compiler.plan.argument_reuse import reusable_arguments
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
    exchanged_slots,
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
    REPEATED_LAUNCH,
    SWITCH,
)
from stablemate.compiler.runtime.native.thread_pool import MAX_CHUNKS
from stablemate.compiler.schedule.chunk_sizes import BRIEF, SHORT, chunks_of
from stablemate.compiler.schedule.parallel_chunks import Estimate
from stablemate.diagnostics.errors import CompileError
from stablemate.dialects.calls import is_request
from stablemate.ir.core import Operation

PARALLEL_COPY_BYTES: Final = 1 << 20  # a copy of so many bytes is split into chunks
COPY_BLOCK_SECONDS: Final = COPY_BLOCK_BYTES * 0.2e-9


class ImageBuilder:
    """Builds the program image of a plan."""

    def __init__(
        self, plan: Plan, arguments: int, names: Mapping[str, str], iterations: int | None,
        numbers: Mapping[Operation, int], *, check: bool = False,
    ) -> None:  # fmt: skip
        """Creates an image builder.

        Args:
            plan: The plan.
            arguments: How many arguments the program has.
            names: The function of each kernel.
            iterations: The largest number of iterations of a loop; None if it is not limited.
            numbers: The numbers of operations.
            check: Whether kernels are checked: they get the extents of buffers and a place for
                reports.
        """
        self.plan = plan
        self.argument_count = arguments
        self.function_names = names
        self.iterations = iterations
        self.operation_numbers = numbers
        self.check = check
        self.report_address_words: list[int] = []  # words that hold the address of the report
        self.words: list[int] = [0] * (RECORD_WORDS * len(plan.steps))
        self.function_numbers: dict[str, int] = {}
        self.constant_numbers: dict[Slot, int] = {}
        self.word_relocations: list[int] = []
        self.arena_relocations: list[int] = []
        self.address_words: dict[
            Slot, list[int]
        ] = {}  # the words that hold the address of a local slot
        self.function_relocations: list[int] = []
        self.constant_relocations: list[int] = []
        self.operand_relocations: list[tuple[int, int]] = []
        self.requests: dict[int, RequestRecord] = {}
        self.loops: dict[int, int] = {}
        self.exchanged: set[Slot] = set()
        self.estimates: dict[str, float] = {}  # seconds of an iteration, by function
        self.seconds = 0.0
        self.has_back_edges = False
        self.is_parallel = False

    def image(self) -> ProgramImage:
        """The image."""
        loop_exits_by_step = self.counted_exits() if self.iterations is not None else {}
        self.exchanged = exchanged_slots(self.plan.steps)
        for number, step in enumerate(self.plan.steps):
            if self.check:
                self.check_accesses(number, step)
            self.write_step(number, step, loop_exits_by_step.get(number))
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, Exchange):
                self.write_exchange(RECORD_WORDS * number, step)
        report = self.add_report() if self.check else 0
        relocations = np.array(self.operand_relocations, np.int64).reshape(-1, 2)
        constants = [slot.data for slot in self.constant_numbers if slot.data is not None]
        return ProgramImage(
            words=np.array(self.words, np.int64),
            steps=len(self.plan.steps),
            arena=self.plan.arena,
            functions=list(self.function_numbers),
            constants=constants,
            word_relocations=np.array(self.word_relocations, np.int64),
            arena_relocations=np.array(self.arena_relocations, np.int64),
            function_relocations=np.array(self.function_relocations, np.int64),
            constant_relocations=np.array(self.constant_relocations, np.int64),
            operand_relocations=relocations[:, 0].copy(),
            operand_numbers=relocations[:, 1].copy(),
            reusable_arguments=np.array(self.reusable_arguments(), np.int64).ravel(),
            requests=self.requests,
            loops=self.loops,
            is_short=self.is_short,
            is_parallel=self.is_parallel,
            report=report,
        )

    @property
    def is_short(self) -> bool:
        """Whether the program makes no requests and ends too soon to poll for signals."""
        ends = self.seconds < SHORT and not self.has_back_edges
        return ends and not self.requests and not self.check

    def reusable_arguments(self) -> Sequence[tuple[int, int]]:
        """Pairs of an argument and a result that may be written over it."""
        return reusable_arguments(self.plan)

    def write_step(self, number: int, step: Step, loop: Operation | None) -> None:
        """Writes the record of a step."""
        at = RECORD_WORDS * number
        words = self.words
        match step:
            case Launch(kernel, slots):
                function = self.function_names[kernel.name]
                if function not in self.estimates:
                    self.estimates[function] = Estimate(kernel).seconds
                repeats = kernel.repeated is not None
                one_by_one = repeats and (self.check or self.iterations is not None)
                iterations = 1 if one_by_one else kernel.steps
                self.write_launch(at, function, slots, iterations, self.estimates[function])
                if repeats:  # in order, whatever they take
                    words[at], words[at + 4], words[at + 5] = LAUNCH, iterations, 1
                words[at + 6] = repeats
                if self.check:
                    self.add_extents(kernel, slots)
            case Copy(source, target) if source.bytes >= PARALLEL_COPY_BYTES:
                blocks = -(-source.bytes // COPY_BLOCK_BYTES)
                self.write_launch(at, COPY_BLOCKS, (target, source), blocks, COPY_BLOCK_SECONDS)
                words.append(source.bytes)
            case Copy(source, target):
                words[at], words[at + 3] = COPY, source.bytes
                self.add_address(at + 1, target)
                self.add_address(at + 2, source)
                self.seconds += source.bytes * 0.2e-9
            case Jump(target, loops):
                words[at], words[at + 1] = BACK_EDGE if loops else JUMP, target
                self.has_back_edges |= loops
                if loops and not self.check and self.iterations is None:
                    self.write_repeated_launch(number, target)
            case Exchange():
                words[at] = EXCHANGE
            case Branch(slot, targets, by_index):
                self.add_address(at + 1, slot)
                if by_index:
                    words[at], words[at + 3] = SWITCH, len(targets) - 1
                    self.add_table_address(at + 2)
                    words += targets
                else:
                    words[at : at + 4 : 1] = [BRANCH, words[at + 1], *targets]
                    if loop is not None:
                        assert self.iterations is not None
                        words[at], words[at + 5] = COUNTED_BRANCH, self.iterations
                        self.loops[number] = self.operation_numbers[loop]
            case Request(calls=CallSequence() as calls):
                self.write_library_calls(at, step, calls)
            case Request(node, operands, results):
                words[at] = LEAVE
                self.requests[number] = RequestRecord(
                    self.operation_numbers[node.operation],
                    [self.place_of(operand) for operand in operands],
                    [self.place_of(result) for result in results],
                    is_request(node.operation),
                )
            case _:
                words[at] = LEAVE

    def write_launch(
        self, at: int, function: str, slots: Sequence[Slot], steps: int, seconds: float
    ) -> None:
        """Writes the record of a launch."""
        size, chunks = chunks_of(steps, seconds, MAX_CHUNKS)
        total = steps * seconds
        self.seconds += total
        self.is_parallel |= chunks > 1
        self.words[at] = LAUNCH if total < BRIEF else PARALLEL_LAUNCH
        self.words[at + 3 : at + 6] = [steps, size, chunks]
        self.write_function(at, function, slots)

    def write_function(self, at: int, function: str, slots: Sequence[Slot]) -> None:
        """Writes the function of a launch and the addresses of its buffers."""
        self.words[at + 1] = self.function_numbers.setdefault(function, len(self.function_numbers))
        self.function_relocations.append(at + 1)
        self.add_table_address(at + 2)
        start = len(self.words)
        self.words += [0] * len(slots)
        for i, slot in enumerate(slots):
            self.add_address(start + i, slot)

    def write_repeated_launch(self, number: int, target: int) -> None:
        """Lets the record of a back edge launch the body of its loop, if that is one short launch.

        Args:
            number: The step of the back edge.
            target: The step that it continues at.
        """
        exit_step, body = self.plan.steps[target], self.plan.steps[number - 1]
        at, launch = RECORD_WORDS * number, RECORD_WORDS * (number - 1)
        is_whole = isinstance(exit_step, Branch) and exit_step.targets == [number + 1, number - 1]
        if not is_whole or not isinstance(body, Launch) or self.words[launch] != LAUNCH:
            return
        assert isinstance(exit_step, Branch)
        self.words[at] = REPEATED_LAUNCH
        self.write_back_edge(at, launch, exit_step.slot)

    def write_back_edge(self, at: int, launch: int, condition: Slot) -> None:
        """Writes into the record of a back edge what it needs to launch the body of its loop."""
        self.add_address(at + 2, condition)
        self.words[at + 3 : at + 6] = [self.words[launch + i] for i in (1, 2, 3)]
        self.function_relocations.append(at + 3)
        self.word_relocations.append(at + 4)

    def write_library_calls(self, at: int, step: Request, calls: CallSequence) -> None:
        """Writes the record of library calls, whose arguments are the records of the calls."""
        self.write_launch(at, calls.kernel, (), calls.groups, calls.seconds)
        self.words.append(len(calls.calls))
        self.add_number(calls.iterations)
        self.add_number(calls.groups)
        for call in calls.calls:
            number = self.function_numbers.setdefault(call.function, len(self.function_numbers))
            self.function_relocations.append(len(self.words))
            self.words += [number, len(call.arguments)]
            missing = MAX_ARGUMENTS - len(call.arguments)
            for reference in (call.guard, *call.arguments, *[None] * missing):
                if reference is None:
                    self.words += [0] * REFERENCE_WORDS
                    continue
                self.words.append(0)
                self.add_base(len(self.words) - 1, step, reference)
                for number in (reference.offset, reference.stride, reference.group_stride):
                    self.add_number(number)

    def add_number(self, number: Any) -> None:
        """Adds a word that holds a number."""
        self.words.append(number)

    def add_base(self, at: int, step: Request, reference: Reference) -> None:
        """Makes a word the address that an argument of a library call is relative to."""
        scratch, parameters = step.scratch
        spaces: Mapping[Space, Sequence[Slot]] = {
            "scratch": [scratch], "parameters": [parameters], "operand": step.operands,
            "result": step.results,
        }  # fmt: skip
        self.add_address(at, spaces[reference.space][reference.number])

    def add_extents(self, kernel: Kernel, slots: Sequence[Slot]) -> None:
        """Adds the address of the report and the extents after the buffers of a checked kernel."""
        self.report_address_words.append(len(self.words))
        self.words.append(0)
        for buffer, slot in zip(kernel.arguments, slots, strict=True):
            available = self.accessible_bytes(slot) // BYTES[buffer.type]
            self.words.append(min(extent_of(buffer), available))

    def check_accesses(self, number: int, step: Step) -> None:
        """Checks the accesses of the native loop itself.

        Raises:
            CompileError: An access is outside its slot.
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
            available = self.accessible_bytes(slot)
            if available < size:
                message = f"{size} bytes are not inside {slot!r}, of which there are {available}"
                raise CompileError(f"step {number} of the plan, {step_text(step)}: {message}")

    def accessible_bytes(self, slot: Slot) -> int:
        """The bytes of a slot that may be accessed from its beginning on."""
        match slot.origin:
            case "local":
                return max(0, min(slot.bytes, self.plan.arena - slot.offset))
            case "constant":
                return 0 if slot.data is None else min(slot.bytes, slot.data.nbytes)
            case _:
                return slot.bytes

    def add_report(self) -> int:
        """Adds the words of the report and returns the number of the first."""
        first = len(self.words)
        for word in self.report_address_words:
            self.words[word] = 8 * first
        self.word_relocations += self.report_address_words
        self.words += [0] * (REPORT + SPARE)
        return first

    def write_exchange(self, at: int, step: Exchange) -> None:
        """Writes which words an exchange changes, once all of them are known."""
        for place, slot in ((at + 1, step.first), (at + 3, step.second)):
            address_words = self.address_words[slot]
            self.add_table_address(place)
            self.words[place + 1] = len(address_words)
            for pointer in address_words:
                self.word_relocations.append(len(self.words))
                self.words.append(8 * pointer)

    def add_table_address(self, at: int) -> None:
        """Makes a word the address of the table that is added next."""
        self.words[at] = 8 * len(self.words)
        self.word_relocations.append(at)

    def add_address(self, at: int, slot: Slot) -> None:
        """Makes a word the address of a slot."""
        match slot.origin:
            case "local":
                self.words[at] = slot.offset
                self.arena_relocations.append(at)
                self.address_words.setdefault(slot, []).append(at)
            case "constant":
                self.words[at] = self.constant_numbers.setdefault(slot, len(self.constant_numbers))
                self.constant_relocations.append(at)
            case "argument":
                self.operand_relocations.append((at, slot.position))
            case "result":
                self.operand_relocations.append((at, self.argument_count + slot.position))

    def place_of(self, slot: Slot) -> Place:
        """The place of a slot, as numbers."""
        match slot.origin:
            case "local" if slot in self.exchanged:
                at = len(self.words)
                self.words.append(0)
                self.add_address(at, slot)
                return "moving", at
            case "local":
                return slot.origin, slot.offset
            case "constant":
                return slot.origin, self.constant_numbers.setdefault(
                    slot, len(self.constant_numbers)
                )
            case _:
                return slot.origin, slot.position

    def counted_exits(self) -> dict[int, Operation]:
        """The steps that exit loops of the program itself, with the operations of the loops."""
        return {i: loop for i, loop in loop_exits(self.plan) if loop in self.operation_numbers}


def loop_exits(plan: Plan) -> Iterator[tuple[int, Operation]]:
    """The step that exits each loop, with the operation of the loop."""
    for number, step in enumerate(plan.steps):
        if isinstance(step, Jump) and step.loops:
            assert step.node is not None
            for i in range(step.target, number):
                exit_step = plan.steps[i]
                if isinstance(exit_step, Branch) and exit_step.targets == [number + 1, i + 1]:
                    yield i, step.node.operation
                    break

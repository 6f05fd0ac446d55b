"""Builds the program image of a plan.

What depends on symbolic sizes is a *value*, which is known when a program is called: the image of a
version for many sizes lists values, the words that hold them, and launches of unknown length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from stablemate.compiler.codegen.bounds_checks import REPORT, SPARE
from stablemate.compiler.library_calls.calls import (
    MAX_ARGUMENTS,
    REFERENCE_WORDS,
    WORD_BYTES,
    CallSequence,
    Reference,
    Space,
)
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import Kernel
from stablemate.compiler.loops.verifier import extent_of
from stablemate.compiler.plan.argument_reuse import reusable_arguments
from stablemate.compiler.plan.buffer_assignment import lifetimes
from stablemate.compiler.plan.kernel_functions import KernelFunctions
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    JumpStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Request,
    Step,
    SwapSlots,
    exchanged_slots,
    step_text,
)
from stablemate.compiler.plan.verifier import INDEX_BYTES
from stablemate.compiler.program.image import COPY_BLOCKS, Place, ProgramImage, RequestRecord
from stablemate.compiler.program.sized_image import SizedImage, SizedLaunch
from stablemate.compiler.runtime.native.step_table import (
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
from stablemate.compiler.schedule.chunk_sizes import BRIEF, SHORT, chunks_of, iteration_seconds
from stablemate.compiler.schedule.parallel_chunks import KernelWork
from stablemate.diagnostics.errors import CompileError
from stablemate.dialects.calls import is_request
from stablemate.ir.core import Operation
from stablemate.numerics.size_functions import condition_text, evaluation_text
from stablemate.numerics.symbolic_sizes import Assumptions, SizeLike, SymbolicSize, is_symbolic

# Threads share a large copy; a small one would cost handing it out.
PARALLEL_COPY_BYTES: Final = 1 << 20  # a copy of so many bytes is split into chunks
COPY_BLOCK_SECONDS: Final = COPY_BLOCK_BYTES * 0.2e-9
NO_TRANSFERS: Final[Sequence[tuple[int, int]]] = ()


class SymbolicArguments(NamedTuple):
    """The sizes of the arguments and results of a version.

    Attributes:
        assumptions: What is assumed of sizes.
        sizes: What the dynamic sizes of the arguments are, in order.
        typical: The shapes of the arguments for which it is compiled.
        results: The shapes of the results.
    """

    assumptions: Assumptions
    sizes: Sequence[SizeLike]
    typical: Sequence[Sequence[int]]
    results: Sequence[Sequence[SizeLike]]


class ImageBuilder:
    """Builds the program image of a plan."""

    def __init__(
        self, plan: Plan, arguments: int, functions: KernelFunctions, iterations: int | None,
        numbers: Mapping[Operation, int], *, check: bool = False,
    ) -> None:  # fmt: skip
        """Creates an image builder.

        Args:
            plan: The plan.
            arguments: How many arguments the program has.
            functions: The functions of its kernels.
            iterations: The largest number of iterations of a loop; None if it is not limited.
            numbers: The numbers of operations.
            check: Whether kernels are checked: they get the extents of buffers and a place for
                reports.
        """
        self.plan = plan
        self.argument_count = arguments
        self.kernel_functions = functions
        self.iterations = iterations
        self.operation_numbers = numbers
        self.check = check
        self.report_address_words: list[int] = []  # words that hold the address of the report
        self.words: list[int] = [0] * (RECORD_WORDS * len(plan.steps))
        self.function_numbers: dict[str, int] = {}
        self.constant_numbers: dict[PlanBuffer, int] = {}
        self.word_relocations: list[int] = []
        self.arena_relocations: list[int] = []
        self.address_words: dict[
            PlanBuffer, list[int]
        ] = {}  # the words that hold the address of a local slot
        self.function_relocations: list[int] = []
        self.constant_relocations: list[int] = []
        self.operand_relocations: list[tuple[int, int]] = []
        self.requests: dict[int, RequestRecord] = {}
        self.loops: dict[int, int] = {}
        self.exchanged: set[PlanBuffer] = set()
        self.work: dict[str, KernelWork] = {}  # by function
        self.values: dict[tuple[str, object], int] = {}  # what depends on sizes, by number
        self.value_words: list[tuple[int, int]] = []  # words, and the values that they hold
        self.sized_launches: list[SizedLaunch] = []
        self.parameter_words: list[int] = []  # that hold the address of parameters of calls
        self.seconds = 0.0
        self.has_back_edges = False
        self.is_parallel = False

    def image(self) -> ProgramImage:
        """Encodes all steps of the plan as the words that the runtime's loop reads."""
        loop_exits_by_step = self.counted_exits() if self.iterations is not None else {}
        self.exchanged = exchanged_slots(self.plan.steps)
        for number, step in enumerate(self.plan.steps):
            if self.check:
                self.check_accesses(number, step)
            self.write_step(number, step, loop_exits_by_step.get(number))
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, SwapSlots):
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

    def sized_image(self, arguments: SymbolicArguments) -> SizedImage:
        """The image of a version; nothing is assumed of sizes after this."""
        image = self.image()
        lifetime = lifetimes(self.plan)
        numbers = {slot: number for number, slot in enumerate(lifetime)}
        slots = [(self.value(slot.bytes), *steps) for slot, steps in lifetime.items()]
        by_word = {word: slot for slot, words in self.address_words.items() for word in words}
        shapes = [[self.value(size) for size in shape] for shape in arguments.results]
        return SizedImage(
            image=image,
            typical=arguments.typical,
            variables=[variable_of(size) for size in arguments.sizes],
            fixed=[0 if isinstance(size, SymbolicSize) else size for size in arguments.sizes],
            condition=condition_text(arguments.assumptions),
            evaluation=evaluation_text(arguments.assumptions, [value for _, value in self.values]),
            value_words=np.array(self.value_words, np.int64).reshape(-1, 2),
            local_slots=np.array(slots, np.int64).reshape(-1, 3),
            arena_slots=np.array(
                [numbers[by_word[word]] for word in self.arena_relocations], np.int64
            ),
            launches=self.sized_launches,
            seconds=self.seconds,
            may_be_short=not self.has_back_edges and not self.check,
            results=shapes,
        )

    @property
    def is_short(self) -> bool:
        """Whether the program makes no requests and ends too soon to poll for signals."""
        ends = self.seconds < SHORT and not self.has_back_edges
        return ends and not self.requests and not self.check

    def reusable_arguments(self) -> Sequence[tuple[int, int]]:
        """Pairs of an argument and a result that may be written over it, whatever the sizes are."""
        return () if self.plan.has_symbolic_sizes else reusable_arguments(self.plan)

    def value(self, value: float | SizeLike) -> int:
        """The number of a value."""
        key = type(value).__name__, value  # 1 is not 1.0
        return self.values.setdefault(key, len(self.values))

    def write_step(self, number: int, step: Step, loop: Operation | None) -> None:
        """Writes the record of a step."""
        at = RECORD_WORDS * number
        words = self.words
        match step:
            case LaunchStep(kernel, slots):
                self.write_kernel(at, kernel, slots)
            case CopySlot(source, target) if is_symbolic(source.bytes) or (
                source.bytes >= PARALLEL_COPY_BYTES
            ):
                blocks = -(-source.bytes // COPY_BLOCK_BYTES)
                self.write_launch(at, COPY_BLOCKS, (target, source), blocks, COPY_BLOCK_SECONDS)
                self.add_number(source.bytes)
            case CopySlot(source, target):
                words[at], words[at + 3] = COPY, source.bytes
                self.add_address(at + 1, target)
                self.add_address(at + 2, source)
                self.seconds += source.bytes * 0.2e-9
            case JumpStep(target, loops):
                words[at], words[at + 1] = BACK_EDGE if loops else JUMP, target
                self.has_back_edges |= loops
                if loops and not self.check and self.iterations is None:
                    self.write_repeated_launch(number, target)
            case SwapSlots():
                words[at] = EXCHANGE
            case BranchStep(slot, targets, by_index):
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

    def write_kernel(self, at: int, kernel: Kernel, slots: Sequence[PlanBuffer]) -> None:
        """Writes the record of the launch of a kernel; the sizes that it loads follow its buffers.

        Iterations that a condition ends run in order, in one chunk.
        """
        function = self.kernel_functions.names[kernel.name]
        if function not in self.work:
            self.work[function] = KernelWork(kernel)
        work, is_repeated = self.work[function], kernel.repeated is not None
        one_by_one = is_repeated and (self.check or self.iterations is not None)
        iterations = 1 if one_by_one else kernel.steps
        self.write_launch(
            at, function, slots, iterations, work.seconds, work.transfers, is_repeated=is_repeated
        )
        self.words[at + 6] = is_repeated
        if self.check:
            self.add_extents(kernel, slots)
        for size in self.kernel_functions.sizes[function]:
            self.add_number(size)

    def write_launch(
        self, at: int, function: str, slots: Sequence[PlanBuffer], steps: int, seconds: float,
        transfers: Sequence[tuple[int, int]] = NO_TRANSFERS, *, is_repeated: bool = False,
    ) -> None:  # fmt: skip
        """Writes the record of a launch.

        Args:
            at: The first word of the record.
            function: The function.
            slots: Its buffers.
            steps: How many iterations it has.
            seconds: The time of an iteration without moving bytes.
            transfers: For each argument, the bytes that an iteration moves and those there are.
            is_repeated: Whether a condition ends the iterations.
        """
        sizes = (steps, seconds, *(size for pair in transfers for size in pair))
        if any(map(is_symbolic, sizes)):
            values = [(self.value(size), self.value(all_)) for size, all_ in transfers]
            launch = SizedLaunch(at, self.value(steps), self.value(seconds), values, is_repeated)
            self.sized_launches.append(launch)
        else:
            duration = iteration_seconds(seconds, steps, transfers)
            self.write_division(at, steps, duration, is_repeated=is_repeated)
        self.write_function(at, function, slots)

    def write_division(self, at: int, steps: int, seconds: float, *, is_repeated: bool) -> None:
        """Writes how the iterations of a launch are divided into chunks."""
        total = steps * seconds
        self.seconds += total
        if is_repeated:
            kind, size, chunks = LAUNCH, steps, 1
        else:
            kind = LAUNCH if total < BRIEF else PARALLEL_LAUNCH
            size, chunks = chunks_of(steps, seconds, MAX_CHUNKS)
        self.is_parallel |= chunks > 1
        self.words[at] = kind
        self.words[at + 3 : at + 6] = [steps, size, chunks]

    def write_function(self, at: int, function: str, slots: Sequence[PlanBuffer]) -> None:
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
        if not isinstance(exit_step, BranchStep) or not isinstance(body, LaunchStep):
            return
        if exit_step.targets != [number + 1, number - 1]:
            return
        at, launch = RECORD_WORDS * number, RECORD_WORDS * (number - 1)
        if self.sized_launches and self.sized_launches[-1].record == launch:
            self.sized_launches[-1] = self.sized_launches[-1]._replace(back_edge=at)
        elif self.words[launch] == LAUNCH:
            self.words[at] = REPEATED_LAUNCH
        else:
            return
        self.write_back_edge(at, launch, exit_step.slot)

    def write_back_edge(self, at: int, launch: int, condition: PlanBuffer) -> None:
        """Writes into the record of a back edge what it needs to launch the body of its loop."""
        self.add_address(at + 2, condition)
        self.words[at + 3 : at + 6] = [self.words[launch + i] for i in (1, 2, 3)]
        self.function_relocations.append(at + 3)
        self.word_relocations.append(at + 4)

    def write_library_calls(self, at: int, step: Request, calls: CallSequence) -> None:
        """Writes the record of library calls, whose arguments are the records of the calls.

        Parameters follow it if they depend on sizes.
        """
        self.parameter_words = []
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

        for word in self.parameter_words:
            self.words[word] = WORD_BYTES * len(self.words)
        if self.parameter_words:
            for parameter in calls.parameters:
                self.add_number(parameter)

    def add_number(self, number: SizeLike) -> None:
        """Adds a word that holds a number, or the value of a size."""
        if is_symbolic(number):
            self.value_words.append((len(self.words), self.value(number)))
        self.words.append(0 if isinstance(number, SymbolicSize) else number)

    def add_base(self, at: int, step: Request, reference: Reference) -> None:
        """Makes a word the address that an argument of a library call is relative to."""
        assert step.calls is not None
        if reference.space == "parameters" and any(map(is_symbolic, step.calls.parameters)):
            self.word_relocations.append(at)
            self.parameter_words.append(at)
            return
        scratch, parameters = step.scratch
        spaces: Mapping[Space, Sequence[PlanBuffer]] = {
            "scratch": [scratch], "parameters": [parameters], "operand": step.operands,
            "result": step.results,
        }  # fmt: skip
        self.add_address(at, spaces[reference.space][reference.number])

    def add_extents(self, kernel: Kernel, slots: Sequence[PlanBuffer]) -> None:
        """Adds the address of the report and the extents after the buffers of a checked kernel."""
        self.report_address_words.append(len(self.words))
        self.words.append(0)
        for buffer, slot in zip(kernel.arguments, slots, strict=True):
            extent, available = extent_of(buffer), self.accessible_bytes(slot)
            if is_symbolic(extent) or is_symbolic(available):  # verified to fit the slots
                self.add_number(extent)
            else:
                self.words.append(min(extent, available // BYTES[buffer.type]))

    def check_accesses(self, number: int, step: Step) -> None:
        """Checks the accesses of the native loop itself.

        Raises:
            CompileError: An access is outside its slot.
        """
        needs: list[tuple[PlanBuffer, int]] = []
        match step:
            case CopySlot(source, target):
                needs = [(source, source.bytes), (target, source.bytes)]
            case BranchStep(slot, _, by_index):
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

    def accessible_bytes(self, slot: PlanBuffer) -> int:
        """The bytes of a slot that may be accessed from its beginning on."""
        match slot.origin:
            case "local" if slot.host is not None:
                return min(slot.bytes, slot.host.bytes)
            case "local" if self.plan.has_symbolic_sizes:  # all are inside the arena
                return slot.bytes
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

    def write_exchange(self, at: int, step: SwapSlots) -> None:
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

    def add_address(self, at: int, slot: PlanBuffer) -> None:
        """Makes a word the address of a slot."""
        match slot.origin:
            case "local" if slot.host is not None:
                self.add_address(at, slot.host)
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

    def place_of(self, slot: PlanBuffer) -> Place:
        """The place of a slot, as numbers."""
        match slot.origin:
            case "local" if slot in self.exchanged:
                at = len(self.words)
                self.words.append(0)
                self.add_address(at, slot)
                return "moving", at
            case "local" if slot.host is not None:
                return "hosted", slot.host.position
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


def variable_of(size: SizeLike) -> int:
    """The number of the variable that a size is; -1 for a number."""
    if not isinstance(size, SymbolicSize):
        return -1
    ((number,),) = size.terms
    return number


def loop_exits(plan: Plan) -> Iterator[tuple[int, Operation]]:
    """The step that exits each loop, with the operation of the loop."""
    for number, step in enumerate(plan.steps):
        if isinstance(step, JumpStep) and step.loops:
            assert step.node is not None
            for i in range(step.target, number):
                exit_step = plan.steps[i]
                if isinstance(exit_step, BranchStep) and exit_step.targets == [number + 1, i + 1]:
                    yield i, step.node.operation
                    break

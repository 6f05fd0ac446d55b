"""A program instance: a compiled program with memory of its own, which runs one call at a time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from time import perf_counter_ns
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.bounds_checks import LAUNCHED, REPORT
from stablemate.compiler.codegen.loader import Loaded
from stablemate.compiler.graph.memory_types import in_memory
from stablemate.compiler.program.image import Place, ProgramImage, RequestRecord
from stablemate.compiler.runtime.grid.concurrent_processes import ConcurrentRun, run_concurrently
from stablemate.compiler.runtime.grid.grid_position import GridPosition
from stablemate.compiler.runtime.grid.native_data_movement import NativeMover, address_of
from stablemate.compiler.runtime.memory_views import (
    ExchangedView,
    HostedView,
    View,
    Views,
    view_of,
    write_view,
)
from stablemate.compiler.runtime.native.entry_point import BUSY, UNFIT
from stablemate.compiler.runtime.native.runtime import (
    TUPLE_ITEMS_OFFSET,
    ExpectedOperand,
    OperandRows,
    Runtime,
)
from stablemate.compiler.runtime.native.step_table import (
    COPY,
    DEADLINE,
    ITERATION_LIMIT,
    LEAVE,
    POOL,
    REACHED_REQUEST,
    REASON,
    RECORD_WORDS,
    SHORTCUT,
    STATE_WORDS,
    STEP,
    THREADS,
    TIME_SLICE,
    TIME_SLICE_OVER,
)
from stablemate.compiler.runtime.native.tensor_calls import UNSTARTED
from stablemate.compiler.runtime.request_interface import RequestHandler
from stablemate.compiler.runtime.run_trace import LoggedRecords, RequestLog
from stablemate.compiler.runtime.signal_polling import CLOCK
from stablemate.execution.collectives.data_movement import NativeSteps, Shortcut
from stablemate.fork_safety import cached_property
from stablemate.interpreter.block import FAILURES
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.definition import unpack_results
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import IN_TARGETS, CollectiveRequest, Compute, Process
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

ALIGNMENT: Final = 64  # bytes of a cache line
# Memory that is used again has its pages already: ``python -m benchmarks.call_overhead`` measures
# calls.
MAX_KEPT_RESULTS: Final = (
    2  # of results that are kept to be used again when the caller has dropped them
)


class Instance:
    """A compiled program in memory.

    Attributes:
        image: The program.
        request_log: Notes its requests while a trace is recorded.
        logged_records: The records that native code runs while a trace is recorded; None if none
            has been.
    """

    def __init__(
        self, image: ProgramImage, code: Loaded, runtime: Runtime,
        expected: Sequence[ExpectedOperand], arguments: int, handler: RequestHandler,
        mover: NativeMover, threads: int,
    ) -> None:  # fmt: skip
        """Loads a program into memory.

        Args:
            image: The program.
            code: Its functions.
            runtime: The native runtime.
            expected: The types and shapes of arguments and results.
            arguments: How many of these are arguments.
            handler: Handles requests.
            mover: Copies arguments that are not contiguous.
            threads: How many threads may work for a call.
        """
        self.image = image
        self.code = code  # keeps the functions loaded
        self.runtime = runtime
        self.handler = handler
        self.mover = mover
        self.replayed_exchanges = mover.replayed_exchanges
        self.constant_answers: dict[int, Array] = {}
        self.request_log: RequestLog | None = None
        self.logged_records: LoggedRecords | None = None
        self.arena = aligned_memory(image.arena)
        self.words = image.words.copy()
        self.relocate(code)
        self.table: int = self.words.ctypes.data
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state_address: int = self.state.ctypes.data
        self.state[THREADS] = threads
        self.state[POOL] = runtime.pool.address
        self.report = self.words[image.report : image.report + REPORT] if image.report else None
        self.views: dict[int, Views] = {}
        self.exchanged_words = {
            step: [n for origin, n in (*record.operands, *record.results) if origin == "moving"]
            for step, record in image.requests.items()
        }
        self.threads = threads
        self.is_shared = image.is_parallel and threads > 1
        self.compute = Compute(self)
        self.shortcuts: dict[int, NativeSteps] = {}
        self.concurrent_run: ConcurrentRun | None = None
        address_words = self.address_words(len(expected))
        self.argument_rows = OperandRows(expected[:arguments], address_words[:arguments])
        self.result_rows = OperandRows(expected[arguments:], address_words[arguments:])
        self.grid_position = GridPosition(self)
        self.kept_results: list[tuple[Array, ...]] = []
        self.ordered_copies: dict[int, Array] = {}
        self.arguments = arguments
        self.is_short = image.is_short and runtime.can_read_arrays
        self.state[TIME_SLICE] = CLOCK.ticks
        self.entry_record = self.new_entry_record()
        self.entry_record_address: int = self.entry_record.ctypes.data
        self.result_types = [(argument.shape, argument.dtype) for argument in expected[arguments:]]

    def release(self) -> None:
        """Lets go of its memory; it does not run again.

        Objects that it has refer to it: they would hold its memory until garbage is collected.
        """
        vars(self).clear()

    def new_entry_record(self) -> Array:
        """The words that the native entry point reads; see ``native.entry_point``."""
        return np.array(
            [
                *(self.argument_rows.address, self.argument_rows.count),
                *(self.result_rows.address, self.result_rows.count),
                *(TUPLE_ITEMS_OFFSET, self.table, self.state_address),
            ],
            np.int64,
        )

    def relocate(self, code: Loaded) -> None:
        """Replaces relative words by addresses."""
        image, words = self.image, self.words
        words[image.word_relocations] += words.ctypes.data
        self.arena_address: int = self.arena.ctypes.data
        words[image.arena_relocations] += self.arena_address
        runtime = {"copy_blocks": self.runtime.copy_blocks}
        functions = [runtime.get(n) or code.addresses[n] for n in image.functions]
        constants = [constant.ctypes.data for constant in image.constants]
        for relocated, addresses in (
            (image.function_relocations, functions),
            (image.constant_relocations, constants),
        ):
            if relocated.size:
                words[relocated] = np.array(addresses, np.int64)[words[relocated]]

    def use_arena(self, arena: Array) -> None:
        """Moves the program, which makes no requests, to another arena of at least its size."""
        address: int = arena.ctypes.data
        self.words[self.image.arena_relocations] += address - self.arena_address
        self.arena, self.arena_address = arena, address

    def address_words(self, count: int) -> list[list[int]]:
        """For each operand, the addresses of the words that hold its address."""
        addresses: list[list[int]] = [[] for _ in range(count)]
        words: list[int] = self.image.operand_relocations.tolist()
        operands: list[int] = self.image.operand_numbers.tolist()
        for word, operand in zip(words, operands, strict=True):
            addresses[operand].append(self.word_address(word))
        return addresses

    def word_address(self, word: int) -> int:
        """The address of a word."""
        return int(self.words.ctypes.data) + 8 * word

    def call_short(self, arguments: tuple[Any, ...]) -> tuple[Array, ...] | None:
        """Calls a short program if its operands fit as they are; None if it is not run this way."""
        if not self.is_short or len(arguments) != self.arguments:
            return None
        kept_results, enter = self.kept_results, self.runtime.enter
        for results in kept_results:
            step = enter(arguments, results, self.entry_record_address)
            if step == BUSY:
                continue
            if step == UNFIT:
                return None
            if self.state[REASON] != REACHED_REQUEST:
                self.run(arguments, results, step)
            if len(kept_results) > 1 and results is kept_results[0]:
                kept_results.append(kept_results.pop(0))
            return results
        return None

    def fits(self, arguments: tuple[object, ...]) -> bool:
        """Whether these are arrays that the program accepts; if so, they become its arguments."""
        argument_rows = self.argument_rows
        if len(arguments) != argument_rows.count or not self.runtime.can_read_arrays:
            return False
        return argument_rows.gather(self.runtime, arguments) == argument_rows.count

    def write_arguments(self, arguments: Sequence[Array]) -> None:
        """Copies arrays into the arguments; their types and shapes must fit."""
        self.write_addresses(self.argument_rows, arguments)

    def bind_arguments(self, values: Sequence[Any]) -> Sequence[Array]:
        """Binds values of the right types to the arguments, without copying them if possible.

        Arrays that are not contiguous are copied to memory that later calls use again.
        """
        arguments = tuple(values)
        if self.fits(arguments):
            return arguments
        contiguous_arguments = [
            self.contiguous(i, argument) for i, argument in enumerate(arguments)
        ]
        self.write_arguments(contiguous_arguments)
        return contiguous_arguments

    def contiguous(self, position: int, value: object) -> Array:
        """An argument as a contiguous, aligned array."""
        array = np.asarray(value)
        if array.flags.c_contiguous and array.flags.aligned:
            return array
        copy = self.ordered_copies.get(position)
        if copy is None:
            copy = self.ordered_copies[position] = np.empty(array.shape, array.dtype)
        self.mover.copy([(copy, array)])
        return copy

    def write_addresses(self, rows: OperandRows, arrays: Sequence[Array]) -> None:
        """Writes the addresses of arrays into the words that hold them."""
        for places, array in zip(rows.address_words, arrays, strict=True):
            address = address_of(array)
            for place in places:
                self.words[(place - self.table) >> 3] = address

    def allocate_results(self) -> tuple[Array, ...]:
        """Arrays for the results; those of an earlier call if the caller has dropped them."""
        rows, runtime, kept_results = self.result_rows, self.runtime, self.kept_results
        if runtime.can_read_arrays:
            for i, results in enumerate(kept_results):
                if rows.gather(runtime, results) == rows.count:
                    if i == 0 and len(kept_results) > 1:
                        kept_results.append(kept_results.pop(0))
                    return results
        arrays = tuple([np.empty(shape, dtype) for shape, dtype in self.result_types])
        self.write_addresses(rows, arrays)
        if runtime.can_read_arrays and arrays:
            kept_results.append(arrays)
            if len(kept_results) > MAX_KEPT_RESULTS:
                del kept_results[0]
        return arrays

    def bind_result_targets(self, targets: Sequence[Array | None]) -> tuple[Array, ...]:
        """Arrays for the results: the targets, except those that native code cannot write to."""
        usable_targets = [
            None if target is None or not self.is_result(i, target) else target
            for i, target in enumerate(targets)
        ]
        own_results = (
            self.allocate_results() if any(result is None for result in usable_targets) else ()
        )
        results = tuple(
            own_results[i] if result is None else result for i, result in enumerate(usable_targets)
        )
        self.write_addresses(self.result_rows, results)
        return results

    def is_result(self, position: int, target: Array) -> bool:
        """Whether a result can be written to an array."""
        is_contiguous = target.flags.c_contiguous and target.flags.aligned
        return is_contiguous and (target.shape, target.dtype) == self.result_types[position]

    def run(self, arguments: Sequence[Array], results: Sequence[Array], step: int = 0) -> None:
        """Runs the program on bound operands from a step on, and handles its requests.

        The native loop returns every 20 ms, so that Python can poll for signals.
        """
        while True:
            step = self.run_to_request(step)
            record = self.image.requests.get(step)
            if record is None:
                return
            started = perf_counter_ns()
            operands, targets = self.request_arrays(step, record, arguments, results)
            write_view(targets, self.handler(record, operands))
            self.note_request(step, started)
            step += 1

    def note_request(self, step: int, started: int) -> None:
        """Notes a request that began at a time and ends now, if a trace is being recorded."""
        if self.request_log is not None:
            self.request_log.note(step, started)

    def run_at(self, addresses: Sequence[int]) -> None:
        """Runs the program, which makes no requests, on operands at these addresses."""
        words = self.word_view
        for word, operand in self.operand_words:
            words[word] = addresses[operand]
        self.run_to_request(0)

    def resume_at(self, step: int) -> None:
        """Runs the program, which makes no requests, to its end after native code has left it."""
        is_unstarted = self.state[REASON] == UNSTARTED
        if is_unstarted or not self.has_reached_request(step):
            self.run_to_request(step)

    @cached_property
    def operand_words(self) -> Sequence[tuple[int, int]]:
        """The words that hold addresses of operands, and the number of each operand."""
        words: list[int] = self.image.operand_relocations.tolist()
        operands: list[int] = self.image.operand_numbers.tolist()
        return list(zip(words, operands, strict=True))

    @cached_property
    def word_view(self) -> memoryview[int]:
        """The words; writing one through this view takes a fraction of the time."""
        return memoryview(self.words.data).cast("B").cast("q")

    def process(self, arguments: Sequence[Array], results: Sequence[Array]) -> Process:
        """Runs the program on bound operands as a process, which yields its host requests."""
        # Requests by step and memory: a loop makes them again and again.
        lent_requests: dict[Hashable, CollectiveRequest] = {}
        self.remove_shortcuts()
        step = 0
        while True:
            if (
                step not in self.image.requests
                or step in self.shortcuts
                or step in self.constant_answers
            ):
                step = yield from self.process_to_request(step)
            self.state[STEP], self.state[REASON] = step, REACHED_REQUEST
            started = perf_counter_ns()
            exchanged_words = self.exchanged_words.get(step)
            key = (
                (step, *[int(self.words[word]) for word in exchanged_words])
                if exchanged_words
                else step
            )
            request = lent_requests.get(key)
            if request is None:
                record = self.image.requests.get(step)
                if record is None:
                    return
                request = yield from self.lent_request(step, record, arguments, results)
                if request is not None:
                    lent_requests[key] = request
            if request is not None:
                try:
                    response = yield request
                except FAILURES as error:
                    raise self.handler.request_error(
                        self.image.requests[step], error
                    ) from error.__cause__
                if isinstance(response, Shortcut):
                    if not exchanged_words and self.request_log is None:
                        self.install_shortcut(step, response.carried)
                elif response is not IN_TARGETS:
                    targets = request.targets or ()
                    write_view(targets, unpack_results(response, len(targets)))
            self.note_request(step, started)
            step += 1

    def install_shortcut(self, step: int, carried: NativeSteps) -> None:
        """Lets native code carry out a request, if it can, until the process ends."""
        at = RECORD_WORDS * step
        self.words[at : at + 3] = SHORTCUT, carried.function, carried.argument
        self.shortcuts[step] = carried

    def remove_shortcuts(self) -> None:
        """Makes native code return at all requests again."""
        for step in self.shortcuts:
            self.words[RECORD_WORDS * step] = LEAVE
        self.shortcuts.clear()

    def lent_request(
        self, step: int, record: RequestRecord, arguments: Sequence[Array], results: Sequence[Array]
    ) -> Process:
        """The request of a step if it lends memory; otherwise the step is carried out (None)."""
        operands, targets = self.request_arrays(step, record, arguments, results)
        if not record.is_host_request:
            host_call = self.handler.host_call(record, operands)
            values = self.handler(record, operands) if host_call is None else (yield host_call)
            write_view(targets, values)
            return None
        request = self.handler.lent_request(record, operands, targets)
        if request is not None:
            request = request._replace(section=self)
        else:
            values = yield from self.handler.host_request(record, operands, targets)
            if values is not None:
                write_view(targets, values)
            if self.handler.is_constant_per_process(record) and record.results[0][0] == "local":
                self.install_constant_answer(step, targets[0])
        return request

    def install_constant_answer(self, step: int, target: Array) -> None:
        """Lets native code write an answer that is the same as long as the process is."""
        value = self.constant_answers[step] = target.copy()
        at = RECORD_WORDS * step
        self.words[at : at + 4] = COPY, target.ctypes.data, value.ctypes.data, value.nbytes

    def bind_process(self, grid: Grid, process: ProcessId) -> None:
        """Tells the instance which process of a grid it runs."""
        if self.grid_position.bind(grid, process):
            for step in self.constant_answers:
                self.words[RECORD_WORDS * step] = LEAVE
            self.constant_answers.clear()

    def record_exchange(self, others: Sequence[Instance], moves: DataMovement) -> None:
        """Records the data movement between all processes of a grid, of which this is the first."""
        self.replayed_exchanges.record(
            [instance.grid_position for instance in (self, *others)], moves
        )

    def run_to_request(self, step: int) -> int:
        """Runs the program from a step on and returns the step of the next request, or of the end.

        Raises:
            LimitError: A loop runs too long.
            CompileError: A checked kernel tried to access memory outside its buffers.
        """
        self.start_workers()
        while True:
            self.state[TIME_SLICE] = CLOCK.ticks
            step = self.runtime.run_steps(self.table, step, self.state_address)
            if self.has_reached_request(step):
                return step

    def process_to_request(self, step: int) -> Process:
        """Does the same as a process, so that other processes can run concurrently."""
        self.start_workers()
        state = self.state
        state[STEP] = step
        while True:
            state[TIME_SLICE] = CLOCK.ticks
            state[REASON] = TIME_SLICE_OVER
            yield self.compute
            step = int(state[STEP])
            if self.has_reached_request(step):
                return step

    def run_concurrently(self, others: Sequence[Instance]) -> None:
        """Resumes the program and others concurrently."""
        if others:
            run_concurrently([self, *others])
        else:
            self.resume()

    def resume(self) -> None:
        """Resumes the program at its current step."""
        state = self.state
        state[STEP] = self.runtime.run_steps(self.table, int(state[STEP]), self.state_address)

    def start_workers(self) -> None:
        """Starts the workers of the thread pool if there is work for them."""
        if self.is_shared and not self.runtime.pool.started:
            self.runtime.pool.start()

    def has_reached_request(self, step: int) -> bool:
        """Whether the program has stopped at a request or at its end.

        Raises:
            LimitError: A loop runs too long.
            CompileError: A checked kernel tried to access memory outside its buffers.
        """
        if self.report is not None and self.report[LAUNCHED]:
            raise self.handler.access_error(self.reported_launch(), self.report.tolist())
        reason = self.state[REASON]
        if reason == ITERATION_LIMIT:
            raise self.handler.iteration_limit_error(self.image.loops[step])
        if reason == TIME_SLICE_OVER:
            CLOCK.read(int(self.state[DEADLINE] - self.state[TIME_SLICE]))
        return bool(reason == REACHED_REQUEST)

    def reported_launch(self) -> int:
        """The step of the launch that has reported."""
        assert self.report is not None
        arguments = self.words[2 : RECORD_WORDS * self.image.steps : RECORD_WORDS]
        return int(np.flatnonzero(arguments == self.report[LAUNCHED])[0])

    def request_arrays(
        self, step: int, record: RequestRecord, arguments: Sequence[Array], results: Sequence[Array]
    ) -> tuple[list[Any], list[Any]]:
        """The operands and results of a request, as arrays; None for a token."""
        views = self.views.get(step)
        if views is None:
            views = self.views[step] = self.handler.request_views(record, self)
        call_operands = {"argument": arguments, "result": results}
        operands, targets = views
        return [view_of(operand, call_operands) for operand in operands], [
            view_of(target, call_operands) for target in targets
        ]

    def view(self, place: Place, value_type: Type) -> View:
        """The memory at a place as an array; operands of the call are resolved in each call."""
        declared, value_type = value_type, in_memory(value_type)
        if not isinstance(value_type, TensorType):
            return None
        origin, number = place
        dtype = value_type.element_type.dtype
        size = value_type.size * dtype.itemsize
        match origin:
            case "local":
                memory = self.arena[number : number + size]
            case "constant":  # bytes, if it comes from the disk cache
                memory = np.ascontiguousarray(self.image.constants[number]).reshape(-1)
                memory = memory.view(np.uint8)[:size]
            case "moving":
                start = int(self.arena.ctypes.data)
                return ExchangedView(
                    self.words[number:], start, lambda at: self.view(("local", at), declared)
                )
            case "hosted":
                return HostedView(number, dtype, tuple(value_type.shape))
            case _:
                return place
        array: Array = memory.view(dtype).reshape(value_type.shape)
        return array


def aligned_memory(size: int, *, zeroed: bool = False) -> Array:
    """Memory that begins on a cache line: uninitialized, or zeros as the system has them."""
    memory = (np.zeros if zeroed else np.empty)(size + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + size]

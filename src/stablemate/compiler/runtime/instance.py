"""A program instance: a compiled program with memory of its own, which runs one call at a time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.bounds_checks import LAUNCHED, REPORT
from stablemate.compiler.codegen.loader import Loaded
from stablemate.compiler.graph.memory_types import in_memory
from stablemate.compiler.program.image import Place, ProgramImage, RequestRecord
from stablemate.compiler.runtime.grid.concurrent_processes import ConcurrentRun, run_concurrently
from stablemate.compiler.runtime.grid.grid_position import GridPosition
from stablemate.compiler.runtime.grid.native_data_movement import NativeMover, address_of
from stablemate.compiler.runtime.memory_views import ExchangedView, View, Views, view_of, write_view
from stablemate.compiler.runtime.native.entry_point import BUSY, UNFIT
from stablemate.compiler.runtime.native.runtime import (
    TUPLE_ITEMS_OFFSET,
    ExpectedOperand,
    OperandRows,
    Runtime,
)
from stablemate.compiler.runtime.native.step_loop import (
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
from stablemate.compiler.runtime.request_interface import RequestHandler
from stablemate.compiler.runtime.signal_polling import CLOCK
from stablemate.dialects.stablehlo.regions import unpack_results
from stablemate.execution.collectives.data_movement import NativeSteps, Shortcut
from stablemate.interpreter.block import FAILURES
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import IN_TARGETS, Collective, Compute, Process
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array

ALIGNMENT: Final = 64
MAX_KEPT_RESULTS: Final = (
    2  # of results that are kept to be used again when the caller has dropped them
)


class Instance:
    """A program in memory.

    Attributes:
        image: The program.
    """

    def __init__(
        self, image: ProgramImage, code: Loaded, runtime: Runtime,
        expected: Sequence[ExpectedOperand], arguments: int, answer: RequestHandler,
        mover: NativeMover, threads: int,
    ) -> None:  # fmt: skip
        """Puts a program into memory.

        Args:
            image: The program.
            code: Its functions.
            runtime: What runs it.
            expected: What arguments and results must be.
            arguments: How many of these are arguments.
            answer: Answers requests.
            mover: Copies arguments that do not lie in order.
            threads: How many threads may work.
        """
        self.image = image
        self.code = code  # keeps the functions
        self.runtime = runtime
        self.answer = answer
        self.mover = mover
        self.rounds = mover.rounds
        self.fixed: dict[int, Array] = {}
        self.arena = aligned_memory(image.arena)
        self.words = image.words.copy()
        self.relocate(code)
        self.table: int = self.words.ctypes.data
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state_address: int = self.state.ctypes.data
        self.state[THREADS] = threads
        self.state[POOL] = runtime.pool.address
        report = image.report
        self.report: Array | None = self.words[report : report + REPORT] if report else None
        self.views: dict[int, Views] = {}
        self.moving = {
            step: [n for origin, n in (*asked.operands, *asked.results) if origin == "moving"]
            for step, asked in image.requests.items()
        }
        self.threads = threads
        self.is_shared = image.is_parallel and threads > 1
        self.compute = Compute(self)
        self.shortcuts: dict[int, NativeSteps] = {}
        self.team: ConcurrentRun | None = None
        patches = self.patches(len(expected))
        self.taken = OperandRows(expected[:arguments], patches[:arguments])
        self.result_rows = OperandRows(expected[arguments:], patches[arguments:])
        self.standing = GridPosition(self)
        self.generations: list[tuple[Array, ...]] = []
        self.ordered_copies: dict[int, Array] = {}
        self.arguments = arguments
        self.is_short = image.is_short and runtime.reads_arrays
        self.state[TIME_SLICE] = CLOCK.ticks
        self.entrance = np.array(
            [
                *(
                    self.taken.address,
                    self.taken.count,
                    self.result_rows.address,
                    self.result_rows.count,
                ),
                *(TUPLE_ITEMS_OFFSET, self.table, self.state_address),
            ],
            np.int64,
        )
        self.entrance_address: int = self.entrance.ctypes.data
        self.types = [(argument.shape, argument.dtype) for argument in expected[arguments:]]

    def relocate(self, code: Loaded) -> None:
        """Turns relative words into addresses."""
        image, words = self.image, self.words
        words[image.word_relocations] += words.ctypes.data
        words[image.arena_relocations] += self.arena.ctypes.data
        runtime = {"copy_blocks": self.runtime.copy_blocks}
        functions = [runtime.get(n) or code.addresses[n] for n in image.functions]
        constants = [constant.ctypes.data for constant in image.constants]
        for places, addresses in (
            (image.function_relocations, functions),
            (image.constant_relocations, constants),
        ):
            if places.size:
                words[places] = np.array(addresses, np.int64)[words[places]]

    def patches(self, count: int) -> list[list[int]]:
        """For each operand, where its address is to be written."""
        places: list[list[int]] = [[] for _ in range(count)]
        handed: list[int] = self.image.operand_relocations.tolist()
        operands: list[int] = self.image.operand_numbers.tolist()
        for at, operand in zip(handed, operands, strict=True):
            places[operand].append(self.table_at(at))
        return places

    def table_at(self, word: int) -> int:
        """The address of a word."""
        return int(self.words.ctypes.data) + 8 * word

    def brief(self, arguments: tuple[Any, ...]) -> tuple[Array, ...] | None:
        """The results of a program that ends at once, if all operands fit as they are."""
        if not self.is_short or len(arguments) != self.arguments:
            return None
        generations, enter = self.generations, self.runtime.enter
        for results in generations:
            step = enter(arguments, results, self.entrance_address)
            if step == BUSY:
                continue
            if step == UNFIT:
                return None
            if self.state[REASON] != REACHED_REQUEST:
                self.run(arguments, results, step)
            if len(generations) > 1 and results is generations[0]:
                generations.append(generations.pop(0))
            return results
        return None

    def fits(self, arguments: tuple[Any, ...]) -> bool:
        """Whether these are arrays as the program takes them; if so, they are its arguments."""
        taken = self.taken
        if len(arguments) != taken.count or not self.runtime.reads_arrays:
            return False
        return taken.gather(self.runtime, arguments) == taken.count

    def take(self, arguments: Sequence[Array]) -> None:
        """Makes arrays the arguments that fit but for the way Python keeps them."""
        self.write(self.taken, arguments)

    def given(self, values: Sequence[Any]) -> Sequence[Array]:
        """Makes values the arguments, which are of the right types; where they lie, if they can be.

        What is not laid out in order is copied, into memory that is used again in later calls.
        """
        arguments = tuple(values)
        if self.fits(arguments):
            return arguments
        laid = [self.ordered(i, argument) for i, argument in enumerate(arguments)]
        self.take(laid)
        return laid

    def ordered(self, position: int, value: Any) -> Array:
        """An argument as an array whose elements follow one another where their type may stand."""
        array = np.asarray(value)
        if array.flags.c_contiguous and array.flags.aligned:
            return array
        kept = self.ordered_copies.get(position)
        if kept is None:
            kept = self.ordered_copies[position] = np.empty(array.shape, array.dtype)
        self.mover.copy([(kept, array)])
        return kept

    def write(self, rows: OperandRows, arrays: Sequence[Array]) -> None:
        """Writes down where arrays are."""
        for places, array in zip(rows.places, arrays, strict=True):
            address = address_of(array)
            for place in places:
                self.words[(place - self.table) >> 3] = address

    def results(self) -> tuple[Array, ...]:
        """Arrays for the results; those of an earlier call if the caller has dropped them."""
        allocated, runtime, generations = self.result_rows, self.runtime, self.generations
        if runtime.reads_arrays:
            for i, generation in enumerate(generations):
                if allocated.gather(runtime, generation) == allocated.count:
                    if i == 0 and len(generations) > 1:
                        generations.append(generations.pop(0))
                    return generation
        fresh = tuple([np.empty(shape, dtype) for shape, dtype in self.types])
        self.write(allocated, fresh)
        if runtime.reads_arrays and fresh:
            generations.append(fresh)
            if len(generations) > MAX_KEPT_RESULTS:
                del generations[0]
        return fresh

    def results_in(self, targets: Sequence[Array | None]) -> tuple[Array, ...]:
        """Arrays for the results: those that are given, as far as they can be written so."""
        fitting = [
            None if target is None or not self.is_result(i, target) else target
            for i, target in enumerate(targets)
        ]
        own = self.results() if any(result is None for result in fitting) else ()
        results = tuple(own[i] if result is None else result for i, result in enumerate(fitting))
        self.write(self.result_rows, results)
        return results

    def is_result(self, position: int, target: Array) -> bool:
        """Whether a result can be written to an array."""
        laid = target.flags.c_contiguous and target.flags.aligned
        return laid and (target.shape, target.dtype) == self.types[position]

    def run(self, arguments: Sequence[Array], results: Sequence[Array], step: int = 0) -> None:
        """Runs the program on what it was handed, from a step on.

        The native loop returns every 20 ms, so that Python can look whether there are signals.
        """
        while True:
            step = self.asking(step)
            asked = self.image.requests.get(step)
            if asked is None:
                return
            operands, targets = self.found(step, asked, arguments, results)
            write_view(targets, self.answer(asked, operands))
            step += 1

    def process(self, arguments: Sequence[Array], results: Sequence[Array]) -> Process:
        """Runs the program on what it was handed; what asks the world is asked by the process."""
        # Requests by step and memory: a loop makes them again and again.
        lent: dict[Hashable, Collective] = {}
        self.forget_shortcuts()
        step = 0
        while True:
            if step not in self.image.requests or step in self.shortcuts or step in self.fixed:
                step = yield from self.stretch(step)
            self.state[STEP], self.state[REASON] = step, REACHED_REQUEST
            moving = self.moving.get(step)
            key = (step, *[int(self.words[word]) for word in moving]) if moving else step
            request = lent.get(key)
            if request is None:
                asked = self.image.requests.get(step)
                if asked is None:
                    return
                request = yield from self.lending(step, asked, arguments, results)
                if request is not None:
                    lent[key] = request
            if request is not None:
                try:
                    answer = yield request
                except FAILURES as error:
                    raise self.answer.failed(self.image.requests[step], error) from error.__cause__
                if isinstance(answer, Shortcut):
                    if not moving:
                        self.shorten(step, answer.carried)
                elif answer is not IN_TARGETS:
                    targets = request.targets or ()
                    write_view(targets, unpack_results(answer, len(targets)))
            step += 1

    def shorten(self, step: int, carried: NativeSteps) -> None:
        """Lets native code carry out a request, as far as it can, until the process ends."""
        at = RECORD_WORDS * step
        self.words[at : at + 3] = SHORTCUT, carried.function, carried.argument
        self.shortcuts[step] = carried

    def forget_shortcuts(self) -> None:
        """Leaves native code at all requests."""
        for step in self.shortcuts:
            self.words[RECORD_WORDS * step] = LEAVE
        self.shortcuts.clear()

    def lending(
        self, step: int, asked: RequestRecord, arguments: Sequence[Array], results: Sequence[Array]
    ) -> Process:
        """The request of a step if it lends memory; else what the step needs is done."""
        operands, targets = self.found(step, asked, arguments, results)
        if not asked.is_host_request:
            write_view(targets, self.answer(asked, operands))
            return None
        request = self.answer.lending(asked, operands, targets)
        if request is not None:
            request = replace(request, section=self)
        else:
            values = yield from self.answer.ask(asked, operands, targets)
            if values is not None:
                write_view(targets, values)
            if self.answer.is_fixed(asked) and asked.results[0][0] == "local":
                self.fix(step, targets[0])
        return request

    def fix(self, step: int, target: Array) -> None:
        """Lets native code write what a request has given, as long as the process is the same."""
        value = self.fixed[step] = target.copy()
        at = RECORD_WORDS * step
        self.words[at : at + 4] = COPY, target.ctypes.data, value.ctypes.data, value.nbytes

    def bind_process(self, grid: Grid, process: ProcessId) -> None:
        """Which process goes on with it, before it does."""
        if self.standing.settle(grid, process):
            for step in self.fixed:
                self.words[RECORD_WORDS * step] = LEAVE
            self.fixed.clear()

    def record_exchange(self, others: Sequence[Instance], moves: DataMovement) -> None:
        """How all processes of a grid go on, of which this is the first."""
        self.rounds.remember([instance.standing for instance in (self, *others)], moves)

    def asking(self, step: int) -> int:
        """Runs the program from a step on; the step of the next request, or of the end.

        Raises:
            LimitError: A loop runs too long.
            CompileError: A checked kernel was about to leave its buffers.
        """
        self.begin()
        while True:
            self.state[TIME_SLICE] = CLOCK.ticks
            step = self.runtime.walk(self.table, step, self.state_address)
            if self.is_through(step):
                return step

    def stretch(self, step: int) -> Process:
        """The same, beside other programs."""
        self.begin()
        state = self.state
        state[STEP] = step
        while True:
            state[TIME_SLICE] = CLOCK.ticks
            state[REASON] = TIME_SLICE_OVER
            yield self.compute
            step = int(state[STEP])
            if self.is_through(step):
                return step

    def run_concurrently(self, others: Sequence[Instance]) -> None:
        """Lets the program go on, and others at the same time."""
        if others:
            run_concurrently([self, *others])
        else:
            self.walk_on()

    def walk_on(self) -> None:
        """Lets the program go on from the step it has come to."""
        state = self.state
        state[STEP] = self.runtime.walk(self.table, int(state[STEP]), self.state_address)

    def begin(self) -> None:
        """Has helpers ready, if there is work for them."""
        if self.is_shared and not self.runtime.pool.started:
            self.runtime.pool.start()

    def is_through(self, step: int) -> bool:
        """Whether the program that has stopped at a step is at a request or at its end.

        Raises:
            LimitError: A loop runs too long.
            CompileError: A checked kernel was about to leave its buffers.
        """
        if self.report is not None and self.report[LAUNCHED]:
            raise self.answer.astray(self.launched(), self.report.tolist())
        reason = self.state[REASON]
        if reason == ITERATION_LIMIT:
            raise self.answer.overrun(self.image.loops[step])
        if reason == TIME_SLICE_OVER:
            CLOCK.read(int(self.state[DEADLINE] - self.state[TIME_SLICE]))
        return bool(reason == REACHED_REQUEST)

    def launched(self) -> int:
        """The step of the launch that has reported."""
        assert self.report is not None
        handed = self.words[2 : RECORD_WORDS * self.image.steps : RECORD_WORDS]
        return int(np.flatnonzero(handed == self.report[LAUNCHED])[0])

    def found(
        self, step: int, asked: RequestRecord, arguments: Sequence[Array], results: Sequence[Array]
    ) -> tuple[list[Any], list[Any]]:
        """Operands and results of a request, as arrays; a token is None."""
        views = self.views.get(step)
        if views is None:
            views = self.views[step] = self.answer.viewed(asked, self)
        handed = {"argument": arguments, "result": results}
        operands, targets = views
        return [view_of(operand, handed) for operand in operands], [
            view_of(e, handed) for e in targets
        ]

    def view(self, place: Place, value_type: Type) -> View:
        """What stands at a place as an array; operands of the call are what each call hands in."""
        declared, value_type = value_type, in_memory(value_type)
        if not isinstance(value_type, TensorType):
            return None
        origin, number = place
        dtype = value_type.element_type.dtype
        size = value_type.size * dtype.itemsize
        match origin:
            case "local":
                raw = self.arena[number : number + size]
            case "constant":  # bytes, if it was in the disk cache
                raw = np.ascontiguousarray(self.image.constants[number]).reshape(-1)
                raw = raw.view(np.uint8)[:size]
            case "moving":
                start = int(self.arena.ctypes.data)
                return ExchangedView(
                    self.words[number:], start, lambda at: self.view(("local", at), declared)
                )
            case _:
                return place
        array: Array = raw.view(dtype).reshape(value_type.shape)
        return array


def aligned_memory(size: int) -> Array:
    """Memory that begins on a cache line; nothing is known of what stands there."""
    raw = np.empty(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + size]

"""Traces of runs: when the compiled programs of this process ran which step, on which thread.

While a trace is recorded, the records of launches and copies are replaced by others that note what
they run; see ``native.kernel_log``. Otherwise the native loop does nothing for it. Requests are
noted by the instances, which answer them in Python.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary, ref

import numpy as np

from stablemate.compiler.runtime.grid.grid_position import GridPosition, ProgramInMemory
from stablemate.compiler.runtime.native.kernel_log import (
    BLOCK_WORDS,
    CAPACITY,
    CLOCK,
    CLOCK_GETTIME,
    ENTRY_COUNT,
    ENTRY_WORDS,
    HEADER_WORDS,
    LOG,
    LOGGED_ARGUMENTS,
    LOGGED_FUNCTION,
    NUMBER,
    PTHREAD_SELF,
    STARTED,
    STOPPED,
)
from stablemate.compiler.runtime.native.runtime import Runtime
from stablemate.compiler.runtime.native.step_table import (
    ARGUMENTS,
    BODY_ARGUMENTS,
    BODY_FUNCTION,
    BODY_ITERATIONS,
    COPY,
    FUNCTION,
    INSTEAD,
    ITERATION_COUNT,
    LAUNCH,
    OTHER_RECORD,
    PARALLEL_LAUNCH,
    RECORD_WORDS,
    REPEATED_LAUNCH,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.fork_safety import fork_safe_lock
from stablemate.immortal import immortalize
from stablemate.numerics.elements import Array

KEPT_ENTRIES: Final = 1 << 18  # of the log; so many chunks of kernels a trace has at most
KEPT_REQUESTS: Final = 1 << 18  # of each program instance
STEP_BITS: Final = 32  # of the numbers of blocks; the bits above number the instance
# The clock of ``time.perf_counter_ns``: on macOS, it stops while the machine sleeps.
PERFORMANCE_CLOCK: Final[int] = getattr(
    time, "CLOCK_UPTIME_RAW", getattr(time, "CLOCK_MONOTONIC", 1)
)


class RequestSpan(NamedTuple):
    """The execution of a request.

    Attributes:
        step: The step.
        started: When it began, in nanoseconds of ``perf_counter_ns``.
        stopped: When it ended.
    """

    step: int
    started: int
    stopped: int


class RequestLog:
    """The requests of an instance while a trace is recorded."""

    __slots__ = ("spans",)

    def __init__(self) -> None:
        self.spans: list[RequestSpan] = []

    def note(self, step: int, started: int) -> None:
        """Notes a request that began at a time and ends now."""
        if len(self.spans) < KEPT_REQUESTS:
            self.spans.append(RequestSpan(step, started, time.perf_counter_ns()))


class LaunchSpan(NamedTuple):
    """The part of a launch or of a copy that one thread executed.

    Attributes:
        step: The step.
        first: The first iteration.
        end: The end of the iterations.
        thread: The thread, as ``threading.get_ident`` and ``pthread_self`` name it.
        started: When it began, in nanoseconds of ``perf_counter_ns``.
        stopped: When it ended.
    """

    step: int
    first: int
    end: int
    thread: int
    started: int
    stopped: int


class KernelLog:
    """The log of this process, to which native code writes.

    It is never freed: a kernel that is still running when a trace ends writes to it, too.
    """

    def __init__(self) -> None:
        system = ctypes.CDLL(None)
        self.words = np.zeros(HEADER_WORDS + KEPT_ENTRIES * ENTRY_WORDS, np.int64)
        self.address: int = self.words.ctypes.data
        self.rows = self.words[HEADER_WORDS:].reshape(-1, ENTRY_WORDS)
        self.words[CAPACITY] = KEPT_ENTRIES
        self.words[CLOCK] = PERFORMANCE_CLOCK
        for word, function in (
            (CLOCK_GETTIME, system.clock_gettime),
            (PTHREAD_SELF, system.pthread_self),
        ):
            self.words[word] = ctypes.cast(function, ctypes.c_void_p).value or 0
        immortalize(self)

    def clear(self) -> None:
        """Discards the entries of all runs, so that the next one begins an empty trace."""
        self.rows[: self.words[ENTRY_COUNT]] = 0
        self.words[ENTRY_COUNT] = 0

    def entries(self, since: int) -> Array:
        """The entries of kernels that began at a time or later, and have ended."""
        rows = self.rows[: self.words[ENTRY_COUNT]].copy()
        kept: Array = rows[(rows[:, STARTED] >= since) & (rows[:, STOPPED] != 0)]
        return kept

    @property
    def dropped(self) -> int:
        """How many entries there was no place for."""
        return max(int(self.words[ENTRY_COUNT]) - KEPT_ENTRIES, 0)


@cache
def kernel_log() -> KernelLog:
    """The log of this process.

    Raises:
        UnsupportedError: The system is Windows.
    """
    if sys.platform == "win32":
        raise UnsupportedError("traces of kernels need the clock and the threads of POSIX")
    return KernelLog()


class TracedProgram(ProgramInMemory, Protocol):
    """A program in memory whose runs are traced; see ``Instance``.

    Attributes:
        runtime: The native runtime.
        grid_position: Its position in the grid.
        request_log: Notes its requests while a trace is recorded.
        logged_records: The records that it runs while a trace is recorded.
    """

    runtime: Runtime
    grid_position: GridPosition
    request_log: RequestLog | None
    logged_records: LoggedRecords | None


class LoggedRecords:
    """The records that an instance runs while a trace is recorded, in place of its own.

    They are made once, and live as long as the instance: native code that runs when a trace begins
    or ends may use them after its end.

    Attributes:
        number: The number of the instance in the log.
    """

    def __init__(self, instance: TracedProgram, log: KernelLog) -> None:
        self.number = instance.grid_position.number
        image = instance.image.words[: RECORD_WORDS * instance.image.steps]
        kinds: Array = image.reshape(-1, RECORD_WORDS)[:, 0]
        self.steps = np.flatnonzero(
            np.isin(kinds, (LAUNCH, PARALLEL_LAUNCH, REPEATED_LAUNCH, COPY))
        )
        self.kinds = kinds[self.steps]
        self.own = instance.words[: len(image)].reshape(-1, RECORD_WORDS)
        records: Array = self.own[self.steps]
        blocks = np.zeros((len(self.steps), BLOCK_WORDS), np.int64)
        blocks[:, LOG] = log.address
        blocks[:, NUMBER] = (self.number << STEP_BITS) + self.steps
        places = blocks.ctypes.data + 8 * BLOCK_WORDS * np.arange(len(blocks))
        for chosen, function, arguments in (
            (np.isin(self.kinds, (LAUNCH, PARALLEL_LAUNCH)), FUNCTION, ARGUMENTS),
            (self.kinds == REPEATED_LAUNCH, BODY_FUNCTION, BODY_ARGUMENTS),
        ):
            blocks[chosen, LOGGED_FUNCTION] = records[chosen, function]
            blocks[chosen, LOGGED_ARGUMENTS] = records[chosen, arguments]
            records[chosen, function] = instance.runtime.log_kernel
            records[chosen, arguments] = places[chosen]
        copies = self.kinds == COPY
        blocks[copies, LOGGED_FUNCTION] = instance.runtime.copy_step
        blocks[copies, LOGGED_ARGUMENTS] = (
            instance.table + 8 * RECORD_WORDS * self.steps[copies] + 8 * FUNCTION
        )
        records[copies, :4] = LAUNCH, instance.runtime.log_kernel, 0, 1
        records[copies, ARGUMENTS] = places[copies]
        self.blocks, self.records = blocks, records
        addresses = records.ctypes.data + 8 * RECORD_WORDS * np.arange(len(records))
        self.own[self.steps, OTHER_RECORD] = addresses

    def install(self) -> None:
        """Makes native code run them, from the next step on."""
        self.own[self.steps, 0] = INSTEAD

    def remove(self) -> None:
        """Makes native code run the instance's own records."""
        self.own[self.steps, 0] = self.kinds

    def iterations(self, step: int) -> int:
        """How many iterations a launch has; 1 of a copy."""
        place = int(np.searchsorted(self.steps, step))
        repeats = self.kinds[place] == REPEATED_LAUNCH
        return int(self.records[place, BODY_ITERATIONS if repeats else ITERATION_COUNT])


class TracedInstance:
    """An instance whose steps are noted.

    Attributes:
        instance: The instance.
        executable: The compiled program that it runs.
        records: The records that it runs meanwhile.
        requests: Its requests.
    """

    def __init__(self, instance: TracedProgram, executable: object, log: KernelLog) -> None:
        self.instance = instance
        self.executable = executable
        if instance.logged_records is None:
            instance.logged_records = LoggedRecords(instance, log)
        self.records = instance.logged_records
        self.requests = instance.request_log = RequestLog()
        self.records.install()

    def remove(self) -> None:
        """Ends the recording of the instance."""
        self.records.remove()
        self.instance.request_log = None


class LaunchRecorder:
    """Records the launches of the compiled programs of this process between two moments.

    It is a context manager; afterwards, ``instances`` and ``launches`` say what has run. A process
    records one trace at a time.

    Attributes:
        instances: The program instances, whether they have run or not.
        dropped: How many launches were too many to be kept.
    """

    def __init__(self) -> None:
        self.log = kernel_log()
        self.instances: list[TracedInstance] = []
        self.dropped = 0
        self.started = 0
        self.entries: Array = np.zeros((0, ENTRY_WORDS), np.int64)

    def __enter__(self) -> LaunchRecorder:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begins to record.

        Raises:
            UnsupportedError: Another trace is being recorded.
        """
        with TRACES.lock:
            if TRACES.current is not None:
                raise UnsupportedError(
                    "this process already records a trace; only one is recorded at a time"
                )
            self.log.clear()
            self.started = time.perf_counter_ns()
            TRACES.current = self
            for instance, executable in list(TRACES.live.items()):
                program = executable()
                if program is not None:
                    self.add(instance, program)

    def add(self, instance: TracedProgram, executable: object) -> None:
        """Notes what an instance does, too."""
        self.instances.append(TracedInstance(instance, executable, self.log))

    def stop(self) -> None:
        """Ends the recording; nothing happens if it has ended."""
        with TRACES.lock:
            if TRACES.current is not self:
                return
            TRACES.current = None
            for traced in self.instances:
                traced.remove()
            self.entries = self.log.entries(self.started)
            self.dropped = self.log.dropped

    def launches(self) -> list[list[LaunchSpan]]:
        """Collects the spans of all threads for each instance, in the order of their beginning."""
        numbers = [traced.records.number for traced in self.instances]
        by_instance: dict[int, list[LaunchSpan]] = {number: [] for number in numbers}
        ordered = self.entries[np.argsort(self.entries[:, STARTED], kind="stable")]
        mask = (1 << STEP_BITS) - 1
        for number, first, end, thread, started, stopped in ordered.tolist():
            span = LaunchSpan(number & mask, first, end, thread, started, stopped)
            by_instance[number >> STEP_BITS].append(span)
        return [by_instance[number] for number in numbers]


@dataclass(slots=True)
class Traces:
    """The trace that is being recorded, and what may become part of one.

    Attributes:
        current: The trace.
        live: All instances in memory, each with its program.
    """

    current: LaunchRecorder | None
    live: WeakKeyDictionary[Any, ref[Any]]
    lock: Any


def watch(instance: TracedProgram, executable: object) -> None:
    """Makes a new instance part of traces."""
    with TRACES.lock:
        TRACES.live[instance] = ref(executable)
        if TRACES.current is not None:
            TRACES.current.add(instance, executable)


def whole_launches(
    traced: TracedInstance, spans: Sequence[LaunchSpan]
) -> list[Sequence[LaunchSpan]]:
    """The spans of each launch: together they have all its iterations.

    Two launches of one step do not overlap, so the spans of a step form launches in their order.
    """
    launches: list[list[LaunchSpan]] = []
    by_step: dict[int, list[list[LaunchSpan]]] = {}
    missing: dict[int, int] = {}
    for span in spans:
        own = by_step.setdefault(span.step, [])
        if not missing.get(span.step):
            own.append([])
            launches.append(own[-1])
            missing[span.step] = traced.records.iterations(span.step)
        own[-1].append(span)
        missing[span.step] -= span.end - span.first
    return list(launches)


TRACES: Final = Traces(None, WeakKeyDictionary(), fork_safe_lock())

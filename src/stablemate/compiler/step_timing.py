"""Runs a program one step at a time, and measures each.

All records of the table but that of the step leave; so the native loop comes back behind it, and
knows nothing of this. A step takes as long as it does otherwise: what it costs to come and go is
measured at a record that only leaves, and subtracted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import copy
from statistics import median
from time import perf_counter_ns
from typing import Any, Final

from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.program.image import RequestRecord
from stablemate.compiler.runtime.instance import Instance
from stablemate.compiler.runtime.memory_views import Views
from stablemate.compiler.runtime.native.step_table import (
    BACK_EDGE,
    LAUNCH,
    LEAVE,
    RECORD_WORDS,
    REPEATED_LAUNCH,
)
from stablemate.compiler.runtime.request_interface import MemoryViewer, RequestHandler
from stablemate.interpreter.block import Failure
from stablemate.ir.request import CollectiveRequest, HostCall, Process

EMPTY_STEP_RUNS: Final = 101  # empty steps, of which the median is what a step costs by itself
KEPT_TIMES: Final = 1000  # turns of a step of which the times are kept


class SteppedInstance(Instance):
    """A program in memory that is run one step at a time.

    Attributes:
        times: What the latest turns of each step took, in nanoseconds.
        runs: How often it was run.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.is_short = False
        steps = self.image.steps
        self.records = self.words[: RECORD_WORDS * steps : RECORD_WORDS]
        self.kinds = [
            BACK_EDGE if kind == REPEATED_LAUNCH else kind for kind in self.records.tolist()
        ]
        self.records[:] = LEAVE
        self.launch_single_iterations()
        self.times = [deque[int](maxlen=KEPT_TIMES) for _ in range(steps)]
        self.runs = [0] * steps
        self.handler = TimedRequestHandler(self.handler, self)
        self.step_overhead = self.empty_step()

    def launch_single_iterations(self) -> None:
        """Lets a launch of the body of a loop run one iteration, so that each is counted."""
        words = self.words[: RECORD_WORDS * self.image.steps].reshape(-1, RECORD_WORDS)
        for record, kind in zip(words, self.kinds, strict=True):
            if kind == LAUNCH and record[6]:
                record[3] = 1

    def empty_step(self) -> int:
        """The nanoseconds of a step that does nothing."""
        last = self.kinds.index(LEAVE)
        times: list[int] = []
        for _ in range(EMPTY_STEP_RUNS):
            start = perf_counter_ns()
            super().run_to_request(last)
            times.append(perf_counter_ns() - start)
        return int(median(times))

    def run_to_request(self, step: int) -> int:
        """Runs the program from a step on; the step of the next request, or of the end."""
        while self.kinds[step] != LEAVE:
            self.records[step] = self.kinds[step]
            start = perf_counter_ns()
            following = super().run_to_request(step)
            self.measure(step, start, self.step_overhead)
            self.records[step] = LEAVE
            step = following
        return step

    def process_to_request(self, step: int) -> Process:
        """The same; nothing runs beside it."""
        yield from ()
        return self.run_to_request(step)

    def measure(self, step: int, start: int, overhead: int = 0) -> None:
        """Counts an execution of a step that began at a time and ends now."""
        self.count(step, perf_counter_ns() - start - overhead)

    def count(self, step: int, nanoseconds: int) -> None:
        """Counts an execution of a step."""
        self.times[step].append(max(nanoseconds, 0))
        self.runs[step] += 1

    def forget(self) -> None:
        """Resets all times and counts."""
        for time in self.times:
            time.clear()
        self.runs = [0] * len(self.runs)

    def seconds(self, step: int) -> float:
        """The time of all executions of a step, each counted as the median."""
        return median(self.times[step]) * 1e-9 * self.runs[step] if self.runs[step] else 0.0


class TimedRequestHandler:
    """Handles requests and measures them; the time that the host takes is left out."""

    def __init__(self, answer: RequestHandler, instance: SteppedInstance) -> None:
        self.handler = answer
        self.instance = instance
        self.steps = {id(record): step for step, record in instance.image.requests.items()}

    def __call__(self, record: RequestRecord, values: Sequence[object]) -> Sequence[Any]:
        """The results of a request."""
        start = perf_counter_ns()
        results = self.handler(record, values)
        self.instance.measure(self.steps[id(record)], start)
        return results

    def host_request(
        self, record: RequestRecord, values: Sequence[object], targets: Sequence[object]
    ) -> Process:
        """The generator of a request to the host."""
        self.instance.count(self.steps[id(record)], 0)
        results: Any = yield from self.handler.host_request(record, values, targets)
        return results

    def host_call(self, record: RequestRecord, values: Sequence[object]) -> HostCall | None:
        """The request to call a function that may wait for other processes, if this is one."""
        return self.handler.host_call(record, values)

    def lent_request(
        self, record: RequestRecord, values: Sequence[object], targets: Sequence[object]
    ) -> CollectiveRequest | None:
        """No request: all of them are counted."""
        return None

    def is_constant_per_process(self, record: RequestRecord) -> bool:
        """No: all of them are counted."""
        return False

    def request_error(self, record: RequestRecord, error: Failure) -> Exception:
        """The error when a request fails with one."""
        return self.handler.request_error(record, error)

    def request_views(self, record: RequestRecord, instance: MemoryViewer) -> Views:
        """Views of the operands and results of a request in memory."""
        return self.handler.request_views(record, instance)

    def iteration_limit_error(self, operation: int) -> Exception:
        """The error when a loop runs too long."""
        return self.handler.iteration_limit_error(operation)

    def access_error(self, step: int, report: Sequence[int]) -> Exception:
        """The error when a checked kernel was about to leave its buffers."""
        return self.handler.access_error(step, report)


def stepwise_program(executable: CompiledExecutable) -> tuple[CompiledExecutable, SteppedInstance]:
    """The same program, to be called as often as wanted, and the memory that counts its steps."""
    instance = executable.instance(SteppedInstance)
    assert isinstance(instance, SteppedInstance)
    same = copy(executable)
    same.idle = [instance]
    return same, instance

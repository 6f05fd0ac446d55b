"""Processor time and memory of stages, each in a process of its own.

What a stage may take depends on the size of the program, or on the size of what it reads or writes
if that is larger: the expansion of one line may have hundreds of operations.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import stablemate as sm
from tests.fuzzing.child_process import TooSlow, described, forked
from tests.fuzzing.growth.parts import Growth
from tests.fuzzing.growth.stages import Needs, Stage, Subject, bytes_of

MEGABYTE: Final = 1_000_000
SECONDS: Final = 5.0  # of processor time for each megabyte
MEMORY: Final = 1_000 * MEGABYTE  # bytes for each megabyte
RATIO: Final = 2.5  # twice the size may take so many times as much
SHORT: Final = 0.3  # seconds, below which a ratio says nothing
SMALL: Final = 100 * MEGABYTE  # bytes of memory, likewise
PATIENCE: Final = 4  # a stage is ended after so many times its time
LEAST: Final = 30.0  # seconds that every stage has: what it writes may be large
AGAIN: Final = 2  # a stage that seems to grow too fast is measured so many times more
ADDRESSES: Final = 4 << 30  # bytes that a process may have beyond what it begins with


@dataclass(frozen=True, slots=True)
class Cost:
    """What a stage has taken.

    Attributes:
        seconds: Processor time.
        memory: Bytes beyond those at the beginning, at most.
        failure: The kind of a failure that users must not see; empty if there was none.
        handled: Bytes of the largest of what it has read and written.
    """

    seconds: float
    memory: int
    failure: str = ""
    handled: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """A stage that takes too much.

    Attributes:
        operation: The operation.
        part: What of it has grown.
        stage: The stage.
        reason: What is wrong.
        sizes: Bytes of the programs.
        costs: What they have taken.
    """

    operation: str
    part: str
    stage: str
    reason: str
    sizes: tuple[int, ...]
    costs: tuple[Cost, ...]

    def __str__(self) -> str:
        seconds = " ".join(f"{cost.seconds:6.2f}" for cost in self.costs)
        memory = " ".join(f"{cost.memory / MEGABYTE:5.0f}" for cost in self.costs)
        head = f"{self.operation:34} {self.part:32} {self.stage:24}"
        return f"{head} {seconds:20} s {memory:17} MB  {self.reason}"


def findings_of(
    operation: str, growth: Growth, stages: Mapping[str, Stage], sizes: Sequence[int]
) -> list[Finding]:
    """Measures the stages of one program at all sizes."""
    programs = Programs(operation, growth)
    found: list[Finding] = []
    for name, stage in stages.items():
        measured = list(sizes)
        costs = costs_of(stage, programs, measured)
        reason = reason_of(costs, measured)
        for _ in range(AGAIN):
            if reason.startswith("grows"):  # others use the machine too
                costs = least(costs, costs_of(stage, programs, measured))
                reason = reason_of(costs, measured)
        if reason.startswith("grows"):  # by steps, perhaps: what is not linear goes on growing
            measured = [*sizes[1:], 2 * sizes[-1]]
            costs = costs_of(stage, programs, measured)
            reason = reason_of(costs, measured)
        if reason:
            measured = measured[: len(costs)]
            found.append(
                Finding(operation, growth.part, name, reason, tuple(measured), tuple(costs))
            )
    return found


class Programs(dict[int, Subject]):
    """The programs of one growth, by size; each is generated when it is first used.

    Attributes:
        operation: The operation.
        growth: What of it grows.
    """

    def __init__(self, operation: str, growth: Growth) -> None:
        super().__init__()
        self.operation = operation
        self.growth = growth

    def __missing__(self, size: int) -> Subject:
        self[size] = Subject(self.operation, self.growth.of_size(size))
        return self[size]


def least(costs: Sequence[Cost], again: Sequence[Cost]) -> list[Cost]:
    """The smaller of two measurements of each size."""
    return [
        Cost(min(a.seconds, b.seconds), min(a.memory, b.memory), a.failure and b.failure, a.handled)
        for a, b in zip(costs, again, strict=False)
    ]


def reason_of(costs: Sequence[Cost], sizes: Sequence[int]) -> str:
    """What is wrong with what a stage has taken; empty if nothing is."""
    if not costs:
        return ""
    last = costs[-1]
    bound = max(sizes[len(costs) - 1], last.handled) / MEGABYTE
    if last.failure:
        return last.failure
    if last.seconds > max(1.0, SECONDS * bound):
        return f"takes more than {SECONDS:.0f} s for each MB"
    if last.memory > max(SMALL, MEMORY * bound):
        return "takes more than 1 GB for each MB"
    if len(costs) < max(2, len(sizes)):
        return ""
    before, step = costs[-2], sizes[-1] / sizes[-2] / 2
    if last.seconds > max(SHORT, RATIO * step * before.seconds):
        return f"grows: {last.seconds / max(before.seconds, 0.001):.1f} times the time"
    if last.memory > max(SMALL, RATIO * step * before.memory):
        return f"grows: {last.memory / max(before.memory, 1):.1f} times the memory"
    return ""


def costs_of(stage: Stage, programs: Programs, sizes: Sequence[int]) -> list[Cost]:
    """What a stage takes at each size, up to one that fails or says enough of the larger ones."""
    costs: list[Cost] = []
    for subject in [programs[size] for size in sizes]:
        size = len(subject.text)
        seconds = max(LEAST, PATIENCE * SECONDS * size / MEGABYTE)
        if not is_ready(stage, subject, seconds):
            break
        cost = measured(stage, subject, seconds)
        costs.append(cost)
        square = (sizes[-1] / size) ** 2
        if cost.failure or (cost.seconds * square < SHORT and cost.memory * square < SMALL):
            break  # even with its square it would not be found
    return costs


def is_ready(stage: Stage, subject: Subject, seconds: float) -> bool:
    """Makes what a stage needs, in so much time; whether that can be made."""
    if not isinstance(stage, Needs):
        return True
    failed: set[str] = subject.__dict__.setdefault("failed", set())
    for name in stage.needs.split():
        if name in failed:
            return False
        try:
            limited(lambda name=name: getattr(subject, name), seconds)
        except (Exception, TooSlow):
            failed.add(name)
            return False
    return True


def limited(action: Callable[[], Any], seconds: float) -> Any:
    """Does something, for so much processor time.

    Raises:
        TooSlow: It took more.
    """

    def late(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return action()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def measured(stage: Stage, subject: Subject, seconds: float) -> Cost:
    """What a stage takes, in a process of its own."""
    sys.stdout.flush()
    gc.collect()
    gc.freeze()  # what was there before is not looked through
    reading, writing = os.pipe()
    child = forked()
    if not child:
        os.close(reading)
        examine(stage, subject, seconds, writing)
    os.close(writing)
    data = answer(reading, child, 3 * seconds + 20.0)
    _, status = os.waitpid(child, 0)
    if not data:
        code = os.waitstatus_to_exitcode(status)
        return Cost(
            seconds, 0, f"ended the process: {signal.Signals(-code).name if code < 0 else code}"
        )
    return Cost(**json.loads(data))


def answer(reading: int, child: int, seconds: float) -> bytes:
    """What a child says in so much time; then it is ended."""
    try:
        if select.select([reading], [], [], seconds)[0]:
            return os.read(reading, 1 << 16)
        os.kill(child, signal.SIGKILL)
        return b""
    finally:
        os.close(reading)


def examine(stage: Stage, subject: Subject, seconds: float, writing: int) -> None:
    """Runs a stage in a child, which ends."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    begin = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    pages = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (pages + ADDRESSES, pages + ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    failure, result = "", None
    usage = resource.getrusage(resource.RUSAGE_SELF)
    start = usage.ru_utime + usage.ru_stime
    try:
        result = limited(lambda: stage(subject), seconds)
    except sm.StablemateError as error:
        error.render()
    except TooSlow:
        failure = f"does not end in {seconds:.0f} s"
    except Exception as error:
        failure = f"raises {described(error)[0]}"
    usage = resource.getrusage(resource.RUSAGE_SELF)
    taken = usage.ru_utime + usage.ru_stime - start
    memory = max(0, usage.ru_maxrss * 1024 - begin)
    cost = Cost(taken, memory, failure, max(map(bytes_of, [*inputs_of(stage, subject), result])))
    os.write(writing, json.dumps(asdict(cost)).encode())
    os._exit(0)


def inputs_of(stage: Stage, subject: Subject) -> list[object]:
    """What a stage takes."""
    needs = stage.needs.split() if isinstance(stage, Needs) else []
    return [subject.text, *(getattr(subject, name) for name in needs)]

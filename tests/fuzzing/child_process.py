"""A child process that examines inputs: bounded in memory and time, and watched from outside."""

from __future__ import annotations

import json
import mmap
import os
import re
import resource
import select
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from stablemate.diagnostics.errors import ConversionWarning, StablemateError

SECONDS: Final = 5.0  # of processor time that one input may take
STUCK: Final = 120.0  # seconds without a step, then the child is ended
MEMORY: Final = 3 << 30  # bytes that a child may have beyond what it begins with
BATCH: Final = 200
VARYING: Final = re.compile(r"\d+|'[^']*'|\"[^\"]*\"")
MOST_FOUND: Final = 50  # findings of one child; then another one goes on
NUMBER: Final = struct.Struct("<q")


class TooSlow(BaseException):
    """An input has taken more than its time."""


@dataclass(frozen=True)
class Bounds:
    """How long to go on.

    Attributes:
        seconds: The most time to take.
        each: Processor time for one input.
        memory: Bytes beyond those at the beginning.
    """

    seconds: float
    seconds_per_input: float = SECONDS
    memory: int = MEMORY


@dataclass(frozen=True)
class Finding:
    """An input that ended otherwise than in a result or a StablemateError.

    Attributes:
        reader: The reader.
        seed: The seed.
        number: The number of the input.
        kind: The sort of the finding: the exception and where it was raised.
        trace: The traceback.
    """

    reader: str
    seed: int
    number: int
    kind: str
    trace: str


def run_in_child(
    reader: str, seed: int, numbers: range, bounds: Bounds
) -> tuple[int, Counter[str], list[Finding]]:
    """Examines inputs in a child process.

    Returns:
        The number of the next input, how often what came of them, and the findings.
    """
    from tests.fuzzing.readers import READERS

    READERS[reader].seeds()  # made once, for all children
    place = mmap.mmap(-1, NUMBER.size)
    NUMBER.pack_into(place, 0, numbers.start)
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryDirectory(prefix="fuzzing-", ignore_cleanup_errors=True) as directory:
        child = forked()
        if not child:
            os.close(reading)
            work(reader, seed, numbers, bounds, place, writing, directory)
        os.close(writing)
        lines = watched(reading, child, place)
        _, status = os.waitpid(child, 0)
    counts: Counter[str] = Counter()
    findings: list[Finding] = []
    for line in lines:
        row = json.loads(line)
        if "kind" in row:
            findings.append(Finding(**row))
        else:
            counts.update(row)
    (number,) = NUMBER.unpack_from(place)
    if status:
        how = os.waitstatus_to_exitcode(status)
        kind = f"ended the process: {signal.Signals(-how).name if how < 0 else how}"
        findings.append(Finding(reader, seed, number, kind, ""))
        number += 1
    return number, counts, findings


def forked() -> int:
    """A fork; JAX, if a test has imported it, warns of threads that the child does not need."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return os.fork()


def watched(reading: int, child: int, place: mmap.mmap) -> list[bytes]:
    """What a child says; it is ended if it does not come forward."""
    value, last, since = b"", -1, time.monotonic()
    while True:
        if select.select([reading], [], [], 1.0)[0]:
            part = os.read(reading, 1 << 16)
            if not part:
                os.close(reading)
                return value.split(b"\n")[:-1]
            value += part
        (number,) = NUMBER.unpack_from(place)
        if number != last:
            last, since = number, time.monotonic()
        elif time.monotonic() - since > STUCK:
            os.kill(child, signal.SIGKILL)


def work(
    reader: str,
    seed: int,
    numbers: range,
    bounds: Bounds,
    place: mmap.mmap,
    writing: int,
    directory: str,
) -> NoReturn:
    """What the child does."""
    from tests.fuzzing.readers import READERS

    prepare(bounds, directory)
    examined, value = READERS[reader], READERS[reader].examine
    counts: Counter[str] = Counter()
    end, monotonic_result = time.monotonic() + bounds.seconds, 0
    for number in numbers:
        NUMBER.pack_into(place, 0, number)
        if number % BATCH == 0:
            say(writing, counts)
            counts = Counter()
            if time.monotonic() > end or monotonic_result >= MOST_FOUND:
                break
        data = examined.input(seed, number)
        outcome, failure = guarded(value, data, number, bounds.seconds_per_input)
        counts[outcome] += 1
        if failure is not None:
            monotonic_result += 1
            say(writing, asdict(Finding(reader, seed, number, *failure)))
    else:
        NUMBER.pack_into(place, 0, numbers.stop)
    say(writing, counts)
    os._exit(0)


def say(writing: int, row: Any) -> None:
    """Tells the parent."""
    data = json.dumps(row, default=str).encode() + b"\n"
    while data:
        data = data[os.write(writing, data) :]


def prepare(bounds: Bounds, directory: str) -> None:
    """Bounds this process, silences it, makes warnings errors; it works in this directory."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.dup2(null, 2)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + bounds.memory, used + bounds.memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    settle(directory)


def settle(directory: str) -> None:
    """Makes warnings errors, and works in this directory: the cache is there too.

    What a conversion says that the other format has no place for is no fault.
    """
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", ConversionWarning)
    os.environ["STABLEMATE_CACHE_DIR"] = str(Path(directory) / "cache")
    os.environ["STABLEMATE_CACHE_BYTES"] = "1000000"
    os.chdir(directory)


def guarded(
    examine: Callable[[Any, int], str], data: bytes | str, number: int, seconds: float
) -> tuple[str, tuple[str, str] | None]:
    """What came of an input: the outcome, and of a finding its sort and traceback."""

    def late(*_: object) -> NoReturn:
        raise TooSlow

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return examine(data, number), None
    except (Exception, TooSlow) as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return "found", described(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def described(error: BaseException) -> tuple[str, str]:
    """The sort of a finding, and its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/stablemate/" in frame.filename] or frames
    last = ours[-1]
    if isinstance(error, TooSlow | RecursionError | MemoryError):
        last = ours[min(len(ours) - 1, 3)]
    place = f"{last.filename.rpartition('/stablemate/')[2]}:{last.name}"
    if isinstance(error, StablemateError):
        place = f"{place}: {VARYING.sub('_', str(error).partition(chr(10))[0])[:100]}"
    text = "".join(traceback.format_exception(error, limit=-12))
    return f"{type(error).__name__} in {place}", text[-4000:]

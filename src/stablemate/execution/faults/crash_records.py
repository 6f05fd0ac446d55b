"""Crash records: what a rank is doing, for the monitor to report if it is killed."""

from __future__ import annotations

import mmap
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from ctypes import CDLL
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from stablemate.execution.faults import rank_monitor as monitor
from stablemate.execution.faults.rank_monitor import ABORTED, LEFT, RECORD, RECORDS

LAUNCHERS: Final = ("mpiexec", "mpirun", "orterun", "prterun")
WATCHER: Final = Path(monitor.__file__)
PIDFD_GETFD: Final = 438  # the system call that copies a descriptor of another process


class CrashRecords:
    """The current operation of a rank, in memory that the monitor of its node reads.

    Attributes:
        number: One element: the number of the operation.
    """

    def __init__(self, node: Any, rank: int) -> None:
        """Starts the monitor of a node; all its ranks make this at the same time.

        Args:
            node: The communicator of the ranks on this node.
            rank: The number of this one in the job.
        """
        self.number = np.zeros(1, np.int64)
        self.numbers: dict[str, int] = {}
        self.texts: Any = None
        self.monitor: subprocess.Popen[bytes] | None = None
        self.line = -1
        if not hasattr(os, "mkfifo") or not hasattr(select, "epoll") or node.Get_size() == 1:
            return
        size = RECORD * RECORDS
        name, file = "", -1
        if node.Get_rank() == 0:
            file, name = tempfile.mkstemp(prefix="stablemate-", dir=shared_memory())
            os.truncate(file, size * node.Get_size())
        path: str = node.bcast(name)
        if file < 0:
            file = os.open(path, os.O_RDWR)
        memory = mmap.mmap(file, size * node.Get_size())
        all_ranks: list[tuple[int, int]] = node.allgather((rank, os.getpid()))
        own: int = node.Get_rank()
        lines = [f"{path}.{place}" for place in range(len(all_ranks))]
        ends: list[int] = []
        if node.Get_rank() == 0:
            for line in lines:
                os.mkfifo(line, 0o600)
                ends.append(os.open(line, os.O_RDONLY | os.O_NONBLOCK))
        node.Barrier()
        self.line = os.open(lines[own], os.O_WRONLY)  # closed when the rank has ended
        node.Barrier()
        if node.Get_rank() == 0:
            self.monitor = start_monitor(file, ends, all_ranks)
            for line in (path, *lines):
                os.unlink(line)
            for end in ends:
                os.close(end)
        node.Barrier()  # nobody does anything that the monitor could miss
        os.close(file)
        start = size * node.Get_rank()
        self.texts = memoryview(memory)[start : start + size]
        self.number = np.frombuffer(self.texts, np.int64, 1)

    def of(self, text: str) -> int:
        """The number of an operation."""
        number = self.numbers.get(text)
        if number is None:
            number = self.numbers[text] = min(len(self.numbers) + 1, RECORDS - 1)
            if self.texts is not None:
                record = text.encode()[:RECORD].ljust(RECORD, b"\0")
                self.texts[number * RECORD : (number + 1) * RECORD] = record
        return number

    def leave(self) -> None:
        """Records that the rank exits normally, unless it aborts the job.

        A process with handlers of signals, such as JAX's, goes on after it has aborted.
        """
        if self.number[0] != ABORTED:
            self.number[0] = LEFT

    def abort(self) -> None:
        """Records that the rank aborts the job."""
        self.number[0] = ABORTED


def shared_memory() -> str | None:
    """A directory in memory, if the system has one."""
    place = "/dev/shm"
    return place if os.access(place, os.W_OK) else None


def start_monitor(
    file: int, ends: Sequence[int], ranks: Sequence[tuple[int, int]]
) -> subprocess.Popen[bytes]:
    """Starts the monitor of these ranks, which outlives all of them.

    Args:
        file: What they write to.
        ends: The lines that each of them holds open as long as it lives.
        ranks: The number and the process of each.
    """
    pairs = [f"{end}:{rank}:{process}" for end, (rank, process) in zip(ends, ranks, strict=True)]
    # Lines are watched from now on, however late the monitor begins: it knows which ended first.
    with select.epoll() as ended, launcher_errors() as errors:
        for end in ends:
            ended.register(end, select.EPOLLHUP)
        numbers = [file, ended.fileno()]
        return subprocess.Popen(
            [sys.executable, "-I", "-S", str(WATCHER), *map(str, numbers), *pairs],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=[*numbers, *ends],
            start_new_session=True,
        )


def errors_of(process: int) -> IO[bytes] | None:
    """Stderr of another process, to be closed; None if it is out of reach.

    A file that is opened again has a place of its own, where the other process overwrites what is
    written. So its descriptor is copied; where the system forbids that, pipes and terminals remain.
    """
    try:
        return os.fdopen(copied_descriptor(process, 2), "wb")
    except (OSError, AttributeError):  # the system has no such call, or forbids it
        pass
    try:
        return open(f"/proc/{process}/fd/2", "ab")
    except OSError:
        return None


def copied_descriptor(process: int, number: int) -> int:
    """A copy of a descriptor of another process, which shares its place in the file.

    Raises:
        OSError: The system forbids it.
        AttributeError: The system is not Linux.
    """
    handle = os.pidfd_open(process)
    try:
        descriptor: int = CDLL(None).syscall(PIDFD_GETFD, handle, number, 0)
    finally:
        os.close(handle)
    if descriptor < 0:
        raise PermissionError(f"descriptor {number} of process {process} cannot be copied")
    return descriptor


@contextmanager
def launcher_errors() -> Generator[IO[bytes] | None]:
    """Stderr of the launcher, if it runs on this node; None: stderr of this process.

    What ranks write goes through processes that end with the first rank that is killed.
    """
    process = os.getppid()
    launcher = 0
    while process > 1:
        try:
            name = Path(f"/proc/{process}/comm").read_text()
            status = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            break
        if name.startswith(LAUNCHERS):
            launcher = process
        process = int(status.rpartition(")")[2].split()[1])
    errors = errors_of(launcher) if launcher else None
    try:
        yield errors
    finally:
        if errors is not None:
            errors.close()

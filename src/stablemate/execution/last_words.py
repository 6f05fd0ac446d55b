"""Last words: where a rank writes what it is doing, for whoever finds it killed."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from stablemate.execution import watcher
from stablemate.execution.watcher import ABORTED, LEFT, RECORD, RECORDS

WATCHER: Final = Path(watcher.__file__)


class LastWords:
    """What a rank is doing, in memory that the watcher of its node reads.

    Attributes:
        number: One element: the number of the operation.
    """

    def __init__(self, node: Any, rank: int) -> None:
        """Starts the watcher of a node; all its ranks make this at the same time.

        Args:
            node: The communicator of the ranks on this node.
            rank: The number of this one in the job.
        """
        self.number = np.zeros(1, np.int64)
        self.numbers: dict[str, int] = {}
        self.texts: Any = None
        self.watcher: subprocess.Popen[bytes] | None = None
        if not hasattr(os, "pidfd_open") or node.Get_size() == 1:
            return
        size = RECORD * RECORDS
        path, file = "", -1
        if node.Get_rank() == 0:
            file, path = tempfile.mkstemp(prefix="stablemate-", dir=shared_memory())
            os.truncate(file, size * node.Get_size())
        path = node.bcast(path)
        if file < 0:
            file = os.open(path, os.O_RDWR)
        memory = mmap.mmap(file, size * node.Get_size())
        all_ranks: list[tuple[int, int]] = node.allgather((rank, os.getpid()))
        if node.Get_rank() == 0:
            os.unlink(path)
            self.watcher = watched(file, all_ranks)
        os.close(file)
        start = size * node.Get_rank()
        self.texts = memoryview(memory)[start : start + size]
        self.number = np.frombuffer(self.texts, np.int64, 1)

    def of(self, text: str) -> int:
        """The number of an operation."""
        known = self.numbers.get(text)
        if known is None:
            known = self.numbers[text] = min(len(self.numbers) + 1, RECORDS - 1)
            if self.texts is not None:
                record = text.encode()[:RECORD].ljust(RECORD, b"\0")
                self.texts[known * RECORD : (known + 1) * RECORD] = record
        return known

    def leave(self) -> None:
        """The rank ends by itself."""
        self.number[0] = LEFT

    def abort(self) -> None:
        """The rank ends all others."""
        self.number[0] = ABORTED


def shared_memory() -> str | None:
    """Where files are kept in memory, if there is such a place."""
    place = "/dev/shm"
    return place if os.access(place, os.W_OK) else None


def watched(file: int, ranks: Sequence[tuple[int, int]]) -> subprocess.Popen[bytes]:
    """The watcher of these ranks, which outlives all of them."""
    pairs = [f"{rank}:{process}" for rank, process in ranks]
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(WATCHER), str(file), *pairs],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[file],
        start_new_session=True,
    )

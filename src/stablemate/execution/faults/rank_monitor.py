"""Monitors the ranks of one node: a separate process that reports which of them was killed.

The launcher of a job in which a rank is killed kills the others before they can say anything. So
the first rank of each node starts this file, with the numbers and processes of its ranks. It needs
no package. Ranks write into a file in memory what they are doing; see ``LastWords``.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from typing import Final

RECORD: Final = 128  # bytes; the first of a rank is its number, the others are texts
RECORDS: Final = 1 << 13  # of each rank
LEFT: Final = -1  # the number of a rank that ends by itself
ABORTED: Final = -2  # of one that ends all others
GRACE: Final = 1.0  # seconds that ranks have to end when one was killed


def number_of(memory: int, place: int) -> int:
    """The last record of a rank."""
    record = os.pread(memory, 8, place * RECORDS * RECORD)
    return int.from_bytes(record, "little", signed=True)


def operation_of(memory: int, place: int) -> str:
    """The last operation of a rank."""
    number = number_of(memory, place)
    if not 0 < number < RECORDS:
        return "none"
    text = os.pread(memory, RECORD, (place * RECORDS + number) * RECORD)
    return text.rstrip(b"\0").decode(errors="replace")


def watch(memory: int, ended: select.epoll, ranks: dict[int, tuple[int, int]]) -> None:
    """Waits until all ranks have ended; if one was killed, reports it and ends the others.

    A rank holds a line open as long as it lives. Lines are closed in the order in which ranks end,
    before the launcher can know of it: so the first one that is closed is that of the culprit.

    Args:
        memory: The file that ranks write to.
        ended: Watches the lines.
        ranks: The number and the process of each, by its line; in the order of their records.
    """
    places = {line: place for place, line in enumerate(ranks)}
    alive = dict(ranks)
    while alive:
        ((line, _),) = ended.poll(maxevents=1)
        ended.unregister(line)
        rank, _ = alive.pop(line)
        if any(number_of(memory, place) == ABORTED for place in places.values()):
            return
        if number_of(memory, places[line]) != LEFT:
            where = operation_of(memory, places[line])
            sys.stderr.write(f"rank {rank} was killed; its last operation: {where}\n")
            sys.stderr.flush()
            end(ended, alive)
            return


def end(ended: select.epoll, alive: dict[int, tuple[int, int]]) -> None:
    """Ends the processes that the launcher does not end by itself."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        limit = time.monotonic() + GRACE
        while alive and time.monotonic() < limit:
            for line, _ in ended.poll(max(0.0, limit - time.monotonic()), max(1, len(alive))):
                ended.unregister(line)
                del alive[line]
        for _, process in alive.values():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue


def main() -> None:
    """Monitors the ranks that the command line names: ``LINE:RANK:PROCESS`` for each."""
    memory, ended, *pairs = sys.argv[1:]
    numbers = [[int(part) for part in pair.split(":")] for pair in pairs]
    ranks = {line: (rank, process) for line, rank, process in numbers}
    watch(int(memory), select.epoll.fromfd(int(ended)), ranks)


if __name__ == "__main__":
    main()

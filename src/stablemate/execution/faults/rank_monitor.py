"""Monitors the ranks of one node: a separate process that reports which was killed or stopped.

The launcher of a job in which a rank is killed kills the others before they can say anything. So
the first rank of each node starts this file, with the numbers and processes of its ranks. It needs
no package. Ranks write into a file in memory what they are doing; see ``CrashRecords``.

A rank that is stopped answers no message, and nobody can tell it from one that computes. The
monitor names it after ``STOPPED`` seconds; the job waits on, since the rank may be continued.
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
# Longer waits report a failure later, shorter ones take a slow rank for a dead one.
GRACE: Final = 1.0  # seconds that ranks have to end when one was killed
STOPPED: Final = 10.0  # seconds after which a rank that is stopped is named
PERIOD: Final = 1.0  # seconds between two looks at the ranks


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
    stops = Stops()
    while alive:
        events = ended.poll(PERIOD, 1)
        if not events:
            for line in stops.long_ones(alive):
                report_stop(*alive[line], operation_of(memory, places[line]))
            continue
        ((line, _),) = events
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


class Stops:
    """Which ranks are stopped, and since when.

    Attributes:
        since: When a rank was first seen stopped, by its line.
        named: The lines of ranks that have been named since they were stopped.
    """

    def __init__(self) -> None:
        self.since: dict[int, float] = {}
        self.named: set[int] = set()

    def long_ones(self, alive: dict[int, tuple[int, int]]) -> list[int]:
        """The lines of ranks to be named now; none if the whole job is suspended.

        Args:
            alive: The number and the process of each rank, by its line.
        """
        now = time.monotonic()
        stopped = {line for line, (_, process) in alive.items() if is_stopped(process)}
        self.since = {line: self.since.get(line, now) for line in stopped}
        self.named &= stopped
        if len(stopped) == len(alive):
            return []
        lines = [line for line in sorted(stopped - self.named) if now >= self.since[line] + STOPPED]
        self.named.update(lines)
        return lines


def is_stopped(process: int) -> bool:
    """Whether a process is stopped, by a signal or a debugger; unknown on systems without /proc."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] in "Tt"
    except OSError:
        return False


def report_stop(rank: int, process: int, operation: str) -> None:
    """Names a rank that is stopped."""
    sys.stderr.write(
        f"rank {rank} (process {process}) has been stopped for {STOPPED:.0f} s; its last "
        f"operation: {operation}; the job waits for it: continue it with kill -CONT {process}\n"
    )
    sys.stderr.flush()


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

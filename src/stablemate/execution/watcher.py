"""The watcher of the ranks on one node: a process of its own that says which of them was killed.

The launcher of a job in which a rank is killed kills the others before they can say anything. So
the first rank of each node starts this file, with the numbers and processes of its ranks. It needs
no package. Ranks write into a file in memory what they are doing; see ``LastWords``.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import Final

RECORD: Final = 128  # bytes; the first of a rank is its number, the others are texts
RECORDS: Final = 1 << 13  # of each rank
LEFT: Final = -1  # the number of a rank that ends by itself
ABORTED: Final = -2  # of one that ends all others
GRACE: Final = 1.0  # seconds that ranks have to end when one was killed


def number_of(memory: int, place: int) -> int:
    """What a rank has written last."""
    record = os.pread(memory, 8, place * RECORDS * RECORD)
    return int.from_bytes(record, "little", signed=True)


def operation_of(memory: int, place: int) -> str:
    """The last operation of a rank."""
    number = number_of(memory, place)
    if not 0 < number < RECORDS:
        return "none"
    text = os.pread(memory, RECORD, (place * RECORDS + number) * RECORD)
    return text.rstrip(b"\0").decode(errors="replace")


def watch(memory: int, ranks: list[tuple[int, int]]) -> None:
    """Waits until all ranks have ended; says so if one was killed, and ends the others.

    Args:
        memory: The file that ranks write to.
        ranks: The number and the process of each.
    """
    ended = select.epoll()
    alive: dict[int, tuple[int, int]] = {}
    for place, (rank, process) in enumerate(ranks):
        try:
            handle = os.pidfd_open(process)
        except ProcessLookupError:
            return
        ended.register(handle, select.EPOLLIN)
        alive[handle] = place, rank
    while alive:
        for handle, _ in ended.poll():
            place, rank = alive.pop(handle)
            ended.unregister(handle)
            if any(number_of(memory, each) == ABORTED for each in range(len(ranks))):
                return
            if number_of(memory, place) != LEFT:
                where = operation_of(memory, place)
                sys.stderr.write(f"rank {rank} was killed; its last operation: {where}\n")
                sys.stderr.flush()
                end(ended, list(alive))
                return


def end(ended: select.epoll, handles: list[int]) -> None:
    """Ends what the launcher does not end by itself."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        ended.poll(GRACE, max(1, len(handles)))
        for handle in handles:
            try:
                signal.pidfd_send_signal(handle, number)
            except ProcessLookupError:
                continue


if __name__ == "__main__":
    pairs = [each.split(":") for each in sys.argv[2:]]
    watch(int(sys.argv[1]), [(int(rank), int(process)) for rank, process in pairs])

"""Splits a launch into chunks for threads.

A piece is worth 20 microseconds to 5 milliseconds of one thread, by an estimate of the time of an
iteration. The pieces are the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

# A model of the time of memory. It decides where launches are cut, not what they compute.
BYTE: Final = 0.1e-9  # seconds for a byte from or to memory
NEAR: Final = 0.005e-9  # seconds for one that was moved before, and is in a cache
# Short chunks balance threads, and cost handing them out; results do not depend on them.
SHORTEST: Final = 20e-6  # seconds of a chunk, so that handing it to a thread costs little of it
LONGEST: Final = 5e-3  # seconds of a chunk, so that threads end at about the same time
PIECES: Final = 64  # of a launch of medium length
FEW: Final = 16  # pieces below which it matters that threads get equally many
BRIEF: Final = 2e-6  # a launch that is shorter is called without looking at the clock
SHORT: Final = 10 * BRIEF  # a program that is shorter does not poll for signals


def seconds_to_move(size: int, steps: int, available: int) -> float:
    """The time in which an iteration moves bytes of an argument.

    Args:
        size: How many bytes it moves.
        steps: How many iterations there are.
        available: The bytes of the argument; what is moved again is near.
    """
    total = size * steps
    far = min(total, available)
    return (far * BYTE + (total - far) * NEAR) / max(steps, 1)


def iteration_seconds(seconds: float, steps: int, transfers: Iterable[tuple[int, int]]) -> float:
    """The time of an iteration.

    Args:
        seconds: The time of what it computes.
        steps: How many iterations there are.
        transfers: For each argument, the bytes that it moves and those that there are.
    """
    for size, available in transfers:
        seconds += seconds_to_move(size, steps, available)
    return seconds


def chunks_of(steps: int, seconds: float, most: int) -> tuple[int, int]:
    """How many iterations a chunk has, and how many chunks there are.

    Args:
        steps: How many iterations there are.
        seconds: What one of them takes.
        most: The largest number of chunks.
    """
    total = steps * seconds
    chunk = min(max(total / PIECES, SHORTEST), LONGEST)
    count = max(1, min(steps, most, int(total / chunk)))
    if count < FEW and steps >= 4 * count:
        count = 1 << (count.bit_length() - 1)
    size = -(-steps // count)
    return size, -(-steps // size)

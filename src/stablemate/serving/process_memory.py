"""How the process of a server manages memory: what ended connections and requests took is reused.

Source: gc of Python's library; mallopt(3).
"""

from __future__ import annotations

import ctypes
import gc
from typing import Final

# A connection that has ended is a cycle of about six objects (asyncio's transport and its methods).
# The command line makes the collector wait for far more than a server should keep.
COLLECTION_THRESHOLD: Final = 10_000

# Parameters of mallopt. Threads take memory from arenas of their own, which large blocks of short
# life tear apart; by default, the blocks that glibc gives back at once grow with those it has seen.
TRIM_THRESHOLD: Final = -1
MMAP_THRESHOLD: Final = -3
MOST_ARENAS: Final = -8
LARGE_BYTES: Final = 1 << 20  # given back at once: a system call each against torn memory
ARENAS: Final = 2  # threads wait for each other, but no arena keeps memory of its own for each


def prepare_for_long_life() -> None:
    """Sets the collector and, where there is glibc, its allocator, for a process that serves."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library, or none that has a name
        return
    mallopt(MOST_ARENAS, ARENAS)
    for threshold in (MMAP_THRESHOLD, TRIM_THRESHOLD):
        mallopt(threshold, LARGE_BYTES)

"""How many processors this process may use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")  # "200000 100000": the time of two processors


def usable_processors() -> int:
    """How many processors the system may run this process on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS and Windows have no such mask


def cpu_quota() -> int:
    """How many processors' time this container may use; 0 if it is not limited."""
    try:
        quota, period = CPU_QUOTA.read_text().split()[:2]
    except (OSError, ValueError):
        return 0
    return -(-int(quota) // int(period)) if quota.isdecimal() and int(period) else 0

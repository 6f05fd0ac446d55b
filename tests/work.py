"""Work as a number that does not depend on the machine: calls of functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

LINEAR: Final = 2.3  # twice the size takes at most so many times as many calls


def calls_during(run: Callable[[], object]) -> int:
    """The number of functions, of Python and of C, that are called meanwhile."""
    count = 0

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    previous = sys.getprofile()
    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(previous)
    return count


def growth(run: Callable[[int], object], size: int) -> float:
    """How many times as many calls twice the size takes, when caches are filled."""
    run(2 * size)
    return calls_during(lambda: run(2 * size)) / calls_during(lambda: run(size))

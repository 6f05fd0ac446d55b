"""Work in slices of time: between two of them, the server answers requests and sees new edits."""

from __future__ import annotations

from time import perf_counter
from typing import Final

GROWTH: Final = 1.5  # work is done again in fewer slices, and answers come later


class OutOfTime(Exception):
    """A slice of time is over; what was read so far is known when the work is taken up again."""


class TimeSlice:
    """A slice of time for new work; it begins with the first of that, so that each slice does some.

    Each slice of a text is longer than the last one, because some work is done again in each.

    Args:
        seconds: How long the first one is; None if it has no end.
        number: How many slices the text has had.
    """

    def __init__(self, seconds: float | None, number: int = 0) -> None:
        self.seconds = None if seconds is None else seconds * GROWTH**number
        self.end: float | None = None

    def spend(self) -> None:
        """Begins a piece of new work.

        Raises:
            OutOfTime: The slice is over.
        """
        if self.seconds is None:
            return
        now = perf_counter()
        if self.end is None:
            self.end = now + self.seconds
        elif now > self.end:
            raise OutOfTime

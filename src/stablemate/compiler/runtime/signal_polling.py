"""Determines how long native code may run before Python polls for signals."""

from __future__ import annotations

from time import perf_counter
from typing import Final

# A signal is answered so much later at most; a poll takes the interpreter's lock.
POLL_SECONDS: Final = 0.02  # between two polls


class TickClock:
    """Measures the rate of the processor's clock.

    Attributes:
        ticks: How many ticks the native loop may run before Python polls for signals.
    """

    def __init__(self) -> None:
        self.ticks = 1 << 20  # a guess; the first program that runs longer corrects it
        self.first_reading: tuple[int, float] | None = None

    def read(self, ticks: int) -> None:
        """Compares the clocks: ``ticks`` is the processor's clock when the native loop began.

        The time is measured from the first comparison on, so the rate becomes more exact with each
        call.
        """
        now = perf_counter()
        if self.first_reading is None:
            self.first_reading = ticks, now
            return
        first_ticks, first_time = self.first_reading
        if now - first_time > POLL_SECONDS:
            rate = (ticks - first_ticks) / (now - first_time)
            self.ticks = max(1 << 10, min(1 << 40, int(rate * POLL_SECONDS)))


CLOCK: Final = TickClock()

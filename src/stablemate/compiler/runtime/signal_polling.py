"""How long native code may run before Python polls for signals."""

from __future__ import annotations

from time import perf_counter
from typing import Final

POLL_SECONDS: Final = 0.02  # seconds between two looks at signals


class TickClock:
    """Learns how fast the processor's clock runs.

    Attributes:
        ticks: How many ticks the native loop may run before Python looks at signals.
    """

    def __init__(self) -> None:
        self.ticks = 1 << 20  # a guess; the first program that runs longer sets it right
        self.first: tuple[int, float] | None = None

    def read(self, ticks: int) -> None:
        """Compares the clocks: the processor's stood at ``ticks`` when the native loop began.

        The time is measured from the first comparison on, so that it grows ever more exact.
        """
        now = perf_counter()
        if self.first is None:
            self.first = ticks, now
            return
        before, then = self.first
        if now - then > POLL_SECONDS:
            rate = (ticks - before) / (now - then)
            self.ticks = max(1 << 10, min(1 << 40, int(rate * POLL_SECONDS)))


CLOCK: Final = TickClock()

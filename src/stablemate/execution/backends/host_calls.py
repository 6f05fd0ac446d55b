"""Functions of the host that run while other processes of the grid go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from stablemate.diagnostics.errors import StablemateError
from stablemate.execution.process import Fiber

# A longer wait keeps processes that could go on, a shorter one misses functions that return soon.
PATIENCE: Final = 5e-3  # seconds that the other processes wait for a function


class HostCalls:
    """The functions that the processes of one run have called.

    Each runs on a thread of its own. Most return at once, so the other processes wait a little:
    then functions are called in the order of the processes.

    Attributes:
        running: How many have not returned.
    """

    def __init__(self) -> None:
        self.running = 0
        self.outcomes: SimpleQueue[tuple[Fiber, object]] = SimpleQueue()

    def start(self, fiber: Fiber, function: Callable[[], object]) -> None:
        """Calls a function for a process."""
        self.running += 1

        def run() -> None:
            try:
                outcome = function()
            except BaseException as error:  # raised in the thread of the run
                outcome = error
            self.outcomes.put((fiber, outcome))

        try:
            Thread(target=run, name="stablemate host call", daemon=True).start()
        except RuntimeError:  # the system has no more threads, or the interpreter ends
            run()

    def take_outcomes(self, *, wait: bool) -> Iterator[tuple[Fiber, object]]:
        """The processes whose functions have returned, and their results.

        Args:
            wait: Whether to wait for the first one.
        """
        while self.running:
            try:
                outcome = self.outcomes.get(block=wait)
            except Empty:
                return
            yield self.take_outcome(outcome)
            wait = False

    def returned_soon(self, fiber: Fiber) -> Iterator[tuple[Fiber, object]]:
        """Those whose functions return before that of a process, and this one if it is soon."""
        deadline = time.monotonic() + PATIENCE
        while (left := deadline - time.monotonic()) > 0:
            try:
                outcome = self.outcomes.get(timeout=left)
            except Empty:
                return
            yield self.take_outcome(outcome)
            if outcome[0] is fiber:
                return

    def take_outcome(self, outcome: tuple[Fiber, object]) -> tuple[Fiber, object]:
        """An outcome; an exception that is no error of a program is raised."""
        self.running -= 1
        if isinstance(outcome[1], BaseException) and not isinstance(outcome[1], StablemateError):
            raise outcome[1]
        return outcome

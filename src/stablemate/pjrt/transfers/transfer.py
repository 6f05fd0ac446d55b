"""Transfers that write the elements of buffers after these were handed out."""

from __future__ import annotations

import threading
from typing import Final

from stablemate.fork_safety import fork_safe_lock
from stablemate.pjrt.events import EventError, PendingEvent
from stablemate.pjrt.status import PjrtStatus


class BufferTransfer:
    """The elements of a buffer, which are written later."""

    def __init__(self) -> None:
        self.lock = fork_safe_lock()
        self.is_over = False
        self.over = threading.Event()
        self.error: PjrtStatus | None = None
        self.events: list[PendingEvent] = []

    def event(self) -> PendingEvent:
        """A new event that is ready when the transfer is over, and carries its error."""
        event = PendingEvent()
        with self.lock:
            is_over = self.is_over
            if not is_over:
                self.events.append(event)
        if is_over:
            event.signal(self.error)
        return event

    def end(self, error: PjrtStatus | None) -> None:
        """Tells everyone who waits that the elements are there, or will not be."""
        others: list[PendingEvent] = []
        with self.lock:  # no object is created, so that no finalizer runs
            self.error = error
            self.is_over = True
            events, self.events = self.events, others
        self.over.set()
        for event in events:
            event.signal(error)

    def wait(self) -> None:
        """Waits for the end; other Python threads run meanwhile.

        Raises:
            EventError: The transfer has failed.
        """
        self.over.wait()
        if self.error is not None:
            raise EventError(PjrtStatus(self.error.code, self.error.text))


TRANSFERS: Final[dict[int, BufferTransfer]] = {}  # of incomplete buffers, by their addresses

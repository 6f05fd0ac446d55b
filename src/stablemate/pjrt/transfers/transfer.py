"""Transfers that write the elements of buffers after these were handed out."""

from __future__ import annotations

import threading
from typing import Final

from stablemate.fork_safety import Lock
from stablemate.pjrt.events import EventError, PendingEvent
from stablemate.pjrt.status import PjrtStatus


class BufferTransfer:
    """The elements of a buffer, which are written later."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.over = threading.Event()
        self.error: PjrtStatus | None = None
        self.events: list[PendingEvent] = []

    def event(self) -> PendingEvent:
        """A new event that is ready when the transfer is over, and carries its error."""
        event = PendingEvent()
        with self.lock:
            over = self.over.is_set()
            if not over:
                self.events.append(event)
        if over:
            event.signal(self.error)
        return event

    def end(self, error: PjrtStatus | None) -> None:
        """Tells everyone who waits that the elements are there, or will not be."""
        with self.lock:
            self.error = error
            self.over.set()
            events, self.events = self.events, []
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

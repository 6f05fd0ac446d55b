"""Events as Python sees them: ready ones, those that carry an error, and those of transfers."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Final

from stablemate.fork_safety import fork_safe_lock
from stablemate.pjrt.functions import implements
from stablemate.pjrt.interface.structures import Structure
from stablemate.pjrt.native.records import PENDING, READY, word
from stablemate.pjrt.objects import OBJECTS, NativeObject, object_at, release
from stablemate.pjrt.status import PjrtStatus

CALLBACK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
# Shorter pauses answer sooner, and take the interpreter's lock more often.
PAUSE: Final = 0.0005  # seconds between two looks at an event


class ReadyEvent(NativeObject):
    """An event that is ready.

    Attributes:
        error: What it carries.
    """

    def __init__(self, error: PjrtStatus | None = None) -> None:
        super().__init__()
        self.error = error
        self.words[word("event", "state")] = READY
        self.words[word("event", "error")] = error.address if error else 0


ALWAYS_READY: Final = ReadyEvent()


def copied_error(event: ReadyEvent) -> PjrtStatus | None:
    """A new error for the caller, like that of an event."""
    return None if event.error is None else PjrtStatus(event.error.code, event.error.text)


def error_of(address: int) -> PjrtStatus | None:
    """A new error for the caller, like that of an event that may be native."""
    event = OBJECTS.get(address)
    return copied_error(event) if isinstance(event, ReadyEvent) else None


class PendingEvent(ReadyEvent):
    """An event that becomes ready later.

    Its word ``error`` is not zero before it is ready either: native code leaves it to Python.
    """

    def __init__(self) -> None:
        super().__init__()
        self.words[word("event", "state")] = PENDING
        self.words[word("event", "error")] = self.address
        self.lock = fork_safe_lock()
        self.callbacks: list[Callable[[], None]] = []

    def call_when_ready(self, callback: Callable[[], None]) -> None:
        """Calls a function when the event is ready, at once if it is."""
        with self.lock:
            pending = self.words[word("event", "state")] == PENDING
            if pending:
                self.callbacks.append(callback)
        if not pending:
            callback()

    def signal(self, error: PjrtStatus | None) -> None:
        """Makes it ready, with an error or without one, and calls whoever waits for it."""
        others: list[Callable[[], None]] = []
        with self.lock:  # no object is created, so that no finalizer runs
            self.error = error
            self.words[word("event", "state")] = READY
            callbacks, self.callbacks = self.callbacks, others
        for callback in callbacks:
            callback()


class EventError(Exception):
    """An error of an event, which is returned to the caller unchanged."""

    def __init__(self, status: PjrtStatus) -> None:
        super().__init__(status.text)
        self.status = status


def raise_error(address: int) -> None:
    """Hands the error of an event to the caller, if there is one."""
    status = error_of(address)
    if status is not None:
        raise EventError(status)


@implements("Event_Destroy")
def event_destroy(a: Structure) -> None:
    """Frees an event with an error; others are native."""
    release(object_at(a.event, ReadyEvent).address)


@implements("Event_Error")
def event_error(a: Structure) -> None:
    """The error of an event."""
    raise_error(a.event)


@implements("Event_Await")
def event_await(a: Structure) -> None:
    """Waits for an event; other Python threads run meanwhile."""
    state = ctypes.c_uint64.from_address(a.event + 8 * word("event", "state"))
    while state.value != READY:
        time.sleep(PAUSE)
    raise_error(a.event)


@implements("Event_OnReady")
def event_on_ready(a: Structure) -> None:
    """Calls back with the error of an event."""
    address, function, argument = a.event, CALLBACK(a.callback), a.user_arg
    event = object_at(address, ReadyEvent)

    def call() -> None:
        status = copied_error(event)
        function(None if status is None else status.address, argument)

    if isinstance(event, PendingEvent):
        event.call_when_ready(call)
        return
    call()

"""Events as Python sees them: ready ones, and those that carry an error."""

from __future__ import annotations

import ctypes
import time
from typing import Any, Final

from stablemate.pjrt.functions import implements
from stablemate.pjrt.native.records import READY, word
from stablemate.pjrt.objects import OBJECTS, NativeObject, object_at, release
from stablemate.pjrt.status import Status

CALLBACK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
PAUSE: Final = 0.0005  # seconds between two looks at an event


class Event(NativeObject):
    """An event that is ready.

    Attributes:
        error: What it carries.
    """

    def __init__(self, error: Status | None = None) -> None:
        super().__init__()
        self.error = error
        self.words[word("event", "state")] = READY
        self.words[word("event", "error")] = error.address if error else 0


ALWAYS_READY: Final = Event()


def error_of(address: int) -> Status | None:
    """A new error for the caller, like that of an event."""
    event = OBJECTS.get(address)
    if isinstance(event, Event) and event.error is not None:
        return Status(event.error.code, event.error.text)
    return None


class EventError(Exception):
    """An error of an event, which is returned to the caller unchanged."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.text)
        self.status = status


def raise_error(address: int) -> None:
    """Hands the error of an event to the caller, if there is one."""
    status = error_of(address)
    if status is not None:
        raise EventError(status)


@implements("Event_Destroy")
def event_destroy(a: Any) -> None:
    """Frees an event with an error; others are native."""
    release(object_at(a.event, Event).address)


@implements("Event_Error")
def event_error(a: Any) -> None:
    """The error of an event."""
    raise_error(a.event)


@implements("Event_Await")
def event_await(a: Any) -> None:
    """Waits for an event; other Python threads run meanwhile."""
    state = ctypes.c_uint64.from_address(a.event + 8 * word("event", "state"))
    while state.value != READY:
        time.sleep(PAUSE)
    raise_error(a.event)


@implements("Event_OnReady")
def event_on_ready(a: Any) -> None:
    """Calls back with the error of an event."""
    status = error_of(a.event)
    CALLBACK(a.callback)(None if status is None else status.address, a.user_arg)

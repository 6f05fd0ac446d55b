"""Defers Ctrl-C across a few lines that must not be interrupted."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def deferring_interrupts() -> Generator[None]:
    """While it lasts Ctrl-C waits; so what is opened has an owner before an exception comes."""
    handler = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(handler):
        yield  # only the main thread is interrupted
        return
    came: list[FrameType | None] = []
    try:
        signal.signal(signal.SIGINT, lambda _, frame: came.append(frame))
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            handler(signal.SIGINT, came[0])

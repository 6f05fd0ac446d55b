"""Shows the progress of long work in a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from itertools import cycle
from threading import Event, Thread
from time import monotonic
from typing import Final

from stablemate.diagnostics.visible import visible

DELAY: Final = 1.0  # seconds before anything is shown
INTERVAL: Final = 0.1
FRAMES: Final = "|/-\\"
ERASE_LINE: Final = "\r\x1b[K"


@contextmanager
def progress(what: str) -> Generator[None]:
    """Shows ``what`` and the time it takes on stderr while the body runs."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    done = Event()
    thread = Thread(target=show, args=(what, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def show(what: str, done: Event) -> None:
    """Draws until the work is done."""
    start = monotonic()
    stream = getattr(sys.stderr, "stream", sys.stderr)  # what is guarded lets nothing erase
    if done.wait(DELAY):
        return
    for frame in cycle(FRAMES):
        stream.write(f"{ERASE_LINE}{frame} {visible(what)}, {monotonic() - start:.0f} s")
        stream.flush()
        if done.wait(INTERVAL):
            break
    stream.write(ERASE_LINE)
    stream.flush()

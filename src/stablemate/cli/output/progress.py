"""Shows the progress of long work in a terminal.

One line on stderr, drawn by a thread after a second and erased at the end. Progress bars of click
need the number of steps at once, and draw at once; those of rich take a tenth of a second to
import, which is longer than most commands work.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from itertools import cycle
from threading import Event, Thread
from time import monotonic
from typing import Final

import click

from stablemate.diagnostics.progress import WorkStep, listen_to
from stablemate.diagnostics.visible import visible
from stablemate.fork_safety import fork_safe_lock

DELAY: Final = 1.0  # seconds before anything is shown
INTERVAL: Final = 0.1  # seconds between two pictures: smooth to the eye, rare for the program
FRAMES: Final = "|/-\\"
ERASE_LINE: Final = "\r\x1b[K"
MINUTE: Final = 60


@contextmanager
def progress(what: str) -> Generator[ProgressDisplay]:
    """Shows ``what``, its steps and the time it takes on stderr while the body runs.

    Nothing is shown unless stderr is a terminal, nor by a command that prints JSON. A body that
    prints does so in ``aside()`` of what it gets.
    """
    display = ProgressDisplay(what)
    if not is_shown():
        yield display
        return
    done = Event()
    thread = Thread(target=display.show, args=(done,), daemon=True)
    thread.start()
    try:
        with listen_to(display.note):
            yield display
    finally:
        done.set()
        thread.join()


def is_shown() -> bool:
    """Whether progress is shown: on a terminal, unless the output is JSON."""
    context = click.get_current_context(silent=True)
    prints_json = context is not None and context.params.get("output_format") == "json"
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not prints_json


class ProgressDisplay:
    """A line that says what is done, and what is left.

    Attributes:
        what: What is done.
        step: The step that was reported last.
        is_drawn: Whether the line is on the screen.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = monotonic()
        self.step: WorkStep | None = None
        self.first: tuple[float, WorkStep] | None = None
        self.is_drawn = False
        self.lock = fork_safe_lock()

    def note(self, step: WorkStep) -> None:
        """Notes the step that begins."""
        if self.first is None or self.first[1].unit != step.unit:
            self.first = monotonic(), step
        self.step = step

    def text(self, now: float) -> str:
        """``compiling: kernel 3 of 9, 2 s, about 4 s left``."""
        parts = [visible(self.what), duration(now - self.start)]
        if self.step is None or self.first is None:
            return ", ".join(parts)
        parts[0] += f": {self.step}"
        began, first = self.first
        steps = self.step.number - first.number
        if steps > 0:
            rest = max(self.step.total - self.step.number + 1, 0)
            parts.append(f"about {duration((now - began) / (steps + 0.5) * rest)} left")
        return ", ".join(parts)

    def show(self, done: Event) -> None:
        """Draws until the work is done."""
        if done.wait(DELAY):
            return
        for frame in cycle(FRAMES):
            with self.lock:
                self.write(f"{ERASE_LINE}{frame} {self.text(monotonic())}")
                self.is_drawn = True
            if done.wait(INTERVAL):
                break
        with self.aside():
            pass

    @contextmanager
    def aside(self) -> Generator[None]:
        """Leaves the screen to the body."""
        with self.lock:
            if self.is_drawn:
                self.write(ERASE_LINE)
                self.is_drawn = False
            yield

    def write(self, text: str) -> None:
        """Writes to the terminal behind the stream that escapes control characters."""
        stream = getattr(sys.stderr, "stream", sys.stderr)  # what is guarded lets nothing erase
        stream.write(text)
        stream.flush()


def duration(seconds: float) -> str:
    """``12 s``, ``3 min``."""
    return f"{seconds:.0f} s" if seconds < 2 * MINUTE else f"{seconds / MINUTE:.0f} min"

"""Where in the user's own code a builder was called."""

from __future__ import annotations

import inspect
import linecache
from functools import lru_cache
from itertools import islice
from types import CodeType, FrameType
from typing import Final

from stablemate.diagnostics.source import Source, Span

PACKAGE: Final = __name__.partition(".")[0]


def caller() -> Span | None:
    """The call in the innermost function that is no part of this package; None without one."""
    frame: FrameType | None = inspect.currentframe()
    while frame is not None and is_package_frame(frame):
        frame = frame.f_back
    return None if frame is None else place(frame.f_code, frame.f_lasti)


def is_package_frame(frame: FrameType) -> bool:
    """Whether a frame is one of this package."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == PACKAGE


@lru_cache(maxsize=1 << 12)
def place(code: CodeType, instruction: int) -> Span:
    """The text of an instruction of a function."""
    positions = next(islice(code.co_positions(), instruction // 2, None), None)
    line, end_line, column, end_column = positions or (None, None, None, None)
    line = line or code.co_firstlineno
    source = file(code.co_filename, line)
    start = source.line_starts[line - 1]
    text = source.line_text(line)
    first = characters(text, column or 0)
    last = characters(text, end_column or 0) if end_line == line else len(text)
    return Span(source, start + first, start + max(last, first + 1))


def characters(text: str, offset: int) -> int:
    """How many characters so many bytes of a line are."""
    return len(text.encode()[:offset].decode(errors="ignore"))


@lru_cache(maxsize=256)
def file(name: str, lines: int) -> Source:
    """A file of Python; where its text is not known, so many empty lines."""
    lines_of_file = linecache.getlines(name)
    text = "".join(lines_of_file) if len(lines_of_file) >= lines else "\n" * lines
    return Source(text, name)

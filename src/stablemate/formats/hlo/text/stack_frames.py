"""Reads and writes the tables of stack frames between the header and the computations.

Numbers start at one. In text the parent of a frame is its number plus one, so that one means no
parent. XLA drops unused rows, and numbers the others in the order of their first use.

Source: XLA, HLO text; ``StackFrameIndexProto``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from stablemate.formats.hlo.text.lexer.scanner import ATTRIBUTE, Scanner
from stablemate.formats.hlo.text.lexer.strings import quote
from stablemate.xla.values import FileLocationRow, StackFrame, StackFrames

T = TypeVar("T")

LOCATION: Final = {
    "file_name_id": "file",
    "function_name_id": "function",
    "line": "line",
    "end_line": "end_line",
    "column": "column",
    "end_column": "end_column",
}
FRAME: Final = {"file_location_id": "location", "parent_frame_id": "parent"}
NUMBER: Final = re.compile(r"[0-9]")


def read_stack_frames(scanner: Scanner) -> StackFrames | None:
    """Reads the four tables; None if there are none."""
    if not scanner.at_word("FileNames"):
        return None
    files = read_rows(scanner, "FileNames", scanner.string)
    functions = read_rows(scanner, "FunctionNames", scanner.string)
    locations = read_rows(
        scanner, "FileLocations", lambda: FileLocationRow(**read_fields(scanner, LOCATION))
    )
    frames = read_rows(scanner, "StackFrames", lambda: read_frame(scanner))
    return StackFrames(files, functions, locations, frames)


def read_rows(scanner: Scanner, title: str, read: Callable[[], T]) -> tuple[T, ...]:
    """Reads a title and its numbered rows."""
    if not scanner.accept_word(title):
        scanner.reject_unexpected(f"'{title}'")
    rows: list[T] = []
    while NUMBER.match(scanner.text, scanner.position):
        place = scanner.here()
        number = scanner.signed_integer()
        if number != len(rows) + 1:
            scanner.error(f"rows are numbered from 1; expected {len(rows) + 1}", place)
        rows.append(read())
    return tuple(rows)


def read_fields(scanner: Scanner, names: dict[str, str]) -> dict[str, int]:
    """``{name=1 name=2}``."""
    fields: dict[str, int] = {}
    start = scanner.position
    scanner.expect("{")
    while not scanner.accept("}"):
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, f"'}}' or one of {', '.join(names)}, followed by '='")
        if name not in names or names[name] in fields:
            problem = "occurs twice" if name in names else f"is not one of {', '.join(names)}"
            scanner.error(f"'{name}' {problem}", place)
        fields[names[name]] = scanner.signed_integer(bits=32)
        scanner.accept(",")
    missing = [name for name, field in names.items() if field not in fields]
    if missing:
        scanner.error(f"this row must have {' and '.join(missing)}", (start, start + 1))
    return fields


def read_frame(scanner: Scanner) -> StackFrame:
    """``{file_location_id=1 parent_frame_id=1}``."""
    fields = read_fields(scanner, FRAME)
    return StackFrame(fields["location"], fields["parent"] - 1)


def stack_frames_text(tables: StackFrames) -> str:
    """Prints the four tables; an empty text if all are empty."""
    sections = (
        ("FileNames", [quote(file) for file in tables.files]),
        ("FunctionNames", [quote(function) for function in tables.functions]),
        ("FileLocations", [location_text(location) for location in tables.locations]),
        ("StackFrames", [frame_text(frame) for frame in tables.frames]),
    )
    if not any(rows for _, rows in sections):
        return ""
    return "".join(
        f"{title}\n{''.join(f'{i} {row}{chr(10)}' for i, row in enumerate(rows, 1))}\n"
        for title, rows in sections
    )


def location_text(row: FileLocationRow) -> str:
    """Prints a row of ``FileLocations``."""
    return f"{{{' '.join(f'{name}={getattr(row, key)}' for name, key in LOCATION.items())}}}"


def frame_text(row: StackFrame) -> str:
    """Prints a row of ``StackFrames``."""
    return f"{{file_location_id={row.location} parent_frame_id={row.parent + 1}}}"


# ---- pruning


class UsedFrameTables:
    """Builds tables of the frames that are used, numbered by first use."""

    def __init__(self, tables: StackFrames) -> None:
        self.tables = tables
        self.files: dict[str, int] = {}
        self.functions: dict[str, int] = {}
        self.locations: dict[FileLocationRow, int] = {}
        self.frames: dict[StackFrame, int] = {}

    def frame(self, number: int) -> int:
        """Returns the new number of a frame; 0 if it, its location or a parent does not exist.

        Parents come before their children, and stay where a child has no location. A frame that is
        among its own parents does not exist.
        """
        frames = self.tables.frames
        chain: list[StackFrame] = []
        while number:
            if not 0 < number <= len(frames) or len(chain) == len(frames):
                return 0
            chain.append(frames[number - 1])
            number = chain[-1].parent
        parent = 0
        for frame in reversed(chain):
            if not self.has_place(frame):
                return 0
            row = StackFrame(self.location(frame.location), parent)
            parent = self.frames.setdefault(row, len(self.frames) + 1)
        return parent

    def has_place(self, frame: StackFrame) -> bool:
        """Whether the location of a frame exists, with its file and function."""
        tables = self.tables
        if not 0 < frame.location <= len(tables.locations):
            return False
        row = tables.locations[frame.location - 1]
        return 0 < row.file <= len(tables.files) and 0 < row.function <= len(tables.functions)

    def location(self, number: int) -> int:
        """Returns the new number of a location."""
        row = self.tables.locations[number - 1]
        files, functions = self.tables.files, self.tables.functions
        row = replace(
            row,
            file=number_of(self.files, files[row.file - 1]),
            function=number_of(self.functions, functions[row.function - 1]),
        )
        return self.locations.setdefault(row, len(self.locations) + 1)

    def result(self) -> StackFrames:
        """Returns the tables of what was used."""
        return StackFrames(
            tuple(self.files), tuple(self.functions), tuple(self.locations), tuple(self.frames)
        )


def number_of(numbers: dict[str, int], name: str) -> int:
    """Returns the number of a name, a new one at its first use."""
    return numbers.setdefault(name, len(numbers) + 1)

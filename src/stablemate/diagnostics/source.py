"""Source text, and spans of it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """One input: its text, and its name in messages.

    Binary inputs have an empty text; their spans are byte offsets.
    """

    text: str = field(repr=False)
    name: str = "<text>"
    binary: bool = False

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of every line."""
        starts, position = [0], self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line (counted from 1), without its line break."""
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """A part ``source.text[start:end]`` of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """Line of the first character, counted from 1."""
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, counted from 1."""
        return self.source.line_and_column(self.start)[1]

    def __str__(self) -> str:
        if self.source.binary:
            return f"{self.source.name}:+{self.start:#x}"
        line, column = self.source.line_and_column(self.start)
        return f"{self.source.name}:{line}:{column}"

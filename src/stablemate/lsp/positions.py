"""Converts between offsets in a text and positions of the protocol (UTF-16 code units)."""

from __future__ import annotations

from lsprotocol import types

from stablemate.diagnostics.source import Source


class Positions:
    """The positions of one text.

    Attributes:
        source: The text.
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    def offset(self, position: types.Position) -> int:
        """The offset of a position; one outside of the text becomes the nearest inside."""
        starts = self.source.line_starts
        if position.line >= len(starts):
            return len(self.source.text)
        start = starts[position.line]
        line = self.source.line_text(position.line + 1)
        if line.isascii():
            return start + min(position.character, len(line))
        units = line.encode("utf-16-le", "surrogatepass")[: 2 * position.character]
        return start + len(units.decode("utf-16-le", "ignore"))

    def position(self, offset: int) -> types.Position:
        """The position of an offset."""
        offset = max(0, min(offset, len(self.source.text)))
        line, column = self.source.line_and_column(offset)
        start = self.source.line_starts[line - 1]
        before = self.source.text[start:offset]
        units = column - 1 if before.isascii() else utf16_length(before)
        return types.Position(line - 1, units)

    def range(self, start: int, end: int) -> types.Range:
        """The range from one offset to another."""
        return types.Range(self.position(start), self.position(max(start, end)))

    def whole(self) -> types.Range:
        """The range of the whole text."""
        return self.range(0, len(self.source.text))


def utf16_length(text: str) -> int:
    """The number of UTF-16 code units of a text."""
    wide = 0 if text.isascii() else sum(character > "\uffff" for character in text)
    return len(text) + wide

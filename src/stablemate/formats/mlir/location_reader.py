"""Reads locations: ``loc(...)``.

Source: MLIR language reference, builtin dialect, "Location attributes".
"""

from __future__ import annotations

import re
from typing import Final

from stablemate.diagnostics.source import Span
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.locations import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    Location,
    NameLocation,
    fuse_locations,
)

LOCATIONS: Final = ("unknown", "callsite", "fused")
ALIAS_DEFINITION: Final = re.compile(
    r"^[ \t]*(#[A-Za-z_][A-Za-z0-9_$-]*)[ \t]*=[ \t]*loc\(", re.MULTILINE
)


class LocationReader:
    """Reads locations.

    Aliases of locations may be defined after their use; the reader searches the text for them.

    Attributes:
        location_aliases: The locations that have names.
        has_text_locations: Whether what has no location gets its place in the text.
    """

    def __init__(self, reader: TypeReader) -> None:
        self.reader = reader
        self.location_aliases: dict[str, Location] = {}
        self.has_text_locations = False
        self._places: dict[str, int] | None = None

    def optional_location(self, place: tuple[int, int]) -> Location:
        """Reads ``loc(...)`` if it is present; otherwise that of a place in the text."""
        return self.read_loc() if self.reader.at("loc") else self.text_location(place[0])

    def text_location(self, start: int) -> Location:
        """The location of a character of the text, if these are wanted; otherwise unknown."""
        if not self.has_text_locations:
            return UNKNOWN
        span = Span(self.reader.source, start, start + 1)
        return FileLocation(self.reader.source.name, span.line, span.column)

    def read_loc(self) -> Location:
        """Reads ``loc(...)``."""
        self.reader.expect("loc")
        self.reader.expect("(")
        value = self.location()
        self.reader.expect(")")
        return value

    def location(self) -> Location:
        """Reads the content of ``loc(...)``."""
        self.reader.enter()
        try:
            if self.reader.kind == "string":
                return self.named_location()
            if self.reader.kind == "hash":
                return self.aliased_location()
            if self.reader.token not in LOCATIONS:
                self.reader.reject_unexpected("a location")
            match self.reader.keyword("a location"):
                case "callsite":
                    return self.call_site()
                case "fused":
                    return self.fused_location()
                case _:
                    return UNKNOWN
        finally:
            self.reader.leave()

    def named_location(self) -> Location:
        """Reads ``"file":line:column``, a range, or ``"name"(child)``."""
        name = self.reader.string()
        if self.reader.accept(":"):
            line = self.place_number("a line number")
            if not self.reader.accept(":"):
                return FileLocation(name, line, 0)
            column = self.place_number("a column number")
            return FileLocation(name, line, column, self.range_end(line))
        if self.reader.accept("("):
            child = self.location()
            self.reader.expect(")")
            return NameLocation(name, child)
        return NameLocation(name, UNKNOWN)

    def range_end(self, line: int) -> tuple[int, int] | None:
        """Reads ``to :column`` or ``to line:column`` if it is present."""
        if not self.reader.accept("to"):
            return None
        end_line = line if self.reader.at(":") else self.place_number("a line number")
        self.reader.expect(":")
        return end_line, self.place_number("a column number")

    def place_number(self, what: str) -> int:
        """Reads the number of a line or a column: 32 bits without a sign."""
        start = self.reader.start
        if self.reader.kind != "integer":
            self.reader.reject_unexpected(what)
        number = self.reader.integer(what)
        if number >= 1 << 32:
            self.reader.error(f"expected {what} of 32 bits", (start, self.reader.previous_end))
        return number

    def call_site(self) -> Location:
        """Reads ``(callee at caller)``."""
        self.reader.expect("(")
        callee = self.location()
        if not self.reader.at("at"):
            self.reader.reject_unexpected("'at'")
        self.reader.advance()
        caller = self.location()
        self.reader.expect(")")
        return CallSiteLocation(callee, caller)

    def fused_location(self) -> Location:
        """Reads ``<metadata>[a, b]``."""
        metadata = None
        if self.reader.accept("<"):
            metadata = self.reader.attribute()
            self.reader.expect(">")
        return fuse_locations(tuple(self.reader.read_enclosed("[", self.location)), metadata)

    def aliased_location(self) -> Location:
        """Reads ``#alias``, wherever it is defined."""
        name, place = self.reader.token, (self.reader.start, self.reader.end)
        self.reader.advance()
        return self.location_of_alias(name, place)

    def location_of_alias(self, name: str, place: tuple[int, int]) -> Location:
        """Returns the location of an alias; its definition is read if that has not happened yet."""
        if name not in self.location_aliases:
            self.read_definition(name, place)
        self.reader.alias_extents.count_use(name, self.reader.depth - 1)
        return self.location_aliases[name]

    def is_location_alias(self, name: str) -> bool:
        """Whether an alias stands for a location, wherever it is defined."""
        return name in self.location_aliases or name in self.definition_places()

    def definition_places(self) -> dict[str, int]:
        """Returns the positions of the location aliases that have not been read."""
        if self._places is None:
            self._places = {m[1]: m.start(1) for m in ALIAS_DEFINITION.finditer(self.reader.text)}
        return self._places

    def read_definition(self, name: str, place: tuple[int, int]) -> None:
        """Reads the definition of an alias elsewhere in the text."""
        position = self.definition_places().pop(name, None)
        if position is None:
            self.reader.error(f"no location is called '{name}'", place)
        back = place[1]
        self.reader.jump(position)
        self.reader.advance()
        self.reader.expect("=")
        self.location_aliases[name] = self.reader.alias_extents.define(name, self.read_loc)
        self.reader.jump(back)

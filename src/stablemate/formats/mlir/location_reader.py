"""Reads locations: ``loc(...)``.

Source: MLIR language reference, builtin dialect, "Location attributes".
"""

from __future__ import annotations

import re
from typing import Final

from stablemate.diagnostics.source import Span
from stablemate.formats.mlir.literal_reader import LiteralReader
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


class LocationReader(LiteralReader):
    """A literal reader that reads locations.

    Aliases of locations may be defined after their use; the reader searches the text for them.

    Attributes:
        location_aliases: The locations that have names.
        has_text_locations: Whether what has no location gets its place in the text.
    """

    location_aliases: dict[str, Location]
    has_text_locations: bool = False
    _places: dict[str, int] | None = None

    def optional_location(self, place: tuple[int, int]) -> Location:
        """Reads ``loc(...)`` if it is present; otherwise that of a place in the text."""
        return self.located() if self.at("loc") else self.text_location(place[0])

    def text_location(self, start: int) -> Location:
        """The location of a character of the text, if these are wanted; otherwise unknown."""
        if not self.has_text_locations:
            return UNKNOWN
        span = Span(self.source, start, start + 1)
        return FileLocation(self.source.name, span.line, span.column)

    def located(self) -> Location:
        """Reads ``loc(...)``."""
        self.expect("loc")
        self.expect("(")
        value = self.location()
        self.expect(")")
        return value

    def location(self) -> Location:
        """Reads the content of ``loc(...)``."""
        self.enter()
        try:
            if self.kind == "string":
                return self.named_location()
            if self.kind == "hash":
                return self.aliased_location()
            if self.token not in LOCATIONS:
                self.expected("a location")
            match self.keyword("a location"):
                case "callsite":
                    return self.call_site()
                case "fused":
                    return self.fused_location()
                case _:
                    return UNKNOWN
        finally:
            self.leave()

    def named_location(self) -> Location:
        """Reads ``"file":line:column``, a range, or ``"name"(child)``."""
        name = self.string()
        if self.accept(":"):
            line = self.place_number("a line number")
            if not self.accept(":"):
                return FileLocation(name, line, 0)
            column = self.place_number("a column number")
            return FileLocation(name, line, column, self.range_end(line))
        if self.accept("("):
            child = self.location()
            self.expect(")")
            return NameLocation(name, child)
        return NameLocation(name, UNKNOWN)

    def range_end(self, line: int) -> tuple[int, int] | None:
        """Reads ``to :column`` or ``to line:column`` if it is present."""
        if not self.accept("to"):
            return None
        end_line = line if self.at(":") else self.place_number("a line number")
        self.expect(":")
        return end_line, self.place_number("a column number")

    def place_number(self, what: str) -> int:
        """Reads the number of a line or a column: 32 bits without a sign."""
        start = self.start
        if self.kind != "integer":
            self.expected(what)
        number = self.integer(what)
        if number >= 1 << 32:
            self.error(f"expected {what} of 32 bits", (start, self.previous_end))
        return number

    def call_site(self) -> Location:
        """Reads ``(callee at caller)``."""
        self.expect("(")
        callee = self.location()
        if not self.at("at"):
            self.expected("'at'")
        self.advance()
        caller = self.location()
        self.expect(")")
        return CallSiteLocation(callee, caller)

    def fused_location(self) -> Location:
        """Reads ``<metadata>[a, b]``."""
        metadata = None
        if self.accept("<"):
            metadata = self.attribute()
            self.expect(">")
        return fuse_locations(tuple(self.enclosed("[", self.location)), metadata)

    def aliased_location(self) -> Location:
        """Reads ``#alias``, wherever it is defined."""
        name, place = self.token, (self.start, self.end)
        self.advance()
        return self.location_of_alias(name, place)

    def location_of_alias(self, name: str, place: tuple[int, int]) -> Location:
        """Returns the location of an alias; its definition is read if that has not happened yet."""
        if name not in self.location_aliases:
            self.read_definition(name, place)
        self.count_use(name, self.depth - 1)
        return self.location_aliases[name]

    def is_location_alias(self, name: str) -> bool:
        """Whether an alias stands for a location, wherever it is defined."""
        return name in self.location_aliases or name in self.definition_places()

    def definition_places(self) -> dict[str, int]:
        """Returns the positions of the location aliases that have not been read."""
        if self._places is None:
            self._places = {m[1]: m.start(1) for m in ALIAS_DEFINITION.finditer(self.text)}
        return self._places

    def read_definition(self, name: str, place: tuple[int, int]) -> None:
        """Reads the definition of an alias elsewhere in the text."""
        position = self.definition_places().pop(name, None)
        if position is None:
            self.error(f"no location is called '{name}'", place)
        back = place[1]
        self.jump(position)
        self.advance()
        self.expect("=")
        self.location_aliases[name] = self.define_alias(name, self.located)
        self.jump(back)

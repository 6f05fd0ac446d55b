"""Reads the tables of a flatbuffer; every access is checked against the end of the file.

A table starts with the distance to its vtable, which holds the offset of each field. Fields are
numbered; an absent field has its default.

Source: FlatBuffers, internals.
"""

from __future__ import annotations

from struct import Struct
from typing import Any, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.bytecode.origins import FileOrigin

SECTION: Final = "jax.export"

U8, U16, U32, I8, I16, I32 = (Struct(f"<{code}") for code in "BHIbhi")
Packer: TypeAlias = Struct


@dataclass(slots=True)
class File:
    """The file that is being read.

    Attributes:
        view: Its bytes.
        origin: Its name in messages, and the limits of reading it.
        tables: How many more tables may be read: a valid file has fewer tables than bytes.
    """

    view: memoryview
    origin: FileOrigin
    tables: int

    def number(self, packer: Packer, position: int) -> Any:
        """Returns the number at a position."""
        from flatbuffers import encode

        if not 0 <= position <= len(self.view) - packer.size:
            self.reject(position, f"a number of {packer.size} bytes lies outside of the file")
        return encode.Get(packer, self.view, position)

    def target(self, position: int) -> int:
        """Returns the position that the offset at a position refers to."""
        distance: int = self.number(U32, position)
        if position + distance >= len(self.view):
            self.reject(position, f"an offset of {distance} points past the end of the file")
        return position + distance

    def reject(self, position: int, message: str) -> object:
        """Raises a ParseError.

        Raises:
            ParseError: Always.
        """
        self.origin.reject(SECTION, max(min(position, len(self.view)), 0), message)

    def root(self) -> FlatBufferTable:
        """Follows the first offset to the root table."""
        return self.table(self.target(0))

    def table(self, position: int) -> FlatBufferTable:
        """Returns the table at a position."""
        self.tables -= 1
        if self.tables < 0:
            self.reject(position, "tables are used too often")
        vtable = position - self.number(I32, position)
        size = self.number(U16, vtable)
        if size < 4 or vtable + size > len(self.view):
            self.reject(vtable, f"a vtable of {size} bytes")
        return FlatBufferTable(self, position, vtable, size)

    def vector(self, position: int, width: int) -> tuple[int, int]:
        """Returns the start of a vector's elements, and their number."""
        start = self.target(position)
        count: int = self.number(U32, start)
        if start + 4 + count * width > len(self.view):
            self.reject(start, f"{count} elements of {width} bytes end past the end of the file")
        return start + 4, count

    def text(self, position: int) -> str:
        """Returns the string that an offset refers to."""
        start, count = self.vector(position, 1)
        try:
            return bytes(self.view[start : start + count]).decode()
        except UnicodeDecodeError as error:
            self.reject(start + error.start, "a string is not UTF-8")
            raise


@dataclass(frozen=True, slots=True)
class FlatBufferTable:
    """A table of the file.

    Attributes:
        file: The file that it is in.
        position: Where it starts.
        vtable: Where its vtable starts.
        size: Bytes of the vtable.
    """

    file: File
    position: int
    vtable: int
    size: int

    def place(self, field: int) -> int | None:
        """Returns the position of a field; None if it is absent."""
        entry = 4 + 2 * field
        offset = self.file.number(U16, self.vtable + entry) if entry + 2 <= self.size else 0
        return self.position + offset if offset else None

    def number(self, field: int, packer: Packer) -> int:
        """Returns a field that is a number."""
        place = self.place(field)
        return 0 if place is None else self.file.number(packer, place)

    def text(self, field: int) -> str | None:
        """Returns a field that is a string."""
        place = self.place(field)
        return None if place is None else self.file.text(place)

    def table(self, field: int) -> FlatBufferTable | None:
        """Returns a field that is a table."""
        place = self.place(field)
        return None if place is None else self.file.table(self.file.target(place))

    def tables(self, field: int) -> list[FlatBufferTable]:
        """Returns a field that is a vector of tables."""
        file = self.file
        return [file.table(file.target(place)) for place in self.places(field, 4)]

    def texts(self, field: int) -> tuple[str, ...]:
        """Returns a field that is a vector of strings."""
        return tuple(self.file.text(place) for place in self.places(field, 4))

    def numbers(self, field: int, packer: Packer) -> tuple[int, ...]:
        """Returns a field that is a vector of numbers."""
        return tuple(self.file.number(packer, place) for place in self.places(field, packer.size))

    def data(self, field: int) -> memoryview:
        """Returns a field that is a vector of bytes, as a view of the file."""
        place = self.place(field)
        start, count = (0, 0) if place is None else self.file.vector(place, 1)
        return self.file.view[start : start + count]

    def places(self, field: int, width: int) -> range:
        """Returns the positions of the elements of a field that is a vector."""
        place = self.place(field)
        start, count = (0, 0) if place is None else self.file.vector(place, width)
        return range(start, start + count * width, width)

    def reject(self, message: str) -> Any:
        """Raises a ParseError for this table.

        Raises:
            ParseError: Always.
        """
        self.file.reject(self.position, message)

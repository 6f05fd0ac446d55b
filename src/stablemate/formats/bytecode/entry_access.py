"""The interfaces through which encodings read and write entries.

Source: MLIR bytecode format, "Attribute/Type Encodings".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Protocol

from stablemate.formats.bytecode.primitives import Bytes
from stablemate.ir.locations import Location
from stablemate.ir.types import Attribute, Type


class EntryReader(Protocol):
    """Reads one entry of the attribute and type section, from its first byte to its last."""

    def varint(self) -> int:
        """A number from 0 to 2^64 - 1."""
        ...

    def svarint(self) -> int:
        """A signed number of 64 bits."""
        ...

    def byte(self) -> int:
        """A byte as it is, without the encoding of a varint."""
        ...

    def integer(self, width: int) -> int:
        """The bits of an integer of a known width, as a number that is not negative."""
        ...

    def blob(self) -> Bytes:
        """Raw bytes after their size; a large blob is a view of the file."""
        ...

    def string(self) -> str:
        """A string of the string section; surrogate escapes stand for what is not UTF-8."""
        ...

    def attribute(self) -> Attribute:
        """Another attribute; a location is wrapped in a LocationAttribute."""
        ...

    def optional_attribute(self) -> Attribute | None:
        """Reads a reference to another attribute that may be absent."""
        ...

    def location(self) -> Location:
        """Another attribute, which is a location."""
        ...

    def type(self) -> Type:
        """Reads a reference to a type."""
        ...

    def resource(self) -> str:
        """The key of a resource."""
        ...

    def serial(self) -> int:
        """Returns a number that no other entry has received."""
        ...

    def bytes_left(self) -> int:
        """The number of bytes that are left in this entry."""
        ...

    def count(self) -> int:
        """Reads a varint that counts items: at most the number of bytes left."""
        ...

    def reject(self, message: str) -> NoReturn:
        """Raises a ParseError for this entry.

        Raises:
            ParseError: Always.
        """
        ...

    def bound(self, size: int) -> None:
        """Rejects data that would take more bytes than the limits allow.

        Raises:
            LimitError: It does.
        """
        ...


class EntryWriter(Protocol):
    """Receives the fields of one entry, to write them or to number what they refer to."""

    def varint(self, value: int, /) -> None:
        """A number from 0 to 2^64 - 1."""
        ...

    def svarint(self, value: int, /) -> None:
        """A signed number of 64 bits."""
        ...

    def byte(self, value: int, /) -> None:
        """A byte as it is, without the encoding of a varint."""
        ...

    def integer(self, value: int, width: int, /) -> None:
        """An integer of a known width."""
        ...

    def blob(self, data: Callable[[], object], /) -> None:
        """Raw bytes after their size; the function is called only when they are written."""
        ...

    def string(self, value: str, /) -> None:
        """Writes a reference to a string."""
        ...

    def attribute(self, value: Attribute, /) -> None:
        """Writes a reference to another attribute."""
        ...

    def text(self, value: str, /) -> None:
        """A string that is an attribute of its own."""
        ...

    def optional_attribute(self, value: Attribute | None, /) -> None:
        """Writes a reference to another attribute that may be absent."""
        ...

    def type(self, value: object, /) -> None:
        """Writes a reference to a type."""
        ...

    def resource(self, key: str, /) -> None:
        """The key of a resource."""
        ...

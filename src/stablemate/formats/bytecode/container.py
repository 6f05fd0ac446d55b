"""The file as a whole: header, sections, strings, dialects and names of operations.

Source: MLIR bytecode format, "Sections", "String Section", "Dialect Section".
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum
from typing import Final, NoReturn

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.bytecode.origins import FileOrigin
from stablemate.formats.bytecode.primitives import Bytes, varint_at

MAGIC: Final = b"ML\xefR"
NEWEST_VERSION: Final = 6
ALIGNED: Final = 0x80
PADDING: Final = 0xCB


class SectionKind(IntEnum):
    """The kinds of sections, by their numbers."""

    STRINGS = 0
    DIALECTS = 1
    ENTRIES = 2
    ENTRY_OFFSETS = 3
    IR = 4
    RESOURCES = 5
    RESOURCE_OFFSETS = 6
    DIALECT_VERSIONS = 7
    PROPERTIES = 8

    @property
    def title(self) -> str:
        """The name of the section in messages."""
        return TITLES[self]


TITLES: Final = {
    SectionKind.STRINGS: "string section",
    SectionKind.DIALECTS: "dialect section",
    SectionKind.ENTRIES: "attribute and type section",
    SectionKind.ENTRY_OFFSETS: "attribute and type offset section",
    SectionKind.IR: "IR section",
    SectionKind.RESOURCES: "resource section",
    SectionKind.RESOURCE_OFFSETS: "resource offset section",
    SectionKind.DIALECT_VERSIONS: "dialect version section",
    SectionKind.PROPERTIES: "property section",
}
REQUIRED: Final = (
    SectionKind.STRINGS,
    SectionKind.DIALECTS,
    SectionKind.ENTRIES,
    SectionKind.ENTRY_OFFSETS,
    SectionKind.IR,
)


class SectionVersion(IntEnum):
    """The version of the format that introduced a feature."""

    DIALECT_VERSIONS = 1
    NESTED_SECTIONS = 2
    USE_ORDERS = 3
    OPTIONAL_LOCATIONS = 4
    PROPERTIES = 5
    NATIVE_SEGMENTS = 6


class SectionCursor:
    """Reads numbers from a section.

    Attributes:
        origin: The file.
        title: The name of the section in messages.
        data: The bytes of the section.
        start: The offset in the file of its first byte.
        position: The offset of the next byte in the section.
    """

    __slots__ = ("data", "origin", "position", "start", "title")

    def __init__(self, origin: FileOrigin, title: str, data: Bytes, start: int) -> None:
        self.origin = origin
        self.title = title
        self.data = data
        self.start = start
        self.position = 0

    def reject(self, message: str, *notes: str) -> NoReturn:
        """Raises a ParseError at this place.

        Raises:
            ParseError: Always.
        """
        self.origin.reject(self.title, self.start + self.position, message, *notes)

    def varint(self) -> int:
        """Reads an unsigned integer of variable length."""
        try:
            value, self.position = varint_at(self.data, self.position)
        except IndexError:
            self.reject("ends inside a number")
        return value

    def flagged_varint(self) -> tuple[int, bool]:
        """Reads a varint whose lowest bit is a flag."""
        value = self.varint()
        return value >> 1, bool(value & 1)

    def byte(self) -> int:
        """Reads one byte; the end of the section is an error."""
        if self.position >= len(self.data):
            self.reject("ends where a byte is expected")
        self.position += 1
        return self.data[self.position - 1]

    def bytes_left(self) -> int:
        """The number of bytes that are left."""
        return len(self.data) - self.position

    def count(self, noun: str) -> int:
        """Reads the number of items that take at least one byte each."""
        value = self.varint()
        if value > self.bytes_left():
            self.reject(f"{value} {noun} in {self.bytes_left()} bytes")
        return value

    def take(self, size: int, noun: str) -> Bytes:
        """Returns the next bytes as a view of the section."""
        if size > self.bytes_left():
            self.reject(f"{size} bytes of {noun}, but only {self.bytes_left()} are left")
        start, self.position = self.position, self.position + size
        return self.data[start : self.position]

    def align(self, alignment: int) -> None:
        """Skips the padding before data that is aligned in the file."""
        if alignment < 1 or alignment & (alignment - 1):
            self.reject(f"alignment {alignment} is not a power of two")
        padding = self.take(-(self.start + self.position) % alignment, "padding")
        if any(byte != PADDING for byte in bytes(padding)):
            self.reject("wrong padding")

    def section(self) -> tuple[int, SectionCursor]:
        """Reads a section: returns its number and a cursor over its bytes."""
        number = self.byte()
        size = self.varint()
        if number & ALIGNED:
            self.align(self.varint())
            number &= ~ALIGNED
        title = TITLES.get(SectionKind(number)) if number in TITLES else None
        if title is None:
            self.reject(f"no section has number {number}")
        start = self.start + self.position
        return number, SectionCursor(self.origin, title, self.take(size, f"the {title}"), start)

    def finish(self) -> None:
        """Rejects bytes that are left over."""
        if self.bytes_left():
            self.reject(f"{self.bytes_left()} bytes are left over")


@dataclass(slots=True)
class BytecodeFile:
    """The version, the producer and the sections of a file."""

    version: int
    producer: str
    sections: dict[int, SectionCursor] = field(default_factory=dict[int, SectionCursor])


def read_container(data: memoryview[int], origin: FileOrigin) -> BytecodeFile:
    """Reads the header and finds the sections."""
    cursor = SectionCursor(origin, "header", data, 0)
    if bytes(data[: len(MAGIC)]) != MAGIC:
        cursor.reject("not MLIR bytecode: the first bytes are not 'ML\\xEFR'")
    cursor.position = len(MAGIC)
    version = cursor.varint()
    if version > NEWEST_VERSION:
        supported = f"this reader knows versions 0 to {NEWEST_VERSION}"
        cursor.reject(
            f"bytecode version {version} is newer than {NEWEST_VERSION}",
            f"{supported}: write the file for one of these, or update stablemate",
        )
    container = BytecodeFile(version, read_producer(cursor))
    while cursor.bytes_left():
        offset = cursor.position
        number, section = cursor.section()
        if number in container.sections or number == SectionKind.DIALECT_VERSIONS:
            cursor.position = offset
            cursor.reject(f"the {section.title} occurs twice or in the wrong place")
        container.sections[number] = section
    required = (
        REQUIRED if version < SectionVersion.PROPERTIES else (*REQUIRED, SectionKind.PROPERTIES)
    )
    for kind in required:
        if kind not in container.sections:
            cursor.reject(f"the file has no {kind.title}")
    return container


def read_producer(cursor: SectionCursor) -> str:
    """Reads the producer's name, which ends with a zero byte."""
    start = cursor.position
    while cursor.byte():
        pass
    name = bytes(cursor.data[start : cursor.position - 1])
    return name.decode("utf-8", "surrogateescape")


def read_strings(cursor: SectionCursor) -> list[str]:
    """Reads the string section: the number of strings, their sizes in reverse, their bytes."""
    cursor.data = bytes(cursor.data)
    count = cursor.count("strings")
    sizes = [cursor.varint() for _ in range(count)]
    sizes.reverse()
    if 0 in sizes or sum(sizes) != cursor.bytes_left():
        cursor.reject(f"{count} strings of {sum(sizes)} bytes in {cursor.bytes_left()} bytes")
    strings: list[str] = []
    for size in sizes:
        raw = bytes(cursor.take(size, "a string"))  # MLIR does not check the zero byte at the end
        strings.append(raw[:-1].decode("utf-8", "surrogateescape"))
    return strings


@dataclass(slots=True)
class DialectTable:
    """The dialects and the names of the operations of a file.

    Attributes:
        names: The dialects.
        versions: The version that each dialect records.
        operations: Full names of operations.
        unregistered: Operations whose definition the writer did not know.
    """

    names: list[str]
    versions: dict[str, bytes]
    operations: list[str]
    unregistered: set[str]


def read_dialects(cursor: SectionCursor, version: int, strings: list[str]) -> DialectTable:
    """Reads the names of dialects, their versions and operations."""

    def string(index: int) -> str:
        if index >= len(strings):
            cursor.reject(f"string {index} of {len(strings)}")
        return strings[index]

    cursor.data = bytes(cursor.data)
    table = DialectTable([], {}, [], set())
    for _ in range(cursor.count("dialects")):
        if version < SectionVersion.DIALECT_VERSIONS:
            table.names.append(string(cursor.varint()))
            continue
        index, has_version = cursor.flagged_varint()
        name = string(index)
        table.names.append(name)
        if has_version:
            number, section = cursor.section()
            if number != SectionKind.DIALECT_VERSIONS:
                cursor.reject(f"expected the version of dialect {name}")
            table.versions[name] = bytes(section.data)
    if version >= SectionVersion.OPTIONAL_LOCATIONS:
        cursor.varint()  # the number of operations, for readers that reserve memory
    while cursor.bytes_left():
        dialect = cursor.varint()
        if dialect >= len(table.names):
            cursor.reject(f"dialect {dialect} of {len(table.names)}")
        for _ in range(cursor.count("names of operations")):
            registered = True
            if version < SectionVersion.PROPERTIES:
                index = cursor.varint()
            else:
                index, registered = cursor.flagged_varint()
            own_name = string(index)
            name = f"{table.names[dialect]}.{own_name}" if own_name else table.names[dialect]
            table.operations.append(name)
            if not registered:
                table.unregistered.add(name)
    return table

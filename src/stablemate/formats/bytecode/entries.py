"""Attributes and types of a file, each read at its first use.

Source: MLIR bytecode format, "Attribute/Type Sections".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn, cast

from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source
from stablemate.formats.bytecode.container import SectionCursor
from stablemate.formats.bytecode.origins import FileOrigin
from stablemate.formats.bytecode.primitives import MASK, Bytes, unzigzag, varint_at
from stablemate.formats.bytecode.rows import EntryFormat
from stablemate.ir.definition import fact_texts
from stablemate.ir.locations import (
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    Location,
    LocationAttribute,
    NameLocation,
    UnknownLocation,
)
from stablemate.ir.type_rules import CHECKED_IN_TEXT, TYPE_RULES, WARNED_TYPES
from stablemate.ir.types import Attribute, Type, VectorType
from stablemate.numerics.elements import QuantizedType

LOCATIONS: Final = (
    FileLocation,
    NameLocation,
    CallSiteLocation,
    FusedLocation,
    UnknownLocation,
)
RULES_OF_SCALES: Final = frozenset(f"quantized element type C{number}" for number in (4, 5, 6))
SMALL: Final = 4096  # bytes; smaller entries are copied, which is faster to read than a view
MAXIMUM_WEIGHT: Final = 1 << 20  # parts of one attribute or type; shared parts count at each use
BYTE: Final = 8
WORD: Final = 64


class EntrySlot(NamedTuple):
    """The position of an entry and its encoding."""

    dialect: str
    offset: int
    size: int
    is_binary: bool


class Unread:
    """Stands for an entry that has not been read."""


UNREAD: Final = Unread()


class Entries:
    """The attributes of a file, or its types.

    Attributes:
        decoded: The entries that have been read, by number.
    """

    def __init__(
        self,
        noun: str,
        slots: Sequence[EntrySlot],
        section: SectionCursor,
        kinds: Callable[[str], Mapping[int, EntryFormat]],
        from_text: Callable[[Source, Limits], object],
    ) -> None:
        self.noun = noun
        self.slots = slots
        self.section = section
        self.kinds = kinds
        self.from_text = from_text
        self.decoded: list[Any] = [UNREAD] * len(slots)
        self.weights = [0] * len(slots)
        self.origin = section.origin

    def read(self, number: int, tables: SectionTables) -> Any:
        """Reads an entry for the first time."""
        slot, data = self.slots[number], self.section.data
        raw: Bytes = data[slot.offset : slot.offset + slot.size]
        entry = EntryDecoder(tables, self.noun, bytes(raw) if slot.size < SMALL else raw,
                      self.section.start + slot.offset)  # fmt: skip
        if self.weights[number] < 0:
            entry.reject(f"{self.noun} {number} is a part of itself")
        if tables.depth >= self.origin.limits.nesting:
            self.origin.exceed(
                entry.title, entry.start, f"nested deeper than {self.origin.limits.nesting} levels"
            )
        self.weights[number] = -1
        tables.depth += 1
        if slot.is_binary:
            row = self.kinds(slot.dialect).get(entry.varint())
            if row is None:
                entry.position = 0
                kind = entry.varint()
                entry.reject(f"the {slot.dialect} dialect has no {self.noun} of kind {kind}")
            value = row.read(entry)
            if entry.position != len(raw):
                entry.reject(f"{entry.bytes_left()} bytes are left over")
        else:
            value = self.parse_text(entry, bytes(raw))
        self.check(entry, value)
        tables.depth -= 1
        if entry.weight > MAXIMUM_WEIGHT:
            self.origin.exceed(
                entry.title,
                entry.start,
                f"has more than {MAXIMUM_WEIGHT} parts, shared ones counted",
            )
        self.weights[number] = entry.weight
        self.decoded[number] = value
        return value

    def check(self, entry: EntryDecoder, value: object) -> None:
        """Rejects a type that breaks a rule; the types inside it have been checked already."""
        for rule in TYPE_RULES.get(cast(type, value.__class__), ()):
            violation = rule.check(value)
            if violation is not None and not is_judged_later(rule.label, value):
                values = ", ".join(f"{k} = {v}" for k, v in fact_texts(violation).items())
                entry.reject(f"{rule.label}: {rule.formula}: {values}")

    def parse_text(self, entry: EntryDecoder, raw: bytes) -> object:
        """Parses an entry that is written as text."""
        if not raw.endswith(b"\0"):
            entry.reject("the text does not end with a zero byte")
        try:
            text = raw[:-1].decode()
        except UnicodeDecodeError:
            entry.reject("the text is not UTF-8")
        try:
            return self.from_text(Source(text, f"<{self.noun}>"), self.origin.limits)
        except ParseError as error:
            entry.reject(f"{error.diagnostics[0].message} in the text {text[:80]!r}")


def is_judged_later(rule: str, value: object) -> bool:
    """Whether a rule of types is left to the verifier.

    MLIR's reader of bytecode checks types that are quantized per tensor, but accepts a scale that
    is no number. It does not check other quantized types and vectors.
    """
    if rule in WARNED_TYPES or rule not in CHECKED_IN_TEXT:
        return rule in WARNED_TYPES
    if not isinstance(value, QuantizedType):
        return isinstance(value, VectorType)
    has_nan = any(map(math.isnan, value.scales))
    return not value.is_per_tensor or (rule in RULES_OF_SCALES and has_nan)


class SectionTables:
    """The tables that the sections of a file refer to by number.

    Attributes:
        origin: The file.
        strings: The strings.
        attributes: The attributes.
        types: The types.
        resources: Keys of the resources of dialects.
        depth: The number of nested entries that are being read.
        serials: The number of serial numbers that have been used.
    """

    def __init__(
        self, origin: FileOrigin, strings: list[str], attributes: Entries, types: Entries
    ) -> None:
        self.origin = origin
        self.strings = strings
        self.attributes = attributes
        self.types = types
        self.resources: list[str] = []
        self.depth = 0
        self.serials = 0


class EntryDecoder:
    """Reads one entry; see ``entry_access.EntryReader``."""

    __slots__ = ("data", "position", "start", "tables", "title", "weight")

    def __init__(self, tables: SectionTables, title: str, data: Bytes, start: int) -> None:
        self.tables = tables
        self.title = title
        self.data = data
        self.start = start
        self.position = 0
        self.weight = 1

    def reject(self, message: str) -> NoReturn:
        """Raises a ParseError at this place."""
        self.tables.origin.reject(self.title, self.start + self.position, message)

    def bound(self, size: int) -> None:
        """Rejects data that would take more bytes than the limits allow."""
        limit = self.tables.origin.limits.tensor_bytes
        if size > limit:
            message = f"{size} bytes of data are more than {limit}"
            self.tables.origin.exceed(self.title, self.start, message)

    def bytes_left(self) -> int:
        """The number of bytes that are left in this entry."""
        return len(self.data) - self.position

    def varint(self) -> int:
        """Reads an unsigned integer of variable length."""
        try:
            value, self.position = varint_at(self.data, self.position)
        except IndexError:
            self.reject("ends inside a number")
        return value

    def svarint(self) -> int:
        """Reads a signed integer of variable length."""
        return unzigzag(self.varint())

    def byte(self) -> int:
        """Reads one byte; the end of the entry is an error."""
        if not self.bytes_left():
            self.reject("ends where a byte is expected")
        self.position += 1
        return self.data[self.position - 1]

    def integer(self, width: int) -> int:
        """Reads the bits of an integer of a known width."""
        if width <= BYTE:
            value = self.byte()
        elif width <= WORD:
            value = self.svarint() & MASK
        else:
            words = [self.svarint() & MASK for _ in range(self.count())]
            if len(words) > -(-width // WORD):
                self.reject(f"{len(words)} words for {width} bits")
            value = sum(word << WORD * i for i, word in enumerate(words))
        return value & ((1 << width) - 1)

    def count(self) -> int:
        """Reads the number of items that take at least one byte each."""
        value = self.varint()
        if value > self.bytes_left():
            self.reject(f"{value} parts in {self.bytes_left()} bytes")
        return value

    def blob(self) -> Bytes:
        """Reads a length and as many bytes."""
        size = self.count()
        self.position += size
        return self.data[self.position - size : self.position]

    def string(self) -> str:
        """Reads the reference to a string."""
        number, strings = self.varint(), self.tables.strings
        if number >= len(strings):
            self.reject(f"string {number} of {len(strings)}")
        return strings[number]

    # Entries are nested: to save stack, a method decodes a reference in its own frame.

    def attribute(self) -> Attribute:
        """Reads the reference to an attribute."""
        number, table = self.varint(), self.tables.attributes
        if number >= len(table.decoded):
            self.reject(f"attribute {number} of {len(table.decoded)}")
        value = table.decoded[number]
        if value is UNREAD:
            value = table.read(number, self.tables)
        self.weight += table.weights[number]
        return LocationAttribute(value) if isinstance(value, LOCATIONS) else value

    def optional_attribute(self) -> Attribute | None:
        """Reads the reference to an attribute, or zero."""
        start = self.position
        number, is_there = divmod(self.varint(), 2)
        if not is_there:
            return None  # whatever the number is
        table = self.tables.attributes
        if number >= len(table.decoded):
            self.position = start
            self.reject(f"attribute {number} of {len(table.decoded)}")
        value = table.decoded[number]
        if value is UNREAD:
            value = table.read(number, self.tables)
        self.weight += table.weights[number]
        return LocationAttribute(value) if isinstance(value, LOCATIONS) else value

    def location(self) -> Location:
        """Reads the reference to a location."""
        value = self.attribute()
        if isinstance(value, LocationAttribute):
            return value.location
        return self.reject(f"expected a location, found {type(value).__name__}")

    def type(self) -> Type:
        """Reads the reference to a type."""
        number, table = self.varint(), self.tables.types
        if number >= len(table.decoded):
            self.reject(f"type {number} of {len(table.decoded)}")
        value: Any = table.decoded[number]
        if value is UNREAD:
            value = table.read(number, self.tables)
        self.weight += table.weights[number]
        return cast(Type, value)

    def resource(self) -> str:
        """Reads the reference to a resource."""
        number, keys = self.varint(), self.tables.resources
        if number >= len(keys):
            self.reject(f"resource {number} of {len(keys)}")
        return keys[number]

    def serial(self) -> int:
        """Returns a number that no other entry has received."""
        self.tables.serials += 1
        return self.tables.serials - 1


def read_slots(
    offsets: SectionCursor, section: SectionCursor, dialects: Sequence[str]
) -> tuple[list[EntrySlot], list[EntrySlot]]:
    """Reads the positions of attributes and types."""
    offsets.data = bytes(offsets.data)
    attributes, types = offsets.varint(), offsets.varint()
    if attributes + types > offsets.bytes_left():
        offsets.reject(f"{attributes + types} entries in {offsets.bytes_left()} bytes")
    slots: list[EntrySlot] = []
    position = 0
    while offsets.bytes_left():
        dialect = offsets.varint()
        if dialect >= len(dialects):
            offsets.reject(f"dialect {dialect} of {len(dialects)}")
        name = dialects[dialect]
        for _ in range(offsets.count("entries")):
            size, is_binary = offsets.flagged_varint()
            slots.append(EntrySlot(name, position, size, is_binary))
            position += size
    if len(slots) != attributes + types:
        offsets.reject(f"{len(slots)} entries, not {attributes} attributes and {types} types")
    if position > len(section.data):
        offsets.reject(f"entries of {position} bytes in {len(section.data)} bytes")
    return slots[:attributes], slots[attributes:]

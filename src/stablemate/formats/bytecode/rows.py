"""A table language in which dialects declare how their attributes and types are encoded.

The encoding of a dialect is a table with a row for each kind: its number, the class of the
attribute or type, and the fields in the order in which they are encoded::

    row(13, TensorType, shape=SHAPE, element_type=ELEMENT_TYPE)

The reader passes the fields to the class by name; the writer takes them from the value by name. The
same row numbers the references of the value, so that reader, writer and numbering always agree.

Source: MLIR bytecode format, "Attribute/Type Encodings".
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from operator import methodcaller
from typing import Any, Final, Generic, NoReturn, TypeVar, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property
from stablemate.formats.bytecode.entry_access import EntryReader, EntryWriter
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.kinds import EnumAttribute, EnumKind
from stablemate.ir.locations import Location
from stablemate.ir.types import DYNAMIC, Attribute, Type

T = TypeVar("T")
S = TypeVar("S")


# ---- fields


@dataclass(frozen=True, slots=True)
class EntryField(Generic[T]):
    """How one field of an entry is read and written."""

    read: Callable[[EntryReader], T]
    write: Callable[[EntryWriter, T], None]


def converted_field(
    inner: EntryField[S], decode: Callable[[S], T], encode: Callable[[T], S]
) -> EntryField[T]:
    """Returns a field that is encoded as another field, with a conversion each way."""
    return EntryField(
        lambda reader: decode(inner.read(reader)),
        lambda writer, value: inner.write(writer, encode(value)),
    )


def list_of(item: EntryField[T]) -> EntryField[tuple[T, ...]]:
    """Returns a field for the number of items, then the items; a tuple in Python."""
    read_item, write_item = item.read, item.write

    def read(reader: EntryReader) -> tuple[T, ...]:
        items: list[T] = []
        for _ in range(reader.count()):  # one frame: entries are nested
            items.append(read_item(reader))
        return tuple(items)

    def write(writer: EntryWriter, values: tuple[T, ...]) -> None:
        writer.varint(len(values))
        for value in values:
            write_item(writer, value)

    return EntryField(read, write)


def attribute_of(*classes: type[T]) -> EntryField[T]:
    """Returns a field for another attribute, of one of these classes."""

    def read(reader: EntryReader) -> T:
        value = reader.attribute()
        return value if isinstance(value, classes) else reject_class(reader, value, classes)

    return EntryField(read, lambda writer, value: writer.attribute(cast(Attribute, value)))


def optional_attribute_of(*classes: type[T]) -> EntryField[T | None]:
    """Returns a field for another attribute, of one of these classes, or none."""

    def read(reader: EntryReader) -> T | None:
        attribute = reader.optional_attribute()
        if attribute is None or isinstance(attribute, classes):
            return attribute
        return reject_class(reader, attribute, classes)

    def write(writer: EntryWriter, value: T | None) -> None:
        writer.optional_attribute(cast("Attribute | None", value))

    return EntryField(read, write)


def type_of(*classes: type[T]) -> EntryField[T]:
    """Returns a field for a type, of one of these classes."""

    def read(reader: EntryReader) -> T:
        value_type = reader.type()
        return (
            value_type
            if isinstance(value_type, classes)
            else reject_class(reader, value_type, classes)
        )

    return EntryField(read, lambda writer, value: writer.type(value))


def reject_class(reader: EntryReader, entry: object, classes: Sequence[type]) -> NoReturn:
    """Rejects an attribute or a type whose class is not allowed here."""
    expected = " or ".join(class_.__name__ for class_ in classes)
    reader.reject(f"expected {expected}, found {type(entry).__name__}")


def flag(reader: EntryReader) -> bool:
    """Reads a byte that is 0 or 1."""
    return bool(reader.byte())


VARINT: Final[EntryField[int]] = EntryField(
    methodcaller("varint"), lambda writer, v: writer.varint(v)
)
SVARINT: Final[EntryField[int]] = EntryField(
    methodcaller("svarint"), lambda writer, v: writer.svarint(v)
)
BYTE: Final[EntryField[int]] = EntryField(methodcaller("byte"), lambda writer, v: writer.byte(v))
BOOLEAN: Final[EntryField[bool]] = EntryField(flag, lambda writer, v: writer.byte(int(v)))
STRING: Final[EntryField[str]] = EntryField(
    methodcaller("string"), lambda writer, v: writer.string(v)
)
ATTRIBUTE: Final[EntryField[Attribute]] = EntryField(
    methodcaller("attribute"), lambda writer, v: writer.attribute(v)
)
OPTIONAL_ATTRIBUTE: Final[EntryField[Attribute | None]] = EntryField(
    methodcaller("optional_attribute"), lambda writer, v: writer.optional_attribute(v)
)
LOCATION: Final[EntryField[Location]] = EntryField(
    methodcaller("location"), lambda writer, v: writer.attribute(v)
)
TYPE: Final[EntryField[Type]] = EntryField(methodcaller("type"), lambda writer, v: writer.type(v))
RESOURCE: Final[EntryField[str]] = EntryField(
    methodcaller("resource"), lambda writer, v: writer.resource(v)
)
SVARINTS: Final = list_of(SVARINT)
ATTRIBUTES: Final = list_of(ATTRIBUTE)
TYPES: Final = list_of(TYPE)
DYNAMIC_SIZE: Final = -(1 << 63)


def read_size(reader: EntryReader) -> int:
    """The size of a dimension."""
    size = reader.svarint()
    if size >= 0 or size == DYNAMIC_SIZE:
        return max(size, DYNAMIC)
    return reader.reject(f"a dimension has no size {size}")


def write_size(writer: EntryWriter, size: int) -> None:
    """Writes the size of a dimension."""
    writer.svarint(DYNAMIC_SIZE if size == DYNAMIC else size)


SIZE: Final = EntryField(read_size, write_size)
SHAPE: Final = list_of(SIZE)  # dynamic dimensions are DYNAMIC


def read_bound(reader: EntryReader) -> int:
    """The bound of a dimension: any number, of which the verifier warns if it is negative."""
    bound = reader.svarint()
    return DYNAMIC if bound == DYNAMIC_SIZE else bound


BOUNDS: Final = list_of(EntryField(read_bound, write_size))  # DYNAMIC where there is none


def read_text(reader: EntryReader) -> str:
    """Reads a string that is an attribute of its own."""
    text = reader.attribute()
    if isinstance(text, StringAttribute):
        return text.value
    return reader.reject(f"expected a string, found {type(text).__name__}")


TEXT: Final = EntryField(read_text, lambda writer, value: writer.text(value))


DOUBLE: Final = struct.Struct("<d")


def float_bits(value: float) -> int:
    """The bits of a 64-bit float."""
    return int.from_bytes(DOUBLE.pack(value), "little")


def float_of(bits: int) -> float:
    """The 64-bit float of these bits."""
    value: float = DOUBLE.unpack(bits.to_bytes(8, "little"))[0]
    return value


F64: Final[EntryField[float]] = EntryField(
    lambda reader: float_of(reader.integer(64)),
    lambda writer, value: writer.integer(float_bits(value), 64),
)


def member_of(kind: EnumKind[Enum], *members: Enum | None) -> EntryField[Enum]:
    """Returns a field for a varint that numbers the members of an enumeration.

    A number whose member is None is invalid.
    """
    numbers = {member: number for number, member in enumerate(members) if member is not None}

    def read(reader: EntryReader) -> Enum:
        number = reader.varint()
        member = members[number] if number < len(members) else None
        return (
            reader.reject(f"no {kind.description} has number {number}")
            if member is None
            else member
        )

    return EntryField(read, lambda writer, member: writer.varint(numbers[member]))


# ---- rows


@dataclass(frozen=True, slots=True)
class EntryFormat:
    """One kind of attribute or type.

    Attributes:
        kind: The number that begins the entry; a part of that number for nested encodings.
        cls: The class of the values that it writes; for enumerations, the class of the members.
        read: What follows the number.
        write: Writes what follows the number.
        condition: Whether the row writes a value; the first row of a class that does is used.
    """

    kind: int
    cls: type
    read: Callable[[EntryReader], Any]
    write: Callable[[EntryWriter, Any], None]
    condition: Callable[[Any], bool] | None = None

    def when(self, condition: Callable[[Any], bool]) -> EntryFormat:
        """Returns the same row for those values of the class for which a condition holds."""
        return replace(self, condition=condition)


def row(kind: int, cls: type, /, **fields: EntryField[Any]) -> EntryFormat:
    """Declares a kind whose fields are the fields of a class, in the order of the encoding."""
    return factory_row(kind, cls, cls, **fields)


def factory_row(
    kind: int, cls: type, make: Callable[..., object], /, **fields: EntryField[Any]
) -> EntryFormat:
    """Declares a kind whose values a function builds from the fields, instead of their class.

    Args:
        kind: Its number.
        cls: The class of its values.
        make: Builds a value from the fields.
        **fields: How each field is encoded, by the name of the attribute that holds it.
    """
    reads = tuple((name, field.read) for name, field in fields.items())
    writes = tuple((name, field.write) for name, field in fields.items())

    def read(reader: EntryReader) -> object:
        values: dict[str, object] = {}
        for name, read_field in reads:  # one frame: entries are nested
            values[name] = read_field(reader)
        return make(**values)

    def write(writer: EntryWriter, value: object) -> None:
        for name, write_field in writes:
            write_field(writer, getattr(value, name))

    return EntryFormat(kind, cls, read, write)


def custom_row(
    kind: int,
    cls: type[T],
    read: Callable[[EntryReader], T],
    write: Callable[[EntryWriter, T], None],
) -> EntryFormat:
    """Declares a kind, whose later fields depend on earlier ones, by two functions."""
    return EntryFormat(kind, cls, read, write)


def constant(kind: int, value: object) -> EntryFormat:
    """Declares a kind without fields, which stands for one value."""
    return EntryFormat(
        kind,
        cast(type, value.__class__),
        lambda reader: value,
        write_nothing,
        lambda constant: constant == value,
    )


def enumeration(kind: int, members: EnumKind[Enum], *values: Enum | None) -> EntryFormat:
    """Declares a kind of EnumAttribute: the members in the order of their numbers."""
    member = member_of(members, *values)
    cls = next(type(value) for value in values if value is not None)
    return EntryFormat(
        kind,
        cls,
        lambda reader: members.attribute(member.read(reader)),
        lambda writer, attribute: member.write(writer, attribute.value),
    )


def write_nothing(writer: EntryWriter, value: object) -> None:
    """Writes no fields, for attributes that have none."""


# ---- dialects


@dataclass(frozen=True)
class DialectEncoding:
    """The encodings of one dialect.

    Attributes:
        name: The dialect.
        attributes: Its kinds of attributes.
        types: Its kinds of types.
    """

    name: str
    attributes: Sequence[EntryFormat] = ()
    types: Sequence[EntryFormat] = ()

    @cached_property
    def attribute_kinds(self) -> Mapping[int, EntryFormat]:
        """The rows of attributes by number."""
        return {attribute.kind: attribute for attribute in self.attributes}

    @cached_property
    def type_kinds(self) -> Mapping[int, EntryFormat]:
        """The rows of types by number."""
        return {value_type.kind: value_type for value_type in self.types}


@dataclass(frozen=True, slots=True)
class DialectRow:
    """The row that writes a value, and the dialect of the row."""

    dialect: str
    row: EntryFormat


def class_of(value: object) -> type:
    """Returns the class by which the rows of a value are looked up."""
    return type(value.value) if isinstance(value, EnumAttribute) else type(value)


class Encoders:
    """Finds the row that writes a value."""

    def __init__(self, rows: Sequence[tuple[str, EntryFormat]]) -> None:
        self.by_class: dict[type, list[DialectRow]] = {}
        for dialect, row in rows:
            self.by_class.setdefault(row.cls, []).append(DialectRow(dialect, row))

    def find(self, value: object) -> DialectRow | None:
        """Returns the row for a value; None if the value has no binary encoding."""
        for chosen in self.by_class.get(class_of(value), ()):
            condition = chosen.row.condition
            if condition is None or condition(value):
                return chosen
        return None

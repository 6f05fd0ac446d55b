"""Property entries: the inherent attributes that the entry of an operation holds, and their values.

An entry holds the inherent attributes in alphabetical order: a required one as the number of an
attribute, any other as an optional reference. Sizes of segments are such attributes in version 5;
from version 6 on they follow all others, as numbers.

Source: MLIR bytecode format, "Properties Section"; what MLIR generates from definitions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.unregistered import property_entries
from stablemate.formats.bytecode.container import SectionCursor, SectionVersion
from stablemate.formats.bytecode.entries import EntryDecoder, SectionTables
from stablemate.formats.bytecode.segments import read_segments
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.kinds import I32_ARRAY
from stablemate.ir.types import Attribute

# Fields that were added to definitions over time, the newest first: the number of fields tells a
# reader which of them an entry has.
ADDED: Final[Mapping[str, Sequence[frozenset[str]]]] = {
    "func.func": (frozenset({"no_inline"}),),
    "func.call": (frozenset({"arg_attrs", "res_attrs"}), frozenset({"no_inline"})),
    "stablehlo.custom_call": (frozenset({"result_tilings"}),),
    "stablehlo.collective_broadcast": (frozenset({"has_dynamic_root"}),),
    "chlo.top_k": (frozenset({"is_stable"}),),
    "sdy.all_reduce": (frozenset({"reduction_op"}),),
    "sdy.reduce_scatter": (frozenset({"reduction_op"}),),
}
# StableHLO 1.17 knows all fields of these operations. The newest fields of other operations are
# written only if they are set.
COMMON: Final = frozenset({"func.func", "func.call"})
UNCOMMON: Final = ADDED.keys() - COMMON


@dataclass(frozen=True, slots=True)
class PropertyField:
    """An inherent attribute in a property entry."""

    name: str
    is_required: bool


@dataclass(frozen=True, slots=True)
class PropertyLayout:
    """The layout of the property entry of an operation.

    Attributes:
        name: The operation.
        fields: The inherent attributes, in order.
        segments: Attributes that hold sizes of segments, with the number of segments.
    """

    name: str
    fields: Sequence[PropertyField]
    segments: Sequence[tuple[str, int]]

    @property
    def is_empty(self) -> bool:
        """Whether operations have no property entry."""
        return not self.fields and not self.segments

    def in_version(self, version: int) -> PropertyLayout:
        """The layout in a version of the format."""
        if not self.segments or version >= SectionVersion.NATIVE_SEGMENTS:
            return self
        sizes = [PropertyField(name, True) for name, _ in self.segments]
        return PropertyLayout(self.name, sorted([*self.fields, *sizes], key=lambda f: f.name), ())

    def of_size(self, size: int) -> Sequence[PropertyField]:
        """Returns the fields of an entry of this size; all fields if no form has that size."""
        fields = self.fields
        for added in ADDED.get(self.name, ()):
            if len(fields) <= size:
                break
            fields = [field for field in fields if field.name not in added]
        return fields if len(fields) == size else self.fields

    def common(self) -> Sequence[PropertyField]:
        """The fields that every current reader knows."""
        if self.name not in UNCOMMON:
            return self.fields
        newest = newest_fields(self.name)
        return [field for field in self.fields if field.name not in newest]


def newest_fields(name: str) -> frozenset[str]:
    """Returns the fields that an uncommon operation received last."""
    return ADDED[name][0]


def layout_of(cls: type[Operation]) -> PropertyLayout:
    """The layout of an operation's entry."""
    definition = definition_of(cls)
    required = {name: attribute.required for name, attribute in definition.attributes.items()}
    fields = tuple(PropertyField(name, required[name]) for name in sorted(required))
    return PropertyLayout(definition.name, fields, tuple(definition.size_lists.items()))


# Optional fields that operations of MHLO have, and those that only their counterparts have.
ONLY_MHLO: Final = {
    "mhlo.custom_call": ("custom_call_schedule", "result_tilings"),
    "mhlo.dynamic_conv": ("padding", ""),
    "mhlo.collective_broadcast": ("", "has_dynamic_root"),
}


def mhlo_layout(name: str, layout: PropertyLayout) -> PropertyLayout:
    """The layout of an operation of MHLO, from that of its counterpart."""
    added, removed = ONLY_MHLO.get(name, ("", ""))
    fields = [field for field in layout.fields if field.name != removed]
    if added:
        fields.append(PropertyField(added, False))
    return PropertyLayout(name, sorted(fields, key=lambda field: field.name), layout.segments)


class Properties:
    """The property entries of a file, each read once for each operation that refers to it.

    Attributes:
        extended: Operations whose entry has fields that are not common.
    """

    def __init__(self, cursor: SectionCursor | None, version: int, tables: SectionTables) -> None:
        self.version = version
        self.tables = tables
        self.extended: set[str] = set()
        self.places: list[tuple[int, int]] = []  # start and end of each entry
        self.data = b""
        self.start = 0
        if cursor is None:
            return
        self.data = cursor.data = bytes(cursor.data)
        self.start, self.title = cursor.start, cursor.title
        for _ in range(cursor.count("entries")):
            size = cursor.varint()
            self.places.append((cursor.position, cursor.position + size))
            cursor.take(size, "an entry")
        cursor.finish()

    def entry(self, number: int) -> EntryDecoder:
        """Returns a reader for an entry that exists."""
        start, end = self.places[number]
        return EntryDecoder(self.tables, self.title, self.data[start:end], self.start + start)

    def read(self, number: int, layout: PropertyLayout) -> dict[str, Attribute]:
        """The inherent attributes in an entry."""
        entry = self.entry(number)
        attributes: dict[str, Attribute] = {}
        layout = layout.in_version(self.version)
        fields = layout.fields
        if layout.name in ADDED:
            fields = layout.of_size(numbers_in(self.entry(number)))
            if layout.name in UNCOMMON and len(fields) > len(layout.common()):
                self.extended.add(layout.name)
        for field in fields:
            attribute = entry.attribute() if field.is_required else entry.optional_attribute()
            if attribute is not None:
                attributes[field.name] = attribute
        for name, count in layout.segments:
            attributes[name] = I32_ARRAY.attribute(read_segments(entry, count))
        return attributes

    def read_dictionary(self, number: int, layout: PropertyLayout) -> dict[str, Attribute]:
        """Returns the attributes in the entry of an operation that the writer did not know.

        MLIR reads the entry as if the writer had known the operation; a dictionary, which is how
        a writer stores properties that it does not know, is read here, too.
        """
        index = self.entry(number).varint()
        if numbers_in(self.entry(number)) == 1 and index < len(self.tables.attributes.decoded):
            dictionary = self.entry(number).attribute()
            if isinstance(dictionary, DictionaryAttribute):
                return dict(dictionary.entries)
        return self.read(number, layout)

    def read_whole(self, number: int, name: str, *, is_registered: bool) -> dict[str, Attribute]:
        """Returns the properties of an operation that is not registered here: one attribute.

        Args:
            number: The number of the entry.
            name: The name of the operation.
            is_registered: Whether the writer had a definition. Then the form of the entry depends
                on that definition, and an entry of one required attribute is read.

        Raises:
            ParseError: The entry is not the number of one attribute.
        """
        entry = self.entry(number)
        if is_registered and numbers_in(self.entry(number)) != 1:
            entry.reject(
                f"the properties of {name} have the form that its definition gives them, and no "
                "definition is registered here; its producer can write it as MLIR text"
            )
        return property_entries(entry.attribute())


def numbers_in(entry: EntryDecoder) -> int:
    """Returns the number of varints in an entry."""
    count = 0
    while entry.bytes_left():
        entry.varint()
        count += 1
    return count

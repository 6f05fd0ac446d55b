"""Numbers attributes, types, names of operations, values and resources, as MLIR's writer does.

The values that are used most get the smallest numbers; among numbers of the same encoded size,
values of a dialect are adjacent. Ties keep the order of discovery: the operations of a region in
order, then the regions nested in it from the last to the first.

Source: MLIR bytecode writer, the numbering of the IR.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from stablemate.dialects.unregistered import UnregisteredOp, whole_properties
from stablemate.formats.bytecode.container import SectionVersion
from stablemate.formats.bytecode.encodings.table import ATTRIBUTE_ENCODERS, TYPE_ENCODERS
from stablemate.formats.bytecode.properties import (
    UNCOMMON,
    PropertyField,
    PropertyLayout,
    layout_of,
    newest_fields,
)
from stablemate.formats.bytecode.rows import Encoders, EntryFormat
from stablemate.formats.bytecode.segments import encode_segments
from stablemate.formats.bytecode.use_orders import Captures
from stablemate.ir.attributes import DictionaryAttribute, StringAttribute, integers_of
from stablemate.ir.core import Block, Module, Operation, Region, Value
from stablemate.ir.definition import RESULT_SEGMENT_SIZES, SEGMENT_SIZES
from stablemate.ir.kinds import I32_ARRAY
from stablemate.ir.locations import LocationAttribute
from stablemate.ir.types import Attribute, TensorType

ItemT = TypeVar("ItemT", bound="NumberedValue")
DIALECT: Final = re.compile(r"[#!]([A-Za-z_][A-Za-z0-9_]*)[.<]")
BUILTIN: Final = "builtin"


class NumberedValue:
    """A value that receives a number.

    Attributes:
        value: The value.
        dialect: Number of its dialect.
        row: The row that encodes it; None for text.
        uses: The number of references to it.
        number: Its final number.
    """

    __slots__ = ("dialect", "number", "row", "uses", "value")

    def __init__(self, value: Any, dialect: int, row: EntryFormat | None = None) -> None:
        self.value = value
        self.dialect = dialect
        self.row = row
        self.uses = 1
        self.number = 0


class Record:
    """The numbers of the parts of one operation.

    Attributes:
        name: Its name.
        attributes: Its dictionary; None if it is empty.
        properties: The numbers of its property entry; None if it has none.
        segments: Numbers that follow in the property entry.
        results: Types of its results.
        location: Its location.
    """

    __slots__ = ("attributes", "location", "name", "properties", "results", "segments")

    def __init__(self, name: NumberedValue) -> None:
        self.name = name
        self.attributes: NumberedValue | None = None
        self.properties: list[tuple[NumberedValue | None, bool]] | None = None
        self.segments: list[int] = []
        self.results: list[NumberedValue] = []
        self.location: NumberedValue = name


class NumberTable:
    """Attributes, or types, numbered by value."""

    def __init__(self, encoders: Encoders, numbering: ModuleNumbering) -> None:
        self.encoders = encoders
        self.numbering = numbering
        self.items: dict[object, NumberedValue] = {}
        self.by_identity: dict[int, NumberedValue] = {}
        self.kept: list[object] = []  # keeps the objects alive, so that their ids stay unique

    def use(self, value: object) -> NumberedValue:
        """Counts a use of a value; the parts of the value are numbered at its first use."""
        item = self.by_identity.get(id(value))
        if item is not None:
            item.uses += 1
            return item
        if isinstance(value, LocationAttribute):
            return self.use(value.location)
        item = self.items.get(value)
        if item is None:
            item = self.discover(value)
        else:
            item.uses += 1
        self.by_identity[id(value)] = item
        self.kept.append(value)
        return item

    def discover(self, value: object) -> NumberedValue:
        """Adds an item for a new value."""
        chosen = self.encoders.find(value)
        numbering = self.numbering
        name = chosen.dialect if chosen else dialect_of_text(str(value))
        item = NumberedValue(value, numbering.dialect(name), chosen.row if chosen else None)
        self.items[value] = item
        if chosen:
            chosen.row.write(numbering, value)
        return item

    def number(self, value: object) -> int:
        """Returns the number of a value that has been added."""
        item = self.by_identity.get(id(value))
        if item is None:
            key = value.location if isinstance(value, LocationAttribute) else value
            item = self.items[key]
        return item.number


def dialect_of_text(text: str) -> str:
    """Returns the dialect of an attribute or type that is written as text."""
    match = DIALECT.match(text)
    return match[1] if match else BUILTIN


class ModuleNumbering:
    """Walks a module; as an EntryWriter, it receives from the rows what an entry refers to.

    Attributes:
        attributes: The attributes.
        types: The types.
        texts: Strings among the attributes.
        operations: Names of operations.
        dialects: Dialects by name, with their numbers.
        records: The numbers of the parts of each operation.
        values: Numbers of values.
        counts: Number of values of each region.
        resources: Keys of the resources that attributes name, in order.
    """

    def __init__(self, module: Module, version: int, captures: Captures) -> None:
        self.module = module
        self.version = version
        self.open = captures.open
        self.attributes = NumberTable(ATTRIBUTE_ENCODERS, self)
        self.types = NumberTable(TYPE_ENCODERS, self)
        self.texts: dict[str, NumberedValue] = {}
        self.operations: dict[str, NumberedValue] = {}
        self.dialects: dict[str, int] = {}
        self.records: dict[Operation, Record] = {}
        self.values: dict[Value[TensorType], int] = {}
        self.counts: dict[Region, int] = {}
        self.resources: dict[str, int] = {}
        self.layouts: dict[str, PropertyLayout] = {}
        self.unregistered = set(module.origin.unregistered) if module.origin else set[str]()
        self.extended = extended_operations(module)
        self.next_value = 0
        self.walk(module.operation)
        for items in (self.attributes.items, self.operations, self.types.items):
            assign_numbers(list(items.values()))
        self.number_resources()

    # ---- callbacks of rows

    def varint(self, value: int, /) -> None:
        """Does nothing: the value refers to nothing."""

    def svarint(self, value: int, /) -> None:
        """Does nothing: the value refers to nothing."""

    def byte(self, value: int, /) -> None:
        """Does nothing: the value refers to nothing."""

    def integer(self, value: int, width: int, /) -> None:
        """Does nothing: the value refers to nothing."""

    def blob(self, data: Callable[[], object], /) -> None:
        """Does nothing: the value refers to nothing."""

    def string(self, value: str, /) -> None:
        """Does nothing: the value refers to nothing: strings are numbered as they are written."""

    def attribute(self, value: Attribute, /) -> None:
        """Counts a use of an attribute."""
        self.attributes.use(value)

    def text(self, value: str, /) -> None:
        """Counts a use of a string that is an attribute of its own."""
        item = self.texts.get(value)
        if item is None:
            self.texts[value] = self.attributes.use(StringAttribute(value))
        else:
            item.uses += 1

    def optional_attribute(self, value: Attribute | None, /) -> None:
        """Counts a use of an attribute, if there is one."""
        if value is not None:
            self.attributes.use(value)

    def type(self, value: object, /) -> None:
        """Counts a use of a type."""
        self.types.use(value)

    def resource(self, key: str, /) -> None:
        """Records that a resource is referred to."""
        self.resources.setdefault(key, len(self.resources))

    def dialect(self, name: str) -> int:
        """Returns the number of a dialect.

        Dialects are numbered in the order in which they occur.
        """
        return self.dialects.setdefault(name, len(self.dialects))

    # ---- the walk

    def walk(self, top: Operation) -> None:
        """Numbers everything in an operation."""
        self.number_operation(top)
        pending = [(region, self.first_value(top)) for region in top.regions]
        while pending:
            region, self.next_value = pending.pop()
            self.number_region(region)
            for block in region.blocks:
                for operation in block.operations:
                    if operation.regions:
                        first = self.first_value(operation)
                        pending += [(region, first) for region in operation.regions]

    def first_value(self, operation: Operation) -> int:
        """The number of the first value in the regions of an operation."""
        return self.next_value if operation in self.open else 0

    def number_region(self, region: Region) -> None:
        """Numbers the arguments and operations of a region."""
        first = self.next_value
        for block in region.blocks:
            self.number_block(block)
        self.counts[region] = self.next_value - first

    def number_block(self, block: Block) -> None:
        """Numbers the arguments and operations of a block."""
        for argument in block.arguments:
            self.values[argument] = self.next_value
            self.next_value += 1
            self.attributes.use(argument.location)
            self.types.use(argument.type)
        for operation in block.operations:
            self.number_operation(operation)

    def number_operation(self, operation: Operation) -> None:
        """Numbers what one operation refers to; its operands and regions are numbered elsewhere."""
        record = self.records[operation] = Record(self.use_name(operation.name))
        if isinstance(operation, UnregisteredOp):
            self.unregistered.add(operation.name)
        use_type = self.types.use
        for result in operation.results:
            self.values[result] = self.next_value
            self.next_value += 1
            record.results.append(use_type(result.type))
        layout = self.layout(operation)
        merged = self.version < SectionVersion.PROPERTIES
        entries = operation.discardable
        if merged:
            entries = {**self.property_attributes(operation, layout), **entries}
        if entries:
            record.attributes = self.attributes.use(DictionaryAttribute(entries))
        if not merged:
            self.number_properties(operation, layout, record)
        record.location = self.attributes.use(operation.location)

    def use_name(self, name: str) -> NumberedValue:
        """Counts a use of the name of an operation."""
        item = self.operations.get(name)
        if item is None:
            item = NumberedValue(name, self.dialect(name.partition(".")[0]))
            self.operations[name] = item
        else:
            item.uses += 1
        return item

    def layout(self, operation: Operation) -> PropertyLayout:
        """The property entry of an operation in this version."""
        operation_layout = self.layouts.get(operation.name)
        if operation_layout is None:
            operation_layout = layout_of(operation.__class__).in_version(self.version)
            self.layouts[operation.name] = operation_layout
        return operation_layout

    def property_attributes(
        self, operation: Operation, layout: PropertyLayout
    ) -> dict[str, Attribute]:
        """Returns the inherent attributes, with all sizes of segments that are required."""
        attributes = operation.attributes
        if RESULT_SEGMENT_SIZES in (name for name, _ in layout.segments) or any(
            field.name == RESULT_SEGMENT_SIZES for field in layout.fields
        ):
            sizes = I32_ARRAY.attribute(result_segments(operation))
            return {RESULT_SEGMENT_SIZES: sizes, **attributes}
        return attributes

    def number_properties(
        self, operation: Operation, layout: PropertyLayout, record: Record
    ) -> None:
        """Numbers the attributes of a property entry."""
        if operation.name in self.unregistered:
            self.number_dictionary(operation, record)
            return
        if layout.is_empty:
            return
        attributes = self.property_attributes(operation, layout)
        properties: list[tuple[NumberedValue | None, bool]] = []
        for field in self.written_fields(operation, layout):
            attribute = attributes.get(field.name)
            item = None if attribute is None else self.attributes.use(attribute)
            properties.append((item, field.is_required))
        record.properties = properties
        for name, count in layout.segments:
            sizes = integers_of(attributes.get(name)) or (0,) * count
            record.segments += encode_segments(sizes)

    def number_dictionary(self, operation: Operation, record: Record) -> None:
        """Numbers the property entry of an operation that is written as unregistered."""
        properties = whole_properties(operation)
        if properties is not None:
            item = self.attributes.use(properties)
            record.properties = [(item, True)]

    def written_fields(
        self, operation: Operation, layout: PropertyLayout
    ) -> Sequence[PropertyField]:
        """Returns the fields of an operation's entry: all, or those that every reader knows."""
        return layout.fields if operation.name in self.extended else layout.common()

    def number_resources(self) -> None:
        """Numbers the resources, those with data first."""
        data = self.module.resources
        ordered = sorted(self.resources, key=lambda key: key not in data)
        self.resources = {key: number for number, key in enumerate(ordered)}


def extended_operations(module: Module) -> set[str]:
    """Returns the operations with fields unknown to older readers, here or in their file."""
    names = set(module.origin.extended) if module.origin else set[str]()
    for operation in module.operation.walk():
        if operation.name in UNCOMMON and operation.attributes.keys() & newest_fields(
            operation.name
        ):
            names.add(operation.name)
    return names


def result_segments(operation: Operation) -> list[int]:
    """Returns the number of outputs and the number of carried values among the results."""
    sizes = integers_of(operation.attributes.get(SEGMENT_SIZES))
    carries = sizes[-1] if sizes else 0
    return [max(len(operation.results) - carries, 0), carries]


def assign_numbers(items: list[NumberedValue]) -> None:
    """Numbers items: by uses, then by dialect among the numbers that take the same size."""
    items.sort(key=lambda item: -item.uses)
    ordered: list[NumberedValue] = []
    first_dialect = size = 0
    for bits in range(7, 64, 7):
        size = (1 << bits) - size  # the number of values that MLIR counts for this size
        group = items[len(ordered) : len(ordered) + size]
        if not group:
            break
        first = [item for item in group if item.dialect == first_dialect]
        others = [item for item in group if item.dialect != first_dialect]
        ordered += first + sorted(others, key=lambda item: item.dialect)
        first_dialect = ordered[-1].dialect
    for number, item in enumerate(ordered):
        item.number = number


def in_order_of_numbers(items: Iterable[ItemT]) -> list[ItemT]:
    """Items in the order of their numbers."""
    return sorted(items, key=lambda item: item.number)

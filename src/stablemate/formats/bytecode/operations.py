"""Reads operations, blocks and regions.

Values are numbered: the numbers of a region follow those of the enclosing region, its own arguments
and results first. An isolated region starts at zero.

Source: MLIR bytecode format, "IR Section".
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import Any, Final, NoReturn, cast

from stablemate.diagnostics.source import Span
from stablemate.dialects.mhlo.counterparts import counterpart_of
from stablemate.dialects.registry import READABLE
from stablemate.formats.bytecode.container import ALIGNED, SectionKind, SectionVersion
from stablemate.formats.bytecode.entries import LOCATIONS, UNREAD, SectionTables
from stablemate.formats.bytecode.origins import FileOrigin
from stablemate.formats.bytecode.primitives import varint_at
from stablemate.formats.bytecode.properties import (
    Properties,
    PropertyLayout,
    layout_of,
    mhlo_layout,
)
from stablemate.formats.mlir.mhlo import counterpart_attributes, is_of_mhlo
from stablemate.formats.mlir.parser import parse_attribute
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.ir.core import (
    Block,
    BytecodeOrigin,
    Operation,
    Region,
    UseOrder,
    Value,
)
from stablemate.ir.definition import definition_of, is_size_list
from stablemate.ir.locations import UNKNOWN, Location
from stablemate.ir.types import Attribute, TensorType, Type

HAS_ATTRIBUTES: Final = 0x01
HAS_RESULTS: Final = 0x02
HAS_OPERANDS: Final = 0x04
HAS_SUCCESSORS: Final = 0x08
HAS_REGIONS: Final = 0x10
HAS_USE_ORDERS: Final = 0x20
HAS_PROPERTIES: Final = 0x40

TITLE: Final = "IR section"
UNDEFINED_VALUES: Final = 1 << 12  # that a region may state and not define
# The names that older writers used for the sizes of segments.
OLDER_NAMES: Final = {
    "operand_segment_sizes": "operandSegmentSizes",
    "result_segment_sizes": "resultSegmentSizes",
}


class KnownOperation:
    """An operation in the file's table of operation names.

    Attributes:
        name: Its name.
        cls: Its class; None if the operation is unknown.
        is_registered: Whether the writer of the file had a definition of it.
        has_definition: Whether a dialect defines it here.
        layout: Its property entry.
        inherent: Its inherent attributes by the names that files have for them.
        cached: Inherent attributes by number of the property entry.
        filled: Inherent attributes with defaults, which a file may leave out.
        is_of_mhlo: Whether it is a defined operation of MHLO.
    """

    __slots__ = (
        "cached",
        "cls",
        "filled",
        "has_definition",
        "inherent",
        "is_of_mhlo",
        "is_registered",
        "layout",
        "name",
    )

    def __init__(self, name: str, cls: type[Operation] | None, is_registered: bool) -> None:
        self.name = name
        self.cls = cls
        self.is_registered = is_registered
        self.has_definition = cls is not None and definition_of(cls).registered
        self.is_of_mhlo = self.has_definition and is_of_mhlo(name)
        self.layout = PropertyLayout(name, (), ()) if cls is None else layout_of(cls)
        if self.is_of_mhlo:
            self.layout = mhlo_layout(name, self.layout)
        sizes = [name for name, _ in self.layout.segments]
        self.inherent = {name: name for name in (*(f.name for f in self.layout.fields), *sizes)}
        self.inherent |= {old: new for old, new in OLDER_NAMES.items() if new in sizes}
        self.cached: dict[int, Mapping[str, Attribute]] = {}
        self.filled: Mapping[str, Attribute] = {} if cls is None else definition_of(cls).filled

    def stores(self, name: str, value: Attribute) -> bool:
        """Whether the operation needs an inherent attribute, or its property can store a value."""
        definition = None if self.cls is None else definition_of(self.cls)
        if definition is not None and name in definition.size_lists:
            return is_size_list(value, definition.size_lists[name])
        declared = None if definition is None else definition.attributes.get(name)
        return declared is None or declared.required or declared.kind.stores(value)


class BytecodeOperationReader:
    """Reads the IR section.

    Attributes:
        data: The bytes of the section.
        position: The next byte.
        values: The visible values by number; None for those that are not defined yet.
        pending: Operands that were referred to before they were defined.
        translated: Operations of MHLO that were read, with the names of their counterparts.
    """

    def __init__(
        self,
        origin: FileOrigin,
        data: bytes,
        start: int,
        tables: SectionTables,
        operations: list[KnownOperation],
        properties: Properties,
        facts: BytecodeOrigin,
    ) -> None:
        self.origin = origin
        self.data = data
        self.start = start
        self.position = 0
        self.tables = tables
        self.operations = operations
        self.properties = properties
        self.facts = facts
        self.version = facts.version
        self.values: list[Value[TensorType] | None] = []
        self.pending: list[tuple[Operation, int, int]] = []
        self.translated: dict[str, str] = {}
        self.depth = 0
        self.defined = 0  # number of the next value that is defined

    # ---- numbers

    def reject(self, message: str) -> NoReturn:
        """Raises a ParseError at this place."""
        self.origin.reject(TITLE, self.start + self.position, message)

    def varint(self) -> int:
        """Reads an unsigned integer of variable length."""
        try:
            value, self.position = varint_at(self.data, self.position)
        except IndexError:
            self.reject("ends inside a number")
        return value

    def count(self, noun: str) -> int:
        """Reads the number of items that take at least one byte each."""
        value = self.varint()
        if value > len(self.data) - self.position:
            self.reject(f"{value} {noun} in {len(self.data) - self.position} bytes")
        return value

    def byte(self) -> int:
        """Reads one byte; the end of the section is an error."""
        if self.position >= len(self.data):
            self.reject("ends where a byte is expected")
        self.position += 1
        return self.data[self.position - 1]

    # ---- references

    def type(self, number: int) -> Type:
        """Returns the type with this number."""
        table = self.tables.types
        if number >= len(table.decoded):
            self.reject(f"type {number} of {len(table.decoded)}")
        value_type: Any = table.decoded[number]
        return cast(Type, table.read(number, self.tables) if value_type is UNREAD else value_type)

    def location(self, number: int) -> Location:
        """Returns the location with this number."""
        value = self.attribute(number)
        return value if isinstance(value, LOCATIONS) else self.reject(f"{value} is not a location")

    def attribute(self, number: int) -> object:
        """Returns the attribute with this number."""
        table = self.tables.attributes
        if number >= len(table.decoded):
            self.reject(f"attribute {number} of {len(table.decoded)}")
        attribute = table.decoded[number]
        return table.read(number, self.tables) if attribute is UNREAD else attribute

    def known_operation(self, number: int) -> KnownOperation:
        """Returns the operation with this number."""
        if number >= len(self.operations):
            self.reject(f"operation {number} of {len(self.operations)}")
        operation = self.operations[number]
        if operation.cls is None:
            self.reject(f"unknown operation '{operation.name}'")
        return operation

    # ---- operations

    def read_operations(self, block: Block, blocks: list[Block], count: int) -> None:
        """Reads ``count`` operations into a block; this is the main loop of the reader.

        Args:
            block: The block.
            blocks: All blocks of the region.
            count: How many operations.
        """
        types, locations = self.tables.types.decoded, self.tables.attributes.decoded
        source, operations = self.origin.source, block.operations
        for _ in range(count):
            start = self.start + self.position
            known_operation = self.known_operation(self.varint())
            mask = self.byte()
            number = self.varint()
            location = locations[number] if number < len(locations) else UNREAD
            if not isinstance(location, LOCATIONS):
                location = self.location(number)
            attributes = dict(known_operation.filled)
            discardable: dict[str, Attribute] = {}
            if mask & HAS_ATTRIBUTES:
                self.read_attributes(known_operation, attributes, discardable)
            if mask & HAS_PROPERTIES:
                self.read_properties(known_operation, attributes)
            result_types: list[Type] = []
            if mask & HAS_RESULTS:
                for _ in range(self.count("results")):
                    number = self.varint()
                    result_type: Any = types[number] if number < len(types) else UNREAD
                    result_types.append(self.type(number) if result_type is UNREAD else result_type)
            forward_references: list[tuple[int, int]] = []
            operands = self.read_operands(forward_references) if mask & HAS_OPERANDS else []
            successors: list[Block] = []
            if mask & HAS_SUCCESSORS:
                successors = [self.successor(blocks) for _ in range(self.count("successors"))]
            orders = self.read_use_orders(len(result_types)) if mask & HAS_USE_ORDERS else ()
            regions = self.read_regions() if mask & HAS_REGIONS else ()
            cls = known_operation.cls
            assert cls is not None
            if known_operation.is_of_mhlo:
                cls = self.counterpart(known_operation, attributes, discardable)
            operation = cls(
                operands,
                result_types,
                attributes,
                regions,
                discardable=discardable,
                successors=successors,
                location=location,
                span=Span(source, start, start),
            )
            operation.parent = block
            operations.append(operation)
            if result_types:
                self.define(operation.results)
            for index, order in orders:
                self.facts.use_orders[operation.results[index]] = order
            self.pending += ((operation, i, number) for i, number in forward_references)

    def counterpart(
        self,
        known_operation: KnownOperation,
        attributes: dict[str, Attribute],
        discardable: dict[str, Attribute],
    ) -> builtins.type[Operation]:
        """Returns the class as which an operation of MHLO is read.

        Args:
            known_operation: The operation.
            attributes: Its inherent attributes, which become those of the class.
            discardable: Receives those that the class does not declare.
        """
        name, cls = known_operation.name, known_operation.cls
        counterpart = counterpart_of(name, attributes)
        self.translated[name] = counterpart or name
        cls = READABLE[counterpart] if counterpart else cls
        assert cls is not None
        definition = definition_of(cls)
        translated = counterpart_attributes(definition, attributes, parse_attribute)
        attributes.clear()
        for key, value in translated.items():
            declared = key in definition.attributes or key in definition.size_lists
            (attributes if declared else discardable)[key] = value
        return cls

    def read_operands(self, forward_references: list[tuple[int, int]]) -> list[Any]:
        """Reads the operands of an operation; None for a value that is defined later.

        Args:
            forward_references: Receives the index and the value number of each such operand.
        """
        values = self.values
        operands: list[Any] = []
        for i in range(self.count("operands")):
            number = self.varint()
            if number >= len(values):
                self.reject(f"value {number} of {len(values)}")
            value = values[number]
            if value is None:
                forward_references.append((i, number))
            operands.append(value)
        return operands

    def read_attributes(
        self,
        known_operation: KnownOperation,
        attributes: dict[str, Attribute],
        discardable: dict[str, Attribute],
    ) -> None:
        """Reads the dictionary of an operation into inherent and discardable attributes."""
        dictionary = self.attribute(self.varint())
        if not isinstance(dictionary, DictionaryAttribute):
            self.reject("the attributes of an operation are not a dictionary")
        for name, value in dictionary.entries.items():
            inherent = known_operation.inherent.get(name)
            if inherent is not None and not known_operation.stores(inherent, value):
                continue  # as in MLIR: the property keeps its default
            if inherent is None:
                discardable[name] = value
            else:
                attributes[inherent] = value

    def read_properties(
        self, known_operation: KnownOperation, attributes: dict[str, Attribute]
    ) -> None:
        """Reads the number of a property entry, and adds the attributes in it."""
        number = self.varint()
        if number >= len(self.properties.places):
            self.reject(f"property entry {number} of {len(self.properties.places)}")
        properties = known_operation.cached.get(number)
        if properties is None:
            if not known_operation.has_definition:
                properties = self.properties.read_whole(
                    number, known_operation.name, is_registered=known_operation.is_registered
                )
            elif known_operation.is_registered:
                properties = self.properties.read(number, known_operation.layout)
            else:
                properties = self.properties.read_dictionary(number, known_operation.layout)
            known_operation.cached[number] = properties
        attributes.update(properties)

    def successor(self, blocks: list[Block]) -> Block:
        """Reads the reference to a block."""
        number = self.varint()
        return blocks[number] if number < len(blocks) else self.reject(f"no block {number}")

    def read_use_orders(self, count: int) -> list[tuple[int, UseOrder]]:
        """Reads the use-list orders of some of ``count`` values."""
        several = count != 1
        orders: list[tuple[int, UseOrder]] = []
        for _ in range(self.count("orders") if several else 1):
            index = self.varint() if several else 0
            if index >= count:
                self.reject(f"the order of value {index} of {count}")
            size, pairs = divmod(self.varint(), 2)
            if size > len(self.data) - self.position:
                self.reject(f"an order of {size} uses")
            orders.append((index, UseOrder(tuple(self.varint() for _ in range(size)), bool(pairs))))
        return orders

    def define(self, results: tuple[Value, ...]) -> None:
        """Gives values the next numbers of the region."""
        first, self.defined = self.defined, self.defined + len(results)
        if self.defined > len(self.values):
            self.reject(f"a region defines more than the {len(self.values) - first} values stated")
        self.values[first : self.defined] = results

    # ---- regions

    def read_regions(self) -> list[Region]:
        """Reads the regions of an operation."""
        if self.depth >= self.origin.limits.nesting:
            limit = self.origin.limits.nesting
            self.origin.exceed(TITLE, self.start + self.position, f"more than {limit} regions deep")
        number, is_isolated = divmod(self.varint(), 2)
        if number > len(self.data) - self.position:
            self.reject(f"{number} regions")
        end = None
        if is_isolated and self.version >= SectionVersion.NESTED_SECTIONS:
            end = self.nested_section()
        outer = self.values, self.pending, self.defined
        if is_isolated:
            self.values, self.pending, self.defined = [], [], 0
        self.depth += 1
        regions: list[Region] = []
        for _ in range(number):  # one frame: regions are nested
            regions.append(self.read_region())
        self.depth -= 1
        if is_isolated:
            self.values, self.pending = outer[:2]
        self.defined = outer[2]
        if end is not None and self.position > end:
            self.reject(f"a nested section ends at {self.start + end:#x}")
        self.position = self.position if end is None else end
        return regions

    def nested_section(self) -> int:
        """Reads the header of a nested section and returns the position of its end."""
        number, size = self.byte(), self.varint()
        if number & ALIGNED:
            alignment = self.varint()
            if alignment < 1 or alignment & (alignment - 1):
                self.reject(f"alignment {alignment} is not a power of two")
            self.position += -(self.start + self.position) % alignment
            number &= ~ALIGNED
        if number != SectionKind.IR or size > len(self.data) - self.position:
            self.reject(f"expected a nested IR section, found {size} bytes of section {number}")
        return self.position + size

    def read_region(self) -> Region:
        """Reads blocks, and numbers their values after those that are visible."""
        count = self.count("blocks")
        if not count:
            return Region()
        values, first = self.values, len(self.values)
        values += [None] * self.value_count()
        self.defined = first
        region = Region([Block() for _ in range(count)])
        for block in region.blocks:
            operations, has_arguments = divmod(self.varint(), 2)
            if operations > len(self.data) - self.position:
                self.reject(f"{operations} operations in {len(self.data) - self.position} bytes")
            if has_arguments:
                self.read_arguments(block)
            self.read_operations(block, region.blocks, operations)
        self.resolve(first)
        del values[first:]
        return region

    def value_count(self) -> int:
        """Reads how many values a region defines at most; a region may define fewer."""
        value, left = self.varint(), len(self.data) - self.position
        if value > left + UNDEFINED_VALUES:
            self.reject(f"{value} values in {left} bytes")
        return value

    def read_arguments(self, block: Block) -> None:
        """Reads the types and locations of the arguments of a block."""
        types: list[Type] = []
        locations: list[Location] = []
        for _ in range(self.count("arguments")):
            number, has_location = self.varint(), 1
            if self.version >= SectionVersion.OPTIONAL_LOCATIONS:
                number, has_location = divmod(number, 2)
            types.append(self.type(number))
            locations.append(self.location(self.varint()) if has_location else UNKNOWN)
        block.set_arguments(types, locations)
        self.define(block.arguments)
        if self.version >= SectionVersion.USE_ORDERS and self.byte() & HAS_USE_ORDERS:
            for index, order in self.read_use_orders(len(types)):
                self.facts.use_orders[block.arguments[index]] = order

    def resolve(self, first: int) -> None:
        """Fills in operands that were used before their definition, from a number on."""
        later: list[tuple[Operation, int, int]] = []
        for use in self.pending:
            operation, index, number = use
            if number < first:
                later.append(use)
                continue
            if self.values[number] is None:
                self.reject(f"value {number} is used and never defined")
            operands: list[Any] = list(operation.operands)
            operands[index] = self.values[number]
            operation.operands = tuple(operands)
        self.pending = later

    def read_module(self) -> list[Operation]:
        """Reads the whole section and returns the top-level operations."""
        block = Block()
        count, has_arguments = divmod(self.varint(), 2)
        if has_arguments or count > len(self.data) - self.position:
            self.reject(f"{count} operations at the top")
        self.read_operations(block, [], count)
        for operation in block.operations:
            operation.parent = None
        return block.operations

"""Writes modules as MLIR bytecode, byte for byte as MLIR's own writer does.

Source: MLIR bytecode format, versions 0 to 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.formats.bytecode.container import (
    MAGIC,
    NEWEST_VERSION,
    SectionKind,
    SectionVersion,
)
from stablemate.formats.bytecode.emitter import ByteEmitter
from stablemate.formats.bytecode.numbering import (
    ModuleNumbering,
    NumberedValue,
    Record,
    in_order_of_numbers,
)
from stablemate.formats.bytecode.operations import (
    HAS_ATTRIBUTES,
    HAS_OPERANDS,
    HAS_PROPERTIES,
    HAS_REGIONS,
    HAS_RESULTS,
    HAS_SUCCESSORS,
    HAS_USE_ORDERS,
)
from stablemate.formats.bytecode.primitives import MASK, varint, words_of, zigzag
from stablemate.formats.bytecode.resource_writer import write_resources
from stablemate.formats.bytecode.use_orders import Captures, use_orders
from stablemate.ir.core import Block, Module, Operation, Region, UseOrder, Value
from stablemate.ir.locations import UNKNOWN
from stablemate.ir.types import Attribute

DEFAULT_PRODUCER: Final = "stablemate"
BYTE: Final = 8
WORD: Final = 64


def write_bytecode(
    module: Module, version: int = NEWEST_VERSION, producer: str | None = None
) -> bytes:
    """Returns the bytecode of a module.

    Args:
        module: The module.
        version: The version of the format.
        producer: The producer string; by default that of the file that was read.

    Raises:
        UnsupportedError: There is no such version.
    """
    return b"".join(bytecode_buffers(module, version, producer))


def bytecode_buffers(
    module: Module, version: int = NEWEST_VERSION, producer: str | None = None
) -> list[Any]:
    """Returns the bytecode of a module as buffers; large constants are views of their data.

    Raises:
        UnsupportedError: There is no such version.
    """
    if version not in range(NEWEST_VERSION + 1):
        message = f"there is no bytecode version {version}: versions are 0 to {NEWEST_VERSION}"
        raise UnsupportedError(message)
    if producer is None:
        producer = module.origin.producer if module.origin else DEFAULT_PRODUCER
    return BytecodeWriter(module, version).write(producer).buffers()


class Strings:
    """The strings of a file, numbered as they are written."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a string."""
        return self.numbers.setdefault(text, len(self.numbers))

    def section(self) -> ByteEmitter:
        """Encodes the string section: sizes in reverse order, then the characters."""
        raw = [text.encode("utf-8", "surrogateescape") for text in self.numbers]
        emitter = ByteEmitter()
        emitter.varint(len(raw))
        for block in reversed(raw):
            emitter.varint(len(block) + 1)
        for block in raw:
            emitter.data += block
            emitter.data.append(0)
        return emitter


class EntryEncoder:
    """Writes one entry; see ``entry_access.EntryWriter``."""

    def __init__(self, emitter: ByteEmitter, numbering: ModuleNumbering, strings: Strings) -> None:
        self.emitter = emitter
        self.numbering = numbering
        self.strings = strings

    def varint(self, value: int, /) -> None:
        """Writes an unsigned integer of variable length."""
        self.emitter.data += varint(value)

    def svarint(self, value: int, /) -> None:
        """Writes a signed integer of variable length."""
        self.emitter.data += varint(zigzag(value))

    def byte(self, value: int, /) -> None:
        """Writes a byte as it is, without the encoding of a varint."""
        self.emitter.data.append(value)

    def integer(self, value: int, width: int, /) -> None:
        """Writes the bits of an integer of a known width."""
        bits = value & ((1 << width) - 1)
        if width <= BYTE:
            self.byte(bits)
        elif width <= WORD:
            self.svarint(bits)
        else:
            words = words_of(bits)
            self.varint(len(words))
            for word in words:
                self.svarint(word)

    def blob(self, data: Callable[[], Any], /) -> None:
        """Writes raw bytes after their number."""
        raw = data()
        self.varint(len(raw))
        self.emitter.blob(raw)

    def string(self, value: str, /) -> None:
        """Writes the number of a string."""
        self.varint(self.strings.number(value))

    def attribute(self, value: Attribute, /) -> None:
        """Writes the number of an attribute."""
        self.varint(self.numbering.attributes.number(value))

    def text(self, value: str, /) -> None:
        """Writes the number of a string that is an attribute of its own."""
        self.varint(self.numbering.texts[value].number)

    def optional_attribute(self, value: Attribute | None, /) -> None:
        """Writes the number of an attribute with a flag, or zero."""
        self.varint(0 if value is None else self.numbering.attributes.number(value) << 1 | 1)

    def type(self, value: object, /) -> None:
        """Writes the number of a type."""
        self.varint(self.numbering.types.number(value))

    def resource(self, key: str, /) -> None:
        """Writes the number of a resource."""
        self.varint(self.numbering.resources[key])


class BytecodeWriter:
    """Writes one module."""

    def __init__(self, module: Module, version: int) -> None:
        captures = Captures(module.operation)
        self.module = module
        self.version = version
        self.orders: Mapping[Value, UseOrder] = {}
        if version >= SectionVersion.USE_ORDERS:
            self.orders = use_orders(module, captures)
        self.numbering = ModuleNumbering(module, version, captures)
        self.strings = Strings()
        self.property_numbers: dict[bytes, int] = {}
        self.block_numbers: dict[Block, int] = {}  # of the regions that have been begun

    def write(self, producer: str) -> ByteEmitter:
        """Encodes the module: header, producer and all sections."""
        emitter = ByteEmitter()
        emitter.data += MAGIC + varint(self.version)
        emitter.data += producer.encode("utf-8", "surrogateescape") + b"\0"
        emitter.section(SectionKind.DIALECTS, self.dialects())
        entries, offsets = self.entries()
        emitter.section(SectionKind.ENTRY_OFFSETS, offsets)
        emitter.section(SectionKind.ENTRIES, entries)
        emitter.section(SectionKind.IR, self.ir_section())
        resources, resource_offsets = write_resources(
            self.module, self.numbering, self.strings.number
        )
        emitter.section(SectionKind.RESOURCE_OFFSETS, resource_offsets)
        emitter.section(SectionKind.RESOURCES, resources)
        emitter.section(SectionKind.STRINGS, self.strings.section())
        if self.version >= SectionVersion.PROPERTIES:
            emitter.section(SectionKind.PROPERTIES, self.properties())
        return emitter

    # ---- sections before the IR

    def dialects(self) -> ByteEmitter:
        """Writes the dialects and the names of operations."""
        emitter, string = ByteEmitter(), self.strings.number
        origin = self.module.origin
        versions: Mapping[str, bytes] = origin.dialect_versions if origin else {}
        emitter.varint(len(self.numbering.dialects))
        for name in self.numbering.dialects:
            if self.version < SectionVersion.DIALECT_VERSIONS:
                emitter.varint(string(name))
                continue
            emitter.flagged_varint(string(name), name in versions)
            if name in versions:
                body = ByteEmitter()
                body.data += versions[name]
                emitter.section(SectionKind.DIALECT_VERSIONS, body)
        items = in_order_of_numbers(self.numbering.operations.values())
        if self.version >= SectionVersion.OPTIONAL_LOCATIONS:
            emitter.varint(len(items))

        def write_name(item: NumberedValue) -> None:
            number = string(item.value.partition(".")[2])
            if self.version < SectionVersion.PROPERTIES:
                emitter.varint(number)
            else:
                emitter.flagged_varint(number, item.value not in self.numbering.unregistered)

        write_groups(emitter, items, write_name)
        return emitter

    def entries(self) -> tuple[ByteEmitter, ByteEmitter]:
        """Writes the attributes and types, and the section of their offsets."""
        emitter, offsets = ByteEmitter(), ByteEmitter()
        tables = self.numbering.attributes, self.numbering.types
        for table in tables:
            offsets.varint(len(table.items))
        entry = EntryEncoder(emitter, self.numbering, self.strings)

        def write_entry(item: NumberedValue) -> None:
            start = emitter.size
            if item.row is not None:
                entry.varint(item.row.kind)
                item.row.write(entry, item.value)
            else:
                emitter.data += str(item.value).encode("utf-8", "surrogateescape") + b"\0"
            offsets.flagged_varint(emitter.size - start, item.row is not None)

        for table in tables:
            write_groups(offsets, in_order_of_numbers(table.items.values()), write_entry)
        return emitter, offsets

    def properties(self) -> ByteEmitter:
        """Encodes the section of properties: their number, then size and bytes of each."""
        emitter = ByteEmitter()
        emitter.varint(len(self.property_numbers))
        for property_number in self.property_numbers:
            emitter.varint(len(property_number))
            emitter.data += property_number
        return emitter

    # ---- the IR

    def ir_section(self) -> ByteEmitter:
        """Writes the IR section, which holds one operation."""
        emitter = ByteEmitter()
        emitter.flagged_varint(1, False)
        self.operation(emitter, self.module.operation)
        return emitter

    def operation(self, emitter: ByteEmitter, operation: Operation) -> None:
        """Encodes an operation: name, flags, location, operands, results, regions."""
        record, data, values = (
            self.numbering.records[operation],
            emitter.data,
            self.numbering.values,
        )
        orders = self.use_order_bytes(operation.results)
        mask = self.mask(operation, record) | (HAS_USE_ORDERS if orders else 0)
        data += varint(record.name.number)
        data.append(mask)
        data += varint(record.location.number)
        if record.attributes is not None:
            data += varint(record.attributes.number)
        if record.properties is not None:
            data += varint(self.property_number(record))
        if record.results:
            data += varint(len(record.results))
            for item in record.results:
                data += varint(item.number)
        if operation.operands:
            data += varint(len(operation.operands))
            for operand in operation.operands:
                data += varint(values[operand])
        if operation.successors:
            data += varint(len(operation.successors))
            for block in operation.successors:
                data += varint(self.block_numbers[block])
        data += orders
        if operation.regions:
            self.regions(emitter, operation)

    def mask(self, operation: Operation, record: Record) -> int:
        """Returns the encoding mask: which parts of an operation are written."""
        return (
            (HAS_ATTRIBUTES if record.attributes is not None else 0)
            | (HAS_PROPERTIES if record.properties is not None else 0)
            | (HAS_RESULTS if record.results else 0)
            | (HAS_OPERANDS if operation.operands else 0)
            | (HAS_SUCCESSORS if operation.successors else 0)
            | (HAS_REGIONS if operation.regions else 0)
        )

    def property_number(self, record: Record) -> int:
        """Returns the number of an operation's property entry; equal entries share one number."""
        assert record.properties is not None
        entry = bytearray()
        for item, is_required in record.properties:
            if is_required:
                entry += varint(item.number if item else 0)
            else:
                entry += varint(item.number << 1 | 1 if item else 0)
        for number in record.segments:
            entry += varint(number & MASK)
        return self.property_numbers.setdefault(bytes(entry), len(self.property_numbers))

    def use_order_bytes(self, values: Sequence[Value]) -> bytes:
        """Returns the encoded use-list orders of some values; empty if none needs an order."""
        listed = [(i, self.orders[v]) for i, v in enumerate(values) if v in self.orders]
        if not listed:
            return b""
        out = bytearray(varint(len(listed)) if len(values) > 1 else b"")
        for i, order in listed:
            out += varint(i) if len(values) > 1 else b""
            out += varint(len(order.numbers) << 1 | order.pairs)
            for number in order.numbers:
                out += varint(number)
        return bytes(out)

    def regions(self, emitter: ByteEmitter, operation: Operation) -> None:
        """Writes the regions of an operation; isolated ones in a section of their own."""
        is_isolated = operation not in self.numbering.open
        emitter.flagged_varint(len(operation.regions), is_isolated)
        nested = is_isolated and self.version >= SectionVersion.NESTED_SECTIONS
        inner = ByteEmitter() if nested else emitter
        for region in operation.regions:
            self.region(inner, region)
        if nested:
            emitter.section(SectionKind.IR, inner)

    def region(self, emitter: ByteEmitter, region: Region) -> None:
        """Encodes the blocks of a region."""
        emitter.varint(len(region.blocks))
        if region.blocks:
            emitter.varint(self.numbering.counts[region])
            self.block_numbers.update((block, i) for i, block in enumerate(region.blocks))
            for block in region.blocks:
                self.block(emitter, block)

    def block(self, emitter: ByteEmitter, block: Block) -> None:
        """Encodes the arguments and operations of a block."""
        emitter.flagged_varint(len(block.operations), bool(block.arguments))
        if block.arguments:
            self.arguments(emitter, block)
        for operation in block.operations:
            self.operation(emitter, operation)

    def arguments(self, emitter: ByteEmitter, block: Block) -> None:
        """Writes the types and locations of arguments, and the orders of their uses."""
        emitter.varint(len(block.arguments))
        for argument in block.arguments:
            number = self.numbering.types.number(argument.type)
            location = self.numbering.attributes.number(argument.location)
            if self.version < SectionVersion.OPTIONAL_LOCATIONS:
                emitter.varint(number)
                emitter.varint(location)
                continue
            is_known = argument.location != UNKNOWN
            emitter.flagged_varint(number, is_known)
            if is_known:
                emitter.varint(location)
        if self.version >= SectionVersion.USE_ORDERS:
            orders = self.use_order_bytes(block.arguments)
            emitter.data.append(HAS_USE_ORDERS if orders else 0)
            emitter.data += orders


def write_groups(
    emitter: ByteEmitter, items: Sequence[NumberedValue], write: Callable[[NumberedValue], None]
) -> None:
    """Writes items in groups, each of one dialect."""
    start = 0
    while start < len(items):
        dialect, end = items[start].dialect, start
        while end < len(items) and items[end].dialect == dialect:
            end += 1
        emitter.varint(dialect)
        emitter.varint(end - start)
        for item in items[start:end]:
            write(item)
        start = end

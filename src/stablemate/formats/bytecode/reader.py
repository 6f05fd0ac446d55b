"""Reads MLIR bytecode into a module.

Constants are not copied: a literal is a view of the buffer that is read, which may be a mapped
file.

Source: MLIR bytecode format, versions 0 to 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.dialects.registry import class_of
from stablemate.formats.bytecode.container import (
    BytecodeFile,
    DialectTable,
    SectionCursor,
    SectionKind,
    read_container,
    read_dialects,
    read_strings,
)
from stablemate.formats.bytecode.encodings.table import ENCODINGS, NO_ENCODING
from stablemate.formats.bytecode.entries import Entries, SectionTables, read_slots
from stablemate.formats.bytecode.operations import BytecodeOperationReader, KnownOperation
from stablemate.formats.bytecode.origins import FileOrigin
from stablemate.formats.bytecode.properties import Properties
from stablemate.formats.bytecode.resources import read_resources
from stablemate.formats.bytecode.rows import EntryFormat
from stablemate.formats.mlir.mhlo import translate_types
from stablemate.formats.mlir.parser import parse_attribute, parse_type, top_operation
from stablemate.ir.core import BytecodeOrigin, Module


def read_bytecode(data: Any, name: str = "<bytes>", limits: Limits = DEFAULT_LIMITS) -> Module:
    """Returns the module that a bytecode file holds.

    Args:
        data: The file: anything with the buffer protocol. The module's constants are views of it.
        name: Its name in messages.
        limits: The limits of reading.

    Raises:
        ParseError: The file breaks the format, or names something that does not exist.
        LimitError: It is nested too deeply, or too large once it is read.
    """
    origin = FileOrigin(Source("", name, binary=True), limits)
    view = memoryview(data).cast("B").toreadonly()
    container = read_container(view, origin)
    sections = container.sections
    strings = read_strings(sections[SectionKind.STRINGS])
    dialects = read_dialects(sections[SectionKind.DIALECTS], container.version, strings)
    tables = read_tables(container, strings, dialects)
    facts = BytecodeOrigin(
        container.version, container.producer, dialects.versions, dialects.unregistered
    )
    module = Module(top_operation([]), source=origin.source, origin=facts)
    if SectionKind.RESOURCE_OFFSETS in sections:
        empty = SectionCursor(origin, SectionKind.RESOURCES.title, b"", len(view))
        blobs = sections.get(SectionKind.RESOURCES, empty)
        offsets = sections[SectionKind.RESOURCE_OFFSETS]
        read_resources(offsets, blobs, len(dialects.names), tables, module)
    properties = Properties(sections.get(SectionKind.PROPERTIES), container.version, tables)
    facts.extended = properties.extended
    reader = operation_reader(sections[SectionKind.IR], tables, dialects, properties, facts)
    module.operation = top_operation(reader.read_module())
    if reader.translated:
        translate_types(module.operation)
        module.translated = reader.translated
    return module


def read_tables(
    container: BytecodeFile, strings: list[str], dialects: DialectTable
) -> SectionTables:
    """Locates the attributes and types of a file."""
    section = container.sections[SectionKind.ENTRIES]
    offsets = container.sections[SectionKind.ENTRY_OFFSETS]
    attributes, types = read_slots(offsets, section, dialects.names)
    return SectionTables(
        section.origin,
        strings,
        Entries("attribute", attributes, section, attribute_kinds, parse_attribute),
        Entries("type", types, section, type_kinds, parse_type),
    )


def attribute_kinds(dialect: str) -> Mapping[int, EntryFormat]:
    """Returns the kinds of attributes of a dialect."""
    return ENCODINGS.get(dialect, NO_ENCODING).attribute_kinds


def type_kinds(dialect: str) -> Mapping[int, EntryFormat]:
    """Returns the kinds of types of a dialect."""
    return ENCODINGS.get(dialect, NO_ENCODING).type_kinds


def operation_reader(
    section: SectionCursor,
    tables: SectionTables,
    dialects: DialectTable,
    properties: Properties,
    facts: BytecodeOrigin,
) -> BytecodeOperationReader:
    """Returns a reader of the IR section."""
    known_operations = [
        KnownOperation(name, class_of(name), name not in dialects.unregistered)
        for name in dialects.operations
    ]
    return BytecodeOperationReader(
        section.origin,
        bytes(section.data),
        section.start,
        tables,
        known_operations,
        properties,
        facts,
    )

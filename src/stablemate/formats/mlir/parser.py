"""Reads MLIR text into a module.

Source: MLIR language reference; the parser accepts the same texts as upstream's.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from itertools import chain
from typing import TypeVar

from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.registry import READABLE, class_of
from stablemate.formats.mlir.mhlo import translate_types
from stablemate.formats.mlir.operation_reader import OperationReader
from stablemate.formats.mlir.printer import print_module
from stablemate.formats.mlir.resources import read_resources
from stablemate.formats.mlir.tables import ATTRIBUTE_READERS, DIALECT_TYPES, SYNTAXES
from stablemate.ir.core import Block, Module, Operation, Region
from stablemate.ir.locations import FileLocation
from stablemate.ir.types import Attribute, Type
from stablemate.ir.verification.wrong_attributes import first_wrong_attribute

FoundT = TypeVar("FoundT")


def operation_reader(source: Source, limits: Limits) -> OperationReader:
    """Returns a reader at the beginning of a text, which knows all dialects."""
    return OperationReader(
        source, READABLE, class_of, SYNTAXES, ATTRIBUTE_READERS, DIALECT_TYPES, limits
    )


def parse_module(
    source: Source | str, limits: Limits = DEFAULT_LIMITS, *, text_locations: bool = False
) -> Module:
    """Returns the module that a text holds.

    Args:
        source: The text.
        limits: Bounds for untrusted input.
        text_locations: Whether what has no location gets its place in the text, as in MLIR.

    Raises:
        ParseError: The text breaks the grammar, or names something that does not exist.
        LimitError: It is nested too deeply.
    """
    source = Source(source) if isinstance(source, str) else source
    reader = operation_reader(source, limits)
    reader.locations.has_text_locations = text_locations
    try:
        return read_module(reader)
    except ParseError as error:
        wrong = first_wrong_attribute(chain.from_iterable(reader.unfinished))
        if wrong is not None:
            raise ParseError(wrong) from None
        raise error from None


def read_module(reader: OperationReader) -> Module:
    """Reads a module and the resources after it."""
    operations = read_top_level(reader)
    module = Module(top_operation(operations), source=reader.source)
    if reader.locations.has_text_locations and module.operation not in operations:
        module.operation.location = FileLocation(reader.source.name, 0)
    if reader.at("{-#"):
        read_resources(reader, module)
    if reader.kind != "end":
        reader.reject_unexpected("an operation or the end of the text")
    reader.reject_undefined()
    if reader.translated:
        translate_types(module.operation)
        module.translated = reader.translated
    return module


def parse_types(source: Source | str, limits: Limits = DEFAULT_LIMITS) -> list[Type]:
    """Returns the types that a text lists, separated by commas; none if it is empty.

    Raises:
        ParseError: It is no list of types.
        LimitError: A type is nested too deeply.
    """
    source = Source(source) if isinstance(source, str) else source
    reader = operation_reader(source, limits)
    types: list[Type] = []
    while reader.kind != "end":
        types.append(reader.type())
        if reader.kind != "end":
            reader.expect(",")
            if reader.kind == "end":
                reader.reject_unexpected("a type")
    return types


def parse_type(source: Source | str, limits: Limits = DEFAULT_LIMITS) -> Type:
    """Returns the type that a text holds.

    Raises:
        ParseError: It holds something else.
        LimitError: It is nested too deeply.
    """
    return parse_whole(source, limits, OperationReader.type, "type")


def parse_attribute(source: Source | str, limits: Limits = DEFAULT_LIMITS) -> Attribute:
    """Returns the attribute that a text holds.

    Raises:
        ParseError: It holds something else.
        LimitError: It is nested too deeply.
    """
    return parse_whole(source, limits, OperationReader.attribute, "attribute")


def parse_whole(
    source: Source | str, limits: Limits, read: Callable[[OperationReader], FoundT], noun: str
) -> FoundT:
    """Reads one item, and rejects any text after it."""
    reader = operation_reader(Source(source) if isinstance(source, str) else source, limits)
    value = read(reader)
    if reader.kind != "end":
        reader.reject_unexpected(f"the end of the {noun}")
    return value


def read_top_level(reader: OperationReader) -> list[Operation]:
    """Reads aliases and operations in any order."""
    operations: list[Operation] = []
    reader.unfinished.append(operations)
    while True:
        if reader.kind == "hash":
            read_attribute_alias(reader)
        elif reader.kind == "bang":
            read_type_alias(reader)
        elif reader.kind in ("value", "bare", "string"):
            operations.append(reader.operation())
        else:
            return operations


def read_attribute_alias(reader: OperationReader) -> None:
    """Reads ``#name = attribute``."""
    name = read_alias_name(reader, reader.attribute_aliases)
    if reader.at("loc"):
        location = reader.alias_extents.define(name, reader.locations.read_loc)
        reader.locations.location_aliases.setdefault(name, location)
    else:
        reader.attribute_aliases[name] = reader.alias_extents.define(name, reader.attribute)


def read_alias_name(reader: OperationReader, defined: Container[str]) -> str:
    """Reads ``#name =``."""
    name = reader.token
    if "." in name:
        reader.error("the name of an alias has no dot")
    if name in defined:
        reader.error(f"'{name}' is defined already")
    reader.advance()
    reader.expect("=")
    return name


def read_type_alias(reader: OperationReader) -> None:
    """Reads ``!name = type``."""
    name = read_alias_name(reader, reader.type_aliases)
    reader.type_aliases[name] = reader.alias_extents.define(name, reader.type)


def top_operation(operations: list[Operation]) -> Operation:
    """Returns the only module of a text, or a module around its operations."""
    if len(operations) == 1 and isinstance(operations[0], ModuleOp):
        return operations[0]
    block = Block()
    for operation in operations:
        block.append(operation)
    return ModuleOp(regions=[Region([block])])


def module_text(
    module: Module, *, generic: bool = False, debug_info: bool = False, elide: int | None = None
) -> str:
    """Returns the text of a module; reading it yields an equal module.

    Args:
        module: The module.
        generic: Whether to write the generic form.
        debug_info: Whether to write locations.
        elide: Literals with more elements than this are left out; the text cannot be read again.
    """
    return print_module(module, SYNTAXES, generic=generic, debug_info=debug_info, elide=elide)

"""Directives of modules and functions, whose regions are part of their syntax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    StringAttribute,
    TypeAttribute,
    attribute_as,
    identifier,
    optional_attribute_as,
)
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.locations import Location
from stablemate.ir.types import Attribute, FunctionType, Type

NO_ATTRIBUTES: Final[Mapping[str, Attribute]] = {}
VISIBILITIES: Final = ("public", "private", "nested")


class ModuleDirective(Directive):
    """``module @name attributes {...} { ... }``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads name, attributes and body."""
        if reader.kind == "symbol":
            start = reader.start
            state.attributes["sym_name"] = StringAttribute(reader.symbol())
            state.parts["sym_name"] = (start, reader.previous_end)
        if reader.accept("attributes"):
            reader.trailing_attributes(state, "replace")
        region = reader.region(isolated=True, graph=True, default_dialect="builtin")
        if not region.blocks:
            region.append(Block())
        state.regions = [region]

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes name, attributes and body."""
        name = optional_attribute_as(operation.attributes, "sym_name", StringAttribute)
        if name is not None:
            printer.write(f" @{identifier(name.value)}")
        printer.attribute_dictionary(operation, ("sym_name",), " attributes")
        printer.write(" ")
        printer.region(operation.regions[0], entry_label=False, default_dialect="builtin")


class FunctionDirective(Directive):
    """``func.func public @name(%arg0: T {...}) -> (T {...}) attributes {...} { ... }``."""

    HIDDEN: Final = ("sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the signature, and the body if there is one."""
        if reader.token in VISIBILITIES:
            state.attributes["sym_visibility"] = StringAttribute(reader.keyword("a visibility"))
        start = reader.start
        state.attributes["sym_name"] = StringAttribute(reader.symbol())
        state.parts["sym_name"] = (start, reader.previous_end)
        types: list[Type] = []
        attributes: list[dict[str, Attribute]] = []
        start = reader.start
        named: list[bool] = []
        arguments = reader.read_enclosed(
            "(", lambda: self.argument(reader, types, attributes, named)
        )
        results: list[Type] = []
        result_attributes: list[dict[str, Attribute]] = []
        if reader.accept("->"):
            self.results(reader, results, result_attributes)
        function_type = FunctionType(tuple(types), tuple(results))
        state.attributes["function_type"] = TypeAttribute(function_type)
        state.parts["function_type"] = (start, reader.previous_end)
        self.store(state, "arg_attrs", attributes)
        self.store(state, "res_attrs", result_attributes)
        self.further_attributes(reader, state)
        if not reader.at("{"):
            state.regions = [Region()]
            return
        given = [argument for argument in arguments if argument is not None]
        if len(given) != len(types):
            reader.error("a function with a body names its arguments", state.parts["function_type"])
        opening = (reader.start, reader.end)
        region = reader.region(given, isolated=True, default_dialect="func")
        if not any(block.operations for block in region.blocks):
            reader.error("the body of a function has at least one operation, its return", opening)
        state.regions = [region]

    def further_attributes(self, reader: OperationReader, state: OperationState) -> None:
        """Reads ``attributes {...}``, which must not repeat what the signature contains."""
        if not reader.accept("attributes"):
            return
        declared, start = dict(state.attributes), reader.start
        state.attributes = {}
        reader.trailing_attributes(state)
        for name in self.HIDDEN:
            if name in state.attributes:
                reader.error(
                    f"'{name}' is given by the signature", state.parts.get(name, (start, start))
                )
        state.attributes = {**declared, **state.attributes}

    def argument(
        self,
        reader: OperationReader,
        types: list[Type],
        attributes: list[dict[str, Attribute]],
        named: list[bool],
    ) -> tuple[str, Type, Location, tuple[int, int]] | None:
        """Reads ``%arg0: T {...} loc(...)``, or ``T {...}`` in a declaration.

        Either all arguments have names or none; ``named`` grows by whether this one has.
        """
        place = (reader.start, reader.end)
        name = ""
        named.append(reader.kind == "value")
        if named[-1] != named[0]:
            wanted = "the name of an argument" if named[0] else "a type instead of a name"
            reader.error(f"expected {wanted}, found {reader.found}")
        if named[-1]:
            name = reader.token
            if "#" in name:
                reader.error("the name of an argument has no number of a result")
            reader.advance()
            reader.expect(":")
        argument_type = reader.type()
        types.append(argument_type)
        attributes.append(reader.optional_dictionary({}))
        location = reader.locations.optional_location(place)
        return (name, argument_type, location, place) if name else None

    def results(
        self, reader: OperationReader, types: list[Type], attributes: list[dict[str, Attribute]]
    ) -> None:
        """Reads ``T`` or ``(T {...}, T)``."""
        if not reader.at("("):
            types.append(reader.type())
            attributes.append({})
            return

        def result() -> None:
            types.append(reader.type())
            attributes.append(reader.optional_dictionary({}))

        reader.read_enclosed("(", result)

    def store(
        self, state: OperationState, name: str, attributes: Sequence[Mapping[str, Attribute]]
    ) -> None:
        """Stores the attributes of arguments or results if there are any."""
        if any(attributes):
            entries = tuple(DictionaryAttribute(attribute) for attribute in attributes)
            state.attributes[name] = ArrayAttribute(entries)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the signature and the body."""
        attributes = operation.attributes
        visibility = optional_attribute_as(attributes, "sym_visibility", StringAttribute)
        if visibility is not None:
            printer.write(f" {visibility.value}")
        function_type = attribute_as(attributes, "function_type", TypeAttribute).type
        if not isinstance(function_type, FunctionType):
            raise TypeError(f"{function_type} is no type of a function")
        region = operation.regions[0]
        arguments = self.argument_texts(printer, operation, region, function_type)
        name = attribute_as(attributes, "sym_name", StringAttribute).value
        printer.write(f" @{identifier(name)}({', '.join(arguments)})")
        printer.write(self.result_text(printer, operation, function_type))
        printer.attribute_dictionary(operation, self.HIDDEN, " attributes")
        if region.blocks:
            printer.write(" ")
            printer.region(region, entry_label=False, default_dialect="func")

    def argument_texts(
        self,
        printer: MlirPrinter,
        operation: Operation,
        region: Region,
        function_type: FunctionType,
    ) -> list[str]:
        """``%arg0: T {...}`` of each argument; without names in a declaration."""
        types = function_type.inputs
        dictionaries = dictionaries_of(operation, "arg_attrs", len(types))
        values = region.block.arguments if region.blocks else (None,) * len(types)
        texts: list[str] = []
        for value, value_type, entries in zip(values, types, dictionaries, strict=True):
            text = printer.dictionary if value is None else printer.value_dictionary
            shown = f" {text(entries)}" if entries else ""
            if value is None:
                texts.append(f"{value_type}{shown}")
            else:
                where = printer.argument_location(value)
                texts.append(f"{printer.name(value)}: {value_type}{shown}{where}")
        return texts

    def result_text(
        self, printer: MlirPrinter, operation: Operation, function_type: FunctionType
    ) -> str:
        """`` -> T`` or `` -> (T {...}, T)``."""
        types = function_type.results
        if not types:
            return ""
        dictionaries = dictionaries_of(operation, "res_attrs", len(types))
        texts = [
            f"{value_type} {printer.dictionary(entries)}" if entries else str(value_type)
            for value_type, entries in zip(types, dictionaries, strict=True)
        ]
        if len(types) == 1 and not dictionaries[0] and not isinstance(types[0], FunctionType):
            return f" -> {texts[0]}"
        return f" -> ({', '.join(texts)})"


def dictionaries_of(
    operation: Operation, name: str, count: int
) -> Sequence[Mapping[str, Attribute]]:
    """Returns the attributes of each argument or result."""
    stored = operation.attributes.get(name)
    if not isinstance(stored, ArrayAttribute):
        return [NO_ATTRIBUTES] * count
    return [
        item.entries if isinstance(item, DictionaryAttribute) else NO_ATTRIBUTES
        for item in stored.items
    ]


DIRECTIVES: Final[dict[str, Directive]] = {
    "Module": ModuleDirective(),
    "Function": FunctionDirective(),
}

"""Directives of scf: loops and branches with regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, cast

from stablemate.dialects.parse_only.scf import Yield
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.operand_types import check_operand_types
from stablemate.formats.mlir.directives.shapes import write_region
from stablemate.formats.mlir.forward_references import has_type
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import UNIT, DenseArrayAttribute
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.locations import UNKNOWN
from stablemate.ir.types import Type
from stablemate.numerics.elements import BOOLEAN, I64, INDEX

Place: TypeAlias = tuple[int, int]
Binding: TypeAlias = tuple[str, Place]


def read_bindings(reader: OperationReader, state: OperationState, field: str) -> list[Binding]:
    """Reads ``(%arg = %init, ...)``: names of arguments, operands of a field."""

    def binding() -> Binding:
        place = (reader.start, reader.end)
        name = reader.take("value", "a name such as %arg0")
        reader.expect("=")
        reader.operand_into(state, field)
        return name, place

    return reader.read_enclosed("(", binding)


def read_arrow_types(reader: OperationReader, state: OperationState) -> tuple[Type, ...]:
    """Reads ``-> (T, T)`` or ``-> T`` as the types of the results."""
    start = reader.start
    reader.expect("->")
    state.result_types = reader.type_list()
    state.parts["types"] = (start, reader.previous_end)
    return tuple(state.result_types)


def check_types(
    reader: OperationReader, state: OperationState, field: str, types: Sequence[Type]
) -> None:
    """Rejects operands of a field that have other types."""
    values = state.operands[field]
    place = state.parts.get("types", (reader.start, reader.end))
    if len(values) != len(types):
        reader.error(f"{len(values)} values, but {len(types)} types", place)
    for value, declared in zip(values, types, strict=True):
        if not has_type(value, declared):
            reader.error(f"the operand has type {value.type}, not {declared}", place)


def arguments_of(
    bindings: Sequence[Binding], types: Sequence[Type]
) -> list[tuple[str, Type, Any, Place]]:
    """The arguments of a region."""
    return [
        (name, argument_type, UNKNOWN, place)
        for (name, place), argument_type in zip(bindings, types, strict=True)
    ]


def with_yield(region: Region) -> Region:
    """A region whose blocks end with a terminator: ``scf.yield`` if the text has none."""
    if not region.blocks:
        region.append(Block())
    for block in region.blocks:
        if not block.operations or not block.terminator.definition.terminator:
            block.append(Yield())
    return region


def result_types_text(printer: MlirPrinter, operation: Operation) -> str:
    """`` -> (T, T)``, or nothing without results."""
    types = printer.types(value.type for value in operation.results)
    return f" -> ({types})" if types else ""


def short_result_types(printer: MlirPrinter, operation: Operation) -> str:
    """`` -> T`` or `` -> (T, T)``, or nothing without results."""
    if len(operation.results) != 1:
        return result_types_text(printer, operation)
    return f" -> {operation.results[0].type}"


class ForLoop(Directive):
    """``%i = %a to %b step %s iter_args(%acc = %x) -> (T) : i32 { ... } {...}``."""

    attributes = ("unsignedCmp",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads bounds, carried values, the region and attributes."""
        if reader.accept("unsigned"):
            state.attributes["unsignedCmp"] = UNIT
        counter = ((reader.start, reader.end), reader.take("value", "a name such as %i"))
        for word, field in (("=", "lowerBound"), ("to", "upperBound"), ("step", "step")):
            reader.expect(word)
            reader.operand_into(state, field)
        state.operands["initArgs"] = []
        bindings: list[Binding] = []
        if reader.accept("iter_args"):
            bindings = read_bindings(reader, state, "initArgs")
            read_arrow_types(reader, state)
        counter_type: Type = reader.type() if reader.accept(":") else INDEX
        for field in ("lowerBound", "upperBound", "step"):
            check_types(reader, state, field, [counter_type])
        check_types(reader, state, "initArgs", state.result_types)
        arguments = arguments_of(
            [(counter[1], counter[0]), *bindings], [counter_type, *state.result_types]
        )
        region = reader.region(arguments)
        state.regions = [with_yield(region)]
        reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes bounds, carried values, the region and attributes."""
        loop = cast(Any, operation)
        counter, *arguments = operation.regions[0].block.arguments
        lower, upper, step = (printer.name(value) for value in operation.operands[:3])
        word = " unsigned" if loop.unsignedCmp else ""
        printer.write(f"{word} {printer.name(counter)} = {lower} to {upper} step {step}")
        if arguments:
            pairs = zip(arguments, loop.initArgs, strict=True)
            carried = ", ".join(f"{printer.name(a)} = {printer.name(b)}" for a, b in pairs)
            printer.write(f" iter_args({carried}){result_types_text(printer, operation)} ")
        if counter.type != INDEX:
            printer.write(f" : {counter.type}")
        printer.write(" " if not arguments or counter.type != INDEX else "")
        write_region(printer, operation.regions[0], always=bool(arguments))
        printer.attribute_dictionary(operation, self.attributes)


class Conditional(Directive):
    """``%c -> (T) { ... } else { ... } {...}``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the condition, types of the results, regions and attributes."""
        reader.operand_into(state, "condition")
        check_operand_types(reader, state, [BOOLEAN])
        if reader.at("->"):
            read_arrow_types(reader, state)
        state.regions = [with_yield(reader.region())]
        state.regions.append(with_yield(reader.region()) if reader.accept("else") else Region())
        reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the condition, types of the results, regions and attributes."""
        then, otherwise = operation.regions
        printer.write(f" {printer.name(operation.operands[0])}")
        printer.write(f"{result_types_text(printer, operation)} ")
        write_region(printer, then, always=bool(operation.results))
        if otherwise.blocks:
            printer.write(" else ")
            write_region(printer, otherwise, always=bool(operation.results))
        printer.attribute_dictionary(operation)


class WhileLoop(Directive):
    """``(%x = %a) : (T) -> R { ... } do { ... } attributes {...}``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads initial values, types, regions and attributes."""
        state.operands["inits"] = []
        bindings = read_bindings(reader, state, "inits") if reader.at("(") else []
        reader.expect(":")
        declared = reader.function_type_of(state, state.operand_list())
        state.result_types = declared.results
        before = reader.region(arguments_of(bindings, declared.inputs))
        reader.expect("do")
        state.regions = [before, with_yield(reader.region())]
        if reader.accept("attributes"):
            reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes initial values, types, regions and attributes."""
        before, after = operation.regions
        pairs = zip(before.block.arguments, operation.operands, strict=True)
        bindings = ", ".join(f"{printer.name(a)} = {printer.name(b)}" for a, b in pairs)
        printer.write(f" ({bindings})" if bindings else "")
        printer.write(f" : {printer.function_type(operation)} ")
        printer.region(before, entry_label=False)
        printer.write(" do ")
        printer.region(after)
        printer.attribute_dictionary(operation, (), " attributes")


class LoopCondition(Directive):
    """``(%c) {...} %a, %b : T, T``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the condition, attributes and values."""
        reader.expect("(")
        reader.operand_into(state, "condition")
        reader.expect(")")
        reader.trailing_attributes(state)
        state.operands["args"] = []
        types: list[Type] = [BOOLEAN]
        if reader.kind == "value":
            reader.operand_into(state, "args")
            while reader.accept(","):
                reader.operand_into(state, "args")
            reader.expect(":")
            start = reader.start
            types.append(reader.type())
            while reader.accept(","):
                types.append(reader.type())
            place = (start, reader.previous_end)
            if len(types) != len(state.places):
                message = f"{len(state.places) - 1} operands, but {len(types) - 1} types"
                reader.error(message, place)
        check_operand_types(reader, state, types)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the condition, attributes and values."""
        condition, *values = operation.operands
        printer.write(f"({printer.name(condition)})")
        printer.attribute_dictionary(operation)
        if values:
            types = printer.types(value.type for value in values)
            printer.write(f" {printer.values(values)} : {types}")


class ExecutedRegion(Directive):
    """``no_inline -> T { ... } {...}``."""

    attributes = ("no_inline",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads types of the results, the region and attributes."""
        if reader.at("->"):
            read_arrow_types(reader, state)
        if reader.accept("no_inline"):
            state.attributes["no_inline"] = UNIT
        state.regions = [reader.region()]
        reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes types of the results, the region and attributes."""
        printer.write(f"{short_result_types(printer, operation)} ")
        if cast(Any, operation).no_inline:
            printer.write("no_inline ")
        printer.region(operation.regions[0])
        printer.attribute_dictionary(operation, self.attributes)


class IndexCases(Directive):
    """``%n {...} -> T case 2 { ... } default { ... }``, a line for each region."""

    attributes = ("cases",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the number, attributes, types of the results and regions."""
        reader.operand_into(state, "arg")
        check_operand_types(reader, state, [INDEX])
        reader.trailing_attributes(state)
        if reader.at("->"):
            read_arrow_types(reader, state)
        numbers: list[int] = []
        regions: list[Region] = []
        while reader.accept("case"):
            numbers.append(reader.integer_or_boolean())
            regions.append(with_yield(reader.region()))
        reader.expect("default")
        state.regions = [with_yield(reader.region()), *regions]
        state.attributes["cases"] = DenseArrayAttribute(I64, tuple(numbers))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the number, attributes, types of the results and regions."""
        default, *regions = operation.regions
        printer.write(f" {printer.name(operation.operands[0])}")
        printer.attribute_dictionary(operation, self.attributes)
        printer.write(f"{short_result_types(printer, operation)} ")
        always = bool(operation.results)
        for number, region in zip(cast(Any, operation).cases, regions, strict=True):
            printer.write(f"\n{printer.indentation}case {number} ")
            write_region(printer, region, always=always)
        printer.write(f"\n{printer.indentation}default ")
        write_region(printer, default, always=always)


DIRECTIVES: Final[dict[str, Directive]] = {
    "ForLoop": ForLoop(),
    "Conditional": Conditional(),
    "WhileLoop": WhileLoop(),
    "LoopCondition": LoopCondition(),
    "ExecutedRegion": ExecutedRegion(),
    "IndexCases": IndexCases(),
}

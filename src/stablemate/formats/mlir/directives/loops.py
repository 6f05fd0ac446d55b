"""The directive of while, whose regions are part of its syntax."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.forward_references import has_type
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import LossyFormError, MlirPrinter
from stablemate.ir.core import Operation
from stablemate.ir.types import Type


class WhileDirective(Directive):
    """``(%iterArg = %init) : T attributes {...} cond { ... } do { ... }``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the state, its types, and the two regions."""
        field = state.definition.operands[0].name
        state.operands[field] = []
        names: list[tuple[str, tuple[int, int]]] = []

        def binding() -> None:
            place = (reader.start, reader.end)
            name = reader.take("value", "a name such as %iterArg").removesuffix("#0")
            names.append((name, place))
            reader.expect("=")
            reader.operand_into(state, field)

        reader.expect("(")
        while not reader.accept(")"):
            binding()
            if not reader.at(")"):
                reader.expect(",", "',' or ')'")  # one may follow the last of them, too
        types = self.types(reader, state) if reader.accept(":") else []
        if len(types) != len(names):
            place = (state.places or [(reader.start, reader.end)])[0]
            reader.error(f"{len(names)} values, but {len(types)} types", place)
        state.result_types = tuple(types)
        if reader.accept("attributes"):
            reader.trailing_attributes(state)
        arguments = [
            (name, value_type, reader.locations.text_location(place[0]), place)
            for (name, place), value_type in zip(names, types, strict=True)
        ]
        reader.expect("cond")
        condition = reader.region(arguments)
        reader.expect("do")
        state.regions = [condition, reader.region(arguments)]

    def types(self, reader: OperationReader, state: OperationState) -> list[Type]:
        """Reads the types and compares them with the operands."""
        start = reader.start
        types = reader.types()
        state.parts["types"] = (start, reader.previous_end)
        for value, value_type, place in zip(
            state.operand_list(), types, state.places, strict=False
        ):
            if not has_type(value, value_type):
                name = reader.text[place[0] : place[1]]
                reader.error(f"{name} has type {value.type}, not {value_type}", place)
        return types

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes state, types and regions.

        Raises:
            LossyFormError: Arguments of a region or results have other types than the operands.
        """
        condition, body = operation.regions
        types = [operand.type for operand in operation.operands]
        for others in (condition.block.arguments, body.block.arguments, operation.results):
            if [value.type for value in others] != types:
                raise LossyFormError("one type stands for operands, arguments and results")
        names = [printer.name(argument) for argument in condition.block.arguments]
        values = [printer.name(operand) for operand in operation.operands]
        bindings = ", ".join(f"{a} = {b}" for a, b in zip(names, values, strict=True))
        printer.write(f"({bindings})")
        if values:
            printer.write(f" : {printer.types(types)}")
        printer.attribute_dictionary(operation, (), " attributes")
        printer.write(f"\n{printer.indentation}cond ")
        printer.region(condition, entry_label=False)
        printer.write(" do ")
        for ours, theirs in zip(body.block.arguments, condition.block.arguments, strict=True):
            printer.names[ours] = printer.names[theirs]
        printer.region(body, entry_label=False)


DIRECTIVES: Final[dict[str, Directive]] = {"While": WhileDirective()}

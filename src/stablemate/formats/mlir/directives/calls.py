"""Directives of calls: callee and operands."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.operand_types import check_operand_types
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    StringAttribute,
    attribute_as,
    identifier,
    quote,
)
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import FunctionType, Type


def read_enclosed_operands(
    reader: OperationReader, state: OperationState, name: str
) -> list[Value[Type]]:
    """Reads ``(%a, %b)`` as the operands of a field."""
    state.operands[name] = []
    reader.read_enclosed("(", lambda: reader.operand_into(state, name))
    return state.operands[name]


class CustomCallTarget(Directive):
    """``@target(%a, %b)``."""

    attributes = ("call_target_name",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``@target(operands)``."""
        start = reader.start
        state.attributes["call_target_name"] = StringAttribute(reader.symbol())
        state.parts["call_target_name"] = (start, reader.previous_end)
        read_enclosed_operands(reader, state, state.definition.operands[0].name)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``@target(operands)``."""
        target = attribute_as(operation.attributes, "call_target_name", StringAttribute)
        printer.write(f" @{identifier(target.value)}({printer.values(operation.operands)})")


class Callee(Directive):
    """``@function(%a, %b)``."""

    attributes = ("callee",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``@callee(operands)``."""
        start = reader.start
        state.attributes["callee"] = reader.symbol_reference()
        state.parts["callee"] = (start, reader.previous_end)
        read_enclosed_operands(reader, state, state.definition.operands[0].name)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``@callee(operands)``."""
        printer.write(f" {operation.attributes['callee']}({printer.values(operation.operands)})")


class IndirectCallee(Directive):
    """``%function(%a, %b)``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``%callee(operands)``."""
        callee, inputs = (field.name for field in state.definition.operands)
        reader.operand_into(state, callee)
        read_enclosed_operands(reader, state, inputs)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``%callee(operands)``."""
        callee, *inputs = operation.operands
        printer.write(f" {printer.values([callee])}({printer.values(inputs)})")


class CalleeType(Directive):
    """The type of the callee, which says what the operands and the results are."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the callee's function type."""
        start = reader.start
        callee_type = reader.type()
        state.parts["types"] = start, reader.previous_end
        if not isinstance(callee_type, FunctionType):
            reader.error("expected the type of a function", state.parts["types"])
        types = [callee_type, *callee_type.inputs]
        if len(types) != len(state.places):
            message = f"{len(state.places) - 1} operands, but {len(types) - 1} types"
            reader.error(message, state.parts["types"])
        check_operand_types(reader, state, types)
        state.result_types = callee_type.results

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the callee's function type."""
        printer.write(f" {printer.types([operation.operands[0].type])}")


class CompositeName(Directive):
    """``"ns.op" %a, %b``: the name and the operands."""

    attributes = ("name",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``"name" operands``: the name of the composite in quotes."""
        start = reader.start
        state.attributes["name"] = StringAttribute(reader.string("the name of the composite"))
        state.parts["name"] = (start, reader.previous_end)
        field = state.definition.operands[0].name
        state.operands[field] = []
        if reader.kind == "value":
            reader.operand_into(state, field)
            while reader.accept(","):
                reader.operand_into(state, field)
        if reader.accept("("):
            state.regions = reader.read_separated(lambda: reader.generic_region(state), ")")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``"name" operands``: the name of the composite in quotes."""
        name = attribute_as(operation.attributes, "name", StringAttribute)
        # Upstream writes the space before operands also where there are none.
        printer.write(f" {quote(name.value)} {printer.values(operation.operands)}")
        if operation.regions:
            printer.write(" (")
            for i, region in enumerate(operation.regions):
                printer.write(", " if i else "")
                printer.region(region)
            printer.write(")")


DIRECTIVES: Final[dict[str, Directive]] = {
    "CustomCallTarget": CustomCallTarget(),
    "IndirectCallee": IndirectCallee(),
    "Callee": Callee(),
    "CalleeType": CalleeType(),
    "Composite": CompositeName(),
}

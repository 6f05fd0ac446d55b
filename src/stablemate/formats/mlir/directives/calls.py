"""Directives of calls: callee and operands."""

from __future__ import annotations

from typing import Any, Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import Printer
from stablemate.ir.attributes import (
    StringAttribute,
    identifier,
    quoted,
)
from stablemate.ir.core import Operation, Value


def read_enclosed_operands(
    reader: OperationReader, state: OperationState, name: str
) -> list[Value[Any]]:
    """Reads ``(%a, %b)`` as the operands of a field."""
    state.operands[name] = []
    reader.enclosed("(", lambda: reader.operand_into(state, name))
    return state.operands[name]


class CustomCallTarget(Directive):
    """``@target(%a, %b)``."""

    attributes = ("call_target_name",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads target and operands."""
        start = reader.start
        state.attributes["call_target_name"] = StringAttribute(reader.symbol())
        state.parts["call_target_name"] = (start, reader.previous_end)
        read_enclosed_operands(reader, state, state.definition.operands[0].name)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes target and operands."""
        target: Any = operation.attributes["call_target_name"]
        printer.write(f" @{identifier(target.value)}({printer.values(operation.operands)})")


class Callee(Directive):
    """``@function(%a, %b)``."""

    attributes = ("callee",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads callee and operands."""
        start = reader.start
        state.attributes["callee"] = reader.symbol_reference()
        state.parts["callee"] = (start, reader.previous_end)
        read_enclosed_operands(reader, state, state.definition.operands[0].name)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes callee and operands."""
        printer.write(f" {operation.attributes['callee']}({printer.values(operation.operands)})")


class CompositeName(Directive):
    """``"ns.op" %a, %b``: the name and the operands."""

    attributes = ("name",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads name and operands."""
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
            state.regions = reader.separated(lambda: reader.generic_region(state), ")")

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes name and operands."""
        name: Any = operation.attributes["name"]
        # Upstream writes the space before operands also where there are none.
        printer.write(f" {quoted(name.value)} {printer.values(operation.operands)}")
        if operation.regions:
            printer.write(" (")
            for i, region in enumerate(operation.regions):
                printer.write(", " if i else "")
                printer.region(region)
            printer.write(")")


DIRECTIVES: Final[dict[str, Directive]] = {
    "CustomCallTarget": CustomCallTarget(),
    "Callee": Callee(),
    "Composite": CompositeName(),
}

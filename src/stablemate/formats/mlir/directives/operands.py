"""Directives that write operands together with their types."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.operand_types import OptionalTypes, check_operand_types
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.core import Operation


class BarrierOperands(Directive):
    """``%a, %b : T, T``, or ``()`` without operands; the results have the same types."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``%a, %b : T, U``, or ``()`` for none."""
        state.operands["operand"] = []
        if reader.accept("("):
            reader.expect(")")
            return
        reader.operand_into(state, "operand")
        while reader.accept(","):
            reader.operand_into(state, "operand")
        reader.expect(":")
        start = reader.start
        types = reader.types()
        state.parts["types"] = (start, reader.previous_end)
        if len(types) != len(state.places):
            reader.error(
                f"{len(state.places)} operands, but {len(types)} types", state.parts["types"]
            )
        check_operand_types(reader, state, types)
        state.result_types = tuple(types)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``%a, %b : T, U``, or ``()`` for none."""
        if not operation.operands:
            printer.write("()")
            return
        values = operation.operands
        printer.write(f" {printer.values(values)} : {printer.types(v.type for v in values)}")


class CastDirective(Directive):
    """``%a, %b : T, T to R``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``%a, %b : T, U to V, W``."""
        state.operands["inputs"] = []
        if reader.kind == "value":
            reader.operand_into(state, "inputs")
            while reader.accept(","):
                reader.operand_into(state, "inputs")
            OptionalTypes().read(reader, state)
        reader.expect("to")
        types = reader.types()
        state.result_types = tuple(types)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``%a, %b : T, U to V, W``."""
        if operation.operands:
            printer.write(f" {printer.values(operation.operands)}")
        OptionalTypes().write(printer, operation)
        printer.write(f" to {printer.types(value.type for value in operation.results)}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "BarrierOperands": BarrierOperands(),
    "UnrealizedConversionCast": CastDirective(),
}

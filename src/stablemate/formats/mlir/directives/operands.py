"""Directives that write operands together with their types."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.operand_types import OptionalTypes, refuse_other_types
from stablemate.formats.mlir.operation_reader import Draft, OperationReader
from stablemate.formats.mlir.printer import Printer
from stablemate.ir.core import Operation


class BarrierOperands(Directive):
    """``%a, %b : T, T``, or ``()`` without operands; the results have the same types."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads operands and types."""
        draft.operands["operand"] = []
        if reader.accept("("):
            reader.expect(")")
            return
        reader.operand_into(draft, "operand")
        while reader.accept(","):
            reader.operand_into(draft, "operand")
        reader.expect(":")
        start = reader.start
        types = [reader.type()]
        while reader.accept(","):
            types.append(reader.type())
        draft.parts["types"] = (start, reader.previous_end)
        if len(types) != len(draft.places):
            reader.error(
                f"{len(draft.places)} operands, but {len(types)} types", draft.parts["types"]
            )
        refuse_other_types(reader, draft, types)
        draft.result_types = tuple(types)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes operands and types."""
        if not operation.operands:
            printer.write("()")
            return
        values = operation.operands
        printer.write(f" {printer.values(values)} : {printer.types(v.type for v in values)}")


class UnrealizedConversionCast(Directive):
    """``%a, %b : T, T to R``."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads operands and types."""
        draft.operands["inputs"] = []
        if reader.kind == "value":
            reader.operand_into(draft, "inputs")
            while reader.accept(","):
                reader.operand_into(draft, "inputs")
            OptionalTypes().read(reader, draft)
        reader.expect("to")
        types = [reader.type()]
        while reader.accept(","):
            types.append(reader.type())
        draft.result_types = tuple(types)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes operands and types."""
        if operation.operands:
            printer.write(f" {printer.values(operation.operands)}")
        OptionalTypes().write(printer, operation)
        printer.write(f" to {printer.types(value.type for value in operation.results)}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "BarrierOperands": BarrierOperands(),
    "UnrealizedConversionCast": UnrealizedConversionCast(),
}

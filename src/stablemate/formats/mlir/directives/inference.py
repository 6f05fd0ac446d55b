"""Directives for results whose types are inferred from operands and attributes."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.operand_types import check_operand_types
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.core import Operation
from stablemate.ir.definition import inferred_types


def infer_results(reader: OperationReader, state: OperationState) -> None:
    """Infers the types of the results from operands and attributes."""
    cls = reader.operations[state.definition.name]
    operation = cls(state.operand_list(), (), state.attributes, state.regions)
    state.result_types = inferred_types(operation) or ()


class Inferred(Directive):
    """An empty text: the types of the results are inferred."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Infers the result types from the operands."""
        infer_results(reader, state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints nothing, since the types are inferred."""


class OperandType(Directive):
    """One type, that of all operands; the types of the results are inferred."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the operand's type, from which the results are inferred."""
        start = reader.start
        declared_type = reader.type()
        state.parts["types"] = (start, reader.previous_end)
        check_operand_types(reader, state, [declared_type] * len(state.places))
        infer_results(reader, state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the type of the first operand, which all operands have."""
        printer.write(f" {operation.operands[0].type}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "Inferred": Inferred(),
    "OperandType": OperandType(),
}

"""Directives for results whose types are not written: they follow from operands and attributes."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.operand_types import refuse_other_types
from stablemate.formats.mlir.operation_reader import Draft, OperationReader
from stablemate.formats.mlir.printer import Printer
from stablemate.ir.core import Operation
from stablemate.ir.definition import inferred_types


def infer_results(reader: OperationReader, draft: Draft) -> None:
    """Gives a draft the result types that follow from its operands and attributes."""
    cls = reader.operations[draft.definition.name]
    operation = cls(draft.operand_list(), (), draft.attributes, draft.regions)
    draft.result_types = inferred_types(operation) or ()


class Inferred(Directive):
    """Nothing: the types of the results follow."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Infers the types."""
        infer_results(reader, draft)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes nothing."""


class OperandType(Directive):
    """One type, that of all operands; the types of the results follow."""

    def read(self, reader: OperationReader, draft: Draft) -> None:
        """Reads the type."""
        start = reader.start
        declared_type = reader.type()
        draft.parts["types"] = (start, reader.previous_end)
        refuse_other_types(reader, draft, [declared_type] * len(draft.places))
        infer_results(reader, draft)

    def write(self, printer: Printer, operation: Operation) -> None:
        """Writes the type."""
        printer.write(f" {operation.operands[0].type}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "Inferred": Inferred(),
    "OperandType": OperandType(),
}

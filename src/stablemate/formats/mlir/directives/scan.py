"""Directives of CHLO.

Source: the syntax that upstream prints for each operation.
"""

from __future__ import annotations

from typing import Any, Final

from stablemate.formats.mlir.assembly import Directive, FunctionalType
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.core import Operation
from stablemate.ir.definition import RESULT_SEGMENT_SIZES, SEGMENT_SIZES
from stablemate.ir.kinds import I32_ARRAY, SI64


class ScanDirective(Directive):
    """``(%a, %b) inits (%c) dimension=0 attributes {...} { ... } : FT``."""

    attributes = ("dimension",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads operands, dimension, attributes, body and types."""
        state.operands = {"inputs": [], "inits": []}
        reader.read_enclosed("(", lambda: reader.operand_into(state, "inputs"))
        reader.expect("inits")
        reader.read_enclosed("(", lambda: reader.operand_into(state, "inits"))
        reader.expect("dimension")
        reader.expect("=")
        start = reader.start
        state.attributes["dimension"] = SI64.attribute(reader.integer_or_boolean("a dimension"))
        state.parts["dimension"] = (start, reader.previous_end)
        start = reader.start
        if reader.accept("attributes"):
            reader.trailing_attributes(state)
        for name in (SEGMENT_SIZES, RESULT_SEGMENT_SIZES):
            reader.reject_repeated(state, name, start)
        state.regions = [reader.region(isolated=True)]
        reader.expect(":")
        FunctionalType().read(reader, state)
        carries = len(state.operands["inits"])
        outputs = max(len(state.result_types) - carries, 0)
        state.attributes[RESULT_SEGMENT_SIZES] = I32_ARRAY.attribute([outputs, carries])

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes operands, dimension, attributes, body and types."""
        scan: Any = operation
        inputs, inits = printer.values(scan.inputs), printer.values(scan.inits)
        printer.write(f"({inputs}) inits ({inits}) dimension={scan.dimension} ")
        printer.attribute_dictionary(operation, self.attributes, " attributes", defaults=True)
        printer.write(" ")
        printer.region(operation.regions[0])
        printer.write(f" : {printer.function_type(operation)}")


DIRECTIVES: Final[dict[str, Directive]] = {"Scan": ScanDirective()}

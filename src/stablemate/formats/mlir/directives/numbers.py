"""Directives of single numbers: formats of floats, positions in tuples."""

from __future__ import annotations

import re
from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import IntegerAttribute, attribute_as
from stablemate.ir.core import Operation
from stablemate.ir.kinds import SI32

FORMAT: Final = re.compile(r"e([0-9]+)m([0-9]+)\Z")


class ExponentMantissa(Directive):
    """``e5m10``: bits of exponent and mantissa."""

    attributes = ("exponent_bits", "mantissa_bits")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses a format such as ``e5m10``."""
        place = (reader.start, reader.end)
        match = FORMAT.match(reader.keyword("a format such as e5m10"))
        if match is None or len(match[0]) > 20:
            reader.error("expected a format such as e5m10", place)
        for name, bits in zip(self.attributes, match.groups(), strict=True):
            state.attributes[name] = SI32.attribute(int(bits))
            state.parts[name] = place

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints a format such as ``e5m10``."""
        exponent, mantissa = [
            attribute_as(operation.attributes, name, IntegerAttribute).value
            for name in self.attributes
        ]
        printer.write(f" e{exponent}m{mantissa}")


class TupleIndex(Directive):
    """``[N]``, directly after the operand."""

    attributes = ("index",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the index in brackets."""
        start = reader.start
        reader.expect("[")
        state.attributes["index"] = SI32.attribute(reader.integer("an index"))
        reader.expect("]")
        state.parts["index"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the index in brackets."""
        index = attribute_as(operation.attributes, "index", IntegerAttribute)
        printer.write(f"[{index.value}]")


DIRECTIVES: Final[dict[str, Directive]] = {
    "ExponentMantissa": ExponentMantissa(),
    "TupleIndex": TupleIndex(),
}

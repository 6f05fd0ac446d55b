"""Directives of slices: ranges, and start indices with sizes."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import integers_of
from stablemate.ir.core import Operation
from stablemate.ir.kinds import SI64_ARRAY


class SliceRanges(Directive):
    """``[a:b, a:b:s]``: start, limit and stride of each dimension."""

    attributes = ("start_indices", "limit_indices", "strides")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the ranges; a missing stride is 1."""
        start = reader.start

        def triple() -> tuple[int, int, int]:
            first = reader.integer_or_boolean("a start index")
            reader.expect(":")
            limit = reader.integer_or_boolean("a limit index")
            return first, limit, reader.integer_or_boolean("a stride") if reader.accept(":") else 1

        ranges = reader.read_enclosed("[", triple)
        for i, name in enumerate(self.attributes):
            state.attributes[name] = SI64_ARRAY.attribute([range_[i] for range_ in ranges])
            state.parts[name] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the ranges; a stride of 1 is left out."""
        attributes = operation.attributes
        columns = zip(
            *(integers_of(attributes.get(name)) for name in self.attributes), strict=False
        )
        texts = [f"{a}:{b}" if s == 1 else f"{a}:{b}:{s}" for a, b, s in columns]
        printer.write(f" [{', '.join(texts)}]")


class DynamicSliceIndices(Directive):
    """``%i, %j,``: the start indices, a comma after each; a comma alone if there are none."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the start indices, separated by commas."""
        state.operands.setdefault("start_indices", [])
        if reader.accept(","):
            return
        while reader.kind == "value":
            reader.operand_into(state, "start_indices")
            reader.expect(",")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the start indices, separated by commas."""
        printer.write(f" {printer.values(operation.operands[1:])},")


DIRECTIVES: Final[dict[str, Directive]] = {
    "SliceRanges": SliceRanges(),
    "DynamicSliceIndices": DynamicSliceIndices(),
}

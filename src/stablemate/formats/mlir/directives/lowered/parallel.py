"""Directives of scf.parallel and of the reductions that end its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.parse_only.scf import Parallel, Reduce
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.lowered.structured import (
    arguments_of,
    check_types,
    read_arrow_types,
    short_result_types,
)
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import SEGMENT_SIZES
from stablemate.ir.types import Type
from stablemate.numerics.elements import INDEX

BOUNDS: Final = (("=", "lowerBound"), ("to", "upperBound"), ("step", "step"))


class ParallelLoop(Directive):
    """``(%i) = (%a) to (%b) step (%s) init (%x) -> T { ... } {...}``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads counters, bounds, initial values, types of the results, region and attributes."""
        counters = reader.read_enclosed("(", lambda: read_name(reader))
        for word, field in BOUNDS:
            reader.expect(word)
            read_operands(reader, state, field)
        state.operands["initVals"] = []
        if reader.accept("init"):
            read_operands(reader, state, "initVals")
        if reader.at("->"):
            read_arrow_types(reader, state)
        check_types(reader, state, "initVals", state.result_types)
        for _, field in BOUNDS:
            check_types(reader, state, field, [INDEX] * len(state.operands[field]))
        region = reader.region(arguments_of(counters, [INDEX] * len(counters)))
        state.regions = [with_reduction(region)]
        reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes counters, bounds, initial values, types of the results, region and attributes."""
        assert isinstance(operation, Parallel)
        loop = operation
        printer.write(f" ({printer.values(operation.regions[0].block.arguments)})")
        for word, field in BOUNDS:
            printer.write(f" {word} ({printer.values(getattr(loop, field))})")
        if loop.initVals:
            printer.write(f" init ({printer.values(loop.initVals)})")
        printer.write(f"{short_result_types(printer, operation)} ")
        printer.region(operation.regions[0], entry_label=False)
        printer.attribute_dictionary(operation, (SEGMENT_SIZES,))


class LoopReductions(Directive):
    """``(%x, %y : T, U) { ... }, { ... } {...}``; a space without values."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads values, their types, regions and attributes."""
        state.operands["values"] = []
        if reader.accept("("):
            types = self.read_values(reader, state)
            check_types(reader, state, "values", types)
        state.regions = [reader.region()] if reader.at("{") else []
        while state.regions and reader.accept(","):
            state.regions = [*state.regions, reader.region()]
        reader.trailing_attributes(state)

    def read_values(self, reader: OperationReader, state: OperationState) -> Sequence[Type]:
        """Reads ``%x, %y : T, U)``."""
        reader.operand_into(state, "values")
        while reader.accept(","):
            reader.operand_into(state, "values")
        reader.expect(":")
        start = reader.start
        types = reader.types()
        state.parts["types"] = (start, reader.previous_end)
        reader.expect(")")
        return types

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes values, their types, regions and attributes."""
        operands: Sequence[Value] = operation.operands
        if operands:
            types = printer.types(value.type for value in operands)
            printer.write(f"({printer.values(operands)} : {types})")
        printer.write(" ")
        for number, region in enumerate(operation.regions):
            printer.write(", " if number else "")
            printer.region(region)
        printer.attribute_dictionary(operation)


def read_name(reader: OperationReader) -> tuple[str, tuple[int, int]]:
    """Reads the name of a counter."""
    place = (reader.start, reader.end)
    return reader.take("value", "a name such as %i"), place


def read_operands(reader: OperationReader, state: OperationState, field: str) -> None:
    """Reads ``(%a, %b)`` as the operands of a field."""
    state.operands[field] = []
    reader.read_enclosed("(", lambda: reader.operand_into(state, field))


def with_reduction(region: Region) -> Region:
    """A region that ends with ``scf.reduce``: one without values if the text has none."""
    if not region.blocks:
        region.append(Block())
    for block in region.blocks:
        if not block.operations or not block.terminator.definition.terminator:
            block.append(Reduce())
    return region


DIRECTIVES: Final[dict[str, Directive]] = {
    "ParallelLoop": ParallelLoop(),
    "LoopReductions": LoopReductions(),
}

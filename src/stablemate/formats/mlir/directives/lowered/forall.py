"""Directives of scf.forall and of the region that ends its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.parse_only.scf import Forall, InParallel
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.lowered.parallel import read_name
from stablemate.formats.mlir.directives.lowered.structured import (
    Binding,
    arguments_of,
    check_types,
    read_arrow_types,
    read_bindings,
)
from stablemate.formats.mlir.directives.lowered.tensor_parts import mixed_text, read_mixed
from stablemate.formats.mlir.directives.shapes import write_region
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import DenseArrayAttribute
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.definition import SEGMENT_SIZES
from stablemate.numerics.elements import I64, INDEX

LOWER, UPPER, STEP = "LowerBound", "UpperBound", "Step"
BOUNDS: Final = (("=", LOWER), ("to", UPPER), ("step", STEP))


class ForallLoop(Directive):
    """``(%i) in (4) shared_outs(%o = %x) -> (T) { ... } {...}``.

    Counters that do not begin at zero, or have other steps than one, have ``= (%a) to (%b) step
    (2)`` instead of ``in (4)``.
    """

    attributes = tuple(f"static{bound}" for _, bound in BOUNDS)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads counters, bounds, results with their initial values, region and attributes."""
        counters = reader.read_enclosed("(", lambda: read_name(reader))
        if reader.accept("in"):
            self.read_bound(reader, state, UPPER)
            for bound, number in ((LOWER, 0), (STEP, 1)):
                state.operands[f"dynamic{bound}"] = []
                numbers = (number,) * len(counters)
                state.attributes[f"static{bound}"] = DenseArrayAttribute(I64, numbers)
        else:
            for word, bound in BOUNDS:
                reader.expect(word)
                self.read_bound(reader, state, bound)
        state.operands["outputs"] = []
        bindings: list[Binding] = []
        if reader.accept("shared_outs"):
            bindings = read_bindings(reader, state, "outputs")
            read_arrow_types(reader, state)
            check_types(reader, state, "outputs", state.result_types)
        types = [*[INDEX] * len(counters), *state.result_types]
        region = reader.region(arguments_of([*counters, *bindings], types))
        state.regions = [with_end(region)]
        reader.trailing_attributes(state)

    def read_bound(self, reader: OperationReader, state: OperationState, bound: str) -> None:
        """Reads ``(1, %i)``."""
        read_mixed(reader, state, f"static{bound}", f"dynamic{bound}", "(")
        values = state.operands[f"dynamic{bound}"]
        check_types(reader, state, f"dynamic{bound}", [INDEX] * len(values))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes counters, bounds, results with their initial values, region and attributes."""
        assert isinstance(operation, Forall)
        loop = operation
        arguments = operation.regions[0].block.arguments
        rank = len(loop.staticUpperBound)
        counters, results = arguments[:rank], arguments[rank:]
        printer.write(f" ({printer.values(counters)})")
        starts_at_zero = [*loop.staticLowerBound] == [0] * rank
        bounds: Sequence[tuple[str, str]] = BOUNDS
        if starts_at_zero and [*loop.staticStep] == [1] * rank:
            bounds = (("in", UPPER),)
        for word, bound in bounds:
            numbers, values = getattr(loop, f"static{bound}"), getattr(loop, f"dynamic{bound}")
            printer.write(f" {word} {mixed_text(printer, numbers, values, '()')}")
        if results:
            pairs = zip(results, loop.outputs, strict=True)
            shared = ", ".join(f"{printer.name(a)} = {printer.name(b)}" for a, b in pairs)
            types = printer.types(value.type for value in operation.results)
            printer.write(f" shared_outs({shared}) -> ({types})")
        printer.write(" ")
        write_region(printer, operation.regions[0], always=bool(results))
        printer.attribute_dictionary(operation, (*self.attributes, SEGMENT_SIZES))


class ParallelInsertions(Directive):
    """``{ ... } {...}``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the region and attributes."""
        region = reader.region()
        if not region.blocks:
            region.append(Block())
        state.regions = [region]
        reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the region and attributes."""
        printer.write(" ")
        printer.region(operation.regions[0], entry_label=False)
        printer.attribute_dictionary(operation)


def with_end(region: Region) -> Region:
    """A region that ends with ``scf.forall.in_parallel``: an empty one if the text has none."""
    if not region.blocks:
        region.append(Block())
    for block in region.blocks:
        if not block.operations or not block.terminator.definition.terminator:
            block.append(InParallel([], [], {}, [Region([Block()])]))
    return region


DIRECTIVES: Final[dict[str, Directive]] = {
    "ForallLoop": ForallLoop(),
    "ParallelInsertions": ParallelInsertions(),
}

"""The directive of VHLO functions, the only VHLO operation with a form of its own."""

from __future__ import annotations

from typing import Any, Final

from stablemate.dialects.vhlo.attributes import StringV1, TypeV1
from stablemate.dialects.vhlo.types import FunctionV1Type
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import identifier
from stablemate.ir.core import Block, Operation
from stablemate.ir.locations import Location
from stablemate.ir.types import Type


class VhloFunction(Directive):
    """``vhlo.func_v1 @name(%arg0: T) -> (T) { ... } {arg_attrs = ..., ...}``."""

    attributes = ("function_type", "sym_name")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the signature, the body, then the other attributes."""
        start = reader.start
        state.attributes["sym_name"] = StringV1(reader.symbol())
        state.parts["sym_name"] = (start, reader.previous_end)
        start = reader.start
        arguments = reader.read_enclosed("(", lambda: self.argument(reader))
        reader.expect("->")
        results = reader.type_list()
        inputs = tuple(argument_type for _, argument_type, _, _ in arguments)
        state.attributes["function_type"] = TypeV1(FunctionV1Type(inputs, results))
        state.parts["function_type"] = (start, reader.previous_end)
        state.regions = [reader.region(arguments, isolated=True)]
        reader.trailing_attributes(state)

    def argument(self, reader: OperationReader) -> tuple[str, Type, Location, tuple[int, int]]:
        """Reads ``%arg0: T loc(...)``."""
        return reader.block_argument()

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the signature, the body, then the other attributes."""
        attributes: dict[str, Any] = dict(operation.attributes)
        function_type: FunctionV1Type = attributes["function_type"].type
        region = operation.regions[0]
        blocks: list[Block] = region.blocks
        arguments = blocks[0].arguments if blocks else ()
        texts = ", ".join(printer.argument(argument) for argument in arguments)
        printer.write(f" @{identifier(attributes['sym_name'].value)}({texts})")
        printer.write(f" -> ({printer.types(function_type.outputs)}) ")
        printer.region(region, entry_label=False)
        printer.attribute_dictionary(operation, self.attributes)


DIRECTIVES: Final[dict[str, Directive]] = {"VhloFunction": VhloFunction()}

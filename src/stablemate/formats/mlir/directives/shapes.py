"""Directives of tensor and shape: indices, constant shapes, assumptions, reductions of shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from stablemate.dialects.shape.witnesses import AssumingYield
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.operand_types import check_operand_types
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseElementsAttribute,
    IntegerAttribute,
    attribute_as,
    dense_elements,
)
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import INDEX, Array, IntegerType

INDEX_TYPE: Final = IntegerType(64, "signed")  # what an index is stored as


class IndicesDirective(Directive):
    """``[%i, %j]``, directly after the operand before."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the indices in brackets."""
        state.operands["indices"] = []
        reader.read_enclosed("[", lambda: reader.operand_into(state, "indices"))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the indices in brackets."""
        indices = cast(Any, operation).indices
        printer.write(f"[{printer.values(indices)}]")


class OperandTypesArrow(Directive):
    """``T, T -> R``; without operands, ``-> R``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the operands' types, ``->`` and the results' types."""
        start = reader.start
        types = [] if reader.at("->") else [reader.type()]
        while types and reader.accept(","):
            types.append(reader.type())
        if len(types) != len(state.places):
            place = (start, reader.previous_end)
            reader.error(f"{len(state.places)} operands, but {len(types)} types", place)
        check_operand_types(reader, state, types)
        reader.expect("->")
        state.result_types = self.results(reader)
        state.parts["types"] = (start, reader.previous_end)

    def results(self, reader: OperationReader) -> Sequence[Type]:
        """Reads the types of the results."""
        return (reader.type(),)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the operands' types, ``->`` and the results' types."""
        operands, results = (
            printer.types(value.type for value in values)
            for values in (operation.operands, operation.results)
        )
        printer.write(f" {operands} -> {results}")


class ListsOfTypes(OperandTypesArrow):
    """``T, T -> R, R``."""

    def results(self, reader: OperationReader) -> Sequence[Type]:
        """Reads the types of the results."""
        return reader.types()


class ConstShapeDirective(Directive):
    """``[1, 2] : T``, the attributes before it."""

    attributes = ("shape",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads attributes, sizes and type."""
        reader.trailing_attributes(state)
        start = reader.start
        reader.reject_repeated(state, "shape", start)
        sizes = read_sizes(reader)
        state.attributes["shape"] = dense_elements(TensorType(sizes.shape, INDEX), sizes)
        state.parts["shape"] = (start, reader.previous_end)
        reader.expect(":")
        start = reader.start
        state.result_types = (reader.type(),)
        state.parts["types"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes attributes, sizes and type."""
        printer.write(" ")
        printer.attribute_dictionary(operation, self.attributes)
        shape = operation.attributes["shape"]
        assert isinstance(shape, DenseElementsAttribute)
        sizes = ", ".join(map(str, shape.array.tolist()))
        printer.write(f"[{sizes}] : {operation.results[0].type}")


def read_sizes(reader: OperationReader) -> Array:
    """Reads an array of integers of any type; the upper bit of each is its sign."""
    start = reader.start
    sizes = reader.attribute()
    items = sizes.items if isinstance(sizes, ArrayAttribute) else (sizes,)
    if not all(isinstance(item, IntegerAttribute) for item in items) or items == (sizes,):
        reader.error("expected sizes such as [2, 3]", (start, reader.previous_end))
    return np.array(
        [to_signed(item) for item in cast("Sequence[IntegerAttribute]", items)], np.int64
    )


def to_signed(number: IntegerAttribute) -> int:
    """The value of the bits of a number as those of a signed one, of which 64 are kept."""
    width = number.type.width if isinstance(number.type, IntegerType) else INDEX_TYPE.width
    return INDEX_TYPE.wrap(IntegerType(width, "signed").wrap(number.value))


class IndexNumber(Directive):
    """``10``: an index."""

    attributes = ("value",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses an integer of type ``index``."""
        state.attributes["value"] = IntegerAttribute(reader.integer("a size"), INDEX)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the integer without its type."""
        value = attribute_as(operation.attributes, "value", IntegerAttribute)
        printer.write(f" {value.value}")


class AssumingDirective(Directive):
    """``%witness -> (T) { .

    } {...}``; the terminator of the region is left out without results.
    """

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads witness, types of the results, region and attributes."""
        reader.operand_into(state, "witness")
        if reader.accept("->"):
            start = reader.start
            state.result_types = tuple(reader.read_enclosed("(", reader.type))
            state.parts["types"] = (start, reader.previous_end)
        region = reader.region()
        if not region.blocks:
            region.append(Block())
        for block in region.blocks:
            if not block.operations or not block.terminator.definition.terminator:
                block.append(AssumingYield())
        state.regions = [region]
        reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes witness, types of the results, region and attributes."""
        printer.write(f" {printer.name(operation.operands[0])}")
        if operation.results:
            printer.write(f" -> ({printer.types(value.type for value in operation.results)})")
        printer.write(" ")
        write_region(printer, operation.regions[0], always=bool(operation.results))
        printer.attribute_dictionary(operation)


def write_region(printer: MlirPrinter, region: Region, *, always: bool) -> None:
    """Writes a region; an empty terminator is left out unless ``always`` is set."""
    *operations, terminator = region.block.operations
    if always or terminator.operands or terminator.discardable or len(region.blocks) > 1:
        printer.region(region, entry_label=False)
        return
    outer = printer.indentation
    printer.write("{\n")
    printer.indentation += "  "
    for operation in operations:
        printer.operation(operation)
    printer.indentation = outer
    printer.write(f"{outer}}}")


class ShapeReduce(Directive):
    """``(%shape, %init) : T -> R { ... } {...}``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads operands, types, region and attributes."""
        reader.expect("(")
        reader.operand_into(state, "shape")
        state.operands["initVals"] = []
        while reader.accept(",") and not reader.at(")"):
            reader.operand_into(state, "initVals")
        reader.expect(")")
        reader.expect(":")
        start = reader.start
        first = reader.type()
        state.result_types = reader.type_list() if reader.accept("->") else ()
        state.parts["types"] = (start, reader.previous_end)
        types = [first, *state.result_types]
        if len(state.places) != len(types):
            message = f"{len(state.places)} operands, but {len(types)} types"
            reader.error(message, state.parts["types"])
        check_operand_types(reader, state, types)
        state.regions = [reader.region()]
        reader.trailing_attributes(state)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes operands, types, region and attributes."""
        shape, *initials = operation.operands
        printer.write(f"({printer.name(shape)}, {printer.values(initials)}) : {shape.type}")
        results = [value.type for value in operation.results]
        if results:
            shown = str(results[0]) if len(results) == 1 else f"({printer.types(results)})"
            printer.write(f" -> {shown}")
        printer.write(" ")
        printer.region(operation.regions[0])
        printer.attribute_dictionary(operation)


DIRECTIVES: Final[dict[str, Directive]] = {
    "Indices": IndicesDirective(),
    "ConstShape": ConstShapeDirective(),
    "IndexNumber": IndexNumber(),
    "ListsOfTypes": ListsOfTypes(),
    "OperandTypesArrow": OperandTypesArrow(),
    "Assuming": AssumingDirective(),
    "ShapeReduce": ShapeReduce(),
}

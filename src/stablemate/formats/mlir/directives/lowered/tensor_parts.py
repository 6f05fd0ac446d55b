"""Directives of tensor: places of slices, groups of dimensions, regions that compute elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.directives.calls import read_enclosed_operands
from stablemate.formats.mlir.forward_references import has_type
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MissingOperandError, MlirPrinter
from stablemate.ir.attributes import (
    UNIT,
    ArrayAttribute,
    DenseArrayAttribute,
    IntegerAttribute,
    attribute_as,
    items_as,
)
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import Type
from stablemate.numerics.elements import I64

DYNAMIC_NUMBER: Final = -(2**63)  # stands for an operand in a list of numbers


def read_mixed(
    reader: OperationReader, state: OperationState, static: str, dynamic: str, opening: str = "["
) -> None:
    """Reads ``[1, %i]``: numbers of an attribute, and operands of a field among them."""
    state.operands.setdefault(dynamic, [])

    def item() -> int:
        if reader.kind != "value":
            return reader.integer_or_boolean()
        reader.operand_into(state, dynamic)
        return DYNAMIC_NUMBER

    numbers = tuple(reader.read_enclosed(opening, item))
    state.attributes[static] = DenseArrayAttribute(I64, numbers)


def mixed_text(
    printer: MlirPrinter,
    numbers: Sequence[int],
    values: Sequence[Value[Type]],
    brackets: str = "[]",
) -> str:
    """``[1, %i]``.

    Raises:
        MissingOperandError: There are fewer values than places for them.
    """
    rest = iter(values)
    if len(values) < numbers.count(DYNAMIC_NUMBER):
        raise MissingOperandError(f"{len(values)} operands are fewer than {numbers} have places")
    items = [
        printer.name(next(rest)) if number == DYNAMIC_NUMBER else str(number) for number in numbers
    ]
    return f"{brackets[0]}{', '.join(items)}{brackets[1]}"


class SlicePlace(Directive):
    """``[0, %i] [2, 4] [1, 1]``: offsets, sizes and strides."""

    attributes = ("static_offsets", "static_sizes", "static_strides")
    fields: ClassVar[tuple[str, ...]] = ("offsets", "sizes", "strides")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``[offsets] [sizes] [strides]``, whose items are numbers or values."""
        for field in self.fields:
            read_mixed(reader, state, f"static_{field}", field)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``[offsets] [sizes] [strides]``, whose items are numbers or values."""
        texts = [
            mixed_text(printer, getattr(operation, f"static_{field}"), getattr(operation, field))
            for field in self.fields
        ]
        printer.write(" ".join(texts))


class TypesOfFirst(Directive):
    """``T to R``: the type of the first operand, and that of the result.

    Attributes:
        word: The word between them.
        has_result_operand: Whether the second operand has the type of the result.
    """

    def __init__(self, word: str, *, has_result_operand: bool = False) -> None:
        self.word = word
        self.has_result_operand = has_result_operand

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the types of the first operand and the result, joined by a word."""
        start = reader.start
        types = [reader.type()]
        reader.expect(self.word)
        types.append(reader.type())
        state.result_types = (types[1],)
        place = state.parts["types"] = (start, reader.previous_end)
        values = state.operand_list()[: 1 + self.has_result_operand]
        for value, declared in zip(values, types, strict=False):
            if not has_type(value, declared):
                reader.error(f"the operand has type {value.type}, not {declared}", place)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the types of the first operand and the result, joined by a word."""
        source, result = operation.operands[0].type, operation.results[0].type
        printer.write(f" {source} {self.word} {result}")


class Reassociation(Directive):
    """``[[0, 1], [2]]``: which dimensions belong together."""

    attributes = ("reassociation",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses groups of dimensions such as ``[[0, 1], [2]]``."""

        def group() -> ArrayAttribute:
            numbers = reader.read_enclosed("[", reader.integer)
            return ArrayAttribute(tuple(IntegerAttribute(number, I64) for number in numbers))

        state.attributes["reassociation"] = ArrayAttribute(tuple(reader.read_enclosed("[", group)))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints groups of dimensions such as ``[[0, 1], [2]]``."""
        groups = attribute_as(operation.attributes, "reassociation", ArrayAttribute)
        rows = [items_as(group, IntegerAttribute) for group in items_as(groups, ArrayAttribute)]
        texts = [f"[{', '.join(str(item.value) for item in row)}]" for row in rows]
        printer.write(f" [{', '.join(texts)}]")


class OutputShape(Directive):
    """``output_shape [4, %n]``."""

    attributes = ("static_output_shape",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``output_shape [sizes]``, whose items are numbers or values."""
        reader.expect("output_shape")
        read_mixed(reader, state, "static_output_shape", "output_shape")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``output_shape [sizes]``, whose items are numbers or values."""
        expansion: Any = operation
        text = mixed_text(printer, expansion.static_output_shape, expansion.output_shape)
        printer.write(f" output_shape {text}")


class SplatSizes(Directive):
    """``[%n]``, directly after the element; left out without sizes."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the sizes if there are any."""
        state.operands["dynamicSizes"] = []
        if reader.at("["):
            reader.read_enclosed("[", lambda: reader.operand_into(state, "dynamicSizes"))

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the dynamic sizes in brackets, if there are any."""
        sizes = operation.operands[1:]
        printer.write(f"[{printer.values(sizes)}]" if sizes else "")


class ConcatDimension(Directive):
    """``dim(0)``."""

    attributes = ("dim",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``dim(number)``."""
        reader.expect("dim")
        reader.expect("(")
        state.attributes["dim"] = IntegerAttribute(reader.integer(), I64)
        reader.expect(")")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``dim(number)``."""
        dimension = attribute_as(operation.attributes, "dim", IntegerAttribute)
        printer.write(f" dim({dimension.value})")


class ReshapeOperands(Directive):
    """``%source(%shape)``."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``%source(%shape)``."""
        reader.operand_into(state, "source")
        read_enclosed_operands(reader, state, "shape")

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``%source(%shape)``."""
        source, shape = operation.operands
        printer.write(f" {printer.name(source)}({printer.name(shape)})")


class Generated(Directive):
    """``%n { ... }``: sizes, and the region that computes an element."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the dynamic extents and the region that computes an element."""
        state.operands["dynamicExtents"] = []
        if reader.kind == "value":
            reader.operand_into(state, "dynamicExtents")
            while reader.accept(","):
                reader.operand_into(state, "dynamicExtents")
        state.regions = [reader.region()]

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the dynamic extents and the region that computes an element."""
        printer.write(f" {printer.values(operation.operands)} " if operation.operands else " ")
        printer.region(operation.regions[0])


class Padding(Directive):
    """``%source nofold low[1, %i] high[0, 0] { ... }``."""

    attributes = ("nofold", "static_low", "static_high")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads source, widths of the edges and region."""
        reader.operand_into(state, "source")
        if reader.accept("nofold"):
            state.attributes["nofold"] = UNIT
        for field in ("low", "high"):
            reader.expect(field)
            read_mixed(reader, state, f"static_{field}", field)
        state.regions = [reader.region()]

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes source, widths of the edges and region."""
        padding: Any = operation
        printer.write(f" {printer.name(operation.operands[0])}")
        printer.write(" nofold" if padding.nofold else "")
        printer.write(f" low{mixed_text(printer, padding.static_low, padding.low)}")
        printer.write(f" high{mixed_text(printer, padding.static_high, padding.high)} ")
        printer.region(operation.regions[0])


DIRECTIVES: Final[dict[str, Directive]] = {
    "SlicePlace": SlicePlace(),
    "IntoTypes": TypesOfFirst("into"),
    "CastTypesOfFirst": TypesOfFirst("to"),
    "IntoTypesOfFirst": TypesOfFirst("into", has_result_operand=True),
    "Reassociation": Reassociation(),
    "OutputShape": OutputShape(),
    "SplatSizes": SplatSizes(),
    "ConcatDimension": ConcatDimension(),
    "ReshapeOperands": ReshapeOperands(),
    "Generated": Generated(),
    "Padding": Padding(),
}

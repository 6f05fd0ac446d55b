"""Directives of dots and convolutions: dimension numbers, windows, algorithms."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from stablemate.dialects.stablehlo.attributes import ConvDimensionNumbers, DotDimensionNumbers
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.dialects.stablehlo_attributes import (
    read_conv_dimensions,
    read_dot_algorithm,
)
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter, sequence_text
from stablemate.ir.attributes import attribute_as
from stablemate.ir.core import Operation
from stablemate.ir.kinds import BOOLEAN_ARRAY, SI64_ARRAY, integer_matrix, is_integer_matrix
from stablemate.ir.types import Attribute


class DotDimensions(Directive):
    """``, batching_dims = [0] x [0], contracting_dims = [2] x [1]``; empty batching is left out."""

    attributes = ("dot_dimension_numbers",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the two pairs of lists."""
        start = reader.start
        batching = self.pair(reader, "batching_dims")
        contracting = self.pair(reader, "contracting_dims")
        if contracting is None:
            reader.reject_unexpected("', contracting_dims = [...] x [...]'")
        numbers = DotDimensionNumbers(*(batching or ((), ())), *contracting)
        state.attributes["dot_dimension_numbers"] = numbers
        state.parts["dot_dimension_numbers"] = (start, reader.previous_end)

    def pair(
        self, reader: OperationReader, name: str
    ) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Reads ``, name = [..] x [..]`` if it is present."""
        if not (reader.at(",") and reader.followed_by(name)):
            return None
        reader.advance()
        reader.expect(name)
        reader.expect("=")
        lhs = reader.integers()
        reader.expect("x")
        return lhs, reader.integers()

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the two pairs of lists."""
        numbers = attribute_as(operation.attributes, "dot_dimension_numbers", DotDimensionNumbers)
        lhs, rhs = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
        if lhs or rhs:
            printer.write(f", batching_dims = {sequence_text(lhs)} x {sequence_text(rhs)}")
        lhs, rhs = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
        printer.write(f", contracting_dims = {sequence_text(lhs)} x {sequence_text(rhs)}")


class DotAlgorithmDirective(Directive):
    """``, algorithm = <...>``, if there is one."""

    attributes = ("algorithm",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the algorithm if it is present."""
        if not reader.at(","):
            return
        reader.advance()
        reader.expect("algorithm")
        reader.expect("=")
        start = reader.start
        if reader.kind == "hash":
            state.attributes["algorithm"] = reader.attribute()
        else:
            state.attributes["algorithm"] = read_dot_algorithm(reader)
        state.parts["algorithm"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``algorithm = <...>`` if one is stated."""
        algorithm = operation.attributes.get("algorithm")
        if algorithm is not None:
            printer.write(
                f", algorithm = {str(algorithm).removeprefix('#stablehlo.dot_algorithm')}"
            )


class ConvDimensions(Directive):
    """``dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f]``."""

    attributes = ("dimension_numbers",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]``."""
        reader.expect("dim_numbers")
        reader.expect("=")
        start = reader.start
        state.attributes["dimension_numbers"] = read_conv_dimensions(reader)
        state.parts["dimension_numbers"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]``."""
        numbers = operation.attributes["dimension_numbers"]
        if not isinstance(numbers, ConvDimensionNumbers):
            raise TypeError("the dimension numbers are of another kind")
        printer.write(f" dim_numbers = {numbers.short_text()}")


class WindowAttributes(Directive):
    """``window = {stride = [2, 2], pad = [[1, 1]], ...}``: the set attributes, in this order."""

    attributes = ("window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal")
    KEYS: ClassVar[dict[str, str]] = dict(
        zip(("stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"), attributes, strict=True)
    )

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the entries, in any order."""
        reader.expect("window")
        reader.expect("=")

        def entry() -> None:
            start = reader.start
            name = reader.choice(dict(self.KEYS), "an attribute of a window")
            reader.expect("=")
            state.attributes[name] = self.value(reader, name)
            state.parts[name] = (start, reader.previous_end)

        reader.read_enclosed("{", entry)

    def value(self, reader: OperationReader, name: str) -> Attribute:
        """Parses the value of one attribute of the window."""
        start = reader.start
        if name == "padding":
            rows = reader.read_enclosed("[", reader.integers)
            if any(len(row) != 2 for row in rows):
                reader.error("expected pairs [low, high]", (start, reader.previous_end))
            return integer_matrix(rows)
        if name == "window_reversal":
            words = {"true": True, "false": False, "1": True, "0": False}
            flags = reader.read_enclosed("[", lambda: self.flag(reader, words))
            return BOOLEAN_ARRAY.attribute(flags)
        return SI64_ARRAY.attribute(reader.integers())

    def flag(self, reader: OperationReader, words: dict[str, bool]) -> bool:
        """Reads ``true``, ``false``, 1 or 0."""
        if reader.token not in words:
            reader.reject_unexpected("a boolean")
        value = words[reader.token]
        reader.advance()
        return value

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the entries that are set."""
        texts: list[str] = []
        for key, name in self.KEYS.items():
            attribute: Any = operation.attributes.get(name)
            if attribute is None:
                continue
            if name == "padding":
                if not is_integer_matrix(attribute):
                    raise ValueError("the padding is no list of pairs")
                rows = [sequence_text(row) for row in attribute.array.tolist()]
                texts.append(f"{key} = [{', '.join(rows)}]")
            else:
                texts.append(f"{key} = [{', '.join(attribute.texts())}]")
        printer.write(f" window = {{{', '.join(texts)}}}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "DotDimensions": DotDimensions(),
    "DotAlgorithm": DotAlgorithmDirective(),
    "ConvDimensions": ConvDimensions(),
    "WindowAttributes": WindowAttributes(),
}

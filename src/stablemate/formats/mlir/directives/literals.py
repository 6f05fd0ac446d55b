"""Directives of constants."""

from __future__ import annotations

from typing import Any, Final

from stablemate.formats.mlir.assembly import Directive, FunctionalType
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DenseResourceAttribute,
    DenseStringsAttribute,
    SparseElementsAttribute,
)
from stablemate.ir.core import Operation
from stablemate.ir.types import Type


class ConstantDirective(Directive):
    """``attr-dict LITERAL``, or the generic form where the literal's type is not the result's."""

    attributes = ("value",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses a literal, or the generic form with properties."""
        if reader.accept("("):
            reader.expect(")")
            if reader.accept("<"):
                reader.properties(state)
            reader.trailing_attributes(state, "drop")
            reader.expect(":")
            FunctionalType().read(reader, state)
            return
        reader.trailing_attributes(state)
        start = reader.start
        reader.reject_repeated(state, "value", start)
        if reader.token not in ("dense", "dense_resource", "sparse") and reader.kind != "hash":
            reader.reject_unexpected("a literal such as dense<0.0> : tensor<2xf32>")
        declared_type: Type | None = None
        if reader.token == "dense":
            value, declared_type = (
                reader.literals.dense_and_type()
            )  # the value of a quantized one says less
        else:
            value = reader.attribute()
        state.parts["value"] = state.parts["types"] = (start, reader.previous_end)
        if not isinstance(
            value,
            DenseElementsAttribute
            | DenseResourceAttribute
            | DenseStringsAttribute
            | SparseElementsAttribute,
        ):
            reader.error("expected a literal with a tensor type", (start, reader.previous_end))
        state.attributes["value"] = value
        state.result_types = (declared_type or value.type,)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the literal, whose type is the result's."""
        value: Any = operation.attributes["value"]
        if not has_own_form(operation):
            printer.write(f"() <{printer.dictionary(operation.attributes)}>")
            printer.write(
                f" {printer.dictionary(operation.discardable)}" if operation.discardable else ""
            )
            printer.write(f" : () -> {operation.results[0].type}")
            return
        printer.attribute_dictionary(operation, self.attributes)
        printer.write(f" {printer.attribute(value)}")


def has_own_form(operation: Operation) -> bool:
    """Whether a constant is its literal alone; that of CHLO always is, whatever its result says."""
    value: Any = operation.attributes["value"]
    return bool(operation.name == "chlo.constant" or value.type == operation.results[0].type)


class TypedLiteral(Directive):
    """A literal with its type, as the attribute ``value``."""

    attributes = ("value",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses a literal with its type."""
        start = reader.start
        state.attributes["value"] = reader.attribute()
        state.parts["value"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the literal with its type."""
        printer.write(f" {printer.attribute(operation.attributes['value'])}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "Constant": ConstantDirective(),
    "TypedLiteral": TypedLiteral(),
}

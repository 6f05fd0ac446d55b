"""Directives for custom forms of the types of operands and results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from stablemate.formats.mlir.assembly import Directive, FunctionalType
from stablemate.formats.mlir.forward_references import has_type
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.core import Operation
from stablemate.ir.types import TensorType, TupleType
from stablemate.numerics.elements import ComplexType


def check_operand_types(
    reader: OperationReader, state: OperationState, types: Sequence[object]
) -> None:
    """Rejects operands whose types differ from the declared ones."""
    for value, declared_type, place in zip(state.operand_list(), types, state.places, strict=True):
        if not has_type(value, declared_type):
            name = reader.text[place[0] : place[1]]
            reader.error(f"{name} has type {value.type}, not {declared_type}", place)


class ComplexTypes(Directive):
    """One type, the result's, if both operands have exactly its real counterpart."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the result's type, or a function type."""
        if reader.at("("):
            FunctionalType().read(reader, state)
            return
        start = reader.start
        result_type = reader.type()
        place = (start, reader.previous_end)
        if not isinstance(result_type, TensorType) or not isinstance(
            result_type.element_type, ComplexType
        ):
            reader.error("expected a tensor of complex type", place)
        part = result_type.with_element(result_type.element_type.element)
        check_operand_types(reader, state, [part, part])
        state.result_types = (result_type,)
        state.parts["types"] = place

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the shorter form if it is unambiguous."""
        result: Any = operation.results[0].type
        part = result.with_element(getattr(result.element_type, "element", None))
        if all(value.type == part for value in operation.operands):
            printer.write(f" {result}")
        else:
            FunctionalType().write(printer, operation)


class SelectTypes(Directive):
    """``P, T`` when both branches have the result's type."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the types of predicate and result, or a function type."""
        if reader.at("("):
            FunctionalType().read(reader, state)
            return
        start = reader.start
        predicate = reader.type()
        reader.expect(",")
        branch = reader.type()
        state.parts["types"] = (start, reader.previous_end)
        check_operand_types(reader, state, [predicate, branch, branch])
        state.result_types = (branch,)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the shorter form if it is unambiguous."""
        predicate, *branches = operation.operands
        result = operation.results[0].type
        if all(value.type == result for value in branches):
            printer.write(f" {predicate.type}, {result}")
        else:
            FunctionalType().write(printer, operation)


class TupleOfOperands(Directive):
    """The type of a tuple, which determines the types of its operands."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses a tuple type, whose elements are the operands' types."""
        start = reader.start
        tuple_type = reader.type()
        place = (start, reader.previous_end)
        values = state.operand_list()
        if not isinstance(tuple_type, TupleType) or len(tuple_type.types) != len(values):
            reader.error(f"expected a tuple of {len(values)} types", place)
        check_operand_types(reader, state, tuple_type.types)
        state.result_types = (tuple_type,)
        state.parts["types"] = place

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the type of the only result."""
        printer.write(f" {operation.results[0].type}")


class OptionalTypes(Directive):
    """``: T, T`` of all operands, or nothing when there are none."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the types if there are operands."""
        values = state.operand_list()
        if not values:
            return
        reader.expect(":")
        start = reader.start
        types = reader.types()
        state.parts["types"] = (start, reader.previous_end)
        if len(types) != len(values):
            reader.error(f"{len(values)} operands, but {len(types)} types", state.parts["types"])
        check_operand_types(reader, state, types)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the operands' types behind a colon, if there are operands."""
        if operation.operands:
            printer.write(f" : {printer.types(value.type for value in operation.operands)}")


class TokenTypes(Directive):
    """The type of the result, which is that of all operands."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the token type, which operands and result share."""
        start = reader.start
        declared_type = reader.type()
        state.parts["types"] = (start, reader.previous_end)
        check_operand_types(reader, state, [declared_type] * len(state.places))
        state.result_types = (declared_type,)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the type of the only result."""
        printer.write(f" {operation.results[0].type}")


class ChloTypes(Directive):
    """``T, T -> R``: operand types without parentheses."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses the operands' types, ``->`` and the results' types."""
        start = reader.start
        types = reader.types()
        if len(types) != len(state.places):
            place = (start, reader.previous_end)
            reader.error(f"{len(state.places)} operands, but {len(types)} types", place)
        check_operand_types(reader, state, types)
        reader.expect("->")
        state.result_types = reader.type_list()
        state.parts["types"] = (start, reader.previous_end)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the operands' types, ``->`` and the results' types."""
        results = [value.type for value in operation.results]
        shown = str(results[0]) if len(results) == 1 else f"({printer.types(results)})"
        printer.write(f" {printer.types(value.type for value in operation.operands)} -> {shown}")


DIRECTIVES: Final[dict[str, Directive]] = {
    "ComplexTypes": ComplexTypes(),
    "SelectTypes": SelectTypes(),
    "TupleTypes": TupleOfOperands(),
    "OptionalTypes": OptionalTypes(),
    "TokenTypes": TokenTypes(),
    "ChloTypes": ChloTypes(),
}

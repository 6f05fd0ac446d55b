"""Directives of cf: successors with the values that they take."""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.dialects.parse_only.cf import Switch
from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.forward_references import has_type
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import (
    DenseArrayAttribute,
    DenseElementsAttribute,
    dense_elements,
    optional_attribute_as,
)
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.types import Attribute, Type, VectorType
from stablemate.numerics.elements import I32, Array, IntegerType


def read_successor(reader: OperationReader, state: OperationState, name: str) -> int:
    """Reads ``^bb1(%a, %b : T, T)`` as a successor and operands of a field.

    Returns:
        The number of operands.
    """
    state.successors = [*state.successors, reader.successor()]
    values = state.operands.setdefault(name, [])
    first = len(values)
    if not reader.accept("("):
        return 0
    if reader.accept(")"):
        return 0
    reader.operand_into(state, name)
    while reader.accept(","):
        reader.operand_into(state, name)
    reader.expect(":")
    start = reader.start
    types = reader.types()
    place = (start, reader.previous_end)
    added = values[first:]
    if len(types) != len(added):
        reader.error(f"{len(added)} operands, but {len(types)} types", place)
    for value, declared in zip(added, types, strict=True):
        if not has_type(value, declared):
            reader.error(f"the operand has type {value.type}, not {declared}", place)
    reader.expect(")")
    return len(added)


def successor_text(printer: MlirPrinter, block: Block, values: list[Value[Type]]) -> str:
    """``^bb1(%a, %b : T, T)``."""
    name = printer.block_name(block)
    if not values:
        return name
    return f"{name}({printer.values(values)} : {printer.types(value.type for value in values)})"


class SuccessorWithOperands(Directive):
    """A successor and the operands that it takes.

    Attributes:
        number: Which of the successors it is.
        field: The field of the operands.
    """

    def __init__(self, number: int, field: str) -> None:
        self.number = number
        self.field = field

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Parses ``^block(operands)``."""
        read_successor(reader, state, self.field)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints ``^block(operands)``."""
        values = list(getattr(operation, self.field))
        printer.write(f" {successor_text(printer, operation.successors[self.number], values)}")


class BranchWeights(Directive):
    """``weights([1, 2])``: how often each branch is taken; left out if unknown."""

    attributes = ("branch_weights",)

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the weights if they are present."""
        if reader.accept("weights"):
            reader.expect("(")
            weights = reader.integers()
            reader.expect(")")
            state.attributes["branch_weights"] = DenseArrayAttribute(I32, weights)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Prints the weights of both branches if they are stated."""
        weights = optional_attribute_as(operation.attributes, "branch_weights", DenseArrayAttribute)
        if weights is not None:
            printer.write(f" weights([{', '.join(weights.texts())}])")


class SwitchCases(Directive):
    """``%flag : i32, [default: ^bb1, 42: ^bb2(%a : T)]``, a line for each block."""

    attributes = ("case_operand_segments", "case_values")

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads the number, its type and the blocks."""
        reader.operand_into(state, "flag")
        reader.expect(":")
        start = reader.start
        flag_type = reader.type()
        (flag,) = state.operands["flag"]
        if not has_type(flag, flag_type) or not isinstance(flag_type, IntegerType):
            reader.error(f"expected the integer type of {flag.type}", (start, reader.previous_end))
        reader.expect(",")
        reader.expect("[")
        reader.expect("default")
        reader.expect(":")
        state.operands["defaultOperands"] = []
        state.operands["caseOperands"] = []
        read_successor(reader, state, "defaultOperands")
        numbers: list[int] = []
        counts: list[int] = []
        while reader.accept(","):
            numbers.append(reader.integer_or_boolean())
            reader.expect(":")
            counts.append(read_successor(reader, state, "caseOperands"))
        reader.expect("]")
        state.attributes["case_operand_segments"] = DenseArrayAttribute(I32, tuple(counts))
        if numbers:
            state.attributes["case_values"] = numbers_attribute(numbers, flag_type)

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the number, its type and the blocks."""
        assert isinstance(operation, Switch), "the directive is that of a switch"
        flag = operation.operands[0]
        numbers = case_numbers(operation.attributes.get("case_values"))
        groups = [list(operation.defaultOperands), *map(list, operation.cases())]
        labels = ["default", *map(str, numbers)]
        inner = printer.indentation + "  "
        lines = [
            f"{inner}{label}: {successor_text(printer, block, values)}"
            for label, block, values in zip(labels, operation.successors, groups, strict=True)
        ]
        text = ",\n".join(lines)
        printer.write(f" {printer.values([flag])} : {flag.type}, [\n{text}\n{printer.indentation}]")


def numbers_attribute(numbers: list[int], element: IntegerType) -> Attribute:
    """The numbers of cases, as a vector."""
    wrapped = [number % 2**element.bits for number in numbers]
    array: Array = np.array(wrapped, np.uint64).astype(element.dtype)
    return dense_elements(VectorType((len(numbers),), element, (False,)), array)


def case_numbers(attribute: Attribute | None) -> list[int]:
    """The numbers of the cases of a switch, unsigned as MLIR prints them."""
    if not isinstance(attribute, DenseElementsAttribute):
        return []
    bits = attribute.type.element_type.bits
    return [int(number) % 2**bits for number in attribute.array.ravel().tolist()]


DIRECTIVES: Final[dict[str, Directive]] = {
    "Branch": SuccessorWithOperands(0, "destOperands"),
    "TrueBranch": SuccessorWithOperands(0, "trueDestOperands"),
    "FalseBranch": SuccessorWithOperands(1, "falseDestOperands"),
    "Weights": BranchWeights(),
    "SwitchCases": SwitchCases(),
}

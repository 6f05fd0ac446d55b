"""Operations on symbolic sizes give, for the typical sizes, what they give on numbers."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.dialects.registry import OPERATIONS, names_in
from stablemate.dialects.symbolic_evaluation import evaluate_on_sizes, holds_sizes
from stablemate.ir.definition import Op
from stablemate.numerics.elements import Array
from stablemate.numerics.symbolic_sizes import Assumptions, SizeValueError, typical_of

NUMBERS: Final = ((7, 12), (-7, -12), (3, 5))  # typical sizes, and numbers made of them

# The operations, on tensors of two integers; the operands are in turn sizes and numbers.
OPERATORS: Final = {
    "add": "stablehlo.add %x, %y : tensor<2xi32>",
    "subtract": "stablehlo.subtract %x, %y : tensor<2xi32>",
    "multiply": "stablehlo.multiply %x, %y : tensor<2xi32>",
    "divide": "stablehlo.divide %x, %y : tensor<2xi32>",
    "remainder": "stablehlo.remainder %x, %y : tensor<2xi32>",
    "maximum": "stablehlo.maximum %x, %y : tensor<2xi32>",
    "minimum": "stablehlo.minimum %x, %y : tensor<2xi32>",
    "negate": "stablehlo.negate %x : tensor<2xi32>",
    "abs": "stablehlo.abs %x : tensor<2xi32>",
    "sign": "stablehlo.sign %x : tensor<2xi32>",
    "clamp": "stablehlo.clamp %y, %x, %x : tensor<2xi32>",
    "compare": "stablehlo.compare GT, %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>",
    "convert": "stablehlo.convert %x : (tensor<2xi32>) -> tensor<2xi64>",
    "nonzero": "stablehlo.convert %x : (tensor<2xi32>) -> tensor<2xi1>",
    "reverse": "stablehlo.reverse %x, dims = [0] : tensor<2xi32>",
    "slice": "stablehlo.slice %x [1:2] : (tensor<2xi32>) -> tensor<1xi32>",
    "reshape": "stablehlo.reshape %x : (tensor<2xi32>) -> tensor<2x1xi32>",
    "broadcast": "stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xi32>) -> tensor<3x2xi32>",
    "concatenate": "stablehlo.concatenate %x, %y, dim = 0 "
    ": (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>",
}


def operation_of(text: str) -> Op:
    """The operation of a program."""
    result = text.rpartition("-> ")[2] if "->" in text else text.rpartition(": ")[2]
    module = sm.parse(
        f"func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> {result} "
        f"{{ %0 = {text}\n return %0 : {result} }}"
    )
    operation = next(op for op in module.operation.walk() if op.name.startswith("stablehlo."))
    assert isinstance(operation, Op)
    return operation


def sizes_of(numbers: tuple[int, ...], assumptions: Assumptions) -> Array:
    """Sizes, or their opposites, whose typical values are these numbers."""
    sizes = [assumptions.variable(abs(number)) for number in numbers]
    array: Array = np.empty(len(numbers), object)
    array[:] = [s if number > 0 else -s for s, number in zip(sizes, numbers, strict=True)]
    return array


def typical(array: Array) -> list[int]:
    """The numbers that elements are for the typical sizes."""
    return [int(typical_of(item)) for item in array.reshape(-1)]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("divisors", [(3, 5), (4, 4)])
def test_sizes_follow_numbers(
    name: str, numbers: tuple[int, ...], divisors: tuple[int, ...]
) -> None:
    operation = operation_of(OPERATORS[name])
    count = len(set(operation.operands))
    known = [np.array(numbers, np.int32), np.array(divisors, np.int32)]
    expected = operation.evaluate(*operands_of(operation, known))
    sizes = sizes_of(numbers, Assumptions())
    for operands in ([sizes, known[1]], [sizes, sizes_of(divisors, Assumptions())])[: count + 1]:
        if holds_sizes(operands[1]):
            both = Assumptions()
            operands = [sizes_of(numbers, both), sizes_of(divisors, both)]
        found = evaluate_on_sizes(operation, operands_of(operation, operands))
        assert found is not None
        assert found.shape == np.shape(expected)
        assert typical(found) == np.asarray(expected).reshape(-1).astype(int).tolist()


def operands_of(operation: Op, arrays: list[Array]) -> list[Array]:
    """The arrays in the places of the arguments that are operands."""
    return [arrays[value.index] for value in operation.operands]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "condition", "expected"),
    [("and", [True, False], [True, False]), ("or", [True, False], [True, True])],
)
def test_conditions_are_combined(name: str, condition: list[bool], expected: list[bool]) -> None:
    operation = next(
        op
        for op in sm.parse(
            f"func.func @main(%p: tensor<2xi1>) -> tensor<2xi1> {{ %t = stablehlo.constant "
            f"dense<true> : tensor<2xi1>\n %0 = stablehlo.{name} %p, %t : tensor<2xi1>\n "
            "return %0 : tensor<2xi1> }"
        ).operation.walk()
        if op.name == f"stablehlo.{name}"
    )
    assert isinstance(operation, Op)
    found = evaluate_on_sizes(operation, [np.array(condition), np.array([True, True])])
    assert found is not None
    assert found.tolist() == expected


def test_signs_of_counted_sizes_are_not_assumed() -> None:
    operation = operation_of(OPERATORS["maximum"])
    counted = Assumptions()
    sizes: Array = np.empty(2, object)
    sizes[:] = [counted.symbol(5, 0), counted.symbol(7, 0)]
    with pytest.raises(SizeValueError, match="the sign of"):
        evaluate_on_sizes(operation, [sizes, np.array([3, 3], np.int32)])
    found = evaluate_on_sizes(operation, [sizes, np.array([-1, 0], np.int32)])
    assert found is not None
    assert typical(found) == [5, 7]


def test_places_that_are_sizes_are_unknown() -> None:
    module = sm.parse(
        "func.func @main(%x: tensor<4xi32>, %i: tensor<i32>) -> tensor<1xi32> {"
        " %0 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<4xi32>, tensor<i32>)"
        " -> tensor<1xi32>\n return %0 : tensor<1xi32> }"
    )
    operation = next(op for op in module.operation.walk() if op.name == "stablehlo.dynamic_slice")
    assert isinstance(operation, Op)
    place: Array = np.array(Assumptions().variable(2), object)
    assert evaluate_on_sizes(operation, [np.arange(4), place]) is None
    sizes = sizes_of((4, 5, 6, 7), Assumptions())
    found = evaluate_on_sizes(operation, [sizes, np.array(2, np.int32)])
    assert found is not None
    assert typical(found) == [6]


def test_operations_with_functions_of_sizes_fold() -> None:
    """What is computed on sizes is determined by the specification on numbers."""
    for name in names_in("stablehlo"):
        cls = OPERATIONS[name]
        if getattr(cls, "of_sizes", None) is not None:
            assert "FOLDABLE" in str(cls.definition.traits), name

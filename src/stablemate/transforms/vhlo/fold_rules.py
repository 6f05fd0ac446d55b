"""The values that results of arith, shape and tensor equal: the rules of `folding`.

Source: MLIR, folds of the arith, shape and tensor dialects.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseElementsAttribute,
    FloatAttribute,
    IntegerAttribute,
    attribute_as,
)
from stablemate.ir.core import Operation, OpResult, Value
from stablemate.ir.types import Attribute, TensorType
from stablemate.numerics.elements import FloatType, IntegerType
from stablemate.numerics.literal_data import is_raw, number_of, raw_numbers

Values: TypeAlias = "tuple[Value, ...]"
Fold: TypeAlias = Callable[[Operation, Values], "Value | None"]

EQUAL: Final = 0  # conditions of arith.cmpi
NOT_EQUAL: Final = 1
CONSTANTS: Final = frozenset(
    ["arith.constant", "shape.const_shape", "shape.const_size", "shape.const_witness"]
)


def is_constant(value: Value[TensorType]) -> bool:
    """Whether a constant operation makes a value."""
    return maker_name(value) in CONSTANTS


def maker_name(value: Value[TensorType]) -> str:
    """The name of the operation that makes a value; nothing for an argument."""
    return value.operation.name if isinstance(value, OpResult) else ""


def made_by(value: Value[TensorType], name: str) -> Values | None:
    """The operands of the operation of this name that makes a value; None if another one does."""
    if not isinstance(value, OpResult) or value.operation.name != name:
        return None
    return tuple(value.operation.operands)


def attribute_of_maker(value: Value[TensorType], name: str) -> Attribute | None:
    """An attribute of the operation that makes a value."""
    return value.operation.attributes.get(name) if isinstance(value, OpResult) else None


def number(value: Value) -> float | None:
    """The number of a constant, or of a constant that one number fills; None for other values.

    Booleans are 0 and -1, as signed numbers.
    """
    if not isinstance(value, OpResult) or value.operation.name != "arith.constant":
        return None
    literal = value.operation.attributes.get("value")
    result, element = stored_number(literal), element_type(value)
    if result is not None and getattr(element, "is_boolean", False):
        return -int(result)
    return None if result is None else result


def stored_number(literal: Attribute | None) -> float | None:
    """The number that a literal has, or is filled with; None if Python has no such number."""
    match literal:
        case IntegerAttribute():
            return literal.value
        case FloatAttribute():
            return number_of(literal.bits, literal.type)
        case DenseElementsAttribute(data=data) if data.size == 1:
            element = literal.type.element_type
            if not is_raw(data.dtype):
                first: float = data[0].item() if hasattr(data[0], "item") else data[0]
                return first
            if isinstance(element, IntegerType | FloatType):
                return number_of(raw_numbers(data, element)[0], element)
            return None
        case _:
            return None


def element_type(value: Value) -> Any:
    """The type of a scalar, or of the elements of a tensor."""
    return getattr(value.type, "element_type", value.type)


# ---- rules


def first_of(*rules: Fold) -> Fold:
    """The value of the first rule that gives one."""

    def fold(operation: Operation, operands: Values) -> Value[TensorType] | None:
        values = (rule(operation, operands) for rule in rules)
        return next((value for value in values if value is not None), None)

    return fold


def neutral(accepts: Callable[[float, Any], bool]) -> Fold:
    """The first operand if the second one is a neutral number of its type."""

    def fold(_: Operation, operands: Values) -> Value[TensorType] | None:
        value = number(operands[1])
        fits = value is not None and accepts(value, element_type(operands[1]))
        return operands[0] if fits else None

    return fold


def absorbing_operand(accepts: Callable[[float, Any], bool]) -> Fold:
    """The second operand if its number absorbs every other one."""

    def fold(_: Operation, operands: Values) -> Value[TensorType] | None:
        value = number(operands[1])
        fits = value is not None and accepts(value, element_type(operands[1]))
        return operands[1] if fits else None

    return fold


def same(_: Operation, operands: Values) -> Value[TensorType] | None:
    """The first operand if all are equal."""
    return operands[0] if all(value is operands[0] for value in operands) else None


def only(_: Operation, operands: Values) -> Value[TensorType] | None:
    """Returns the operand of an operation that has one."""
    return operands[0] if len(operands) == 1 else None


def of_same_type(operation: Operation, operands: Values) -> Value[TensorType] | None:
    """The operand if it has the type of the result."""
    return operands[0] if operands[0].type == operation.results[0].type else None


def operand_of_inverse(*names: str) -> Fold:
    """The value that an inverse conversion was applied to."""

    def fold(operation: Operation, operands: Values) -> Value[TensorType] | None:
        for name in names:
            inner = made_by(operands[0], name)
            if inner is not None and inner[0].type == operation.results[0].type:
                return inner[0]
        return None

    return fold


def cancel_inverse(name: str, kept: int, canceled_by: int, side: int) -> Fold:
    """An operand of the operation on one side, if its other operand is the one on the other side.

    Args:
        name: The inner operation.
        kept: The operand of it that remains.
        canceled_by: The operand of it that is canceled.
        side: The operand of the outer operation that it makes.
    """

    def fold(_: Operation, operands: Values) -> Value[TensorType] | None:
        inner = made_by(operands[side], name)
        cancels = inner is not None and inner[canceled_by] is operands[1 - side]
        return inner[kept] if inner is not None and cancels else None

    return fold


def part(position: int) -> Fold:
    """The part of a complex number that is assembled from parts."""

    def fold(_: Operation, operands: Values) -> Value[TensorType] | None:
        parts = made_by(operands[0], "complex.create")
        return parts[position] if parts is not None else None

    return fold


def fold_complex_parts(_: Operation, operands: Values) -> Value[TensorType] | None:
    """The complex number whose parts these are."""
    real, imaginary = made_by(operands[0], "complex.re"), made_by(operands[1], "complex.im")
    if real is None or imaginary is None or real[0] is not imaginary[0]:
        return None
    return real[0]


def complex_constant(real: float, imaginary: float) -> Fold:
    """The first operand if the second one is this complex number."""

    def fold(_: Operation, operands: Values) -> Value[TensorType] | None:
        if maker_name(operands[1]) != "complex.constant":
            return None
        literal = attribute_of_maker(operands[1], "value")
        items = literal.items if isinstance(literal, ArrayAttribute) else ()
        fits = [*map(stored_number, items)] == [real, imaginary]
        return operands[0] if fits else None

    return fold


def divided_product(_: Operation, operands: Values) -> Value[TensorType] | None:
    """The other factor of a product without overflow that is divided by a factor."""
    inner = made_by(operands[0], "arith.muli")
    if inner is None or "nsw" not in str(attribute_of_maker(operands[0], "overflowFlags")):
        return None
    return next((inner[1 - i] for i in (0, 1) if inner[i] is operands[1]), None)


def inner_operand(name: str) -> Fold:
    """The operand that is such an operation of the other operand already."""

    def fold(_: Operation, operands: Values) -> Value[TensorType] | None:
        for i in (0, 1):
            inner = made_by(operands[i], name)
            if inner is not None and any(value is operands[1 - i] for value in inner):
                return operands[i]
        return None

    return fold


def complement(_: Operation, operands: Values) -> Value[TensorType] | None:
    """The constant of all ones: a value or its complement."""
    for i in (0, 1):
        inner = made_by(operands[i], "arith.xori")
        if inner is not None and inner[0] is operands[1 - i] and number(inner[1]) == -1:
            return inner[1]
    return None


def fold_select(_: Operation, operands: Values) -> Value[TensorType] | None:
    """The value that a constant selects, or the only one that may be selected."""
    condition, true, false = operands
    if true is false:
        return true
    value = number(condition)
    if value is not None:
        return true if value else false
    if getattr(true.type, "is_boolean", False) and (number(true), number(false)) == (-1, 0):
        return condition
    return selected_by_comparison(condition, true, false)


def selected_by_comparison(
    condition: Value[TensorType], true: Value[TensorType], false: Value[TensorType]
) -> Value[TensorType] | None:
    """A value that a comparison of both for equality selects."""
    compared = made_by(condition, "arith.cmpi")
    if compared is None or {*compared} != {true, false}:
        return None
    predicate = attribute_of_maker(condition, "predicate")
    if not isinstance(predicate, IntegerAttribute):
        return None
    return {0: false, 1: true}.get(predicate.value)


def fold_comparison(operation: Operation, operands: Values) -> Value[TensorType] | None:
    """The boolean that a comparison with a constant only repeats."""
    return compared_boolean(operation.attributes, operands)


def compared_boolean(
    attributes: Mapping[str, Attribute], operands: Values
) -> Value[TensorType] | None:
    """The boolean that a comparison with these attributes only repeats.

    That is one compared with true for equality, or it or an extension of it with false for
    inequality.
    """
    if operands[0] is operands[1]:
        return None
    predicate = attribute_as(attributes, "predicate", IntegerAttribute)
    value, compared_with = operands[0], number(operands[1])
    if predicate.value == NOT_EQUAL and compared_with == 0:
        for name in ("arith.extsi", "arith.extui"):
            inner = made_by(value, name)
            if inner is not None and is_boolean(inner[0]):
                return inner[0]
        return value if is_boolean(value) else None
    return value if predicate.value == EQUAL and is_boolean(value) and compared_with == -1 else None


def is_boolean(value: Value[TensorType]) -> bool:
    """Whether a value is a boolean, or has elements that are."""
    return bool(getattr(element_type(value), "is_boolean", False))


def fold_extract(_: Operation, operands: Values) -> Value[TensorType] | None:
    """The element of a tensor that is assembled from elements, at constant indices."""
    elements = made_by(operands[0], "tensor.from_elements")
    indices = [number(value) for value in operands[1:]]
    if elements is None or any(index is None for index in indices):
        return None
    position = 0
    for index, size in zip(indices, operands[0].type.shape, strict=True):
        position = position * size + int(index or 0)
    return elements[position] if 0 <= position < len(elements) else None


def is_zero(value: object, _: object) -> bool:
    """Whether a number is zero, of whatever sign."""
    return bool(value == 0)


def is_positive_zero(value: float, _: object) -> bool:
    """Whether a float is 0."""
    return value == 0 and math.copysign(1.0, value) > 0


def is_negative_zero(value: float, _: object) -> bool:
    """Whether a float is -0."""
    return value == 0 and math.copysign(1.0, value) < 0


def is_one(value: object, element: object) -> bool:
    """Whether a number is one; of a boolean, true."""
    return bool(value == (-1 if getattr(element, "is_boolean", False) else 1))


def has_all_ones(value: float, element: IntegerType) -> bool:
    """Whether all bits of an integer are set."""
    return bool(element.wrap(int(value)) == element.wrap(-1))


def is_nan(value: float, _: object) -> bool:
    """Whether a float is no number."""
    return math.isnan(value)


def is_largest(value: float, element: IntegerType) -> bool:
    """Whether a signed integer is the largest one; of booleans, as numbers of one bit, 0."""
    return bool(value == (0 if element.is_boolean else element.maximum))


def is_smallest(value: float, element: IntegerType) -> bool:
    """Whether a signed integer is the smallest one; of booleans, as numbers of one bit, -1."""
    return bool(value == (-1 if element.is_boolean else element.minimum))


def unless_constant(rule: Fold) -> Fold:
    """The rule, but for one constant twice, of which MLIR makes a new constant that it drops."""

    def fold(operation: Operation, operands: Values) -> Value[TensorType] | None:
        is_one_constant = operands[0] is operands[-1] and is_constant(operands[0])
        return None if is_one_constant else rule(operation, operands)

    return fold


ONE: Final = neutral(is_one)
NO_SHIFT: Final = neutral(is_zero)
FOLDS: Final[Mapping[str, Fold]] = {
    "arith.addi": first_of(
        neutral(is_zero),
        cancel_inverse("arith.subi", 0, 1, 0),
        cancel_inverse("arith.subi", 0, 1, 1),
    ),
    "arith.subi": first_of(
        unless_constant(neutral(is_zero)),
        cancel_inverse("arith.addi", 0, 1, 0),
        cancel_inverse("arith.addi", 1, 0, 0),
    ),
    "arith.muli": first_of(absorbing_operand(is_zero), ONE),
    "arith.divsi": first_of(ONE, divided_product),
    "arith.divui": ONE,
    "arith.ceildivsi": ONE,
    "arith.ceildivui": ONE,
    "arith.floordivsi": ONE,
    "arith.andi": first_of(
        absorbing_operand(is_zero), neutral(has_all_ones), unless_constant(same),
        inner_operand("arith.andi"),
    ),
    "arith.ori": first_of(unless_constant(same), neutral(is_zero), complement),
    "arith.xori": first_of(
        neutral(is_zero), cancel_inverse("arith.xori", 0, 1, 0),
        cancel_inverse("arith.xori", 1, 0, 0), cancel_inverse("arith.xori", 0, 1, 1),
        cancel_inverse("arith.xori", 1, 0, 1),
    ),
    "arith.shli": NO_SHIFT,
    "arith.shrsi": NO_SHIFT,
    "arith.shrui": NO_SHIFT,
    "arith.maxsi": first_of(
        same, absorbing_operand(is_largest), neutral(is_smallest)
    ),
    "arith.minsi": first_of(
        same, absorbing_operand(is_smallest), neutral(is_largest)
    ),
    "arith.maxui": first_of(same, absorbing_operand(has_all_ones), neutral(is_zero)),
    "arith.minui": first_of(same, absorbing_operand(is_zero), neutral(has_all_ones)),
    "arith.addf": neutral(is_negative_zero),
    "arith.subf": neutral(is_positive_zero),
    "arith.mulf": ONE,
    "arith.divf": ONE,
    "arith.negf": operand_of_inverse("arith.negf"),
    "arith.maximumf": first_of(same, neutral(lambda v, _: v == -math.inf)),
    "arith.minimumf": first_of(same, neutral(lambda v, _: v == math.inf)),
    "arith.maxnumf": first_of(same, neutral(is_nan)),
    "arith.minnumf": first_of(same, neutral(is_nan)),
    "arith.cmpi": fold_comparison,
    "arith.select": fold_select,
    "arith.trunci": operand_of_inverse("arith.extui", "arith.extsi"),
    "arith.truncf": operand_of_inverse("arith.extf"),
    "arith.index_cast": operand_of_inverse("arith.index_cast"),
    "arith.index_castui": operand_of_inverse("arith.index_castui"),
    "complex.re": part(0),
    "complex.im": part(1),
    "complex.create": fold_complex_parts,
    "complex.neg": operand_of_inverse("complex.neg"),
    "complex.conj": operand_of_inverse("complex.conj"),
    "complex.exp": operand_of_inverse("complex.log"),
    "complex.log": operand_of_inverse("complex.exp"),
    "complex.add": first_of(cancel_inverse("complex.sub", 0, 1, 0), complex_constant(0.0, 0.0)),
    "complex.sub": first_of(cancel_inverse("complex.add", 0, 1, 0), complex_constant(0.0, 0.0)),
    "complex.mul": complex_constant(1.0, 0.0),
    "complex.div": complex_constant(1.0, 0.0),
    "shape.max": same,
    "shape.min": same,
    "shape.broadcast": only,
    "shape.size_to_index": of_same_type,
    "shape.to_extent_tensor": of_same_type,
    "tensor.cast": of_same_type,
    "tensor.extract": fold_extract,
}  # fmt: skip

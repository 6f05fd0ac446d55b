"""Type promotion: the element type in which an operator with several operands computes.

Source: PyTorch, tensor attributes, "type promotion".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.frontends.tensor_functions.tensor import Tensor, TensorLike, real_part
from stablemate.numerics.elements import (
    BOOLEAN,
    F32,
    F64,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)

INT64: Final = IntegerType(64)
UINT8: Final = IntegerType(8, "unsigned")
CATEGORIES: Final = ("boolean", "integer", "float", "complex")


def category(element: ElementType) -> int:
    """The place of an element type among booleans, integers, floats and complex numbers."""
    if isinstance(element, IntegerType):
        return int(not element.is_boolean)
    return 3 if isinstance(element, ComplexType) else 2


def element_of_number(number: object) -> ElementType:
    """The element type of a Python number; PyTorch's default one of floats is float32."""
    if isinstance(number, bool):
        return BOOLEAN
    if isinstance(number, complex):
        return ComplexType(F32)
    return F32 if isinstance(number, float) else INT64


def promoted_element(operands: Sequence[TensorLike]) -> ElementType:
    """The element type to which operands are converted.

    Tensors with dimensions decide; tensors without dimensions, then numbers, only where they are
    of a higher category.
    """
    ranks: list[list[ElementType]] = [[], [], []]
    for operand in operands:
        if isinstance(operand, Tensor):
            ranks[0 if operand.rank else 1].append(operand.element)
        else:
            ranks[2].append(element_of_number(operand))
    chosen: ElementType | None = None
    for elements in ranks:
        if not elements:
            continue
        candidate = elements[0]
        for element in elements[1:]:
            candidate = common_element(candidate, element)
        chosen = candidate if chosen is None else promote_pair(chosen, candidate)
    assert chosen is not None
    return chosen


def promote_pair(element: ElementType, other: ElementType) -> ElementType:
    """An element type, or one of the category of another that has a lower priority."""
    if category(other) <= category(element):
        return element
    if isinstance(other, ComplexType) and isinstance(element, FloatType):
        return ComplexType(F64 if element == F64 else F32)
    return other


def common_element(one: ElementType, other: ElementType) -> ElementType:
    """The smallest element type to which two of the same priority are converted."""
    if one == other:
        return one
    low, high = sorted((one, other), key=category)
    if category(low) != category(high):
        if isinstance(high, ComplexType) and isinstance(low, FloatType):
            return ComplexType(common_float(low, real_part(high)))
        return high
    if isinstance(low, ComplexType):
        return ComplexType(common_float(real_part(low), real_part(high)))
    if isinstance(low, FloatType):
        return common_float(low, high)
    return common_integer(low, high)


def common_float(one: ElementType, other: ElementType) -> FloatType:
    """The wider of two floats; float32 for two different ones of 16 bits or less."""
    assert isinstance(one, FloatType)
    assert isinstance(other, FloatType)
    if one == other:
        return one
    if one.bits == other.bits:
        return F32
    return max(one, other, key=lambda element: element.bits)


def common_integer(one: ElementType, other: ElementType) -> ElementType:
    """The wider of two integers; a signed one of more bits if signs differ."""
    assert isinstance(one, IntegerType)
    assert isinstance(other, IntegerType)
    if one.signedness == other.signedness:
        return max(one, other, key=lambda element: element.bits)
    signed = one if not one.is_unsigned else other
    unsigned = other if signed is one else one
    return IntegerType(min(max(signed.bits, 2 * unsigned.bits), 64))

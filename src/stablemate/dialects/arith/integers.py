"""Functions of signless integers, for every width.

Booleans and integers of less than a byte are computed in bytes; results wrap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.numerics.elements import Array, IndexType, IntegerType

Integer: TypeAlias = IntegerType | IndexType
OfInteger: TypeAlias = Callable[[Integer], Function]

NATIVE: Final = (8, 16, 32, 64)
LOW_HALF: Final = (1 << 32) - 1  # of 64 bits


def is_native(element: Integer) -> bool:
    """Whether NumPy computes with the elements in their storage type."""
    return element.bits in NATIVE


def as_signed(values: Array, element: Integer) -> Array:
    """The bits as signed numbers; true is -1."""
    if is_native(element):
        return values
    numbers = values.astype(np.int8)
    return -numbers if element.is_boolean else numbers


def as_unsigned(values: Array, element: Integer) -> Array:
    """The bits as unsigned numbers."""
    if is_native(element):
        return values.view(f"u{element.bits // 8}")
    return values.astype(np.uint8) & np.uint8((1 << element.bits) - 1)


def as_element(numbers: Array, element: Integer) -> Array:
    """The lowest bits of numbers as elements."""
    if is_native(element):
        return numbers.view(element.dtype)
    return numbers.astype(element.dtype) if not element.is_boolean else (numbers & 1).astype(bool)


def on_signed(function: Function) -> OfInteger:
    """A function of signed numbers, as a function of elements."""

    def of(element: Integer) -> Function:
        if is_native(element):
            return function
        return lambda *operands: as_element(
            function(*[as_signed(x, element) for x in operands]), element
        )

    return of


def on_unsigned(function: Function) -> OfInteger:
    """A function of unsigned numbers, as a function of elements."""

    def of(element: Integer) -> Function:
        return lambda *operands: as_element(
            function(*[as_unsigned(x, element) for x in operands]), element
        )

    return of


def floor_quotient(lhs: Array, rhs: Array) -> Array:
    """Divides and rounds toward negative infinity."""
    return lhs // rhs


def ceiling_quotient(lhs: Array, rhs: Array) -> Array:
    """Divides and rounds toward positive infinity."""
    quotient: Array = lhs // rhs + (lhs % rhs != 0).astype(lhs.dtype)
    return quotient


def low_product(element: Integer) -> Function:
    """The low half of a product, whose sign does not matter."""
    return on_signed(np.multiply)(element)


def high_unsigned_product(element: Integer) -> Function:
    """The high half of an unsigned product."""

    def product(lhs: Array, rhs: Array) -> Array:
        a, b = as_unsigned(lhs, element), as_unsigned(rhs, element)
        wide = high_of_64(a, b) if element.bits == 64 else shifted_product(a, b, element.bits)
        return as_element(wide.astype(a.dtype), element)

    return product


def shifted_product(lhs: Array, rhs: Array, bits: int) -> Array:
    """The bits of a product above its lowest ones."""
    return (lhs.astype(np.uint64) * rhs.astype(np.uint64)) >> np.uint64(bits)


def high_of_64(lhs: Array, rhs: Array) -> Array:
    """The high 64 bits of a product of 64-bit numbers, from four products of their halves."""
    half, mask = np.uint64(32), np.uint64(LOW_HALF)
    a, b, c, d = lhs >> half, lhs & mask, rhs >> half, rhs & mask
    middle = a * d + (b * d >> half)
    other = b * c + (middle & mask)
    high: Array = a * c + (middle >> half) + (other >> half)
    return high


def high_signed_product(element: Integer) -> Function:
    """The high half of a signed product: the unsigned one, less an operand per negative other."""
    product = high_unsigned_product(element)

    def correct(lhs: Array, rhs: Array) -> Array:
        high, a, b = (as_signed(x, element) for x in (product(lhs, rhs), lhs, rhs))
        return as_element(high - (a < 0) * b - (b < 0) * a, element)

    return correct

"""Operations on the bits of numbers: infinities, neighbors, upper halves of products."""

from __future__ import annotations

import math
from typing import Final, cast

from stablemate.numerics.elements import F32, I32, UI64, FloatType, IntegerType
from stablemate.transforms.chlo.arithmetic import (
    bits_as,
    convert,
    is_finite,
    is_nan,
    maximum,
    where,
)
from stablemate.transforms.chlo.expressions import TensorExpression

# Formats that have no integer of their width, nor infinities: smallest normal number.
ODD_FORMATS: Final = {"f6E2M3FN": 1.0, "f6E3M2FN": 0.25}
F32_FRACTION: Final = 0x7FFFFF
LOW_HALF: Final = 0xFFFFFFFF


def is_inf(x: TensorExpression) -> TensorExpression:
    """Whether x is infinite: neither finite nor NaN."""
    return ~is_finite(x) & x.equals(x)


def is_pos_inf(x: TensorExpression) -> TensorExpression:
    """Not finite, but larger than zero."""
    return ~is_finite(x) & (x > 0.0)


def is_neg_inf(x: TensorExpression) -> TensorExpression:
    """Not finite, but less than zero."""
    return ~is_finite(x) & (x < 0.0)


def next_after(x: TensorExpression, y: TensorExpression) -> TensorExpression:
    """The float next to x in the direction of y: its bits, as an integer, plus or minus one."""
    element = cast(FloatType, x.element)
    if element.name in ODD_FORMATS:
        return next_by_rounding(x, y, element)
    integer = IntegerType(element.bits)
    bits = bits_as(x, integer)
    sign_bit = 1 << (element.bits - 1)
    grows = where(x < 0.0, y < x, y > x)
    stepped = bits + where(grows, bits.constant(1), -1)
    stepped = where(x.equals(0.0), where(y < 0.0, bits.constant(sign_bit | 1), 1), stepped)
    if element.name.endswith("FNUZ"):  # the bits of -0 are NaN
        stepped = where(stepped.equals(sign_bit), 0, stepped)
    result = where(x.equals(y), y, bits_as(stepped, element))
    return where(is_nan(x) | is_nan(y), x.constant(math.nan), result)


def next_by_rounding(
    x: TensorExpression, y: TensorExpression, element: FloatType
) -> TensorExpression:
    """The neighbor, as what a number more than half way to it is rounded to."""
    wide, target = convert(x, F32), convert(y, F32)
    fraction = bits_as(wide, I32) & F32_FRACTION
    power = bits_as(bits_as(abs(wide), I32) - fraction, F32)
    smallest = ODD_FORMATS[element.name]
    gap = maximum(power, smallest) * 2.0 ** (1 - element.precision)
    shrinks = where(wide < 0.0, target > wide, target < wide)
    is_narrow = shrinks & fraction.equals(0) & (power > smallest)  # half the gap below a power of 2
    step = where(is_narrow, 0.375 * gap, 0.75 * gap)
    moved = convert(where(target > wide, wide + step, wide - step), element)
    return where(x.equals(y), y, moved)


def mulhi(x: TensorExpression, y: TensorExpression) -> TensorExpression:
    """The upper half of the product, which is formed in twice the width."""
    element = cast(IntegerType, x.element)
    if element.width == 64:
        return mulhi_64(x, y, element)
    wide = IntegerType(2 * element.width, element.signedness)
    return convert((convert(x, wide) * convert(y, wide)) >> element.width, element)


def mulhi_64(x: TensorExpression, y: TensorExpression, element: IntegerType) -> TensorExpression:
    """The upper half of the product of 64-bit integers, from products of 32-bit halves.

    As unsigned numbers negative ones are too large by 2^64: that is taken off again.
    """
    a, b = bits_as(x, UI64), bits_as(y, UI64)
    a_low, a_high, b_low, b_high = a & LOW_HALF, a >> 32, b & LOW_HALF, b >> 32
    middle = a_high * b_low + (a_low * b_low >> 32)
    carried = a_low * b_high + (middle & LOW_HALF)
    high = bits_as(a_high * b_high + (middle >> 32) + (carried >> 32), element)
    if element.is_unsigned:
        return high
    return high - where(x < 0, y, 0) - where(y < 0, x, 0)

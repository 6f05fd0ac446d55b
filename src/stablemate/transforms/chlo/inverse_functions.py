"""Arc functions and inverse hyperbolic functions of floats.

The formulas keep the relative accuracy at the ends of the domain, where naive ones cancel.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.functions.arithmetic import polynomial, two_product, two_sum
from stablemate.transforms.chlo.arithmetic import atan2, log1p, sqrt, where, with_sign_of
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.pairs import Pair, pair, quotient_of, root_of

# From here on log(2x) is taken for asinh(x) and acosh(x), in 32 and in 64 bits.
LARGE: Final = {False: 2.0**28, True: 2.0**60}
# abs(x) <= 0.5: (atanh(x) - x) / x^3 in x^2, within 2^-32 of atanh(x)
ATANH_F32: Final = (
    0.333333373, 0.199996218, 0.142978147, 0.109293975, 0.10524527, 0.0169569198, 0.185144529,
)  # fmt: skip


def asin(x: TensorExpression) -> TensorExpression:
    """The angle of the point ``(c, x)`` with ``c = sqrt(1 - x^2)``.

    What the root loses turns the point by x times as much.
    """
    c = leg(x)
    angle = atan2(x, c)
    if not x.is_double:
        return angle
    is_between = (abs(x) < 0.9) & (abs(x) > 2.0**-30)
    return angle - where(is_between, x * rest_of_leg(x, c), 0.0)


def acos(x: TensorExpression) -> TensorExpression:
    """The angle of the point ``(x, c)`` with ``c = sqrt(1 - x^2)``, which is rounded."""
    c = leg(x)
    angle = atan2(c, x)
    if x.formula.is_widened:
        return angle
    is_inside = (abs(x) < 1.0) & (abs(x) > 2.0**-30)
    return angle + where(is_inside, x * rest_of_leg(x, c), 0.0)


def leg(x: TensorExpression) -> TensorExpression:
    """``sqrt(1 - x^2)``."""
    return sqrt((1.0 - x) * (1.0 + x))


def rest_of_leg(x: TensorExpression, c: TensorExpression) -> TensorExpression:
    """The rounding error of ``sqrt(1 - x^2)``."""
    square, rest_of_square = two_product(x, x)
    difference, rest = two_sum(x.constant(1.0), -square)
    root, rest_of_root = two_product(c, c)
    return ((difference - root) + (rest - rest_of_square - rest_of_root)) / (2.0 * c)


def atan(x: TensorExpression) -> TensorExpression:
    """The angle of the point ``(1, x)``."""
    return atan2(x, 1.0)


def asinh(x: TensorExpression) -> TensorExpression:
    """``log1p(a + a^2 / (1 + sqrt(1 + a^2)))`` with the sign of x, where a is its magnitude."""
    a = abs(x)
    is_large = a > LARGE[x.is_double]
    if x.formula.is_widened:
        square = a * a
        grown = a + square / (1.0 + sqrt(1.0 + square))
        return with_sign_of(x, log1p_or_double(a, grown, is_large))
    near = where(is_large, 1.0, a)
    square, rest = two_product(near, near)
    total, lost = two_sum(x.constant(1.0), square)
    root = root_of(Pair(total, lost + rest))
    value, rest = two_sum(near, root.value - 1.0)
    result = log1p_or_double(a, value, is_large)
    return with_sign_of(x, result + where(is_large, 0.0, (rest + root.rest) / (1.0 + value)))


def acosh(x: TensorExpression) -> TensorExpression:
    """``log1p(t + sqrt(2t + t^2))`` with ``t = x - 1``; NaN below 1."""
    is_large = x > LARGE[x.is_double]
    if x.formula.is_widened:
        t = x - 1.0
        result = log1p_or_double(x, t + sqrt(t * (x + 1.0)), is_large)
        return where(x < 1.0, math.nan, result)
    is_end = (x <= 1.0) | is_large
    t = where(is_end, 1.0, x - 1.0)
    square, rest = two_product(t, t)
    total, lost = two_sum(2.0 * t, square)
    root = root_of(Pair(total, lost + rest))
    value, rest = two_sum(t, root.value)
    result = log1p_or_double(x, value, is_large)
    result = result + where(is_end, 0.0, (rest + root.rest) / (1.0 + value))
    return where(x < 1.0, math.nan, where(x.equals(1.0), 0.0, result))


def log1p_or_double(
    x: TensorExpression, value: TensorExpression, is_large: TensorExpression
) -> TensorExpression:
    """``log(1 + value)``, and ``log(2x)`` where x is large."""
    result = log1p(where(is_large, x, value))
    return result + where(is_large, x.constant(math.log(2.0)), 0.0)


def atanh(x: TensorExpression) -> TensorExpression:
    """``log1p(2a / (1 - a)) / 2`` with the sign of x, where a is its magnitude.

    Where the rounding errors of the quotient count, ``x + x^3 p(x^2)`` for 32 bits.
    """
    a = abs(x)
    if x.formula.is_widened:
        result = with_sign_of(x, 0.5 * log1p(2.0 * a / (1.0 - a)))
        if x.is_double:
            return result
        square = x * x
        return where(a < 0.5, x + x * (square * polynomial(square, ATANH_F32)), result)
    below, lost = two_sum(x.constant(1.0), where(a < 1.0, -a, 0.0))
    ratio = quotient_of(pair(2.0 * a), Pair(below, lost))
    corrected = log1p(ratio.value) + ratio.rest / (1.0 + ratio.value)
    return with_sign_of(x, where(a < 1.0, 0.5 * corrected, 0.5 * log1p(2.0 * a / (1.0 - a))))

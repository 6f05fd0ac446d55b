"""Arc functions and inverse hyperbolic functions of floats.

The formulas keep the relative accuracy at the ends of the domain, where naive ones cancel.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.functions import hyperbolic
from stablemate.numerics.functions.arithmetic import polynomial
from stablemate.transforms.chlo.arithmetic import atan2, log1p, sqrt, where, with_sign_of
from stablemate.transforms.chlo.expressions import TensorExpression

# From here on log(2x) is taken for asinh(x) and acosh(x), in 32 and in 64 bits.
LARGE: Final = {False: 2.0**28, True: 2.0**60}
# abs(x) <= 0.5: (atanh(x) - x) / x^3 in x^2, within 2^-32 of atanh(x)
ATANH_F32: Final = (
    0.333333373, 0.199996218, 0.142978147, 0.109293975, 0.10524527, 0.0169569198, 0.185144529,
)  # fmt: skip


def asin(x: TensorExpression) -> TensorExpression:
    """The angle of the point ``(c, x)`` with ``c = sqrt(1 - x^2)``."""
    return atan2(x, leg(x)) if x.is_widened else hyperbolic.asin(x)


def acos(x: TensorExpression) -> TensorExpression:
    """The angle of the point ``(x, c)`` with ``c = sqrt(1 - x^2)``."""
    return atan2(leg(x), x) if x.is_widened else hyperbolic.acos(x)


def leg(x: TensorExpression) -> TensorExpression:
    """``sqrt(1 - x^2)``."""
    return sqrt((1.0 - x) * (1.0 + x))


def atan(x: TensorExpression) -> TensorExpression:
    """The angle of the point ``(1, x)``."""
    return atan2(x, 1.0)


def asinh(x: TensorExpression) -> TensorExpression:
    """``log1p(a + a^2 / (1 + sqrt(1 + a^2)))`` with the sign of x, where a is its magnitude."""
    if not x.is_widened:
        return hyperbolic.asinh(x)
    a = abs(x)
    square = a * a
    grown = a + square / (1.0 + sqrt(1.0 + square))
    return with_sign_of(x, log1p_or_double(a, grown, a > LARGE[x.is_double]))


def acosh(x: TensorExpression) -> TensorExpression:
    """``log1p(t + sqrt(2t + t^2))`` with ``t = x - 1``; NaN below 1."""
    if not x.is_widened:
        return hyperbolic.acosh(x)
    t = x - 1.0
    result = log1p_or_double(x, t + sqrt(t * (x + 1.0)), x > LARGE[x.is_double])
    return where(x < 1.0, math.nan, result)


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
    if not x.is_widened:
        return hyperbolic.atanh(x)
    a = abs(x)
    result = with_sign_of(x, 0.5 * log1p(2.0 * a / (1.0 - a)))
    if x.is_double:
        return result
    square = x * x
    return where(a < 0.5, x + x * (square * polynomial(square, ATANH_F32)), result)

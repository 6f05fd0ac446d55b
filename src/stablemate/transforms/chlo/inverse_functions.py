"""Arc functions and inverse hyperbolic functions of floats.

The formulas keep the relative accuracy at the ends of the domain, where naive ones cancel.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.transforms.chlo.arithmetic import (
    atan2,
    exact_product,
    exact_sum,
    log1p,
    polynomial,
    sqrt,
    where,
    with_sign_of,
)
from stablemate.transforms.chlo.expressions import Expression

# From here on log(2x) is taken for asinh(x) and acosh(x), in 32 and in 64 bits.
LARGE: Final = {False: 2.0**28, True: 2.0**60}
# abs(x) <= 0.5: (atanh(x) - x) / x^3 in x^2, within 2^-32 of atanh(x)
ATANH_F32: Final = (
    0.333333373, 0.199996218, 0.142978147, 0.109293975, 0.10524527, 0.0169569198, 0.185144529,
)  # fmt: skip


def asin(x: Expression) -> Expression:
    """The angle of the point ``(c, x)`` with ``c = sqrt(1 - x^2)``.

    What the root loses turns the point by x times as much.
    """
    product = (1.0 - x) * (1.0 + x)
    c = sqrt(product)
    angle = atan2(x, c)
    if not x.is_double:
        return angle
    square, rest_of_square = exact_product(x, x)
    difference, rest = exact_sum(x.constant(1.0), -square)
    root, rest_of_root = exact_product(c, c)
    lost = (difference - root) + (rest - rest_of_square - rest_of_root)  # of 1 - x^2
    is_between = (abs(x) < 0.9) & (abs(x) > 2.0**-30)
    return angle - where(is_between, x * (lost / (2.0 * c)), 0.0)


def acos(x: Expression) -> Expression:
    """The angle of the point ``(x, sqrt(1 - x^2))``."""
    return atan2(sqrt((1.0 - x) * (1.0 + x)), x)


def atan(x: Expression) -> Expression:
    """The angle of the point ``(1, x)``."""
    return atan2(x, 1.0)


def asinh(x: Expression) -> Expression:
    """``log1p(a + a^2 / (1 + sqrt(1 + a^2)))`` with the sign of x, where a is its magnitude."""
    a = abs(x)
    is_large = a > LARGE[x.is_double]
    square = a * a
    grown = where(is_large, a, a + square / (1.0 + sqrt(1.0 + square)))
    return with_sign_of(x, log1p(grown) + where(is_large, x.constant(math.log(2.0)), 0.0))


def acosh(x: Expression) -> Expression:
    """``log1p(t + sqrt(2t + t^2))`` with ``t = x - 1``; NaN below 1."""
    is_large = x > LARGE[x.is_double]
    t = x - 1.0
    grown = where(is_large, x, t + sqrt(t * (x + 1.0)))
    result = log1p(grown) + where(is_large, x.constant(math.log(2.0)), 0.0)
    return where(x < 1.0, math.nan, result)


def atanh(x: Expression) -> Expression:
    """``log1p(2a / (1 - a)) / 2`` with the sign of x, where a is its magnitude.

    Where the rounding errors of the quotient count, ``x + x^3 p(x^2)`` for 32 bits.
    """
    a = abs(x)
    result = with_sign_of(x, 0.5 * log1p(2.0 * a / (1.0 - a)))
    if x.is_double:
        return result
    square = x * x
    return where(a < 0.5, x + x * (square * polynomial(square, ATANH_F32)), result)

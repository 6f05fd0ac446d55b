"""The logistic function of 64-bit floats, rounded nearly once."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from stablemate.numerics.double_doubles.arithmetic import two_product
from stablemate.numerics.elements import Array
from stablemate.numerics.large_arrays import in_blocks

LOG2E: Final = 1.4426950408889634  # log2(e)
LN2: Final = (0.6931471803691238, 1.9082149292705877e-10)  # products of the first with n are exact
# (exp(r) - 1 - r) / r^2 for abs(r) <= log(2) / 2; 2^-63
EXP: Final = (0.5, 0.16666666666666688, 0.04166666666666682, 0.008333333333314012,
              0.0013888888888788488, 0.00019841269902983363, 2.4801587522955723e-05,
              2.755722885016432e-06, 2.755710311252306e-07, 2.511400481756803e-08,
              2.0967996010729214e-09)  # fmt: skip
BIAS: Final = 1.5 * 2.0**52 + 1023  # the last bits of a sum with it are the exponent of a float
SMALLEST: Final = -746.0  # exp(x) is zero below it


def logistic_of_block(operand: Array) -> object:
    """``1 / (1 + exp(-x))``, for negative x as ``exp(x) / (1 + exp(x))``.

    Exponential, sum and quotient are computed with what they lose.
    """
    small, rest = exponential(np.maximum(-np.abs(operand), SMALLEST))
    is_negative = operand < 0
    divisor = 1.0 + small
    lost = (small - (divisor - 1.0)) + rest
    dividend = np.where(is_negative, small, 1.0)
    quotient = dividend / divisor
    product, error = two_product(quotient, divisor)
    remainder = (dividend - product) - error + np.where(is_negative, rest, 0.0)
    return quotient + (remainder - quotient * lost) / divisor


logistic: Final = in_blocks(logistic_of_block, np.dtype(np.float64))


def exponential(x: Array) -> tuple[Any, Any]:
    """``exp(x)`` of numbers that are not positive, and what it lacks."""
    n = np.rint(x * LOG2E)  # at least -1076
    upper, fine = x - n * LN2[0], n * LN2[1]
    r = upper - fine
    tail = np.full_like(r, EXP[-1])
    for coefficient in EXP[-2::-1]:
        tail = coefficient + r * tail
    tail = (r * r) * tail + ((upper - r) - fine)
    whole = 1.0 + r
    tail = tail + (r - (whole - 1.0))
    value = whole + tail
    half = np.trunc(n * 0.5)
    lower, upper = power_of_two(half), power_of_two(n - half)
    return value * lower * upper, (tail - (value - whole)) * lower * upper


def power_of_two(n: Array) -> Array:
    """``2^n`` of integers between -1022 and 1023."""
    return ((n + BIAS).view(np.int64) << 52).view(np.float64)

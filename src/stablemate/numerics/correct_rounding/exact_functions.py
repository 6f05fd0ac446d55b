"""Functions of arrays of finite floats, rounded to odd 64-bit floats, by operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from stablemate.numerics.correct_rounding import elementary_digits, special_digits
from stablemate.numerics.correct_rounding.odd_doubles import by_digits, towards
from stablemate.numerics.correct_rounding.ziv_rounding import Function
from stablemate.numerics.double_doubles.arithmetic import two_product
from stablemate.numerics.elements import Array

TINY: Final = 2.0**-60  # x / 2 of narrow floats below it is exp(-abs(x)) I1(x) to 60 bits
LARGEST_EXPONENT: Final = 25  # larger powers of floats that are half way between two are fractions


def power(x: Array, y: Array) -> Array:
    """``x^y``; products that are exact, as squares of integers, are found without many digits."""
    product, is_exact = exact_products(x, y)
    result = np.array(product)
    rest = ~is_exact
    result[rest] = power_by_digits(x[rest], y[rest])
    return result


power_by_digits: Final = by_digits(elementary_digits.power)


def exact_products(x: Array, y: Array) -> tuple[Array, Array]:
    """Powers whose exponents are small natural numbers, and where they are exact."""
    is_exact = (y == np.rint(y)) & (y >= 1) & (y <= LARGEST_EXPONENT)
    product, count = x, int(np.max(y, where=is_exact, initial=1))
    for k in range(2, count + 1):
        is_factor = is_exact & (k <= y)
        next_product, lost = two_product(product, x)
        is_exact = is_exact & (~is_factor | (lost == 0))
        product = np.where(is_factor, next_product, product)
    return product, is_exact


def bessel_i1e(x: Array) -> Array:
    """``exp(-abs(x)) I1(x)``; near zero ``x / 2 - x abs(x) / 2``, of which x / 2 is often a tie."""
    is_tiny = np.abs(x) < TINY
    half = np.asarray(0.5 * x.astype(np.float64))
    result = np.array(towards(half, -np.sign(half)))
    result[~is_tiny] = bessel_i1e_by_digits(x[~is_tiny])
    return result


bessel_i1e_by_digits: Final = by_digits(special_digits.bessel_i1e)


EXACT: Final[Mapping[str, Function]] = {
    "acos": by_digits(elementary_digits.acos),
    "acosh": by_digits(elementary_digits.acosh),
    "asin": by_digits(elementary_digits.asin),
    "asinh": by_digits(elementary_digits.asinh),
    "atan": by_digits(elementary_digits.atan),
    "atan2": by_digits(elementary_digits.atan2),
    "atanh": by_digits(elementary_digits.atanh),
    "bessel_i1e": bessel_i1e,
    "cosh": by_digits(elementary_digits.cosh),
    "digamma": by_digits(special_digits.digamma),
    "erf": by_digits(special_digits.erf),
    "erf_inv": by_digits(special_digits.erf_inv),
    "erfc": by_digits(special_digits.erfc),
    "lgamma": by_digits(special_digits.lgamma),
    "polygamma": by_digits(special_digits.polygamma),
    "power": power,
    "sinh": by_digits(elementary_digits.sinh),
    "zeta": by_digits(special_digits.zeta),
}

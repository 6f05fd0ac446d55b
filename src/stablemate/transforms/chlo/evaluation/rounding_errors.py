"""How much functions that are computed in 64 bits for narrower floats may be off.

The bounds are what was measured against many digits, at most two units, with a margin of eight.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from stablemate.numerics.correct_rounding.ziv_rounding import Function
from stablemate.numerics.elements import Array
from stablemate.transforms.chlo.polygamma import FACTORIALS, LARGEST_FACTORIAL

LOST: Final = 2.0**-44  # of terms that may cancel, relatively


class LargestErrors(NamedTuple):
    """The largest error of a function.

    Attributes:
        units: In units in the last place of the result.
        further: In addition, if an operand is negative: a function of the operands. None: nothing.
    """

    units: int
    further: Function | None = None


def of_gamma(x: Array) -> object:
    """The error of lgamma and digamma: of negative numbers, logarithms may cancel."""
    numbers = x.astype(np.float64)
    size = np.log2(np.abs(numbers) + 2.0)
    return np.where(numbers < 0, size * LOST, 0.0)


def of_zeta(x: Array, q: Array) -> Array:
    """The error of zeta: for negative q, sums of powers from both sides of zero may cancel."""
    return np.where(q.astype(np.float64) < 0, largest_power(x.astype(np.float64), q) * LOST, 0.0)


def of_polygamma(n: Array, x: Array) -> Array:
    """The error of polygamma, which is a multiple of zeta, or digamma."""
    order, numbers = n.astype(np.float64), x.astype(np.float64)
    index = np.clip(np.nan_to_num(order), 0, LARGEST_FACTORIAL).astype(np.int64)
    size = np.array(FACTORIALS)[index] * (largest_power(order + 1.0, x) + 1.0)
    size = size + np.log2(np.abs(numbers) + 2.0)
    return np.where(numbers < 0, size * LOST, 0.0)


def largest_power(s: Array, x: Array) -> Array:
    """``d^-s`` with the distance d from the nearest integer: the largest of the terms."""
    numbers = x.astype(np.float64)
    return np.abs(numbers - np.rint(numbers)) ** -s


ERRORS: Final[Mapping[str, LargestErrors]] = {
    **dict.fromkeys(
        (
            *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "sinh"),
            *("bessel_i1e", "erf", "erf_inv", "erfc"),
        ),
        LargestErrors(16),
    ),
    "digamma": LargestErrors(16, of_gamma),
    "lgamma": LargestErrors(16, of_gamma),
    "polygamma": LargestErrors(64, of_polygamma),
    "zeta": LargestErrors(64, of_zeta),
}

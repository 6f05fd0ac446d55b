"""Errors in units in the last place."""

from __future__ import annotations

import math
from typing import Any, Final

import ml_dtypes
import mpmath
import numpy as np

from tools.accuracy.exact import NEGLIGIBLE

WRONG: Final = math.inf  # NaN or infinity for a number, or the other sign of zero


class Format:
    """What the distance of two floats is in a format.

    Attributes:
        digits: Bits of the significand.
        lowest: Exponent of the unit in the last place of the smallest numbers.
        largest: The largest number.
        has_infinity: Whether what is larger becomes infinite; else NaN.
        has_nan: Whether there is a NaN.
        has_negative_zero: Whether zeros have signs.
        is_signed: Whether there are negative numbers, and a zero.
    """

    def __init__(self, dtype: Any) -> None:
        info = ml_dtypes.finfo(dtype)
        self.digits = int(info.nmant) + 1
        self.lowest = math.frexp(float(info.smallest_subnormal))[1] - 1
        self.largest = float(info.max)
        with np.errstate(all="ignore"):
            special = np.array([np.inf, np.nan, -0.0, -1.0]).astype(dtype).astype(np.float64)
        self.has_infinity = bool(np.isinf(special[0]))
        self.has_nan = bool(np.isnan(special[1]))
        self.has_negative_zero = bool(special[2] == 0 and np.signbit(special[2]))
        self.is_signed = bool(special[3] == -1)

    def unit(self, exact: Any) -> Any:
        """The unit in the last place of a number."""
        exponent = int(mpmath.frexp(exact)[1]) if exact else self.lowest
        return mpmath.ldexp(1, max(exponent - self.digits, self.lowest))

    def error(self, actual: float, exact: Any) -> float:
        """How many units a result is off."""
        with mpmath.workprec(200):
            return self.distance(actual, exact)

    def distance(self, actual: float, exact: Any) -> float:
        """The same, in the current precision."""
        if mpmath.isnan(exact):
            return 0.0
        if math.isnan(actual):
            return WRONG if self.has_infinity or abs(exact) <= self.largest else 0.0
        magnitude = abs(exact)
        if magnitude < mpmath.ldexp(1, NEGLIGIBLE):
            if actual == 0:
                is_zero = magnitude == mpmath.ldexp(1, 2 * NEGLIGIBLE)
                agrees = math.copysign(1, actual) == mpmath.sign(exact) or exact == 0 or not is_zero
                return 0.0 if agrees else WRONG
            return float(abs(mpmath.mpf(actual)) / self.unit(mpmath.mpf(0)))
        if mpmath.isinf(exact):
            return 0.0 if mpmath.mpf(actual) == exact else WRONG
        beyond = mpmath.mpf(2) * mpmath.ldexp(1, math.frexp(self.largest)[1] - 1)
        if math.isinf(actual):
            if (actual > 0) != (exact > 0):
                return WRONG
            unit = self.unit(mpmath.mpf(self.largest))
            return float(max(beyond - magnitude, 0) / unit)
        clipped = mpmath.sign(exact) * min(magnitude, beyond)
        return float(
            abs(mpmath.mpf(actual) - clipped)
            / min(self.unit(clipped), self.unit(mpmath.mpf(self.largest)))
        )

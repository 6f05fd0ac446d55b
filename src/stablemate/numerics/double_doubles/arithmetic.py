"""Double-double arithmetic with an unbounded exponent: a pair of 64-bit floats, and an exponent.

Intermediate results may cancel, and neither overflow nor underflow; the result is rounded once.

Source: T. J. Dekker, "A floating-point technique for extending the available precision", 1971;
D. E. Knuth, The Art of Computer Programming, volume 2, section 4.2.2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stablemate.numerics.elements import Array
from stablemate.numerics.functions.arithmetic import dekker_product, two_sum

Doubles: TypeAlias = NDArray[np.float64]
Exponents: TypeAlias = NDArray[np.int64]
Number: TypeAlias = "DoubleDouble | float"

SPLITTER: Final = 134217729.0  # 2^27 + 1
EXPONENT_OF_ZERO: Final = -(1 << 40)  # below each exponent of a number
NOTHING_LEFT: Final = -400  # shifted by this, a number is negligible beside another one


def two_product(a: Doubles, b: Doubles) -> tuple[Doubles, Doubles]:
    """The rounded product, and the rounding error."""
    return dekker_product(a, b, SPLITTER)


class DoubleDouble:
    """``(high + low) * 2^exponent``, element by element; 1/2 <= abs(high) < 1, or zero.

    Attributes:
        high: The leading part.
        low: The remainder, at most half a unit in the last place of ``high``.
        exponent: The power of two.
    """

    __slots__ = ("exponent", "high", "low")
    high: Array
    low: Array
    exponent: Array

    def __init__(self, high: Any, low: Any = 0.0, exponent: object = 0) -> None:
        """Creates numbers from finite parts, of which the second is far smaller."""
        total = high + low
        rest = low - (total - high)
        self.high, shift = np.frexp(total)
        self.low = np.ldexp(rest, -shift)
        self.exponent = np.where(
            self.high == 0, EXPONENT_OF_ZERO, exponent + shift.astype(np.int64)
        )

    @staticmethod
    def exactly(numbers: Any) -> DoubleDouble:
        """64-bit floats unchanged, with the signs of zeros."""
        result = DoubleDouble.__new__(DoubleDouble)
        result.high, shift = np.frexp(numbers)
        result.low = 0.0 * result.high
        result.exponent = np.where(result.high == 0, EXPONENT_OF_ZERO, shift.astype(np.int64))
        return result

    @staticmethod
    def of(number: Number | Fraction) -> DoubleDouble:
        """A constant, or the numbers themselves."""
        if isinstance(number, DoubleDouble):
            return number
        high = float(number)
        return DoubleDouble(np.float64(high), np.float64(float(Fraction(number) - Fraction(high))))

    @property
    def value(self) -> Array:
        """The numbers as 64-bit floats; infinite beyond their range."""
        exponent = np.clip(self.exponent, -2200, 2200).astype(np.int32)
        return np.asarray(np.ldexp(self.high + self.low, exponent))

    @property
    def is_negative(self) -> Array:
        """Where the sign bit is set."""
        return np.asarray(np.signbit(self.high))

    @property
    def is_zero(self) -> Array:
        """Where the number is zero."""
        return np.asarray(self.high == 0)

    def parts_at(self, exponent: Exponents) -> tuple[Doubles, Doubles]:
        """Both parts relative to an exponent that is not smaller."""
        shift = np.maximum(self.exponent - exponent, NOTHING_LEFT).astype(np.int32)
        return np.ldexp(self.high, shift), np.ldexp(self.low, shift)

    def scale(self, exponent: object) -> DoubleDouble:
        """The numbers times a power of two."""
        return DoubleDouble(self.high, self.low, self.exponent + exponent)

    def where(self, condition: Any, other: Number) -> DoubleDouble:
        """These numbers where the condition holds, others elsewhere."""
        rest = DoubleDouble.of(other)
        result = DoubleDouble.__new__(DoubleDouble)
        result.high = np.where(condition, self.high, rest.high)
        result.low = np.where(condition, self.low, rest.low)
        result.exponent = np.where(condition, self.exponent, rest.exponent)
        return result

    def __neg__(self) -> DoubleDouble:
        return DoubleDouble(-self.high, -self.low, self.exponent)

    def __abs__(self) -> DoubleDouble:
        return (-self).where(self.is_negative, self)

    def __add__(self, other: Number) -> DoubleDouble:
        rhs = DoubleDouble.of(other)
        exponent = np.maximum(self.exponent, rhs.exponent)
        (a, a_low), (b, b_low) = self.parts_at(exponent), rhs.parts_at(exponent)
        high, rest = two_sum(a, b)
        low, rest_of_low = two_sum(a_low, b_low)
        rest = rest + low
        total = high + rest
        return DoubleDouble(total, (rest - (total - high)) + rest_of_low, exponent)

    def __sub__(self, other: Number) -> DoubleDouble:
        return self + -DoubleDouble.of(other)

    def __mul__(self, other: Number) -> DoubleDouble:
        rhs = DoubleDouble.of(other)
        product, rest = two_product(self.high, rhs.high)
        rest = rest + (self.high * rhs.low + self.low * rhs.high)
        return DoubleDouble(product, rest, self.exponent + rhs.exponent)

    def __truediv__(self, other: Number) -> DoubleDouble:
        rhs = DoubleDouble.of(other)
        divisor = np.where(rhs.high == 0, np.nan, rhs.high)
        quotient = self.high / divisor
        product, rest = two_product(quotient, divisor)
        remainder = (self.high - product) - rest + (self.low - quotient * rhs.low)
        exponent = np.where(self.high == 0, EXPONENT_OF_ZERO, self.exponent - rhs.exponent)
        return DoubleDouble(quotient, remainder / divisor, exponent)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: float) -> DoubleDouble:
        return DoubleDouble.of(other) - self

    def __rtruediv__(self, other: float) -> DoubleDouble:
        return DoubleDouble.of(other) / self

    def __pow__(self, exponent: int) -> DoubleDouble:
        """Raises to a small positive power by repeated multiplication."""
        result = self
        for _ in range(exponent - 1):
            result = result * self
        return result


def sqrt(x: DoubleDouble) -> DoubleDouble:
    """The square root of numbers that are not negative."""
    odd = x.exponent & 1
    high, low = np.ldexp(x.high, odd.astype(np.int32)), np.ldexp(x.low, odd.astype(np.int32))
    root = np.sqrt(high)
    square, rest = two_product(root, root)
    correction = ((high - square) - rest + low) / np.where(root == 0, 1, 2 * root)
    return DoubleDouble(
        root, correction, np.where(x.is_zero, EXPONENT_OF_ZERO, (x.exponent - odd) >> 1)
    )


def maximum(x: DoubleDouble, y: DoubleDouble) -> DoubleDouble:
    """Selects the larger one, element by element; y where they are unordered."""
    return x.where((x - y).high >= 0, y)

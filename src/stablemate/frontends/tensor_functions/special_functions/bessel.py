"""Bessel functions of the first and second kind, of orders 0 and 1.

Source: S. L. Moshier, Cephes Mathematical Library, j0.c, j1.c; DLMF 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, pi, sqrt
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.special_functions import bessel_coefficients as table
from stablemate.frontends.tensor_functions.special_functions.series import ratio
from stablemate.frontends.tensor_functions.tensor import Tensor

J0_ZEROS: Final = (5.783185962946785, 30.471262343662087)  # the squares of the first two
J1_ZEROS: Final = (14.681970642123893, 49.2184563216946)


@dataclass(frozen=True, slots=True)
class Oscillation:
    """The form of a pair of Bessel functions for large numbers.

    Attributes:
        shift: What is subtracted from x in sine and cosine.
        cosine: Numerator and denominator of the factor of the cosine in J.
        sine: The same of the sine.
    """

    shift: float
    cosine: tuple[Sequence[float], Sequence[float]]
    sine: tuple[Sequence[float], Sequence[float]]


ORDER_0: Final = Oscillation(
    pi / 4,
    (table.COSINE_NUMERATOR_0, table.COSINE_DENOMINATOR_0),
    (table.SINE_NUMERATOR_0, table.SINE_DENOMINATOR_0),
)
ORDER_1: Final = Oscillation(
    3 * pi / 4,
    (table.COSINE_NUMERATOR_1, table.COSINE_DENOMINATOR_1),
    (table.SINE_NUMERATOR_1, table.SINE_DENOMINATOR_1),
)


def oscillation(x: Tensor, form: Oscillation) -> tuple[Tensor, Tensor]:
    """The functions of first and second kind of numbers greater than 5."""
    z, angle = f.square(5 / x), x - form.shift
    p, q = ratio(z, *form.cosine), 5 / x * ratio(z, *form.sine)
    scale = sqrt(2 / pi) * f.rsqrt(x)
    sine, cosine = f.sin(angle), f.cos(angle)
    return (p * cosine - q * sine) * scale, (p * sine + q * cosine) * scale


def bessel_j0(x: Tensor) -> Tensor:
    """The Bessel function of the first kind of order 0."""
    size = abs(x)
    z = f.square(size)
    small = (z - J0_ZEROS[0]) * (z - J0_ZEROS[1])
    small = small * ratio(z, table.J0_NUMERATOR, table.J0_DENOMINATOR)
    return f.select(size <= 5, small, oscillation(size, ORDER_0)[0])


def bessel_j1(x: Tensor) -> Tensor:
    """The Bessel function of the first kind of order 1, an odd function."""
    size = abs(x)
    z = f.square(size)
    small = size * (z - J1_ZEROS[0]) * (z - J1_ZEROS[1])
    small = small * ratio(z, table.J1_NUMERATOR, table.J1_DENOMINATOR)
    result = f.select(size <= 5, small, oscillation(size, ORDER_1)[0])
    return f.select(x < 0, -result, result)


def bessel_y0(x: Tensor) -> Tensor:
    """The Bessel function of the second kind of order 0; NaN of negative numbers."""
    small = ratio(f.square(x), table.Y0_NUMERATOR, table.Y0_DENOMINATOR)
    small = small + 2 / pi * f.log(x) * bessel_j0(x)
    return f.select(x > 5, oscillation(x, ORDER_0)[1], small)


def bessel_y1(x: Tensor) -> Tensor:
    """The Bessel function of the second kind of order 1; NaN of negative numbers."""
    small = x * ratio(f.square(x), table.Y1_NUMERATOR, table.Y1_DENOMINATOR)
    small = small + 2 / pi * (bessel_j1(x) * f.log(x) - 1 / x)
    result = f.select(x > 5, oscillation(x, ORDER_1)[1], small)
    return f.select(x.equals(0), -inf, result)


def spherical_bessel_j0(x: Tensor) -> Tensor:
    """sin(x) / x, 1 of 0, 0 of infinity."""
    quotient = f.select(x.equals(0), 1, f.sin(x) / x)
    return f.select(abs(x).equals(inf), 0, quotient)

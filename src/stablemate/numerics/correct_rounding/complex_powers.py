"""Powers of complex numbers in many digits, for angles that are large or nearly quarter turns."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import Final

import numpy as np

from stablemate.numerics.array_limits import broadcast_together
from stablemate.numerics.correct_rounding.elementary_digits import (
    atan2,
    cosine,
    is_negligible,
    pi_digits,
    sine,
)
from stablemate.numerics.elements import Array

DIGITS: Final = 390  # angles of less than 10^312, of which 78 digits are left after whole turns
CONTEXT: Final = Context(prec=DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation])
NEAR_ONE: Final = Fraction(1, 8)


def powers(x: Array, y: Array) -> Array:
    """``exp(y log(x))`` of vectors of finite numbers, x not zero; each part is rounded once."""
    with localcontext(CONTEXT):
        return np.array([power(complex(a), complex(b)) for a, b in zip(x, y, strict=True)])


def power(x: complex, y: complex) -> complex:
    """The power of one number, in the digits of the current context."""
    height, rest, quarters = logarithm_of_power(x, y)
    modulus = height.exp()
    real, imag = modulus * cosine(rest), modulus * sine(rest)
    for _ in range(quarters):
        real, imag = -imag, real
    return complex(float(real), float(imag))


def logarithm_of_power(x: complex, y: complex) -> tuple[Decimal, Decimal, int]:
    """The logarithm of the modulus of a power, and its angle: a rest and quarter turns modulo 4."""
    logarithm, angle = log_modulus(x), atan2(Decimal(x.imag), Decimal(x.real))
    c, d = Decimal(y.real), Decimal(y.imag)
    turned = c * angle + d * logarithm
    quarters = (turned / (pi_digits() / 2)).to_integral_value()
    rest = turned - quarters * (pi_digits() / 2)
    return c * logarithm - d * angle, rest, int(quarters) % 4


def power_terms(which: Array, *parts: Array) -> Sequence[Array]:
    """The parts of powers, as ``power_log`` and further operators of kernels name them.

    Args:
        which: The elements to compute: those that are not zero.
        parts: The real and the imaginary part of the base, and those of the exponent.

    Returns:
        The logarithm of the modulus in two parts with an exponent of two, likewise the angle but
        for quarter turns, and their number; exponents and number are the bits of an ``i64``.
    """
    open_, *numbers = broadcast_together(which, *parts)
    result = np.zeros((7, *open_.shape))
    with localcontext(CONTEXT):
        for place in np.argwhere(open_ != 0):
            a, b, c, d = (float(number[tuple(place)]) for number in numbers)
            height, rest, quarters = logarithm_of_power(complex(a, b), complex(c, d))
            words = [*scaled_pair(height), *scaled_pair(rest), float_of_bits(quarters)]
            result[(slice(None), *place)] = words
    return [np.asarray(row) for row in result]


def scaled_pair(x: Decimal) -> tuple[float, float, float]:
    """A number as the sum of two floats times two to the bits of the third."""
    exponent = int((abs(x).ln() / Decimal(2).ln()).to_integral_value()) if x else 0
    scaled = x / Decimal(2) ** exponent
    high = float(scaled)
    return high, float(scaled - Decimal(high)), float_of_bits(exponent)


def float_of_bits(number: int) -> float:
    """The ``f64`` of the bits of an ``i64``."""
    return float(np.int64(number).view(np.float64))


def log_modulus(x: complex) -> Decimal:
    """``log(a^2 + b^2) / 2``; near 1 by the excess over 1."""
    square = Fraction(x.real) ** 2 + Fraction(x.imag) ** 2
    excess = square - 1
    if abs(excess) > NEAR_ONE:
        return decimal(square).ln() / 2
    return atanh(decimal(excess / (2 + excess)))


def decimal(number: Fraction) -> Decimal:
    """A fraction, rounded to the digits of the current context."""
    return Decimal(number.numerator) / Decimal(number.denominator)


def atanh(x: Decimal) -> Decimal:
    """The inverse hyperbolic tangent of a small number, by its series."""
    total, power_of_x, k = x, x, 1
    while not is_negligible(power_of_x, total):
        power_of_x, k = power_of_x * x * x, k + 2
        total += power_of_x / k
    return total

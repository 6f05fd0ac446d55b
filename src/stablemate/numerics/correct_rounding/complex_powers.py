"""Powers of complex numbers in many digits, for angles that are large or nearly quarter turns."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import Final

import numpy as np

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
    logarithm, angle = log_modulus(x), atan2(Decimal(x.imag), Decimal(x.real))
    c, d = Decimal(y.real), Decimal(y.imag)
    modulus = (c * logarithm - d * angle).exp()
    turned = c * angle + d * logarithm
    quarters = (turned / (pi_digits() / 2)).to_integral_value()
    rest = turned - quarters * (pi_digits() / 2)
    real, imag = modulus * cosine(rest), modulus * sine(rest)
    for _ in range(int(quarters) % 4):
        real, imag = -imag, real
    return complex(float(real), float(imag))


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

"""Elementary functions of decimal numbers, in the digits of the current context."""

from __future__ import annotations

from decimal import Decimal, getcontext
from functools import cache
from typing import Final

from stablemate.numerics.double_doubles import elementary as double_double_math

ONE: Final = Decimal(1)
HALVINGS: Final = 5  # of an angle, before its series
EXACT_DIGITS: Final = 100  # a power that agrees with a 64-bit float in as many is that float


@cache
def pi_digits() -> Decimal:
    """Computes pi to 390 decimal digits."""
    bits = double_double_math.DIGITS
    context = getcontext().copy()
    context.prec = 390
    return context.divide(Decimal(double_double_math.pi()), Decimal(1 << bits))


def is_negligible(term: Decimal, total: Decimal) -> bool:
    """Whether a term does not change a sum."""
    return term == 0 or term.adjusted() < total.adjusted() - getcontext().prec - 5


def alternating_series(first: Decimal, square: Decimal, start: int) -> Decimal:
    """``first (1 - square / ((start + 1) (start + 2)) + ...)``: a sine or a cosine."""
    total = term = first
    k = start
    while not is_negligible(term, total):
        term = -term * square / ((k + 1) * (k + 2))
        total, k = total + term, k + 2
    return total


def sine(x: Decimal) -> Decimal:
    """The sine of a number of at most a few turns."""
    return alternating_series(x, x * x, 1)


def cosine(x: Decimal) -> Decimal:
    """The cosine of a number of at most a few turns."""
    return alternating_series(ONE, x * x, 0)


def atan(x: Decimal) -> Decimal:
    """Computes the arc tangent by halving the argument, then its Taylor series."""
    if abs(x) > 1:
        return (pi_digits() / 2).copy_sign(x) - atan(1 / x)
    for _ in range(HALVINGS):
        x = x / (1 + (1 + x * x).sqrt())
    total, power, k = x, x, 1
    while not is_negligible(power, total):
        power, k = -power * x * x, k + 2
        total += power / k
    return total * (1 << HALVINGS)


def atan2(y: Decimal, x: Decimal) -> Decimal:
    """The angle of the point (x, y), not the origin."""
    if x == 0:
        return (pi_digits() / 2).copy_sign(y)
    angle = atan(y / x)
    return angle if x > 0 else angle + pi_digits().copy_sign(y)


def asin(x: Decimal) -> Decimal:
    """Computes the arc sine as atan2(x, sqrt(1 - x^2))."""
    return atan2(x, (1 - x * x).sqrt())


def acos(x: Decimal) -> Decimal:
    """Computes the arc cosine as atan2(sqrt(1 - x^2), x)."""
    return atan2((1 - x * x).sqrt(), x)


def asinh(x: Decimal) -> Decimal:
    """Computes log(|x| + sqrt(x^2 + 1)) with the sign of x."""
    a = abs(x)
    return (a + (a * a + 1).sqrt()).ln().copy_sign(x)


def acosh(x: Decimal) -> Decimal:
    """Computes log(x + sqrt(x^2 - 1))."""
    return (x + (x * x - 1).sqrt()).ln()


def atanh(x: Decimal) -> Decimal:
    """Computes log((1 + x) / (1 - x)) / 2."""
    return ((1 + x) / (1 - x)).ln() / 2


def sinh(x: Decimal) -> Decimal:
    """Computes the hyperbolic sine from e^x and e^-x."""
    return (x.exp() - (-x).exp()) / 2


def cosh(x: Decimal) -> Decimal:
    """Computes the hyperbolic cosine from e^x and e^-x."""
    return (x.exp() + (-x).exp()) / 2


def power(x: Decimal, y: Decimal) -> Decimal:
    """``x^y``; the base is positive, or the exponent an integer."""
    magnitude = (y * abs(x).ln()).exp()
    simple = Decimal(float(magnitude))
    if abs(magnitude - simple) <= magnitude.scaleb(-EXACT_DIGITS):
        magnitude = simple
    is_odd = y == y.to_integral_value() and y % 2 != 0
    return -magnitude if x < 0 and is_odd else magnitude

"""Error, Bessel and gamma functions of decimal numbers, in about 90 digits or more."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import ceil, factorial
from statistics import NormalDist
from typing import Final

from stablemate.numerics.correct_rounding.elementary_digits import (
    ONE,
    cosine,
    is_negligible,
    pi_digits,
    sine,
)

ASYMPTOTIC: Final = 250  # from here on a Bessel function has its asymptotic series
FAR: Final = 100  # from here on logarithms of gamma have Stirling's series
TERMS: Final = 60  # of a series with Bernoulli numbers
LAST: Final = Decimal("1e-100")  # terms of a sum that are smaller, relatively, are left out
NEWTON_STEPS: Final = 7  # each doubles the number of correct digits: 2^7 is more than 100
CENTER: Final = Decimal("1e-5")  # the inverse of erf is nearly linear below it


# ---- error and Bessel functions


def erf(x: Decimal) -> Decimal:
    """The error function, of numbers up to about 30."""
    total = power = x
    k = 0
    while not is_negligible(power, total):
        k += 1
        power = -power * x * x / k
        total += power / (2 * k + 1)
    return 2 * total / pi_digits().sqrt()


def erfc(x: Decimal) -> Decimal:
    """``1 - erf(x)``."""
    return 1 - erf(x)


def erf_inv(x: Decimal) -> Decimal:
    """The inverse of the error function, by Newton's method."""
    half_root = pi_digits().sqrt() / 2
    result = x * half_root
    if abs(x) > CENTER:
        quantile = -NormalDist().inv_cdf(float((1 - abs(x)) / 2))
        result = (Decimal(quantile) / Decimal(2).sqrt()).copy_sign(x)
    for _ in range(NEWTON_STEPS):
        result -= (erf(result) - x) * half_root * (result * result).exp()
    return result


def bessel_i1e(x: Decimal) -> Decimal:
    """``exp(-a) I1(a)`` with the sign of x, where a is its magnitude."""
    a = abs(x)
    value = bessel_far(a) if a > ASYMPTOTIC else (-a).exp() * bessel_near(a)
    return value.copy_sign(x)


def bessel_near(a: Decimal) -> Decimal:
    """``I1(a)``, by its power series."""
    term = total = a / 2
    k = 0
    while not is_negligible(term, total):
        k += 1
        term = term * a * a / (4 * k * (k + 1))
        total += term
    return total


def bessel_far(a: Decimal) -> Decimal:
    """``exp(-a) I1(a)``, by its asymptotic series."""
    term = total = ONE
    for k in range(1, ASYMPTOTIC):
        term = -term * (4 - (2 * k - 1) ** 2) / (8 * k * a)
        total += term
    return total / (2 * pi_digits() * a).sqrt()


# ---- gamma functions


@cache
def bernoulli() -> tuple[Fraction, ...]:
    """The Bernoulli numbers 2, 4, 6, ... as fractions."""
    row: list[Fraction] = []
    numbers: list[Fraction] = []
    for m in range(2 * TERMS + 1):  # by the triangle of Akiyama and Tanigawa
        row.append(Fraction(1, m + 1))
        for j in range(m, 0, -1):
            row[j - 1] = j * (row[j - 1] - row[j])
        numbers.append(row[0])
    return tuple(numbers[2::2])


def bernoulli_decimals() -> Iterator[tuple[int, Decimal]]:
    """The Bernoulli numbers with their indices."""
    for k, number in enumerate(bernoulli(), 1):
        yield 2 * k, Decimal(number.numerator) / number.denominator


def lgamma(x: Decimal) -> Decimal:
    """The logarithm of the absolute value of the gamma function."""
    if x < 0:
        sine_of = sine(pi_digits() * (x - x.to_integral_value()))
        return (pi_digits() / abs(sine_of)).ln() - lgamma(1 - x)
    product = ONE
    while x < FAR:
        product, x = product * x, x + 1
    tail = sum((b / (n * (n - 1) * x ** (n - 1)) for n, b in bernoulli_decimals()), Decimal(0))
    constant = (2 * pi_digits()).ln() / 2
    return (x - Decimal("0.5")) * x.ln() - x + constant + tail - product.ln()


def digamma(x: Decimal) -> Decimal:
    """The derivative of the logarithm of gamma, to the precision of the context."""
    if x < 0:
        angle = pi_digits() * (x - x.to_integral_value())
        return digamma(1 - x) - pi_digits() * cosine(angle) / sine(angle)
    steps = Decimal(0)
    while x < FAR:
        steps, x = steps + 1 / x, x + 1
    tail = sum((b / (n * x**n) for n, b in bernoulli_decimals()), Decimal(0))
    return x.ln() - 1 / (2 * x) - tail - steps


def polygamma(n: Decimal, x: Decimal) -> Decimal:
    """The derivative of order n of digamma."""
    if n == 0:
        return digamma(x)
    s = n + 1
    if x > 0:
        magnitude = (lgamma(s) - s * x.ln()).exp() * ratios(s, x)
    else:
        magnitude = lgamma(s).exp() * zeta(s, x)
    return -magnitude if n % 2 == 0 else magnitude


def zeta(x: Decimal, q: Decimal) -> Decimal:
    """The Hurwitz zeta function; of negative q, x is an integer."""
    if q > 0:
        return (-x * q.ln()).exp() * ratios(x, q)
    fraction = q - q.to_integral_value(rounding="ROUND_FLOOR")
    mirrored = zeta(x, 1 - fraction) - zeta(x, 1 - q)
    return zeta(x, fraction) + (mirrored if x % 2 == 0 else -mirrored)


def ratios(s: Decimal, q: Decimal) -> Decimal:
    """The sum of ``(q / (q + k))^s`` over k = 0, 1, ..., by Euler-Maclaurin summation.

    Source: F. Johansson, "Rigorous high-precision computation of the Hurwitz zeta function and its
    derivatives", 2015, formula (5).
    """
    total = Decimal(0)
    for k in range(max(0, ceil(s + 2 * TERMS - q))):
        term = (s * (q / (q + k)).ln()).exp()
        total += term
        if term < total * LAST:
            return total
    a = max(q, q + ceil(s + 2 * TERMS - q))
    power = (s * (q / a).ln()).exp()
    total += power * a / (s - 1) + power / 2
    factor = power * s / a
    for n, number in bernoulli_decimals():
        term = number / factorial(n) * factor
        total += term
        if abs(term) < total * LAST:
            return total
        factor = factor * (s + n - 1) * (s + n) / (a * a)
    return total

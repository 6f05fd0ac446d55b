"""Quotients of ``f32`` by a number that is known, without a division.

A division takes as long as sixteen products. Here the reciprocal of the divisor is a sum of two
floats, and the quotient a product and a fused product, if they round as the quotient does.

Source: Brisebarre, Muller, Raina, "Accelerating correctly rounded floating-point division when the
divisor is known in advance", 2004. Which divisors their method suits is found out for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import frexp, isfinite
from typing import Final

import numpy as np

from stablemate.compiler.loops.expressions import Expression
from stablemate.numerics.elements import Array

DIGITS: Final = 24  # bits of the significand of f32
# The product of a dividend and a reciprocal of two floats is within 2^-44 of the quotient, relative
# to it. A quotient that may round to another float is as near to the middle of two floats: the rest
# of ``hard_dividends`` is not larger.
LARGEST_REST: Final = 32
PLAIN: Final = 2.0**126  # divisors up to this, and their reciprocals, are no subnormal numbers
INTEGRAL: Final = ("rint", "floor", "ceil", "round", "sitofp", "uitofp")  # give integers
NEAR: Final = 2.0**40  # the rests of reciprocals of divisors up to this are no subnormal numbers
SMALLEST_QUOTIENT: Final = -100  # an exponent: products with rests of reciprocals are normal, too
DEEPEST: Final = 12  # operations between a dividend and the integers that it is computed from
HALF_EXPONENT: Final = -24  # f16 are multiples of the smallest subnormal one
ANY: Final = 1 << 10  # zero is a multiple of every power of two


def quotient(value: Expression, divisor: Expression) -> Expression:
    """The quotient of two floats, rounded correctly.

    It is computed without a division where the divisor is known, and no quotient is subnormal:
    where the dividend is computed from integers, as that of pixels is, or from ``f16``.
    """
    table = value.table
    if divisor.operator == "constant" and value.type == "f32":
        number = number_of(divisor)
        if 1 / NEAR <= number <= NEAR:
            exponent = granularity(value)
            if exponent is not None and exponent - frexp(number)[1] >= SMALLEST_QUOTIENT:
                return quotient_by(value, number)
    return table.apply("fdiv", value, divisor)


def number_of(constant: Expression) -> float:
    """The number of a constant of ``f32``."""
    bits = constant.detail
    assert isinstance(bits, int)
    return float(np.uint32(bits).view(np.float32))


def is_integral(value: Expression) -> bool:
    """Whether a float is surely an integer, or infinite or NaN."""
    if value.operator in ("fadd", "fsub"):  # rounded sums of integers are integers
        return all(map(is_integral, value.operands))
    if value.operator == "constant" and value.type == "f32":
        return number_of(value).is_integer()
    return value.operator in INTEGRAL


def granularity(value: Expression, depth: int = DEEPEST) -> int | None:
    """An exponent e such that an ``f32`` is surely a multiple of ``2^e``, infinite or NaN.

    A rounded sum or product of multiples is a multiple, too: floats that are farther apart than
    ``2^e`` are multiples of their distance. None: no exponent is known.
    """
    if not depth:
        return None
    match value.operator:
        case "constant":
            return lowest_exponent(number_of(value))
        case operator if operator in INTEGRAL:
            return 0
        case "decode_f16":
            return HALF_EXPONENT
        case "fneg" | "fabs" | "fadd" | "fsub" | "maximum" | "minimum":
            terms = [[operand] for operand in value.operands]
        case "select":
            terms = [[operand] for operand in value.operands[1:]]
        case "fmul":
            terms = [[*value.operands]]
        case "fma" | "multiply_add":
            terms = [[*value.operands[:2]], [value.operands[2]]]
        case _:
            return None
    least = ANY
    for factors in terms:
        exponents = [granularity(factor, depth - 1) for factor in factors]
        known = [exponent for exponent in exponents if exponent is not None]
        if len(known) < len(exponents):
            return None
        least = min(least, sum(known))
    return least


def lowest_exponent(number: float) -> int | None:
    """The exponent of the last digit of a float that is not zero."""
    if not isfinite(number):
        return None
    numerator, denominator = number.as_integer_ratio()
    if not numerator:
        return ANY
    return (numerator & -numerator).bit_length() - denominator.bit_length()


def quotient_by(value: Expression, divisor: float) -> Expression:
    """An ``f32`` divided by a float, rounded correctly unless it is subnormal.

    A subnormal quotient may differ from the correct one; both round to the same integer. The
    product with the reciprocal in ``f64`` is within 2^-51 of the quotient, which is farther than
    2^-49 from the middle of two ``f32`` (both relative to it): it rounds as the quotient does.
    """
    table = value.table
    if not 1 / PLAIN <= divisor < PLAIN:
        return value / divisor
    if frexp(divisor)[0] == 0.5:  # a power of two
        return value * (1 / divisor)
    factors = reciprocal(divisor)
    if factors is not None:
        high, low = (table.constant(factor, "f32") for factor in factors)
        return table.apply("fma", value, high, value * low)
    wide = table.convert("fpext", value, "f64") * table.constant(1.0 / divisor, "f64")
    return table.convert("fptrunc", wide, "f32")


@lru_cache(maxsize=4096)
def reciprocal(divisor: float) -> tuple[float, float] | None:
    """Two floats by which quotients are ``fma(value, first, value * second)``; None: none is known.

    Both are positive, so that infinity divided is infinity.

    Args:
        divisor: An ``f32`` that is no power of two.
    """
    if not 1 / NEAR <= divisor <= NEAR:
        return None
    dividends = np.array([*hard_dividends(divisor)], np.float32)
    return next(
        (
            (float(high), float(low))
            for high, low in reciprocals(divisor)
            if divides(dividends, divisor, high, low)
        ),
        None,
    )


def reciprocals(divisor: float) -> Iterator[tuple[np.float32, np.float32]]:
    """Sums of two positive floats that are nearly the reciprocal of a float."""
    high = np.float32(1 / divisor)
    if Fraction(float(high)) * Fraction(divisor) > 1:
        high = np.nextafter(high, np.float32(0))
    for first in (high, np.nextafter(high, np.float32(0))):
        rest = np.float32(float(1 / Fraction(divisor) - Fraction(float(first))))
        for second in (rest, np.nextafter(rest, first), np.nextafter(rest, np.float32(0))):
            yield first, second


def divides(dividends: Array, divisor: float, high: np.float32, low: np.float32) -> bool:
    """Whether a product and a fused product give the quotients, with room for other roundings."""
    exact = dividends.astype(np.float64) * np.float64(high)  # 48 digits
    total = exact + (dividends * low).astype(np.float64)
    quotients = dividends / np.float32(divisor)
    bounds = np.nextafter(total, -np.inf), np.nextafter(total, np.inf)
    return all(np.array_equal(bound.astype(np.float32), quotients) for bound in bounds)


def hard_dividends(divisor: float) -> Iterator[int]:
    """All integers of 24 digits whose quotient by a float is nearly in the middle of two floats.

    With integers A and B of 24 digits for dividend and divisor, and an odd M of 25 digits for the
    middle, these are the solutions of ``2^s A - M B = r`` with a small r; s is 24 or 25.
    """
    whole = int(frexp(divisor)[0] * 2**DIGITS)
    twos = (whole & -whole).bit_length() - 1
    odd = whole >> twos
    for shift in (DIGITS, DIGITS + 1):
        power = pow(2, shift - twos, odd)
        for rest in range(-LARGEST_REST, LARGEST_REST + 1):
            if rest % (1 << twos) or not (rest >> twos) % 2:
                continue
            least = (rest >> twos) * pow(power, -1, odd) % odd
            first = least + -(-((1 << DIGITS - 1) - least) // odd) * odd
            yield from range(first, 1 << DIGITS, odd)

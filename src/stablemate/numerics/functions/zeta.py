"""The Hurwitz zeta function, in 64 bits, by Euler-Maclaurin summation.

Source: F. Johansson, "Rigorous high-precision computation of the Hurwitz zeta function and its
derivatives", 2015, formula (5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    at_most,
    bits_of,
    choice,
    equal,
    fast_two_sum,
    float_of,
    is_nan,
    less,
    multiply_add,
    pick,
    polynomial,
    quotient_of,
    rarely,
    round_to_integer,
    two_product,
    two_sum,
)
from stablemate.numerics.functions.elementary import Elementary
from stablemate.numerics.functions.formats import F64
from stablemate.numerics.functions.logarithm import precise_logarithm
from stablemate.numerics.functions.number import N, Pair

TERMS: Final = 10  # of the sum that are added one by one
# Bernoulli number 2j divided by the factorial of 2j.
EULER_MACLAURIN: Final = (
    1 / 12,
    -1 / 720,
    1 / 30240,
    -1 / 1209600,
    1 / 47900160,
    -691 / 1307674368000,
    1 / 74724249600,
    -3617 / 10670622842880000,
    43867 / 5109094217170944000,
    -174611 / 802857662698291200000,
    77683 / 14101100039391805440000,
    -236364091 / 1693824136731743669452800000,
)
LARGEST_POWER: Final = 2.0**900  # powers with larger exponents are those to infinity
SMALLEST_EXPONENT: Final = -746.0  # exp(x) is zero below it


def zeta(of: Elementary[N], x: N, q: N) -> N:
    """``sum((q + k)^-x)`` over k = 0, 1, ...; infinite for x = 1, NaN below but for poles.

    With q < 0 terms are negative, and x must be a finite integer: NaN elsewhere, and at the poles
    0, -1, ... of q infinity where x is even, else NaN. The sum from q up to its fraction f is that
    from 1 - f up to 1 - q, with changed signs::

        zeta(x, q) = zeta(x, f) + (-1)^x (zeta(x, 1 - f) - zeta(x, 1 - q))
    """
    is_negative, half = less(q, 0.0), x * 0.5
    is_even = (
        equal(half, round_to_integer(half)) & equal(half * 2.0, x) & less(absolute(x), math.inf)
    )
    below = q.floor()
    is_integer = equal(q, below)
    up = zeta_of_positive(of, x, pick(is_negative, q - below, q))
    down = zeta_of_positive(of, x, pick(is_integer, 0.0, (below + 1.0) - q))
    rest = zeta_of_positive(of, x, 1.0 - q)
    result = rarely(is_negative, up + pick(is_even, down - rest, rest - down), up)
    result = pick(less(x, 1.0), math.nan, result)
    at_or_below_zero = is_negative | equal(q, 0.0)
    is_undefined = at_or_below_zero & (x.differs(round_to_integer(x)) | equal(x, math.inf))
    result = pick(is_undefined, math.nan, result)
    pole = choice(is_even, math.inf, math.nan, x)
    result = pick(at_or_below_zero & is_integer, pole, result)
    return pick(equal(x, 1.0), math.inf, pick(is_nan(q), q, result))


def zeta_of_positive(of: Elementary[N], x: N, q: N) -> N:
    """Zeta for 0 < q. Only the powers are rounded, and the sum once.

    A power magnifies the rounding error of its base x times. The first term is the largest one.
    """
    if x.is_widened:
        return widened_zeta(of, x, q)
    x = at_most(x, LARGEST_POWER)
    power = -x
    total = of.power(q, power)
    lost = q.lift(0.0)
    for k in range(1, TERMS):
        base, rest = two_sum(q, q.lift(float(k)))
        term = of.power(base, power)
        total, more = fast_two_sum(total, term)
        lost = lost + multiply_add(term * power, rest / base, more)
    a, rest = two_sum(q, q.lift(float(TERMS)))
    inverse, divisor = 1.0 / a, x - 1.0
    integral, integral_rest = integral_from(a, divisor)
    edge = edge_from(of, x, a)
    total, more = two_sum(total, integral)
    slope = multiply_add(divisor, integral, x * edge) * (rest * inverse)
    lost = lost + ((more + integral_rest) + (edge - slope))
    return total + pick(less(absolute(lost), math.inf), lost, 0.0)


def widened_zeta(of: Elementary[N], x: N, q: N) -> N:
    """The same, small terms first, without what is lost."""
    a = q + float(TERMS)
    integral = of.power(a, 1.0 - x) / (x - 1.0)
    terms = [of.power(q + float(k) if k else q, -x) for k in reversed(range(TERMS))]
    return (edge_from(of, x, a) + integral) + total_of(terms)


def total_of(terms: Sequence[N]) -> N:
    """The sum, first to last."""
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


def edge_from(of: Elementary[N], x: N, a: N) -> N:
    """The tail of the sum from a on, but for the integral."""
    power = of.power(a, -x)
    inverse = 1.0 / a
    edge = power * multiply_add(x * inverse, tail_series(x, inverse), 0.5)
    return pick(equal(power, 0.0), 0.0, edge)  # not 0 * inf


def tail_series(x: N, inverse: N) -> N:
    """The Bernoulli numbers' part of the tail of the sum, but for ``x a^(-x - 1)``."""
    *lower, last = EULER_MACLAURIN
    square = inverse * inverse
    series = x.lift(last)
    for j, coefficient in reversed(list(enumerate(lower))):
        factor = ((x + (2.0 * j + 1.0)) * square) * (x + (2.0 * j + 2.0))
        series = multiply_add(series, factor, coefficient)
    return series


def integral_from(a: N, divisor: N) -> Pair[N]:
    """``a^-divisor / divisor``, in twice the precision."""
    high, low = precise_logarithm(a)
    product, lost = two_product(-divisor, high)
    exponent, rest = fast_two_sum(product, multiply_add(-divisor, low, lost))
    inside = at_least(exponent, SMALLEST_EXPONENT)
    rest = pick(equal(inside, exponent), rest, 0.0)
    shift = F64.rounder + 2 * F64.bias
    sum_with_n = multiply_add(inside, F64.log2e, shift)
    n, bits = sum_with_n - shift, bits_of(sum_with_n)
    upper = multiply_add(n, -F64.ln2[0], inside)
    r = multiply_add(n, -F64.ln2[1], upper)
    rest = multiply_add(n, -F64.ln2[1], upper - r) + rest
    total, lost = fast_two_sum(a.lift(1.0), r)
    total, more = fast_two_sum(total, (r * r) * polynomial(r, F64.exp))
    value, value_rest = quotient_of(total, divisor, multiply_add(rest, total, lost + more), 0.0)
    half = bits >> 1
    lower, upper = float_of(half << F64.mantissa), float_of((bits - half) << F64.mantissa)
    is_finite = less(a, math.inf)
    return (
        pick(is_finite, (value * lower) * upper, 0.0),
        pick(is_finite, (value_rest * lower) * upper, 0.0),
    )

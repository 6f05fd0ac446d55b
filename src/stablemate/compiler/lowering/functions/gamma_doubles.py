"""digamma and the Hurwitz zeta function of CHLO for ``f64``.

The formulas and coefficients are those of the decompositions; what products lose is computed by
fused multiplications. Terms that only some arguments need are computed where one does.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.angles import (
    Angle,
    cosine_of_rest,
    sine_of_rest,
)
from stablemate.compiler.lowering.functions.arithmetic import Pair, shift_bits
from stablemate.compiler.lowering.functions.exponential import power_of_two
from stablemate.compiler.lowering.functions.powers import accurate, precise_logarithm
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    at_most,
    bits_of,
    choice,
    equal,
    greater,
    is_nan,
    less,
    multiply_add,
    ordered_sum,
    pick,
    polynomial,
    product_of,
    quotient_of,
    rarely,
    residue,
    round_to_integer,
    sum_of,
    with_sign,
)
from stablemate.numerics.functions.formats import F64
from stablemate.transforms.chlo.gamma_functions import (
    DIGAMMA_BOTTOM,
    DIGAMMA_FAR,
    DIGAMMA_TOP,
    ROOT,
    ROOT_REST,
    SLOPE,
)
from stablemate.transforms.chlo.zeta_functions import EULER_MACLAURIN, TERMS

PI_REST: Final = 1.2246467991473532e-16
TINY: Final = 2.0**-200  # pi / tan(pi x) is 1 / x of smaller numbers
LEAST: Final = 2.0**-900  # digamma(x) is -1 / x of smaller numbers
LARGEST_POWER: Final = 1e300  # so are those to infinity
SMALLEST_EXPONENT: Final = -746.0  # exp(x) is zero below it


def digamma(x: Expression) -> Expression:
    """``digamma(1 - x) - pi / tan(pi x)`` of negative numbers; NaN at poles."""
    is_negative = less(x, 0.0)
    beyond, rest = sum_of(x.table.like(x, 1.0), pick(is_negative, -x, 0.0))
    a = pick(is_negative, beyond, x)
    far, far_rest = digamma_far(at_least(a, 2.0), pick(is_negative, rest, 0.0))
    is_near = less(a, 2.0)
    value, value_rest = pick(is_near, digamma_near(a), far), pick(is_near, 0.0, far_rest)
    direct = pick(less(a, math.inf), value + value_rest, a)
    result = rarely(is_negative, reflect_digamma(x, value, value_rest), direct)
    is_pole = (is_negative | equal(x, 0.0)) & equal(x, round_to_integer(x))
    return pick(is_pole, math.nan, result)


def digamma_near(x: Expression) -> Expression:
    """Digamma for 0 < x < 2; ``digamma(x) = digamma(x + 1) - 1 / x`` below 3/4."""
    is_small = less(x, 0.75)
    t = pick(is_small, x, x - 1.0)
    v = polynomial(t, DIGAMMA_TOP) / polynomial(t, DIGAMMA_BOTTOM)
    distance = x - choice(is_small, ROOT - 1.0, ROOT, x)
    inverse = pick(is_small, 1.0 / x, 0.0)
    value = distance - inverse
    lost = (distance - (value + inverse)) - ROOT_REST * SLOPE
    error = residue(inverse, x, x.table.like(x, 1.0))
    result = value + multiply_add(distance, v, multiply_add(error, inverse, lost))
    return pick(less(x, LEAST), value, result)


def digamma_far(x: Expression, rest: Expression) -> Pair:
    """Digamma for 2 <= x, in twice the precision; ``rest`` is what x lacks."""
    high, low = precise_logarithm(x)
    inverse = 1.0 / x
    square = inverse * inverse
    tail = multiply_add(square, polynomial(square, DIGAMMA_FAR), inverse * 0.5)
    value, lost = ordered_sum(high, -tail)
    return value, multiply_add(rest, inverse, lost + low)


def reflect_digamma(x: Expression, direct: Expression, direct_rest: Expression) -> Expression:
    """``direct - pi / tan(pi x)``, whose terms may cancel."""
    fraction = x - round_to_integer(x)
    distance = absolute(fraction)
    is_tiny, is_steep = less(distance, TINY), greater(distance, 0.25)
    inside = pick(is_tiny, 0.25, pick(is_steep, with_sign(0.5 - distance, fraction), fraction))
    turn, lost = product_of(inside, x.table.like(x, math.pi))
    angle = Angle(bits_of(x), turn, multiply_add(inside, PI_REST, lost))
    sine, cosine = ordered_sum(*sine_of_rest(angle)), ordered_sum(*cosine_of_rest(angle))
    above = [pick(is_steep, s, c) for s, c in zip(sine, cosine, strict=True)]
    below = [pick(is_steep, c, s) for s, c in zip(sine, cosine, strict=True)]
    ratio, rest = quotient_of(above[0], below[0], above[1], below[1])
    product, lost = product_of(ratio, x.table.like(x, math.pi))
    lost = multiply_add(rest, math.pi, multiply_add(ratio, PI_REST, lost))
    total, more = sum_of(direct, -product)
    return pick(is_tiny, direct - 1.0 / fraction, total + ((more - lost) + direct_rest))


def zeta(x: Expression, q: Expression) -> Expression:
    """``sum((q + k)^-x)``; of negative q by reflection, as the decomposition explains."""
    is_negative, half = less(q, 0.0), x * 0.5
    is_even = (
        equal(half, round_to_integer(half)) & equal(half * 2.0, x) & less(absolute(x), math.inf)
    )
    below = q.table.apply("floor", q)
    is_integer = equal(q, below)
    up = zeta_of_positive(x, pick(is_negative, q - below, q))
    down = zeta_of_positive(x, pick(is_integer, 0.0, (below + 1.0) - q))
    rest = zeta_of_positive(x, 1.0 - q)
    result = rarely(is_negative, up + pick(is_even, down - rest, rest - down), up)
    result = pick(less(x, 1.0), math.nan, result)
    at_or_below_zero = is_negative | equal(q, 0.0)
    is_fractional = x.table.apply("fne", x, round_to_integer(x))
    is_undefined = at_or_below_zero & (is_fractional | equal(x, math.inf))
    result = pick(is_undefined, math.nan, result)
    pole = choice(is_even, math.inf, math.nan, x)
    result = pick(at_or_below_zero & is_integer, pole, result)
    return pick(equal(x, 1.0), math.inf, pick(is_nan(q), q, result))


def zeta_of_positive(x: Expression, q: Expression) -> Expression:
    """Zeta for 0 < q by Euler-Maclaurin summation, of which only the powers are rounded."""
    x = at_most(x, LARGEST_POWER)
    power = -x
    total = accurate(q, power)
    lost = q.table.like(q, 0.0)
    for k in range(1, TERMS):
        base, rest = sum_of(q, q.table.like(q, float(k)))
        term = accurate(base, power)
        total, more = ordered_sum(total, term)
        lost = lost + multiply_add(term * power, rest / base, more)
    a, rest = sum_of(q, q.table.like(q, float(TERMS)))
    inverse, divisor = 1.0 / a, x - 1.0
    integral, integral_rest = integral_from(a, divisor)
    edge_power = accurate(a, power)
    edge = edge_power * multiply_add(x * inverse, tail_series(x, inverse), 0.5)
    edge = pick(equal(edge_power, 0.0), 0.0, edge)  # not 0 * inf
    total, more = sum_of(total, integral)
    slope = multiply_add(divisor, integral, x * edge) * (rest * inverse)
    lost = lost + ((more + integral_rest) + (edge - slope))
    return total + pick(less(absolute(lost), math.inf), lost, 0.0)


def tail_series(x: Expression, inverse: Expression) -> Expression:
    """The Bernoulli numbers' part of the tail of the sum, but for ``x a^(-x - 1)``."""
    *lower, last = EULER_MACLAURIN
    square = inverse * inverse
    series = x.table.like(x, last)
    for j, coefficient in reversed(list(enumerate(lower))):
        factor = ((x + (2.0 * j + 1.0)) * square) * (x + (2.0 * j + 2.0))
        series = multiply_add(series, factor, coefficient)
    return series


def integral_from(a: Expression, divisor: Expression) -> Pair:
    """``a^-divisor / divisor``, in twice the precision."""
    high, low = precise_logarithm(a)
    product, lost = product_of(-divisor, high)
    exponent, rest = ordered_sum(product, multiply_add(-divisor, low, lost))
    inside = at_least(exponent, SMALLEST_EXPONENT)
    rest = pick(equal(inside, exponent), rest, 0.0)
    shift = F64.rounder + 2 * F64.bias
    sum_with_n = multiply_add(inside, F64.log2e, shift)
    n, bits = sum_with_n - shift, bits_of(sum_with_n)
    upper = multiply_add(n, -F64.ln2[0], inside)
    r = multiply_add(n, -F64.ln2[1], upper)
    rest = multiply_add(n, -F64.ln2[1], upper - r) + rest
    total, lost = ordered_sum(a.table.like(a, 1.0), r)
    total, more = ordered_sum(total, (r * r) * polynomial(r, F64.exp))
    value, value_rest = quotient_of(total, divisor, multiply_add(rest, total, lost + more), 0.0)
    half = shift_bits("lshr", bits, 1)
    scales = power_of_two(half, F64.mantissa), power_of_two(bits - half, F64.mantissa)
    is_finite = less(a, math.inf)
    return (
        pick(is_finite, (value * scales[0]) * scales[1], 0.0),
        pick(is_finite, (value_rest * scales[0]) * scales[1], 0.0),
    )

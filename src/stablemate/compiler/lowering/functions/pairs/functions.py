"""Logarithms, angles, exponentials, sines and cosines in double-double arithmetic.

Series are those of Taylor; how many of their first terms are summed in pairs determines
the accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.angles import Angle, circle, reduce_angle, reduced_far
from stablemate.compiler.lowering.functions.arithmetic import Pair
from stablemate.compiler.lowering.functions.logarithm import split
from stablemate.compiler.lowering.functions.pairs.arithmetic import (
    LOWEST,
    Scaled,
    add,
    constant,
    divide,
    exact,
    is_less,
    larger,
    multiply,
    negative,
    normalize,
    positive,
    product,
    select_pair,
    series,
    sum_of_scaled,
    times,
    total_of,
    two_to,
)
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    at_most,
    bits_of,
    equal,
    fast_two_sum,
    greater,
    less,
    multiply_add,
    pick,
    rarely,
    round_to_integer,
    two_product,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.formats import F64

DIGITS: Final = 240  # bits of the constants
STEPS: Final = 16  # logarithms and angles are counted from those of multiples of 1 / STEPS
WIDE: Final = 6  # terms in pairs of a logarithm or an angle: an error of 2^-98
EXPONENTIAL_WIDE: Final = 13  # terms in pairs of an exponential: an error of 2^-100
CIRCULAR_WIDE: Final = 9  # and of sine and cosine
FINE: Final = 2  # terms in pairs of a function that is rounded to f64 afterwards
LARGEST_REST: Final = 2.0**19  # what an angle beyond it lacks is left out


# ---- constants


@lru_cache(maxsize=1)
def half_turn() -> Fraction:
    """The half of a turn."""
    return Fraction(circle(DIGITS), 1 << DIGITS)


def atanh_of(x: Fraction, sign: int) -> Fraction:
    """``atanh(x)`` for a sign of 1, ``atan(x)`` for -1, of at most a half."""
    total, power, k = Fraction(0), x, 0
    while abs(power) > Fraction(1, 1 << DIGITS):
        total += power * sign**k / (2 * k + 1)
        power, k = power * x * x, k + 1
    return Fraction(math.floor(total * (1 << DIGITS)), 1 << DIGITS)


@lru_cache(maxsize=1)
def logarithms() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The logarithms of ``k / STEPS`` for k modulo ``2 STEPS``, in two parts."""
    numbers = [Fraction(0)] * (2 * STEPS)
    for k in range(STEPS // 2, 2 * STEPS):
        ratio = Fraction(k, STEPS)
        numbers[k] = 2 * atanh_of((ratio - 1) / (ratio + 1), 1)
    return parts_of(numbers)


@lru_cache(maxsize=1)
def angles() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The arc tangents of ``k / STEPS`` for k below ``STEPS / 2``, in two parts."""
    return parts_of([atanh_of(Fraction(k, STEPS), -1) for k in range(STEPS // 2)])


def parts_of(numbers: Sequence[Fraction]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The higher and the lower parts of numbers."""
    high, low = zip(*map(constant, numbers), strict=True)
    return high, low


@lru_cache(maxsize=1)
def log_of_two() -> tuple[float, float, float]:
    """log(2) in three parts, of which products of the first one with exponents are exact."""
    number = 2 * atanh_of(Fraction(1, 3), 1)
    first = F64.ln2[0]
    return first, *constant(number - Fraction(first))


ODD: Final = [Fraction(1, 2 * k + 1) for k in range(12)]
ALTERNATING: Final = [Fraction((-1) ** k, 2 * k + 1) for k in range(12)]
EXPONENTIAL: Final = [Fraction(1, math.factorial(k + 1)) for k in range(22)]
SINE: Final = [Fraction((-1) ** k, math.factorial(2 * k + 1)) for k in range(13)]
VERSINE: Final = [Fraction((-1) ** k, math.factorial(2 * k + 2)) for k in range(13)]


# ---- logarithms


def integer(n: Expression) -> Expression:
    """A float that is a small integer, as an ``i64``."""
    return bits_of(n + F64.rounder) - bits_of(n.table.like(n, F64.rounder))


def entry(table: tuple[tuple[float, ...], tuple[float, ...]], place: Expression) -> Pair:
    """An entry of a table of pairs."""
    high, low = (place.table.lookup(part, place) for part in table)
    return high, low


def logarithm(x: Pair, excess: Pair, doublings: Expression) -> Pair:
    """``log(2^doublings x)`` of a normal positive number.

    With k, the multiple of 1/16 next to the mantissa m, it is the logarithm of k and
    ``2 atanh((m - k) / (m + k))``. If m is below 1 and k is 1, k has the larger exponent.

    Args:
        x: The number.
        excess: ``x - 1`` where x is within 1/33 of 1, and doublings is 0.
        doublings: An integer.
    """
    n, f = split(x[0])
    mantissa, rest = f + 1.0, x[1] * two_to(0 - integer(n))
    steps = round_to_integer(mantissa * float(STEPS))
    k = steps * (1.0 / STEPS)
    is_near = less(absolute(excess[0]), 1.0 / 33.0)
    above = select_pair(is_near, excess, two_sum(mantissa - k, rest))
    below = fast_two_sum(k, mantissa)
    near = fast_two_sum(n.table.like(n, 2.0), excess[0])
    lost = pick(is_near, near[1] + excess[1], below[1] + rest)
    s = divide(above, fast_two_sum(pick(is_near, near[0], below[0]), lost))
    base = entry(logarithms(), integer(steps) & (2 * STEPS - 1))
    area = multiply(s, series(multiply(s, s), ODD, WIDE))
    first, second, third = log_of_two()
    n = n + doublings
    more, more_lost = two_product(n, n.table.like(n, second))
    more, more_lost = fast_two_sum(more, multiply_add(n, third, more_lost))
    high = add(exact(n * first), (more, more_lost))
    return add(high, add(base, (area[0] * 2.0, area[1] * 2.0)))


def log_of_modulus(a: Expression, b: Expression) -> Scaled:
    """``log(a^2 + b^2) / 2``; near 1 by the excess of the sum over 1."""
    a, b = absolute(a), absolute(b)
    steep = less(a, b)
    m, n = pick(steep, b, a), pick(steep, a, b)
    is_large, is_small = greater(m, 2.0**500), less(m, 2.0**-450)
    one = m.table.like(m, 1.0)
    scale = pick(is_large, 2.0**-600, pick(is_small, 2.0**600, one))
    doublings = pick(is_large, 1200.0, pick(is_small, -1200.0, one * 0.0))
    (p, p_rest), (q, q_rest) = two_product(m * scale, m * scale), two_product(n * scale, n * scale)
    total, lost = fast_two_sum(p, q)
    excess = total_of([-one, p, q, p_rest, q_rest])
    excess = pick(is_large | is_small, one, excess[0]), excess[1]
    square = fast_two_sum(total, lost + (p_rest + q_rest))
    usual = normalize(*logarithm(square, excess, doublings))
    is_tiny = equal(m, 1.0) & less(n, 2.0**-400)
    height = normalize(n)
    tiny = product(height, height)
    pair = select_pair(is_tiny, tiny.pair, usual.pair)
    return Scaled(pair, pick(is_tiny, tiny.exponent, usual.exponent) - 1)


# ---- angles


class PointAngle(NamedTuple):
    """The angle of a point: a multiple of an eighth turn, and the rest.

    Attributes:
        eighths: The multiple, a number from -4 to 4.
        rest: The rest, at most half an eighth turn; a zero has the sign of the smaller part.
    """

    eighths: Expression
    rest: Scaled


def direction(y: Expression, x: Expression) -> PointAngle:
    """The angle of the point (x, y), not the origin."""
    return direction_of(normalize(y), normalize(x))


def direction_of(y: Scaled, x: Scaled) -> PointAngle:
    """The angle of a point, not the origin, whose coordinates are normalized.

    The smaller part over the larger one is the tangent of an angle up to pi/4; that above pi/8 is
    counted from pi/4. With c, the multiple of 1/16 next to the tangent t of what is left, the angle
    is that of c and of ``(t - c) / (1 + t c)``.
    """
    width, height = positive(x), positive(y)
    steep = is_less(width, height)
    shorter, longer = (
        Scaled(select_pair(steep, yes.pair, no.pair), pick(steep, yes.exponent, no.exponent))
        for yes, no in ((width, height), (height, width))
    )
    distance = shorter.exponent - longer.exponent
    shift = larger(distance, -100)
    small, large = times(shorter.pair, two_to(shift)), longer.pair
    wide = greater(small[0], large[0] * math.tan(math.pi / 8))
    zero = small[0] * 0.0
    above = select_pair(wide, add(large, negative(small)), small)
    below = select_pair(wide, add(large, small), large)
    rest = arc_tangent(above, below)
    one = with_sign(zero + 1.0, x.pair[0]) * with_sign(zero + 1.0, y.pair[0])
    flip = pick(steep ^ wide, -one, one)
    eighths = pick(wide, 1.0, zero)
    eighths = pick(steep, 2.0 - eighths, eighths)
    eighths = pick(less(with_sign(one, x.pair[0]), 0.0), 4.0 - eighths, eighths)
    scaled = Scaled(times(rest, flip), pick(equal(rest[0], 0.0), LOWEST, distance - shift))
    return PointAngle(with_sign(eighths, y.pair[0]), scaled)


def arc_tangent(y: Pair, x: Pair) -> Pair:
    """``atan(y / x)`` of a quotient from 0 to ``tan(pi / 8)``."""
    steps = round_to_integer(y[0] / x[0] * float(STEPS))
    c = steps * (1.0 / STEPS)
    (p, p_rest), (q, q_rest) = two_product(c, x[0]), two_product(c, y[0])
    above = add(y, (-p, -multiply_add(c, x[1], p_rest)))
    below = add(x, (q, multiply_add(c, y[1], q_rest)))
    t = divide(above, below)
    base = entry(angles(), integer(steps) & (STEPS // 2 - 1))
    near = multiply(t, series(multiply(t, t), ALTERNATING, WIDE))
    total = add(base, near)
    is_first = equal(steps, 0.0)
    return select_pair(is_first, near, total)


def angle_of(x: PointAngle) -> Scaled:
    """The angle as one number."""
    high, low = constant(half_turn() / 4)
    table = x.eighths.table
    base = multiply(exact(x.eighths), (table.like(x.eighths, high), table.like(x.eighths, low)))
    exponent = pick(equal(x.eighths, 0.0), LOWEST, x.rest.exponent * 0)
    return sum_of_scaled(Scaled(base, exponent), x.rest)


# ---- exponentials


class Power(NamedTuple):
    """``exp(x) = 2^n (1 + excess)``.

    Attributes:
        n: The exponent, a float.
        excess: A number of at most 0.42.
    """

    n: Expression
    excess: Pair


def exponential(x: Pair, wide: int) -> Power:
    """The exponential of a pair of at most 2^20."""
    n = round_to_integer(x[0] * F64.log2e)
    first, second, third = log_of_two()
    more, lost = two_product(n, n.table.like(n, -second))
    lost = multiply_add(n, -third, lost)
    r = add((multiply_add(n, -first, x[0]), x[1]), (more, lost))
    return Power(n, multiply(r, series(r, EXPONENTIAL, wide)))


def size_of(power: Power) -> Scaled:
    """The exponential as one number."""
    one = power.n.table.like(power.n, 1.0)
    return Scaled(add(exact(one), power.excess), integer(power.n))


def less_one(power: Power) -> Scaled:
    """The exponential less 1, of a number up to 88."""
    n = integer(at_most(at_least(power.n, -200.0), 128.0))
    one = power.n.table.like(power.n, 1.0)
    far = add(times(add(exact(one), power.excess), two_to(n)), exact(-one))
    return Scaled(select_pair(equal(power.n, 0.0), power.excess, far), n * 0)


# ---- circular functions


class Circular(NamedTuple):
    """The sine and the cosine of an angle of at most an eighth turn.

    Attributes:
        sine: The sine.
        versine: One less the cosine.
    """

    sine: Pair
    versine: Pair


def reduced_pair(x: Pair) -> Angle:
    """An angle in quarter turns, and a rest of at most half of one."""
    is_far = greater(absolute(x[0]), F64.turns * 1.57)
    near = with_rest(reduce_angle(pick(is_far, 0.0, x[0])), x[1])
    first = reduced_far(x[0])
    lost = pick(less(absolute(x[1]), LARGEST_REST), x[1], 0.0)
    second = reduce_angle(lost)
    r, rest = add((first.r, first.rest), (second.r, second.rest))
    third = with_rest(reduce_angle(r), rest)
    quarters = first.quarters + second.quarters + third.quarters
    far = third._replace(quarters=quarters)
    parts = [rarely(is_far, *both) for both in zip(far, near, strict=True)]
    return Angle(*parts)


def with_rest(angle: Angle, rest: Expression) -> Angle:
    """The angle of a number with a rest."""
    return Angle(angle.quarters, *add((angle.r, angle.rest), exact(rest)))


def circular(angle: Angle, wide: int) -> Circular:
    """Sine and versine of the rest of an angle."""
    r = angle.r, angle.rest
    z = multiply(r, r)
    return Circular(multiply(r, series(z, SINE, wide)), multiply(z, series(z, VERSINE, wide)))

"""sine, cosine, tan, atan2: angles are counted in quarter turns."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import (
    Pair,
    format_of,
    in_double,
    in_single,
    negative_if,
    shift_bits,
)
from stablemate.numerics.functions.arithmetic import (
    absolute,
    bits_of,
    choice,
    equal,
    fast_two_sum,
    float_of,
    greater,
    is_infinite,
    less,
    multiply_add,
    pick,
    polynomial,
    quotient_of,
    rarely,
    round_to_integer,
    two_product,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.circular import cosine_near, sine_near
from stablemate.numerics.functions.formats import F32, F64

STEP = 32  # exponents that share an entry of the table
ENTRIES = 31  # of the table: exponents of f64 from 0 to 31 x 32
DIGITS = 1300  # bits of 2/pi that are computed
HALF_PI = (1.5707963267948966, 6.123233995736766e-17)
TAN_OF_EIGHTH = 0.41421356237309503  # tan(pi/8)


class Angle(NamedTuple):
    """An angle: ``quarters`` quarter turns, of which the last two bits count, and ``r + rest``."""

    quarters: Expression
    r: Expression
    rest: Expression


def of_angle(x: Expression, function: Callable[[Angle], Expression]) -> Expression:
    """A function of a number as an angle; large numbers are seldom and take a longer way."""
    fmt = format_of(x)
    far = greater(absolute(x), fmt.turns * 1.57)
    wide = in_double(x) if x.type == "f32" else x
    result = function(reduced_far(wide))
    return rarely(far, in_single(result) if x.type == "f32" else result, function(reduce_angle(x)))


def reduce_angle(x: Expression) -> Angle:
    """The angle of a number of at most ``turns`` quarter turns.

    Source: Cody and Waite, Software Manual for the Elementary Functions, 1980.
    """
    fmt = format_of(x)
    counted = multiply_add(x, 2.0 / 3.141592653589793, fmt.rounder)
    n = counted - fmt.rounder
    *parts, last = fmt.quarter
    for part in parts[: fmt.exact]:
        x = multiply_add(n, -part, x)
    rest = None
    for part in parts[fmt.exact :]:
        x, lost = two_sum(x, n * -part)
        rest = lost if rest is None else rest + lost
    assert rest is not None
    r, rest = fast_two_sum(x, multiply_add(n, -last, rest))
    return Angle(bits_of(counted), r, rest)


def reduced_far(x: Expression) -> Angle:
    """The angle of any finite ``f64``: the product with 2/pi, whose multiples of 4 are left out.

    Source: Payne and Hanek, "Radian Reduction for Trigonometric Functions", 1983.
    """
    table = x.table
    exponent = shift_bits("lshr", bits_of(absolute(x)), F64.mantissa)
    beyond = exponent - (F64.bias + F64.mantissa)
    nearer = table.apply("slt", beyond, table.like(beyond, 0))
    entry = shift_bits("lshr", pick(nearer, 0, beyond), 5)
    entry = pick(table.apply("slt", table.like(entry, ENTRIES - 1), entry), ENTRIES - 1, entry)
    scale = float_of(shift_bits("shl", F64.bias - shift_bits("shl", entry, 5), F64.mantissa))
    y = x * scale
    first, second, third, fourth = (table.lookup(part, entry) for part in turns_per_radian())
    (p, p_rest), (q, q_rest) = two_product(y, first), two_product(y, second)
    s, s_rest = two_product(y, third)
    total, lost = two_sum(within_turn(p), within_turn(p_rest))
    total, more = two_sum(total, within_turn(q))
    n = round_to_integer(total)
    total, rest = two_sum(total - n, lost + more)
    for part in (q_rest, s, multiply_add(y, fourth, s_rest)):
        total, more = two_sum(total, part)
        rest = rest + more
    total, rest = fast_two_sum(total, rest)
    r, lost = two_product(total, table.constant(HALF_PI[0], "f64"))
    r, rest = fast_two_sum(r, lost + multiply_add(total, HALF_PI[1], rest * HALF_PI[0]))
    return Angle(bits_of(within_turn(n) + F64.rounder), r, rest)


def within_turn(quarters: Expression) -> Expression:
    """The number less the nearest multiple of 4."""
    return quarters - round_to_integer(quarters * 0.25) * 4.0


@lru_cache(maxsize=1)
def turns_per_radian() -> tuple[tuple[float, ...], ...]:
    """``2^(32 k) 2/pi mod 4`` in four parts, for each k."""
    ratio = Fraction(2 << DIGITS, circle(DIGITS))
    rows: list[list[float]] = []
    for k in range(ENTRIES):
        rest = ratio * 2 ** (STEP * k) % 4
        row: list[float] = []
        for _ in range(4):
            row.append(float(rest))
            rest -= Fraction(row[-1])
        rows.append(row)
    return tuple(tuple(column) for column in zip(*rows, strict=True))


def circle(digits: int) -> int:
    """``2^digits pi``, by Machin's formula."""
    guard = digits + 16

    def arctangent(inverse: int) -> int:
        term = total = (1 << guard) // inverse
        n = 1
        while term:
            term //= -inverse * inverse
            n += 2
            total += term // n
        return total

    return (16 * arctangent(5) - 4 * arctangent(239)) >> 16


def sine_of_rest(angle: Angle) -> Pair:
    """The sine of an angle of less than an eighth turn: two numbers, the first one larger."""
    return sine_near(angle.r, angle.rest, format_of(angle.r))


def cosine_of_rest(angle: Angle) -> Pair:
    """The cosine of an angle of less than an eighth turn: two numbers, the first one larger."""
    return cosine_near(angle.r, angle.rest, format_of(angle.r))


def is_odd(quarters: Expression) -> Expression:
    """Whether sine and cosine are exchanged."""
    one = quarters & 1
    return quarters.table.apply("ne", one, one.table.like(one, 0))


def rotate_sine(angle: Angle) -> Expression:
    """The sine of an angle."""
    near, small = rotated_parts(angle)
    value = near + small
    return negative_if(value, sign_of(angle))


def rotated_parts(angle: Angle) -> Pair:
    """The absolute value of the sine of an angle: two numbers, the first one larger."""
    odd = is_odd(angle.quarters)
    pairs = zip(cosine_of_rest(angle), sine_of_rest(angle), strict=True)
    near, small = (pick(odd, *pair) for pair in pairs)
    return near, small


def sign_of(angle: Angle) -> Expression:
    """An integer whose sign is that which the sine has from the number of quarter turns."""
    return shift_bits("shl", angle.quarters, format_of(angle.r).bits - 2)


def sine_pair(x: Expression) -> Pair:
    """``sin(x)`` of an ``f64``, with its rest."""
    value = of_angle(x, lambda angle: rotated_part(angle, 0))
    rest = of_angle(x, lambda angle: rotated_part(angle, 1))
    return pick(equal(x, 0.0), x, value), rest


def cosine_pair(x: Expression) -> Pair:
    """``cos(x)`` of an ``f64``, with its rest."""
    value = of_angle(x, lambda angle: rotated_part(quarter_further(angle), 0))
    return value, of_angle(x, lambda angle: rotated_part(quarter_further(angle), 1))


def quarter_further(angle: Angle) -> Angle:
    """The angle a quarter turn further."""
    return angle._replace(quarters=angle.quarters + 1)


def rotated_part(angle: Angle, part: int) -> Expression:
    """The sine of an angle, rounded, or its rest."""
    return negative_if(fast_two_sum(*rotated_parts(angle))[part], sign_of(angle))


def sine(x: Expression) -> Expression:
    """``sin(x)``."""
    return pick(equal(x, 0.0), x, of_angle(x, rotate_sine))


def cosine(x: Expression) -> Expression:
    """``cos(x)``: the sine a quarter turn further."""
    return of_angle(x, lambda angle: rotate_sine(quarter_further(angle)))


def tan(x: Expression) -> Expression:
    """``sin(x) / cos(x)``, both of the angle that is left; of ``f32`` in ``f64``."""
    if x.type == "f32":
        return in_single(tan(in_double(x)))

    def quotient(angle: Angle) -> Expression:
        odd = is_odd(angle.quarters)
        s, s_rest = fast_two_sum(*sine_of_rest(angle))
        c, c_rest = fast_two_sum(*cosine_of_rest(angle))
        above, below = pick(odd, c, s), pick(odd, s, c)
        value, rest = quotient_of(
            above, below, pick(odd, c_rest, s_rest), pick(odd, s_rest, c_rest)
        )
        value = value + rest
        return negative_if(value, shift_bits("shl", angle.quarters, format_of(value).bits - 1))

    return pick(equal(x, 0.0), x, of_angle(x, quotient))


def atan2(y: Expression, x: Expression) -> Expression:
    """The angle of the point (x, y).

    The smaller part over the larger one is the tangent of an angle up to pi/4; that above pi/8 is
    counted from pi/4: ``atan(a / b) = pi/4 + atan((a - b) / (a + b))``. That of ``f32`` is computed
    in ``f64``, by the polynomial of ``f32``.
    """
    if x.type == "f32":
        return in_single(angle_in_single(in_double(y), in_double(x)))
    return of_point(y, x)


def angle_in_single(y: Expression, x: Expression) -> Expression:
    """The angle of the point (x, y) in ``f64``, as accurate as ``f32`` needs it."""
    tangent = tangent_of(y, x, None)
    t = tangent.above / tangent.below
    z = t * t
    return rotate_angle(y, x, tangent, (t, (t * z) * polynomial(z, F32.atan)))


def of_point(y: Expression, x: Expression, rests: Pair | None = None) -> Expression:
    """The angle of the point (x, y) of ``f64``.

    What sum, difference and quotient of its tangent lose is made up for.

    Args:
        y: The ordinate.
        x: The abscissa.
        rests: What y and x lack, if they are pairs.
    """
    tangent = tangent_of(y, x, rests)
    t, rest = quotient_of(tangent.above, tangent.below, tangent.above_rest, tangent.below_rest)
    z = t * t
    return rotate_angle(y, x, tangent, (t, (t * z) * polynomial(z, F64.atan) + rest))


class Tangent(NamedTuple):
    """The tangent of an angle, as a quotient, and how the angle is counted from it.

    Attributes:
        above: The numerator, with its rest.
        below: The denominator, with its rest.
        steep: Whether numerator and denominator are exchanged.
        wide: Whether an eighth turn is taken off.
    """

    above: Expression
    above_rest: Expression
    below: Expression
    below_rest: Expression
    steep: Expression
    wide: Expression


def tangent_of(y: Expression, x: Expression, rests: Pair | None) -> Tangent:
    """The tangent of the angle of the point (x, y) in the eighth of a turn next to it."""
    one = x.table.constant(1.0, x.type)
    width, height = absolute(x), absolute(y)
    steep = less(width, height)
    small, large = pick(steep, width, height), pick(steep, height, width)
    # Neither sum nor quotient overflows, and no rest is lost unless the quotient is zero.
    scale = choice(greater(large, 2.0**400), 2.0**-30, 2.0**600, x)
    far, both = is_infinite(large), is_infinite(small)
    small = pick(far, pick(both, one, small * 0.0), small * scale)
    large = pick(far, one, large * scale)
    wide = greater(small, large * TAN_OF_EIGHTH)
    difference, difference_rest = two_sum(small, -large)
    whole, whole_rest = fast_two_sum(large, small)
    above, below = pick(wide, difference, small), pick(wide, whole, large)
    above_rest, below_rest = pick(wide, difference_rest, 0.0), pick(wide, whole_rest, 0.0)
    if rests is not None:
        height_rest, width_rest = (
            with_sign(one, part) * rest * scale for part, rest in zip((y, x), rests, strict=True)
        )
        small_rest = pick(steep, width_rest, height_rest)
        large_rest = pick(steep, height_rest, width_rest)
        above_rest = above_rest + (small_rest - pick(wide, large_rest, 0.0))
        below_rest = below_rest + (large_rest + pick(wide, small_rest, 0.0))
    below = pick(equal(below, 0.0), one, below)
    return Tangent(above, above_rest, below, below_rest, steep, wide)


def rotate_angle(y: Expression, x: Expression, tangent: Tangent, angle: Pair) -> Expression:
    """The angle of the point (x, y): eighths of a turn more or less than that of its tangent."""
    one = x.table.constant(1.0, x.type)
    (t, angle_rest), steep = angle, tangent.steep
    is_negative = less(with_sign(one, x), 0.0)
    eighths = choice(tangent.wide, 1.0, 0.0, x)
    eighths = pick(steep, 2.0 - eighths, eighths)
    eighths = pick(is_negative, 4.0 - eighths, eighths)
    flip = choice(steep ^ is_negative, -1.0, 1.0, x)
    base, base_rest = eighths * F64.pi[0], eighths * F64.pi[1]
    total, more = fast_two_sum(base, flip * t)
    return with_sign(total + (more + multiply_add(flip, angle_rest, base_rest)), y)

"""Arc functions and inverse hyperbolic functions of complex numbers.

With ``d = 1 - x^2 - y^2`` and ``asin(x + iy) = u + iv``, ``cos(u) + i sinh(v)`` is the square root
of ``d + 2iy``: neither part cancels, near branch points and cuts too. On a cut the sign of zero
decides which side is meant. What sums, products and roots lose is carried along.

Source: W. Kahan, "Branch cuts for complex elementary functions", 1987; C23, Annex G, for infinities
and NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.angles import angle_in_single, of_point
from stablemate.compiler.lowering.functions.arithmetic import Pair, shift_bits
from stablemate.compiler.lowering.functions.complex_functions import Complex
from stablemate.compiler.lowering.functions.logarithm import log_plus_one
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
    residue,
    root,
    two_product,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.formats import F64
from stablemate.numerics.functions.hyperbolic import (
    ATANH,
    SERIES,
    logarithm_of_sum,
    root_of,
)

LARGE: Final = 2.0**30  # from here on 1 is nothing beside z^2
HUGE: Final = 2.0**400  # from here on squares are taken of numbers times 2^-SHIFT
SHIFT: Final = 600.0  # exponents: squares of numbers so much smaller do not overflow
CLOSE: Final = 2.0**-53  # what is nearer to 1 has 1 as its real part
TINY: Final = 2.0**-1010  # what products below it lose cannot be computed
SMALL: Final = 2.0**-700  # smaller numbers are divided times LIFT
LIFT: Final = 2.0**200
INFINITY: Final = float("inf")


class Arc(NamedTuple):
    """The intermediate values of the arc sine of ``x + iy``, for the magnitudes x and y.

    Attributes:
        width: The real part is the angle of the point ``(width, x)``.
        height: The imaginary part.
    """

    width: Pair
    height: Expression


class ArcParts(NamedTuple):
    """How the parts of the functions are computed.

    Attributes:
        arc: What the arc sine is made of, by the magnitudes of both parts.
        angle: The angle of a point of pairs, by its ordinate and its abscissa.
        area: The real part of the inverse hyperbolic tangent, by the magnitudes of both parts.
        half_angle: Its imaginary part, by both parts.
    """

    arc: Callable[[Expression, Expression], Arc]
    angle: Callable[[Pair, Pair], Expression]
    area: Callable[[Expression, Expression], Expression]
    half_angle: Callable[[Expression, Expression], Expression]


Arcs = Mapping[str, Callable[[Complex], Complex]]


def arcs_of(parts: ArcParts) -> Arcs:
    """Returns the inverse functions by name, built from the same four parts."""

    def asin(z: Complex) -> Complex:
        x, y = z
        width, height = parts.arc(absolute(x), absolute(y))
        return parts.angle(exactly(x), width), with_sign(height, y)

    def acos(z: Complex) -> Complex:
        x, y = z
        width, height = parts.arc(absolute(x), absolute(y))
        return parts.angle(width, exactly(x)), with_sign(height, -y)

    def acosh(z: Complex) -> Complex:  # i acos(z) or -i acos(z)
        x, y = z
        width, height = parts.arc(absolute(x), absolute(y))
        return height, with_sign(parts.angle(width, exactly(x)), y)

    def atanh(z: Complex) -> Complex:
        x, y = z
        area = parts.area(absolute(x), absolute(y))
        return with_sign(area, x), parts.half_angle(x, y)

    return {
        "acos": acos,
        "acosh": acosh,
        "asin": asin,
        "asinh": rotate_odd_function(asin),
        "atan": rotate_odd_function(atanh),
        "atanh": atanh,
    }


def rotate_odd_function(function: Callable[[Complex], Complex]) -> Callable[[Complex], Complex]:
    """``-i f(iz)`` of an odd function with ``f(conj(z)) = conj(f(z))``: parts are exchanged."""

    def turn(z: Complex) -> Complex:
        imag, real = function((z[1], z[0]))
        return real, imag

    return turn


def exactly(x: Expression) -> Pair:
    """A number as a pair."""
    return x, x.table.like(x, 0.0)


# ---- of any f64


def arc(x: Expression, y: Expression) -> Arc:
    """The parts of an arc sine; far out those of ``log(2 abs(z))`` and of the point ``(y, x)``."""
    is_large = greater(x, LARGE) | greater(y, LARGE)
    near_x, near_y = pick(is_large, 0.0, x), pick(is_large, 0.0, y)
    d = above_circle(near_x, near_y)
    largest = pick(less(x, y), y, x)
    exponent = shift_bits("lshr", bits_of(largest), F64.mantissa)
    scale = float_of(shift_bits("shl", 2 * F64.bias + 1 - exponent, F64.mantissa))
    size = modulus_of(
        (pick(is_large, x * scale, d[0]), pick(is_large, 0.0, d[1])),
        pick(is_large, y * scale, near_y * 2.0),
    )
    cosine, sine = halves(d, size, near_y)
    square, rest = two_product(sine[0], sine[0])
    total, lost = two_sum(x.table.like(x, 1.0), square)
    top = fast_two_sum(*root_of(total, lost + multiply_add(sine[0], sine[1] * 2.0, rest)))
    value, rest = fast_two_sum(top[0], sine[0])
    rest = rest + (top[1] + sine[1])
    doublings = x.table.convert("sitofp", exponent - F64.bias, "f64")
    logarithm = logarithm_of_sum(
        (pick(is_large, size[0], value), pick(is_large, size[1], rest)),
        pick(is_large, doublings, 0.0),
    )
    series = sine[0] + multiply_add(sine[0] * square, -1.0 / 6.0, sine[1])
    is_small = less(x, LARGE) & less(y, LARGE) & less(sine[0], SERIES)
    height = pick(is_small, series, logarithm)
    width = product_of_pairs(cosine, top)
    is_far = is_infinite(x) | is_infinite(y)
    return Arc(
        (pick(is_large, y, width[0]), pick(is_large, 0.0, width[1])),
        pick(is_far, INFINITY, height),
    )


def above_circle(x: Expression, y: Expression) -> Pair:
    """``(1 - x) (1 + x) - y^2``."""
    one = x.table.like(x, 1.0)
    value, rest = product_of_pairs(two_sum(one, -x), two_sum(one, x))
    square, square_rest = two_product(y, y)
    value, lost = two_sum(value, -square)
    return fast_two_sum(value, lost + (rest - square_rest))


def modulus_of(x: Pair, y: Expression) -> Pair:
    """``sqrt(x^2 + y^2)`` where the larger one is between ``CLOSE`` and ``LARGE^2``, or y."""
    square, rest = two_product(x[0], x[0])
    other, other_rest = two_product(y, y)
    total, lost = two_sum(square, other)
    rest = lost + (multiply_add(x[0], x[1] * 2.0, rest) + other_rest)
    is_close = less(total, CLOSE * CLOSE)
    value, rest = fast_two_sum(*root_of(pick(is_close, 1.0, total), rest))
    return pick(is_close, y, value), pick(is_close, 0.0, rest)


def halves(d: Pair, size: Pair, y: Expression) -> tuple[Pair, Pair]:
    """The parts of the square root of ``d + 2iy``, whose modulus is given."""
    magnitude, sign = absolute(d[0]), with_sign(y.table.like(y, 1.0), d[0])
    total, lost = fast_two_sum(size[0], magnitude)
    rest = lost + multiply_add(sign, d[1], size[1])
    larger = wide_root_of((total * 0.5, rest * 0.5))
    smaller = quotient_by_pair(y, larger)
    is_inside = less(d[0], 0.0)
    cosine, sine = (
        (pick(is_inside, first[0], second[0]), pick(is_inside, first[1], second[1]))
        for first, second in ((smaller, larger), (larger, smaller))
    )
    return cosine, sine


def quotient_by_pair(x: Expression, y: Pair) -> Pair:
    """The quotient of two numbers that are not negative; 0 of zeros."""
    is_small = less(x, SMALL)
    back = choice(is_small, 1.0 / LIFT, 1.0, x)
    value, rest = quotient_of(x * choice(is_small, LIFT, 1.0, x), y[0], 0.0, y[1])
    is_zero = equal(y[0], 0.0)
    return pick(is_zero, 0.0, value * back), pick(is_zero, 0.0, rest * back)


def wide_root_of(x: Pair) -> Pair:
    """The square root of a pair of any size; without a rest where that would lack bits."""
    value = root(x[0])
    rest = (x[1] - residue(value, value, x[0])) / (value * 2.0)
    return value, pick(less(x[0], TINY), 0.0, rest)


def product_of_pairs(x: Pair, y: Pair) -> Pair:
    """The product of two pairs."""
    value, lost = two_product(x[0], y[0])
    lost = pick(less(absolute(value), TINY), 0.0, lost)
    return value, lost + multiply_add(x[0], y[1], x[1] * y[0])


def angle(y: Pair, x: Pair) -> Expression:
    """The angle of the point (x, y)."""
    return of_point(y[0], x[0], (y[1], x[1]))


def half_angle(x: Expression, y: Expression) -> Expression:
    """The imaginary part of ``atanh(x + iy)``: half the angle of ``1 - x^2 - y^2 + 2iy``."""
    width, height = absolute(x), absolute(y)
    is_large = greater(width + height, LARGE**2)
    d, rest = above_circle(pick(is_large, 0.0, width), pick(is_large, 0.0, height))
    lift = choice(less(height, SMALL), LIFT, 1.0, x)
    result = angle(exactly(y * (lift * 2.0)), (d * lift, rest * lift)) * 0.5
    is_large = is_large | is_infinite(y)
    return pick(is_large, with_sign(y.table.like(y, math.pi / 2.0), y), result)


def area(x: Expression, y: Expression) -> Expression:
    """The real part of ``atanh(x + iy)`` for x and y that are not negative.

    It is a quarter of the logarithm of ``a / b`` with ``a = (1 + x)^2 + y^2`` and
    ``b = (1 - x)^2 + y^2``. With k the power of two next to that quotient, it is
    ``log(k) / 4 + atanh(s) / 2``, where s is ``(a - k b) / (a + k b)``.
    """
    one = x.table.like(x, 1.0)
    is_huge = greater(x, HUGE) | greater(y, HUGE)
    is_close = equal(x, 1.0) & less(y, 2.0**-400)
    back = choice(is_huge, 2.0**-SHIFT, 1.0, x)
    x, y = x * back, y * back
    unit = pick(is_huge, 0.0, one)
    below = two_sum(unit, -x)
    enlarged = y * choice(is_close, 2.0**SHIFT, 1.0, x)
    a, a_rest = square_of_distance(two_sum(unit, x), y)
    b, b_rest = square_of_distance(below, enlarged)
    half_unit = 1 << (F64.mantissa - 1)
    n = shift_bits("ashr", bits_of(a) - bits_of(b) + half_unit, F64.mantissa)
    k = float_of(shift_bits("shl", n + F64.bias, F64.mantissa))
    n = x.table.convert("sitofp", n, "f64")
    is_plain = equal(n, 0.0)
    b, b_rest = k * b, k * b_rest
    is_small = less(x, SMALL)
    numerator = pick(is_plain, x * choice(is_small, 4.0 * LIFT, 4.0, x), a - b)
    back = back * choice(is_small, 1.0 / LIFT, 1.0, x)
    numerator_rest = pick(is_plain, 0.0, a_rest - b_rest)
    divisor, lost = two_sum(a, b)
    inverse = 1.0 / divisor
    s = numerator * inverse
    error = numerator_rest - residue(s, divisor, numerator)
    error = multiply_add(s, -(lost + (a_rest + b_rest)), error)
    z = pick(is_huge | is_small, 0.0, s * s)
    high, low = F64.ln2
    n = n + choice(is_close, 2.0 * SHIFT, 0.0, x)
    total, rest = fast_two_sum(n * (0.5 * high), s)
    rest = multiply_add(error, inverse, multiply_add(n, 0.5 * low, rest))
    result = (total + multiply_add(s * z, polynomial(z, ATANH), rest)) * (0.5 * back)
    result = pick(is_infinite(x) | is_infinite(y) | equal(x, 0.0), 0.0, result)
    return pick(equal(b, 0.0), INFINITY, result)


def square_of_distance(x: Pair, y: Expression) -> Pair:
    """``x^2 + y^2``."""
    square, rest = two_product(x[0], x[0])
    other, other_rest = two_product(y, y)
    total, lost = two_sum(square, other)
    return total, lost + (multiply_add(x[0], x[1] * 2.0, rest) + other_rest)


# ---- of f64 that came from f32: nothing overflows, and what is lost does not matter


def plain_arc(x: Expression, y: Expression) -> Arc:
    """The parts of an arc sine."""
    d = plain_above_circle(x, y)
    larger = root((absolute(d) + root(d * d + (y * y) * 4.0)) * 0.5)
    is_zero, is_outside = equal(larger, 0.0), less(d, 0.0)
    smaller = pick(is_zero, 0.0, y / larger)
    cosine, sine = pick(is_outside, smaller, larger), pick(is_outside, larger, smaller)
    square = sine * sine
    top = root(square + 1.0)
    is_far = is_infinite(x) | is_infinite(y)
    height = pick(is_far, INFINITY, log_plus_one(sine + square / (top + 1.0)))
    return Arc(exactly(pick(is_far, y, cosine * top)), height)


def plain_above_circle(x: Expression, y: Expression) -> Expression:
    """``(1 - x) (1 + x) - y^2``."""
    return (1.0 - x) * (x + 1.0) - y * y


def plain_angle(y: Pair, x: Pair) -> Expression:
    """The angle of the point (x, y)."""
    return angle_in_single(y[0], x[0])


def plain_area(x: Expression, y: Expression) -> Expression:
    """``log1p(4x / ((1 - x)^2 + y^2)) / 4``."""
    below = 1.0 - x
    result = log_plus_one((x * 4.0) / (below * below + y * y)) * 0.25
    return pick(is_infinite(x) | is_infinite(y) | equal(x, 0.0), 0.0, result)


def plain_half_angle(x: Expression, y: Expression) -> Expression:
    """Half the angle of ``1 - x^2 - y^2 + 2iy``."""
    d = plain_above_circle(absolute(x), absolute(y))
    result = angle_in_single(y * 2.0, d) * 0.5
    return pick(is_infinite(y), with_sign(y.table.like(y, math.pi / 2.0), y), result)


DOUBLES: Final = arcs_of(ArcParts(arc, angle, area, half_angle))
SINGLES: Final = arcs_of(ArcParts(plain_arc, plain_angle, plain_area, plain_half_angle))

"""Powers, roots, angles and remainders of complex numbers whose parts are ``f64``.

As in ``complex_functions`` the parts came from ``f32``, so that their products are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Final, NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions import complex_functions as plain
from stablemate.compiler.lowering.functions import exponential as real_exponential
from stablemate.compiler.lowering.functions.angles import atan2, cosine, sine
from stablemate.compiler.lowering.functions.complex_functions import Complex
from stablemate.compiler.lowering.functions.logarithm import log_plus_one, logarithm
from stablemate.compiler.lowering.functions.remainders import remainder as real_remainder
from stablemate.compiler.lowering.functions.roots import cubic_root as real_cubic_root
from stablemate.numerics.functions.arithmetic import (
    absolute,
    bits_of,
    equal,
    greater,
    is_infinite,
    less,
    pick,
    rarely,
    round_to_integer,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.formats import F64

HALF_PI: Final = pi / 2


def cubic_root(x: Complex) -> Complex:
    """The cubic root with a third of the argument."""
    size, angle = real_cubic_root(plain.modulus(x)), atan2(x[1], x[0]) / 3.0
    return size * cosine(angle), size * sine(angle)


def logistic(x: Complex) -> Complex:
    """``1 / (1 + exp(-x))``; ``exp(x) / (1 + exp(x))`` where the other would overflow.

    For small real parts, where there are poles, ``1 + exp(-x)`` is a sum that does not cancel.
    Parts that are zero have the signs of ``1 / (1 + exp(-x))`` in plain complex arithmetic.
    """
    a, b = x
    is_left = less(a, 0.0)
    power = plain.exponential((pick(is_left, a, -a), pick(is_left, b, -b)))
    above = pick(is_left, power[0], 1.0), pick(is_left, power[1], 0.0)
    far = plain.divide(above, (power[0] + 1.0, power[1]))
    half, cos, sin = cosine(b * 0.5), cosine(b), sine(b)
    real = real_exponential.exponential_minus_one(-a) * cos + half * half * 2.0
    imag = -(real_exponential.exponential(-a) * sin)
    one = a.table.constant(1.0, "f64"), a.table.constant(0.0, "f64")
    near = plain.divide(one, (real, imag))
    is_near = less(absolute(a), 1.0) & less(absolute(b), plain.INFINITY)
    real, imag = (pick(is_near, *parts) for parts in zip(near, far, strict=True))
    return zeros_of_logistic(x, (real, imag))


def zeros_of_logistic(x: Complex, result: Complex) -> Complex:
    """``1 / (1 + exp(-x))``, with the signs of its zeros."""
    (a, b), (real, imag) = x, result
    cos, sin, is_left = cosine(b), sine(b), less(a, 0.0)
    on_axis = equal(b, 0.0)
    is_turned = is_left & less(absolute(b), plain.INFINITY) & opposite(on_axis)
    origin = a.table.constant(0.0, "f64")
    real = pick(is_turned & equal(real, 0.0), with_sign(origin, cos), real)
    zero = pick(is_turned, with_sign(origin, sin), 0.0)
    return real, pick(equal(imag, 0.0) | (on_axis & equal(a, a)), zero, imag)


def with_ends_of_power(
    x: Complex, y: Complex, usual: Complex, logarithm: Callable[[Complex], Complex]
) -> Complex:
    """A power of finite numbers, with the values at zeros, infinities and NaN."""
    is_zero = equal(x[0], 0.0) & equal(x[1], 0.0)
    finite = plain.is_finite(x) & plain.is_finite(y) & opposite(is_zero)
    limit = plain.exponential(plain.multiply_with_infinities(y, logarithm(x)))
    real, imag = (
        rarely(opposite(finite), far, near) for far, near in zip(limit, usual, strict=True)
    )
    vanishes = is_zero & greater(y[0], 0.0)
    real, imag = pick(vanishes, 0.0, real), pick(vanishes, 0.0, imag)
    is_real = equal(y[1], 0.0)
    same, one = is_real & equal(y[0], 1.0) & finite, is_real & equal(y[0], 0.0)
    real, imag = pick(same, x[0], real), pick(same, x[1], imag)
    return pick(one, 1.0, real), pick(one, 0.0, imag)


def by_quarters(x: Complex, y: Complex) -> Complex:
    """A power of finite numbers, the base not zero, with angles counted from the nearest axis.

    So parts that are nearly zero are exact. Of numbers on diagonals half quarters are counted.
    """
    (a, b), (c, d) = x, y
    one = a.table.constant(1.0, "f64")
    flat, is_diagonal = opposite(less(absolute(a), absolute(b))), equal(absolute(a), absolute(b))
    along, across = pick(flat, a, b), pick(flat, b, -a)
    log = plain.log_of_modulus(x)
    height = across * with_sign(one, along)
    rest = pick(is_diagonal, 0.0, atan2(height, absolute(along)))
    is_left = pick(greater(along, 0.0), 0.0, with_sign(one * 2.0, b))
    quarters = pick(flat, is_left, with_sign(one, along))
    quarters = quarters + pick(is_diagonal, with_sign(one * 0.5, height), 0.0)
    size = real_exponential.exponential(c * log - d * (quarters * HALF_PI + rest))
    turns = real_remainder(c, one * 8.0) * quarters
    nearest_turn = round_to_integer(turns)
    small = pick(equal(d, 0.0), c * rest, c * rest + d * log)
    angle = pick(equal(turns, nearest_turn), small, (turns - nearest_turn) * HALF_PI + small)
    real, imag = size * cosine(angle), size * sine(angle)
    whole = c * atan2(b, a) + d * log  # of which zeros have the sign
    is_zero, zero = equal(angle, 0.0), pick(equal(whole, 0.0), whole, angle)
    count = bits_of(nearest_turn + F64.rounder)
    result = quarters_further((real, pick(is_zero, zero, imag)), count)
    return zeros_of_diagonals(x, y, is_zero, count, result)


def quarters_further(x: Complex, count: Expression) -> Complex:
    """The product with a power of i."""
    real, imag = x
    odd, turned = is_set(count, 1), is_set(count, 2)
    real, imag = pick(odd, -imag, real), pick(odd, real, imag)
    return pick(turned, -real, real), pick(turned, -imag, imag)


def zeros_of_diagonals(
    x: Complex, y: Complex, is_zero: Expression, count: Expression, result: Complex
) -> Complex:
    """A power, with the signs that zero parts have if the base is on a diagonal.

    Real parts that are zero are +0, imaginary ones have the sign of the angle.

    Args:
        x: The base.
        y: The exponent.
        is_zero: Whether the angle of the power is zero but for quarter turns.
        count: The quarter turns.
        result: The power.
    """
    is_exact = is_zero & equal(absolute(x[0]), absolute(x[1]))
    odd = is_set(count, 1)
    zero = x[1].table.constant(0.0, "f64")
    real = pick(is_exact & odd, zero, result[0])
    side = with_sign(zero, x[1] * with_sign(zero + 1.0, y[0]))
    return real, pick(is_exact & opposite(odd), side, result[1])


def is_set(count: Expression, bit: int) -> Expression:
    """Whether a bit of an integer is set."""
    masked = count & bit
    return count.table.apply("ne", masked, count.table.like(masked, 0))


def opposite(truth: Expression) -> Expression:
    """Whether something does not hold."""
    return truth ^ truth.table.bits(1, "i1")


def whole_part(x: Complex) -> Complex:
    """Both parts without their fractions."""
    real, imag = (with_sign(part.table.apply("floor", absolute(part)), part) for part in x)
    return real, imag


def remainder(x: Complex, y: Complex) -> Complex:
    """``x - q y`` with ``q = x / y``, both parts of which lose their fractions."""
    return plain.subtract(x, plain.multiply(whole_part(plain.divide_scaled(x, y)), y))


def angle(x: Complex, y: Complex) -> Complex:
    """``-i log(w)`` with ``w = (y + ix) / sqrt(x^2 + y^2)``, without cancellation.

    ``abs(w)^2`` is ``abs(y + ix) / abs(y - ix)``, and the angle of ``w^2`` that of
    ``(y + ix) / (y - ix)``; twice it leaves a half turn open, which the formula itself tells.
    """
    (a, b), (c, d) = x, y
    upper, lower = (c - b, d + a), (c + b, d - a)
    above, below = (part[0] * part[0] + part[1] * part[1] for part in (upper, lower))
    ratio = (a * d - b * c) * 4.0 / below
    is_near = less(absolute(ratio), 0.4)
    near = log_plus_one(pick(is_near, ratio, 0.0))
    imag = pick(is_near, near, logarithm(pick(is_near, 4.0, above / below))) * -0.25
    half = atan2((a * c + b * d) * 2.0, difference((c * c, d * d), (a * a, b * b))) * 0.5
    across = (a * b + c * d) * 2.0
    side = a * b * 0.0 + c * d * 0.0  # the sign of a zero chooses the side of the cut
    across = pick(equal(across, 0.0), side, across)
    roots = plain.square_root((difference((a * a, c * c), (b * b, d * d)), across))
    rough, plainly = plain.divide(upper, roots), by_logarithm(x, y)
    on_cut = equal(half, 0.0)  # or opposite to it
    side = pick(is_on_axis(x, y), plainly[0], one_like(a))
    height = rarely(on_cut, with_sign(rough[1], side), rough[1])
    turns = round_to_integer((atan2(height, rough[0]) - half) * (1.0 / pi))
    turns = pick(equal(half, 0.0), turns, with_sign(turns, -half))  # at most a half turn in all
    return ends_of_angle(x, y, (half + turns * pi, imag), plainly, (a * c, -(b * d), a * d, b * c))


def ends_of_angle(
    x: Complex,
    y: Complex,
    angle: Complex,
    plainly: Complex,
    products: tuple[Expression, Expression, Expression, Expression],
) -> Complex:
    """An angle of finite numbers, with its values at infinities, NaN and poles, and its zeros.

    Args:
        x: The first operand.
        y: The second operand.
        angle: The angle of finite numbers; parts that are zero may have any sign.
        plainly: The angle by the formula itself.
        products: ``ac``, ``-bd``, ``ad``, ``bc``.
    """
    (a, b), (c, d), (real, imag) = x, y, angle
    is_pole = (equal(c, b) & equal(d, -a)) | (equal(c, -b) & equal(d, a))
    is_open = opposite(plain.is_finite(x) & plain.is_finite(y)) | is_pole
    is_usual = opposite(is_open | is_on_axis(x, y))
    is_turned, is_real = equal(*products[:2]), equal(*products[2:])
    first = pick(is_usual & is_turned, absolute(plainly[0]), plainly[0])
    limits = first, pick(is_usual & is_real, first * -0.0 - 0.0, plainly[1])
    parts: list[Expression] = []
    for part, limit in zip((real, imag), limits, strict=True):
        rare = pick(is_open, limit, with_sign(part, limit))
        parts.append(rarely(is_open | equal(part, 0.0), rare, part))
    return parts[0], parts[1]


def is_on_axis(x: Complex, y: Complex) -> Expression:
    """Whether a part of one of the numbers is zero."""
    return equal(x[0], 0.0) | equal(x[1], 0.0) | equal(y[0], 0.0) | equal(y[1], 0.0)


def one_like(x: Expression) -> Expression:
    """Returns the constant 1 in the type of ``x``."""
    return x.table.constant(1.0, x.type)


class ComplexArithmetic(NamedTuple):
    """Functions of complex numbers, for parts of some range."""

    square_root: Callable[[Complex], Complex] = plain.square_root
    logarithm: Callable[[Complex], Complex] = plain.logarithm
    divide: Callable[[Complex, Complex], Complex] = plain.divide


SINGLES: Final = ComplexArithmetic()


def by_logarithm(x: Complex, y: Complex, within: ComplexArithmetic = SINGLES) -> Complex:
    """The formula itself, for infinities and NaN, signs of zeros, and the side of the cut.

    Zeros have the signs that they have in the product of the logarithm with ``-0 - i``.
    """
    square = within.square_root(plain.add(plain.multiply(x, x), plain.multiply(y, y)))
    is_number, is_far = plain.is_finite(x), opposite(plain.is_finite(x) & plain.is_finite(y))
    turned = pick(is_number, x[0] * 0.0 - x[1], -x[1]), pick(is_number, x[1] * 0.0 + x[0], x[0])
    real, imag = within.logarithm(within.divide(plain.add(y, turned), square))
    is_far = is_far & is_infinite(real)
    return pick(is_far, imag, real * -0.0 + imag), imag * -0.0 - real


def difference(x: Complex, y: Complex) -> Expression:
    """The sum of two numbers less that of two others, in twice the precision."""
    (s, s_rest), (t, t_rest) = two_sum(*x), two_sum(*y)
    total, rest = two_sum(s, -t)
    return total + (rest + (s_rest - t_rest))

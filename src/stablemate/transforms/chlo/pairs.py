"""Functions in twice the precision, for results that remain after others cancel.

A pair is a rounded number and the rest. Logarithms and angles are reduced as in native code.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from stablemate.numerics.elements import F64, I64
from stablemate.transforms.chlo.arithmetic import (
    bits_as,
    convert,
    exact_product,
    exact_sum,
    log,
    nearest_integer,
    polynomial,
    sqrt,
    where,
)
from stablemate.transforms.chlo.expressions import TensorExpression

LN2: Final = (0.6931471803691238, 1.9082149292705877e-10, 1.1612227229362532e-26)
PI_REST: Final = 1.2246467991473532e-16
TWO_THIRDS: Final = (0.6666666666666666, 3.700743415417188e-17)
# ((2 atanh(s) / s - 2) / s^2 - 2/3) / s^2 of s^2, 0 <= s^2 <= 0.0295; 2^-73 of the logarithm
LOG: Final = (
    0.3999999999999998, 0.2857142857144385, 0.22222222217785284, 0.1818181884468915,
    0.1538455837356344, 0.13336266833271992, 0.11675729837397328, 0.11982200411750366,
)  # fmt: skip
# (sin(r) - r) / r^3 of r^2, abs(r) <= pi/4; 2^-58.0
SIN: Final = (-0.16666666666666632, 0.008333333333322455, -0.0001984126982981342,
              2.7557313687579124e-06, -2.505075671592336e-08, 1.5896681963098345e-10)  # fmt: skip
# (cos(r) - 1 + r^2 / 2) / r^4 of r^2, abs(r) <= pi/4; 2^-63.9
COS: Final = (0.041666666666666595, -0.0013888888888873307, 2.480158728896522e-05,
              -2.755731420306864e-07, 2.087570313637719e-09, -1.1358616727663995e-11)  # fmt: skip


class Pair(NamedTuple):
    """A rounded number, and the rest."""

    value: TensorExpression
    rest: TensorExpression

    @property
    def total(self) -> TensorExpression:
        """The rounded sum."""
        return self.value + self.rest


def pair(x: TensorExpression, rest: float = 0.0) -> Pair:
    """A number as a pair."""
    return Pair(x, x.constant(rest))


def sum_of(a: Pair, b: Pair) -> Pair:
    """The sum of two pairs."""
    value, lost = exact_sum(a.value, b.value)
    return Pair(value, lost + (a.rest + b.rest))


def negative(a: Pair) -> Pair:
    """The pair with the other sign."""
    return Pair(-a.value, -a.rest)


def product_of(a: Pair, b: Pair) -> Pair:
    """The product of two pairs that are far from overflow."""
    value, lost = exact_product(a.value, b.value)
    return Pair(value, lost + (a.value * b.rest + a.rest * b.value))


def quotient_of(a: Pair, b: Pair) -> Pair:
    """The quotient of two pairs that are far from overflow."""
    value = a.value / b.value
    product, lost = exact_product(value, b.value)
    rest = ((a.value - product) - lost + (a.rest - value * b.rest)) / b.value
    return Pair(value, rest)


def root_of(a: Pair) -> Pair:
    """The square root of a positive pair that is far from underflow."""
    root = sqrt(a.value)
    square, lost = exact_product(root, root)
    return Pair(root, (((a.value - square) - lost) + a.rest) / (2.0 * root))


def power_of_two(n: TensorExpression) -> TensorExpression:
    """``2^n`` of an integer between -1022 and 1023."""
    return bits_as((convert(n, I64) + 1023.0) * 2.0**52, F64)


def logarithm(x: TensorExpression) -> Pair:
    """The logarithm of a normal positive number.

    With ``x = 2^n (1 + f)`` and ``s = f / (2 + f)`` it is ``n log(2) + 2s + 2/3 s^3 + ...``.
    """
    n = nearest_integer(log(x) * (1.0 / math.log(2.0)))
    f = (x * power_of_two(2.0 - n)) * 0.25 - 1.0
    s = quotient_of(pair(f), Pair(*exact_sum(f.constant(2.0), f)))
    z = product_of(s, s)
    slope = z.value * polynomial(z.value, LOG)
    c, c_rest = exact_sum(f.constant(TWO_THIRDS[0]), slope)
    cubic = product_of(product_of(z, s), Pair(c, c_rest + TWO_THIRDS[1]))
    small = sum_of(Pair(2.0 * s.value, 2.0 * s.rest), cubic)
    first, second, third = LN2
    more, lost = exact_product(n, n.constant(second))
    large = sum_of(pair(n * first), Pair(more, lost + n * third))
    return sum_of(large, small)


def pi_times(x: TensorExpression) -> Pair:
    """``pi x``."""
    return product_of(pair(x), pair(x.constant(math.pi), PI_REST))


def sine_and_cosine(angle: Pair) -> tuple[Pair, Pair]:
    """Both of an angle of at most pi/4."""
    r, z = angle.value, product_of(angle, angle)
    sine = sum_of(angle, pair(r * z.value * polynomial(z.value, SIN)))
    near = sum_of(pair(r.constant(1.0)), Pair(-0.5 * z.value, -0.5 * z.rest))
    small = z.value * z.value * polynomial(z.value, COS)
    return sine, sum_of(near, pair(small))


def pi_over_tangent(x: TensorExpression) -> Pair:
    """``pi / tan(pi x)`` of a number between -1/2 and 1/2 that is not zero."""
    is_steep = abs(x) > 0.25
    away = where(x < 0.0, -0.5 - x, 0.5 - x)
    sine, cosine = sine_and_cosine(pi_times(where(is_steep, away, x)))
    above = select_pair(is_steep, sine, cosine)
    below = select_pair(is_steep, cosine, sine)
    return product_of(quotient_of(above, below), pair(x.constant(math.pi), PI_REST))


def select_pair(which: TensorExpression, yes: Pair, no: Pair) -> Pair:
    """One of two pairs, element by element."""
    return Pair(where(which, yes.value, no.value), where(which, yes.rest, no.rest))


def last_step(x: TensorExpression, coefficients: Sequence[float]) -> Pair:
    """A polynomial, with what is lost in the last step of Horner's rule."""
    first, *others = coefficients
    value, lost = exact_product(x, polynomial(x, others))
    return sum_of(pair(x.constant(first)), Pair(value, lost))

"""Exponents and logarithms by the bits of a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.numerics.functions.arithmetic import (
    bits_of,
    fast_two_sum,
    float_of,
    less,
    multiply_add,
    pick,
    polynomial,
    residue,
    two_product,
    two_sum,
)
from stablemate.numerics.functions.formats import F64, FloatFormat
from stablemate.numerics.functions.number import N, Pair

ROOT_OF_HALF: Final[Mapping[str, int]] = {"f32": 0x3F3504F3, "f64": 0x3FE6A09E667F3BCD}
LN2_REST: Final = 1.1612227229362532e-26  # of log(2), beyond its two parts
TWO_THIRDS: Final = (0.6666666666666666, 3.700743415417188e-17)
# ((2 atanh(s) / s - 2) / s^2 - 2/3) / s^2 of s^2, 0 <= s^2 <= 0.0295; 2^-73 of the logarithm
TAIL: Final = (
    0.3999999999999998, 0.2857142857144385, 0.22222222217785284, 0.1818181884468915,
    0.1538455837356344, 0.13336266833271992, 0.11675729837397328, 0.11982200411750366,
)  # fmt: skip


def split_exponent(x: N, fmt: FloatFormat) -> Pair[N]:
    """``n`` and ``f`` with ``x = 2^n (1 + f)`` and 1 + f between sqrt(1/2) and sqrt(2)."""
    origin = ROOT_OF_HALF[fmt.name]
    above = bits_of(x) - origin
    n = above.shift_arithmetic(fmt.mantissa).to_float()
    m = float_of((above & ((1 << fmt.mantissa) - 1)) + origin)
    return n, m - 1.0


def beyond_linear(f: N, fmt: FloatFormat) -> N:
    """``log(1 + f) - f``.

    By a polynomial in f for ``f32``; for ``f64`` by one in ``s = f / (2 + f)``, which is shorter:
    ``log(1 + f) = 2 atanh(s) = f - f^2 / 2 + s (f^2 / 2 + 2 atanh(s) / s - 2)``.
    """
    square = f * f
    if fmt.name == "f32":
        return square * multiply_add(f, polynomial(f, fmt.log), -0.5)
    s = f / (f + 2.0)
    z = s * s
    half = square * 0.5
    return s * multiply_add(z, polynomial(z, fmt.log), half) - half


def precise_logarithm(x: N) -> Pair[N]:
    """``log(x)`` of a positive ``f64`` in twice the precision.

    ``log(1 + f) = 2 s + 2/3 s^3 + s^5 (2/5 + ...)`` with ``s = f / (2 + f)``.
    """
    denormal = less(x, F64.tiny)
    n, f = split_exponent(pick(denormal, x * 2.0**54, x), F64)
    n = pick(denormal, n - 54.0, n)
    s = f / (f + 2.0)
    divisor, divisor_rest = fast_two_sum(f.lift(2.0), f)
    s_rest = -multiply_add(s, divisor_rest, residue(s, divisor, f)) / divisor
    z, z_lost = two_product(s, s)
    z_rest = multiply_add(s * 2.0, s_rest, z_lost)
    c, c_rest = fast_two_sum(f.lift(TWO_THIRDS[0]), z * polynomial(z, TAIL))
    c_rest = c_rest + TWO_THIRDS[1]
    cube, cube_lost = two_product(z, s)
    cube_rest = multiply_add(z, s_rest, multiply_add(z_rest, s, cube_lost))
    t, t_lost = two_product(cube, c)
    t_rest = multiply_add(cube, c_rest, multiply_add(cube_rest, c, t_lost))
    high, low = fast_two_sum(s * 2.0, t)
    low = low + multiply_add(s_rest, 2.0, t_rest)
    first, second = F64.ln2
    total, lost = fast_two_sum(n * first, high)
    more, more_lost = two_product(n, n.lift(second))
    total, rest = two_sum(total, more)
    low = low + (lost + (rest + multiply_add(n, LN2_REST, more_lost)))
    return fast_two_sum(total, low)

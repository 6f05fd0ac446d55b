"""Hyperbolic functions, their inverses and arc functions, in 64 bits.

What sums, products and roots lose is carried along, so that a result is rounded nearly once. The
polynomials are the best ones (weighted least squares, repeated until the error is level); the
comment of each says what it stands for, on which interval, and its relative error in the result.
"""

from __future__ import annotations

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
    greater,
    less,
    multiply_add,
    pick,
    polynomial,
    residue,
    two_product,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.formats import F64
from stablemate.numerics.functions.logarithm import beyond_linear, split_exponent
from stablemate.numerics.functions.number import N, Pair

# (cosh(r) - 1) / r^2 of r^2, abs(r) <= log(2) / 2; 2^-69
COSH: Final = (0.5, 0.041666666666666685, 0.0013888888888873318, 2.4801587349069038e-05,
               2.7557251981887805e-07, 2.0921706483049163e-09)  # fmt: skip
# (sinh(r) / r - 1) / r^2 of r^2, abs(r) <= log(2) / 2; 2^-61
SINH: Final = (0.16666666666666677, 0.008333333333321452, 0.0001984126988652322,
               2.7557243849945294e-06, 2.5109151369384092e-08)  # fmt: skip
# (atanh(s) / s - 1) / s^2 of s^2, abs(s) <= 0.2; 2^-62
ATANH: Final = (0.333333333333333, 0.20000000000028514, 0.14285714277849615, 0.11111112157018076,
                0.09090832353669, 0.07695576368014745, 0.06586440696942378,
                0.06924031925928306)  # fmt: skip
# (asin(t) / t - 1) / t^2 of t^2, abs(t) <= 1/2; 2^-60
ASIN: Final = (0.16666666666666763, 0.07499999999970124, 0.04464285717526367, 0.030381942676303345,
               0.02237221587813038, 0.017351595983776284, 0.013981012888490076,
               0.01139733818215867, 0.010789073551847906, 0.003673101789191425,
               0.02178845833986382, -0.02111367643936782, 0.032700290914537807)  # fmt: skip
LARGEST: Final = 710.6  # sinh and cosh are infinite behind it
NEGLIGIBLE: Final = 60.0  # 2^-n is, beside 2^n, from here on
TINY: Final = 2.0**-28  # sinh(x) is x below it
LARGE: Final = 2.0**30  # from here on log(2x) is taken for asinh(x) and acosh(x)
SERIES: Final = 2.0**-13  # asinh(x) is x - x^3 / 6 below it
SMALLEST_ROOT: Final = 2.0**-100  # whose root is taken


def sinh(x: N) -> N:
    """``sinh(x)`` by powers of two and the values at the rest, without cancellation."""
    a = absolute(x)
    result = of_powers(at_most(a, LARGEST), is_odd=True)
    return with_sign(pick(less(a, TINY), a, result), x)


def cosh(x: N) -> N:
    """``cosh(x)`` by powers of two and the values at the rest."""
    return of_powers(at_most(absolute(x), LARGEST), is_odd=False)


def of_powers(a: N, *, is_odd: bool) -> N:
    """``sinh(a)`` or ``cosh(a)`` of a number that is neither negative nor above ``LARGEST``."""
    total, lost = half_of_powers(a, is_odd=is_odd)
    return (total + lost) * 2.0


def half_of_powers(a: N, *, is_odd: bool) -> Pair[N]:
    """Half of ``sinh(a)`` or ``cosh(a)``, in twice the precision.

    With ``a = n log(2) + r``, ``up = 2^n / 2`` and ``down = 2^-n / 2`` it is
    ``(up -+ down) cosh(r) + (up +- down) sinh(r)``, of which half is computed. Products with powers
    of two are exact; what their sums lose is added last.
    """
    offset = F64.rounder + F64.bias - 2  # the last bits are the exponent of 2^n / 4
    sum_with_n = multiply_add(a, F64.log2e, offset)
    n = sum_with_n - offset
    high, low = F64.ln2
    upper = multiply_add(n, -high, a)
    r = multiply_add(n, -low, upper)
    rest = multiply_add(n, -low, upper - r)
    up = power_of_two(sum_with_n)
    down = power_of_two(offset - at_most(n, NEGLIGIBLE))
    z = r * r
    cosine = z * polynomial(z, COSH)  # less 1
    sine = multiply_add(r * z, polynomial(z, SINH), rest)  # less r
    sign = -1.0 if is_odd else 1.0
    even, lost = fast_two_sum(up, down * sign)
    odd = up - down * sign
    total, more = fast_two_sum(even, up * r)
    total, last = fast_two_sum(total, down * r * -sign)
    return total, multiply_add(odd, sine, multiply_add(even, cosine, (lost + more) + last))


def power_of_two(sum_with_n: N) -> N:
    """The power of two whose exponent the last bits of a sum with ``rounder`` are."""
    return float_of(bits_of(sum_with_n) << F64.mantissa)


def asinh(x: N) -> N:
    """``log(a + sqrt(1 + a^2))`` with the sign of x, where a is its magnitude."""
    a = absolute(x)
    near = at_most(a, LARGE)
    square, rest = two_product(near, near)
    total, lost = two_sum(a.lift(1.0), square)
    s, s_rest = root_of(total, lost + rest)
    value, rest = fast_two_sum(s, near)
    result = logarithm_or_double(a, value, rest + s_rest)
    cubic = a * (near * near)
    result = pick(less(a, SERIES), multiply_add(cubic, -1.0 / 6.0, a), result)
    return with_sign(pick(less(a, float("inf")), result, a), x)


def acosh(x: N) -> N:
    """``log(x + sqrt(t^2 + 2t))`` with ``t = x - 1``; NaN below 1."""
    near = at_most(x, LARGE)
    t = near - 1.0
    square, rest = two_product(t, t)
    total, lost = two_sum(t * 2.0, square)
    s, s_rest = root_of(at_least(total, SMALLEST_ROOT), lost + rest)
    value, rest = fast_two_sum(near, s)
    result = logarithm_or_double(x, value, rest + s_rest)
    result = pick(less(x, float("inf")), result, x)
    end = choice(equal(x, 1.0), 0.0, float("nan"), x)
    return pick(greater(x, 1.0), result, end)


def root_of(x: N, rest: N) -> Pair[N]:
    """``sqrt(x + rest)`` of a number in the range of ``f32``, in twice the precision.

    The rest is a step of Newton's iteration.
    """
    s, slope = x.sqrt_and_slope()
    return s, (rest - residue(s, s, x)) * slope


def logarithm_or_double(x: N, value: N, rest: N) -> N:
    """``log(value + rest)``; ``log(2x)`` where x is ``LARGE``, by that of a quarter.

    The largest numbers themselves would have an exponent whose opposite is that of no number.
    """
    is_large = greater(x, LARGE)
    rest = pick(is_large, 0.0, rest)
    return logarithm_of_sum((pick(is_large, x * 0.25, value), rest), choice(is_large, 3.0, 0.0, x))


def logarithm_of_sum(x: Pair[N], doublings: N) -> N:
    """``log(2^doublings (value + rest))`` of a normal number in twice the precision."""
    value, rest = x
    n, f = split_exponent(value, F64)
    down = float_of(bits_of(n.lift(1.0)) - (whole(n) << F64.mantissa))
    f, rest = fast_two_sum(f, rest * down)
    n = n + doublings
    high, low = F64.ln2
    total, lost = fast_two_sum(n * high, f)
    return total + (multiply_add(n, low, lost + rest) + beyond_linear(f, F64))


def whole(n: N) -> N:
    """The last bits of a float that is an integer."""
    return bits_of(n + F64.rounder)


def atanh(x: N) -> N:
    """Half the logarithm of ``(1 + a) / (1 - a)`` with the sign of x, where a is its magnitude.

    With k the power of two next to that ratio, it is ``log(k) / 2 + atanh(s)``, where s is
    ``(1 + a - k (1 - a)) / (1 + a + k (1 - a))``.
    """
    a = absolute(x)
    one = a.lift(1.0)
    above, above_rest = fast_two_sum(one, a)
    below, below_rest = fast_two_sum(one, -a)
    half_unit = 1 << (F64.mantissa - 1)
    n = (bits_of(above) - bits_of(below) + half_unit).shift_arithmetic(F64.mantissa)
    k = float_of((n + F64.bias) << F64.mantissa)
    n = n.to_float()
    scaled, scaled_rest = k * below, k * below_rest
    numerator = above - scaled
    divisor, lost = two_sum(above, scaled)
    inverse = 1.0 / divisor
    s = numerator * inverse
    error = (above_rest - scaled_rest) - residue(s, divisor, numerator)
    error = multiply_add(s, -(lost + above_rest + scaled_rest), error)
    z = s * s
    high, low = F64.ln2
    total, rest = fast_two_sum(n * (0.5 * high), s)
    rest = multiply_add(error, inverse, multiply_add(n, 0.5 * low, rest))
    result = total + multiply_add(s * z, polynomial(z, ATANH), rest)
    end = choice(equal(a, 1.0), float("inf"), float("nan"), x)
    return with_sign(pick(less(a, 1.0), result, end), x)


def asin(x: N) -> N:
    """The arc sine; of more than a half ``pi / 2`` less twice that of ``sqrt((1 - a) / 2)``."""
    a = absolute(x)
    is_steep, t, beyond = arc(a)
    base, base_rest = (choice(is_steep, 2.0 * part, 0.0, x) for part in F64.pi)
    factor = choice(is_steep, -2.0, 1.0, x)
    total, lost = fast_two_sum(base, factor * t)
    result = total + multiply_add(factor, beyond, lost + base_rest)
    return with_sign(pick(greater(a, 1.0), float("nan"), result), x)


def acos(x: N) -> N:
    """``pi / 2 - asin(x)``, of magnitudes of more than a half from the nearer end."""
    a = absolute(x)
    is_steep, t, beyond = arc(a)
    is_negative = less(x, 0.0)
    ends = [pick(is_negative, x.lift(4.0 * part), 0.0) for part in F64.pi]
    base, base_rest = (
        pick(is_steep, end, 2.0 * part) for end, part in zip(ends, F64.pi, strict=True)
    )
    factor = pick(is_steep, x.lift(2.0), -1.0)
    factor = pick(is_negative, -factor, factor)
    total, lost = fast_two_sum(base, factor * t)
    result = total + multiply_add(factor, beyond, lost + base_rest)
    return pick(greater(a, 1.0), float("nan"), result)


def arc(a: N) -> tuple[N, N, N]:
    """Whether a magnitude is more than a half, t and ``asin(t) - t``.

    It is that itself up to a half, and above ``sqrt((1 - a) / 2)``, whose rest counts.
    """
    is_steep = greater(a, 0.5)
    half = multiply_add(a, -0.5, 0.5)
    z = pick(is_steep, half, a * a)
    s, rest = fast_two_sum(*root_of(at_least(z, SMALLEST_ROOT), a.lift(0.0)))
    t = pick(is_steep, pick(greater(half, 0.0), s, 0.0), a)
    return is_steep, t, multiply_add(t * z, polynomial(z, ASIN), pick(is_steep, rest, 0.0))

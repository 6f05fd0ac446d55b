"""exp, sinh and cosh in twice the precision, for 64 bits.

Nothing cancels, and nothing overflows before the result does.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from stablemate.numerics.elements import F64, I64
from stablemate.numerics.functions.arithmetic import polynomial, two_product
from stablemate.transforms.chlo.arithmetic import bits_as, is_finite, minimum, where
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.pairs import Pair

LOG2E: Final = 1.0 / math.log(2.0)
LN2: Final = (0.6931471803691238, 1.9082149292705877e-10)  # products of the first with n are exact
BIAS: Final = 1023.0
ROUNDER: Final = 1.5 * 2.0**52  # the last bits of a sum with it are an integer
# (cosh(r) - 1) / r^2 of r^2, abs(r) <= log(2) / 2; 2^-69
COSH: Final = (0.5, 0.041666666666666685, 0.0013888888888873318, 2.4801587349069038e-05,
               2.7557251981887805e-07, 2.0921706483049163e-09)  # fmt: skip
# (sinh(r) / r - 1) / r^2 of r^2, abs(r) <= log(2) / 2; 2^-61
SINH: Final = (0.16666666666666677, 0.008333333333321452, 0.0001984126988652322,
               2.7557243849945294e-06, 2.5109151369384092e-08)  # fmt: skip
# (exp(r) - 1 - r) / r^2 for abs(r) <= log(2) / 2; 2^-63
EXP: Final = (0.5, 0.16666666666666688, 0.04166666666666682, 0.008333333333314012,
              0.0013888888888788488, 0.00019841269902983363, 2.4801587522955723e-05,
              2.755722885016432e-06, 2.755710311252306e-07, 2.511400481756803e-08,
              2.0967996010729214e-09)  # fmt: skip
SMALL: Final = -600.0  # below it exponentials are computed times 2^LIFT
LIFT: Final = 1020.0
SMALLEST: Final = -1400.0  # the exponential is zero below it
LARGE: Final = 700.0  # from here on results are computed times 2^-SHIFT
SHIFT: Final = 1100.0
LARGEST: Final = 1470.0  # beyond it results times the smallest float are infinite
NEGLIGIBLE: Final = 60.0  # 2^-n is, beside 2^n, from here on
TINY: Final = 2.0**-28  # sinh(x) is x below it


class Powers(NamedTuple):
    """The parts of sinh and cosh of ``a = n log(2) + r``, 0 <= a.

    Attributes:
        up: ``2^n / 2``, times 2^-SHIFT where a is large.
        down: ``2^-n / 2``; zero where a is large.
        r: What is left of a.
        sine: ``sinh(r) - r``, with what r lacks.
        cosine: ``cosh(r) - 1``.
        scale: The root of what results have to be multiplied by, 1 or 2^(SHIFT / 2).
    """

    up: TensorExpression
    down: TensorExpression
    r: TensorExpression
    sine: TensorExpression
    cosine: TensorExpression
    scale: TensorExpression


def powers(a: TensorExpression) -> Powers:
    """The parts of sinh and cosh of numbers that are not negative."""
    is_large = a > LARGE
    a = where(a > LARGEST, LARGEST, a)
    offset = where(is_large, a.constant(ROUNDER + BIAS - 1.0 - SHIFT), ROUNDER + BIAS - 1.0)
    sum_with_n = a * LOG2E + offset
    n = sum_with_n - offset
    high, low = LN2
    upper, fine = a - n * high, n * low
    r = upper - fine
    z = r * r
    down = power_of_two((ROUNDER + BIAS - 1.0) - minimum(n, NEGLIGIBLE))
    return Powers(
        up=power_of_two(sum_with_n),
        down=where(is_large, 0.0, down),
        r=r,
        sine=r * z * polynomial(z, SINH) + ((upper - r) - fine),
        cosine=z * polynomial(z, COSH),
        scale=where(is_large, a.constant(2.0 ** (SHIFT / 2)), 1.0),
    )


def power_of_two(sum_with_n: TensorExpression) -> TensorExpression:
    """The power of two whose exponent the last bits of a sum with ``ROUNDER`` are."""
    return bits_as(bits_as(sum_with_n, I64) << 52.0, F64)


def restore_scale(x: TensorExpression, parts: Powers) -> TensorExpression:
    """A result, times the power of two that ``powers`` left out."""
    return (x * parts.scale) * parts.scale


def sinh_of(parts: Powers) -> Pair:
    """``(up - down) cosh(r) + (up + down) sinh(r)``: sinh but for the scale."""
    return combine_exponentials(parts, -parts.down)


def cosh_of(parts: Powers) -> Pair:
    """``(up + down) cosh(r) + (up - down) sinh(r)``: cosh but for the scale."""
    return combine_exponentials(parts, parts.down)


def combine_exponentials(parts: Powers, down: TensorExpression) -> Pair:
    """The common form; products with powers of two are exact, what their sums lose is the rest."""
    even, odd = parts.up + down, parts.up - down
    first, second = parts.up * parts.r, down * parts.r
    total = even + first
    value = total - second
    lost = (down - (even - parts.up)) + (first - (total - even)) - (second - (total - value))
    return Pair(value, lost + even * parts.cosine + odd * parts.sine)


def exponential(x: Pair) -> tuple[Pair, TensorExpression]:
    """``exp(x)`` of numbers below ``LARGE``, but for a factor: a power of two."""
    is_small = x.value < SMALL
    is_zero = x.value < SMALLEST
    value = where(is_zero, SMALLEST, x.value)
    offset = where(is_small, value.constant(ROUNDER + BIAS + LIFT), ROUNDER + BIAS)
    sum_with_n = value * LOG2E + offset
    n = sum_with_n - offset
    high, low = LN2
    upper, fine = value - n * high, n * low
    r = upper - fine
    rest = ((upper - r) - fine) + where(is_zero, 0.0, x.rest)
    up = power_of_two(sum_with_n)
    more = up * r
    result = up + more
    tail = (r * r) * polynomial(r, EXP)
    tail = tail + (rest + rest * (r + tail))
    scale = where(is_small, value.constant(2.0**-LIFT), 1.0)
    return Pair(result, (more - (result - up)) + up * tail), scale


def times(x: TensorExpression, factor: Pair, parts: Powers) -> TensorExpression:
    """The product with a pair and its scale, rounded nearly once where it is not tiny."""
    x = x * parts.scale  # which may be denormal
    product, lost = two_product(x, factor.value)
    lost = lost + x * factor.rest
    is_plain = is_finite(lost) & (abs(product) > 2.0**-900)
    return where(is_plain, product + lost, x * factor.total) * parts.scale

"""exp, sinh and cosh in twice the precision, for 64 bits.

Nothing cancels, and nothing overflows before the result does.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from stablemate.numerics.functions.arithmetic import polynomial, two_product
from stablemate.numerics.functions.formats import F64
from stablemate.numerics.functions.hyperbolic import COSH, NEGLIGIBLE, SINH, power_of_two
from stablemate.transforms.chlo.arithmetic import is_finite, minimum, where
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.pairs import Pair

BIAS: Final = F64.bias
ROUNDER: Final = F64.rounder  # the last bits of a sum with it are an integer
SMALL: Final = -600.0  # below it exponentials are computed times 2^LIFT
LIFT: Final = 1020.0
SMALLEST: Final = -1400.0  # the exponential is zero below it
LARGE: Final = 700.0  # from here on results are computed times 2^-SHIFT
SHIFT: Final = 1100.0
LARGEST: Final = 1470.0  # beyond it results times the smallest float are infinite


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
    sum_with_n = a * F64.log2e + offset
    n = sum_with_n - offset
    high, low = F64.ln2
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
    sum_with_n = value * F64.log2e + offset
    n = sum_with_n - offset
    high, low = F64.ln2
    upper, fine = value - n * high, n * low
    r = upper - fine
    rest = ((upper - r) - fine) + where(is_zero, 0.0, x.rest)
    up = power_of_two(sum_with_n)
    more = up * r
    result = up + more
    tail = (r * r) * polynomial(r, F64.exp)
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

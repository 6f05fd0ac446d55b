"""Double-double arithmetic: numbers as pairs of ``f64``.

A pair is a number as the sum of two ``f64``, the second of which is at most a few units in the last
place of the first. A scaled pair has a power of two of its own, so that products neither overflow
nor underflow. Series are those of Taylor; how many of their first terms are summed in pairs
determines the accuracy.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import Pair, shift_bits
from stablemate.numerics.functions.arithmetic import (
    absolute,
    bits_of,
    distill,
    equal,
    fast_two_sum,
    float_of,
    less,
    multiply_add,
    pick,
    polynomial,
    quotient_of,
    two_product,
    two_sum,
    with_sign,
)
from stablemate.numerics.functions.formats import F64

LOWEST: Final = -4096  # the exponent of zero


class Scaled(NamedTuple):
    """A pair, zero or at least 1/2 in magnitude if it is normalized, times a power of two.

    Attributes:
        pair: The pair.
        exponent: The exponent of two, an ``i64``.
    """

    pair: Pair
    exponent: Expression


# ---- arithmetic


def exact(x: Expression) -> Pair:
    """A number as a pair."""
    return x, x.table.like(x, 0.0)


def constant(number: Fraction) -> tuple[float, float]:
    """A number as the sum of two floats."""
    high = float(number)
    return high, float(number - Fraction(high))


def add(x: Pair, y: Pair) -> Pair:
    """The sum, accurate where it cancels, too."""
    high, rest = two_sum(x[0], y[0])
    low, lost = two_sum(x[1], y[1])
    high, rest = fast_two_sum(high, rest + low)
    return fast_two_sum(high, rest + lost)


def negative(x: Pair) -> Pair:
    """The number with the other sign."""
    return -x[0], -x[1]


def multiply(x: Pair, y: Pair) -> Pair:
    """Multiplies two pairs; the product of the low parts is below the result's accuracy."""
    product, lost = two_product(x[0], y[0])
    return fast_two_sum(product, multiply_add(x[0], y[1], multiply_add(x[1], y[0], lost)))


def times(x: Pair, factor: Expression) -> Pair:
    """The product with a power of two."""
    return x[0] * factor, x[1] * factor


def divide(x: Pair, y: Pair) -> Pair:
    """``x / y`` of double-doubles: the quotient of the high parts, corrected once."""
    return fast_two_sum(*quotient_of(x[0], y[0], x[1], y[1]))


def select_pair(which: Expression, yes: Pair, no: Pair) -> Pair:
    """``which ? yes : no``."""
    return pick(which, yes[0], no[0]), pick(which, yes[1], no[1])


def total_of(terms: Sequence[Expression]) -> Pair:
    """A sum of numbers that may cancel; see ``distill``."""
    return fast_two_sum(*distill(terms))


def series(x: Pair, coefficients: Sequence[Fraction], wide: int) -> Pair:
    """``c0 + c1 x + c2 x^2 + ...`` of a small number, the first terms in pairs."""
    late = polynomial(x[0], [float(number) for number in coefficients[wide:]])
    total = exact(late)
    for number in reversed(coefficients[:wide]):
        high, low = constant(number)
        product, lost = two_product(x[0], total[0])
        lost = multiply_add(x[0], total[1], multiply_add(x[1], total[0], lost))
        value, rest = fast_two_sum(product.table.like(product, high), product)
        total = value, rest + (lost + low)
    return total


# ---- scaled pairs


def two_to(exponent: Expression) -> Expression:
    """``2^exponent`` of a normal number."""
    return float_of(shift_bits("shl", exponent + F64.bias, F64.mantissa))


def smaller(x: Expression, y: Expression | int) -> Expression:
    """The smaller one of two integers."""
    bound = x.table.like(x, y)
    return pick(x.table.apply("slt", x, bound), x, bound)


def larger(x: Expression, y: Expression | int) -> Expression:
    """The larger one of two integers."""
    bound = x.table.like(x, y)
    return pick(x.table.apply("slt", x, bound), bound, x)


def normalize(x: Expression, rest: Expression | None = None) -> Scaled:
    """A finite number, or a pair that is not denormal, with a pair between 1 and 2, or zero."""
    is_small = less(absolute(x), F64.tiny)
    enlarged = bits_of(pick(is_small, x * 2.0**64, x))
    exponent = (shift_bits("lshr", enlarged, F64.mantissa) & (2 * F64.bias + 1)) - F64.bias
    fraction = enlarged & (F64.sign | ((1 << F64.mantissa) - 1))
    is_zero = equal(x, 0.0)
    high = pick(is_zero, x, float_of(fraction | (F64.bias << F64.mantissa)))
    low = x.table.like(x, 0.0) if rest is None else rest * two_to(0 - exponent)
    exponent = exponent - pick(is_small, x.table.like(exponent, 64), 0)
    return Scaled((high, low), pick(is_zero, LOWEST, exponent))


def normalized_again(x: Scaled) -> Scaled:
    """A sum of scaled pairs with a pair between 1 and 2, or zero."""
    result = normalize(*x.pair)
    is_zero = equal(result.pair[0], 0.0)
    return result._replace(exponent=pick(is_zero, LOWEST, result.exponent + x.exponent))


def positive(x: Scaled) -> Scaled:
    """The magnitude of a normalized number."""
    is_below = less(with_sign(x.pair[0] * 0.0 + 1.0, x.pair[0]), 0.0)
    return x._replace(pair=select_pair(is_below, negative(x.pair), x.pair))


def is_less(x: Scaled, y: Scaled) -> Expression:
    """Whether the first of two normalized numbers that are not negative is less, but for rests."""
    table = x.exponent.table
    same = table.apply("eq", x.exponent, y.exponent) & less(x.pair[0], y.pair[0])
    return table.apply("slt", x.exponent, y.exponent) | same


def opposite(x: Scaled) -> Scaled:
    """The number with the other sign."""
    return x._replace(pair=negative(x.pair))


def product(x: Scaled, y: Scaled) -> Scaled:
    """Multiplies two scaled pairs and adds their exponents."""
    return Scaled(multiply(x.pair, y.pair), x.exponent + y.exponent)


def quotient(x: Scaled, y: Scaled) -> Scaled:
    """The quotient by a number that is not zero."""
    return Scaled(divide(x.pair, y.pair), x.exponent - y.exponent)


def sum_of_scaled(x: Scaled, y: Scaled) -> Scaled:
    """The sum; its pair is not normalized."""
    exponent = larger(x.exponent, y.exponent)
    first, second = (
        times(z.pair, two_to(larger(z.exponent - exponent, 1 - F64.bias))) for z in (x, y)
    )
    return Scaled(add(first, second), exponent)


def pair_of(x: Scaled, most: int) -> Pair:
    """The pair times its power of two, whose exponent is at most a number; tiny ones are zero."""
    scale = two_to(larger(smaller(x.exponent, most), 1 - F64.bias))
    return times(x.pair, scale)


def value_of(x: Pair, exponent: Expression) -> Expression:
    """The nearest ``f64`` of a pair times any power of two."""
    inside = larger(smaller(exponent, 2000), -2000)
    half = shift_bits("ashr", inside, 1)
    value = pick(equal(x[0], 0.0), x[0], x[0] + x[1])  # zeros keep their signs
    return value * two_to(half) * two_to(inside - half)

"""log and log(1 + x)."""

from __future__ import annotations

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import Pair, format_of, shift_bits
from stablemate.numerics.functions.arithmetic import (
    absolute,
    bits_of,
    equal,
    fast_two_sum,
    float_of,
    greater,
    less,
    multiply_add,
    pick,
    rarely,
    two_sum,
)
from stablemate.numerics.functions.logarithm import beyond_linear, split_exponent


def logarithm(x: Expression) -> Expression:
    """``log(x) = n log(2) + log(m)``, m between sqrt(1/2) and sqrt(2)."""
    denormal = greater(x, 0.0) & less(x, format_of(x).tiny)
    special = rarely(denormal, of_denormal(x), at_end(x))
    return rarely(is_special(x), special, of_normal(x))


def is_special(x: Expression) -> Expression:
    """Whether a number is not positive, denormal, infinite or NaN."""
    fmt = format_of(x)
    table, bits = x.table, bits_of(x)
    smallest, infinity = 1 << fmt.mantissa, (2 * fmt.bias + 1) << fmt.mantissa
    normal = table.apply("ult", bits - smallest, table.bits(infinity - smallest, fmt.integer))
    return normal ^ table.bits(1, "i1")


def of_normal(x: Expression) -> Expression:
    """The logarithm of a normal positive number."""
    n, f = split(x)
    return add_exponent(n, f, None)


def of_denormal(x: Expression) -> Expression:
    """The logarithm of a denormal number."""
    shift = format_of(x).mantissa + 1
    n, f = split(x * 2.0**shift)
    return add_exponent(n - float(shift), f, None)


def at_end(x: Expression) -> Expression:
    """The logarithm of zero, of negative numbers, of infinity, and of NaN, which becomes quiet."""
    positive = pick(equal(x, 0.0), float("-inf"), x + x)
    return pick(less(x, 0.0), float("nan"), positive)


def split(x: Expression) -> Pair:
    """``n`` and ``f`` with ``x = 2^n (1 + f)`` and 1 + f between sqrt(1/2) and sqrt(2)."""
    return split_exponent(x, format_of(x))


def add_exponent(n: Expression, f: Expression, rest: Expression | None) -> Expression:
    """``n log(2) + log(1 + f + rest)``."""
    fmt = format_of(f)
    high, low = fmt.ln2
    total, lost = fast_two_sum(n * high, f)
    lost = multiply_add(n, low, lost)
    if rest is not None:
        lost = lost + rest
    return total + (lost + beyond_linear(f, fmt))


def log_plus_one(x: Expression) -> Expression:
    """``log(1 + x)``, corrected by the rounding error of ``1 + x``."""
    fmt = format_of(x)
    table = x.table
    u, lost = two_sum(table.constant(1.0, x.type), x)
    n, f = split(u)
    # 2^(1 - n): zero for the largest n, where what is lost does not matter.
    twice = bits_of(table.constant(2.0, x.type)) - shift_bits("shl", integer(n), fmt.mantissa)
    f, rest = fast_two_sum(f, (lost * 0.5) * float_of(twice))
    small = less(absolute(x), 2.0 ** -(fmt.mantissa + 2))
    result = pick(small, x, add_exponent(n, f, rest))
    inside = greater(x, -1.0) & less(x, float("inf"))
    end = pick(equal(x, -1.0), float("-inf"), pick(less(x, -1.0), float("nan"), x + x))
    return pick(inside, result, end)


def integer(n: Expression) -> Expression:
    """The last bits of a float that is an integer."""
    return bits_of(n + format_of(n).rounder)

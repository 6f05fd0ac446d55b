"""The remainder of a division of floats, which is exact."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.lowering.functions.arithmetic import (
    absolute,
    equal,
    greater,
    in_double,
    in_single,
    is_infinite,
    less,
    pick,
    rarely,
    with_sign,
)
from stablemate.compiler.nest.expressions import Expression

STEP: Final = 28  # bits of the quotient that a step removes: their products are exact in 53 bits
STEPS: Final = 10  # quotients of f32 have up to 277 bits


def remainder(x: Expression, y: Expression) -> Expression:
    """``x - trunc(x / y) y`` of ``f32``, with the sign of x."""
    a, b = absolute(in_double(x)), absolute(in_double(y))
    usual = less_by_multiples(a, b)
    far = a
    for step in reversed(range(1, STEPS)):
        far = less_by_multiples(far, b * 2.0 ** (STEP * step))
    far = less_by_multiples(far, b)
    value = in_single(rarely(greater(a, b * 2.0**STEP), far, usual))
    value = pick(is_infinite(y) & less(absolute(x), float("inf")), absolute(x), value)
    value = pick(is_infinite(x) | equal(y, 0.0), float("nan"), value)
    return with_sign(value, x)


def less_by_multiples(a: Expression, b: Expression) -> Expression:
    """``a - trunc(a / b) b`` where the quotient is small."""
    quotient = a.table.apply("floor", a / b)
    rest = a - quotient * b
    return pick(less(rest, 0.0), rest + b, rest)  # the quotient was rounded up

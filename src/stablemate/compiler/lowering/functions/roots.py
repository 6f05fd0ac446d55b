"""Cubic roots, and square roots of reciprocals."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import in_double, in_single
from stablemate.numerics.functions.arithmetic import (
    absolute,
    bits_of,
    choice,
    equal,
    float_of,
    is_infinite,
    is_nan,
    less,
    multiply_add,
    pick,
    residue,
    root,
    two_product,
    with_sign,
)

THIRD: Final = 0x2A9F7893 << 32  # bits of x / 3 + these are those of a number near cbrt(x)


def reciprocal_root(x: Expression) -> Expression:
    """``1 / sqrt(x)``, with what root and quotient lose made up for: a step of Newton's iteration.

    ``y - y (x y^2 - 1) / 2``, by a product that does not underflow if x is denormal.
    """
    y = 1.0 / root(x)
    product, lost = two_product(x, y)
    above = multiply_add(lost, y, residue(product, y, x.table.constant(1.0, x.type)))
    exact = multiply_add(above * -0.5, y, y)
    return pick(less(absolute(above), 1.0), exact, y)  # of zero and infinity it is NaN


def cubic_root(x: Expression) -> Expression:
    """``cbrt(x)``; that of ``f32`` is computed in ``f64``."""
    if x.type == "f32":
        return in_single(root_of_double(in_double(x), final=False))
    return root_of_double(x, final=True)


def root_of_double(x: Expression, *, final: bool) -> Expression:
    """``cbrt(x)``: Halley's iteration from a third of the exponent, which triples right digits.

    With ``final`` one more step, whose residue ``x - t^3`` is computed in twice the precision.
    """
    table = x.table
    magnitude = absolute(x)
    small = less(magnitude, 1.0)
    scale, back = choice(small, 2.0**54, 2.0**-54, x), choice(small, 2.0**-18, 2.0**18, x)
    a = magnitude * scale
    third = table.apply("udiv", bits_of(a), table.bits(3, "i64"))
    t = float_of(third + THIRD)
    for _ in range(3):
        cube = t * t * t
        t = t - t * ((cube - a) / (cube * 2.0 + a))
    if final:
        square, square_rest = two_product(t, t)
        cube, cube_rest = two_product(square, t)
        residue = ((a - cube) - cube_rest) - square_rest * t
        t = t + residue / (square * 3.0)
    t = t * back
    open_ = is_infinite(x) | is_nan(x) | equal(x, 0.0)
    return pick(open_, x, with_sign(t, x))

"""Floats that are clamped before they become bytes, and what they are as floats again.

A model of 8 bits quantizes and dequantizes a number between two operations: it is divided by a
scale, rounded, moved by the zero point and clamped, and moved back.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.quotients import is_integral, number_of
from stablemate.numerics.functions.arithmetic import greater, is_nan, less, pick

LARGEST: Final = 1 << 20  # bounds and zero points whose sums and differences are exact


def clamped_number(value: Expression, low: float, high: float) -> Expression:
    """A float brought into a range that contains 0, which NaN becomes; both zeros are one.

    Each choice is an instruction of its own: of NaN and a bound it takes the bound.
    """
    value = without_zero(value)
    return between(value if low == 0.0 else pick(is_nan(value), 0.0, value), low, high)


def between(number: Expression, low: float, high: float) -> Expression:
    """A float brought into a range, of which NaN becomes the lower bound."""
    raised = pick(greater(number, low), number, low)
    return pick(less(raised, high), raised, high)


def without_zero(value: Expression) -> Expression:
    """A float without the zero that is added to it."""
    if value.operator != "fadd":
        return value
    number, added = value.operands
    return number if added.operator == "constant" and not added.detail else value


def bounded_number(inside: Expression) -> tuple[Expression, float, float] | None:
    """The arguments of ``clamped_number``, if an expression is the result of that."""
    if inside.operator != "select" or inside.operands[1].operator != "select":
        return None
    _, raised, high = inside.operands
    _, number, low = raised.operands
    if low.operator != "constant" or high.operator != "constant" or inside.type != "f32":
        return None
    bounds = number_of(low), number_of(high)
    value = number.operands[2] if bounds[0] and number.operator == "select" else number
    return (value, *bounds) if inside is clamped_number(value, *bounds) else None


def difference(lhs: Expression, rhs: Expression) -> Expression:
    """The difference of two floats; that of a clamped number and what was added to it is simpler.

    An integer to which a zero point is added, clamped from 0 on, without the zero point again, is
    the integer clamped by bounds without it, if that has no negative zero. NaN is the lower bound.
    """
    table = lhs.table
    bounded = bounded_number(lhs)
    if bounded is None or rhs.operator != "constant":
        return table.apply("fsub", lhs, rhs)
    value, low, high = bounded
    point = number_of(rhs)
    numbers = (high, point)
    is_moved = value.operator == "fadd" and value.operands[1] is rhs
    is_exact = low == 0.0 and all(n.is_integer() and abs(n) < LARGEST for n in numbers)
    if not is_moved or not is_exact or not is_integral(value.operands[0]):
        return table.apply("fsub", lhs, rhs)
    return between(value.operands[0] + table.constant(0.0, "f32"), -point, high - point)

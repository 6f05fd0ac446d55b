"""Booleans and choices of integers, shorter where they belong to a division rounded down.

NumPy's quotients and remainders are rounded down, those of the specification towards zero. JAX
computes the former from the latter by comparisons and choices, which a constant positive divisor
makes shorter, and one that is a power of two replaces by a shift or a mask.
"""

from __future__ import annotations

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS


def comparison(operator: str, lhs: Expression, rhs: Expression) -> Expression:
    """A comparison; of a boolean with a constant the boolean or its inverse."""
    table = lhs.table
    if lhs.type != "i1" or operator not in ("eq", "ne") or rhs.operator != "constant":
        return table.apply(operator, lhs, rhs)
    same = (operator == "eq") == bool(rhs.detail)
    return lhs if same else lhs ^ table.bits(1, "i1")


def conjunction(lhs: Expression, rhs: Expression) -> Expression:
    """``lhs & rhs``, shorter where both are about a remainder by a positive constant."""
    for first, second in ((lhs, rhs), (rhs, lhs)):
        if not is_nonzero(second):
            continue
        rest = second.operands[0]
        if is_negative(first) and first.operands[0] is rest:  # what is negative is not zero
            return first
        # The remainder has the sign of the dividend.
        if positive_divisor(rest) and is_not_positive(first, rest.operands[0]):
            return rest.table.apply("slt", rest, rest.table.bits(0, rest.type))
    return lhs.table.apply("and", lhs, rhs)


def choice(which: Expression, yes: Expression, no: Expression) -> Expression:
    """``which ? yes : no``, by a shift or a mask if it divides by a power of two, rounded down."""
    table = which.table
    plain = table.apply("select", which, yes, no)
    if not is_negative(which):
        return plain
    rest = which.operands[0]
    divisor = positive_divisor(rest)
    if divisor == 0 or divisor & (divisor - 1):
        return plain
    dividend, by = rest.operands
    if no is rest and yes is table.apply("add", rest, by):
        return dividend & (divisor - 1)
    quotient = table.apply("sdiv", dividend, by)
    minus_one = table.bits(-1, rest.type)
    lower = (quotient - 1, table.apply("add", quotient, minus_one))
    if no is quotient and any(yes is form for form in lower):
        return table.apply("ashr", dividend, table.like(dividend, divisor.bit_length() - 1))
    return plain


def positive_divisor(rest: Expression) -> int:
    """The positive constant of which this is a signed remainder; 0 if there is none."""
    if rest.operator != "srem" or rest.operands[1].operator != "constant":
        return 0
    divisor = rest.operands[1].detail
    return 0 if divisor >> (BITS[rest.type] - 1) else int(divisor)


def is_zero(value: Expression) -> bool:
    """Whether this is the constant 0."""
    return value.operator == "constant" and value.detail == 0


def is_negative(value: Expression) -> bool:
    """Whether this is ``x < 0`` of signed integers."""
    return value.operator == "slt" and is_zero(value.operands[1])


def is_nonzero(value: Expression) -> bool:
    """Whether this is ``x != 0``."""
    return value.operator == "ne" and is_zero(value.operands[1])


def is_not_positive(value: Expression, number: Expression) -> bool:
    """Whether this is ``sign(number) != 1``."""
    if value.operator != "ne" or value.operands[1].operator != "constant":
        return False
    sign, one = value.operands
    if one.detail != 1 or sign.operator != "or":
        return False
    return any(
        part.operator == "zext"
        and part.operands[0].operator == "slt"
        and is_zero(part.operands[0].operands[0])
        and part.operands[0].operands[1] is number
        for part in sign.operands
    )

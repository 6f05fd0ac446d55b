"""Powers of integers, by squaring."""

from __future__ import annotations

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS


def unsigned_power(base: Expression, exponent: Expression) -> Expression:
    """``base^exponent`` modulo 2^width."""
    return by_squaring(base, exponent, BITS[base.type])


def signed_power(base: Expression, exponent: Expression) -> Expression:
    """``base^exponent``, wrapping; with a negative exponent zero, unless the base is 1 or -1."""
    table = base.table
    if exponent.operator == "constant" and not exponent.detail >> BITS[base.type] - 1:
        return unsigned_power(base, exponent)
    zero, one = table.like(base, 0), table.like(base, 1)
    negative = table.apply("slt", exponent, zero)
    parity = exponent & 1
    counted = table.apply("select", negative, parity, exponent)
    result = by_squaring(base, counted, BITS[base.type] - 1)
    is_unit = table.apply("eq", base, one) | table.apply("eq", base, table.like(base, -1))
    reciprocal = table.apply("select", is_unit, result, zero)
    return table.apply("select", negative, reciprocal, result)


def by_squaring(base: Expression, exponent: Expression, bits: int) -> Expression:
    """``base^exponent`` of an exponent that has so many bits; few products if it is a constant."""
    table = base.table
    one, zero = table.like(base, 1), table.like(base, 0)
    result = one
    if exponent.operator == "constant":
        for place in range(exponent.detail.bit_length()):
            if exponent.detail >> place & 1:
                result = result * base
            base = base * base
        return result
    for place in range(bits):
        bit = exponent & (1 << place)
        result = result * table.apply("select", table.apply("eq", bit, zero), one, base)
        base = base * base
    return result

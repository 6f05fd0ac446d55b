"""The vocabulary of functions on registers of ``f32`` and ``f64``, beyond that of all numbers."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.loops.expressions import Expression, Operand
from stablemate.numerics.functions.arithmetic import by_horner
from stablemate.numerics.functions.formats import F32, F64, FloatFormat
from stablemate.numerics.functions.number import Pair as PairOf

Pair = PairOf[Expression]

FORMATS = {"f32": F32, "f64": F64}


def format_of(value: Expression) -> FloatFormat:
    """The format of a register."""
    return FORMATS[value.type]


def shift_bits(operator: str, bits: Expression, amount: int) -> Expression:
    """``shl``, ``lshr`` or ``ashr`` by a constant."""
    return bits.table.apply(operator, bits, bits.lift(amount))


def negative_if(value: Expression, sign: Expression) -> Expression:
    """The value with its sign changed if the sign bit of an integer is set."""
    return (value.bits() ^ (sign & format_of(value).sign)).from_bits()


def fused_multiply_add(a: Expression, b: Operand, c: Operand) -> Expression:
    """``a * b + c`` of ``f32``, rounded once on processors without FMA, too."""
    return a.table.apply("fma", a, a.lift(b), a.lift(c))


def fused_polynomial(x: Expression, coefficients: Sequence[float]) -> Expression:
    """A polynomial of ``f32`` in which no product is rounded, without FMA, too."""
    return by_horner(x, coefficients, fused_multiply_add)


def in_double(value: Expression) -> Expression:
    """An ``f64`` of the same value."""
    return value.table.convert("fpext", value, "f64")


def in_single(value: Expression) -> Expression:
    """The value rounded to the nearest ``f32``, ties to even."""
    return value.table.convert("fptrunc", value, "f32")

"""The vocabulary of functions: choices, bits, polynomials, sums and products with their rests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.compiler.loops.expressions import Expression, Operand
from stablemate.compiler.lowering.functions.formats import format_of

Pair = tuple[Expression, Expression]  # a number in twice the precision: rounded, and the rest


def pick(which: Expression, yes: Operand, no: Operand) -> Expression:
    """``which ? yes : no``; at least one of the two is an expression."""
    model = yes if isinstance(yes, Expression) else no
    assert isinstance(model, Expression)
    table = which.table
    return table.apply("select", which, table.like(model, yes), table.like(model, no))


def choice(which: Expression, yes: float, no: float, like: Expression) -> Expression:
    """``which ? yes : no``, of the type of a third expression."""
    return pick(which, like.table.like(like, yes), no)


def rarely(which: Expression, rare: Expression, usual: Expression) -> Expression:
    """``which ? rare : usual``, where ``which`` seldom holds."""
    return which.table.apply("rarely", which, rare, usual)


def less(lhs: Expression, rhs: Operand) -> Expression:
    """Whether ``lhs < rhs``, false of NaN."""
    return lhs.table.apply("flt", lhs, lhs.table.like(lhs, rhs))


def greater(lhs: Expression, rhs: Operand) -> Expression:
    """Whether ``lhs > rhs``, false of NaN."""
    return lhs.table.apply("flt", lhs.table.like(lhs, rhs), lhs)


def equal(lhs: Expression, rhs: Operand) -> Expression:
    """Whether ``lhs = rhs``, false of NaN."""
    return lhs.table.apply("feq", lhs, lhs.table.like(lhs, rhs))


def is_nan(value: Expression) -> Expression:
    """Whether it is NaN."""
    return value.table.apply("fne", value, value)


def is_infinite(value: Expression) -> Expression:
    """Whether it is infinite."""
    return equal(absolute(value), float("inf"))


def absolute(value: Expression) -> Expression:
    """The absolute value."""
    return value.table.apply("fabs", value)


def with_sign(value: Expression, sign: Expression) -> Expression:
    """The value with the sign of another."""
    return value.table.apply("copysign", value, sign)


def root(value: Expression) -> Expression:
    """The square root."""
    return value.table.apply("sqrt", value)


def round_to_integer(value: Expression) -> Expression:
    """The nearest integer."""
    return value.table.apply("rint", value)


def at_least(value: Expression, bound: float) -> Expression:
    """The larger one of both; NaN stays."""
    return pick(less(value, bound), bound, value)


def at_most(value: Expression, bound: float) -> Expression:
    """The smaller one of both; NaN stays."""
    return pick(greater(value, bound), bound, value)


def bits_of(value: Expression) -> Expression:
    """The bits of a float, as an integer."""
    return value.table.convert("bitcast", value, format_of(value).integer)


def float_of(bits: Expression) -> Expression:
    """The float that has these bits."""
    return bits.table.convert("bitcast", bits, {"i32": "f32", "i64": "f64"}[bits.type])


def shift_bits(operator: str, bits: Expression, amount: int) -> Expression:
    """``shl``, ``lshr`` or ``ashr`` by a constant."""
    return bits.table.apply(operator, bits, bits.table.like(bits, amount))


def negative_if(value: Expression, sign: Expression) -> Expression:
    """The value with its sign changed if the sign bit of an integer is set."""
    return float_of(bits_of(value) ^ (sign & format_of(value).sign))


def multiply_add(a: Expression, b: Operand, c: Operand) -> Expression:
    """``a * b + c``, rounded once where the target can."""
    table = a.table
    return table.apply("multiply_add", a, table.like(a, b), table.like(a, c))


def fused_multiply_add(a: Expression, b: Operand, c: Operand) -> Expression:
    """``a * b + c`` of ``f32``, rounded once on processors without FMA, too."""
    table = a.table
    return table.apply("fma", a, table.like(a, b), table.like(a, c))


def polynomial(x: Expression, coefficients: Sequence[float]) -> Expression:
    """``c0 + c1 x + c2 x^2 + ...``."""
    return by_horner(x, coefficients, multiply_add)


def fused_polynomial(x: Expression, coefficients: Sequence[float]) -> Expression:
    """A polynomial of ``f32`` in which no product is rounded, without FMA, too."""
    return by_horner(x, coefficients, fused_multiply_add)


def by_horner(
    x: Expression, coefficients: Sequence[float], step: Callable[..., Expression]
) -> Expression:
    """A polynomial whose sums of a product and a coefficient a function computes."""
    *rest, last = coefficients
    total = x.table.like(x, last)
    for coefficient in reversed(rest):
        total = step(total, x, coefficient)
    return total


def sum_of(a: Expression, b: Expression) -> Pair:
    """The sum of two numbers, with its rest.

    Source: Knuth, The Art of Computer Programming, volume 2, theorem 4.2.2 B.
    """
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def ordered_sum(a: Expression, b: Expression) -> Pair:
    """The same where ``a`` is zero or not smaller than ``b``.

    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    total = a + b
    return total, b - (total - a)


def distill(terms: Sequence[Expression]) -> Pair:
    """A sum of numbers that may cancel, as if in four times the precision.

    Source: T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", 2005, algorithm SumK.
    """
    values = list(terms)
    for _ in range(3):
        for i in range(1, len(values)):
            values[i], values[i - 1] = sum_of(values[i], values[i - 1])
    rest = values[0]
    for value in values[1:-1]:
        rest = rest + value
    return values[-1], rest


def product_of(a: Expression, b: Expression) -> Pair:
    """The product of two numbers, with its rest."""
    product = a * b
    return product, residue(a, b, product)


def residue(a: Expression, b: Expression, c: Expression) -> Expression:
    """``a * b - c``, where the product is nearly c."""
    return a.table.apply("residue", a, b, c)


def quotient_of(a: Expression, b: Expression, a_rest: Operand = 0.0, b_rest: Operand = 0.0) -> Pair:
    """``(a + a_rest) / (b + b_rest)``, with its rest."""
    quotient = a / b
    rest = multiply_add(quotient, b_rest, residue(quotient, b, a)) - a_rest
    return quotient, -rest / b


def quotient_by_sum(
    a: Expression, b: float, c: Expression, a_rest: Expression, c_rest: Expression
) -> Expression:
    """``(a + a_rest) / (b + c + c_rest)`` where the sum is from 1 to 2, and b not smaller than c.

    What sum and quotient lose is made up for but for an eighth: 1 / s is nearly (3 - s) / 2.
    """
    total, lost = ordered_sum(a.table.like(a, b), c)
    quotient = a / total
    rest = multiply_add(quotient, lost + c_rest, residue(quotient, total, a)) - a_rest
    return multiply_add(rest, multiply_add(total, 0.5, -1.5), quotient)


def in_double(value: Expression) -> Expression:
    """An ``f64`` of the same value."""
    return value.table.convert("fpext", value, "f64")


def in_single(value: Expression) -> Expression:
    """The nearest ``f32``."""
    return value.table.convert("fptrunc", value, "f32")

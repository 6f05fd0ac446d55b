"""The vocabulary of functions: choices, polynomials, sums and products with their rests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.numerics.functions.number import A, N, Pair


def pick(which: N, yes: N | float, no: N | float) -> N:
    """``which ? yes : no``; at least one of the two is no constant."""
    model = no if isinstance(yes, int | float) else yes
    assert not isinstance(model, int | float)
    return which.select(model.lift(yes), model.lift(no))


def choice(which: N, yes: float, no: float, like: N) -> N:
    """``which ? yes : no`` of two constants, of the type of a third number."""
    return which.select(like.lift(yes), like.lift(no))


def rarely(which: N, rare: N, usual: N) -> N:
    """``which ? rare : usual``, where ``which`` seldom holds."""
    return which.rarely(rare, usual)


def less(lhs: N, rhs: N | float) -> N:
    """Whether ``lhs < rhs``, false of NaN."""
    return lhs.less(rhs)


def greater(lhs: N, rhs: N | float) -> N:
    """Whether ``lhs > rhs``, false of NaN."""
    return lhs.lift(rhs).less(lhs)


def equal(lhs: N, rhs: N | float) -> N:
    """Whether ``lhs = rhs``, false of NaN."""
    return lhs.equals(rhs)


def is_nan(value: N) -> N:
    """Whether a value is NaN: it differs from itself."""
    return value.differs(value)


def is_infinite(value: N) -> N:
    """Whether a value is one of the two infinities."""
    return equal(absolute(value), float("inf"))


def absolute(value: N) -> N:
    """The value without its sign bit, also of NaN."""
    return value.__abs__()


def with_sign(value: N, sign: N) -> N:
    """The value with the sign of another."""
    return value.copysign(sign)


def root(value: N) -> N:
    """The square root, rounded to nearest; NaN of numbers below 0."""
    return value.sqrt()


def round_to_integer(value: N) -> N:
    """The nearest integer, of two the even one."""
    return value.round_even()


def at_least(value: N, bound: float) -> N:
    """The larger one of both; NaN stays."""
    return pick(less(value, bound), bound, value)


def at_most(value: N, bound: float) -> N:
    """The smaller one of both; NaN stays."""
    return pick(greater(value, bound), bound, value)


def bits_of(value: N) -> N:
    """The bits of a float, as an integer."""
    return value.bits()


def float_of(bits: N) -> N:
    """The float that has these bits."""
    return bits.from_bits()


def multiply_add(a: N, b: N | float, c: N | float) -> N:
    """``a * b + c``, rounded once where the target can."""
    return a.multiply_add(a.lift(b), a.lift(c))


def polynomial(x: N, coefficients: Sequence[float]) -> N:
    """``c0 + c1 x + c2 x^2 + ...``."""
    return by_horner(x, coefficients, multiply_add)


def by_horner(x: N, coefficients: Sequence[float], step: Callable[[N, N, float], N]) -> N:
    """A polynomial whose sums of a product and a coefficient a function computes."""
    *rest, last = coefficients
    total = x.lift(last)
    for coefficient in reversed(rest):
        total = step(total, x, coefficient)
    return total


def two_sum(a: A, b: A) -> tuple[A, A]:
    """The rounded sum of two numbers, and what is lost by rounding.

    Source: Knuth, The Art of Computer Programming, volume 2, theorem 4.2.2 B.
    """
    total: A = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def fast_two_sum(a: A, b: A) -> tuple[A, A]:
    """The same where ``a`` is zero or not smaller than ``b``.

    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    total: A = a + b
    return total, b - (total - a)


def dekker_product(a: A, b: A, splitter: float) -> tuple[A, A]:
    """The rounded product of two numbers far from overflow, and what is lost by rounding.

    The splitter is ``2^s + 1`` with half the precision, rounded up, as s.

    Source: Dekker, "A floating-point technique for extending the available precision", 1971.
    """
    product: A = a * b
    a_high, a_low = halves_of(a, splitter)
    b_high, b_low = (a_high, a_low) if b is a else halves_of(b, splitter)
    rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, rest


def halves_of(a: A, splitter: float) -> tuple[A, A]:
    """Veltkamp's split: two numbers of half the precision whose sum is a."""
    scaled = a * splitter
    high: A = scaled - (scaled - a)
    return high, a - high


def distill(terms: Sequence[A]) -> tuple[A, A]:
    """A sum of numbers that may cancel, as if in four times the precision.

    Source: T. Ogita, S. M. Rump, S. Oishi, "Accurate sum and dot product", 2005, algorithm SumK.
    """
    values = list(terms)
    for _ in range(3):
        for i in range(1, len(values)):
            values[i], values[i - 1] = two_sum(values[i], values[i - 1])
    rest = values[0]
    for value in values[1:-1]:
        rest = rest + value
    return values[-1], rest


def two_product(a: N, b: N) -> Pair[N]:
    """The rounded product of two numbers, and what is lost by rounding."""
    return a.two_product(b)


def residue(a: N, b: N, c: N) -> N:
    """``a * b - c``, where the product is nearly c."""
    return a.residue(b, c)


def quotient_of(a: N, b: N, a_rest: N | float = 0.0, b_rest: N | float = 0.0) -> Pair[N]:
    """``(a + a_rest) / (b + b_rest)``, with its rest."""
    quotient = a / b
    rest = multiply_add(quotient, b_rest, residue(quotient, b, a)) - a_rest
    return quotient, -rest / b


def quotient_by_sum(a: N, b: float, c: N, a_rest: N, c_rest: N) -> N:
    """``(a + a_rest) / (b + c + c_rest)`` where the sum is from 1 to 2, and b not smaller than c.

    What sum and quotient lose is made up for but for an eighth: 1 / s is nearly (3 - s) / 2.
    """
    total, lost = fast_two_sum(a.lift(b), c)
    quotient = a / total
    rest = multiply_add(quotient, lost + c_rest, residue(quotient, total, a)) - a_rest
    return multiply_add(rest, multiply_add(total, 0.5, -1.5), quotient)

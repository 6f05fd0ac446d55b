"""Powers: exp(y log(x)), with the logarithm in twice the precision."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import in_double, in_single
from stablemate.compiler.lowering.functions.exponential import exponential, of_clamped
from stablemate.compiler.lowering.functions.logarithm import logarithm, split
from stablemate.compiler.lowering.functions.singles import exponential_of
from stablemate.numerics.functions.arithmetic import (
    absolute,
    at_least,
    at_most,
    equal,
    fast_two_sum,
    is_infinite,
    is_nan,
    less,
    multiply_add,
    pick,
    polynomial,
    root,
    round_to_integer,
    two_product,
    with_sign,
)
from stablemate.numerics.functions.formats import F32, F64
from stablemate.numerics.functions.logarithm import precise_logarithm

# (log(1 + f) - f) / f^2 for sqrt(1/2) <= 1 + f <= sqrt(2); 2^-38.4 of the logarithm
LOG: Final = (-0.49999999993770156, 0.33333333425207307, -0.2500000200595925, 0.19999987383744006,
              -0.16666490526417216, 0.14286208892128008, -0.1250661016391689, 0.11105780293195819,
              -0.09880587270546944, 0.09030012670049439, -0.09317613230288131, 0.09174440057909936,
              -0.0484105028748533)  # fmt: skip


def power(x: Expression, y: Expression) -> Expression:
    """``x^y`` as in C: of a negative number only to integers, 1 to the power of 0 and of 1."""
    value = of_singles(absolute(x), y) if x.type == "f32" else accurate(absolute(x), y)
    is_integer = equal(y, round_to_integer(y))
    half = y * 0.5
    is_odd = is_integer & (equal(half, round_to_integer(half)) ^ x.table.bits(1, "i1"))
    value = pick(is_odd, with_sign(value, x), value)
    undefined = less(x, 0.0) & (is_infinite(x) ^ x.table.bits(1, "i1"))
    undefined = undefined & (is_integer ^ x.table.bits(1, "i1"))
    value = pick(undefined, float("nan"), value)
    value = pick(is_nan(x) | is_nan(y), x + y, value)
    is_one = equal(x, 1.0) | equal(y, 0.0) | (equal(x, -1.0) & is_infinite(y))
    return pick(is_one, 1.0, value)


def of_singles(x: Expression, y: Expression) -> Expression:
    """``exp(y log(x))`` of an ``f32`` that is not negative, in ``f64``, rounded once."""
    least, most = F32.exponents
    exponent = in_double(y) * logarithm_of_single(x)
    return in_single(exponential_of(at_most(at_least(exponent, least), most)))


def logarithm_of_single(x: Expression) -> Expression:
    """``log(x)`` of an ``f32`` that is not negative, as an ``f64``; of NaN any number."""
    denormal = less(x, F32.tiny)
    n, f = split(pick(denormal, x * 2.0**24, x))
    n = pick(denormal, n - 24.0, n)
    n = pick(equal(x, 0.0), float("-inf"), pick(less(x, float("inf")), n, float("inf")))
    n, f = in_double(n), in_double(f)
    return multiply_add(n, sum(F64.ln2), multiply_add(f * f, polynomial(f, LOG), f))


def accurate(x: Expression, y: Expression) -> Expression:
    """``exp(y log(x))`` of positive numbers, as in C at zeros and infinities."""
    high, low = precise_logarithm(x)
    product, lost = two_product(y, high)
    rest = multiply_add(y, low, lost)
    total, rest = fast_two_sum(product, rest)
    least, most = F64.exponents
    clamped = at_most(at_least(total, least), most)
    inside = equal(clamped, total)
    near = of_clamped(clamped, pick(inside, rest, 0.0))
    simple = product_is_simple(x, y)
    return pick(simple, exponential(y * logarithm(x)), near)


def product_is_simple(x: Expression, y: Expression) -> Expression:
    """Whether a factor is zero, infinite or so large or small that rests are not numbers."""
    large = less(x.table.constant(2.0**900, "f64"), absolute(y))
    return large | is_infinite(x) | equal(x, 0.0) | less(absolute(y), 2.0**-900)


def constant_power(x: Expression, exponent: float) -> Expression | None:
    """``x`` to the power of a constant where that is a product or a root; else None."""
    match exponent:
        case 0.0:
            return x.table.constant(1.0, x.type)
        case 1.0:
            return x
        case 2.0:
            return x * x
        case 3.0:
            return x * x * x
        case -1.0:
            return 1.0 / x
        case 0.5 | -0.5:
            # Of zeros +0, of -infinity infinity: both unlike the root.
            magnitude = pick(equal(x, float("-inf")), float("inf"), x)
            value = root(magnitude + 0.0)
            return value if exponent > 0 else 1.0 / value
        case 1.5 | -1.5:
            # As above; two quotients, because a product would be infinite too early.
            magnitude = pick(equal(x, float("-inf")), float("inf"), x) + 0.0
            value = root(magnitude)
            return magnitude * value if exponent > 0 else 1.0 / magnitude / value
        case _:
            return None

"""The remainder of a division of floats, which is exact."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.arithmetic import in_double, in_single, shift_bits
from stablemate.numerics.functions.arithmetic import (
    absolute,
    bits_of,
    choice,
    equal,
    float_of,
    greater,
    is_infinite,
    less,
    pick,
    rarely,
    residue,
    round_to_integer,
    two_product,
    with_sign,
)
from stablemate.numerics.functions.formats import F64

STEP: Final = 28  # bits of the quotient that a step removes: their products are exact in 53 bits
STEPS: Final = 10  # quotients of f32 have up to 277 bits
NEAR: Final = 2.0**50  # quotients of f64 that are found at once
LOW_BITS: Final = 6  # of the exponent of the quotient; the others count up to 33


def remainder(x: Expression, y: Expression) -> Expression:
    """``x - trunc(x / y) y``, with the sign of x."""
    a, b = absolute(x), absolute(y)
    value = of_singles(a, b) if x.type == "f32" else of_doubles(a, b)
    value = pick(less(a, b), a, value)
    value = pick(is_infinite(x) | equal(y, 0.0), float("nan"), value)
    return with_sign(value, x)


def of_singles(x: Expression, y: Expression) -> Expression:
    """The remainder of positive ``f32``: 28 bits of the quotient at a time."""
    a, b = in_double(x), in_double(y)
    far = a
    for step in reversed(range(1, STEPS)):
        far = less_by_multiples(far, b * 2.0 ** (STEP * step))
    far = less_by_multiples(far, b)
    return in_single(rarely(greater(a, b * 2.0**STEP), far, less_by_multiples(a, b)))


def less_by_multiples(a: Expression, b: Expression) -> Expression:
    """``a - trunc(a / b) b`` where the quotient is small."""
    quotient = a.table.apply("floor", a / b)
    rest = -residue(quotient, b, a)
    return pick(less(rest, 0.0), rest + b, rest)  # the quotient was rounded up


def of_doubles(a: Expression, b: Expression) -> Expression:
    """The remainder of positive ``f64``."""
    small, large = less(a, 2.0**-400), greater(a, 2.0**900)
    # No part of a product is denormal, and none overflows.
    scale = choice(small, 2.0**400, 1.0, a) * choice(large, 2.0**-100, 1.0, a)
    back = choice(small, 2.0**-400, 1.0, a) * choice(large, 2.0**100, 1.0, a)
    usual = less_by_multiples(a * scale, b * scale) * back
    return rarely(greater(a, b * NEAR), by_powers(a, b), usual)


def by_powers(a: Expression, b: Expression) -> Expression:
    """``m 2^k mod n``, where m and n are the digits of a and b: by squaring powers of two."""
    (m, above), (n, below) = digits(a), digits(b)
    k = above - below
    power = float_of(shift_bits("shl", shift_bits("ashr", k, LOW_BITS) + F64.bias, F64.mantissa))
    for place in reversed(range(LOW_BITS)):
        power = product_modulo(power, power, n)
        bit = k & (1 << place)
        doubled = nearest_modulo(power * 2.0, n)
        power = pick(k.table.apply("eq", bit, k.table.like(bit, 0)), power, doubled)
    rest = product_modulo(power, nearest_modulo(nearest_modulo(m, n), n), n)
    rest = pick(less(rest, 0.0), rest + n, rest)
    exponent = below - F64.mantissa
    half = shift_bits("ashr", exponent, 1)
    for part in (half, exponent - half):
        rest = rest * float_of(shift_bits("shl", part + F64.bias, F64.mantissa))
    return rest


def digits(x: Expression) -> tuple[Expression, Expression]:
    """An integer from 2^52 on and below 2^53 and ``e``, with ``x = integer 2^(e - 52)``."""
    small = less(x, 2.0**-900)
    bits = bits_of(x * choice(small, 2.0**100, 1.0, x))
    exponent = shift_bits("lshr", bits, F64.mantissa) - F64.bias
    correction = exponent - 100
    stored = (F64.bias + F64.mantissa) << F64.mantissa
    integer = float_of((bits & ((1 << F64.mantissa) - 1)) | stored)
    return integer, pick(small, correction, exponent)


def product_modulo(x: Expression, y: Expression, n: Expression) -> Expression:
    """``x y`` less a multiple of n; between -n / 2 and n / 2, as the factors are."""
    product, rest = two_product(x, y)
    quotient = round_to_integer(product / n)
    near = nearest_modulo(-residue(quotient, n, product), n)
    return nearest_modulo(near + rest, n)


def nearest_modulo(x: Expression, n: Expression) -> Expression:
    """A number of at most n, or n less if that is nearer to zero."""
    return pick(greater(absolute(x), n * 0.5), x - with_sign(n, x), x)

"""Squares, conjugates, hyperbolic functions.

The formulas avoid cancellation and overflow. Special values of complex functions are those of C11,
Annex G.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.elements import ComplexType
from stablemate.transforms.chlo.arithmetic import (
    complex_of,
    cos,
    exact_product,
    exp,
    expm1,
    imag,
    is_finite,
    is_nan,
    real,
    real_and_imaginary,
    sign,
    sin,
    where,
    with_sign_of,
)
from stablemate.transforms.chlo.expressions import Expression
from stablemate.transforms.chlo.pairs import Pair, negative, pair, quotient_of, sum_of

# From here on exp(x / 2)^2 / 2 is taken for sinh(x) and cosh(x), in 32 and in 64 bits.
LARGE: Final = {False: 85.0, True: 700.0}


def square(x: Expression) -> Expression:
    """``x * x``, and ``(a + ib)^2 = (a - b)(a + b) + 2iab``."""
    if not isinstance(x.element, ComplexType):
        return x * x
    a, b = real_and_imaginary(x)
    is_zero = is_finite(a) & abs(a).equals(abs(b))
    return complex_of(where(is_zero, 0.0, (a - b) * (a + b)), 2.0 * (a * b))


def conjugate(x: Expression) -> Expression:
    """``a - ib`` for ``a + ib``; floats are their own conjugates."""
    if not isinstance(x.element, ComplexType):
        return x
    return complex_of(real(x), -imag(x))


def sinh(x: Expression) -> Expression:
    """``(t + t / (t + 1)) / 2`` with ``t = exp(x) - 1``."""
    a = abs(x)
    is_large = a > LARGE[x.is_double]
    t = expm1(where(is_large, 0.5 * a, a))
    e = t + 1.0
    return with_sign_of(x, where(is_large, (0.5 * e) * e, 0.5 * (t + t / e)))


def cosh(x: Expression) -> Expression:
    """``(e + 1 / e) / 2`` with ``e = exp(x)``."""
    a = abs(x)
    is_large = a > LARGE[x.is_double]
    e = exp(where(is_large, 0.5 * a, a))
    return where(is_large, (0.5 * e) * e, 0.5 * e + 0.5 / e)


def sinh_complex(z: Expression) -> Expression:
    """``sinh(a) cos(b) + i cosh(a) sin(b)``."""
    a, b = real_and_imaginary(z)
    real_part, imaginary_part = scaled(a, real_factor(a, cos(b)), sin(b))
    return complex_of(real_part, imaginary_part)


def cosh_complex(z: Expression) -> Expression:
    """``cosh(a) cos(b) + i sinh(a) sin(b)``."""
    a, b = real_and_imaginary(z)
    imaginary_part, real_part = scaled(a, sin(b), real_factor(a, cos(b)))
    return complex_of(real_part, imaginary_part)


def real_factor(a: Expression, cosine: Expression) -> Expression:
    """The cosine; 1 where it is NaN and a is infinite, since the real part is infinite then."""
    return where(abs(a).equals(math.inf) & is_nan(cosine), 1.0, cosine)


def scaled(
    a: Expression, sinh_factor: Expression, cosh_factor: Expression
) -> tuple[Expression, Expression]:
    """``sinh(a)`` and ``cosh(a)``, each times a factor of at most 1: that may prevent overflow."""
    magnitude = abs(a)
    is_large = magnitude > LARGE[a.is_double]
    t = expm1(where(is_large, 0.5 * magnitude, magnitude))
    e = t + 1.0
    s, c = sinh_factor * sign(a), cosh_factor
    half = 0.5 * e
    if a.formula.is_widened:
        sinh_part, cosh_part = s * (0.5 * (t + t / e)), c * (half + 0.5 / e)
    else:
        sinh_of, cosh_of = hyperbolic(t)
        sinh_part, cosh_part = times(s, sinh_of), times(c, cosh_of)
    sinh_part = where(is_large, (s * e) * half, sinh_part)
    cosh_part = where(is_large, (c * e) * half, cosh_part)
    sinh_part = where(sinh_factor.equals(0.0), s, sinh_part)  # not 0 * inf
    sinh_part = where(a.equals(0.0) & is_nan(sinh_factor), a, sinh_part)
    return sinh_part, where(c.equals(0.0), c, cosh_part)


def hyperbolic(t: Expression) -> tuple[Pair, Pair]:
    """``sinh(x)`` and ``cosh(x)`` in twice the precision, from ``t = exp(x) - 1``."""
    e = sum_of(pair(t), pair(t.constant(1.0)))
    ratio = quotient_of(pair(t), e)
    above = sum_of(e, pair(t.constant(1.0)))
    return halved(sum_of(pair(t), ratio)), halved(sum_of(above, negative(ratio)))


def halved(x: Pair) -> Pair:
    """Half of a pair."""
    return Pair(0.5 * x.value, 0.5 * x.rest)


def times(x: Expression, factor: Pair) -> Expression:
    """The product with a pair, rounded nearly once where it is not tiny."""
    product, lost = exact_product(x, factor.value)
    lost = lost + x * factor.rest
    is_plain = is_finite(lost) & (abs(product) > 2.0**-900)
    return where(is_plain, product + lost, product)

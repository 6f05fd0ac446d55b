"""Squares, conjugates, hyperbolic functions.

The formulas avoid cancellation and overflow. Special values of complex functions are those of C11,
Annex G.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.elements import ComplexType
from stablemate.numerics.functions import hyperbolic
from stablemate.numerics.functions.hyperbolic import TINY
from stablemate.transforms.chlo.arithmetic import (
    complex_of,
    cos,
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
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.hyperbolic_functions import (
    cosh_of,
    powers,
    sinh_of,
    times,
)

LARGE: Final = 85.0  # from here on exp(x / 2)^2 / 2 is taken for sinh(x) and cosh(x), in 32 bits


def square(x: TensorExpression) -> TensorExpression:
    """``x * x``, and ``(a + ib)^2 = (a - b)(a + b) + 2iab``."""
    if not isinstance(x.element, ComplexType):
        return x * x
    a, b = real_and_imaginary(x)
    is_zero = is_finite(a) & abs(a).equals(abs(b))
    return complex_of(where(is_zero, 0.0, (a - b) * (a + b)), 2.0 * (a * b))


def conjugate(x: TensorExpression) -> TensorExpression:
    """``a - ib`` for ``a + ib``; floats are their own conjugates."""
    if not isinstance(x.element, ComplexType):
        return x
    return complex_of(real(x), -imag(x))


def sinh(x: TensorExpression) -> TensorExpression:
    """``(t + t / (t + 1)) / 2`` with ``t = exp(x) - 1``; of 64 bits by powers of two."""
    if x.is_double:
        return hyperbolic.sinh(x)
    a = abs(x)
    is_large = a > LARGE
    t = expm1(where(is_large, 0.5 * a, a))
    e = t + 1.0
    return with_sign_of(x, where(is_large, (0.5 * e) * e, 0.5 * (t + t / e)))


def cosh(x: TensorExpression) -> TensorExpression:
    """``(e + 1 / e) / 2`` with ``e = exp(x)``; of 64 bits by powers of two."""
    if x.is_double:
        return hyperbolic.cosh(x)
    a = abs(x)
    is_large = a > LARGE
    e = exp(where(is_large, 0.5 * a, a))
    return where(is_large, (0.5 * e) * e, 0.5 * e + 0.5 / e)


def sinh_complex(z: TensorExpression) -> TensorExpression:
    """``sinh(a) cos(b) + i cosh(a) sin(b)``."""
    a, b = real_and_imaginary(z)
    real_part, imaginary_part = scaled_sinh_cosh(a, real_factor(a, cos(b)), sin(b))
    return complex_of(real_part, imaginary_part)


def cosh_complex(z: TensorExpression) -> TensorExpression:
    """``cosh(a) cos(b) + i sinh(a) sin(b)``."""
    a, b = real_and_imaginary(z)
    imaginary_part, real_part = scaled_sinh_cosh(a, sin(b), real_factor(a, cos(b)))
    return complex_of(real_part, imaginary_part)


def real_factor(a: TensorExpression, cosine: TensorExpression) -> TensorExpression:
    """The cosine; 1 where it is NaN and a is infinite, since the real part is infinite then."""
    return where(abs(a).equals(math.inf) & is_nan(cosine), 1.0, cosine)


def scaled_sinh_cosh(
    a: TensorExpression, sinh_factor: TensorExpression, cosh_factor: TensorExpression
) -> tuple[TensorExpression, TensorExpression]:
    """``sinh(a)`` and ``cosh(a)``, each times a factor of at most 1: that may prevent overflow."""
    magnitude = abs(a)
    s, c = sinh_factor * sign(a), cosh_factor
    if a.is_double:
        parts = powers(magnitude)
        sinh_part = times(s, sinh_of(parts), parts)
        sinh_part = where(magnitude < TINY, s * magnitude, sinh_part)
        cosh_part = times(c, cosh_of(parts), parts)
    else:
        is_large = magnitude > LARGE
        t = expm1(where(is_large, 0.5 * magnitude, magnitude))
        e = t + 1.0
        half = 0.5 * e
        sinh_part = where(is_large, (s * e) * half, s * (0.5 * (t + t / e)))
        cosh_part = where(is_large, (c * e) * half, c * (half + 0.5 / e))
    sinh_part = where(sinh_factor.equals(0.0), s, sinh_part)  # not 0 * inf
    sinh_part = where(a.equals(0.0) & is_nan(sinh_factor), a, sinh_part)
    return sinh_part, where(c.equals(0.0), c, cosh_part)

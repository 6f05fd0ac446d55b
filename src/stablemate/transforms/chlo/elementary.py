"""Hyperbolic functions, squares and conjugates.

The formulas avoid cancellation and overflow: an error of 3 units in the last place is the aim, if
the functions that they use are correct to 1.
"""

from __future__ import annotations

from typing import Final

from stablemate.transforms.chlo.arithmetic import (
    Expression,
    complex_of,
    cos,
    exp,
    expm1,
    imag,
    is_finite,
    parts,
    real,
    sin,
    where,
    with_sign_of,
)

# exp(x / 2) ** 2 where exp(x) might overflow; below, nothing is lost.
LARGE: Final = {False: 85.0, True: 700.0}


def square(x: Expression) -> Expression:
    """x * x."""
    return x * x


def square_complex(z: Expression) -> Expression:
    """``(a + ib)^2 = (a - b)(a + b) + 2iab``."""
    a, b = parts(z)
    is_zero = is_finite(a) & abs(a).equals(abs(b))  # not inf - inf
    return complex_of(where(is_zero, 0.0, (a - b) * (a + b)), 2.0 * (a * b))


def conjugate(x: Expression) -> Expression:
    """Floats are their own conjugates."""
    return x


def conjugate_complex(z: Expression) -> Expression:
    """``a - ib``."""
    return complex_of(real(z), -imag(z))


def sinh(x: Expression) -> Expression:
    """``(e^x - e^-x) / 2``, from ``e^x - 1``."""
    a = abs(x)
    is_large = a > LARGE[x.is_double]
    t = expm1(where(is_large, 0.5 * a, a))
    e = t + 1.0
    return with_sign_of(x, 0.5 * where(is_large, e, 1.0) * where(is_large, e, t + t / e))


def cosh(x: Expression) -> Expression:
    """``(e^x + e^-x) / 2``."""
    a = abs(x)
    is_large = a > LARGE[x.is_double]
    e = exp(where(is_large, 0.5 * a, a))
    return 0.5 * where(is_large, e, 1.0) * where(is_large, e, e + 1.0 / e)


def sinh_complex(z: Expression) -> Expression:
    """``sinh(a) cos(b) + i cosh(a) sin(b)``."""
    a, b = parts(z)
    return complex_of(scaled_sinh(a, cos(b)), scaled_cosh(a, sin(b)))


def cosh_complex(z: Expression) -> Expression:
    """``cosh(a) cos(b) + i sinh(a) sin(b)``."""
    a, b = parts(z)
    return complex_of(scaled_cosh(a, cos(b)), scaled_sinh(a, sin(b)))

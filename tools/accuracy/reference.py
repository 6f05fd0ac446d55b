"""The functions in a higher precision, for many numbers at a time.

Of floats of 32 bits and fewer the reference is computed in ``f64``: NumPy and SciPy are off by a
few units of ``f64`` there, which are 2^-26 of a unit of ``f32``. Of ``f64`` it is computed in the
80 bits of the processor's ``long double``, 2^-10 of a unit. What comes out worst is computed again
by mpmath.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from stablemate.numerics.elements import Array

Reference = Callable[..., Array]


def power(x: Array, y: Array) -> Array:
    """``x^y``."""
    return np.asarray(x**y)


def logistic(x: Array) -> Array:
    """``1 / (1 + exp(-x))``."""
    small = np.exp(np.minimum(x, 0))
    return np.asarray(np.where(x < 0, small / (1 + small), 1 / (1 + np.exp(-np.maximum(x, 0)))))


def odd(function: Reference) -> Reference:
    """An odd function, with the sign of zero, which SciPy drops."""
    return lambda x: np.asarray(np.where(x == 0, x, function(x)))


def lgamma(x: Array) -> Array:
    """log(abs(gamma(x))); as in C, infinite at minus infinity."""
    return np.asarray(np.where(np.isinf(x), np.inf, special("gammaln")(x)))


def digamma(x: Array) -> Array:
    """The derivative of lgamma; NaN at its poles, as XLA has it."""
    return np.asarray(np.where((x <= 0) & (x == np.floor(x)), np.nan, special("digamma")(x)))


def special(name: str) -> Reference:
    """A function of SciPy."""

    def function(*operands: Array) -> Array:
        import scipy.special

        return np.asarray(getattr(scipy.special, name)(*operands))

    return function


def bessel_i1e(x: Array) -> Array:
    """``exp(-abs(x)) I1(x)``: far out and near zero by series, of which SciPy computes too many.

    Source: NIST Digital Library of Mathematical Functions, 10.25.2 and 10.40.1.
    """
    a = np.abs(x)
    near, far = a < 2.0**-6, (a > 2.0**10) & (a < np.inf)
    z = a[near]
    result = np.full_like(a, np.nan)
    result[near] = np.exp(-z) * (z / 2) * (1 + z * z / 8 + z**4 / 192)
    w = 1 / (8 * a[far])
    terms = 1 - 3 * w * (1 + 5 * w / 2 * (1 + 21 * w / 3 * (1 + 45 * w / 4 * (1 + 77 * w / 5))))
    result[far] = terms / np.sqrt(2 * np.pi * a[far])
    rest = ~(near | far | np.isnan(a))
    result[rest] = special("i1e")(a[rest])
    return np.copysign(result, x)


def erf_inv(x: Array) -> Array:
    """The inverse of erf; SciPy takes ten microseconds to say that there is none."""
    inside = np.abs(x) <= 1
    result = np.full_like(x, np.nan)
    result[inside] = odd(special("erfinv"))(x[inside])
    return result


def polygamma(n: Array, x: Array) -> Array:
    """The n-th derivative of digamma."""
    import scipy.special

    return np.asarray(scipy.special.polygamma(n.astype(np.int64), x))


# Those that NumPy has, in any precision.
PLAIN: Final[Mapping[str, Reference]] = {
    "cbrt": np.cbrt,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": logistic,
    "rsqrt": lambda x: np.asarray(1 / np.sqrt(x)),
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "atan2": np.arctan2,
    "power": power,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "cosh": np.cosh,
    "sinh": np.sinh,
    "square": np.square,
}
# Those that SciPy has in f64.
SPECIAL: Final[Mapping[str, Reference]] = {
    "bessel_i1e": bessel_i1e,
    "digamma": digamma,
    "erf": special("erf"),
    "erf_inv": erf_inv,
    "erfc": special("erfc"),
    "lgamma": lgamma,
    "polygamma": polygamma,
    "zeta": special("zeta"),
}


def reference_of(name: str, wide: Any) -> Reference:
    """The function in a precision: ``float64`` or ``longdouble``.

    Raises:
        KeyError: There is none.
    """
    function = PLAIN[name] if np.dtype(wide) == np.longdouble else {**PLAIN, **SPECIAL}[name]

    def called(*operands: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(function(*[operand.astype(wide) for operand in operands]))

    return called

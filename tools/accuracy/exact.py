"""The functions themselves, in as many digits as it takes.

A zero among the operands stands for a number of its sign far below the smallest float: so the side
of a branch cut is the one that the sign says, and a result that is nearly zero has a sign too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import mpmath
import numpy as np
from mpmath import mp
from mpmath.libmp import NoConvergence

Exact: TypeAlias = Callable[..., Any]  # of numbers of mpmath

TINY: Final = -2400  # binary exponent of what stands for zero
NEGLIGIBLE: Final = -1150  # below it results are zeros


def digamma(x: Any) -> Any:
    """The derivative of lgamma."""
    return mpmath.digamma(x)


def lgamma(x: Any) -> Any:
    """log(abs(gamma(x)))."""
    return mpmath.re(mpmath.loggamma(x))


def polygamma(n: Any, x: Any) -> Any:
    """The n-th derivative of digamma."""
    n = int(mpmath.nint(n))
    if n == 0:
        return mpmath.digamma(x)
    return (-1) ** (n + 1) * mpmath.factorial(n) * hurwitz(mpmath.mpf(n + 1), x)


def zeta(x: Any, q: Any) -> Any:
    """The Hurwitz zeta function."""
    return hurwitz(x, q)


def hurwitz(x: Any, q: Any) -> Any:
    """The sum of ``(q + k)^-x``, by Euler-Maclaurin summation, negative terms first.

    Source: F. Johansson, "Rigorous high-precision computation of the Hurwitz zeta function and its
    derivatives", 2015, formula (5).
    """
    result, terms = mpmath.mpf(0), 40
    lead = max(0, int(mpmath.ceil(-q)))
    if lead > 4000:
        raise OverflowError(f"{lead} negative terms")
    for k in range(lead):
        base = q + k
        result += (1 if int(x) % 2 == 0 else -1) * (-base) ** -x
    q = q + lead
    if q > 200 and x > 10000:
        return result + q**-x
    for k in range(terms):
        result += (q + k) ** -x
    a = q + terms
    result += a ** (1 - x) / (x - 1) + a**-x / 2
    term, factor = a**-x * x / a, 1
    for j in range(1, 60):
        addend = mpmath.bernoulli(2 * j) / mpmath.factorial(2 * j) * term * factor
        result += addend
        if abs(addend) < abs(result) * mpmath.mpf(2) ** -180:
            return result
        term = term * (x + 2 * j - 1) * (x + 2 * j) / a**2
    return result


def bessel_i1e(x: Any) -> Any:
    """``exp(-abs(x)) I1(x)``."""
    if abs(x) > 10000:  # its asymptotic series
        a, term, result, k = abs(x), mpmath.mpf(1), mpmath.mpf(1), 1
        while abs(term) > mpmath.mpf(2) ** -200:
            term = -term * (4 - (2 * k - 1) ** 2) / (k * 8 * a)
            result, k = result + term, k + 1
        return mpmath.sign(x) * result / mpmath.sqrt(2 * mpmath.pi * a)
    return mpmath.exp(-abs(x)) * mpmath.besseli(1, x)


def atan2(y: Any, x: Any) -> Any:
    """The angle of a point; ``-i log((x + iy) / sqrt(x^2 + y^2))`` of complex numbers."""
    if isinstance(y, mpmath.mpc):
        return -1j * mpmath.log((x + 1j * y) / mpmath.sqrt(x * x + y * y))
    return mpmath.atan2(y, x)


def power(x: Any, y: Any) -> Any:
    """``x^y``; of a negative number only if y is an integer, or stands for zero."""
    if isinstance(x, mpmath.mpf) and x < 0 and not mpmath.isint(y):
        if abs(y) >= mpmath.ldexp(1, -1200):
            raise ValueError("no real number")
        return mpmath.mpf(1)
    return mpmath.power(x, y)


def logistic(x: Any) -> Any:
    """``1 / (1 + exp(-x))``."""
    return 1 / (1 + mpmath.exp(-x))


def tanh(x: Any) -> Any:
    """The hyperbolic tangent, with the imaginary part of a large argument."""
    if abs(mpmath.re(x)) < 10000:
        return mpmath.tanh(x)
    a, b = mpmath.re(x), mpmath.im(x)
    imag = mpmath.sin(2 * b) / mpmath.cosh(2 * a)
    return mpmath.mpc(mpmath.sign(a), imag) if isinstance(x, mpmath.mpc) else mpmath.sign(a)


def tan(x: Any) -> Any:
    """The tangent."""
    if isinstance(x, mpmath.mpc):
        turned = tanh(mpmath.mpc(-x.imag, x.real))
        return mpmath.mpc(turned.imag, -turned.real)
    return mpmath.tan(x)


def erf_inv(x: Any) -> Any:
    """The inverse of erf."""
    a = abs(x)
    if a < mpmath.mpf(2) ** -60:
        return x * mpmath.sqrt(mpmath.pi) / 2 * (1 + mpmath.pi * x * x / 12)
    start = mpmath.erfinv(mpmath.mpf(float(a))) if a < 1 else None
    result = start if start is not None else mpmath.inf
    for _ in range(2):
        result -= (mpmath.erf(result) - a) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(result**2)
    return mpmath.sign(x) * result


STABLEHLO: Final[Mapping[str, Exact]] = {
    "cbrt": lambda x: mpmath.cbrt(x) if isinstance(x, mpmath.mpc) or x >= 0 else -mpmath.cbrt(-x),
    "cosine": mpmath.cos,
    "exponential": mpmath.exp,
    "exponential_minus_one": lambda x: mpmath.exp(x) - 1,
    "log": mpmath.log,
    "log_plus_one": lambda x: mpmath.log(1 + x),
    "logistic": logistic,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "sine": mpmath.sin,
    "sqrt": mpmath.sqrt,
    "tan": tan,
    "tanh": tanh,
    "atan2": atan2,
    "power": power,
}
CHLO: Final[Mapping[str, Exact]] = {
    "acos": mpmath.acos,
    "acosh": mpmath.acosh,
    "asin": mpmath.asin,
    "asinh": mpmath.asinh,
    "atan": mpmath.atan,
    "atanh": mpmath.atanh,
    "bessel_i1e": bessel_i1e,
    "cosh": mpmath.cosh,
    "digamma": digamma,
    "erf": mpmath.erf,
    "erf_inv": erf_inv,
    "erfc": mpmath.erfc,
    "lgamma": lgamma,
    "polygamma": polygamma,
    "sinh": mpmath.sinh,
    "square": lambda x: x * x,
    "tan": tan,
    "zeta": zeta,
}


def lifted(x: float, tiny: int) -> Any:
    """A float as a number of mpmath; for zero ``2^tiny`` with its sign."""
    if x == 0:
        return mpmath.mpf(math.copysign(1, x)) * mpmath.mpf(2) ** tiny
    return mpmath.mpf(x)


def precision_for(numbers: list[float], tiny: int) -> int:
    """Bits that no cancellation among numbers of these magnitudes uses up."""
    exponents = [tiny if x == 0 else math.frexp(x)[1] for x in numbers]
    return 200 + 3 * (abs(min(*exponents, 0)) + max(*exponents, 0))


def exactly(function: Exact, *operands: Any) -> tuple[Any, Any]:
    """The real and the imaginary part of the exact result; None where it has none (NaN)."""
    first = evaluated(function, TINY, operands)
    if first[0] is None or all(part != 0 for x in operands for part in (np.real(x), np.imag(x))):
        return first
    second = evaluated(function, 2 * TINY, operands)
    return limit(first[0], second[0]), limit(first[1], second[1])


def limit(first: Any, second: Any) -> Any:
    """What a part of the result tends to, from its values for two numbers in place of zero."""
    if first is None or second is None:
        return None
    if abs(second) <= abs(first) * mpmath.mpf(2) ** -100:
        return mpmath.sign(first) * mpmath.ldexp(1, 2 * NEGLIGIBLE)
    if abs(second) > 1.5 * abs(first):
        return mpmath.sign(first) * mpmath.inf
    return first


def evaluated(function: Exact, tiny: int, operands: Sequence[Any]) -> tuple[Any, Any]:
    """Both parts, with a power of two in place of zero."""
    is_complex = np.iscomplexobj(operands[0])
    numbers = (
        [float(x) for x in operands]
        if not is_complex
        else [float(part) for x in operands for part in (x.real, x.imag)]
    )
    with mp.workprec(precision_for(numbers, tiny)):
        lift = lifted_complex if is_complex else lifted
        try:
            result = function(*[lift(x, tiny) for x in operands])
        except (ValueError, ZeroDivisionError, OverflowError, NoConvergence):
            return None, None
        if mpmath.isnan(result) or mpmath.isinf(result):
            return None, None
        if is_complex or not isinstance(result, mpmath.mpc):
            return +mpmath.re(result), +mpmath.im(result)
        is_real = abs(result.imag) <= abs(result.real) * mpmath.mpf(2) ** -100
        return (+result.real, mpmath.mpf(0)) if is_real else (None, None)


def lifted_complex(x: Any, tiny: int) -> Any:
    """A complex number of mpmath."""
    return mpmath.mpc(lifted(float(x.real), tiny), lifted(float(x.imag), tiny))

"""stablehlo-complex-math-expander: functions of complex numbers in functions of real ones.

``exponential``, ``log``, ``log_plus_one`` and ``sqrt``, the four that upstream expands, accurate in
both parts; what asks for an accuracy of its own stays. Special values are those of C11, Annex G,
where both parts are numbers.

Source: W. Kahan, "Branch cuts for complex elementary functions", 1987; T. J. Dekker, "A floating-
point technique for extending the available precision", 1971, for sums near 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracy
from stablemate.ir.builder import Builder
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.numerics.elements import ComplexType
from stablemate.numerics.functions.arithmetic import two_product, two_sum
from stablemate.transforms.chlo.arithmetic import (
    atan2,
    complex_of,
    cos,
    exp,
    log,
    log1p,
    maximum,
    minimum,
    real_and_imaginary,
    sin,
    sqrt,
    where,
)
from stablemate.transforms.chlo.complex_functions import with_sign_bit_of
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.patterns import Function, exact

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.elementwise import Transcendental

# From these exponents on exp(x / 2) is taken twice; in 32 and in 64 bits.
LARGE_EXPONENT: Final = {False: 88.0, True: 709.0}
# Squares of what lies between these neither overflow nor lose digits.
SMALL: Final = {False: 2.0**-50, True: 2.0**-400}
LARGE: Final = {False: 2.0**50, True: 2.0**400}


def exponential(z: TensorExpression) -> TensorExpression:
    """``exp(x) (cos y + i sin y)``; large exponents in two halves, so that nothing overflows."""
    x, y = real_and_imaginary(z)
    is_large = x > LARGE_EXPONENT[x.is_double]
    is_endless = ~(abs(y) < math.inf)  # also NaN
    angle = where(x.equals(-math.inf) & is_endless, 0.0, y)
    e = exp(where(is_large, 0.5 * x, x))
    again = where(is_large, e, 1.0)
    a = again * (e * cos(angle))
    b = again * (e * sin(angle))
    a = where(x.equals(math.inf) & is_endless, math.inf, a)
    return complex_of(a, where(angle.equals(0.0), angle, b))


def logarithm(z: TensorExpression) -> TensorExpression:
    """``log |z| + i arg z``; near the unit circle by ``log1p(|z|^2 - 1) / 2``."""
    x, y = real_and_imaginary(z)
    most, least = maximum(abs(x), abs(y)), minimum(abs(x), abs(y))
    is_usual = (most > SMALL[x.is_double]) & (most < LARGE[x.is_double])
    a, b = where(is_usual, most, 1.0), where(is_usual, least, 0.0)
    p, p_rest = two_product(a, a)
    q, q_rest = two_product(b, b)
    size = p + q
    first, first_rest = two_sum(p, p.constant(-1.0))
    second, second_rest = two_sum(first, q)
    excess = second + (first_rest + second_rest + p_rest + q_rest)
    near = 0.5 * where((size > 0.5) & (size < 3.0), log1p(excess), log(size))
    return complex_of(where(is_usual, near, far_logarithm(most, least)), atan2(y, x))


def logarithm_plus_one(z: TensorExpression) -> TensorExpression:
    """``log(1 + z)``: the real part by ``log1p(2x + x^2 + y^2) / 2``, but for z near -1."""
    x, y = real_and_imaginary(z)
    most, least = maximum(abs(x), abs(y)), minimum(abs(x), abs(y))
    is_large = most > LARGE[x.is_double]
    a, b = where(is_large, 0.0, x), where(is_large, 0.0, y)
    p, p_rest = two_product(a, a)
    q, q_rest = two_product(b, b)
    first, first_rest = two_sum(a + a, p)
    second, second_rest = two_sum(first, q)
    excess = second + (first_rest + second_rest + p_rest + q_rest)
    next_to = a + 1.0
    is_near = abs(next_to) + abs(b) < 0.2
    near = 0.5 * where(is_near, log(next_to * next_to + q), log1p(excess))
    return complex_of(where(is_large, far_logarithm(most, least), near), atan2(y, x + 1.0))


def square_root(z: TensorExpression) -> TensorExpression:
    """``u + iv`` with ``u = sqrt((|z| + x) / 2)`` and ``v = y / 2u``; the other way for x < 0."""
    x, y = real_and_imaginary(z)
    most, least = maximum(abs(x), abs(y)), minimum(abs(x), abs(y))
    ratio = where(most.equals(least), 1.0, least / most)
    share = where(abs(x) < abs(y), ratio, 1.0)  # |x| / most
    u = sqrt(most) * sqrt(0.5 * (sqrt(1.0 + ratio * ratio) + share))
    v = where(most.equals(0.0), 0.0, abs(y) / (u + u))
    v = where(abs(y).equals(math.inf), math.inf, v)
    is_right = x >= 0.0
    return complex_of(where(is_right, u, v), with_sign_bit_of(y, where(is_right, v, u)))


def far_logarithm(most: TensorExpression, least: TensorExpression) -> TensorExpression:
    """``log |z|`` far from 1, of the magnitudes of the parts."""
    ratio = where(most.equals(least), 1.0, least / most)
    return log(most) + 0.5 * log1p(ratio * ratio)


def of_complex(function: Function) -> Pattern:
    """The pattern of an operation on complex numbers; all others stay."""
    formula = exact(function)

    def rewrite(operation: Transcendental, builder: Builder) -> Replacement:
        element = operation.operand.type.element_type
        if not isinstance(element, ComplexType) or operation.result_accuracy != ResultAccuracy():
            return None
        return formula(operation, builder)

    return rewrite


PATTERNS: Final[Mapping[str, Pattern]] = {
    "stablehlo.exponential": of_complex(exponential),
    "stablehlo.log": of_complex(logarithm),
    "stablehlo.log_plus_one": of_complex(logarithm_plus_one),
    "stablehlo.sqrt": of_complex(square_root),
}

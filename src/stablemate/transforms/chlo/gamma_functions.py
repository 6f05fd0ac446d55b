"""lgamma, in 64 bits.

Fractions of polynomials for small arguments, asymptotic series for large ones, reflection for
negative ones. All coefficients were made for this module: minimax approximations in relative error
(Remez), in 50 digits; the bounds stated are before rounding. Near the zeros on the negative axis
the error is small in absolute terms only.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.functions.arithmetic import polynomial, two_product
from stablemate.transforms.chlo.arithmetic import (
    floor,
    log,
    minimum,
    sin,
    where,
)
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.pairs import (
    Pair,
    logarithm,
    negative,
    pair,
    product_of,
    sum_of,
)

# fmt: off
# 1 <= x < 3: lgamma(x) / (x - 1)(x - 2) - 27/64, a fraction in x - 1, within 2^-56 of the quotient
LGAMMA_TOP: Final = (
    0.15534066490153287, 0.249326230155766, -0.010778113229526117, -0.21300959394564983,
    -0.13559949329178003, -0.031976463065465935, -0.0028058004611835985, -6.451344584631922e-05,
)
LGAMMA_BOTTOM: Final = (
    1.0, 3.1838256839691392, 3.956628017699432, 2.43097824450739, 0.7723231267081666,
    0.12113249448033861, 0.008083982693679343, 0.00015605211368665983,
)
# 5 <= x: x (lgamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2) in x^-2, within 2^-56 of lgamma(x)
STIRLING: Final = (
    0.0833333333333316, -0.002777777776032458, 0.0007936502976360363, -0.0005951760733196207,
    0.0008377284352665572, -0.0017736821345744492, 0.003576299553311364,
)
# fmt: on
LGAMMA_BASE: Final = 0.421875
STIRLING_CONSTANT: Final = 0.4189385332046727  # log(2 pi) / 2 - 1/2
STIRLING_REST: Final = 1.6728209650585413e-17
LOG_OF_PI: Final = 1.1447298858494002
LOG_OF_PI_REST: Final = 1.0265951162707826e-17


def lgamma(x: TensorExpression) -> TensorExpression:
    """log(abs(gamma(x))), infinite at the poles 0, -1, -2, ... and at both infinities."""
    is_pole = (x <= 0.0) & x.equals(floor(x))
    is_reflected = x < -0.5
    a = abs(x)
    direct = lgamma_from_minus_half(where(is_reflected, a, x))
    fraction = a - floor(a)
    sine = sin(math.pi * minimum(fraction, 1.0 - fraction))
    reflected = log(math.pi / (a * sine)) - direct
    if not x.formula.is_widened:
        far = stirling(where(a < 5.0, 5.0, a))
        direct = where(a < 5.0, direct, far.total)
        reflected = where(a < 5.0, reflected, reflected_stirling(a, sine, far))
    return where(is_pole, math.inf, where(is_reflected, reflected, direct))


def lgamma_from_minus_half(x: TensorExpression) -> TensorExpression:
    """lgamma for -1/2 <= x: a fraction for 1 <= x < 3, steps to it below 5, Stirling's series.

    A step is ``lgamma(x) = lgamma(x + 1) - log(abs(x))`` or its converse.
    """
    steps_up, product_up = where(x < 0.0, x.constant(2.0), 1.0), where(x < 0.0, x * (x + 1.0), x)
    is_two_down = x >= 4.0
    steps_down = where(is_two_down, x.constant(-2.0), -1.0)
    product_down = where(is_two_down, (x - 1.0) * (x - 2.0), x - 1.0)
    is_up, is_down, is_far = x < 1.0, x >= 3.0, x >= 5.0
    steps = where(is_up, steps_up, where(is_down, steps_down, 0.0))
    product = where(is_far, x, where(is_down, product_down, product_up))
    logarithm = log(abs(product))
    t = x + (steps - 1.0)
    quotient = LGAMMA_BASE + polynomial(t, LGAMMA_TOP) / polynomial(t, LGAMMA_BOTTOM)
    near = t * ((x + (steps - 2.0)) * quotient)
    near = near + where(is_up, -logarithm, where(is_down, logarithm, 0.0))  # 0 at 1, and not -0
    series = polynomial(1.0 / (x * x), STIRLING) / x
    far = (x - 0.5) * (logarithm - 1.0) + (STIRLING_CONSTANT + series)
    return where(is_far, far, near)


def stirling(x: TensorExpression) -> Pair:
    """Stirling's series for 5 <= x, in twice the precision; without rests beyond 10^290."""
    logarithm_of_x = logarithm(x)
    factor = sum_of(pair(x), pair(x.constant(-0.5)))
    less = sum_of(logarithm_of_x, pair(x.constant(-1.0)))
    series = polynomial(1.0 / (x * x), STIRLING) / x
    constant = sum_of(pair(x.constant(STIRLING_CONSTANT), STIRLING_REST), pair(series))
    result = sum_of(product_of(factor, less), constant)
    is_huge = x > 1e290
    return Pair(
        where(is_huge, x * (log(x) - 1.0), result.value),
        where(is_huge, 0.0, result.rest),
    )


def reflected_stirling(
    a: TensorExpression, sine: TensorExpression, direct: Pair
) -> TensorExpression:
    """``log(pi) - log(a sine) - direct``, whose terms may cancel."""
    product, rest = two_product(minimum(a, 2.0**60), sine)
    product = where(product.equals(0.0), 1.0, product)  # at poles
    logarithm_of_product = logarithm(product)
    constant = pair(a.constant(LOG_OF_PI), LOG_OF_PI_REST)
    near = sum_of(constant, negative(logarithm_of_product))
    near = Pair(near.value, near.rest - rest / product)
    return sum_of(near, negative(direct)).total

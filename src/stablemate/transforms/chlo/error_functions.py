"""erf, erfc, erf_inv: polynomials on intervals.

The polynomials are minimax approximations (Remez) in relative error of the function, made for this
module in 50 digits; the error bounds stated are theirs, before rounding.
"""

from __future__ import annotations

import math
from typing import Final

from stablemate.numerics.functions.arithmetic import polynomial, two_product, two_sum
from stablemate.transforms.chlo.arithmetic import exp, log, minimum, sqrt, where, with_sign_of
from stablemate.transforms.chlo.expressions import TensorExpression

# fmt: off
# abs(x) < 0.92: erf(x) / x - 1 in x^2, within 2^-31
ERF_SMALL_F32: Final = (
    0.12837917, -0.37612632, 0.11283688, -0.026858991, 0.0052000256, -8.1313454e-04, 8.32233e-05,
)
# 0.92 <= x < 4: -log(1 - erf(x)), within 2^-29 of erf(x)
ERF_LARGE_F32: Final = (
    1.9567496e-04, 1.1276757, 0.63718224, 0.1039316, -0.022226922, 0.003043218, -1.959373e-04,
)
# abs(x) < 1: erf(x) / x - 1 in x^2, within 2^-56
ERF_SMALL_F64: Final = (
    0.12837916709551256, -0.3761263890318352, 0.11283791670944185, -0.026866170643111458,
    0.005223977606118393, -0.0008548325929310457, 0.00012055293576777468, -1.4924712299609983e-05,
    1.6447131541262487e-06, -1.620631352519064e-07, 1.3710979372067498e-08,
    -7.779466538474252e-10,
)
# 1 <= x < 6: -log(1 - erf(x)), within 2^-57 of erf(x)
ERF_LARGE_F64: Final = (
    5.028457355169562e-07, 1.1283740895145062, 0.6366436279183101, 0.10270343998063551,
    -0.018990179712634603, -0.00041062678058022945, 0.001915942312257423, -0.0007706425758193924,
    0.00013505013355117948, 2.026668483517581e-05, -2.2822475213286432e-05, 8.667144586530877e-06,
    -2.135669986245173e-06, 3.733009552156814e-07, -4.642254671642072e-08, 3.9342210454092e-09,
    -2.0449372532303983e-10, 4.9285482177643675e-12,
)
# 0.5 <= x: (1 + 2x) exp(x^2) erfc(x) in (x - 4) / (x + 4), within 2^-57
ERFC: Final = (
    1.2329951186255526, -0.13962111684056247, 0.015379652102621644, 0.06809705425468604,
    -0.10103906603642127, 0.09373283499861552, -0.06633036580940578, 0.03716751553247609,
    -0.01619773409263375, 0.005031970030844804, -0.000757773035507715, -0.0001992570364967492,
    0.00015062052428892065, -2.439779503785033e-05, -1.1218654153169997e-05,
    5.705875562405798e-06, 2.87438377867301e-07, -8.186082288818702e-07, 8.212189993374438e-08,
    1.0252370263192596e-07, -2.2912631867761114e-08, -9.396977118318436e-09,
    3.284940835955734e-09,
)
# w < 5: erf_inv(x) / x - 1/2, within 2^-27
ERF_INV_CENTER_F32: Final = (
    0.38622692, 0.23201382, 0.011548654, -0.0023342962, -1.2748173e-04, 4.4565284e-05,
    3.9832084e-06, -1.9764545e-06, 2.210297e-07, -8.790978e-09,
)
# 5 <= w < 16: erf_inv(x) / x - s in s - 3.125, within 2^-27 of erf_inv(x) / x
ERF_INV_TAIL_F32: Final = (
    -0.16667986, 0.0037187068, 0.0070490027, -0.005301126, 0.0037820193, -0.0025204779,
    0.001309761, -3.2418186e-04, -1.7305609e-04, 1.2991205e-04,
)
# w < 5: erf_inv(x) / x in w - 1.25, within 2^-56
ERF_INV_CENTER_F64: Final = (
    1.1895615771387744, 0.2495196333255074, 0.0025116852200251795, -0.002253778615432201,
    0.00014359068278556984, 3.1155897024909534e-05, -5.045205672854155e-06, -3.125991714762593e-07,
    1.2756979521057712e-07, -1.2438095838727983e-09, -2.721302533949845e-09,
    1.9431656347311853e-10, 4.897196646694667e-11, -7.343131383594514e-12, -6.721421704012306e-13,
    2.1285711280496748e-13, 2.1816576973103074e-15, -5.923124472198687e-15, 7.781547487699813e-16,
    -2.300030391463723e-17, -2.9608110324829344e-18, 2.0993655987501086e-19,
)
# 5 <= w < 13: erf_inv(x) / x - s in s - 3, within 2^-55 of erf_inv(x) / x
ERF_INV_TAIL_F64: Final = (
    -0.16702320127172932, 0.0016752766933989744, 0.009445522012002387, -0.007643805569934088,
    0.005685182417029246, -0.003558794021483221, 0.0014837373663954476, -0.00014889799124379123,
    -0.00028312471158991107, 0.00020551537347285952, -4.6458338255164175e-05,
    -2.2865244284732107e-05, 2.1926019637201434e-05, -5.978466424065398e-06,
    -1.6332016737383204e-06, 2.07289264416007e-06, -6.649183817283233e-07, -1.781337366924257e-07,
    1.728406847216971e-07,
)
# 13 <= w < 36.05: erf_inv(x) / x - s in s - 4.75, within 2^-53 of erf_inv(x) / x
ERF_INV_END_F64: Final = (
    -0.15267370767290686, 0.010324343922479346, 5.441407866241838e-05, -0.0003048908320746423,
    0.0001054565368397215, -2.8017191966537294e-05, 6.786257397651496e-06,
    -1.6850351791234961e-06, 5.225853773295936e-07, -2.322520775436028e-07,
    1.2536827580923212e-07, -6.563513916588766e-08, 2.9654768825406583e-08,
    -1.0872459206905367e-08, 2.9256306618102753e-09, -2.2556909863404628e-10,
    -3.3882641240176827e-10, 1.9544745780023686e-10, -3.653315049824857e-11,
)
# fmt: on


def erf(x: TensorExpression) -> TensorExpression:
    """``x + x p(x^2)`` near zero, elsewhere ``1 - exp(-q(abs(x)))``."""
    bound, small, large, one_from = (
        (1.0, ERF_SMALL_F64, ERF_LARGE_F64, 6.0)
        if x.is_double
        else (0.92, ERF_SMALL_F32, ERF_LARGE_F32, 4.0)
    )
    a = abs(x)
    far = 1.0 - exp(-polynomial(minimum(a, one_from), large))
    return where(a < bound, x + x * polynomial(x * x, small), with_sign_of(x, far))


def erfc(x: TensorExpression) -> TensorExpression:
    """``exp(-x^2) p(t) / (1 + 2x)`` with ``t = (x - 4) / (x + 4)``, ``1 - erf(x)`` near zero.

    The rounding errors of ``x^2``, which would be magnified, and of ``1 + 2x`` are made good.
    """
    a = minimum(abs(x), 28.0)  # where erfc is zero
    t = (a - 4.0) / (a + 4.0)
    square, rest_of_square = two_product(a, a)
    divisor, rest_of_divisor = two_sum(2.0 * a, a.constant(1.0))
    p0, slope = ERFC[0], t * polynomial(t, ERFC[1:])
    correction = slope - (p0 + slope) * (rest_of_square + rest_of_divisor / divisor)
    p, rest_of_p = two_sum(a.constant(p0), correction)
    power = exp(-square)
    quotient = p / divisor
    product, rest_of_product = two_product(quotient, divisor)
    rest = ((p - product) - rest_of_product + rest_of_p) / divisor
    far, lost = two_product(power, quotient)
    far = far + where(power < 2.0**-900, 0.0, lost + power * rest)  # which may not be denormal
    near = 1.0 - (x + x * polynomial(x * x, ERF_SMALL_F64))
    return where(abs(x) < 0.8, near, where(x < 0.0, 2.0 - far, far))


def erf_inv(x: TensorExpression) -> TensorExpression:
    """``x p(w)`` with ``w = -log(1 - x^2)`` in the center, in the tails ``x (s + q(s))``, s^2 = w.

    Source: M. Giles, "Approximating the erfinv function", GPU Computing Gems, 2011, for the
    variables; polynomials of its own.
    """
    a = abs(x)
    w = -log((1.0 - a) * (1.0 + a))
    s = sqrt(w)
    if x.is_double:
        return where(a.equals(1.0), math.inf * x, erf_inv_of_double(x, w, s))
    ratio = polynomial(w, ERF_INV_CENTER_F32)
    tail = polynomial(s - 3.125, ERF_INV_TAIL_F32)
    inside = where(w < 5.0, x + x * (ratio - 0.5), x * (s + tail))
    return where(a.equals(1.0), math.inf * x, inside)


def erf_inv_of_double(
    x: TensorExpression, w: TensorExpression, s: TensorExpression
) -> TensorExpression:
    """``x p(w - 1.25)`` in the center, ``x (s + q(s))`` in the tails, for 64 bits.

    What the root, the last steps of both factors and the products lose is made good.
    """
    is_central, shifted = w < 5.0, w - 1.25
    first, *others = ERF_INV_CENTER_F64
    product, rest = two_product(shifted, polynomial(shifted, others))
    tail = where(
        w < 13.0, polynomial(s - 3.0, ERF_INV_TAIL_F64), polynomial(s - 4.75, ERF_INV_END_F64)
    )
    square, rest_of_square = two_product(s, s)
    rest_of_root = ((w - square) - rest_of_square) / (2.0 * s)
    factor, lost = two_sum(where(is_central, first, s), where(is_central, product, tail))
    lost = lost + where(is_central, rest, rest_of_root)
    result, rest_of_result = two_product(x, factor)
    return where(abs(x) < 2.0**-900, result, result + (rest_of_result + x * lost))

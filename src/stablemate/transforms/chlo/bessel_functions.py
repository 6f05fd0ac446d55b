"""The modified Bessel function of order 1, scaled; in 64 bits.

Minimax approximations in relative error (Remez), made for this module in 60 digits; the bounds
stated are before rounding.
"""

from __future__ import annotations

from typing import Final

from stablemate.numerics.functions.arithmetic import two_product
from stablemate.transforms.chlo.arithmetic import exp, minimum, sqrt, where, with_sign_of
from stablemate.transforms.chlo.expressions import TensorExpression
from stablemate.transforms.chlo.pairs import last_step

BOUND: Final = 8.0

# fmt: off
# x < 8: I1(x) / x in x^2, within 2^-56
NEAR: Final = (
    0.5, 0.06249999999999995, 0.0026041666666667407, 5.4253472222178126e-05,
    6.781684027911073e-07, 5.6514033541200385e-09, 3.36393059601046e-11, 1.5017545159692185e-13,
    5.214436771526495e-16, 1.4484120149851382e-18, 3.2929834695415612e-21, 6.2152592525538025e-24,
    1.0239326185751185e-26, 1.1685009646850509e-29, 2.589284378947752e-32,
)
# 8 <= x: sqrt(x) exp(-x) I1(x) in 1 / x, within 2^-55
FAR: Final = (
    0.3989422804014327, -0.14960335515058712, -0.04675104844810692, -0.0409071740902015,
    -0.057526919177410867, -0.11003713399752088, -0.4047212750210364, 14.538558247842419,
    -1183.119355454233, 65478.58502676054, -2715510.719726545, 86067309.08512628,
    -2114785469.849278, 40603325522.54285, -610904080780.5198, 7189698381546.272,
    -65741021921657.92, 461123634275352.94, -2429556702416853.0, 9292446144629090.0,
    -2.4339703820602388e+16, 3.903686273212073e+16, -2.8908985718525532e+16,
)
# fmt: on


def bessel_i1e(x: TensorExpression) -> TensorExpression:
    """``exp(-a) I1(a)`` with the sign of x, where a is its magnitude.

    The rounding error of a^2 would be magnified; ``(64 + 4a^2)^(-1/2)`` is the relative change of
    ``I1(a) / a`` with a^2, nearly.
    """
    a = abs(x)
    b = minimum(a, BOUND)
    square, rest = two_product(b, b)
    ratio, lost = last_step(square, NEAR)
    lost = lost + ratio * (rest / sqrt(64.0 + 4.0 * square))
    far = over_root(a, *last_step(1.0 / a, FAR))
    return with_sign_of(x, where(a < BOUND, product_of(exp(-b), b, ratio, lost), far))


def over_root(
    x: TensorExpression, y: TensorExpression, rest_of_y: TensorExpression
) -> TensorExpression:
    """``(y + rest_of_y) / sqrt(x)``, with what root and quotient lose made good."""
    root = sqrt(x)
    square, rest_of_square = two_product(root, root)
    rest_of_root = ((x - square) - rest_of_square) / (2.0 * root)
    quotient = y / root
    product, rest = two_product(quotient, root)
    lost = ((y - product) - rest + (rest_of_y - quotient * rest_of_root)) / root
    return quotient + where(x < 2.0**900, lost, 0.0)


def product_of(
    a: TensorExpression, b: TensorExpression, c: TensorExpression, rest_of_c: TensorExpression
) -> TensorExpression:
    """``a b (c + rest_of_c)``, with what the products lose made good where b is not tiny."""
    inner, rest = two_product(b, c)
    product, more = two_product(a, inner)
    lost = more + a * (rest + b * rest_of_c)
    return product + where(b < 2.0**-900, 0.0, lost)

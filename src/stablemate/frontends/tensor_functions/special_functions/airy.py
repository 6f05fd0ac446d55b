"""Airy's function.

Source: S. L. Moshier, Cephes Mathematical Library, airy.c; DLMF 9.
"""

from __future__ import annotations

from math import inf, pi, sqrt
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.special_functions.series import polynomial, ratio
from stablemate.frontends.tensor_functions.tensor import Tensor

# Ratios of polynomials: of positive numbers (A), in the oscillation of negative ones (AF, AG).
AN: Final = (
    0.346538101525629, 12.007595273964581, 76.27960536152345, 168.08922493463058,
    159.75639135016442, 70.53609068404442, 14.026469116338967, 1.0,
)  # fmt: skip
AD: Final = (
    0.5675945326387702, 14.75625625848472, 84.51389701414746, 177.31808814540045,
    164.2346928715297, 71.47784008255756, 14.095913560783403, 1.0,
)  # fmt: skip
AFN: Final = (
    -0.1316963234183318, -0.6264565444319123, -0.6931580360369335, -0.2797799815451191,
    -0.04919001326095003, -0.004062659235948854, -0.0001592764962392621, -2.776491081552329e-06,
    -1.6778769848911465e-08,
)  # fmt: skip
AFD: Final = (
    1.0, 13.356042070655324, 32.682503279522464, 26.736704094149957, 9.187074029072596,
    1.4752914677166642, 0.11568717379518804, 0.004402916416152112, 7.547203482874142e-05,
    4.5185009297058035e-07,
)  # fmt: skip
AGN: Final = (
    0.01973399320916857, 0.39110302961568827, 1.0657989759959559, 0.9391692298166502,
    0.35146565610554764, 0.06338889196289255, 0.005858041130483885, 0.000282851600836737,
    6.98793669997261e-06, 8.117892395543892e-08, 3.415517847659236e-10,
)  # fmt: skip
AGD: Final = (
    1.0, 9.30892908077442, 19.835292871831214, 15.564662893286462, 5.476860694229755,
    0.9542936116189619, 0.08645808263523921, 0.004126565238242226, 0.00010125908511650914,
    1.1716673321441352e-06, 4.9183457006293e-09,
)  # fmt: skip


def airy_series(step: int) -> list[float]:
    """Coefficients of a solution of y'' = x y as a series of x^3, the highest first.

    Args:
        step: 0 for the solution that begins with 1, 1 for the one that begins with x.

    Source: DLMF 9.4.
    """
    terms = [1.0]
    for n in range(3, 3 * AIRY_TERMS, 3):
        terms.append(terms[-1] / ((n + step) * (n - 1 + step)))
    return terms[::-1]


AIRY_TERMS: Final = 20  # of the power series: accuracy at its border against operations
AIRY_VALUE: Final = 0.35502805388781724  # Ai(0)
AIRY_SLOPE: Final = 0.2588194037928068  # -Ai'(0)
AIRY_ZERO_FROM: Final = 103.892  # smaller than the smallest number from here on


def airy_ai(x: Tensor) -> Tensor:
    """Airy's function Ai; NaN of infinities as in PyTorch."""
    cube = x * x * x
    middle = AIRY_VALUE * polynomial(cube, airy_series(0))
    middle = middle - AIRY_SLOPE * x * polynomial(cube, airy_series(1))
    result = f.select(x < -2.09, airy_of_negative(x), middle)
    result = f.select(x > 2.09, airy_of_positive(x), result)
    return f.select(abs(x).equals(inf), float("nan"), f.select(x > AIRY_ZERO_FROM, 0, result))


def airy_of_negative(x: Tensor) -> Tensor:
    """Ai below -2.09, where it oscillates."""
    root = f.sqrt(-x)
    angle = -2 / 3 * x * root
    z = 1 / angle
    square = f.square(z)
    even = 1 + square * ratio(square, AFN, AFD)
    odd = z * ratio(square, AGN, AGD)
    turned = angle + pi / 4
    return (f.sin(turned) * even - f.cos(turned) * odd) / (sqrt(pi) * f.sqrt(root))


def airy_of_positive(x: Tensor) -> Tensor:
    """Ai above 2.09, where it decays."""
    root = f.sqrt(x)
    zeta = 2 / 3 * x * root
    decay = f.exp(-zeta) / (2 * sqrt(pi) * f.sqrt(root))
    return ratio(1 / zeta, AN, AD) * decay

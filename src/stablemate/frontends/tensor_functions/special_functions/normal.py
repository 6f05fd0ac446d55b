"""Functions of the normal distribution: quantiles, logarithm, scaled error function.

Source: S. L. Moshier, Cephes Mathematical Library, ndtri.c; M. M. Shepherd and J. G. Laframboise,
Chebyshev Approximation of (1 + 2x) exp(x^2) erfc x, 1981.
"""

from __future__ import annotations

from math import exp, inf, pi, sqrt
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.special_functions.series import chebyshev_series, ratio
from stablemate.frontends.tensor_functions.tensor import Tensor

# Ratios of polynomials: around 1/2, of tails from exp(-32) on, of smaller ones.
MIDDLE_NUMERATOR: Final = (
    -59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968,
    -1.2391658386738125,
)  # fmt: skip
MIDDLE_DENOMINATOR: Final = (
    1.0, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937,
    200.26021238006066, -82.03722561683334, 15.90562251262117, -1.1833162112133,
)  # fmt: skip
TAIL_NUMERATOR: Final = (
    4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008,
    14.684956192885803, 2.1866330685079025, -0.1402560791713545, -0.03504246268278482,
    -0.0008574567851546854,
)  # fmt: skip
TAIL_DENOMINATOR: Final = (
    1.0, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075,
    2.504649462083094, -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574,
)  # fmt: skip
FAR_NUMERATOR: Final = (
    3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755,
    0.20148538954917908, 0.012371663481782003, 0.00030158155350823543, 2.6580697468673755e-06,
    6.239745391849833e-09,
)  # fmt: skip
FAR_DENOMINATOR: Final = (
    1.0, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663,
    0.013420400608854318, 0.00032801446468212774, 2.8924786474538068e-06, 6.790194080099813e-09,
)  # fmt: skip
# (1 + 2x) erfcx(x) as a Chebyshev series of (x - 3.75) / (x + 3.75), computed in 60 digits.
ERFCX: Final = (
    9.736561401741451e-20, 2.6766327399258762e-20, -2.187342944303018e-18,
    -2.2370566594359995e-18, 5.068148904796111e-17, 7.418235256624044e-17,
    -1.2507950530688648e-15, -1.864562880419313e-15, 3.3478119482868056e-14, 3.25254814814874e-14,
    -9.65469674843344e-13, 1.9455868545777347e-13, 2.86879501093067e-11, -6.318088340886684e-11,
    -7.754400208831351e-10, 4.521959811218287e-09, 1.076499946567091e-08, -2.1886401049234397e-07,
    7.74038306619849e-07, 4.13902798607301e-06, -6.916973302501207e-05, 0.0004907758365258086,
    -0.002413163540417608, 0.009074997670705265, -0.026658668435305753, 0.05920993999819189,
    -0.08424913336651792, -0.004590054580646478, 2.3551578691348034,
)  # fmt: skip


def erfcx(x: Tensor) -> Tensor:
    """exp(x^2) erfc(x)."""
    size = abs(x)
    place = 1 - 7.5 / (size + 3.75)
    result = chebyshev_series(2 * place, ERFCX) / (1 + 2 * size)
    return f.select(x < 0, 2 * f.exp(x * x) - result, result)


def log_ndtr(x: Tensor) -> Tensor:
    """The logarithm of the normal distribution function."""
    t = x * sqrt(0.5)
    tail = f.log(0.5 * erfcx(-t)) - t * t
    return f.select(x < -1, tail, f.log1p(-0.5 * f.erfc(t)))


def ndtri(p: Tensor) -> Tensor:
    """The quantiles of the normal distribution; NaN of numbers that are no probabilities."""
    is_high = p > 1 - exp(-2)
    low = f.select(is_high, 1 - p, p)
    tail = tail_quantile(low)
    result = f.select(low > exp(-2), middle_quantile(low), tail)
    result = f.select(is_high, -result, result)
    return f.select(p.equals(0), -inf, f.select(p.equals(1), inf, result))


def middle_quantile(p: Tensor) -> Tensor:
    """The quantiles of probabilities between exp(-2) and 1 - exp(-2)."""
    y = p - 0.5
    square = y * y
    factor = square * ratio(square, MIDDLE_NUMERATOR, MIDDLE_DENOMINATOR)
    return sqrt(2 * pi) * (y + y * factor)


def tail_quantile(p: Tensor) -> Tensor:
    """The quantiles of probabilities up to exp(-2); NaN of negative numbers."""
    x = f.sqrt(-2 * f.log(p))
    z = 1 / x
    near = ratio(z, TAIL_NUMERATOR, TAIL_DENOMINATOR)
    correction = z * f.select(x < 8, near, ratio(z, FAR_NUMERATOR, FAR_DENOMINATOR))
    return correction - (x - f.log(x) / x)

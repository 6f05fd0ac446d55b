"""Modified Bessel functions of orders 0 and 1.

Source: S. L. Moshier, Cephes Mathematical Library, i0.c, i1.c, k0.c, k1.c; DLMF 10.
"""

from __future__ import annotations

from math import inf

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.special_functions import (
    modified_bessel_coefficients as table,
)
from stablemate.frontends.tensor_functions.special_functions.series import chebyshev_series
from stablemate.frontends.tensor_functions.tensor import Tensor


def bessel_i0e(x: Tensor) -> Tensor:
    """exp(-|x|) I0(x)."""
    size = abs(x)
    small = chebyshev_series(size / 2 - 2, table.I0_UP_TO_8)
    large = chebyshev_series(32 / size - 2, table.I0_FROM_8) * f.rsqrt(size)
    return f.select(size <= 8, small, large)


def bessel_i1e(x: Tensor) -> Tensor:
    """exp(-|x|) I1(x), an odd function."""
    size = abs(x)
    small = size * chebyshev_series(size / 2 - 2, table.I1_UP_TO_8)
    large = chebyshev_series(32 / size - 2, table.I1_FROM_8) * f.rsqrt(size)
    result = f.select(size <= 8, small, large)
    return f.select(x < 0, -result, result)


def bessel_i0(x: Tensor) -> Tensor:
    """The modified Bessel function of the first kind of order 0."""
    return f.exp(abs(x)) * bessel_i0e(x)


def bessel_i1(x: Tensor) -> Tensor:
    """The modified Bessel function of the first kind of order 1."""
    return f.exp(abs(x)) * bessel_i1e(x)


def small_k0(x: Tensor) -> Tensor:
    """K0 up to 2, infinity of 0."""
    return chebyshev_series(x * x - 2, table.K0_UP_TO_2) - f.log(0.5 * x) * bessel_i0(x)


def small_k1(x: Tensor) -> Tensor:
    """K1 up to 2, infinity of 0."""
    series = chebyshev_series(x * x - 2, table.K1_UP_TO_2) / x
    return f.select(x.equals(0), inf, f.log(0.5 * x) * bessel_i1(x) + series)


def large_k0e(x: Tensor) -> Tensor:
    """exp(x) K0(x) from 2 on."""
    return chebyshev_series(8 / x - 2, table.K0_FROM_2) * f.rsqrt(x)


def large_k1e(x: Tensor) -> Tensor:
    """exp(x) K1(x) from 2 on."""
    return chebyshev_series(8 / x - 2, table.K1_FROM_2) * f.rsqrt(x)


def bessel_k0(x: Tensor) -> Tensor:
    """The modified Bessel function of the second kind of order 0; NaN of negative numbers."""
    return f.select(x > 2, f.exp(-x) * large_k0e(x), small_k0(x))


def bessel_k1(x: Tensor) -> Tensor:
    """The modified Bessel function of the second kind of order 1; NaN of negative numbers."""
    return f.select(x > 2, f.exp(-x) * large_k1e(x), small_k1(x))


def bessel_k0e(x: Tensor) -> Tensor:
    """exp(x) K0(x)."""
    return f.select(x > 2, large_k0e(x), f.exp(x) * small_k0(x))


def bessel_k1e(x: Tensor) -> Tensor:
    """exp(x) K1(x)."""
    return f.select(x > 2, large_k1e(x), f.exp(x) * small_k1(x))

"""Special functions, computed in 64 bits.

Source: PyTorch, torch.special.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, lgamma, nan
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.floating_point import fraction_and_exponent
from stablemate.frontends.tensor_functions.special_functions import (
    airy,
    bessel,
    incomplete_gamma,
    modified_bessel,
    normal,
    orthogonal_polynomials,
)
from stablemate.frontends.tensor_functions.tensor import Tensor, broadcast_together
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.operators.pointwise import register_unary
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F32, F64, ElementType, IntegerType

UNARY: Final[dict[Callable[[Tensor], Tensor], tuple[str, ...]]] = {
    airy.airy_ai: ("special_airy_ai",),
    bessel.bessel_j0: ("special_bessel_j0", "prims.bessel_j0"),
    bessel.bessel_j1: ("special_bessel_j1", "prims.bessel_j1"),
    bessel.bessel_y0: ("special_bessel_y0",),
    bessel.bessel_y1: ("special_bessel_y1",),
    bessel.spherical_bessel_j0: ("special_spherical_bessel_j0", "prims.spherical_bessel_j0"),
    modified_bessel.bessel_i0: ("i0", "special_modified_bessel_i0", "prims.bessel_i0"),
    modified_bessel.bessel_i0e: ("special_i0e", "prims.bessel_i0e"),
    modified_bessel.bessel_i1: ("special_i1", "special_modified_bessel_i1", "prims.bessel_i1"),
    modified_bessel.bessel_i1e: ("special_i1e", "prims.bessel_i1e"),
    modified_bessel.bessel_k0: ("special_modified_bessel_k0",),
    modified_bessel.bessel_k0e: ("special_scaled_modified_bessel_k0",),
    modified_bessel.bessel_k1: ("special_modified_bessel_k1",),
    modified_bessel.bessel_k1e: ("special_scaled_modified_bessel_k1",),
    normal.erfcx: ("special_erfcx", "prims.erfcx"),
    normal.log_ndtr: ("special_log_ndtr",),
    normal.ndtri: ("special_ndtri", "prims.ndtri"),
}


for _function, _names in UNARY.items():
    register_unary(_function, _names, F64)


def wide_pair(call: Call, first: Operand, second: Operand) -> list[Tensor]:
    """Two operands of one shape in 64 bits, rounded to the element type of the result before."""
    x, y = call.tensors(first, second)
    return [operand.convert(F64) for operand in broadcast_together(x, y)]


@lowers("igamma", "prims.igamma")
def igamma(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The regularized lower incomplete gamma function P(self, other)"""
    return incomplete_gamma.lower_gamma(*wide_pair(call, self, other)).convert(call.element)


@lowers("igammac", "prims.igammac")
def igammac(call: Call, self: Tensor, other: Tensor) -> Tensor:
    """The regularized upper incomplete gamma function Q(self, other)"""
    return incomplete_gamma.upper_gamma(*wide_pair(call, self, other)).convert(call.element)


@lowers("special_zeta", "special_zeta.other_scalar", "special_zeta.self_scalar", "prims.zeta")
def zeta(call: Call, self: Operand, other: Operand) -> Tensor:
    """The zeta function of Hurwitz"""
    return zeta_with_poles(*wide_pair(call, self, other)).convert(call.element)


def zeta_with_poles(x: Tensor, q: Tensor) -> Tensor:
    """The zeta function of Hurwitz, infinite at its poles, NaN below 1 as in PyTorch."""
    is_pole = (q <= 0) & q.equals(f.floor(q))
    result = f.select(is_pole, inf, f.zeta(x, q))
    return f.select(x.equals(1), inf, f.select(x < 1, nan, result))


@lowers("digamma", "special_digamma", "prims.digamma")
def digamma(call: Call, self: Tensor) -> Tensor:
    """The logarithmic derivative of the gamma function"""
    return digamma_with_poles(call.to_compute_type(call.tensor(self))).convert(call.element)


def digamma_with_poles(x: Tensor) -> Tensor:
    """Digamma, infinite at zeros of both signs, NaN at negative integers as in PyTorch."""
    is_pole = (x < 0) & x.equals(f.floor(x))
    return f.select(x.equals(0), -1 / x, f.select(is_pole, nan, f.digamma(x)))


@lowers("polygamma")
def polygamma(call: Call, n: int, self: Tensor) -> Tensor:
    """(-1)^(n + 1) n! zeta(n + 1, self); digamma for n = 0"""
    x = call.tensor(self).convert(F64)
    if n == 0:
        return digamma_with_poles(x).convert(call.element)
    sign = 1 if n % 2 else -1
    degree = call.tensor(n + 1, F64).broadcast_to(x.shape)
    log_factorial = call.tensor(lgamma(n + 1), F64)
    return (sign * f.exp(log_factorial) * zeta_with_poles(degree, x)).convert(call.element)


@lowers("frexp.Tensor", "prims.frexp")
def frexp(call: Call, self: Tensor) -> list[Tensor]:
    """Fractions from 1/2 to 1 and exponents of two, whose product is self"""
    fraction, exponent = fraction_and_exponent(call.to_compute_type(self))
    return [fraction.convert(self.element), exponent.convert(IntegerType(32))]


POLYNOMIALS: Final = {
    "chebyshev_polynomial_t": orthogonal_polynomials.CHEBYSHEV_T,
    "chebyshev_polynomial_u": orthogonal_polynomials.CHEBYSHEV_U,
    "chebyshev_polynomial_v": orthogonal_polynomials.CHEBYSHEV_V,
    "chebyshev_polynomial_w": orthogonal_polynomials.CHEBYSHEV_W,
    "laguerre_polynomial_l": orthogonal_polynomials.LAGUERRE_L,
    "legendre_polynomial_p": orthogonal_polynomials.LEGENDRE_P,
    "hermite_polynomial_h": orthogonal_polynomials.HERMITE_H,
    "hermite_polynomial_he": orthogonal_polynomials.HERMITE_HE,
}
# PyTorch gives NaN for higher degrees of Hermite polynomials, which overflow.
HIGHEST_HERMITE: Final[dict[ElementType, int]] = {F32: 128, F64: 512}


def register_polynomials(name: str, family: orthogonal_polynomials.Polynomials) -> None:
    """Registers a family of polynomials, and its shifted form."""
    is_hermite = name.startswith("hermite")

    def values(call: Call, x: Tensor, n: Tensor) -> Tensor:
        highest = HIGHEST_HERMITE.get(call.element) if is_hermite else None
        return orthogonal_polynomials.evaluate(family, x, n, highest=highest).convert(call.element)

    @lowers(*overloads(f"special_{name}"))
    def lowering(call: Call, x: Operand, n: Operand) -> Tensor:
        return values(call, *wide_pair(call, x, n))

    @lowers(*overloads(f"special_shifted_{name}") if name.startswith("chebyshev") else ())
    def shifted(call: Call, x: Operand, n: Operand) -> Tensor:
        place, degree = wide_pair(call, x, n)
        return values(call, 2 * place - 1, degree)


def overloads(name: str) -> tuple[str, str, str]:
    """The overloads of tensors and numbers."""
    return (name, f"{name}.x_scalar", f"{name}.n_scalar")


for _name, _family in POLYNOMIALS.items():
    register_polynomials(_name, _family)

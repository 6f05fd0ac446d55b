"""Polynomials, ratios of polynomials and Chebyshev series of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from stablemate.frontends.tensor_functions.movement import filled_like
from stablemate.frontends.tensor_functions.tensor import Tensor


def polynomial(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """A polynomial by Horner's rule; the coefficient of the highest power is first."""
    first, *rest = coefficients
    return reduce(lambda total, c: total * x + c, rest, filled_like(x, first))


def ratio(x: Tensor, numerator: Sequence[float], denominator: Sequence[float]) -> Tensor:
    """A ratio of two polynomials."""
    return polynomial(x, numerator) / polynomial(x, denominator)


def chebyshev_series(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """Half the first term plus the others of a Chebyshev series at x / 2; the highest is first.

    Source: C. W. Clenshaw, A note on the summation of Chebyshev series, 1955.
    """
    first, *rest = coefficients
    before, earlier = filled_like(x, 0), filled_like(x, 0)
    current = filled_like(x, first)
    for coefficient in rest:
        earlier, before = before, current
        current = x * before - earlier + coefficient
    return 0.5 * (current - earlier)

"""Regularized incomplete gamma functions.

Source: DLMF 8.7, 8.9, 8.11; S. L. Moshier, Cephes Mathematical Library, igam.c; SciPy, igam.h
(which form is computed where).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.movement import filled_like
from stablemate.frontends.tensor_functions.reductions import any_over
from stablemate.frontends.tensor_functions.tensor import Tensor, full, scalar
from stablemate.numerics.elements import BOOLEAN, IntegerType

EPSILON: Final = 2.0**-53
MOST_STEPS: Final = 20000  # enough for parameters of a few millions
LARGE: Final = 2.0**52  # continued fractions are scaled down from here on
SMALL_TERMS: Final = 24  # of the power series: accuracy at its border against operations
Step = Callable[..., list[Tensor]]


def lower_gamma(a: Tensor, x: Tensor) -> Tensor:
    """P(a, x), the regularized lower incomplete gamma function."""
    is_large = (x > 1) & (x > a)
    series = lower_series(a, f.select(is_large, 0, x))
    upper = upper_fraction(a, f.select(is_large, x, inf))
    return at_edges(a, x, f.select(is_large, 1 - upper, series), at_infinity=1)


def upper_gamma(a: Tensor, x: Tensor) -> Tensor:
    """Q(a, x) = 1 - P(a, x), the regularized upper incomplete gamma function."""
    is_large = (x > 1.1) & (x >= a)
    is_lower = ~is_large & ((x > 1.1) | below_mean(a, x))
    lower = lower_series(a, f.select(is_lower, x, 0))
    upper = upper_fraction(a, f.select(is_large, x, inf))
    result = f.select(is_lower, 1 - lower, upper_small(a, x))
    return at_edges(a, x, f.select(is_large, upper, result), at_infinity=0)


def below_mean(a: Tensor, x: Tensor) -> Tensor:
    """Where Q is closer to 1 than to 0, of numbers up to 1.1."""
    return f.select(x <= 0.5, -0.4 / f.log(x) < a, 1.1 * x < a)


def at_edges(a: Tensor, x: Tensor, inside: Tensor, *, at_infinity: int) -> Tensor:
    """A function with its limits where a parameter is zero, infinite or outside.

    Args:
        a: The parameter.
        x: The number.
        inside: The function between the edges.
        at_infinity: The limit for large numbers.
    """
    is_end = a.equals(0) | x.equals(inf)
    is_start = x.equals(0) | a.equals(inf)
    result = f.select(is_start, 1 - at_infinity, inside)
    result = f.select(is_end, at_infinity, result)
    is_outside = (x < 0) | (a < 0) | f.is_nan(a) | f.is_nan(x) | (is_start & is_end)
    return f.select(is_outside, nan, result)


def factor(a: Tensor, x: Tensor) -> Tensor:
    """x^a exp(-x) / gamma(a)."""
    return f.exp(a * f.log(x) - x - f.lgamma(a))


def until_converged(step: Step, state: list[Tensor]) -> list[Tensor]:
    """The state after steps until no element changes any more.

    Args:
        step: Takes the state, without the first tensor, to the next one and where it changed.
        state: Tensors of one shape.
    """
    first = state[0]
    changes = full(first.graph, first.shape, True, BOOLEAN)
    count = scalar(first.graph, 0, IntegerType(32))

    def goes_on(changes: Tensor, *rest: Tensor) -> Tensor:
        return any_over(changes)

    def body(changes: Tensor, count: Tensor, *rest: Tensor) -> list[Tensor]:
        *following, is_changed = step(*rest)
        kept = [f.select(changes, new, old) for new, old in zip(following, rest, strict=True)]
        return [changes & is_changed & (count < MOST_STEPS), count + 1, *kept]

    return while_loop(goes_on, body, [changes, count, *state])[2:]


def lower_series(a: Tensor, x: Tensor) -> Tensor:
    """P(a, x) by its power series; DLMF 8.11.4."""

    def step(n: Tensor, term: Tensor, total: Tensor) -> list[Tensor]:
        term = term * (x.within(n.graph) / n)
        total = total + term
        return [n + 1, term, total, term > EPSILON * total]

    one = filled_like(a, 1)
    total = until_converged(step, [a + 1, one, one])[2]
    return total * factor(a, x) / a


def upper_fraction(a: Tensor, x: Tensor) -> Tensor:
    """Q(a, x) by its continued fraction, 0 of infinity; DLMF 8.9.2."""

    def step(n: Tensor, p: Tensor, q: Tensor, p0: Tensor, q0: Tensor, old: Tensor) -> list[Tensor]:
        y = n + 1 - a.within(n.graph)
        z = x.within(n.graph) + y + n + 1
        p1, q1 = p * z - p0 * (y * n), q * z - q0 * (y * n)
        result = p1 / q1
        scale = f.select(abs(p1) > LARGE, 1 / LARGE, filled_like(p1, 1))
        following = [value * scale for value in (p1, q1, p, q)]
        return [n + 1, *following, result, abs(result - old) > EPSILON * 2 * abs(result)]

    one = filled_like(a, 1)
    start = (x + 1) / ((x - a + 2) * x)
    state = [one, x + 1, (x - a + 2) * x, one, x, start]
    result = until_converged(step, state)[5] * factor(a, x)
    return f.select(x.equals(inf), 0, result)


def upper_small(a: Tensor, x: Tensor) -> Tensor:
    """Q(a, x) of x up to 1.1 where it is far from 1, without cancellation; DLMF 8.7.3."""
    term, total = filled_like(x, 1), filled_like(x, 0)
    for n in range(1, SMALL_TERMS):
        term = term * (x * (-1 / n))
        total = total + term / (a + n)
    power = a * f.log(x)
    first = -f.expm1(power - f.lgamma(1 + a))
    return first - f.exp(power - f.lgamma(a)) * total

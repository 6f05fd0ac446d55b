"""Orthogonal polynomials of degrees that tensors hold, by their recurrences.

Source: DLMF 18.5, 18.6, 18.9; PyTorch, torch.special (negative and large degrees).
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.movement import filled_like
from stablemate.frontends.tensor_functions.reductions import any_over
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar

OfAngle = Callable[[Tensor, Tensor], Tensor]
OfDegree = Callable[[Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class Polynomials:
    """A family of orthogonal polynomials.

    Attributes:
        first: The polynomial of degree 1.
        following: The polynomial of degree k + 1, of x, k, and those of degrees k and k - 1.
        ends: Their sizes at 1 and at -1, by degree; at -1 the sign of odd ones is negative.
        of_angle: The polynomial of a degree at cos(angle), for degrees above ``recurrent``.
        recurrent: The largest degree that is computed by recurrence between -1 and 1.
    """

    first: Callable[[Tensor], Tensor]
    following: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
    ends: tuple[OfDegree, OfDegree] | None = None
    of_angle: OfAngle | None = None
    recurrent: int = 0


def evaluate(
    family: Polynomials, x: Tensor, degree: Tensor, *, highest: int | None = None
) -> Tensor:
    """The polynomials of a family at x.

    Args:
        family: The family.
        x: Floats.
        degree: Their degrees, of the same shape; fractions are dropped, the polynomials of negative
            degrees are 0.
        highest: The largest degree that is computed; polynomials of larger ones are NaN.
    """
    n = f.trunc(degree)
    is_closed = has_closed_form(family, x, n) | f.is_nan(n)
    limit = n if highest is None else f.select(n > highest, 0, n)
    result = by_recurrence(family, x, f.select(is_closed, 0, limit))
    if family.of_angle is not None:
        angle = f.acos(x)
        result = f.select((n > family.recurrent) & (abs(x) < 1), family.of_angle(n, angle), result)
    if family.ends is not None:
        result = f.select(abs(x).equals(1), at_ends(family.ends, x, n), result)
    if highest is not None:
        result = f.select(n > highest, nan, result)
    return f.select(n >= 0, result, 0)


def has_closed_form(family: Polynomials, x: Tensor, n: Tensor) -> Tensor:
    """Where a polynomial needs no recurrence."""
    is_end = abs(x).equals(1) if family.ends else n < 0
    return is_end | ((n > family.recurrent) & (abs(x) < 1)) if family.of_angle else is_end


def at_ends(ends: tuple[OfDegree, OfDegree], x: Tensor, n: Tensor) -> Tensor:
    """The polynomials at 1 and -1."""
    lower = ends[1](n)
    return f.select(x > 0, ends[0](n), f.select(f.remainder(n, 2).equals(0), lower, -lower))


def by_recurrence(family: Polynomials, x: Tensor, n: Tensor) -> Tensor:
    """Polynomials by their recurrence, until each has its degree or is NaN."""

    def is_unfinished(k: Tensor, current: Tensor) -> Tensor:
        return (k < n.within(k.graph)) & ~f.is_nan(current)

    def goes_on(k: Tensor, current: Tensor, before: Tensor) -> Tensor:
        return any_over(is_unfinished(k, current))

    def body(k: Tensor, current: Tensor, before: Tensor) -> list[Tensor]:
        following = family.following(x.within(k.graph), k, current, before)
        is_left = is_unfinished(k, current)
        return [
            k + 1,
            f.select(is_left, following, current),
            f.select(is_left, current, before),
        ]

    one = filled_like(x, 1)
    start = [scalar(x.graph, 1, x.element), family.first(x), one]
    return f.select(n < 1, 1, while_loop(goes_on, body, start)[1])


def chebyshev(
    first: Callable[[Tensor], Tensor], ends: tuple[OfDegree, OfDegree], of_angle: OfAngle,
    recurrent: int,
) -> Polynomials:  # fmt: skip
    """A kind of Chebyshev polynomials, all of which have one recurrence."""

    def next_degree(x: Tensor, k: Tensor, current: Tensor, before: Tensor) -> Tensor:
        return 2 * x * current - before

    return Polynomials(first, next_degree, ends, of_angle, recurrent)


def one(n: Tensor) -> Tensor:
    """The number 1 for each degree, of the shape of the degrees."""
    return filled_like(n, 1)


def odd_number(n: Tensor) -> Tensor:
    """2n + 1."""
    return 2 * n + 1


def successor(n: Tensor) -> Tensor:
    """n + 1."""
    return n + 1


CHEBYSHEV_T: Final = chebyshev(lambda x: x, (one, one), lambda n, angle: f.cos(n * angle), 6)
CHEBYSHEV_U: Final = chebyshev(
    lambda x: 2 * x, (successor, successor),
    lambda n, angle: f.sin((n + 1) * angle) / f.sin(angle), 8,
)  # fmt: skip
CHEBYSHEV_V: Final = chebyshev(
    lambda x: 2 * x - 1, (one, odd_number),
    lambda n, angle: f.cos((n + 0.5) * angle) / f.cos(0.5 * angle), 8,
)  # fmt: skip
CHEBYSHEV_W: Final = chebyshev(
    lambda x: 2 * x + 1, (odd_number, one),
    lambda n, angle: f.sin((n + 0.5) * angle) / f.sin(0.5 * angle), 8,
)  # fmt: skip
HERMITE_H: Final = Polynomials(lambda x: 2 * x, lambda x, k, p, before: 2 * (x * p - k * before))
HERMITE_HE: Final = Polynomials(lambda x: x, lambda x, k, p, before: x * p - k * before)
LAGUERRE_L: Final = Polynomials(
    lambda x: 1 - x, lambda x, k, p, before: ((2 * k + 1 - x) * p - k * before) / (k + 1)
)
LEGENDRE_P: Final = Polynomials(
    lambda x: x, lambda x, k, p, before: ((2 * k + 1) * x * p - k * before) / (k + 1), (one, one)
)

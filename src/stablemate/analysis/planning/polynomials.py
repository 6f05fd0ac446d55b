"""Polynomials through samples: a function of sizes that is computed only for given sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod
from random import Random
from typing import Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass

Sizes: TypeAlias = tuple[int, ...]
Sample: TypeAlias = Callable[[Sizes], Sequence[int]]  # several quantities at once

HIGHEST_DEGREE: Final = 4  # of a size in a cost: each degree more takes another sample
SPACING: Final = 7  # of samples along an axis: odd, so that they see a parity
WIDE_SPACING: Final = 709  # of samples that also check the result for large sizes
CHECKS: Final = 4  # samples that only check the result
SMALL: Final = range(17, 98)  # sizes of the samples that determine coefficients
LARGE: Final = range(98, 4000)  # sizes of the samples that check them


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial in several variables.

    Attributes:
        names: The names of the variables.
        coefficients: By the variables of a term, as positions in ``names``.
    """

    names: tuple[str, ...]
    coefficients: Mapping[tuple[int, ...], Fraction]

    def value(self, sizes: Sequence[int]) -> Fraction:
        """The value for sizes of the variables."""
        return sum(
            (factor * prod(sizes[i] for i in term) for term, factor in self.coefficients.items()),
            Fraction(0),
        )

    def __str__(self) -> str:
        """Terms of highest degree first, such as ``2*N^2*M + 512*N + 3``."""
        terms = sorted(self.coefficients, key=lambda term: (-len(term), term))
        text = ""
        for term in terms:
            factor = self.coefficients[term]
            sign = "-" if factor < 0 else "+"
            body = term_text([self.names[i] for i in term], abs(factor))
            text += f" {sign} {body}" if text else body if factor > 0 else f"-{body}"
        return text or "0"


def term_text(names: Sequence[str], factor: Fraction) -> str:
    """A product of a positive factor and variables, with powers."""
    powers = {name: names.count(name) for name in names}
    parts = [name if power == 1 else f"{name}^{power}" for name, power in powers.items()]
    if factor.numerator != 1 or not parts:
        parts.insert(0, str(factor.numerator))
    product = "*".join(parts)
    return product if factor.denominator == 1 else f"{product}/{factor.denominator}"


def fit_polynomials(
    sample: Sample, names: Sequence[str], multiple: int = 1, *, is_costly: bool = False
) -> list[Polynomial] | None:
    """The polynomials that give the quantities of a sample, of a degree of at most four.

    Further samples check the result. It need not hold for sizes below the smallest sample. Where a
    sample is costly, those that determine the result are so far apart that one more of them than
    coefficients checks it.

    Args:
        sample: Returns the quantities for sizes of the variables.
        names: The names of the variables.
        multiple: What the sizes of all samples are multiples of.
        is_costly: Whether a sample takes long.

    Returns:
        A polynomial for each quantity; None if they are no such polynomials.
    """
    random = Random(0)

    def draw(sizes: range) -> Sizes:
        return tuple(multiple * random.choice(sizes) for _ in names)

    spacing = multiple * (WIDE_SPACING if is_costly else SPACING)
    samples = samples_along_axes(sample, draw(SMALL), spacing)
    degrees = [degree_of(list(along.values())) for along in samples]
    if max(degrees, default=0) > HIGHEST_DEGREE:
        return None
    known = samples[0] if len(names) == 1 else {}  # of several variables they are on lines
    points, values = list(known), list(known.values())
    for degree in range(max(degrees, default=0), HIGHEST_DEGREE + 1):
        terms = [*terms_of(degrees, degree)]
        while len(points) < len(terms) + len(names):
            points.append(draw(SMALL))
            values.append(sample(points[-1]))
        rows = [[Fraction(prod(point[i] for i in term)) for term in terms] for point in points]
        solutions = solve_equations(rows, values)
        if solutions is not None:
            polynomials = [
                Polynomial(tuple(names), {t: c for t, c in zip(terms, column, strict=True) if c})
                for column in solutions
            ]
            if not all(is_whole(polynomial, multiple) for polynomial in polynomials):
                return None
            others = [draw(LARGE) for _ in range(0 if is_costly else CHECKS)]
            return polynomials if all(agree(polynomials, sample, o) for o in others) else None
    return None


def samples_along_axes(
    sample: Sample, start: Sizes, spacing: int
) -> list[dict[Sizes, Sequence[int]]]:
    """Equally spaced samples along each axis, the other sizes fixed, as many as say the degree.

    Differences of the values vanish above the degree. That one of them does is enough of a sign:
    other samples check the result, or these are far apart.
    """
    first = sample(start)
    axes: list[dict[Sizes, Sequence[int]]] = []
    for axis in range(len(start)):
        along = {start: first}
        for step in range(1, HIGHEST_DEGREE + 2):
            sizes = list(start)
            sizes[axis] += step * spacing
            along[tuple(sizes)] = sample(tuple(sizes))
            if degree_of(list(along.values())) < step:
                break
        axes.append(along)
    return axes


def degree_of(values: Sequence[Sequence[int]]) -> int:
    """The degree of quantities with equally spaced values; at most one less than their number."""
    most = len(values) - 1
    for degree in range(most):
        values = [[y - x for x, y in zip(*pair, strict=True)] for pair in pairwise(values)]
        if not any(any(quantities) for quantities in values):
            return degree
    return most


def terms_of(degrees: Sequence[int], degree: int) -> Iterator[tuple[int, ...]]:
    """The terms of at most a degree whose powers are at most those of each variable."""
    for number in range(degree + 1):
        for term in combinations_with_replacement(range(len(degrees)), number):
            if all(term.count(i) <= most for i, most in enumerate(degrees)):
                yield term


def is_whole(polynomial: Polynomial, multiple: int) -> bool:
    """Whether values for multiples of a number can all be whole.

    Whole values at all whole numbers bound the denominators: by the factorial of the degree (Polya,
    "Ueber ganzwertige ganze Funktionen", 1915). Rounded quotients, which look like polynomials
    where samples lie well, have others.
    """
    degree = max(map(len, polynomial.coefficients), default=0)
    return all(
        (factor * multiple ** len(term) * factorial(degree)).denominator == 1
        for term, factor in polynomial.coefficients.items()
    )


def agree(polynomials: Sequence[Polynomial], sample: Sample, sizes: Sizes) -> bool:
    """Whether polynomials give the quantities of a sample."""
    pairs = zip(polynomials, sample(sizes), strict=True)
    return all(polynomial.value(sizes) == quantity for polynomial, quantity in pairs)


def solve_equations(
    rows: Sequence[Sequence[Fraction]], values: Sequence[Sequence[int]]
) -> list[list[Fraction]] | None:
    """The coefficients of each quantity: the one solution of linear equations, if there is one.

    Args:
        rows: The equations, more than unknowns.
        values: The right sides of each equation, one for each quantity.
    """
    unknowns = len(rows[0])
    matrix = [[*row, *map(Fraction, right)] for row, right in zip(rows, values, strict=True)]
    for column in range(unknowns):
        pivot = next((r for r in range(column, len(matrix)) if matrix[r][column]), None)
        if pivot is None:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        lead = matrix[column][column]
        matrix[column] = [entry / lead for entry in matrix[column]]
        for r, row in enumerate(matrix):
            if r != column and row[column]:
                factor, own = row[column], matrix[column]
                matrix[r] = [entry - factor * x for entry, x in zip(row, own, strict=True)]
    if any(entry for row in matrix[unknowns:] for entry in row):
        return None
    return [[row[unknowns + q] for row in matrix[:unknowns]] for q in range(len(values[0]))]

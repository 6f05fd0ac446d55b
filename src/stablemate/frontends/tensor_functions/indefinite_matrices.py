"""Factors L D L^H of indefinite matrices with 1x1 and 2x2 blocks, and solutions by them.

Factors and pivots are those of LAPACK's ``sytrf`` and ``hetrf`` for the lower triangle.

Source: J. R. Bunch and L. Kaufman, Some Stable Methods for Calculating Inertia and Solving
Symmetric Linear Systems, 1977; LAPACK Users' Guide.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import TransposeKind
from stablemate.dialects.stablehlo.elementwise import Maximum
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import linear_algebra as la
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.scans import cumulative, shift
from stablemate.frontends.tensor_functions.tensor import Tensor, full, scalar
from stablemate.numerics.elements import I32, I64

ALPHA: Final = (1 + sqrt(17)) / 8  # bounds the growth of elements alike for both sizes of blocks


@dataclass(frozen=True, slots=True)
class Pivot:
    """The pivot that a step of the factorization eliminates, for each matrix of a batch.

    Attributes:
        step: The column at which it begins.
        is_double: Whether the block is 2x2.
        row: The row that is swapped with the last one of the block.
        is_singular: Whether the column is zero.
    """

    step: Tensor
    is_double: Tensor
    row: Tensor
    is_singular: Tensor

    @property
    def last(self) -> Tensor:
        """The last column of the block."""
        return self.step + self.is_double.convert(I64)


def ldl(x: Tensor, *, hermitian: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The factors in one lower triangle, the pivots (from 1; negative for 2x2 blocks), and info.

    Args:
        x: Matrices, of which the lower triangles count.
        hermitian: Whether the upper triangles are conjugates of them rather than copies.
    """
    batch, size = x.shape[:-2], x.shape[-1]
    assert isinstance(size, int)
    lower = la.triangle(x, lower=True)
    strict = la.triangle(x, lower=True, offset=-1)
    whole = lower + (la.adjoint(strict) if hermitian else la.matrix_transpose(strict))
    graph = x.graph
    state = [
        full(graph, batch, 0, I64), whole, full(graph, x.shape, 0, x.element),
        full(graph, (*batch, size), 0, I32), full(graph, batch, 0, I32),
    ]  # fmt: skip

    def goes_on(step: Tensor, *_: Tensor) -> Tensor:
        return r.any_over(step < size)

    def eliminate(
        step: Tensor, rest: Tensor, factors: Tensor, pivots: Tensor, info: Tensor
    ) -> list[Tensor]:
        pivot = chosen_pivot(rest, step, hermitian=hermitian)
        swapped = swap(swap(rest, pivot.last, pivot.row, -2), pivot.last, pivot.row, -1)
        columns, updated = eliminate_step(swapped, pivot, hermitian=hermitian)
        places = m.iota(step.graph, pivots.shape, pivots.rank - 1, I64)
        inside = (places >= wide(step)) & (places <= wide(pivot.last))
        number = (pivot.row + 1).convert(I32)
        signed = f.select(pivot.is_double, -number, number)
        is_first = pivot.is_singular & info.equals(0) & (step < size)
        return [
            pivot.last + 1, updated, factors + columns,
            f.select(inside, wide(signed), pivots),
            f.select(is_first, (step + 1).convert(I32), info),
        ]  # fmt: skip

    _, _, factors, pivots, info = while_loop(goes_on, eliminate, state)
    return factors, pivots, info


def wide(x: Tensor) -> Tensor:
    """A number for each matrix, with a dimension to be repeated along."""
    return m.expand_dims(x, -1)


def at(places: Tensor, step: Tensor) -> Tensor:
    """Where places are a number of each matrix."""
    return places.equals(wide(step))


def column(x: Tensor, step: Tensor) -> Tensor:
    """A column of each matrix; zeros if it has no such column."""
    places = m.iota(x.graph, (*x.shape[:-2], x.shape[-1]), x.rank - 2, I64)
    hits = m.expand_dims(at(places, step), -2)
    return r.sum_over(f.select(hits, x, 0), [-1])


def element(row: Tensor, step: Tensor) -> Tensor:
    """An element of each row; zero if it has none there."""
    places = m.iota(row.graph, row.shape, row.rank - 1, I64)
    return r.sum_over(f.select(at(places, step), row, 0), [-1])


def magnitude(x: Tensor) -> Tensor:
    """The absolute values by which pivots are chosen; of complex numbers the sum of both parts."""
    return abs(f.real(x)) + abs(f.imag(x)) if x.is_complex else abs(x)


def chosen_pivot(rest: Tensor, step: Tensor, *, hermitian: bool) -> Pivot:
    """The pivot of a step, by the largest elements of its column and of the row of that."""
    first = column(rest, step)
    places = m.iota(rest.graph, first.shape, first.rank - 1, I64)
    own = diagonal_magnitude(first, step, hermitian=hermitian)
    below = f.select(places > wide(step), magnitude(first), -1)
    largest, row = r.argmax(below, -1, I64)
    largest = f.maximum(largest, 0)
    other = column(rest, row)
    beside = (places >= wide(step)) & places.differs(wide(row))
    row_largest = r.maximum_over(f.select(beside, magnitude(other), 0), [-1])
    keeps = (own >= largest * ALPHA) | (own >= ALPHA * largest * (largest / row_largest))
    is_swapped = diagonal_magnitude(other, row, hermitian=hermitian) >= row_largest * ALPHA
    is_singular = f.maximum(own, largest).equals(0)
    is_double = ~keeps & ~is_swapped & ~is_singular
    return Pivot(step, is_double, f.select(keeps | is_singular, step, row), is_singular)


def diagonal_magnitude(row: Tensor, step: Tensor, *, hermitian: bool) -> Tensor:
    """The absolute value of a diagonal element, which is real in Hermitian matrices."""
    value = element(row, step)
    return abs(f.real(value)) if hermitian and value.is_complex else magnitude(value)


def swap(x: Tensor, one: Tensor, other: Tensor, dimension: int) -> Tensor:
    """Two rows or columns of each matrix exchanged."""
    shape = (*x.shape[:-2], x.shape[dimension])
    places = m.iota(x.graph, shape, len(shape) - 1, I64)
    order = f.select(at(places, one), wide(other), f.select(at(places, other), wide(one), places))
    indices = m.expand_dims(order, -1 if dimension == -2 else -2).broadcast_to(x.shape)
    return ix.take_along(x, indices, dimension)


def eliminate_step(x: Tensor, pivot: Pivot, *, hermitian: bool) -> tuple[Tensor, Tensor]:
    """The columns of the factors that a step gives, and the matrix without them."""
    first, second = column(x, pivot.step), column(x, pivot.last)
    places = m.iota(x.graph, first.shape, first.rank - 1, I64)
    below = places > wide(pivot.last)
    one, two = multipliers(first, second, pivot, hermitian=hermitian)
    one, two = f.select(below, one, 0), f.select(below & wide(pivot.is_double), two, 0)
    a, b = f.select(below, first, 0), f.select(below, second, 0)
    update = outer(a, one, hermitian=hermitian) + outer(b, two, hermitian=hermitian)
    inside = (places >= wide(pivot.step)) & (places <= wide(pivot.last))
    kept = m.expand_dims(below, -1) & m.expand_dims(below, -2)
    diagonal = f.select(inside, first, 0) + one
    lower_corner = f.select(at(places, pivot.last), second, 0) + two
    lower_corner = f.select(wide(pivot.is_double), lower_corner, 0)
    columns = place_column(diagonal, pivot.step) + place_column(lower_corner, pivot.last)
    if hermitian and x.is_complex:
        columns = with_real_diagonal(columns)
    return columns, f.select(kept, x - update, 0)


def with_real_diagonal(x: Tensor) -> Tensor:
    """Matrices whose diagonals have no imaginary parts."""
    on_diagonal = la.identity(x.graph, x.shape, x.element).differs(0)
    return f.select(on_diagonal, f.real(x).convert(x.element), x)


def outer(x: Tensor, y: Tensor, *, hermitian: bool) -> Tensor:
    """The products of elements of two columns, the second conjugated if ``hermitian``."""
    other = f.conjugate(y) if hermitian else y
    return m.expand_dims(x, -1) * m.expand_dims(other, -2)


def place_column(x: Tensor, step: Tensor) -> Tensor:
    """A matrix of zeros with a column."""
    places = m.iota(x.graph, x.shape, x.rank - 1, I64)
    return f.select(m.expand_dims(at(places, step), -2), m.expand_dims(x, -1), 0)


def multipliers(
    first: Tensor, second: Tensor, pivot: Pivot, *, hermitian: bool
) -> tuple[Tensor, Tensor]:
    """The columns of L: those of the matrix times the inverse of the block."""
    top, bottom = element(first, pivot.step), element(second, pivot.last)
    if hermitian and first.is_complex:
        top, bottom = (f.real(value).convert(first.element) for value in (top, bottom))
    beside = f.select(pivot.is_double, element(first, pivot.last), 1)
    conjugate = f.conjugate(beside) if hermitian else beside
    # D^-1 = [bottom, -conj(beside); -beside, top] / (top * bottom - |beside|^2), scaled by beside
    determinant = (top / conjugate) * (bottom / beside) - 1
    scale = 1 / determinant
    one = (first * wide(bottom / beside) - second) * wide(scale / conjugate)
    two = (second * wide(top / conjugate) - first) * wide(scale / beside)
    single = first * wide(1 / f.select(pivot.is_singular, 1, top))
    return f.select(wide(pivot.is_double), one, single), two


def ldl_solve(factors: Tensor, pivots: Tensor, b: Tensor, *, hermitian: bool) -> Tensor:
    """The solutions x of A x = b by the factors of A."""
    lower, order, is_first = standard_form(factors, pivots)
    ordered = la.rows_in_order(b, order)
    half = la.triangular_solve(lower, ordered, lower=True, unit_diagonal=True)
    middle = solve_blocks(factors, is_first, half, hermitian=hermitian)
    how = TransposeKind.ADJOINT if hermitian else TransposeKind.TRANSPOSE
    whole = la.triangular_solve(lower, middle, lower=True, unit_diagonal=True, transpose=how)
    return la.rows_in_order(whole, la.inverse_order(order))


def standard_form(factors: Tensor, pivots: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """L of P L D L^H P^T, the order of rows P, and where 2x2 blocks begin."""
    size = factors.shape[-1]
    assert isinstance(size, int)
    graph, batch = factors.graph, factors.shape[:-2]
    is_double = pivots < 0
    places = m.iota(graph, pivots.shape, pivots.rank - 1, I64)
    # Blocks begin where an even number of negative pivots comes directly before.
    single = f.select(is_double, -1, places)
    last_single = f.maximum(cumulative(single, Maximum, -1), -1)
    is_first = is_double & is_odd(places - last_single)
    is_second = is_double & ~is_first
    strict = la.triangle(factors, lower=True, offset=-1)
    beside = m.expand_dims(is_first, -2) & below_diagonal(factors)
    lower = f.select(beside, 0, strict)
    order = m.iota(graph, pivots.shape, pivots.rank - 1, I64)
    rows = f.select(is_first, places, abs(pivots).convert(I64) - 1)
    starts = places - is_second.convert(I64)

    def goes_on(step: Tensor, *_: Tensor) -> Tensor:
        return step < size

    def exchange(step: Tensor, lower: Tensor, order: Tensor) -> list[Tensor]:
        inner = step.graph
        here = step.broadcast(batch, [])
        there = element(rows.within(inner), here)
        start = element(starts.within(inner), here)
        numbers = m.iota(inner, lower.shape, lower.rank - 1, I64)
        is_before = numbers < m.expand_dims(wide(start), -1)
        moved = f.select(is_before, swap(lower, here, there, -2), lower)
        matrix = m.expand_dims(order, -1)
        return [step + 1, moved, m.squeeze(swap(matrix, here, there, -2), -1)]

    start = scalar(graph, 0, I64)
    _, lower, order = while_loop(goes_on, exchange, [start, lower, order])
    return lower, order, is_first


def is_odd(x: Tensor) -> Tensor:
    """Where integers are odd, as booleans of the same shape."""
    return (x & 1).equals(1)


def below_diagonal(x: Tensor) -> Tensor:
    """Where matrices have elements directly below the diagonal."""
    rows, columns = (m.iota(x.graph, x.shape[-2:], i, I64) for i in range(2))
    return (rows - columns).equals(1).broadcast_to(x.shape)


def solve_blocks(factors: Tensor, is_first: Tensor, b: Tensor, *, hermitian: bool) -> Tensor:
    """The solution of D x = b, with the blocks of D in factors."""
    diagonal = la.diagonal(factors)
    beside = r.sum_over(f.select(below_diagonal(factors), factors, 0), [-2])
    beside = f.select(is_first, beside, 0)
    after = shift(diagonal, diagonal.rank - 1, -1, 1)
    conjugate = f.conjugate(beside) if hermitian else beside
    safe = f.select(is_first, beside, 1)
    safe_conjugate = f.conjugate(safe) if hermitian else safe
    scale = 1 / ((diagonal / safe_conjugate) * (after / safe) - 1)
    below = shift(b, b.rank - 2, -1, 0)
    first = (b * wide(after / safe) - below * wide(conjugate / safe)) * wide(scale / safe_conjugate)
    second = (below * wide(diagonal / safe_conjugate) - b * wide(beside / safe_conjugate)) * wide(
        scale / safe
    )
    pairs = wide(is_first)
    is_second = shift(is_first.convert(I64), is_first.rank - 1, 1, 0).equals(1)
    single = b / wide(f.select(is_first | is_second, 1, diagonal))
    moved = shift(second, second.rank - 2, 1, 0)
    return f.select(pairs, first, f.select(wide(is_second), moved, single))

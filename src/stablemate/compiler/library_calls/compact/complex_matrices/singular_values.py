"""Singular values and vectors of complex matrices; see ``compact.singular_values``.

A = Q R; rotations make the columns of R^H orthogonal: R^H J = Z, whose columns have the singular
values as lengths. V is the unitary factor of Z, and that of R V = J S is J, so that rotations need
not be multiplied: A = (Q J) S V^H. Of a wide matrix, it is A^H.

Source: see ``compact.singular_values``; Forsythe and Henrici, The cyclic Jacobi method for
computing the principal values of a complex matrix, 1960 (rotations of complex columns).
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.columns import rank, scatter
from stablemate.compiler.library_calls.compact.complex_matrices.matrices import (
    ComplexArray,
    ComplexMatrix,
    after_matrix,
    complex_function,
    conjugate_if,
    constant,
    load_matrices,
    store_matrices,
)
from stablemate.compiler.library_calls.compact.complex_matrices.reflectors import (
    dot,
    is_zero,
    reflect,
    reflector,
)
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.singular_values import (
    NOT_FINITE,
    ColumnProduct,
    angle,
    rounds_of_pairs,
    sweeps,
)
from stablemate.compiler.library_calls.compact.text import LlvmFunctionBuilder, VectorElements
from stablemate.compiler.library_calls.compact.vectors import (
    LaneArray,
    Mask,
    Vector,
    Word,
    downwards,
    integers,
    larger,
    number,
    power_of_two,
    variable,
)
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ComplexSingularProblem:
    """A tall matrix and the memory for its decomposition; see ``singular_values.Problem``."""

    rows: Word
    n: Word
    a: ComplexMatrix
    columns: ComplexMatrix
    products: ComplexMatrix
    taus: ComplexArray
    inner_taus: ComplexArray
    squares: LaneArray
    ranks: LaneArray
    values: LaneArray


def gesdd(elements: VectorElements) -> str:
    """``values, left, right, infos, source, counts, parameters, memory``.

    The parameters are those of ``singular_values.gesdd``.
    """
    names = "values left right infos source counts parameters memory"
    t = complex_function("gesdd", elements, names)
    rows, n, row, column, long, long_row, long_column, short_row, short_column, wants, is_wide = (
        t.parameter(position) for position in range(11)
    )
    load_matrices(t, "%memory", "%source", t.multiply(rows, n))
    conjugate_if(t, is_wide, "%memory", t.multiply(rows, n))
    p, rest = problem_at(t, rows, n, ComplexMatrix(t, "%memory", row, column))
    finite, inverse = scale(p)
    factor_qr(p.a, p.taus, rows, n)
    with t.loop(0, n) as i:
        with t.loop(0, t.add(i, 1)) as j:
            p.columns[i, j] = p.a[j, i].conjugate()
        with t.loop(t.add(i, 1), n) as j:
            p.columns[i, j] = constant(t, 0)
    make_orthogonal(p)
    store_lengths(p)
    with t.loop(0, n) as j:
        p.values[j] = finite.choose(p.values[j] * inverse, number(t, float("nan")))
    t.separate("%values", p.values.memory, str(n))
    with t.when(t.value(f"icmp ne i64 {wants}, 0")):
        long_size, square = t.multiply(rows, long), t.multiply(n, n)
        short = after_matrix(t, rest, long_size)
        long_side = ComplexMatrix(t, rest, long_row, long_column)
        store_vectors(p, long_side, long, ComplexMatrix(t, short, short_row, short_column))
        is_tall = t.value(f"xor i64 {is_wide}, 1")
        store_side(t, (rest, long_size), ("%right", "%left"), is_wide, finite)
        store_side(t, (short, square), ("%right", "%left"), is_tall, finite)
    outcome = finite.choose_integers(integers(t, 0), integers(t, NOT_FINITE))
    t.store_integers("%infos", outcome.name, 1, 0)
    return t.text()


def problem_at(
    t: LlvmFunctionBuilder, rows: Word, n: Word, a: ComplexMatrix
) -> tuple[ComplexSingularProblem, str]:
    """The parts of a decomposition one after the other, and where free memory begins."""
    columns = after_matrix(t, "%memory", t.multiply(rows, n))
    products = after_matrix(t, columns, t.multiply(n, n))
    taus = after_matrix(t, products, t.multiply(n, n))
    inner_taus = after_matrix(t, taus, n)
    places = [after_matrix(t, inner_taus, n)]
    for _ in range(3):
        places.append(t.element(places[-1], str(n)))
    arrays = [LaneArray(t, place) for place in places[:3]]
    pair = ComplexMatrix(t, columns, 1, n), ComplexMatrix(t, products, 1, n)
    factors = ComplexArray(t, taus), ComplexArray(t, inner_taus)
    return ComplexSingularProblem(rows, n, a, *pair, *factors, *arrays), places[-1]


def scale(p: ComplexSingularProblem) -> tuple[Mask, Vector]:
    """Scales the matrix by a power of two; see ``singular_values.scale``."""
    a, text, zero = p.a, p.a.text, number(p.a.text, 0)
    largest, zeros = variable(text, zero), variable(text, zero)
    with text.loop(0, p.rows) as i, text.loop(0, p.n) as j:
        item = a[i, j]
        largest.set(larger(item.size(), largest.get()))
        for part in (item.real, item.imaginary):
            zeros.set(part.times_plus(zero, zeros.get()))
    finite = zeros.get().is_zero()
    factor, inverse = power_of_two(largest.get())
    with text.loop(0, p.rows) as i, text.loop(0, p.n) as j:
        a[i, j] = choose(finite, a[i, j].times(factor), constant(text, 0))
    return finite, inverse


def factor_qr(a: ComplexMatrix, taus: ComplexArray, rows: Word, columns: Word) -> None:
    """Replaces a tall matrix by R and the reflectors of Q."""
    text = a.text
    with text.loop(0, columns) as j:
        column, after = a.column_of(j), text.add(j, 1)
        tau = reflector(column, j, rows)
        taus[j] = tau
        rest = a.part(0, after)
        reflect(column, tau.conjugate(), rest, (j, rows), text.subtract(columns, after))


def multiply_by_q(
    a: ComplexMatrix, taus: ComplexArray, matrix: ComplexMatrix, sizes: tuple[Word, Word, Word]
) -> None:
    """Replaces a matrix by Q times it; see ``reflectors.multiply_by_q``."""
    rows, columns, count = sizes
    with downwards(a.text, 0, count) as j:
        reflect(a.column_of(j), taus[j], matrix, (j, rows), columns)


def fill(matrix: ComplexMatrix, rows: Word, columns: Word) -> None:
    """Makes a matrix the first columns of the identity."""
    text = matrix.text
    with text.loop(0, rows) as i, text.loop(0, columns) as j:
        matrix[i, j] = constant(text, 0)
    with text.loop(0, text.least(rows, columns)) as i:
        matrix[i, i] = constant(text, 1)


def make_orthogonal(p: ComplexSingularProblem) -> None:
    """Rotates pairs of columns until all are orthogonal; see ``singular_values``."""
    text = p.a.text
    cosines, sines = LaneArray(text, p.inner_taus.memory), ComplexArray(text, p.products.memory)
    with sweeps(text) as changes:
        with text.loop(0, p.n) as j:
            p.squares[j] = square_of(p.columns.column_of(j), p.n, number(text, 1))
        with rounds_of_pairs(text, p.n) as pairs:
            with pairs() as (k, one, other):
                product = dot(p.columns.column_of(one), p.columns.column_of(other), (0, p.n))
                factor, inverse = power_of_two(product.size())
                product = product.times(factor)
                scaled = ColumnProduct(product.square(), factor, inverse)
                cosines[k], quotient = angle(p.squares, (one, other), scaled)
                sines[k] = product.times(quotient)
            with pairs() as (k, one, other):
                rotates = ~is_zero(sines[k])
                with text.when(rotates.any()):
                    text.do(f"store i64 1, ptr {changes}")
                    x, y = p.columns.column_of(one), p.columns.column_of(other)
                    rotate(x, y, p.n, (cosines[k], sines[k]), rotates)


def square_of(column: ComplexArray, count: Word, factor: Vector) -> Vector:
    """The square of the length of a column times a factor."""
    text = column.text
    total = variable(text, number(text, 0))
    with text.loop(0, count) as i:
        item = column[i].times(factor)
        partial = item.real.times_plus(item.real, total.get())
        total.set(item.imaginary.times_plus(item.imaginary, partial))
    return total.get()


def rotate(
    one: ComplexArray, other: ComplexArray, count: Word, factors: tuple[Vector, ComplexElement],
    lanes: Mask,
) -> None:  # fmt: skip
    """Replaces two columns x and y by c x - conj(s) y and s x + c y in some lanes."""
    text, (c, s) = one.text, factors
    turned = s.conjugate()
    with text.loop(0, count) as k:
        x, y = one[k], other[k]
        one[k] = choose(lanes, x.times(c).minus_product(turned, y), x)
        other[k] = choose(lanes, y.times(c).plus_product(s, x), y)


def store_lengths(p: ComplexSingularProblem) -> None:
    """Computes the lengths of columns, their order, and the lengths in that order."""
    text = p.a.text
    with text.loop(0, p.n) as j:
        column = p.columns.column_of(j)
        largest = variable(text, number(text, 0))
        with text.loop(0, p.n) as i:
            largest.set(larger(column[i].size(), largest.get()))
        factor, inverse = power_of_two(largest.get())
        p.squares[j] = square_of(column, p.n, factor).sqrt() * inverse
    rank(p.squares, p.ranks, p.n, "ogt")
    with text.loop(0, p.n) as j:
        scatter(p.values.memory, p.ranks, j, (1, 0), 0, p.squares[j])


def store_vectors(
    p: ComplexSingularProblem, long_side: ComplexMatrix, long: Word, short_side: ComplexMatrix
) -> None:
    """Computes the vectors of both sides in the order of the values."""
    text, n, ordered = p.a.text, p.n, p.products
    with text.loop(0, n) as j, text.loop(0, n) as i:
        scatter_item(ordered, p.ranks, (i, j), p.columns[i, j])
    fill(short_side, n, n)
    multiply_by_factor(p, short_side)
    with text.loop(0, n) as j:
        column = short_side.column_of(j)
        with text.loop(0, n) as i:
            total = [variable(text, number(text, 0)) for _ in range(2)]
            with text.loop(i, n) as k:
                item = ComplexElement(total[0].get(), total[1].get())
                item = item.plus_product(p.a[i, k], column[k])
                total[0].set(item.real)
                total[1].set(item.imaginary)
            p.products[i, j] = ComplexElement(total[0].get(), total[1].get())
    fill(long_side, p.rows, long)
    multiply_by_factor(p, long_side)
    multiply_by_q(p.a, p.taus, long_side, (p.rows, long, n))


def multiply_by_factor(p: ComplexSingularProblem, identity: ComplexMatrix) -> None:
    """Replaces the begin of an identity matrix by the unitary factor of ``products``.

    The triangular factor has a diagonal that is not negative.
    """
    text, n, one = p.a.text, p.n, number(p.a.text, 1)
    factor_qr(p.products, p.inner_taus, n, n)
    with downwards(text, 0, n) as j:
        count = text.subtract(n, j)
        reflect(p.products.column_of(j), p.inner_taus[j], identity.part(0, j), (j, n), count)
    with text.loop(0, n) as j:
        sign, column = one.with_sign_of(p.products[j, j].real), identity.column_of(j)
        with text.loop(0, n) as i:
            column[i] = column[i].times(sign)


def scatter_item(
    matrix: ComplexMatrix, ranks: LaneArray, place: tuple[Word, Word], value: ComplexElement
) -> None:
    """Stores an element of row i in the column that the rank of j says."""
    text, (i, j) = matrix.text, place
    strides = text.multiply(matrix.column, 2), text.multiply(matrix.row, 2)
    for position, part in enumerate((value.real, value.imaginary)):
        start = text.element(matrix.memory, str(position))
        scatter(start, ranks, j, strides, i, part)


def store_side(
    t: LlvmFunctionBuilder,
    side: tuple[str, Word],
    targets: tuple[str, str],
    is_right: Word,
    finite: Mask,
) -> None:
    """Stores the vectors of a side as right ones, which are conjugated, or as left ones.

    They are NaN where the matrix is not finite.
    """
    memory, size = side
    nan = number(t, float("nan"))
    entries = ComplexArray(t, memory)
    with t.loop(0, size) as e:
        entries[e] = choose(finite, entries[e], ComplexElement(nan, nan))
    conjugate_if(t, is_right, memory, size)
    flag = t.value(f"icmp ne i64 {is_right}, 0")
    target = t.value(f"select i1 {flag}, ptr {targets[0]}, ptr {targets[1]}")
    store_matrices(t, target, memory, size)

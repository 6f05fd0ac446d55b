"""Singular values and vectors of vectors of matrices, by rotations of columns.

A = Q R is computed first; the columns of the transpose of R are made orthogonal by rotations J:
R^T J = Z, whose columns have the singular values as lengths. So A = (Q J) S V^T, and V is the
orthogonal factor of Z, so that it is orthogonal for singular values of zero too. The long side of A
has Q J; the short one V. A wide matrix is transposed.

Source: Golub and Van Loan, Matrix Computations, 4th edition: 8.6.3 (one-sided Jacobi), 8.5.2
(angles), 8.5.5 (the order of pairs); Drmac and Veselic, New fast and accurate Jacobi SVD algorithm,
2008 (the QR factorization before it).
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from stablemate.compiler.library_calls.compact.columns import rank, rotate, scatter
from stablemate.compiler.library_calls.compact.reflectors import factor_qr, multiply_by_q
from stablemate.compiler.library_calls.compact.text import Elements, Function, function
from stablemate.compiler.library_calls.compact.vectors import (
    Array,
    Mask,
    Matrix,
    Vector,
    Word,
    fill,
    integers,
    larger,
    number,
    power_of_two,
    variable,
)

SWEEPS: Final = 40  # a handful is enough
COSINES: Final = {"s": 2.0**-22, "d": 2.0**-51}  # of columns that are orthogonal
NOT_FINITE: Final = -4  # the info of gesdd for a matrix that is not finite


@dataclass(frozen=True, slots=True)
class Problem:
    """A tall matrix and the memory for its decomposition.

    Attributes:
        rows: Its number of rows.
        n: Its number of columns, which is not larger.
        a: The matrix, and then the reflectors of Q.
        columns: The columns that become orthogonal.
        rotations: The product of the rotations.
        taus: The factors of reflectors.
        squares: The squares of the lengths of columns.
        ranks: The places of columns in the order of their lengths.
        values: The lengths in descending order.
    """

    rows: Word
    n: Word
    a: Matrix
    columns: Matrix
    rotations: Matrix
    taus: Array
    squares: Array
    ranks: Array
    values: Array


def gesdd(elements: Elements) -> str:
    """``values, left, right, infos, source, counts, parameters, memory``.

    The parameters are the numbers of rows and columns, if it is tall, the strides of the matrix,
    the number of vectors of the long side and the strides of their matrix, the strides of the
    vectors of the short side, whether there are vectors, and whether the matrix is wide.
    """
    t = function("gesdd", elements, "values left right infos source counts parameters memory")
    rows, n, row, column, long, long_row, long_column, short_row, short_column, wants, is_wide = (
        t.parameter(position) for position in range(11)
    )
    size, square = t.multiply(rows, n), t.multiply(n, n)
    t.interleave("%memory", "%source", size)
    p, rest = problem_at(t, (rows, n, size, square), Matrix(t, "%memory", row, column))
    finite, inverse = scale(p)
    factor_qr(p.a, p.taus, rows, n)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        is_lower = t.value(f"icmp sle i64 {j}, {i}")
        bits = t.value(
            f"select i1 {is_lower}, {t.vector} {p.a[j, i].name}, {t.vector} zeroinitializer"
        )
        p.columns[i, j] = Vector(t, bits)
    wanted_rows = t.multiply(wants, n)
    fill(p.rotations, wanted_rows, n, number(t, 0), number(t, 1))
    make_orthogonal(p, wanted_rows)
    not_a_number = number(t, float("nan"))
    store_lengths(p)
    with t.loop(0, n) as j:
        p.values[j] = finite.choose(p.values[j] * inverse, not_a_number)
    t.separate("%values", p.values.memory, n)
    has_vectors = t.value(f"icmp ne i64 {wants}, 0")
    with t.when(has_vectors):
        long_side = Matrix(t, rest, long_row, long_column)
        short_memory = t.element(rest, t.multiply(rows, long))
        short_side = Matrix(t, short_memory, short_row, short_column)
        store_vectors(p, long_side, long, short_side)
        with t.loop(0, t.multiply(rows, long)) as e:
            array = Array(t, rest)
            array[e] = finite.choose(array[e], not_a_number)
        with t.loop(0, square) as e:
            array = Array(t, short_memory)
            array[e] = finite.choose(array[e], not_a_number)
        store_sides(t, is_wide, (rest, t.multiply(rows, long)), (short_memory, square))
    outcome = finite.choose_integers(integers(t, 0), integers(t, NOT_FINITE))
    t.store_integers("%infos", outcome.name, 1, 0)
    return t.text()


def problem_at(t: Function, sizes: tuple[Word, Word, Word, Word], a: Matrix) -> tuple[Problem, str]:
    """The parts of a decomposition one after the other, and where free memory begins."""
    rows, n, size, square = sizes
    columns = t.element("%memory", str(size))
    rotations = t.element(columns, str(square))
    places = [t.element(rotations, str(square))]
    for _ in range(4):
        places.append(t.element(places[-1], str(n)))
    arrays = [Array(t, place) for place in places[:4]]
    pairs = Matrix(t, columns, 1, n), Matrix(t, rotations, 1, n)
    return Problem(rows, n, a, *pairs, *arrays), places[-1]


def store_sides(t: Function, is_wide: Word, long: tuple[str, str], short: tuple[str, str]) -> None:
    """Stores vectors as left and right ones; those of a wide matrix change sides."""
    condition = t.value(f"icmp ne i64 {is_wide}, 0")
    for (memory, size), target, other in (
        (long, "%left", "%right"), (short, "%right", "%left"),
    ):  # fmt: skip
        result = t.value(f"select i1 {condition}, ptr {other}, ptr {target}")
        t.separate(result, memory, size)


def scale(p: Problem) -> tuple[Mask, Vector]:
    """Scales the matrix by a power of two; zeros replace one that is not finite.

    Returns:
        Which are finite, and the inverse of the powers.
    """
    a = p.a
    text, zero = a.text, number(a.text, 0)
    largest, zeros = variable(text, zero), variable(text, zero)
    with text.loop(0, p.rows) as i, text.loop(0, p.n) as j:
        item = a[i, j]
        largest.set(larger(abs(item), largest.get()))
        zeros.set(item.times_plus(zero, zeros.get()))
    finite = zeros.get().is_zero()
    factor, inverse = power_of_two(largest.get())
    with text.loop(0, p.rows) as i, text.loop(0, p.n) as j:
        a[i, j] = finite.choose(a[i, j] * factor, zero)
    return finite, inverse


def make_orthogonal(p: Problem, rows_of_rotations: Word) -> None:
    """Rotates pairs of columns until all are orthogonal."""
    text = p.a.text
    with sweeps(text) as changes:
        with text.loop(0, p.n) as j:
            p.squares[j] = dot(p.columns.column_of(j), p.columns.column_of(j), p.n)
        with pairs_of_columns(text, p.n) as (one, other):
            rotate_pair(p, one, other, rows_of_rotations, changes)


@contextmanager
def sweeps(text: Function) -> Generator[str]:
    """Repeats a sweep until it changes nothing, ``SWEEPS`` times at most.

    Yields:
        The address of the number of changes, which a sweep counts.
    """
    count, changes = text.variable("i64"), text.variable("i64")
    text.do(f"store i64 0, ptr {count}")
    with text.repeat() as leave_if:
        text.do(f"store i64 0, ptr {changes}")
        yield changes
        leave_if(text.value(f"icmp eq i64 {text.value(f'load i64, ptr {changes}')}, 0"))
        number_of_sweep = text.add(text.value(f"load i64, ptr {count}"), 1)
        text.do(f"store i64 {number_of_sweep}, ptr {count}")
        leave_if(text.value(f"icmp sge i64 {number_of_sweep}, {SWEEPS}"))


@contextmanager
def pairs_of_columns(text: Function, n: Word) -> Generator[tuple[str, str]]:
    """A loop over all pairs, in rounds of pairs that have no column in common.

    One column stays, and the others go round; the stationary one is missing if their number is
    odd.
    """
    odd = text.value(f"and i64 {n}, 1")
    around = text.subtract(text.add(n, odd), 1)  # the number of columns that go round
    half = text.value(f"lshr i64 {text.add(around, 1)}, 1")
    with text.loop(0, around) as shift, text.loop(odd, half) as k:
        first = modulo(text, text.add(shift, k), around)
        second = modulo(text, text.add(text.subtract(shift, k), around), around)
        is_stationary = text.value(f"icmp eq i64 {k}, 0")
        second = text.value(f"select i1 {is_stationary}, i64 {around}, i64 {second}")
        low = text.least(first, second)
        yield low, text.subtract(text.add(first, second), low)


def modulo(text: Function, value: str, count: str) -> str:
    """A number below twice the count, modulo the count."""
    is_less = text.value(f"icmp slt i64 {value}, {count}")
    return text.value(f"select i1 {is_less}, i64 {value}, i64 {text.subtract(value, count)}")


def dot(one: Array, other: Array, count: Word) -> Vector:
    """The sum of products."""
    total = variable(one.text, number(one.text, 0))
    with one.text.loop(0, count) as i:
        total.set(one[i].times_plus(other[i], total.get()))
    return total.get()


def rotate_pair(p: Problem, one: Word, other: Word, rows: Word, changes: str) -> None:
    """Makes two columns orthogonal."""
    text, unit, zero = p.a.text, number(p.a.text, 1), number(p.a.text, 0)
    x, y = p.columns.column_of(one), p.columns.column_of(other)
    product, xx, yy = dot(x, y, p.n), p.squares[one], p.squares[other]
    cosine = number(text, COSINES[text.letter])
    bound = cosine * xx.sqrt() * yy.sqrt()
    rotates = abs(product).compare("ogt", bound)
    with text.when(rotates.any()):
        text.do(f"store i64 1, ptr {changes}")
        cotangent = (yy - xx) / (product + product)
        root = cotangent.times_plus(cotangent, unit).sqrt().with_sign_of(cotangent)
        t = rotates.choose(unit / (cotangent + root), zero)
        c = unit / t.times_plus(t, unit).sqrt()
        s = c * t
        p.squares[one] = xx.minus_product(t, product)
        p.squares[other] = t.times_plus(product, yy)
        rotate(x, y, p.n, (c, s), rotates)
        z = p.rotations
        rotate(z.column_of(one), z.column_of(other), rows, (c, s), rotates)


def store_lengths(p: Problem) -> None:
    """Computes the lengths of columns, their order, and the lengths in that order."""
    text = p.a.text
    with text.loop(0, p.n) as j:
        column = p.columns.column_of(j)
        largest = variable(text, number(text, 0))
        with text.loop(0, p.n) as i:
            largest.set(larger(abs(column[i]), largest.get()))
        factor, inverse = power_of_two(largest.get())
        total = variable(text, number(text, 0))
        with text.loop(0, p.n) as i:
            item = column[i] * factor
            total.set(item.times_plus(item, total.get()))
        p.squares[j] = total.get().sqrt() * inverse
    rank(p.squares, p.ranks, p.n, "ogt")
    with text.loop(0, p.n) as j:
        scatter(p.values.memory, p.ranks, j, (1, 0), 0, p.squares[j])


def store_vectors(p: Problem, long_side: Matrix, long: Word, short_side: Matrix) -> None:
    """Computes the vectors of both sides in the order of the values."""
    text, n = p.a.text, p.n
    zero, one = number(text, 0), number(text, 1)
    fill(long_side, p.rows, long, zero, one)
    with text.loop(0, n) as j, text.loop(0, n) as i:
        strides = long_side.column, long_side.row
        scatter(long_side.memory, p.ranks, j, strides, i, p.rotations[i, j])
    multiply_by_q(p.a, p.taus, long_side, (p.rows, long, n))
    # The memory of the rotations is that of the sorted columns now.
    ordered = p.rotations
    with text.loop(0, n) as j, text.loop(0, n) as i:
        scatter(ordered.memory, p.ranks, j, (ordered.column, ordered.row), i, p.columns[i, j])
    factor_qr(ordered, p.taus, n, n)
    fill(short_side, n, n, zero, one)
    multiply_by_q(ordered, p.taus, short_side, (n, n, n))
    with text.loop(0, n) as j:
        sign, column = one.with_sign_of(ordered[j, j]), short_side.column_of(j)
        with text.loop(0, n) as i:
            column[i] = column[i] * sign

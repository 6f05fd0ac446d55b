"""Singular values and vectors of vectors of matrices, by rotations of columns.

A = Q R is computed first; the columns of the transpose of R are made orthogonal by rotations J:
R^T J = Z, whose columns have the singular values as lengths. V is the orthogonal factor of Z, so
that it is orthogonal for singular values of zero too, and that of R V = J S is J, so that rotations
need not be multiplied: A = (Q J) S V^T. The long side of A has Q J; the short one V. A wide matrix
is transposed.

Source: Golub and Van Loan, Matrix Computations, 4th edition: 8.6.3 (one-sided Jacobi), 8.5.2
(angles), 8.5.5 (the order of pairs); Drmac and Veselic, New fast and accurate Jacobi SVD algorithm,
2008 (the QR factorization before it).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from stablemate.compiler.library_calls.compact.columns import rank, rotate, scatter
from stablemate.compiler.library_calls.compact.reflectors import factor_qr, multiply_by_q, reflect
from stablemate.compiler.library_calls.compact.text import (
    LlvmFunctionBuilder,
    VectorElements,
    function,
)
from stablemate.compiler.library_calls.compact.vectors import (
    LaneArray,
    LaneMatrix,
    Mask,
    Vector,
    Word,
    downwards,
    fill,
    integers,
    larger,
    number,
    power_of_two,
    variable,
)
from stablemate.deferred_dataclasses import dataclass

SWEEPS: Final = 40  # a handful is enough
COSINES: Final = {"s": 2.0**-22, "d": 2.0**-51}  # of columns that are orthogonal
Pairs = AbstractContextManager[tuple[str, str, str]]
NOT_FINITE: Final = -4  # the info of gesdd for a matrix that is not finite


@dataclass(frozen=True, slots=True)
class ColumnProduct:
    """The product of two columns times a power of two.

    Attributes:
        square: Its square.
        factor: The power of two.
        inverse: The inverse of the power.
    """

    square: Vector
    factor: Vector
    inverse: Vector


@dataclass(frozen=True, slots=True)
class SingularProblem:
    """A tall matrix and the memory for its decomposition.

    Attributes:
        rows: Its number of rows.
        n: Its number of columns, which is not larger.
        a: The matrix, and then the reflectors of Q.
        columns: The columns that become orthogonal.
        products: The rotations of a round, then the sorted columns Z, then R V.
        taus: The factors of the reflectors of Q.
        inner_taus: Those of the reflectors of V and J.
        squares: The squares of the lengths of columns.
        ranks: The places of columns in the order of their lengths.
        values: The lengths in descending order.
    """

    rows: Word
    n: Word
    a: LaneMatrix
    columns: LaneMatrix
    products: LaneMatrix
    taus: LaneArray
    inner_taus: LaneArray
    squares: LaneArray
    ranks: LaneArray
    values: LaneArray


def gesdd(elements: VectorElements) -> str:
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
    p, rest = problem_at(t, (rows, n, size, square), LaneMatrix(t, "%memory", row, column))
    finite, inverse = scale(p)
    factor_qr(p.a, p.taus, rows, n)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        is_lower = t.value(f"icmp sle i64 {j}, {i}")
        bits = t.value(
            f"select i1 {is_lower}, {t.vector} {p.a[j, i].name}, {t.vector} zeroinitializer"
        )
        p.columns[i, j] = Vector(t, bits)
    make_orthogonal(p)
    not_a_number = number(t, float("nan"))
    store_lengths(p)
    with t.loop(0, n) as j:
        p.values[j] = finite.choose(p.values[j] * inverse, not_a_number)
    t.separate("%values", p.values.memory, n)
    has_vectors = t.value(f"icmp ne i64 {wants}, 0")
    with t.when(has_vectors):
        long_side = LaneMatrix(t, rest, long_row, long_column)
        short_memory = t.element(rest, t.multiply(rows, long))
        short_side = LaneMatrix(t, short_memory, short_row, short_column)
        store_vectors(p, long_side, long, short_side)
        with t.loop(0, t.multiply(rows, long)) as e:
            array = LaneArray(t, rest)
            array[e] = finite.choose(array[e], not_a_number)
        with t.loop(0, square) as e:
            array = LaneArray(t, short_memory)
            array[e] = finite.choose(array[e], not_a_number)
        store_sides(t, is_wide, (rest, t.multiply(rows, long)), (short_memory, square))
    outcome = finite.choose_integers(integers(t, 0), integers(t, NOT_FINITE))
    t.store_integers("%infos", outcome.name, 1, 0)
    return t.text()


def problem_at(
    t: LlvmFunctionBuilder, sizes: tuple[Word, Word, Word, Word], a: LaneMatrix
) -> tuple[SingularProblem, str]:
    """The parts of a decomposition one after the other, and where free memory begins."""
    rows, n, size, square = sizes
    columns = t.element("%memory", str(size))
    products = t.element(columns, str(square))
    places = [t.element(products, str(square))]
    for _ in range(5):
        places.append(t.element(places[-1], str(n)))
    arrays = [LaneArray(t, place) for place in places[:5]]
    pairs = LaneMatrix(t, columns, 1, n), LaneMatrix(t, products, 1, n)
    return SingularProblem(rows, n, a, *pairs, *arrays), places[-1]


def store_sides(
    t: LlvmFunctionBuilder, is_wide: Word, long: tuple[str, str], short: tuple[str, str]
) -> None:
    """Stores vectors as left and right ones; those of a wide matrix change sides."""
    condition = t.value(f"icmp ne i64 {is_wide}, 0")
    for (memory, size), target, other in (
        (long, "%left", "%right"), (short, "%right", "%left"),
    ):  # fmt: skip
        result = t.value(f"select i1 {condition}, ptr {other}, ptr {target}")
        t.separate(result, memory, size)


def scale(p: SingularProblem) -> tuple[Mask, Vector]:
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


def make_orthogonal(p: SingularProblem) -> None:
    """Rotates pairs of columns until all are orthogonal.

    The angles of a round are computed before its rotations, so that the processor can divide for
    several pairs at the same time.
    """
    text = p.a.text
    cosines, sines = p.inner_taus, LaneArray(text, p.products.memory)
    with sweeps(text) as changes:
        with text.loop(0, p.n) as j:
            p.squares[j] = dot(p.columns.column_of(j), p.columns.column_of(j), p.n)
        with rounds_of_pairs(text, p.n) as pairs:
            with pairs() as (k, one, other):
                product = dot(p.columns.column_of(one), p.columns.column_of(other), p.n)
                factor, inverse = power_of_two(abs(product))
                product = product * factor
                scaled = ColumnProduct(product * product, factor, inverse)
                cosines[k], quotient = angle(p.squares, (one, other), scaled)
                sines[k] = product * quotient
            with pairs() as (k, one, other):
                rotates = ~sines[k].is_zero()
                with text.when(rotates.any()):
                    text.do(f"store i64 1, ptr {changes}")
                    x, y = p.columns.column_of(one), p.columns.column_of(other)
                    rotate(x, y, p.n, (cosines[k], sines[k]), rotates)


@contextmanager
def sweeps(text: LlvmFunctionBuilder) -> Generator[str]:
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
def rounds_of_pairs(text: LlvmFunctionBuilder, n: Word) -> Generator[Callable[[], Pairs]]:
    """A loop over rounds, in each of which no two pairs have a column in common.

    One column stays, and the others go round; the stationary one is missing if their number is
    odd.

    Yields:
        A function that begins a loop over the pairs of the round: the number of the pair and the
        numbers of its columns.
    """
    odd = text.value(f"and i64 {n}, 1")
    around = text.subtract(text.add(n, odd), 1)  # the number of columns that go round
    half = text.value(f"lshr i64 {text.add(around, 1)}, 1")

    @contextmanager
    def pairs(shift: Word) -> Generator[tuple[str, str, str]]:
        with text.loop(odd, half) as k:
            first = modulo(text, text.add(shift, k), around)
            second = modulo(text, text.add(text.subtract(shift, k), around), around)
            is_stationary = text.value(f"icmp eq i64 {k}, 0")
            second = text.value(f"select i1 {is_stationary}, i64 {around}, i64 {second}")
            low = text.least(first, second)
            yield k, low, text.subtract(text.add(first, second), low)

    with text.loop(0, around) as shift:
        yield lambda: pairs(shift)


def modulo(text: LlvmFunctionBuilder, value: str, count: str) -> str:
    """A number below twice the count, modulo the count."""
    is_less = text.value(f"icmp slt i64 {value}, {count}")
    return text.value(f"select i1 {is_less}, i64 {value}, i64 {text.subtract(value, count)}")


def dot(one: LaneArray, other: LaneArray, count: Word) -> Vector:
    """Sums the products of ``count`` elements of two rows."""
    total = variable(one.text, number(one.text, 0))
    with one.text.loop(0, count) as i:
        total.set(one[i].times_plus(other[i], total.get()))
    return total.get()


def angle(
    squares: LaneArray, pair: tuple[Word, Word], product: ColumnProduct
) -> tuple[Vector, Vector]:
    """The rotation that makes two columns x and y orthogonal: c x - s y and s x + c y.

    The tangent of the angle is 2 d / (e + sqrt(e^2 + 4 d^2)) with the product d of the columns and
    the difference e of their squares; all are multiplied by a power of two, with which the square
    of d is a normal number. The squares become those after the rotation.

    Returns:
        The cosine, and the sine divided by the scaled product, which is zero where the columns are
        orthogonal.
    """
    text = squares.text
    one, other = pair
    xx, yy, unit, square = squares[one], squares[other], number(text, 1), product.square
    bound = (xx * product.factor) * (yy * product.factor) * number(text, COSINES[text.letter] ** 2)
    rotates = square.compare("ogt", bound)
    difference = (yy - xx) * product.factor
    root = difference.times_plus(difference, square * number(text, 4)).sqrt()
    quotient = number(text, 2) / (difference + root.with_sign_of(difference))
    quotient = rotates.choose(quotient, number(text, 0))
    change = quotient * square
    squares[one] = xx.minus_product(change, product.inverse)
    squares[other] = change.times_plus(product.inverse, yy)
    cosine = unit / quotient.times_plus(change, unit).sqrt()
    return cosine, quotient * cosine


def store_lengths(p: SingularProblem) -> None:
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


def store_vectors(
    p: SingularProblem, long_side: LaneMatrix, long: Word, short_side: LaneMatrix
) -> None:
    """Computes the vectors of both sides in the order of the values."""
    text, n, ordered = p.a.text, p.n, p.products
    zero, one = number(text, 0), number(text, 1)
    with text.loop(0, n) as j, text.loop(0, n) as i:
        scatter(ordered.memory, p.ranks, j, (ordered.column, ordered.row), i, p.columns[i, j])
    fill(short_side, n, n, zero, one)
    multiply_by_factor(p, short_side)
    with text.loop(0, n) as j:
        column = short_side.column_of(j)
        with text.loop(0, n) as i:
            total = variable(text, zero)
            with text.loop(i, n) as k:
                total.set(p.a[i, k].times_plus(column[k], total.get()))
            p.products[i, j] = total.get()
    fill(long_side, p.rows, long, zero, one)
    multiply_by_factor(p, long_side)
    multiply_by_q(p.a, p.taus, long_side, (p.rows, long, n))


def multiply_by_factor(p: SingularProblem, identity: LaneMatrix) -> None:
    """Replaces the begin of an identity matrix by the orthogonal factor of ``products``.

    The triangular factor has a diagonal that is not negative.
    """
    text, n, one = p.a.text, p.n, number(p.a.text, 1)
    factor_qr(p.products, p.inner_taus, n, n)
    with downwards(text, 0, n) as j:
        count = text.subtract(n, j)
        reflect(p.products.column_of(j), p.inner_taus[j], identity.part(0, j), (j, n), count)
    with text.loop(0, n) as j:
        sign, column = one.with_sign_of(p.products[j, j]), identity.column_of(j)
        with text.loop(0, n) as i:
            column[i] = column[i] * sign

"""Cholesky, LU and triangular solves of as many matrices as a vector has lanes.

Every function has an argument ``counts``, where the number of matrices is, ``parameters``, words
that follow below, and ``memory`` for all matrices. Elements are addressed by strides, so that one
function serves a matrix and its transpose.

Source: Golub and Van Loan, Matrix Computations, 4th edition: algorithms 4.2.1 (Cholesky), 3.4.1
(LU with partial pivoting), 3.1.1 and 3.1.2 (triangular systems).
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.text import WORD, VectorElements, function
from stablemate.compiler.library_calls.compact.vectors import LaneMatrix, Mask, Word, number


def potrf(elements: VectorElements) -> str:
    """``factors, infos, source, counts, parameters, memory``.

    The parameters are the order, the strides from one row, and from one column, of the factor to
    the next, whether factors of matrices that are not positive definite are NaN, and whether the
    other triangle becomes zero. The factor L of L L^T = A replaces the triangle of A in which it
    is.
    """
    t = function("potrf", elements, "factors infos source counts parameters memory")
    n, row, column = (t.parameter(number) for number in range(3))
    size = t.multiply(n, n)
    t.interleave("%memory", "%source", size)
    info = t.variable(t.integers)
    t.set(info, t.integers, "zeroinitializer")
    with t.loop(0, n) as j:
        diagonal = t.place((j, row), (j, column))
        pivot = t.load("%memory", diagonal)
        fails = t.compare("ule", pivot)  # also NaN
        first = t.get(info, t.integers)
        is_first = t.value(f"icmp eq {t.integers} {first}, zeroinitializer")
        fails_first = t.value(f"and {t.mask} {fails}, {is_first}")
        order = t.integer(t.add(j, 1))
        t.set(info, t.integers, t.select(fails_first, t.integers, order, first))
        root = t.intrinsic("sqrt", pivot)
        t.store("%memory", diagonal, root)
        with t.loop(t.add(j, 1), n) as i:
            place = t.place((i, row), (j, column))
            quotient = t.value(f"fdiv {t.vector} {t.load('%memory', place)}, {root}")
            t.store("%memory", place, quotient)
            with t.loop(t.add(j, 1), t.add(i, 1)) as k:
                other = t.load("%memory", t.place((k, row), (j, column)))
                target = t.place((i, row), (k, column))
                rest = t.subtract_product(t.load("%memory", target), quotient, other)
                t.store("%memory", target, rest)
    statuses = t.get(info, t.integers)
    finish_factors(LaneMatrix(t, "%memory", row, column), n, statuses)
    t.separate("%factors", "%memory", size)
    t.store_integers("%infos", statuses, 1, 0)
    return t.text()


def finish_factors(a: LaneMatrix, n: Word, statuses: str) -> None:
    """Marks factors of failed matrices and clears the triangle beside, as two parameters say."""
    t = a.text
    marks, clears = (t.value(f"icmp ne {WORD} {t.parameter(place)}, 0") for place in (3, 4))
    fails = Mask(t, t.value(f"icmp ne {t.integers} {statuses}, zeroinitializer"))
    with t.when(t.value(f"and i1 {marks}, {fails.any()}")), t.loop(0, n) as i, t.loop(0, n) as k:
        a[i, k] = fails.choose(number(t, float("nan")), a[i, k])
    with t.when(clears), t.loop(0, n) as i, t.loop(t.add(i, 1), n) as k:
        a[i, k] = number(t, 0)


def getrf(elements: VectorElements) -> str:
    """``factors, pivots, infos, source, counts, parameters, memory``.

    The parameters are the numbers of rows and columns, and the lesser of both.
    """
    t = function("getrf", elements, "factors pivots infos source counts parameters memory")
    rows, columns, steps = (t.parameter(number) for number in range(3))
    size = t.multiply(rows, columns)
    t.interleave("%memory", "%source", size)
    info = t.variable(t.integers)
    t.set(info, t.integers, "zeroinitializer")
    largest, position = t.variable(t.vector), t.variable(t.integers)
    with t.loop(0, steps) as j:
        after = t.add(j, 1)
        diagonal = t.place((j, columns), (j, 1))
        t.set(largest, t.vector, t.intrinsic("fabs", t.load("%memory", diagonal)))
        t.set(position, t.integers, t.integer(j))
        with t.loop(after, rows) as i:
            size_of = t.intrinsic("fabs", t.load("%memory", t.place((i, columns), (j, 1))))
            before = t.get(largest, t.vector)
            larger = t.compare("ogt", size_of, before)
            t.set(largest, t.vector, t.select(larger, t.vector, size_of, before))
            chosen = t.get(position, t.integers)
            t.set(position, t.integers, t.select(larger, t.integers, t.integer(i), chosen))
        chosen = t.get(position, t.integers)
        one = t.integer("1")
        numbers = t.value(f"add {t.integers} {chosen}, {one}")
        t.store_integers("%pivots", numbers, steps, j)
        with t.loop(after, rows) as i:
            swapped = t.value(f"icmp eq {t.integers} {chosen}, {t.integer(i)}")
            with t.when(t.any(swapped)), t.loop(0, columns) as c:
                places = [t.place((number, columns), (c, 1)) for number in (j, i)]
                upper, lower = (t.load("%memory", place) for place in places)
                t.store("%memory", places[0], t.select(swapped, t.vector, lower, upper))
                t.store("%memory", places[1], t.select(swapped, t.vector, upper, lower))
        pivot = t.load("%memory", diagonal)
        is_zero = t.compare("oeq", pivot)
        first = t.get(info, t.integers)
        is_first = t.value(f"icmp eq {t.integers} {first}, zeroinitializer")
        fails = t.value(f"and {t.mask} {is_zero}, {is_first}")
        t.set(info, t.integers, t.select(fails, t.integers, t.integer(after), first))
        with t.loop(after, rows) as i:
            place = t.place((i, columns), (j, 1))
            item = t.load("%memory", place)
            quotient = t.value(f"fdiv {t.vector} {item}, {pivot}")
            factor = t.select(is_zero, t.vector, item, quotient)
            t.store("%memory", place, factor)
            with t.loop(after, columns) as c:
                other = t.load("%memory", t.place((j, columns), (c, 1)))
                target = t.place((i, columns), (c, 1))
                rest = t.subtract_product(t.load("%memory", target), factor, other)
                t.store("%memory", target, rest)
    t.separate("%factors", "%memory", size)
    t.store_integers("%infos", t.get(info, t.integers), 1, 0)
    return t.text()


def trsm(elements: VectorElements) -> str:
    """``solutions, matrix, source, alpha, counts, parameters, memory``.

    The equations are T X = alpha B with a lower triangular T; an upper one is lower if rows and
    columns are counted from the end. The parameters are the order, the number of columns of X, the
    place and the two strides of T, the place and the two strides of X, and whether the diagonal of
    T is one.
    """
    t = function("trsm", elements, "solutions matrix source alpha counts parameters memory")
    order, width, t0, t_row, t_column, x0, x_row, x_column, unit = (
        t.parameter(number) for number in range(9)
    )
    t_size, x_size = t.multiply(order, order), t.multiply(order, width)
    x = t.element("%memory", t_size)
    t.interleave("%memory", "%matrix", t_size)
    t.interleave(x, "%source", x_size)
    factor = t.value(f"load {t.scalar}, ptr %alpha")
    scale = t.value(f"insertelement {t.vector} poison, {t.scalar} {factor}, i64 0")
    scale = t.value(
        f"shufflevector {t.vector} {scale}, {t.vector} poison, {t.integers} zeroinitializer"
    )
    divides = t.value(f"icmp eq {WORD} {unit}, 0")
    with t.loop(0, x_size) as e:
        t.store(x, e, t.value(f"fmul {t.vector} {t.load(x, e)}, {scale}"))
    with t.loop(0, order) as i:
        x_start = t.add(x0, t.multiply(i, x_row))
        with t.loop(0, i) as k:
            item = t.load("%memory", t.add(t0, t.place((i, t_row), (k, t_column))))
            other_start = t.add(x0, t.multiply(k, x_row))
            with t.loop(0, width) as c:
                along = t.multiply(c, x_column)
                place = t.add(x_start, along)
                other = t.load(x, t.add(other_start, along))
                t.store(x, place, t.subtract_product(t.load(x, place), item, other))
        with t.when(divides):
            pivot = t.load("%memory", t.add(t0, t.place((i, t_row), (i, t_column))))
            with t.loop(0, width) as c:
                place = t.add(x_start, t.multiply(c, x_column))
                quotient = t.value(f"fdiv {t.vector} {t.load(x, place)}, {pivot}")
                t.store(x, place, quotient)
    t.separate("%solutions", x, x_size)
    return t.text()

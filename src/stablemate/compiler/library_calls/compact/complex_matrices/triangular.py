"""Cholesky, LU and triangular solves of complex matrices; see ``compact.routines``.

Pivots of LU are those of LAPACK: of the largest sum of the magnitudes of both parts.

Source: Golub and Van Loan, Matrix Computations, 4th edition: algorithms 4.2.1 (Cholesky), 3.4.1
(LU with partial pivoting), 3.1.1 and 3.1.2 (triangular systems); LAPACK Users' Guide, potrf, getrf.
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.complex_matrices.matrices import (
    ComplexArray,
    ComplexMatrix,
    after_matrix,
    complex_function,
    conjugate_if,
    constant,
    divisor,
    first_failure,
    load_matrices,
    status,
    store_matrices,
)
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.text import WORD, LlvmFunctionBuilder, VectorElements
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    Mask,
    Vector,
    Word,
    integer_variable,
    integers,
    number,
    variable,
)


def potrf(elements: VectorElements) -> str:
    """``factors, infos, source, counts, parameters, memory``; see ``compact.routines.potrf``."""
    t = complex_function("potrf", elements, "factors infos source counts parameters memory")
    n, row, column = (t.parameter(position) for position in range(3))
    size = t.multiply(n, n)
    load_matrices(t, "%memory", "%source", size)
    a, info = ComplexMatrix(t, "%memory", row, column), status(t)
    zero, one = number(t, 0), number(t, 1)
    with t.loop(0, n) as j:
        after, pivot = t.add(j, 1), a[j, j].real
        first_failure(t, info, pivot.compare("ule", zero), after)  # also NaN
        root = pivot.sqrt()
        inverse = one / root
        a[j, j] = ComplexElement(root, zero)
        with t.loop(after, n) as i:
            factor = a[i, j].times(inverse)
            a[i, j] = factor
            with t.loop(after, t.add(i, 1)) as k:
                a[i, k] = a[i, k].minus_product(factor, a[k, j].conjugate())
    statuses = t.get(info, t.integers)
    finish_factors(a, n, statuses)
    store_matrices(t, "%factors", "%memory", size)
    t.store_integers("%infos", statuses, 1, 0)
    return t.text()


def finish_factors(a: ComplexMatrix, n: Word, statuses: str) -> None:
    """Marks and clears what two parameters say; see ``compact.routines.finish_factors``."""
    t = a.text
    marks, clears = (t.value(f"icmp ne {WORD} {t.parameter(place)}, 0") for place in (3, 4))
    fails = Mask(t, t.value(f"icmp ne {t.integers} {statuses}, zeroinitializer"))
    nan = number(t, float("nan"))
    with t.when(t.value(f"and i1 {marks}, {fails.any()}")), t.loop(0, n) as i, t.loop(0, n) as k:
        a[i, k] = choose(fails, ComplexElement(nan, nan), a[i, k])
    with t.when(clears), t.loop(0, n) as i, t.loop(t.add(i, 1), n) as k:
        a[i, k] = constant(t, 0)


def getrf(elements: VectorElements) -> str:
    """``factors, pivots, infos, source, counts, parameters, memory``; see ``routines.getrf``."""
    names = "factors pivots infos source counts parameters memory"
    t = complex_function("getrf", elements, names)
    rows, columns, steps = (t.parameter(position) for position in range(3))
    size = t.multiply(rows, columns)
    load_matrices(t, "%memory", "%source", size)
    a, info = ComplexMatrix(t, "%memory", columns, 1), status(t)
    with t.loop(0, steps) as j:
        after = t.add(j, 1)
        chosen = pivot_row(a, j, rows)
        t.store_integers("%pivots", (chosen + integers(t, 1)).name, steps, j)
        swap_rows(a, j, chosen, (rows, columns))
        pivot = a[j, j]
        is_zero = pivot.real.is_zero() & pivot.imaginary.is_zero()
        first_failure(t, info, is_zero, after)
        by_pivot = divisor(pivot)
        with t.loop(after, rows) as i:
            item = a[i, j]
            factor = choose(is_zero, item, by_pivot.divide(item))
            a[i, j] = factor
            with t.loop(after, columns) as c:
                a[i, c] = a[i, c].minus_product(factor, a[j, c])
    store_matrices(t, "%factors", "%memory", size)
    t.store_integers("%infos", t.get(info, t.integers), 1, 0)
    return t.text()


def pivot_row(a: ComplexMatrix, j: Word, rows: Word) -> Integers:
    """The row from j on with the largest element in column j."""
    t = a.text
    largest, position = variable(t, a[j, j].sum_of_sizes()), integer_variable(t, integers(t, j))
    with t.loop(t.add(j, 1), rows) as i:
        size = a[i, j].sum_of_sizes()
        is_larger = size.compare("ogt", largest.get())
        largest.set(is_larger.choose(size, largest.get()))
        position.set(is_larger.choose_integers(integers(t, i), position.get()))
    return position.get()


def swap_rows(a: ComplexMatrix, j: Word, chosen: Integers, sizes: tuple[Word, Word]) -> None:
    """Exchanges row j with another one, which differs between the lanes."""
    t, (rows, columns) = a.text, sizes
    with t.loop(t.add(j, 1), rows) as i:
        is_chosen: Mask = chosen.compare("eq", integers(t, i))
        with t.when(is_chosen.any()), t.loop(0, columns) as c:
            upper, lower = a[j, c], a[i, c]
            a[j, c], a[i, c] = choose(is_chosen, lower, upper), choose(is_chosen, upper, lower)


def trsm(elements: VectorElements) -> str:
    """``solutions, matrix, source, alpha, counts, parameters, memory``; see ``routines.trsm``.

    A last parameter says whether the elements of T are conjugated.
    """
    names = "solutions matrix source alpha counts parameters memory"
    t = complex_function("trsm", elements, names)
    order, width, t0, t_row, t_column, x0, x_row, x_column, unit, conjugates = (
        t.parameter(position) for position in range(10)
    )
    t_size, x_size = t.multiply(order, order), t.multiply(order, width)
    load_matrices(t, "%memory", "%matrix", t_size)
    memory = after_matrix(t, "%memory", t_size)
    load_matrices(t, memory, "%source", x_size)
    conjugate_if(t, conjugates, "%memory", t_size)
    factor, entries = scalar(t, "%alpha"), ComplexArray(t, memory)
    with t.loop(0, x_size) as e:
        entries[e] = entries[e] * factor
    whole, whole_x = ComplexMatrix(t, "%memory", 0, 1), ComplexMatrix(t, memory, 0, 1)
    a = ComplexMatrix(t, whole.part(0, t0).memory, t_row, t_column)
    x = ComplexMatrix(t, whole_x.part(0, x0).memory, x_row, x_column)
    divides = t.value(f"icmp eq {WORD} {unit}, 0")
    with t.loop(0, order) as i:
        with t.loop(0, i) as k:
            item = a[i, k]
            with t.loop(0, width) as c:
                x[i, c] = x[i, c].minus_product(item, x[k, c])
        with t.when(divides):
            by_pivot = divisor(a[i, i])
            with t.loop(0, width) as c:
                x[i, c] = by_pivot.divide(x[i, c])
    store_matrices(t, "%solutions", memory, x_size)
    return t.text()


def scalar(t: LlvmFunctionBuilder, address: str) -> ComplexElement:
    """A complex number of the program in all lanes."""
    parts: list[Vector] = []
    for position in range(2):
        at = t.value(f"getelementptr {t.scalar}, ptr {address}, i64 {position}")
        item = t.value(f"load {t.scalar}, ptr {at}")
        first = t.value(f"insertelement {t.vector} poison, {t.scalar} {item}, i64 0")
        spread = t.value(
            f"shufflevector {t.vector} {first}, {t.vector} poison, {t.integers} zeroinitializer"
        )
        parts.append(Vector(t, spread))
    return ComplexElement(parts[0], parts[1])

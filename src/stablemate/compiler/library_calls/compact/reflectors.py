"""Householder reflectors of vectors of matrices: QR, products with Q, Hessenberg form.

Reflectors and their factors are those of LAPACK: H = I - tau v v^T, the first element of v is one,
and tau is zero if all other elements are zero.

Source: LAPACK Users' Guide, "Representation of Orthogonal or Unitary Matrices"; Golub and Van Loan,
Matrix Computations, 4th edition: algorithms 5.1.1 (reflectors), 5.2.1 (QR), 7.4.2 (Hessenberg).
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.text import VectorElements, function
from stablemate.compiler.library_calls.compact.vectors import (
    LaneArray,
    LaneMatrix,
    Vector,
    Word,
    downwards,
    fill,
    larger,
    number,
    power_of_two,
    variable,
)


def reflector(x: LaneArray, start: Word, stop: Word) -> Vector:
    """Replaces x[start:stop] by (beta, v[1:]), where H x = (beta, 0, ...).

    Numbers are scaled by powers of two, so that squares neither overflow nor vanish.

    Returns:
        The factor tau.
    """
    text, zero, one = x.text, number(x.text, 0), number(x.text, 1)
    after = text.add(start, 1)
    largest = variable(text, zero)
    with text.loop(after, stop) as i:
        largest.set(larger(abs(x[i]), largest.get()))
    alpha, rest = x[start], largest.get()
    scale, inverse = power_of_two(larger(abs(alpha), rest))
    total = variable(text, zero)
    with text.loop(after, stop) as i:
        scaled = x[i] * scale
        total.set(scaled.times_plus(scaled, total.get()))
    squares = total.get()
    is_zero = rest.is_zero() & squares.is_zero()  # a NaN is in the squares only
    alpha_scaled = alpha * scale
    beta = -alpha_scaled.times_plus(alpha_scaled, squares).sqrt().with_sign_of(alpha_scaled)
    factor = is_zero.choose(one, one / (alpha_scaled - beta))
    back = is_zero.choose(one, scale)
    with text.loop(after, stop) as i:
        x[i] = x[i] * back * factor
    x[start] = is_zero.choose(alpha, beta * inverse)
    return is_zero.choose(zero, (beta - alpha_scaled) / beta)


def reflect(
    v: LaneArray, tau: Vector, matrix: LaneMatrix, span: tuple[Word, Word], columns: Word
) -> None:
    """Replaces the rows of a span of a matrix by H times them; v[0] is that of the first row."""
    text, (start, stop) = v.text, span
    after, keeps = text.add(start, 1), tau.is_zero()
    with text.loop(0, columns) as c:
        column = matrix.column_of(c)
        product = variable(text, column[start])
        with text.loop(after, stop) as i:
            product.set(v[i].times_plus(column[i], product.get()))
        scaled = keeps.choose(number(text, 0), product.get() * tau)
        column[start] = column[start] - scaled
        with text.loop(after, stop) as i:
            column[i] = column[i].minus_product(v[i], scaled)


def factor_qr(a: LaneMatrix, taus: LaneArray, rows: Word, columns: Word) -> None:
    """Replaces a matrix by R and the reflectors of Q."""
    text = a.text
    with text.loop(0, text.least(rows, columns)) as j:
        column, after = a.column_of(j), text.add(j, 1)
        tau = reflector(column, j, rows)
        taus[j] = tau
        rest = a.part(0, after)
        reflect(column, tau, rest, (j, rows), text.subtract(columns, after))


def factor_hessenberg(a: LaneMatrix, taus: LaneArray, n: Word, count: Word) -> None:
    """Replaces a matrix by its Hessenberg form and ``count`` reflectors below it."""
    text = a.text
    with text.loop(0, count) as j:
        after, column = text.add(j, 1), a.column_of(j)
        tau = reflector(column, after, n)
        taus[j] = tau
        reflect(column, tau, a.transpose(), (after, n), n)
        reflect(column, tau, a.part(0, after), (after, n), text.subtract(n, after))


def multiply_by_q(
    a: LaneMatrix, taus: LaneArray, matrix: LaneMatrix, sizes: tuple[Word, Word, Word]
) -> None:
    """Replaces a matrix by Q times it.

    Args:
        a: The reflectors, below its diagonal.
        taus: Their factors.
        matrix: The matrix.
        sizes: The numbers of rows, of columns and of reflectors.
    """
    rows, columns, count = sizes
    with downwards(a.text, 0, count) as j:
        reflect(a.column_of(j), taus[j], matrix, (j, rows), columns)


def geqrf(elements: VectorElements) -> str:
    """``factors, taus, infos, source, counts, parameters, memory``.

    The parameters are the numbers of rows and columns, and the lesser of both.
    """
    t = function("geqrf", elements, "factors taus infos source counts parameters memory")
    rows, columns, steps = (t.parameter(position) for position in range(3))
    size = t.multiply(rows, columns)
    t.interleave("%memory", "%source", size)
    taus = t.element("%memory", size)
    factor_qr(LaneMatrix(t, "%memory", columns, 1), LaneArray(t, taus), rows, columns)
    t.separate("%factors", "%memory", size)
    t.separate("%taus", taus, steps)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def orgqr(elements: VectorElements) -> str:
    """``q, infos, reflectors, factors, counts, parameters, memory``.

    The parameters are the numbers of rows, of columns and of reflectors.
    """
    t = function("orgqr", elements, "q infos reflectors factors counts parameters memory")
    rows, columns, count = (t.parameter(position) for position in range(3))
    size = t.multiply(rows, columns)
    t.interleave("%memory", "%reflectors", size)
    factors = t.element("%memory", size)
    t.interleave(factors, "%factors", count)
    q, taus = LaneMatrix(t, "%memory", columns, 1), LaneArray(t, factors)
    zero, one = number(t, 0), number(t, 1)
    fill(q.part(0, count), rows, t.subtract(columns, count), zero, zero)
    with t.loop(count, columns) as j:
        q[j, j] = one
    with downwards(t, 0, count) as j:
        after, column = t.add(j, 1), q.column_of(j)
        tau = taus[j]
        reflect(column, tau, q.part(0, after), (j, rows), t.subtract(columns, after))
        with t.loop(0, j) as i:
            column[i] = zero
        column[j] = one - tau
        with t.loop(after, rows) as i:
            column[i] = -(column[i] * tau)
    t.separate("%q", "%memory", size)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def ormqr(elements: VectorElements) -> str:
    """``product, infos, reflectors, factors, source, counts, parameters, memory``.

    Products from the right are those of the transposes from the left. The parameters are the order
    of Q, the number of columns of the matrix with the reflectors, the number of reflectors, the
    number of columns of the other matrix, its two strides, and the first reflector and the step
    from it to the next.
    """
    names = "product infos reflectors factors source counts parameters memory"
    t = function("ormqr", elements, names)
    order, stored, count, columns, row, column, first, step = (
        t.parameter(position) for position in range(8)
    )
    size, product_size = t.multiply(order, stored), t.multiply(order, columns)
    t.interleave("%memory", "%reflectors", size)
    factors = t.element("%memory", size)
    t.interleave(factors, "%factors", count)
    product = t.element(factors, count)
    t.interleave(product, "%source", product_size)
    a, c, taus = (
        LaneMatrix(t, "%memory", stored, 1),
        LaneMatrix(t, product, row, column),
        LaneArray(t, factors),
    )
    with t.loop(0, count) as number_of_reflector:
        j = t.add(first, t.multiply(number_of_reflector, step))
        reflect(a.column_of(j), taus[j], c, (j, order), columns)
    t.separate("%product", product, product_size)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def gehrd(elements: VectorElements) -> str:
    """``form, taus, infos, source, counts, parameters, memory``.

    The parameters are the order and the number of reflectors, which is one less.
    """
    t = function("gehrd", elements, "form taus infos source counts parameters memory")
    n, count = t.parameter(0), t.parameter(1)
    size = t.multiply(n, n)
    t.interleave("%memory", "%source", size)
    factors = t.element("%memory", size)
    factor_hessenberg(LaneMatrix(t, "%memory", n, 1), LaneArray(t, factors), n, count)
    t.separate("%form", "%memory", size)
    t.separate("%taus", factors, count)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()

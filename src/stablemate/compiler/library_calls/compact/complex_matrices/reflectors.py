"""Householder reflectors of complex matrices: QR, Hessenberg form.

Reflectors and their factors are those of LAPACK: H^H x = (beta, 0, ...) with H = I - tau v v^H and
a real beta; tau is zero if nothing but a real first element is not zero.

Source: LAPACK Users' Guide, "Representation of Orthogonal or Unitary Matrices".
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.complex_matrices.matrices import (
    ComplexArray,
    ComplexMatrix,
    after_matrix,
    complex_function,
    constant,
    load_matrices,
    store_matrices,
)
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.text import VectorElements
from stablemate.compiler.library_calls.compact.vectors import (
    Mask,
    Word,
    downwards,
    larger,
    number,
    power_of_two,
    variable,
)


def is_zero(value: ComplexElement) -> Mask:
    """Where both parts are zero."""
    return value.real.is_zero() & value.imaginary.is_zero()


def reflector(x: ComplexArray, start: Word, stop: Word) -> ComplexElement:
    """Replaces x[start:stop] by (beta, v[1:]); returns tau; see ``compact.reflectors``."""
    text, zero, one = x.text, number(x.text, 0), number(x.text, 1)
    after = text.add(start, 1)
    largest = variable(text, zero)
    with text.loop(after, stop) as i:
        largest.set(larger(x[i].size(), largest.get()))
    alpha, rest = x[start], largest.get()
    scale, inverse = power_of_two(larger(alpha.size(), rest))
    total = variable(text, zero)
    with text.loop(after, stop) as i:
        total.set(total.get() + x[i].times(scale).square())
    squares = total.get()
    keeps = rest.is_zero() & squares.is_zero() & alpha.imaginary.is_zero()
    scaled = alpha.times(scale)
    beta = -(scaled.square() + squares).sqrt().with_sign_of(scaled.real)
    difference = ComplexElement(scaled.real - beta, scaled.imaginary)
    factor = difference.conjugate().times(one / difference.square())
    factor = choose(keeps, constant(text, 1), factor)
    back = keeps.choose(one, scale)
    with text.loop(after, stop) as i:
        x[i] = x[i].times(back) * factor
    x[start] = choose(keeps, alpha, ComplexElement(beta * inverse, zero))
    tau = ComplexElement((beta - scaled.real) / beta, -scaled.imaginary / beta)
    return choose(keeps, constant(text, 0), tau)


def reflect(
    v: ComplexArray,
    tau: ComplexElement,
    matrix: ComplexMatrix,
    span: tuple[Word, Word],
    columns: Word,
) -> None:
    """Replaces the rows of a span by (I - tau v v^H) times them; v[0] is that of the first row."""
    text, (start, stop) = v.text, span
    after, keeps = text.add(start, 1), is_zero(tau)
    with text.loop(0, columns) as c:
        column = matrix.column_of(c)
        product = (column[start] + dot(v, column, (after, stop))) * tau
        product = choose(keeps, constant(text, 0), product)
        column[start] = column[start] - product
        with text.loop(after, stop) as i:
            column[i] = column[i].minus_product(v[i], product)


def dot(one: ComplexArray, other: ComplexArray, span: tuple[Word, Word]) -> ComplexElement:
    """The sum of products with the conjugates of the first column.

    Its four sums do not depend on each other, so that the processor adds to all at the same time.
    """
    text = one.text
    sums = [variable(text, number(text, 0)) for _ in range(4)]
    with text.loop(*span) as i:
        x, y = one[i], other[i]
        factors = (
            (x.real, y.real), (x.imaginary, y.imaginary), (x.real, y.imaginary),
            (x.imaginary, y.real),
        )  # fmt: skip
        for total, (left, right) in zip(sums, factors, strict=True):
            total.set(left.times_plus(right, total.get()))
    first, second, third, fourth = (total.get() for total in sums)
    return ComplexElement(first + second, third - fourth)


def geqrf(elements: VectorElements) -> str:
    """``factors, taus, infos, source, counts, parameters, memory``; see ``reflectors.geqrf``."""
    names = "factors taus infos source counts parameters memory"
    t = complex_function("geqrf", elements, names)
    rows, columns, steps = (t.parameter(position) for position in range(3))
    size = t.multiply(rows, columns)
    load_matrices(t, "%memory", "%source", size)
    memory = after_matrix(t, "%memory", size)
    a, taus = ComplexMatrix(t, "%memory", columns, 1), ComplexArray(t, memory)
    with t.loop(0, steps) as j:
        column, after = a.column_of(j), t.add(j, 1)
        tau = reflector(column, j, rows)
        taus[j] = tau
        rest = a.part(0, after)
        reflect(column, tau.conjugate(), rest, (j, rows), t.subtract(columns, after))
    store_matrices(t, "%factors", "%memory", size)
    store_matrices(t, "%taus", memory, steps)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def orgqr(elements: VectorElements) -> str:
    """``q, infos, reflectors, factors, counts, parameters, memory``; see ``reflectors.orgqr``."""
    names = "q infos reflectors factors counts parameters memory"
    t = complex_function("orgqr", elements, names)
    rows, columns, count = (t.parameter(position) for position in range(3))
    size = t.multiply(rows, columns)
    load_matrices(t, "%memory", "%reflectors", size)
    memory = after_matrix(t, "%memory", size)
    load_matrices(t, memory, "%factors", count)
    q, taus = ComplexMatrix(t, "%memory", columns, 1), ComplexArray(t, memory)
    zero, one = constant(t, 0), constant(t, 1)
    with t.loop(count, columns) as j:
        with t.loop(0, rows) as i:
            q[i, j] = zero
        q[j, j] = one
    with downwards(t, 0, count) as j:
        after, column = t.add(j, 1), q.column_of(j)
        tau = taus[j]
        reflect(column, tau, q.part(0, after), (j, rows), t.subtract(columns, after))
        with t.loop(0, j) as i:
            column[i] = zero
        column[j] = one - tau
        with t.loop(after, rows) as i:
            column[i] = zero - column[i] * tau
    store_matrices(t, "%q", "%memory", size)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def gehrd(elements: VectorElements) -> str:
    """``form, taus, infos, source, counts, parameters, memory``; see ``reflectors.gehrd``."""
    t = complex_function("gehrd", elements, "form taus infos source counts parameters memory")
    n, count = t.parameter(0), t.parameter(1)
    size = t.multiply(n, n)
    load_matrices(t, "%memory", "%source", size)
    factors = after_matrix(t, "%memory", size)
    factor_hessenberg(ComplexMatrix(t, "%memory", n, 1), ComplexArray(t, factors), n, count)
    store_matrices(t, "%form", "%memory", size)
    store_matrices(t, "%taus", factors, count)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def factor_hessenberg(a: ComplexMatrix, taus: ComplexArray, n: Word, count: Word) -> None:
    """Replaces a matrix by its Hessenberg form H^H A H and ``count`` reflectors below it.

    The transpose of A H is (I - tau conj(v) v^T) A^T.
    """
    text, transposed = a.text, ComplexMatrix(a.text, a.memory, a.column, a.row)
    with text.loop(0, count) as j:
        after, column = text.add(j, 1), a.column_of(j)
        tau = reflector(column, after, n)
        taus[j] = tau
        conjugate(column, after, n)
        reflect(column, tau, transposed, (after, n), n)
        conjugate(column, after, n)
        rest, columns = a.part(0, after), text.subtract(n, after)
        reflect(column, tau.conjugate(), rest, (after, n), columns)


def conjugate(x: ComplexArray, start: Word, stop: Word) -> None:
    """Conjugates the numbers ``x[start:stop]``, in place."""
    with x.text.loop(start, stop) as i:
        x[i] = x[i].conjugate()

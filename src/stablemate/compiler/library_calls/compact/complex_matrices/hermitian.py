"""Tridiagonal forms, eigenvalues and eigenvectors of Hermitian matrices; see ``compact.symmetric``.

Reflectors lead to a real tridiagonal matrix, whose eigenvectors they take to those of the matrix.

Source: LAPACK Users' Guide, hetrd and heevd.
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
    is_zero,
    reflect,
    reflector,
)
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.symmetric import (
    TridiagonalMatrix,
    arrays_at,
    iterate,
    turn_around,
    unconverged_elements,
)
from stablemate.compiler.library_calls.compact.text import WORD, VectorElements
from stablemate.compiler.library_calls.compact.vectors import (
    LaneArray,
    LaneMatrix,
    Mask,
    Vector,
    Word,
    downwards,
    fill,
    larger,
    number,
    power_of_two,
    variable,
)


def syevd(elements: VectorElements) -> str:
    """``vectors, values, infos, source, counts, parameters, memory``; see ``symmetric.syevd``.

    A last parameter says whether the elements are conjugated, as they are if the other triangle
    counts.
    """
    names = "vectors values infos source counts parameters memory"
    t = complex_function("syevd", elements, names)
    n, row, column, wants, conjugates = (t.parameter(position) for position in range(5))
    size = t.multiply(n, n)
    load_matrices(t, "%memory", "%source", size)
    conjugate_if(t, conjugates, "%memory", size)
    vectors = after_matrix(t, "%memory", size)
    taus = after_matrix(t, vectors, size)
    products = after_matrix(t, taus, n)
    z_memory = after_matrix(t, products, n)
    into = arrays_at(t, t.element(z_memory, size), n)
    a = ComplexMatrix(t, "%memory", row, column)
    finite, inverse = scale_triangle(a, n)
    factors = ComplexArray(t, taus)
    reduce_to_tridiagonal(a, into, factors, ComplexArray(t, products))
    rows_of_z = t.multiply(wants, n)
    z = LaneMatrix(t, z_memory, 1, n)
    fill(z, n, n, number(t, 0), number(t, 1))
    turned = turn_around(into, z, rows_of_z)
    iterate(into, z, rows_of_z, turned)
    infos = unconverged_elements(into, finite)
    ranks, not_a_number = LaneArray(t, into.taus.memory), number(t, float("nan"))
    rank(into.diagonal, ranks, n, "olt")
    with t.loop(0, n) as j:
        value = finite.choose(into.diagonal[j] * inverse, not_a_number)
        scatter(products, ranks, j, (1, 0), 0, value)
    t.separate("%values", products, n)
    with t.when(t.value(f"icmp ne {WORD} {wants}, 0")):
        v = ComplexMatrix(t, vectors, n, 1)
        multiply(a, factors, z, v, n)
        with t.loop(0, n) as j, t.loop(0, n) as i:
            scatter_item("%memory", ranks, (i, j), n, finite, v[i, j])
        store_matrices(t, "%vectors", "%memory", size)
    t.store_integers("%infos", infos.name, 1, 0)
    return t.text()


def sytrd(elements: VectorElements) -> str:
    """``form, diagonals, beside, taus, infos, source, counts, parameters, memory``.

    See ``symmetric.sytrd``, whose parameters these are.
    """
    names = "form diagonals beside taus infos source counts parameters memory"
    t = complex_function("sytrd", elements, names)
    n, start, stride, first, first_beside, step = (t.parameter(position) for position in range(6))
    size, count = t.multiply(n, n), t.add(n, -1)
    load_matrices(t, "%memory", "%source", size)
    taus = after_matrix(t, "%memory", size)
    products = after_matrix(t, taus, n)
    real = arrays_at(t, after_matrix(t, products, n), n)
    diagonal = LaneArray(t, t.element(real.diagonal.memory, first), step)
    beside = LaneArray(t, t.element(real.beside.memory, first_beside), step)
    into = TridiagonalMatrix(n, diagonal, beside, real.taus, real.products)
    factors = ComplexArray(t, after_matrix(t, taus, first_beside), step)
    a = ComplexMatrix(t, after_matrix(t, "%memory", start), t.multiply(n, stride), stride)
    with t.loop(0, n) as i:
        a[i, i] = ComplexElement(a[i, i].real, number(t, 0))
    reduce_to_tridiagonal(a, into, factors, ComplexArray(t, products))
    with t.loop(0, count) as j:
        a[t.add(j, 1), j] = ComplexElement(into.beside[j], number(t, 0))
    store_matrices(t, "%form", "%memory", size)
    t.separate("%diagonals", real.diagonal.memory, n)
    t.separate("%beside", real.beside.memory, count)
    store_matrices(t, "%taus", taus, count)
    t.store_integers("%infos", "zeroinitializer", 1, 0)
    return t.text()


def scatter_item(
    memory: str,
    ranks: LaneArray,
    place: tuple[Word, Word],
    n: Word,
    finite: Mask,
    value: ComplexElement,
) -> None:
    """Stores an element in the column that its rank says; NaN if its matrix is not finite."""
    text, (i, j) = ranks.text, place
    not_a_number = number(text, float("nan"))
    row = text.multiply(n, 2)
    for position, part in enumerate((value.real, value.imaginary)):
        start = text.element(memory, str(position))
        scatter(start, ranks, j, (2, row), i, finite.choose(part, not_a_number))


def multiply(
    a: ComplexMatrix, taus: ComplexArray, z: LaneMatrix, v: ComplexMatrix, n: Word
) -> None:
    """Stores the product of the reflectors below a diagonal and a real matrix."""
    text, count = a.text, a.text.add(n, -1)
    zero = number(text, 0)
    with text.loop(0, n) as i, text.loop(0, n) as j:
        v[i, j] = ComplexElement(z[i, j], zero)
    below, rest = a.part(1, 0), v.part(1, 0)
    with downwards(text, 0, count) as j:
        reflect(below.column_of(j), taus[j], rest, (j, count), n)


def scale_triangle(a: ComplexMatrix, n: Word) -> tuple[Mask, Vector]:
    """Scales a lower triangle; see ``symmetric.scale_triangle``. The diagonal becomes real."""
    text, zero = a.text, number(a.text, 0)
    with text.loop(0, n) as i:
        a[i, i] = ComplexElement(a[i, i].real, zero)
    largest, zeros = variable(text, zero), variable(text, zero)
    with text.loop(0, n) as i, text.loop(0, text.add(i, 1)) as k:
        item = a[i, k]
        largest.set(larger(item.size(), largest.get()))
        for part in (item.real, item.imaginary):
            zeros.set(part.times_plus(zero, zeros.get()))
    finite = zeros.get().is_zero()
    scale, inverse = power_of_two(largest.get())
    with text.loop(0, n) as i, text.loop(0, text.add(i, 1)) as k:
        a[i, k] = choose(finite, a[i, k].times(scale), constant(text, 0))
    return finite, inverse


def reduce_to_tridiagonal(
    a: ComplexMatrix, into: TridiagonalMatrix, taus: ComplexArray, products: ComplexArray
) -> None:
    """Replaces the lower triangle of a matrix by reflectors."""
    text, n = a.text, into.n
    with text.loop(0, text.add(n, -1)) as j:
        after, column = text.add(j, 1), a.column_of(j)
        tau = reflector(column, after, n)
        taus[j], into.beside[j] = tau, column[after].real
        column[after] = constant(text, 1)
        with text.when(text.any((~is_zero(tau)).name)):
            update_triangle(a, column, tau, after, (n, products))
    with text.loop(0, n) as j:
        into.diagonal[j] = a[j, j].real


def update_triangle(
    a: ComplexMatrix,
    v: ComplexArray,
    tau: ComplexElement,
    start: Word,
    memory: tuple[Word, ComplexArray],
) -> None:
    """Replaces the lower triangle of A from ``start`` on by that of H^H A H."""
    text, (n, products) = a.text, memory
    zero, keeps = constant(text, 0), is_zero(tau)
    with text.loop(start, n) as i:
        products[i] = zero
    with text.loop(start, n) as i:
        factor = v[i]
        real, imaginary = (variable(text, number(text, 0)) for _ in range(2))
        with text.loop(start, i) as k:
            item = a[i, k]
            total = ComplexElement(real.get(), imaginary.get()).plus_product(item, v[k])
            real.set(total.real)
            imaginary.set(total.imaginary)
            products[k] = products[k].plus_product(item.conjugate(), factor)
        own = ComplexElement(real.get(), imaginary.get()) + factor.times(a[i, i].real)
        products[i] = products[i] + own
    real, imaginary = (variable(text, number(text, 0)) for _ in range(2))
    with text.loop(start, n) as i:
        product = choose(keeps, zero, products[i] * tau)
        products[i] = product
        total = ComplexElement(real.get(), imaginary.get()).plus_product(product.conjugate(), v[i])
        real.set(total.real)
        imaginary.set(total.imaginary)
    alpha = (tau * ComplexElement(real.get(), imaginary.get())).times(number(text, -0.5))
    alpha = choose(keeps, zero, alpha)
    with text.loop(start, n) as i:
        products[i] = products[i].plus_product(alpha, v[i])
    with text.loop(start, n) as i:
        factor, product = v[i], products[i]
        with text.loop(start, text.add(i, 1)) as k:
            item = a[i, k]
            rest = item.minus_product(factor, products[k].conjugate())
            a[i, k] = choose(keeps, item, rest.minus_product(product, v[k].conjugate()))
        a[i, i] = ComplexElement(a[i, i].real, number(text, 0))

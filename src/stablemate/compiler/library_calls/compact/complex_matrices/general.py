"""Eigenvalues, eigenvectors and Schur forms of complex matrices; see ``eigen.routines``.

Source: LAPACK Users' Guide, geev and gees.
"""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.complex_matrices.eigenvectors import eigenvectors
from stablemate.compiler.library_calls.compact.complex_matrices.matrices import (
    ComplexArray,
    ComplexMatrix,
    after_matrix,
    complex_function,
    constant,
    load_matrices,
    store_matrices,
)
from stablemate.compiler.library_calls.compact.complex_matrices.reflectors import (
    factor_hessenberg,
    reflect,
)
from stablemate.compiler.library_calls.compact.complex_matrices.schur_forms import (
    ComplexSchur,
    iterate,
)
from stablemate.compiler.library_calls.compact.complex_vectors import ComplexElement, choose
from stablemate.compiler.library_calls.compact.eigen.balancing import (
    Balance,
    balance_at,
    isolate_eigenvalues,
    restore_rows,
    scale_rows,
)
from stablemate.compiler.library_calls.compact.eigen.routines import (
    BEFORE,
    NOT_FINITE,
    scale_of,
)
from stablemate.compiler.library_calls.compact.text import WORD, LlvmFunctionBuilder, VectorElements
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    Mask,
    Vector,
    Word,
    downwards,
    integers,
    larger,
    number,
    variable,
)
from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ComplexRoutineArrays:
    """The arrays of a routine in memory.

    Attributes:
        m: The Schur form and what is multiplied by the transformations.
        taus: The factors of reflectors.
        order: The exchanges of rows.
        scales: The factors of rows.
        x: A vector.
        rest: Memory for a matrix.
    """

    m: ComplexSchur
    taus: ComplexArray
    order: str
    scales: str
    x: ComplexArray
    rest: str

    @property
    def matrix(self) -> ComplexMatrix:
        """The memory for a matrix, as one."""
        return ComplexMatrix(self.m.text, self.rest, self.m.n, 1)


def places_in_memory(t: LlvmFunctionBuilder, n: Word, wants: Word) -> ComplexRoutineArrays:
    """The arrays, one after the other; no transformations if no vectors are wanted."""
    wide = t.add(n, 1)
    size = t.multiply(wide, wide)
    h = after_matrix(t, "%memory", t.add(n, BEFORE))
    z = after_matrix(t, h, size)
    arrays = [after_matrix(t, z, t.multiply(wide, n))]
    for _ in range(4):
        arrays.append(after_matrix(t, arrays[-1], n))
    taus, order, scales, x, rest = arrays
    numbers = ComplexArray(t, "%memory")
    with t.loop(0, t.add(size, t.add(n, BEFORE))) as e:
        numbers[e] = constant(t, 0)
    is_wanted = t.value(f"icmp ne {WORD} {wants}, 0")
    rows = t.value(f"select i1 {is_wanted}, {WORD} {n}, {WORD} 0")
    m = ComplexSchur(n, ComplexMatrix(t, h, wide, 1), ComplexMatrix(t, z, wide, 1), rows)
    return ComplexRoutineArrays(m, ComplexArray(t, taus), order, scales, ComplexArray(t, x), rest)


def load_scaled(t: LlvmFunctionBuilder, places: ComplexRoutineArrays) -> tuple[Mask, Vector]:
    """Loads the matrices; zeros replace one that is not finite.

    Returns:
        Which are finite, and the inverse of the power of two by which a matrix was scaled.
    """
    n, h, zero, one = places.m.n, places.m.h, number(t, 0), number(t, 1)
    load_matrices(t, places.rest, "%source", t.multiply(n, n))
    source = places.matrix
    largest, zeros = variable(t, zero), variable(t, zero)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        item = source[i, j]
        largest.set(larger(item.size(), largest.get()))
        for part in (item.real, item.imaginary):
            zeros.set(part.times_plus(zero, zeros.get()))
    finite = zeros.get().is_zero()
    scale, inverse = scale_of(t, largest.get(), one)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        h[i, j] = choose(finite, source[i, j].times(scale), constant(t, 0))
    return finite, inverse


def reduce(t: LlvmFunctionBuilder, places: ComplexRoutineArrays, limit: Word) -> Integers:
    """Replaces a matrix by its Schur form, and Z by the transformations; the status of each."""
    m, taus = places.m, places.taus
    count = t.add(m.n, -1)
    factor_hessenberg(m.h, taus, m.n, count)
    with t.loop(0, m.z_rows) as i:
        with t.loop(0, m.n) as j:
            m.z[i, j] = constant(t, 0)
        m.z[i, i] = constant(t, 1)
    with t.when(t.value(f"icmp ne {WORD} {m.z_rows}, 0")), downwards(t, 0, count) as j:
        after = t.add(j, 1)
        columns = t.subtract(m.n, after)
        reflect(m.h.column_of(j), taus[j], m.z.part(0, after), (after, m.n), columns)
    return iterate(m, limit)


def store_finite(
    t: LlvmFunctionBuilder,
    places: ComplexRoutineArrays,
    target: str,
    a: ComplexMatrix,
    finite: Mask,
    otherwise: ComplexElement,
) -> None:
    """Stores matrices, and another number for all elements of those that are not finite."""
    n, work = places.m.n, places.matrix
    with t.loop(0, n) as i, t.loop(0, n) as j:
        work[i, j] = choose(finite, a[i, j], otherwise)
    store_matrices(t, target, places.rest, t.multiply(n, n))


def store_values(
    t: LlvmFunctionBuilder,
    places: ComplexRoutineArrays,
    finite: Mask,
    inverse: Vector,
    otherwise: ComplexElement,
) -> None:
    """Stores the eigenvalues, and another number for those of matrices that are not finite."""
    m = places.m
    with t.loop(0, m.n) as k:
        places.x[k] = choose(finite, m.h[k, k].times(inverse), otherwise)
    store_matrices(t, "%values", places.x.memory, str(m.n))


def geev(elements: VectorElements) -> str:
    """``values, left, right, infos, source, counts, parameters, memory``.

    The parameters are the order, whether there are left and whether there are right vectors, and
    the largest number of sweeps for an eigenvalue. All results are zeros for a matrix that is not
    finite.
    """
    names = "values left right infos source counts parameters memory"
    t = complex_function("geev", elements, names)
    n, wants_left, wants_right, limit = (t.parameter(position) for position in range(4))
    places = places_in_memory(t, n, t.add(wants_left, wants_right))
    finite, inverse = load_scaled(t, places)
    balance = balance_at(t, n, places.order, places.scales)
    isolate_eigenvalues(places.m.h, balance)
    scale_rows(places.m.h, balance)
    infos = reduce(t, places, limit)
    for target, wants in (("%left", wants_left), ("%right", wants_right)):
        with t.when(t.value(f"icmp ne {WORD} {wants}, 0")):
            store_vectors(t, places, balance, finite, target)
    store_values(t, places, finite, inverse, constant(t, 0))
    infos = finite.choose_integers(infos, integers(t, NOT_FINITE))
    t.store_integers("%infos", infos.name, 1, 0)
    return t.text()


def store_vectors(
    t: LlvmFunctionBuilder, places: ComplexRoutineArrays, balance: Balance, finite: Mask,
    target: str,
) -> None:  # fmt: skip
    """Computes the eigenvectors of a side and stores them."""
    out = places.matrix
    eigenvectors(places.m, places.x, balance, out, left=target == "%left")
    store_finite(t, places, target, out, finite, constant(t, 0))


def gees(elements: VectorElements) -> str:
    """``form, vectors, values, chosen, infos, source, counts, parameters, memory``.

    The parameters are the order, whether there are vectors, and the largest number of sweeps for an
    eigenvalue. All numbers are NaN for a matrix that is not finite.
    """
    names = "form vectors values chosen infos source counts parameters memory"
    t = complex_function("gees", elements, names)
    n, wants, limit = (t.parameter(position) for position in range(3))
    places = places_in_memory(t, n, wants)
    finite, inverse = load_scaled(t, places)
    balance = balance_at(t, n, places.order, places.scales)
    isolate_eigenvalues(places.m.h, balance)
    infos = reduce(t, places, limit)
    m, nan = places.m, ComplexElement(number(t, float("nan")), number(t, float("nan")))
    store_values(t, places, finite, inverse, nan)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        m.h[i, j] = m.h[i, j].times(inverse)
    store_finite(t, places, "%form", m.h, finite, nan)
    with t.when(t.value(f"icmp ne {WORD} {wants}, 0")):
        restore_rows(m.z, n, balance)
        store_finite(t, places, "%vectors", m.z, finite, nan)
    infos = finite.choose_integers(infos, integers(t, n))
    t.store_integers("%chosen", "zeroinitializer", 1, 0)
    t.store_integers("%infos", infos.name, 1, 0)
    return t.text()

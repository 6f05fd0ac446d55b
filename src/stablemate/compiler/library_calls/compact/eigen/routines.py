"""Eigenvalues, eigenvectors and Schur forms of real matrices that are not symmetric.

Source: LAPACK Users' Guide, geev and gees.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.compact.complex_vectors import Items
from stablemate.compiler.library_calls.compact.eigen.balancing import (
    Balance,
    balance_at,
    isolate_eigenvalues,
    restore_rows,
    scale_rows,
)
from stablemate.compiler.library_calls.compact.eigen.eigenvectors import eigenvectors
from stablemate.compiler.library_calls.compact.eigen.quasi_triangular import iterate
from stablemate.compiler.library_calls.compact.eigen.schur_forms import Schur, eigenvalues
from stablemate.compiler.library_calls.compact.reflectors import factor_hessenberg, multiply_by_q
from stablemate.compiler.library_calls.compact.text import (
    LlvmFunctionBuilder,
    VectorElements,
    function,
)
from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    LaneArray,
    LaneMatrix,
    Mask,
    Vector,
    Word,
    fill,
    integers,
    larger,
    number,
    power_of_two,
    smaller,
    variable,
)
from stablemate.deferred_dataclasses import dataclass

# Matrices are scaled if their largest element is not between this number and its inverse.
SMALLEST_UNSCALED: Final = {"s": 2.0**-40, "d": 2.0**-459}
BEFORE: Final = 3  # zeros before the Hessenberg form, and as many as it has rows
NOT_FINITE: Final = -4  # the status of geev for a matrix that is not finite


@dataclass(frozen=True, slots=True)
class RoutineArrays:
    """The arrays of a routine in memory.

    Attributes:
        m: The Schur form and what is multiplied by the transformations.
        taus: The factors of reflectors.
        order: The exchanges of rows.
        scales: The factors of rows.
        x: A complex vector.
        rest: Memory for two matrices.
    """

    m: Schur
    taus: LaneArray
    order: str
    scales: str
    x: Items
    rest: str


def places_in_memory(t: LlvmFunctionBuilder, n: Word) -> RoutineArrays:
    """The arrays, one after the other."""
    wide = t.add(n, 1)
    h = t.element("%memory", t.add(n, BEFORE))
    z = t.element(h, t.multiply(wide, wide))
    arrays = [t.element(z, t.multiply(wide, n))]
    for _ in range(5):
        arrays.append(t.element(arrays[-1], str(n)))
    taus, order, scales, real, imaginary, rest = arrays
    with t.loop(0, t.add(t.multiply(wide, wide), t.add(n, BEFORE))) as e:
        t.store("%memory", e, "zeroinitializer")
    schur = Schur(n, LaneMatrix(t, h, wide, 1), LaneMatrix(t, z, wide, 1))
    x = Items(LaneArray(t, real), LaneArray(t, imaginary))
    return RoutineArrays(schur, LaneArray(t, taus), order, scales, x, rest)


def load_scaled(t: LlvmFunctionBuilder, places: RoutineArrays) -> tuple[Mask, Vector]:
    """Loads the matrices; zeros replace one that is not finite.

    Returns:
        Which are finite, and the inverse of the power of two by which a matrix was scaled.
    """
    n, h, zero, one = places.m.n, places.m.h, number(t, 0), number(t, 1)
    t.interleave(places.rest, "%source", t.multiply(n, n))
    source = LaneMatrix(t, places.rest, n, 1)
    largest, zeros = variable(t, zero), variable(t, zero)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        item = source[i, j]
        largest.set(larger(abs(item), largest.get()))
        zeros.set(item.times_plus(zero, zeros.get()))
    finite = zeros.get().is_zero()
    scale, inverse = scale_of(t, largest.get(), one)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        h[i, j] = finite.choose(source[i, j] * scale, zero)
    return finite, inverse


def scale_of(t: LlvmFunctionBuilder, largest: Vector, one: Vector) -> tuple[Vector, Vector]:
    """The power of two by which matrices are scaled, and its inverse; one for usual matrices."""
    scale, inverse = power_of_two(largest)
    limit = number(t, SMALLEST_UNSCALED[t.letter])
    is_usual = smaller(scale, inverse).compare("oge", limit)
    return is_usual.choose(one, scale), is_usual.choose(one, inverse)


def reduce(t: LlvmFunctionBuilder, places: RoutineArrays, limit: Word) -> Integers:
    """Replaces a matrix by its Schur form, and Z by the transformations; the status of each."""
    m = places.m
    count = t.add(m.n, -1)
    factor_hessenberg(m.h, places.taus, m.n, count)
    wide = t.add(m.n, 1)
    fill(m.z, m.n, wide, number(t, 0), number(t, 1))
    multiply_by_q(m.h.part(1, 0), places.taus, m.z.part(1, 1), (count, count, count))
    return iterate(m, limit)


def store_values(
    t: LlvmFunctionBuilder, places: RoutineArrays, finite: tuple[Mask, Vector], inverse: Vector
) -> None:
    """Stores the real and the imaginary parts of eigenvalues."""
    h, n, (is_finite, otherwise) = places.m.h, places.m.n, finite
    with t.loop(0, n) as k:
        real, imaginary = eigenvalues(h, k)
        places.x.real[k] = is_finite.choose(real * inverse, otherwise)
        places.x.imaginary[k] = is_finite.choose(imaginary * inverse, otherwise)
    t.separate("%reals", places.x.real.memory, str(n))
    t.separate("%imaginaries", places.x.imaginary.memory, str(n))


def geev(elements: VectorElements) -> str:
    """``reals, imaginaries, left, right, infos, source, counts, parameters, memory``.

    The parameters are the order, whether there are left and whether there are right vectors, and
    the largest number of sweeps for an eigenvalue. All results are zeros for a matrix that is not
    finite.
    """
    names = "reals imaginaries left right infos source counts parameters memory"
    t = function("geev", elements, names)
    n, wants_left, wants_right, limit = (t.parameter(position) for position in range(4))
    zero = number(t, 0)
    places = places_in_memory(t, n)
    finite, inverse = load_scaled(t, places)
    balance = balance_at(t, n, places.order, places.scales)
    isolate_eigenvalues(places.m.h, balance)
    scale_rows(places.m.h, balance)
    infos = reduce(t, places, limit)
    store_values(t, places, (finite, zero), inverse)
    with t.when(t.value(f"icmp ne i64 {wants_right}, 0")):
        store_vectors(t, places, balance, finite, left=False)
    with t.when(t.value(f"icmp ne i64 {wants_left}, 0")):
        turn_around(places.m)
        store_vectors(t, places, balance, finite, left=True)
    infos = finite.choose_integers(infos, integers(t, NOT_FINITE))
    t.store_integers("%infos", infos.name, 1, 0)
    return t.text()


def turn_around(m: Schur) -> None:
    """Transposes the Schur form about its other diagonal, and reverses the columns of Z.

    Left eigenvectors become right ones, in reverse order.
    """
    text, n, h = m.text, m.n, m.h
    last = text.add(n, -1)
    with text.loop(0, n) as i:
        opposite = text.subtract(last, i)
        with text.loop(0, opposite) as j:
            other = text.subtract(last, j), opposite
            h[i, j], h[other] = h[other], h[i, j]
    with text.loop(0, text.value(f"sdiv i64 {n}, 2")) as j:
        opposite = text.subtract(last, j)
        with text.loop(0, n) as i:
            m.z[i, j], m.z[i, opposite] = m.z[i, opposite], m.z[i, j]


def store_vectors(
    t: LlvmFunctionBuilder, places: RoutineArrays, balance: Balance, finite: Mask, *, left: bool
) -> None:  # fmt: skip
    """Computes the eigenvectors of a side and stores them; see ``turn_around`` for left ones."""
    n = places.m.n
    row = t.multiply(n, 2)
    first = t.add(row, -2) if left else "0"
    step = -2 if left else 2
    out = [
        LaneMatrix(t, t.element(places.rest, t.add(first, part)), row, step) for part in range(2)
    ]
    eigenvectors(places.m, places.x, balance, (out[0], out[1]), left=left)
    size = t.multiply(n, row)
    entries = LaneArray(t, places.rest)
    with t.loop(0, size) as e:
        entries[e] = finite.choose(entries[e], number(t, 0))
    t.separate("%left" if left else "%right", places.rest, size)


def gees(elements: VectorElements) -> str:
    """``form, vectors, reals, imaginaries, chosen, infos, source, counts, parameters, memory``.

    The parameters are those of geev. All numbers are NaN for a matrix that is not finite.
    """
    names = "form vectors reals imaginaries chosen infos source counts parameters memory"
    t = function("gees", elements, names)
    n, wants, limit = (t.parameter(position) for position in range(3))
    places = places_in_memory(t, n)
    finite, inverse = load_scaled(t, places)
    balance = balance_at(t, n, places.order, places.scales)
    isolate_eigenvalues(places.m.h, balance)
    infos = reduce(t, places, limit)
    nan, size = number(t, float("nan")), t.multiply(n, n)
    work = LaneMatrix(t, places.rest, n, 1)
    with t.loop(0, n) as i, t.loop(0, n) as j:
        work[i, j] = finite.choose(places.m.h[i, j] * inverse, nan)
    t.separate("%form", places.rest, size)
    with t.when(t.value(f"icmp ne i64 {wants}, 0")):
        restore_rows(places.m.z, n, balance)
        with t.loop(0, n) as i, t.loop(0, n) as j:
            work[i, j] = finite.choose(places.m.z[i, j], nan)
        t.separate("%vectors", places.rest, size)
    store_values(t, places, (finite, nan), inverse)
    infos = finite.choose_integers(infos, integers(t, n))
    t.store_integers("%chosen", "zeroinitializer", 1, 0)
    t.store_integers("%infos", infos.name, 1, 0)
    return t.text()

"""The calls of LAPACK that carry out JAX's custom calls for one matrix.

Matrices of the program are in row-major order. They are transposed into scratch memory, as LAPACK
expects them, and results back, where the transposed problem is not one that LAPACK solves. What
LAPACK leaves undefined is zero.

Source: LAPACK Users' Guide, the routine of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from stablemate.compiler.library_calls.calls import Reference, SequenceBuilder
from stablemate.compiler.library_calls.workspaces import ASK, UNUSED, WORK, workspace_size
from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.custom_calls.lapack_routines import NOT_FINITE
from stablemate.numerics.elements import DType

INDEX_BYTES: Final = 4  # of LAPACK's integers
OPPOSITE: Final[Mapping[str, Mapping[str, str]]] = {
    "side": {"L": "R", "R": "L"},
    "uplo": {"L": "U", "U": "L"},
}
ANY: Final = "*"  # a result that is filled with zeros, whatever its type


@dataclass(slots=True)
class Matrices:
    """A custom call for one matrix of a batch, and its calls.

    Attributes:
        builder: The calls.
        letter: LAPACK's letter for the element type.
        dtype: The element type.
        sizes: The sizes of dimensions, by their letters.
        options: The options of the custom call.
        alpha: The number of the operand that scales; None for 1.
    """

    builder: SequenceBuilder
    letter: str
    dtype: DType
    sizes: Mapping[str, int]
    options: Mapping[str, Any]
    alpha: int | None = None

    @property
    def is_complex(self) -> bool:
        """Whether the elements are complex numbers."""
        return self.dtype.kind == "c"

    @property
    def real_bytes(self) -> int:
        """The bytes of a real number."""
        return self.dtype.itemsize // (2 if self.is_complex else 1)

    @property
    def real_letter(self) -> str:
        """The letter of real numbers as the parts of elements."""
        return "s" if self.real_bytes == np.dtype(np.float32).itemsize else "d"

    def elements(self, count: int) -> Reference:
        """Reserves scratch memory for ``count`` elements."""
        return self.builder.scratch(count * self.dtype.itemsize)

    def reals(self, count: int) -> Reference:
        """Scratch memory for real numbers."""
        return self.builder.scratch(count * self.real_bytes)

    def indices(self, count: int) -> Reference:
        """Reserves scratch memory for ``count`` integers of LAPACK's width."""
        return self.builder.scratch(count * INDEX_BYTES)

    def number(self, value: int) -> Reference:
        """Passes an integer by reference, as Fortran takes it."""
        return self.builder.number(value)

    def option(self, name: str) -> Reference:
        """A letter among the options."""
        return self.builder.letter(self.options[name])

    def opposite(self, name: str) -> Reference:
        """The other triangle or side than the letter among the options."""
        return self.builder.letter(OPPOSITE[name][self.options[name]])

    def copy_operand(self, result: int, operand: int, elements: int) -> Reference:
        """A result that holds an operand, or scratch memory in its place."""
        size = elements * self.dtype.itemsize
        memory = self.builder.result(result, size)
        self.copy(memory, self.builder.operand(operand), size)
        return memory

    def routine(self, name: str, *arguments: Reference, guard: Reference | None = None) -> None:
        """Adds the call of a routine."""
        self.builder.call(self.letter + name, *arguments, guard=guard)

    @contextmanager
    def without_subnormal_results(self) -> Generator[None]:
        """Calls whose results are zero where they would be subnormal."""
        saved = self.indices(1)
        self.builder.call("flush_subnormals", saved)
        yield
        self.builder.call("restore_subnormals", saved)

    def invalidate(self, memory: Reference, count: int, status: Reference) -> None:
        """Fills real numbers with NaN if a status is not 0."""
        function = f"blocked_{self.real_letter}invalidate"
        self.builder.call(function, memory, status, self.number(count))

    def matrix(self, operand: int, rows: int, columns: int) -> Reference:
        """An operand in scratch memory, in column-major order."""
        memory = self.elements(rows * columns)
        self.transpose(memory, self.builder.operand(operand), rows, columns)
        return memory

    def give(self, result: int, memory: Reference, rows: int, columns: int) -> None:
        """Makes a matrix in column-major order a result."""
        if result < len(self.builder.result_bytes):
            self.transpose(self.builder.result(result), memory, columns, rows)

    def transpose(self, to: Reference, source: Reference, rows: int, columns: int) -> None:
        """Adds a transposition of a matrix in row-major order."""
        size = self.dtype.itemsize
        if min(rows, columns) == 1:
            self.copy(to, source, rows * columns * size)
            return
        name = f"transpose_{size}"
        self.builder.call(name, to, source, self.number(rows), self.number(columns))

    def copy(self, to: Reference, source: Reference, size: int) -> None:
        """Adds a copy of bytes."""
        self.builder.call("copy", to, source, self.number(size))

    def zero(self, result: int) -> None:
        """Fills a result with zeros."""
        if result < len(self.builder.result_bytes) and self.builder.result_bytes[result]:
            size = self.number(self.builder.result_bytes[result])
            self.builder.call("zero", self.builder.result(result), size)

    def zeros(self, count: int) -> Reference:
        """Scratch memory with zeros, which are left where a routine fails."""
        memory = self.elements(count)
        self.builder.call("zero", memory, self.number(count * self.dtype.itemsize))
        return memory

    def info(self, result: int) -> Reference:
        """Where the result is that says whether a routine succeeded."""
        return self.builder.result(result, INDEX_BYTES)

    def vector(self, result: int, count: int, *, is_real: bool = False) -> Reference:
        """Where a vector of so many elements is that is a result."""
        size = self.real_bytes if is_real else self.dtype.itemsize
        return self.builder.result(result, count * size)

    def rescale(self, memory: Reference, count: int) -> Reference:
        """Makes elements neither tiny nor huge, and gives the inverse of the factor."""
        inverse, parts = self.reals(1), self.number(count * (2 if self.is_complex else 1))
        self.builder.call(f"rescale_{self.real_letter}", memory, parts, inverse)
        return inverse

    def multiply(self, memory: Reference, count: int, factor: Reference) -> None:
        """Multiplies elements by a real number."""
        parts = self.number(count * (2 if self.is_complex else 1))
        self.builder.call(f"multiply_{self.real_letter}", memory, parts, factor)

    def work(self, name: str, *arguments: int | str) -> tuple[Reference, Reference]:
        """A workspace of the size that a routine wants, and that size."""
        size = workspace_size(self.letter, name, *arguments)
        return self.elements(size), self.number(size)


def potrf(m: Matrices) -> None:
    """Cholesky: the factor in one triangle, the other one as it was.

    In column-major order the memory is the transpose, whose factor is the transpose of the other
    triangle.
    """
    n = m.sizes["n"]
    a = m.copy_operand(0, 0, n * n)
    m.routine("potrf", m.opposite("uplo"), m.number(n), a, m.number(n), m.info(1))


def getrf(m: Matrices) -> None:
    """LU: both factors in one matrix, and the row swapped with each."""
    rows, columns = m.sizes["m"], m.sizes["n"]
    a, pivots = m.matrix(0, rows, columns), m.builder.result(1, INDEX_BYTES * min(rows, columns))
    m.routine("getrf", m.number(rows), m.number(columns), a, m.number(rows), pivots, m.info(2))
    m.give(0, a, rows, columns)


def geqrf(m: Matrices) -> None:
    """QR: R above reflectors, and their factors."""
    rows, columns = m.sizes["m"], m.sizes["n"]
    a = m.matrix(0, rows, columns)
    work, size = m.work("geqrf", rows, columns, UNUSED, rows, UNUSED, WORK, ASK, UNUSED)
    m.routine(
        "geqrf", m.number(rows), m.number(columns), a, m.number(rows),
        m.vector(1, min(rows, columns)), work, size, m.info(2),
    )  # fmt: skip
    m.give(0, a, rows, columns)


def geqp3(m: Matrices) -> None:
    """Calls ``geqp3``: a P = Q R, with columns pivoted in the order it returns."""
    rows, columns = m.sizes["m"], m.sizes["n"]
    a, order = m.matrix(0, rows, columns), m.builder.result(1, INDEX_BYTES * columns)
    m.copy(order, m.builder.operand(1), INDEX_BYTES * columns)
    rest: list[int | str] = [UNUSED] * (2 if m.is_complex else 1)
    work, size = m.work("geqp3", rows, columns, UNUSED, rows, UNUSED, UNUSED, WORK, ASK, *rest)
    m.routine(
        "geqp3", m.number(rows), m.number(columns), a, m.number(rows), order,
        m.vector(2, min(rows, columns)), work, size,
        *([m.reals(2 * columns)] if m.is_complex else []), m.info(3),
    )  # fmt: skip
    m.give(0, a, rows, columns)


def orgqr(m: Matrices) -> None:
    """The columns of Q from the reflectors of QR."""
    name = "ungqr" if m.is_complex else "orgqr"
    rows, columns, count = m.sizes["m"], m.sizes["n"], m.sizes["k"]
    a = m.matrix(0, rows, columns)
    work, size = m.work(name, rows, columns, count, UNUSED, rows, UNUSED, WORK, ASK, UNUSED)
    m.routine(
        name, m.number(rows), m.number(columns), m.number(count), a, m.number(rows),
        m.builder.operand(1), work, size, m.info(1),
    )  # fmt: skip
    m.give(0, a, rows, columns)


def ormqr(m: Matrices) -> None:
    """Q times a matrix, from either side."""
    name = "unmqr" if m.is_complex else "ormqr"
    side = "L" if m.options["left"] else "R"
    adjoint = "C" if m.is_complex else "T"
    trans = adjoint if m.options["transpose"] else "N"
    rows, columns, count = m.sizes["m"], m.sizes["n"], m.sizes["k"]
    order = m.sizes["r"]
    a, c = m.matrix(0, order, m.sizes["q"]), m.matrix(2, rows, columns)
    work, size = m.work(
        name, side, trans, rows, columns, count, UNUSED, order, UNUSED, UNUSED, rows, WORK, ASK,
        UNUSED,
    )  # fmt: skip
    m.routine(
        name, m.builder.letter(side), m.builder.letter(trans), m.number(rows), m.number(columns),
        m.number(count), a, m.number(order), m.builder.operand(1), c, m.number(rows), work, size,
        m.info(1),
    )  # fmt: skip
    m.give(0, c, rows, columns)


def gesdd(m: Matrices) -> None:
    """Singular values and vectors, by divide and conquer.

    LAPACK does not end for some matrices with an infinity: their results are not numbers.
    """
    rows, columns, mode = m.sizes["m"], m.sizes["n"], m.options["mode"]
    least, most = min(rows, columns), max(rows, columns)
    left, right = vectors_of(m)
    a, u, v = m.matrix(0, rows, columns), m.zeros(rows * left), m.zeros(right * columns)
    m.zero(1)
    info, values = m.info(4), m.vector(1, least, is_real=True)
    failed = add_finite(m, info, a, rows * columns, NOT_FINITE)
    reals = 7 * least if mode == "N" else least * max(5 * least + 7, 2 * most + 2 * least + 1)
    asked: list[int | str] = [mode, rows, columns, UNUSED, rows, UNUSED, UNUSED, rows, UNUSED]
    work, size = m.work("gesdd", *asked, right, WORK, ASK, *[UNUSED] * (3 if m.is_complex else 2))
    m.routine(
        "gesdd", m.option("mode"), m.number(rows), m.number(columns), a, m.number(rows),
        values, u, m.number(rows), v, m.number(right), work, size,
        *([m.reals(reals)] if m.is_complex else []), m.indices(8 * least), info, guard=failed,
    )  # fmt: skip
    give_singular_vectors(m, u, v, failed)


def gesvd(m: Matrices) -> None:
    """Singular values and vectors, by QR iteration."""
    rows, columns, mode = m.sizes["m"], m.sizes["n"], m.options["mode"]
    left, right = vectors_of(m)
    a, u, v = m.matrix(0, rows, columns), m.zeros(rows * left), m.zeros(right * columns)
    m.zero(1)
    info, values = m.info(4), m.vector(1, min(rows, columns), is_real=True)
    failed = add_finite(m, info, a, rows * columns, NOT_FINITE)
    asked: list[int | str] = [mode, mode, rows, columns, UNUSED, rows, UNUSED, UNUSED, rows, UNUSED]
    work, size = m.work("gesvd", *asked, right, WORK, ASK, *[UNUSED] * (2 if m.is_complex else 1))
    m.routine(
        "gesvd", m.option("mode"), m.option("mode"), m.number(rows), m.number(columns), a,
        m.number(rows), values, u, m.number(rows), v, m.number(right), work, size,
        *([m.reals(5 * min(rows, columns))] if m.is_complex else []), info, guard=failed,
    )  # fmt: skip
    give_singular_vectors(m, u, v, failed)


def vectors_of(m: Matrices) -> tuple[int, int]:
    """How many left and right singular vectors there are; one in place of none."""
    rows, columns = m.sizes["m"], m.sizes["n"]
    least = min(rows, columns)
    return {"A": (rows, columns), "S": (least, least), "N": (1, 1)}[m.options["mode"]]


def give_singular_vectors(m: Matrices, u: Reference, v: Reference, failed: Reference) -> None:
    """Makes singular vectors results; they and the values are NaN if a status is not 0."""
    rows, columns, parts = m.sizes["m"], m.sizes["n"], 2 if m.is_complex else 1
    m.zero(0)
    m.invalidate(m.vector(1, min(rows, columns), is_real=True), min(rows, columns), failed)
    if m.options["mode"] == "N":
        m.zero(2)
        m.zero(3)
        return
    left, right = vectors_of(m)
    m.invalidate(u, parts * rows * left, failed)
    m.invalidate(v, parts * right * columns, failed)
    m.give(2, u, rows, left)
    m.give(3, v, right, columns)


def syevd(m: Matrices) -> None:
    """Eigenvectors and eigenvalues of a Hermitian matrix, of which one triangle counts."""
    n = m.sizes["n"]
    a, values = m.matrix(0, n, n), m.vector(1, n, is_real=True)
    size, reals, integers = 1 + 6 * n + 2 * n * n, 1 + 5 * n + 2 * n * n, 3 + 5 * n
    if m.is_complex:
        size = 2 * n + n * n
    m.routine(
        "heevd" if m.is_complex else "syevd", m.option("mode"), m.option("uplo"), m.number(n), a,
        m.number(n), values, m.elements(size), m.number(size),
        *([m.reals(reals), m.number(reals)] if m.is_complex else []),
        m.indices(integers), m.number(integers), m.info(2),
    )  # fmt: skip
    if m.options["mode"] == "V":
        m.give(0, a, n, n)
    else:
        m.zero(0)


def geev(m: Matrices) -> None:
    """Eigenvalues, left and right eigenvectors; none for a matrix that is not finite."""
    n, parts = m.sizes["n"], 1 if m.is_complex else 2
    a, info = m.matrix(0, n, n), m.info(parts + 2)
    for result in range(parts + 2):
        m.zero(result)
    failed = add_finite(m, info, a, n * n, NOT_FINITE)
    values = [m.vector(result, n) for result in range(parts)]
    inverse = m.rescale(a, n * n)
    left, right = m.elements(n * n), m.elements(n * n)
    modes = [m.options["compute_left"], m.options["compute_right"]]
    rest: list[int | str] = [UNUSED] * (2 if m.is_complex else 1)
    work, size = m.work(
        "geev", *modes, n, UNUSED, n, *[UNUSED] * parts, UNUSED, n, UNUSED, n, WORK, ASK, *rest
    )
    with m.without_subnormal_results():
        m.routine(
            "geev", m.option("compute_left"), m.option("compute_right"), m.number(n), a,
            m.number(n), *values, left, m.number(n), right, m.number(n), work, size,
            *([m.reals(2 * n)] if m.is_complex else []), info, guard=failed,
        )  # fmt: skip
    for part in values:
        m.multiply(part, n, inverse)
    for result, (mode, vectors) in enumerate(zip(modes, (left, right), strict=True), parts):
        if mode == "V":
            give_eigenvectors(m, result, vectors, values, info)


def give_eigenvectors(
    m: Matrices, result: int, vectors: Reference, values: Sequence[Reference], info: Reference
) -> None:
    """Makes the eigenvectors of geev a result, if it succeeded."""
    n, size = m.number(m.sizes["n"]), m.dtype.itemsize
    to = m.builder.result(result)
    if m.is_complex:
        m.builder.call(f"transpose_{size}", to, vectors, n, n, guard=info)
    else:
        m.builder.call(f"pairs_{m.letter}", to, vectors, values[1], n, guard=info)


def gees(m: Matrices) -> None:
    """Schur: T, its vectors, eigenvalues, and how many were chosen.

    For a matrix that is not finite LAPACK may iterate for seconds: its results are not numbers.
    """
    n, parts = m.sizes["n"], 1 if m.is_complex else 2
    a, vectors = m.matrix(0, n, n), m.elements(n * n)
    for number in range(parts):  # a matrix that does not converge has no eigenvalues in some rows
        m.zero(2 + number)
    values = [m.vector(2 + number, n) for number in range(parts)]
    chosen, info = m.info(2 + parts), m.info(3 + parts)
    failed = add_finite(m, info, a, n * n, otherwise=n)
    inverse = m.rescale(a, n * n)
    mode = m.options["mode"]
    rest: list[int | str] = [UNUSED] * (3 if m.is_complex else 2)
    work, size = m.work(
        "gees", mode, "N", UNUSED, n, UNUSED, n, UNUSED, *[UNUSED] * parts, UNUSED, n, WORK, ASK,
        *rest,
    )  # fmt: skip
    m.builder.call("zero", chosen, m.number(INDEX_BYTES))
    with m.without_subnormal_results():
        m.routine(
            "gees", m.option("mode"), m.option("sort"), m.number(0), m.number(n), a, m.number(n),
            chosen, *values, vectors, m.number(n), work, size,
            *([m.reals(n)] if m.is_complex else []), m.indices(n), info, guard=failed,
        )  # fmt: skip
    m.multiply(a, n * n, inverse)
    for part in values:
        m.multiply(part, n, inverse)
    give_schur_form(m, a, vectors, values, failed)


def add_finite(
    m: Matrices, info: Reference, a: Reference, elements: int, otherwise: int
) -> Reference:
    """Makes the status of a matrix that is not finite another than 0, and gives a copy of it."""
    count = elements * (2 if m.is_complex else 1)
    m.builder.call(f"finite_{m.real_letter}", info, a, m.number(count), m.number(otherwise))
    failed = m.indices(1)
    m.copy(failed, info, INDEX_BYTES)
    return failed


def give_schur_form(
    m: Matrices, form: Reference, vectors: Reference, values: Sequence[Reference],
    failed: Reference,
) -> None:  # fmt: skip
    """Makes a Schur form, and its vectors if they are wanted, results; NaN if a status is not 0."""
    n, parts = m.sizes["n"], 2 if m.is_complex else 1
    matrices = [(0, form), (1, vectors)] if m.options["mode"] == "V" else [(0, form)]
    for _, matrix in matrices:
        m.invalidate(matrix, n * n * parts, failed)
    for part in values:
        m.invalidate(part, n * parts, failed)
    for result, matrix in matrices:
        m.give(result, matrix, n, n)
    if len(matrices) == 1:
        m.zero(1)


def gehrd(m: Matrices) -> None:
    """Hessenberg form above reflectors, and their factors."""
    n, low, high = m.sizes["n"], m.options["low"], m.options["high"]
    a = m.matrix(0, n, n)
    work, size = m.work("gehrd", n, low, high, UNUSED, n, UNUSED, WORK, ASK, UNUSED)
    m.routine(
        "gehrd", m.number(n), m.number(low), m.number(high), a, m.number(n),
        m.vector(1, max(n - 1, 0)), work, size, m.info(2),
    )  # fmt: skip
    m.give(0, a, n, n)


def sytrd(m: Matrices) -> None:
    """Tridiagonal form of a Hermitian matrix."""
    name, n = "hetrd" if m.is_complex else "sytrd", m.sizes["n"]
    a = m.matrix(0, n, n)
    beside = max(n - 1, 0)
    diagonals = [m.vector(1, n, is_real=True), m.vector(2, beside, is_real=True)]
    diagonals.append(m.vector(3, beside))
    unused = [UNUSED] * len(diagonals)
    work, size = m.work(name, "L", n, UNUSED, n, *unused, WORK, ASK, UNUSED)
    m.routine(
        name, m.option("uplo"), m.number(n), a, m.number(n), *diagonals, work, size, m.info(4)
    )
    m.give(0, a, n, n)


def gtsv(m: Matrices) -> None:
    """The solutions for a tridiagonal matrix, and what became of its diagonals."""
    n, columns, size = m.sizes["n"], m.sizes["k"], m.dtype.itemsize
    diagonals = [m.builder.result(result, n * size) for result in range(3)]
    for operand, diagonal in enumerate(diagonals):
        m.copy(diagonal, m.builder.operand(operand), n * size)
    below, diagonal, above = diagonals
    x = m.matrix(3, n, columns)
    m.routine(
        "gtsv", m.number(n), m.number(columns), below.at(size if n > 1 else 0), diagonal, above,
        x, m.number(n), m.info(4),
    )  # fmt: skip
    m.give(3, x, n, columns)


def trsm(m: Matrices) -> None:
    """The solutions for a triangular matrix, which stands left or right of them.

    In column-major order the memory of all matrices is their transposes: A X = B is X^T A^T = B^T.
    """
    rows, columns, order = m.sizes["m"], m.sizes["n"], m.sizes["r"]
    b = m.copy_operand(0, 1, rows * columns)
    letters = [m.opposite("side"), m.opposite("uplo"), m.option("trans_x"), m.option("diag")]
    alpha = m.builder.factor(m.alpha, m.dtype)
    m.routine(
        "trsm", *letters, m.number(columns), m.number(rows), alpha, m.builder.operand(0),
        m.number(order), b, m.number(columns),
    )  # fmt: skip


def are_vectors(name: str, wanted: bool) -> str:
    """The type of a result that is filled with zeros unless it is wanted."""
    return name if wanted else ANY


def svd_results(options: Mapping[str, Any], is_complex: bool) -> Sequence[str]:
    """As ``LapackCall.results``."""
    left, right = {"A": ("m m", "n n"), "S": ("m p", "p n"), "N": (ANY, ANY)}[options["mode"]]
    return ANY, "real p", left, right, "i32"


def geev_results(options: Mapping[str, object], is_complex: bool) -> Sequence[str]:
    """As ``LapackCall.results``."""
    values = ["n"] if is_complex else ["n", "n"]
    left, right = [
        are_vectors("complex n n", options[name] == "V")
        for name in ("compute_left", "compute_right")
    ]
    return *values, left, right, "i32"


def gees_results(options: Mapping[str, object], is_complex: bool) -> Sequence[str]:
    """As ``LapackCall.results``."""
    values = ["n"] if is_complex else ["n", "n"]
    return "n n", are_vectors("n n", options["mode"] == "V"), *values, "i32", "i32"


def syevd_results(options: Mapping[str, object], is_complex: bool) -> Sequence[str]:
    """As ``LapackCall.results``."""
    return are_vectors("n n", options["mode"] == "V"), "real n", "i32"


Results = Callable[[Mapping[str, Any], bool], Sequence[str]]


def always(*types: str) -> Results:
    """Results whose types depend on nothing."""

    def results(options: Mapping[str, object], is_complex: bool) -> Sequence[str]:
        return types

    return results


@dataclass(frozen=True, slots=True)
class LapackCall:
    """How a routine is called.

    Attributes:
        build: Adds the calls.
        results: The types of the results for options, and whether elements are complex: letters
            of dimensions after ``i32``, ``real`` or ``complex`` if elements are of another type.
            ``p`` is the lesser of m and n, ``e`` is n - 1.
        weight: The arithmetic, relative to a product of matrices of that size.
    """

    build: Callable[[Matrices], None]
    results: Results
    weight: float


CALLS: Final[Mapping[str, LapackCall]] = {
    "geev": LapackCall(geev, geev_results, 25),
    "gees": LapackCall(gees, gees_results, 25),
    "gehrd": LapackCall(gehrd, always("n n", "e", "i32"), 4),
    "geqp3": LapackCall(geqp3, always("m n", "i32 n", "p", "i32"), 2),
    "geqrf": LapackCall(geqrf, always("m n", "p", "i32"), 2),
    "gesdd": LapackCall(gesdd, svd_results, 20),
    "gesvd": LapackCall(gesvd, svd_results, 25),
    "getrf": LapackCall(getrf, always("m n", "i32 p", "i32"), 1),
    "gtsv": LapackCall(gtsv, always("n", "n", "n", "n k", "i32"), 0.1),
    "orgqr": LapackCall(orgqr, always("m n", "i32"), 2),
    "ormqr": LapackCall(ormqr, always("m n", "i32"), 2),
    "potrf": LapackCall(potrf, always("n n", "i32"), 0.5),
    "syevd": LapackCall(syevd, syevd_results, 10),
    "sytrd": LapackCall(sytrd, always("n n", "real n", "real e", "e", "i32"), 3),
    "trsm": LapackCall(trsm, always("m n"), 1),
}

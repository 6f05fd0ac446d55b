"""LAPACK routines for one matrix, called through SciPy.

Each function takes the matrices of one call, and its options as keywords; letters are those that
LAPACK takes. It gives one value per result of the custom call, None where the result is undefined.
Workspaces have the sizes that JAX asks for: they decide how sums are grouped, so that results are
equal to the bit. Operands are never changed.

Source: LAPACK Users' Guide, the routine of the same name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.diagnostics.missing_packages import optional_package
from stablemate.numerics.elements import Array, DType

Outcome: TypeAlias = tuple[Any, ...]

NOT_FINITE: Final = -4  # the info of geev and gesdd for a matrix that is not finite
# Matrices whose largest element is not between 2^-limit and 2^limit are multiplied by powers of
# 2^step until it is: the geev of SciPy 1.17 returns eigenvalues of the matrix that it has scaled
# itself. By the letters of real numbers.
RESCALED: Final = {"s": (40, 20), "d": (400, 100)}


@lru_cache(maxsize=128)
def lapack(name: str, dtype: DType) -> Callable[..., Any]:
    """The routine of this name for an element type."""
    with optional_package():
        from scipy.linalg.lapack import get_lapack_funcs

    return get_lapack_funcs(name, dtype=dtype)


def for_dtype(real: str, of_complex: str, dtype: DType) -> str:
    """The name of a routine that is called otherwise for complex matrices."""
    return of_complex if dtype.kind == "c" else real


def size(work: Any) -> int:
    """A workspace size, as routines give it: as a number of the element type."""
    first: Any = np.ravel(work)[0]
    return int(first.real)


def optimum(name: str, dtype: DType, *arguments: object, **options: object) -> int:
    """The workspace size that suits a routine, from the routine that SciPy has for asking it."""
    work, _ = lapack(f"{name}_lwork", dtype)(*arguments, **options)
    return size(work)


def potrf(a: Array, *, uplo: str) -> Outcome:
    """Cholesky: the factor in one triangle, the other one as it was; info."""
    factor, info = lapack("potrf", a.dtype)(a, lower=uplo == "L", clean=False)
    return factor, np.int32(info)


def getrf(a: Array) -> Outcome:
    """LU: both factors in one matrix; the row swapped with each, counted from 1; info."""
    factors, pivots, info = lapack("getrf", a.dtype)(a)
    return factors, (pivots + 1).astype(np.int32), np.int32(info)


def geqrf(a: Array) -> Outcome:
    """QR: R above reflectors, and their factors; info."""
    work = optimum("geqrf", a.dtype, *a.shape)
    factors, taus, _, info = lapack("geqrf", a.dtype)(a, lwork=work)
    return factors, taus, np.int32(info)


def geqp3(a: Array, jpvt: Array) -> Outcome:
    """QR with column pivoting: as geqrf, and the order of the columns, counted from 1, after R.

    Columns whose entry in ``jpvt`` is not zero come first and are not exchanged.
    """
    fixed = np.flatnonzero(jpvt)
    if not fixed.size:
        factors, order, taus, info = factor_with_pivots(a)
        return factors, order, taus, np.int32(info)
    order = fixed_first(jpvt)
    return (*partly_pivoted(a[:, order], order, fixed.size), np.int32(0))


def factor_with_pivots(a: Array) -> Outcome:
    """geqp3 with all columns free: factors, order counted from 1, taus, info."""
    routine = lapack("geqp3", a.dtype)
    work = size(routine(a, lwork=-1)[3])
    factors, order, taus, _, info = routine(a, lwork=work)
    return factors, order.astype(np.int32), taus, info


def fixed_first(jpvt: Array) -> Array:
    """The order of columns in which the fixed ones come first, each swapped to its place."""
    order = list(range(jpvt.size))
    for place, column in enumerate(np.flatnonzero(jpvt).tolist()):
        order[place], order[column] = order[column], order[place]
    return np.array(order)


def partly_pivoted(a: Array, order: Array, count: int) -> Outcome:
    """geqp3 whose first ``count`` columns are fixed; ``order`` is how columns stand already."""
    rows = min(a.shape[0], count)
    head, head_taus, _ = geqrf(a[:, :rows])
    rest = a[:, rows:]
    if rest.size:
        (rest,) = ormqr(head, head_taus, rest, left=True, transpose=True)
    left, right = rest[:rows], rest[rows:]
    taus = head_taus
    if right.size and count < a.shape[0]:
        right, moved, tail_taus, _ = factor_with_pivots(right)
        left = left[:, moved - 1]
        order = np.concatenate([order[:rows], order[rows:][moved - 1]])
        taus = np.concatenate([head_taus, tail_taus])
    factors = np.hstack([head, np.vstack([left, right])])
    return factors, (order + 1).astype(np.int32), taus


def orgqr(a: Array, taus: Array) -> Outcome:
    """The columns of Q from the reflectors of QR, of the identity if there are none; info."""
    if not taus.size:
        return np.eye(*a.shape, dtype=a.dtype), np.int32(0)
    routine = lapack(for_dtype("orgqr", "ungqr", a.dtype), a.dtype)
    work = size(routine(a, taus, lwork=-1)[1])
    q, _, info = routine(a, taus, lwork=work)
    return q, np.int32(info)


def ormqr(a: Array, taus: Array, c: Array, *, left: bool, transpose: bool) -> Outcome:
    """Q times a matrix, from either side; Q transposed and conjugated if ``transpose``."""
    if not taus.size:
        return (c.copy(),)
    routine = lapack(for_dtype("ormqr", "unmqr", a.dtype), a.dtype)
    side = "L" if left else "R"
    trans = for_dtype("T", "C", a.dtype) if transpose else "N"
    work = size(routine(side, trans, a, taus, c, lwork=-1)[1])
    return (routine(side, trans, a, taus, c, lwork=work)[0],)


def gesdd(a: Array, *, mode: str) -> Outcome:
    """Singular values and vectors, by divide and conquer: undefined, S, U, adjoint of V; info."""
    return singular_values("gesdd", a, mode)


def gesvd(a: Array, *, mode: str) -> Outcome:
    """Singular values and vectors, by QR iteration; as gesdd."""
    return singular_values("gesvd", a, mode)


def singular_values(name: str, a: Array, mode: str) -> Outcome:
    """All vectors for mode A, those of singular values for S, none for N.

    LAPACK does not end for some matrices with an infinity: their results are not numbers.
    """
    if not np.isfinite(a).all():
        return invalid_singular_values(a, mode)
    options = {"compute_uv": mode != "N", "full_matrices": mode == "A"}
    work = optimum(name, a.dtype, *a.shape, **options)
    u, s, vt, info = lapack(name, a.dtype)(a, lwork=work, **options)
    vectors = (None, None) if mode == "N" else (u, vt)
    return None, s, *vectors, np.int32(info)


def invalid_singular_values(a: Array, mode: str) -> Outcome:
    """The results of gesdd without a number."""
    (rows, columns), least = a.shape, min(a.shape)
    left, right = (rows, columns) if mode == "A" else (least, least)
    values = np.full(least, np.nan, np.real(a).dtype)
    status = np.int32(NOT_FINITE)
    if mode == "N":
        return None, values, None, None, status
    vectors = [np.full(shape, np.nan, a.dtype) for shape in ((rows, left), (right, columns))]
    return None, values, *vectors, status


def syevd(a: Array, *, mode: str, uplo: str) -> Outcome:
    """Eigenvectors and eigenvalues of a Hermitian matrix, of which one triangle counts; info."""
    n = a.shape[0]
    work = {"lwork": 1 + 6 * n + 2 * n * n, "liwork": 3 + 5 * n}
    if a.dtype.kind == "c":
        work |= {"lwork": 2 * n + n * n, "lrwork": 1 + 5 * n + 2 * n * n}
    routine = lapack(for_dtype("syevd", "heevd", a.dtype), a.dtype)
    values, vectors, info = routine(a, compute_v=mode == "V", lower=uplo == "L", **work)
    return vectors if mode == "V" else None, values, np.int32(info)


def geev(a: Array, *, compute_left: str, compute_right: str) -> Outcome:
    """Eigenvalues (of real matrices in two parts), left and right eigenvectors; info."""
    is_complex = a.dtype.kind == "c"
    values_undefined: Outcome = (None,) if is_complex else (None, None)
    if not np.isfinite(a).all():
        return *values_undefined, None, None, np.int32(NOT_FINITE)
    sides = {"compute_vl": compute_left == "V", "compute_vr": compute_right == "V"}
    work = optimum("geev", a.dtype, a.shape[0], **sides)
    factor = rescaling_factor(a)
    *values, left, right, info = lapack("geev", a.dtype)(a * factor, lwork=work, **sides)
    values = [value / factor for value in values]
    vectors = zip((left, right), sides.values(), strict=True)
    right_and_left = [matrix if is_wanted and info == 0 else None for matrix, is_wanted in vectors]
    if not is_complex:
        right_and_left = [
            None if matrix is None else complex_vectors(matrix, values[1])
            for matrix in right_and_left
        ]
    return *values, *right_and_left, np.int32(info)


def rescaling_factor(a: Array) -> object:
    """The power of two by which a matrix is multiplied, of the type of its parts."""
    parts = np.abs(np.concatenate([np.real(a), np.imag(a)]))
    limit, step = RESCALED["s" if parts.dtype == np.float32 else "d"]
    largest, exponent = float(parts.max(initial=0)), 0
    while 0 < largest * 2.0**exponent < 2.0**-limit:
        exponent += step
    while largest * 2.0**exponent > 2.0**limit:
        exponent -= step
    return parts.dtype.type(2.0**exponent)


def complex_vectors(packed: Array, imaginary: Array) -> Array:
    """Eigenvectors from the form of geev: a conjugate pair as real and imaginary part of one."""
    vectors = packed.astype(np.result_type(packed, np.complex64))
    firsts = np.flatnonzero(imaginary > 0)  # the other one of each pair comes next
    np.imag(vectors)[:, firsts] = packed[:, firsts + 1]
    vectors[:, firsts + 1] = vectors[:, firsts].conj()
    return vectors


def gees(a: Array, *, mode: str, sort: str) -> Outcome:
    """Schur: T, its vectors, eigenvalues (of real matrices in two parts), how many chosen; info."""
    if not np.isfinite(a).all():  # for which LAPACK may iterate for seconds
        return invalid_schur_form(a, mode=mode)
    routine = lapack("gees", a.dtype)
    options = {"compute_v": mode == "V", "sort_t": 0}
    work = size(routine(select_eigenvalues, a, lwork=-1, **options)[-2])
    t, count, *values, vectors, _, info = routine(select_eigenvalues, a, lwork=work, **options)
    vectors = vectors if mode == "V" else None
    return t, vectors, *values, np.int32(count), np.int32(info)


def invalid_schur_form(a: Array, *, mode: str) -> Outcome:
    """The results of gees without a number; the info is the order, as if nothing had converged."""
    n, parts = a.shape[0], 1 if a.dtype.kind == "c" else 2
    values = [np.full(n, np.nan, a.dtype) for _ in range(parts)]
    form = np.full_like(a, np.nan)
    return form, form.copy() if mode == "V" else None, *values, np.int32(0), np.int32(n)


def select_eigenvalues(*eigenvalue: object) -> bool:
    """Which eigenvalues come first, if they were sorted."""
    return False


def gehrd(a: Array, *, low: int, high: int) -> Outcome:
    """Hessenberg form above reflectors, and their factors; info."""
    bounds = {"lo": low - 1, "hi": high - 1}
    work = optimum("gehrd", a.dtype, a.shape[0], **bounds)
    return with_info(lapack("gehrd", a.dtype)(a, lwork=work, **bounds))


def sytrd(a: Array, *, uplo: str) -> Outcome:
    """Tridiagonal form of a Hermitian matrix: reflectors, diagonal, subdiagonal, factors; info."""
    name = for_dtype("sytrd", "hetrd", a.dtype)
    work = optimum(name, a.dtype, a.shape[0], lower=True)
    return with_info(lapack(name, a.dtype)(a, lower=uplo == "L", lwork=work))


def with_info(results: Outcome) -> Outcome:
    """Results of which the last one is info."""
    return *results[:-1], np.int32(results[-1])


def gtsv(dl: Array, d: Array, du: Array, b: Array) -> Outcome:
    """The solutions for a tridiagonal matrix: what became of its diagonals, solutions; info.

    The first entry of ``dl`` and the last one of ``du`` do not count.
    """
    below, above = (dl[1:], du[:-1]) if d.size > 1 else (np.zeros_like(d), np.zeros_like(d))
    second, diagonal, above, x, info = lapack("gtsv", b.dtype)(below, d, above, b)
    n = d.size - 1
    return (
        np.concatenate([dl[:1], second[:n]]),
        diagonal,
        np.concatenate([above[:n], du[-1:]]),
        x,
        np.int32(info),
    )


TRANSPOSES: Final = {"N": 0, "T": 1, "C": 2}


def trsm(
    a: Array, b: Array, *, side: str, uplo: str, trans_x: str, diag: str, alpha: object = 1
) -> Outcome:
    """The solutions for a triangular matrix, which stands left or right of them."""
    with optional_package():
        from scipy.linalg.blas import get_blas_funcs

    return (
        get_blas_funcs("trsm", dtype=b.dtype)(
            alpha,
            a,
            b,
            side=side == "R",
            lower=uplo == "L",
            trans_a=TRANSPOSES[trans_x],
            diag=diag == "U",
        ),
    )

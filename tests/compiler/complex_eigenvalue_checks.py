"""Eigenvectors and Schur forms of many kinds of complex matrices, and assertions about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy.linalg import lapack as scipy_lapack

from tests.compiler.eigenvalue_checks import KINDS, assert_small, normal, scaled
from tests.compiler.library_calls.test_small_complex_matrices import adjoint, call

LAPACK: Any = scipy_lapack
WITHOUT_PAIRS: Final = ("normal", "sparse", "permuted", "badly balanced")
GEEV: Final = {np.dtype(np.complex64): LAPACK.cgeev, np.dtype(np.complex128): LAPACK.zgeev}


def of_kind(kind: str, shape: tuple[int, int], dtype: Any) -> Any:
    """Matrices of a kind, whose rows and columns are multiplied by phases.

    They keep the eigenvalues, except where no two of these are to be conjugates of each other.
    """
    angles = np.random.default_rng(6).standard_normal((2, *shape))
    rows, columns = np.exp(1j * angles)
    a = KINDS[kind](shape) * rows[:, :, None]
    return (a * (columns[:, None, :] if kind in WITHOUT_PAIRS else rows.conj()[:, None, :])).astype(
        dtype
    )


def eig(a: Any, left: str = "V", right: str = "V") -> list[Any]:
    """Eigenvalues, left and right vectors, statuses."""
    config = f"compute_left = {ord(left)} : ui8, compute_right = {ord(right)} : ui8"
    values, vectors = (a.shape[:2], a.dtype), (a.shape, a.dtype)
    return call("geev", config, [a], [values, vectors, vectors, (a.shape[:1], np.int32)])


def schur(a: Any, mode: str = "V") -> list[Any]:
    """The form, its vectors, the eigenvalues, the number of chosen ones, statuses."""
    config = f"mode = {ord(mode)} : ui8, sort = {ord('N')} : ui8"
    matrix, values, number = (a.shape, a.dtype), (a.shape[:2], a.dtype), (a.shape[:1], np.int32)
    return call("gees", config, [a], [matrix, matrix, values, number, number])


def complex_normal(shape: tuple[int, int], dtype: Any = np.complex128) -> Any:
    """Matrices of normal numbers."""
    return (normal(shape, 7) + 1j * normal(shape, 8)).astype(dtype)


def eig_by_lapack(a: Any) -> Sequence[Any]:
    """Eigenvalues, left and right vectors of LAPACK."""
    outcomes = [GEEV[a.dtype](matrix) for matrix in a]
    return [np.stack([outcome[place] for outcome in outcomes]) for place in range(3)]


def residuals(a: Any, values: Any, left: Any, right: Any) -> tuple[Any, Any]:
    """The norms of A^H u - u conj(L) and of A v - v L for all vectors, for matrices of norm one."""
    one, sizes = scaled(a)
    values = values[:, None, :].astype(np.complex128) / sizes
    left, right = left.astype(np.complex128), right.astype(np.complex128)
    return (
        np.linalg.norm(adjoint(one) @ left - left * values.conj(), axis=1),
        np.linalg.norm(one @ right - right * values, axis=1),
    )


def assert_complex_eigenvectors(a: Any) -> None:
    """Asserts that vectors are eigenvectors of length one, as good as LAPACK's.

    Balancing makes residuals large beside the norm of a matrix with bad scales.
    """
    values, left, right, infos = eig(a)
    assert not infos.any()
    n, real = a.shape[1], np.real(a).dtype
    pairs = zip(residuals(a, values, left, right), residuals(a, *eig_by_lapack(a)), strict=True)
    for found, expected in pairs:
        assert_small(np.maximum(found - 16 * expected.max(), 0), real, n)
    for vectors in (left, right):
        assert_small(np.abs(np.linalg.norm(vectors.astype(complex), axis=1) - 1), real, n)
        assert np.all((vectors.imag == 0).any(axis=1))
    one, sizes = scaled(a)
    sums = (values[:, None, :].astype(complex) / sizes).sum((1, 2))
    assert_small(np.abs(sums - np.trace(one, axis1=1, axis2=2)), real, n)


def assert_complex_schur_form(a: Any) -> None:
    """Asserts that a form is triangular, and that of the matrix."""
    form, vectors, values, chosen, infos = schur(a)
    assert not infos.any()
    assert not chosen.any()
    assert not np.tril(form, -1).any()
    np.testing.assert_array_equal(np.diagonal(form, 0, 1, 2), values)
    one, sizes = scaled(a)
    n, z, real = a.shape[1], vectors.astype(np.complex128), np.real(a).dtype
    assert_small(np.abs(z @ (form / sizes) @ adjoint(z) - one), real, n)
    assert_small(np.abs(z @ adjoint(z) - np.eye(n)), real, n)

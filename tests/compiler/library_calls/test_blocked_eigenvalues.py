"""Hessenberg forms by tiles; eigenvalues and Schur forms of matrices that LAPACK computes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest
from scipy.linalg.lapack import dgees

from tests.compiler.eigenvalue_checks import (
    KINDS,
    LAPACK,
    TYPES,
    assert_eigenvectors,
    assert_schur_form,
    assert_small,
    eig,
    eig_by_lapack,
    normal,
    schur,
    transpose,
)
from tests.compiler.lapack_calls import results_of

# Panels have 16 columns, tiles 2, 4 or 8 rows: whole ones, one more or less, several, a batch.
ORDERS: Final = ((17, 1), (18, 1), (31, 3), (33, 2), (48, 1), (65, 1), (100, 1))
NOT_FINITE: Final = -4


@pytest.fixture(params=TYPES)
def dtype(request: pytest.FixtureRequest) -> Any:
    """The element type, whose roundings count."""
    return TYPES[request.param]


def hessenberg(a: Any, low: int = 1, high: int | None = None) -> list[Any]:
    """The form above its reflectors, their factors, and statuses."""
    n, letter = a.shape[-1], {np.float32: "s", np.float64: "d"}[a.dtype.type]
    results = [(a.shape, a.dtype), ((*a.shape[:-2], n - 1), a.dtype), (a.shape[:-2], np.int32)]
    config = f"low = {low} : i32, high = {high or n} : i32"
    target = f"lapack_{letter}gehrd_ffi"
    return results_of(target, config, [a], results, f"blocked_{letter}gehrd")


def orthogonal_of(form: Any, taus: Any) -> Any:
    """The product of reflectors, as LAPACK defines them."""
    n = form.shape[-1]
    q = np.broadcast_to(np.eye(n), form.shape)
    for number in range(n - 1):
        v = form[..., :, number].astype(np.float64)
        v[..., : number + 1], v[..., number + 1] = 0, 1
        q = q @ (np.eye(n) - taus[..., number, None, None] * v[..., :, None] * v[..., None, :])
    return q


@pytest.mark.parametrize(("n", "count"), ORDERS)
def test_hessenberg_forms(n: int, count: int, dtype: Any) -> None:
    a = normal((count, n), n).astype(dtype)
    form, taus, infos = hessenberg(a)
    assert not infos.any()
    q = orthogonal_of(form, taus)
    norm = np.linalg.norm(a)
    assert_small(np.abs(q @ np.triu(form, -1) @ transpose(q) - a) / norm, dtype, n)
    assert_small(np.abs(q @ transpose(q) - np.eye(n)), dtype, n)
    routine = LAPACK.sgehrd if dtype == np.float32 else LAPACK.dgehrd
    signs = [np.sign(np.diagonal(routine(matrix)[0], -1)) for matrix in a.astype(dtype)]
    np.testing.assert_array_equal(np.sign(np.diagonal(form, -1, -2, -1)), signs)


@pytest.mark.parametrize(("low", "high"), [(1, 40), (5, 40), (1, 33), (20, 30), (18, 19), (7, 7)])
def test_parts_that_are_triangular(low: int, high: int) -> None:
    a = normal((1, 40))[0]
    inside = (np.arange(40) >= low - 1) & (np.arange(40) < high)
    a: Any = np.where(inside[:, None] & inside, a, np.triu(a))
    form, taus, _ = hessenberg(a, low, high)
    expected, expected_taus, _ = LAPACK.dgehrd(a, lo=low - 1, hi=high - 1)
    np.testing.assert_allclose(form, expected, 0, 1e-12)
    np.testing.assert_allclose(taus, expected_taus, 0, 1e-12)


@pytest.mark.parametrize("scale", [1e-40, 1e-36, 1e-20, 1e18, 1e37])
def test_squares_neither_overflow_nor_vanish(scale: float) -> None:
    a = normal((1, 35)).astype(np.float32)
    form, taus, _ = hessenberg((a.astype(np.float64) * scale).astype(np.float32))
    q = orthogonal_of(form, taus)
    product = q @ np.triu(form.astype(np.float64) / scale, -1) @ transpose(q)
    np.testing.assert_allclose(product, a, 0, 1e-2 if scale < 1e-38 else 1e-4)


@pytest.mark.parametrize("shape", [(1, 33), (2, 40), (1, 65)])
def test_normal_matrices(shape: tuple[int, int], dtype: Any) -> None:
    a = normal(shape).astype(dtype)
    assert_eigenvectors(a)
    assert_schur_form(a)


@pytest.mark.standard
@pytest.mark.parametrize("kind", KINDS)
def test_special_matrices(kind: str, dtype: Any) -> None:
    a = KINDS[kind]((2, 35)).astype(dtype)
    assert_eigenvectors(a)
    assert_schur_form(a)


def test_eigenvalues_and_vectors_are_those_of_lapack() -> None:
    a = normal((1, 50))
    values, vectors, _ = eig(a)
    expected_values, expected = eig_by_lapack(a)
    np.testing.assert_allclose(values, expected_values, 0, 1e-12)  # in LAPACK's order
    np.testing.assert_allclose(vectors, expected, 0, 1e-10)  # with LAPACK's signs


def test_schur_forms_are_those_of_lapack() -> None:
    a = normal((1, 50))
    form, vectors, *_ = schur(a)
    expected_form, _, _, _, expected, *_ = dgees(lambda *_: False, a[0])
    np.testing.assert_allclose(form[0], expected_form, 0, 1e-10)
    np.testing.assert_allclose(vectors[0], expected, 0, 1e-10)


@pytest.mark.parametrize("scale", [2.0**-1040, 2.0**-900, 2.0**900])
def test_eigenvalues_of_tiny_and_huge_matrices(scale: float) -> None:
    for n in (3, 40):
        a: Any = np.round(normal((1, n)) * 64)
        real, imaginary, *_ = eig_parts(a)
        scaled_real, scaled_imaginary, *_ = eig_parts(a * scale)
        np.testing.assert_allclose(scaled_real / scale, real, 0, 1e-7)
        np.testing.assert_allclose(scaled_imaginary / scale, imaginary, 0, 1e-7)


def eig_parts(a: Any) -> list[Any]:
    """The results of geev for eigenvalues alone."""
    values, vectors, info = (a.shape[:2], a.dtype), (a.shape, np.complex128), (a.shape[:1], "i4")
    config = f"compute_left = {ord('N')} : ui8, compute_right = {ord('N')} : ui8"
    results = [values, values, vectors, vectors, info]
    return results_of("lapack_dgeev_ffi", config, [a], results, "dgeev")


def test_without_vectors(dtype: Any) -> None:
    a = normal((1, 36)).astype(dtype)
    values, vectors, infos = eig(a, right="N")
    found, expected = np.sort_complex(values[0]), np.sort_complex(eig(a)[0][0])
    np.testing.assert_allclose(found, expected, 0, 5e-4 if dtype == np.float32 else 1e-10)
    assert not vectors.any()
    assert not infos.any()
    form, vectors, *_ = schur(a, mode="N")
    np.testing.assert_allclose(form, schur(a)[0], 0, 1e-3 if dtype == np.float32 else 1e-10)
    assert not vectors.any()


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_are_not_finite(number: float, dtype: Any) -> None:
    a = normal((3, 33)).astype(dtype)
    plain = eig(a)
    a[1, 2, 1] = number
    values, vectors, infos = eig(a)
    assert infos.tolist() == [0, NOT_FINITE, 0]
    assert not vectors[1].any()
    assert not values[1].any()
    np.testing.assert_array_equal(vectors[[0, 2]], plain[1][[0, 2]])
    form, vectors, real, imaginary, _, infos = schur(a)
    assert infos.tolist() == [0, 33, 0]
    for result in (form, vectors, real, imaginary):
        assert np.isnan(result[1]).all()
        assert np.isfinite(result[[0, 2]]).all()

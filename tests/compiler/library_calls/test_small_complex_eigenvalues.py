"""Eigenvalues, eigenvectors and Schur forms of batches of small complex matrices."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.compiler.complex_eigenvalue_checks import (
    assert_complex_eigenvectors,
    assert_complex_schur_form,
    complex_normal,
    eig,
    eig_by_lapack,
    of_kind,
    schur,
)
from tests.compiler.eigenvalue_checks import KINDS, normal

SHAPES: Final = ((17, 1), (9, 2), (33, 3), (20, 4), (8, 8), (21, 16))
TYPES: Final = (np.complex64, np.complex128)
NOT_FINITE: Final = -4


@pytest.fixture(params=TYPES)
def dtype(request: pytest.FixtureRequest) -> Any:
    """The element type, whose roundings count."""
    return request.param


def test_a_few_eigenvectors() -> None:
    assert_complex_eigenvectors(complex_normal((9, 3), np.complex64))


def test_a_few_schur_forms() -> None:
    assert_complex_schur_form(complex_normal((9, 3), np.complex64))


def test_a_matrix_whose_eigenvalues_are_known() -> None:
    turn = np.array([[0, -1j], [1j, 0]])  # sigma_y, whose eigenvalues are 1 and -1
    values, left, right, infos = eig(np.broadcast_to(turn, (4, 2, 2)).copy())
    assert not infos.any()
    np.testing.assert_allclose(np.sort(values.real, axis=1), [[-1, 1]] * 4, 0, 1e-15)
    np.testing.assert_allclose(values.imag, 0, 0, 1e-15)
    np.testing.assert_allclose(np.abs(right), np.sqrt(0.5), 0, 1e-15)
    np.testing.assert_allclose(left, right, 0, 1e-15)  # the matrix is Hermitian


@pytest.mark.standard
@pytest.mark.parametrize("shape", SHAPES)
def test_normal_matrices(shape: tuple[int, int], dtype: Any) -> None:
    a = complex_normal(shape, dtype)
    assert_complex_eigenvectors(a)
    assert_complex_schur_form(a)


@pytest.mark.standard
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(40, 3), (24, 6), (8, 24)])
def test_special_matrices(shape: tuple[int, int], kind: str, dtype: Any) -> None:
    a = of_kind(kind, shape, dtype)
    assert_complex_eigenvectors(a)
    assert_complex_schur_form(a)


@pytest.mark.standard
@pytest.mark.parametrize("kind", ["normal", "sparse", "permuted", "badly balanced"])
def test_eigenvalues_and_vectors_are_those_of_lapack(kind: str) -> None:
    a = of_kind(kind, (48, 3), np.complex128)
    values, left, right, _ = eig(a)
    expected_values, expected_left, expected_right = eig_by_lapack(a)
    bounds = 1e-8 * np.maximum(1, np.abs(expected_values).max(axis=1, keepdims=True))
    same = (np.abs(values - expected_values) <= bounds).all(axis=1)
    assert same.sum() > 44  # a rounding decides which of two comes first
    for vectors, expected in ((left, expected_left), (right, expected_right)):
        angles = np.abs((vectors.conj() * expected).sum(1))[same]
        assert np.all(angles > 1 - 1e-6)


@pytest.mark.standard
def test_phases_are_those_of_lapack() -> None:
    a = complex_normal((64, 5))
    for vectors, expected in zip(eig(a)[1:3], eig_by_lapack(a)[1:], strict=True):
        same = np.abs(vectors - expected).max(axis=(1, 2)) < 1e-8
        assert same.sum() > 60  # the largest of two equal elements depends on a rounding


@pytest.mark.standard
def test_real_matrices_as_complex_ones(dtype: Any) -> None:
    a = normal((24, 6)).astype(dtype)  # the eigenvalues are pairs
    assert_complex_eigenvectors(a)
    assert_complex_schur_form(a)


@pytest.mark.standard
@pytest.mark.parametrize("sides", ["NN", "NV", "VN"])
def test_without_vectors(sides: str, dtype: Any) -> None:
    a = complex_normal((11, 5), dtype)
    values, *vectors, infos = eig(a, *sides)
    expected_values, *expected, _ = eig(a)
    np.testing.assert_array_equal(values, expected_values)
    for found, wanted, side in zip(vectors, expected, sides, strict=True):
        np.testing.assert_array_equal(found, wanted if side == "V" else 0)
    assert not infos.any()
    form, vectors, *_ = schur(a, mode="N")
    np.testing.assert_array_equal(form, schur(a)[0])
    assert not vectors.any()


@pytest.mark.standard
@pytest.mark.parametrize("number", [np.nan, np.inf, complex(0, np.nan), complex(1, -np.inf)])
def test_numbers_that_are_not_finite(number: complex, dtype: Any) -> None:
    a = complex_normal((20, 4), dtype)
    a[5, 2, 1] = number
    others = np.arange(20) != 5
    values, left, right, infos = eig(a)
    assert infos.tolist() == [NOT_FINITE * (place == 5) for place in range(20)]
    assert not left[5].any()
    assert not right[5].any()
    for results in (values, left, right):
        assert np.isfinite(results[others]).all()
    form, vectors, *_, infos = schur(a)
    assert infos.tolist() == [4 * (place == 5) for place in range(20)]
    assert np.isnan(form[5]).all()
    assert np.isnan(vectors[5]).all()
    assert np.isfinite(form[others]).all()

"""Eigenvalues, eigenvectors and Schur forms of batches of small matrices, against LAPACK."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.compiler.eigenvalue_checks import (
    KINDS,
    LAPACK,
    TYPES,
    assert_eigenvectors,
    assert_left_eigenvectors,
    assert_schur_form,
    eig,
    eig_by_lapack,
    eig_of_both_sides,
    normal,
    schur,
)
from tests.compiler.lapack_calls import results_of

SHAPES: Final = ((17, 1), (9, 2), (33, 3), (20, 4), (8, 8), (21, 16))
NOT_FINITE: Final = -4


@pytest.fixture(params=TYPES)
def dtype(request: pytest.FixtureRequest) -> Any:
    """The element type, whose roundings count."""
    return TYPES[request.param]


def test_a_few_eigenvectors() -> None:
    assert_eigenvectors(normal((9, 3)).astype(np.float32))


def test_a_few_left_eigenvectors() -> None:
    assert_left_eigenvectors(normal((9, 3)).astype(np.float32))


def test_a_few_schur_forms() -> None:
    assert_schur_form(normal((9, 3)).astype(np.float32))


@pytest.mark.standard
@pytest.mark.parametrize("shape", SHAPES)
def test_normal_matrices(shape: tuple[int, int], dtype: Any) -> None:
    a = normal(shape).astype(dtype)
    assert_eigenvectors(a)
    assert_left_eigenvectors(a)
    assert_schur_form(a)


@pytest.mark.standard
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(40, 3), (24, 6)])
def test_special_matrices(shape: tuple[int, int], kind: str, dtype: Any) -> None:
    a = KINDS[kind](shape).astype(dtype)
    assert_eigenvectors(a)
    assert_left_eigenvectors(a)
    assert_schur_form(a)


@pytest.mark.standard
@pytest.mark.parametrize("kind", ["normal", "sparse", "permuted", "badly balanced"])
def test_eigenvalues_and_vectors_are_those_of_lapack(kind: str) -> None:
    a = KINDS[kind]((48, 3)).astype(np.float64)
    values, vectors, _ = eig(a)
    expected_values, expected = eig_by_lapack(a)
    for number in range(len(a)):
        bound = 1e-8 * max(1, np.abs(expected_values[number]).max())
        np.testing.assert_allclose(values[number], expected_values[number], 0, bound)
        angles = np.abs((vectors[number].conj() * expected[number]).sum(0))
        assert np.all(angles > 1 - 1e-6)


@pytest.mark.standard
def test_signs_are_those_of_lapack() -> None:
    a = normal((64, 3))
    same = np.abs(eig(a)[1] - eig_by_lapack(a)[1]).max(axis=(1, 2)) < 1e-8
    assert same.sum() > 56  # a rounding changes the signs of one of thirty
    left = eig_by_lapack(a, left=True)[1]
    same = np.abs(eig_of_both_sides(a)[1] - left).max(axis=(1, 2)) < 1e-8
    assert same.sum() > 56


def never(*parts: float) -> bool:
    """Which eigenvalues come first: none."""
    return False


@pytest.mark.standard
def test_schur_forms_are_those_of_lapack() -> None:
    a = normal((64, 3))
    form, vectors, *_ = schur(a)
    outcomes = [LAPACK.dgees(never, matrix) for matrix in a]
    forms, others = (np.stack([outcome[place] for outcome in outcomes]) for place in (0, 4))
    differences = np.maximum(np.abs(form - forms), np.abs(vectors - others))
    assert (differences.max(axis=(1, 2)) < 1e-8).sum() > 56  # the others have other signs


@pytest.mark.standard
def test_without_vectors(dtype: Any) -> None:
    a = normal((11, 5)).astype(dtype)
    values, vectors, infos = eig(a, right="N")
    np.testing.assert_array_equal(values, eig(a)[0])
    assert not vectors.any()
    assert not infos.any()
    form, vectors, *_ = schur(a, mode="N")
    np.testing.assert_array_equal(form, schur(a)[0])
    assert not vectors.any()


@pytest.mark.standard
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_are_not_finite(number: float, dtype: Any) -> None:
    a = normal((20, 4)).astype(dtype)
    a[5, 2, 1] = number
    others = np.arange(20) != 5
    values, vectors, infos = eig(a)
    assert infos.tolist() == [NOT_FINITE * (place == 5) for place in range(20)]
    assert not vectors[5].any()
    assert np.isfinite(vectors[others]).all()
    assert np.isfinite(values[others]).all()
    form, vectors, *_, infos = schur(a)
    assert infos.tolist() == [4 * (place == 5) for place in range(20)]
    assert np.isnan(form[5]).all()
    assert np.isnan(vectors[5]).all()
    assert np.isfinite(form[others]).all()


def test_one_matrix_that_is_not_finite_takes_lapack_no_time(dtype: Any) -> None:
    a = np.full((1, 30, 30), np.inf, dtype)
    values, status = (a.shape[:2], a.dtype), (a.shape[:1], np.int32)
    config = f"mode = {ord('V')} : ui8, sort = {ord('N')} : ui8"
    results = [(a.shape, a.dtype), (a.shape, a.dtype), values, values, status, status]
    letter = "s" if dtype == np.float32 else "d"
    target = f"lapack_{letter}gees_ffi"
    *numbers, chosen, infos = results_of(target, config, [a], results, f"{letter}gees")
    assert all(np.isnan(result).all() for result in numbers)
    assert (chosen[0], infos[0]) == (0, 30)

"""Singular values and vectors of matrices that LAPACK decomposes, against NumPy in f64."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.compiler.eigenvalue_checks import KINDS, TYPES, assert_small, normal, scaled, transpose
from tests.compiler.lapack_calls import results_of

ORDERS: Final = ((33, 1), (34, 3), (48, 1), (65, 2))
NOT_FINITE: Final = -4


@pytest.fixture(params=TYPES)
def dtype(request: pytest.FixtureRequest) -> Any:
    """The element type, whose roundings count."""
    return TYPES[request.param]


def svd(a: Any) -> list[Any]:
    """Values, left vectors, right vectors, statuses."""
    letter = "s" if a.dtype == np.float32 else "d"
    matrix, values, status = (a.shape, a.dtype), (a.shape[:2], a.dtype), (a.shape[:1], np.int32)
    results = [matrix, values, matrix, matrix, status]
    target, config = f"lapack_{letter}gesdd_ffi", f"mode = {ord('S')} : ui8"
    return results_of(target, config, [a], results, f"{letter}gesdd")[1:]


def assert_decomposition(a: Any) -> None:
    """Asserts that values descend, and that vectors are orthogonal and give the matrix."""
    values, left, right, infos = svd(a)
    assert not infos.any()
    one, sizes = scaled(a)
    n, values = a.shape[-1], values.astype(np.float64) / sizes[:, 0]
    assert (values[:, 1:] <= values[:, :-1]).all()
    assert (values >= 0).all()
    expected = np.linalg.svd(one, compute_uv=False)
    assert_small(np.abs(values - expected), a.dtype, n)
    left, right = left.astype(np.float64), right.astype(np.float64)
    assert_small(np.abs((left * values[:, None, :]) @ right - one), a.dtype, n)
    for vectors in (left, right):
        assert_small(np.abs(vectors @ transpose(vectors) - np.eye(n)), a.dtype, n)


@pytest.mark.parametrize(("n", "count"), ORDERS)
def test_normal_matrices(n: int, count: int, dtype: Any) -> None:
    assert_decomposition(normal((count, n), n).astype(dtype))


@pytest.mark.standard
@pytest.mark.parametrize("kind", KINDS)
def test_special_matrices(kind: str, dtype: Any) -> None:
    assert_decomposition(KINDS[kind]((2, 35)).astype(dtype))


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_are_not_finite(number: float, dtype: Any) -> None:
    a = normal((3, 33)).astype(dtype)
    plain = svd(a)
    a[1, 2, 1] = number
    *results, infos = svd(a)
    assert infos.tolist() == [0, NOT_FINITE, 0]
    for result, other in zip(results, plain[:3], strict=True):
        assert np.isnan(result[1]).all()
        np.testing.assert_array_equal(result[[0, 2]], other[[0, 2]])

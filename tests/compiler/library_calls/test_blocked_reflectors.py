"""QR and products with Q by blocks of reflectors, against NumPy in f64 and LAPACK."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from scipy.linalg import lapack as scipy_lapack

import stablemate as sm
from stablemate.compiler.library_calls.blocked import planning
from stablemate.compiler.library_calls.compact import planning as compact
from tests.compiler.lapack_calls import results_of

LETTERS: Final = {"float32": "s", "float64": "d"}
# Panels have 16 columns: none, whole ones, one more or less, wide and tall matrices, a batch.
SHAPES: Final = (
    (1, 1), (1, 4), (4, 1), (3, 3), (16, 16), (17, 17), (33, 31), (48, 48), (20, 70), (70, 20),
    (3, 65, 40), (2, 40, 65),
)  # fmt: skip
TALL: Final = tuple(shape for shape in SHAPES if shape[-2] >= shape[-1])
LAPACK: Any = scipy_lapack
ROUNDINGS: Final = 64  # that errors may have


@pytest.fixture(autouse=True)
def small_matrices_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small matrices are computed in blocks too, and not in lanes."""
    routines = dict.fromkeys(("geqrf", "orgqr", "ormqr"), range(1, 1025))
    monkeypatch.setattr(planning, "SIZES", {**planning.SIZES, **routines})
    others = {name: how for name, how in compact.ROUTINES.items() if name not in routines}
    monkeypatch.setattr(compact, "ROUTINES", others)


def test_small_matrices_are_not_computed_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    text = """func.func @main(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
      %r:3 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {api_version = 4 : i32}
        : (tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32xf32>, tensor<i32>)
      return %r#0 : tensor<32x32xf32>
    }"""
    executable: Any = sm.compile(sm.load(text))
    assert "blocked_" not in executable.emit("plan")


def call(routine: str, config: str, operands: Sequence[Any], results: Sequence[Any]) -> list[Any]:
    """The results of a custom call, which is computed by blocks of reflectors."""
    target = f"lapack_{LETTERS[operands[0].dtype.name]}{routine}_ffi"
    return results_of(target, config, operands, results, "blocked_")


def geqrf(a: Any) -> tuple[Any, Any]:
    """Reflectors with R above them, and their factors."""
    *batch, rows, columns = a.shape
    results = [(a.shape, a.dtype), ((*batch, min(rows, columns)), a.dtype), (batch, np.int32)]
    factors, taus, infos = call("geqrf", "", [a], results)
    assert not infos.any()
    return factors, taus


def orgqr(a: Any, taus: Any) -> Any:
    """The first columns of Q."""
    results = [(a.shape, a.dtype), (a.shape[:-2], np.int32)]
    return call("orgqr", "", [a, taus], results)[0]


def ormqr(a: Any, taus: Any, c: Any, *, left: bool, transpose: bool) -> Any:
    """Q or its transpose times a matrix, from either side."""
    results = [(c.shape, c.dtype), (c.shape[:-2], np.int32)]
    config = f"left = {str(left).lower()}, transpose = {str(transpose).lower()}"
    return call("ormqr", config, [a, taus, c], results)[0]


def normal(shape: Sequence[int], dtype: Any) -> Any:
    """Normal numbers."""
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


def tolerance(a: Any) -> float:
    """The errors that the elements of Q and R may have, R relative to the largest of A."""
    return float(ROUNDINGS * np.finfo(a.dtype).eps * np.sqrt(max(a.shape)))


def reflectors_product(factors: Any, taus: Any) -> Any:
    """Q as LAPACK defines it: the product of I - tau v v^T, in f64."""
    rows, count = factors.shape[-2], taus.shape[-1]
    product = np.broadcast_to(np.eye(rows), (*factors.shape[:-2], rows, rows))
    for number in range(count):
        v = factors[..., :, number].astype(np.float64).copy()
        v[..., :number], v[..., number] = 0, 1
        outer = taus[..., number, None, None] * v[..., :, None] * v[..., None, :]
        product = product @ (np.eye(rows) - outer)
    return product


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_factors(shape: Sequence[int], dtype: Any) -> None:
    a = normal(shape, dtype)
    factors, taus = geqrf(a)
    q = reflectors_product(factors, taus)
    np.testing.assert_allclose(q @ np.triu(factors), a, 0, tolerance(a) * np.abs(a).max())
    identity = np.broadcast_to(np.eye(q.shape[-1]), q.shape)
    np.testing.assert_allclose(q.swapaxes(-1, -2) @ q, identity, 0, tolerance(a))
    if len(shape) == 2:  # signs are LAPACK's
        expected = getattr(LAPACK, f"{LETTERS[np.dtype(dtype).name]}geqrf")(a)[0]
        np.testing.assert_allclose(np.triu(factors), np.triu(expected), 0, 4 * tolerance(a))


@pytest.mark.standard
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", TALL)
def test_the_columns_of_q(shape: Sequence[int], dtype: Any) -> None:
    factors, taus = geqrf(normal(shape, dtype))
    expected = reflectors_product(factors, taus)[..., : shape[-1]]
    np.testing.assert_allclose(orgqr(factors, taus), expected, 0, tolerance(factors))
    fewer = (shape[-1] + 1) // 2
    expected = reflectors_product(factors, taus[..., :fewer])[..., : shape[-1]]
    q = orgqr(factors, np.ascontiguousarray(taus[..., :fewer]))
    np.testing.assert_allclose(q, expected, 0, tolerance(factors))


@pytest.mark.parametrize("columns", [1, 18, 50])
@pytest.mark.parametrize("transpose", [True, False])
@pytest.mark.parametrize("left", [True, False])
def test_products_with_q(left: bool, transpose: bool, columns: int) -> None:
    for dtype, shape in ((np.float32, (2, 45, 37)), (np.float64, (20, 17)), (np.float32, (9, 40))):
        factors, taus = geqrf(normal(shape, dtype))
        *batch, order, _ = shape
        c = normal((*batch, *((order, columns) if left else (columns, order))), dtype)
        q = reflectors_product(factors, taus)
        q = q.swapaxes(-1, -2) if transpose else q
        product = ormqr(factors, taus, c, left=left, transpose=transpose)
        limit = tolerance(factors) * np.abs(c).max()
        np.testing.assert_allclose(product, q @ c if left else c @ q, 0, limit)


@pytest.mark.parametrize("scale", [2.0**-125, 2.0**-60, 2.0**60, 2.0**120])
def test_squares_neither_overflow_nor_vanish(scale: float) -> None:
    a = normal((40, 36), np.float32)
    factors, taus = geqrf((a * scale).astype(np.float32))
    expected, expected_taus = geqrf(a)
    np.testing.assert_allclose(taus, expected_taus, 0, 16 * tolerance(a))
    scaled = np.triu(factors).astype(np.float64) / scale
    np.testing.assert_allclose(scaled, np.triu(expected), 0, 16 * tolerance(a))


def test_columns_of_different_scales() -> None:
    scales = 10.0 ** np.array([-25, 30, 0, -12, 17, 25, -30] * 6)
    a = normal((50, 42), np.float32)
    factors, taus = geqrf((a * scales).astype(np.float32))
    scaled = np.triu(factors).astype(np.float64) / scales
    product = reflectors_product(factors, taus) @ scaled
    np.testing.assert_allclose(product, a, 0, 4 * tolerance(a) * np.abs(a).max())


def test_columns_that_are_zero_below_the_diagonal_have_no_reflector() -> None:
    a = np.triu(normal((40, 40), np.float32))
    a[20:, 20] = 3
    factors, taus = geqrf(a)
    assert not np.delete(taus, [20, *range(21, 40)]).any()
    assert taus[20] != 0
    np.testing.assert_array_equal(factors[:20], a[:20])
    np.testing.assert_array_equal(geqrf(np.zeros((33, 20), np.float32))[0], 0)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (5, 3), (3, 5), (36, 20)])
def test_what_is_not_finite_affects_its_column_and_those_after_it(
    value: float, row: int, column: int
) -> None:
    a = normal((2, 37, 37), np.float32)
    plain, _ = geqrf(a)
    a[0, row, column] = value
    factors, taus = geqrf(a)
    np.testing.assert_array_equal(factors[0, :, :column], plain[0, :, :column])
    assert not np.isfinite(factors[0, min(row, column), column])
    assert not np.isfinite(np.diagonal(factors[0])[column:]).any()
    assert not np.isfinite(orgqr(factors, taus)[0, -1, column:]).any()
    np.testing.assert_array_equal(factors[1], plain[1])  # other matrices are as they were

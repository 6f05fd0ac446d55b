"""Cholesky decompositions in native code: values, matrices that are not definite, dynamic sizes.

Expected values are NumPy's, and those of XLA where a matrix is not positive-definite.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.sized_programs import compiled

DTYPES: dict[str, type[Any]] = {
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}


def program(shape: str, *, lower: bool) -> str:
    """A decomposition."""
    return f"""func.func @main(%x: tensor<{shape}>) -> tensor<{shape}> {{
  %0 = stablehlo.cholesky %x, lower = {str(lower).lower()} : tensor<{shape}>
  return %0 : tensor<{shape}>
}}"""


def definite(element: str, *shape: int) -> Any:
    """Random matrices that are positive-definite."""
    numbers = np.random.default_rng(shape)
    x = numbers.standard_normal(shape).astype(DTYPES[element])
    if x.dtype.kind == "c":
        x = x + 1j * numbers.standard_normal(shape)
    matrices = x @ x.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])
    return matrices.astype(DTYPES[element])


def assert_factor(result: Any, matrices: Any, *, lower: bool) -> None:
    """Compares a result with NumPy's factors."""
    cholesky: Any = np.linalg.cholesky
    expected = cholesky(matrices, upper=not lower)
    tolerance = 1e-5 if matrices.real.dtype == np.float32 else 1e-13
    np.testing.assert_allclose(result, expected, tolerance, tolerance)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("element", DTYPES)
def test_factors_are_computed_without_python(element: str, lower: bool) -> None:
    for shape in ((3, 5, 5), (2, 40, 40), (130, 130), (1, 1)):
        text = program("x".join(map(str, (*shape, element))), lower=lower)
        executable = sm.compile(sm.load(text), backend="cpu")
        assert isinstance(executable, CompiledExecutable)
        assert not executable.runs_as_process
        matrices = definite(element, *shape)
        half = np.tril(matrices) if lower else np.triu(matrices)
        unread = np.full(shape, 99, matrices.dtype)
        unread = np.triu(unread, 1) if lower else np.tril(unread, -1)
        assert_factor(executable(half + unread), matrices, lower=lower)


def test_a_matrix_that_is_not_definite_is_nan() -> None:
    import jax

    matrices = definite("f32", 4, 6, 6)
    matrices[1] *= -1
    matrices[2, 5, 5] = -1
    result = np.asarray(sm.run(program("4x6x6xf32", lower=True), matrices, backend="cpu"))
    expected = np.asarray(jax.lax.linalg.cholesky(matrices, symmetrize_input=False))
    np.testing.assert_array_equal(np.isnan(np.tril(result)), np.isnan(np.tril(expected)))
    np.testing.assert_allclose(np.tril(result), np.tril(expected), 1e-5, 1e-5)


@pytest.mark.parametrize("shape", ["?x4x4xf32", "?x?xf64"])
def test_sizes_share_versions(shape: str) -> None:
    executable, versions = compiled(program(shape, lower=True))
    element = shape.rsplit("x", 1)[1]
    sizes = (37, 24, 51, 100, 64, 9, 20, 80, 36)
    for size in sizes:
        dimensions = (size, 4, 4) if "4" in shape.split("x") else (size, size)
        matrices = definite(element, *dimensions)
        assert_factor(executable(matrices), matrices, lower=True)
    assert not versions.failures
    assert len(versions.versions) < len(sizes)


def test_matrices_without_elements() -> None:
    empty = np.zeros((2, 0, 0), np.float32)
    result = sm.run(program("2x0x0xf32", lower=True), empty, backend="cpu")
    assert np.asarray(result).shape == (2, 0, 0)

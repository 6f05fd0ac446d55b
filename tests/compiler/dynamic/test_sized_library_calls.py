"""Library calls in programs with dynamic sizes: batches and matrices of sizes known at the call."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import numpy as np
import pytest

from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.plan.plan import Request
from stablemate.compiler.size_versions import SizedExecutable
from tests.compiler.sized_programs import compiled

jax: Any = import_module("jax")
jnp: Any = jax.numpy
Array = Any
SHAPE_OPERANDS = "indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>"
FACTORS = """
func.func @main(%x: tensor<?xNxNxf32>) -> (tensor<?xNxNxf32>, tensor<?xi32>) {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xNxNxf32>) -> tensor<i32>
  %batch = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n = stablehlo.constant dense<N> : tensor<1xi32>
  %shape = stablehlo.concatenate %batch, %n, %n, dim = 0
    : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x, %shape, %batch)
    {mhlo.backend_config = {uplo = 76 : ui8}, SHAPES, output_operand_aliases =
      [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0,
        operand_tuple_indices = []>]}
    : (tensor<?xNxNxf32>, tensor<3xi32>, tensor<1xi32>) -> (tensor<?xNxNxf32>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?xNxNxf32>, tensor<?xi32>
}""".replace("SHAPES", SHAPE_OPERANDS)
EIGENVALUES = """
func.func @main(%x: tensor<?x5x5xf64>) -> tensor<?x5xf64> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x5x5xf64>) -> tensor<i32>
  %batch = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n = stablehlo.constant dense<5> : tensor<1xi32>
  %shape = stablehlo.concatenate %batch, %n, %n, dim = 0
    : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %vector = stablehlo.concatenate %batch, %n, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%x, %shape, %vector, %batch)
    {mhlo.backend_config = {mode = 78 : ui8, uplo = 76 : ui8},
      indices_of_shape_operands = dense<[1, 2, 3]> : tensor<3xi64>}
    : (tensor<?x5x5xf64>, tensor<3xi32>, tensor<2xi32>, tensor<1xi32>)
    -> (tensor<?x5x5xf64>, tensor<?x5xf64>, tensor<?xi32>)
  return %r#1 : tensor<?x5xf64>
}"""
SOLUTIONS = """
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true,
    unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""
INSIDE = """
func.func @main(%x: tensor<?x6xf32>) -> tensor<6x6xf32> {
  %g = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
    : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<6x6xf32>
  %r:2 = stablehlo.custom_call @lapack_spotrf_ffi(%g)
    {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}}
    : (tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<i32>)
  return %r#0 : tensor<6x6xf32>
}"""


# Routines that LAPACK is asked for a workspace of.
ROUTINES: Final[dict[str, tuple[str, Callable[[Array], Array]]]] = {
    "geqrf": ("n,6", lambda x: abs(jnp.linalg.qr(x)[1])),
    "gesdd": ("n,n", lambda x: jnp.linalg.svd(x, compute_uv=False)),
    "geev": ("n,n", lambda x: jnp.sort(abs(jnp.linalg.eigvals(x)))),
}


def definite(*shape: int, dtype: Any = np.float32) -> Any:
    """Symmetric positive definite matrices."""
    numbers = np.random.default_rng(shape).standard_normal(shape)
    return (numbers @ numbers.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])).astype(dtype)


def library_calls(executable: SpecializingExecutable) -> list[str]:
    """The functions that the version of the latest call calls."""
    latest = executable.latest
    assert isinstance(latest, SizedExecutable)
    requests = [step for step in latest.plan.steps if isinstance(step, Request)]
    return [call.function for step in requests if step.calls for call in step.calls.calls]


@pytest.mark.parametrize("order", [4, 40, 150])
def test_the_number_of_matrices_is_an_argument(order: int) -> None:
    executable, versions = compiled(FACTORS.replace("N", str(order)))
    counts = (20, 17, 33, 16, 100, 9) if order == 4 else (5, 3, 9)
    for count in counts:
        x = definite(count, order, order)
        factors, statuses = executable(x)
        expected: Any = np.linalg.cholesky(x)
        np.testing.assert_allclose(np.tril(factors), expected, 1e-3, 1e-3)
        assert not statuses.any()
        assert isinstance(executable.latest, SizedExecutable)
    x = definite(10, order, order)
    specialized = executable.specialize([x]).run([x])
    assert executable(x)[0].tobytes() == specialized[0].tobytes()
    assert len(versions.versions) == 1
    assert not versions.failures


def test_batches_of_all_sizes_are_factored() -> None:
    executable, versions = compiled(FACTORS.replace("N", "4"))
    for count in (9, 0, 1, 2, 7, 8, 31, 1, 1000, 3):  # fewer than lanes: by LAPACK
        x = definite(count, 4, 4)
        factors, statuses = executable(x)
        assert factors.shape == x.shape
        assert statuses.shape == (count,)
        expected: Any = np.linalg.cholesky(x)
        np.testing.assert_allclose(np.tril(factors), expected, 1e-3, 1e-3)
    assert not versions.failures


def test_a_matrix_that_is_not_definite_has_a_status() -> None:
    executable, _ = compiled(FACTORS.replace("N", "4"))
    x = definite(21, 4, 4)
    x[19, 2, 2] = -1
    _, statuses = executable(x)
    assert np.flatnonzero(statuses).tolist() == [19]
    assert statuses[19] == 3  # the leading minor of that order


def test_results_that_are_not_wanted_are_zeros() -> None:
    executable, versions = compiled(EIGENVALUES)
    for count in (10, 13, 64):
        x = definite(count, 5, 5, dtype=np.float64)
        expected: Any = np.linalg.eigvalsh(x)
        np.testing.assert_allclose(executable(x), expected, 1e-10, 1e-10)
    assert len(versions.versions) == 1
    assert any("remaining" in name for name in library_calls(executable))


def test_the_order_of_a_matrix_is_an_argument() -> None:
    executable, versions = compiled(SOLUTIONS)
    for order, columns in ((40, 9), (57, 33), (130, 4), (48, 100)):
        a = np.tril(definite(order, order))
        b = np.random.default_rng(0).standard_normal((order, columns)).astype(np.float32)
        expected: Any = np.linalg.solve(a, b)
        np.testing.assert_allclose(executable(a, b), expected, 1e-3, 1e-3)
    assert not versions.failures
    assert len(versions.versions) <= 2


def test_calls_of_static_sizes_stand_beside_symbolic_ones() -> None:
    executable, versions = compiled(INSIDE)
    for rows in (30, 41, 12):
        x = np.random.default_rng(rows).standard_normal((rows, 6)).astype(np.float32)
        expected: Any = np.linalg.cholesky(x.T @ x)
        np.testing.assert_allclose(np.tril(executable(x)), expected, 1e-3, 1e-3)
    assert not versions.failures
    assert library_calls(executable)


def test_versions_with_library_calls_are_in_the_disk_cache() -> None:
    text = FACTORS.replace("N", "6")
    x = definite(25, 6, 6)
    first, _ = compiled(text)
    expected = first(x)
    second, versions = compiled(text)
    versions.compilation = None  # type: ignore[assignment, method-assign]
    for one, other in zip(second(x), expected, strict=True):
        assert one.tobytes() == other.tobytes()
    assert len(versions.versions) == 1


@pytest.mark.standard
@pytest.mark.parametrize("routine", ROUTINES)
def test_workspaces_are_asked_for_when_sizes_are_known(routine: str) -> None:
    shape, function = ROUTINES[routine]
    export = import_module("jax.export")
    scope = export.SymbolicScope(["n >= 8"])
    of_size = jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), np.float32)
    text = export.export(jax.jit(function))(of_size).mlir_module()
    executable, versions = compiled(text)
    random = np.random.default_rng(0)
    for size in (40, 41, 47, 60, 90):
        x = random.random((size, 6 if shape == "n,6" else size), np.float32)
        result = np.asarray(executable(x))
        specialized = executable.specialize([x]).run([x])[0]
        assert result.tobytes() == np.asarray(specialized).tobytes()  # the same workspace
        np.testing.assert_allclose(result, np.asarray(function(x)), 2e-3, 2e-3)
    assert len(versions.versions) == 1
    assert not versions.failures

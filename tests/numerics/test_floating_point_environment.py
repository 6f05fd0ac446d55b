"""Results do not depend on whether the caller's thread takes subnormal numbers for zero.

Callbacks of XLA's CPU client run in such threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import numpy as np
import pytest

import stablemate as sm
from stablemate.numerics.floating_point_environment import keeping_subnormals

X: Final = np.array([2**-149, -(2**-140), 2**-126], np.float32)
PROGRAM: Final = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %cst = stablehlo.constant dense<1.0e-45> : tensor<3xf32>
  %0 = stablehlo.add %cst, %cst : tensor<3xf32>
  %1 = stablehlo.add %x, %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}
"""
SUM: Final = np.array([3 * 2**-149, -(2**-140) + 2**-148, 2**-126 + 2**-148], np.float32)
LGAMMA: Final = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = chlo.lgamma %x : tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


def in_callback(function: Callable[[], Any]) -> Any:
    """What a function returns in a thread of XLA's."""
    results: list[Any] = []

    def call(x: Any) -> Any:
        assert np.float32(2**-126) * np.float32(0.5) == 0, "the thread keeps subnormal numbers"
        results.append(function())
        assert np.float32(2**-126) * np.float32(0.5) == 0, "the thread's settings are restored"
        return np.asarray(x)

    shape = jax.ShapeDtypeStruct((), np.float32)
    np.asarray(jax.jit(lambda x: jax.pure_callback(call, shape, x))(np.float32(1)))
    return results[0]


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_programs_that_were_compiled_elsewhere(backend: str) -> None:
    function = sm.compile(sm.load(LGAMMA), backend=backend)
    inside = in_callback(lambda: function(X))
    np.testing.assert_array_equal(inside, function(X))
    assert inside[0] == np.float32(103.27893)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_programs_that_are_read_and_compiled_in_the_thread(backend: str) -> None:
    inside = in_callback(lambda: sm.run(PROGRAM, X, backend=backend))
    assert inside.tobytes() == SUM.tobytes()


def test_grids() -> None:
    inside = in_callback(lambda: sm.run_grid(PROGRAM, (X,), replicas=2, backend="interpreter"))
    assert [result.tobytes() for result in inside] == [SUM.tobytes()] * 2


def test_a_thread_that_keeps_them_needs_nothing() -> None:
    assert type(keeping_subnormals()).__name__ == "nullcontext"

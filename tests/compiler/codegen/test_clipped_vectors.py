"""The last vector of a row of symbolic length is loaded and stored by masked instructions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.target import host, machine_of
from tests.compiler.sized_programs import compiled

SIZES: Final = (2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 79, 95, 100, 127, 129, 200)
LOWEST: Final = {"f32": "0xFF800000", "f64": "0xFFF0000000000000"}  # minus infinity


def softmax(element: str) -> str:
    """A softmax of rows, which keeps exponentials of a row on the stack."""
    return f"""
func.func @main(%x: tensor<7x?x{element}>) -> tensor<7x?x{element}> {{
  %low = stablehlo.constant dense<{LOWEST[element]}> : tensor<{element}>
  %zero = stablehlo.constant dense<0.0> : tensor<{element}>
  %size = stablehlo.get_dimension_size %x, dim = 1 : (tensor<7x?x{element}>) -> tensor<i32>
  %rows = stablehlo.constant dense<7> : tensor<1xi32>
  %one = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %one, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
    : (tensor<7x?x{element}>, tensor<{element}>) -> tensor<7x{element}>
  %ms = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [0]
    : (tensor<7x{element}>, tensor<2xi32>) -> tensor<7x?x{element}>
  %d = stablehlo.subtract %x, %ms : tensor<7x?x{element}>
  %e = stablehlo.exponential %d : tensor<7x?x{element}>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<7x?x{element}>, tensor<{element}>) -> tensor<7x{element}>
  %ts = stablehlo.dynamic_broadcast_in_dim %t, %shape, dims = [0]
    : (tensor<7x{element}>, tensor<2xi32>) -> tensor<7x?x{element}>
  %r = stablehlo.divide %e, %ts : tensor<7x?x{element}>
  return %r : tensor<7x?x{element}>
}}"""


@pytest.mark.standard
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_rows_of_all_lengths(element: str) -> None:
    text = softmax(element)
    function, _ = compiled(text)
    dtype = {"f32": np.float32, "f64": np.float64}[element]
    for size in SIZES:
        x = np.random.default_rng(size).standard_normal((7, size)).astype(dtype)
        result = np.asarray(function(x))
        specialized: Any = function.specialize([x]).run([x])[0]
        assert result.tobytes() == specialized.tobytes()
        exact = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
        exact /= exact.sum(1, keepdims=True)
        np.testing.assert_allclose(result, exact, rtol=1e-5 if element == "f32" else 1e-13)


@pytest.mark.skipif(int(machine_of(host())) < 32, reason="needs vectors that are masked")
def test_the_last_vector_takes_one_instruction() -> None:
    function, versions = compiled(softmax("f32"))
    x = np.ones((7, 100), np.float32)
    function(x)
    text = versions.compilation([x.shape]).emit("llvm")
    assert "llvm.masked.store" in text
    assert "llvm.masked.load" in text
    assert "llvm.masked.scatter" not in text
    assert "llvm.masked.gather" not in text


@pytest.mark.standard
def test_checked_code_accesses_each_element() -> None:
    function, versions = compiled(softmax("f32"), check=True)
    for size in (3, 17, 100):
        x = np.random.default_rng(size).standard_normal((7, size)).astype(np.float32)
        expected = np.asarray(sm.run(softmax("f32"), x, backend="interpreter"))
        np.testing.assert_allclose(np.asarray(function(x)), expected, rtol=1e-5)
    assert "llvm.masked.store" not in versions.compilation([x.shape]).emit("llvm")

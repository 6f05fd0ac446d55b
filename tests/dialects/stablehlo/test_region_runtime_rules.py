"""Run-time shapes that break rules of operations with regions: each ends the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm

TWO = np.array([1, 2], np.float32)
THREE = np.array([1, 2, 3], np.float32)

REDUCE = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<f32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.reduce(%a init: %i), (%b init: %i) across dimensions = [0]
    : (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1, %z : tensor<f32>, tensor<f32>
  }
  return %0#0 : tensor<f32>
}"""
MAP = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
SORT = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0 : tensor<?xf32>
}"""
SCATTER = """func.func @main(
    %a: tensor<?xf32>, %i: tensor<?x?xi32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<?xf32>, tensor<?x?xi32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


@pytest.mark.parametrize(
    ("text", "arguments", "rule"),
    [
        (REDUCE, [TWO, THREE], "stablehlo.reduce C1"),
        (MAP, [TWO, THREE], "stablehlo.map C1"),
        (SORT, [TWO, THREE], "stablehlo.sort C3"),
        (SCATTER, [THREE, np.zeros((2, 2), np.int32), TWO], "stablehlo.scatter C19"),
        (SCATTER, [THREE, np.zeros((1, 1), np.int32), TWO], "stablehlo.scatter C4"),
    ],
)
def test_shapes_at_run_time(text: str, arguments: list[Any], rule: str) -> None:
    module = sm.load(text)
    assert module.diagnostics() == []
    with pytest.raises(sm.EvaluationError, match=rule):
        module.run(*arguments)


def test_shapes_that_fit() -> None:
    assert sm.load(REDUCE).run(TWO, TWO) == 3
    indices = np.array([[2], [0]], np.int32)
    np.testing.assert_array_equal(sm.load(SCATTER).run(THREE, indices, TWO), [2, 2, 1])

"""Programs with open sizes are compiled for each combination of shapes that they meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.dynamic.dynamic_executable import MAX_SPECIALIZATIONS
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.dynamic.staged_execution import StagedExecutable
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.result_comparison import arrays, same_bits

FLATTENED = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?xf32> {
  %s = stablehlo.add %x, %y : tensor<?x4xf32>
  %n = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %p = stablehlo.multiply %n, %four : tensor<i32>
  %shape = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_reshape %s, %shape : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""
BY_DATA = """
func.func @main(%x: tensor<?xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  %r = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""
CONSTANT_SIZES = """
func.func @padded(%x: tensor<3x5xf32>) -> (tensor<4x7xf32>, tensor<2x5xf32>, tensor<?x5xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %high = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %none = stablehlo.constant dense<0> : tensor<2xi32>
  %p = stablehlo.dynamic_pad %x, %zero, %low, %high, %none
    : (tensor<3x5xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    -> tensor<4x7xf32>
  %start = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %limit = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %s = stablehlo.real_dynamic_slice %x, %start, %limit, %one
    : (tensor<3x5xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x5xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3x5xf32>) -> tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<1xi32>
  %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %m, %five, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x5xi32>
  return %p, %s, %i : tensor<4x7xf32>, tensor<2x5xf32>, tensor<?x5xi32>
}"""


def compiled(text: str) -> SpecializingExecutable:
    """A program with open sizes."""
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, SpecializingExecutable)
    return executable


def rows(count: int) -> Any:
    """So many rows of 4 numbers."""
    return np.random.default_rng(count).standard_normal((count, 4)).astype("f")


def test_each_combination_of_shapes_is_compiled_once() -> None:
    executable = compiled(FLATTENED)
    for count in (3, 5, 0, 3, 5):
        x = rows(count)
        assert executable(x, x).tolist() == (x + x).reshape(-1).tolist()
    assert executable.fallback is None
    assert len(executable.specializations) == 3
    assert all(
        isinstance(specialization, CompiledExecutable)
        for specialization in executable.specializations.values()
    )
    assert "request" not in executable.emit("plan")


def test_only_the_latest_combinations_stay() -> None:
    executable = compiled(FLATTENED)
    for count in range(1, MAX_SPECIALIZATIONS + 3):
        executable(rows(count), rows(count))
    assert len(executable.specializations) == MAX_SPECIALIZATIONS
    assert ((1, 4), (1, 4)) not in executable.specializations


def test_shapes_that_break_a_rule_are_the_interpreters_error() -> None:
    executable = compiled(FLATTENED)
    with pytest.raises(sm.EvaluationError, match=r"stablehlo\.add C1"):
        executable(rows(3), rows(2))
    assert executable(rows(1), rows(1)).shape == (4,)


def test_shapes_that_depend_on_data_are_compiled_when_they_are_known() -> None:
    executable = compiled(BY_DATA)
    x = np.arange(6, dtype=np.float32)
    assert executable(x, np.array([2, 3], np.int64)).tolist() == x.reshape(2, 3).tolist()
    assert executable(x, np.array([6, 1], np.int64)).shape == (6, 1)
    assert executable.fallback is None
    (value,) = executable.specializations.values()
    assert isinstance(value, StagedExecutable)
    assert len(value.specializations) == 2


def test_sizes_that_are_constants_are_folded() -> None:
    x = np.random.default_rng(0).standard_normal((3, 5)).astype("f")
    same_bits(CONSTANT_SIZES, x, entry="padded")


def test_a_grid_specializes_too() -> None:
    module = sm.load(FLATTENED)
    inputs = [(rows(n), rows(n)) for n in (1, 2)]
    per_process = sm.run_grid(module, inputs, replicas=2, backend="cpu")
    expected = [(x + y).reshape(-1).tolist() for x, y in inputs]
    assert [array.tolist() for result in per_process for array in arrays(result)] == expected


SIZE_OF_A_SLICE = """
func.func @main(%end: tensor<i32>, %x: tensor<?x?xf32>) -> tensor<i32> {
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %a = stablehlo.reshape %end : (tensor<i32>) -> tensor<1xi32>
  %b = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %ends = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %s = stablehlo.real_dynamic_slice %x, %zeros, %ends, %ones : (tensor<?x?xf32>, tensor<2xi32>,
    tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  return %r : tensor<i32>
}
"""


def test_a_size_that_depends_on_values_is_that_of_the_call() -> None:
    executable = sm.parse(SIZE_OF_A_SLICE).executable(backend="cpu")
    x = np.zeros((5, 6), np.float32)
    assert [int(executable(np.int32(end), x)) for end in (2, 3)] == [2, 3]

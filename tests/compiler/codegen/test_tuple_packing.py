"""Tuples and tokens among arguments and results of native code."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.dynamic.tuple_packing import TupleExecutable

NESTED: Final = """
func.func @main(
    %t: tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>, %k: !stablehlo.token
) -> (tuple<tensor<i32>, tuple<>, tensor<2xf32>>, !stablehlo.token, tensor<i32>) {
  %x = stablehlo.get_tuple_element %t[0]
    : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>) -> tensor<2xf32>
  %p = stablehlo.get_tuple_element %t[1]
    : (tuple<tensor<2xf32>, tuple<tensor<i32>, !stablehlo.token>>)
    -> tuple<tensor<i32>, !stablehlo.token>
  %n = stablehlo.get_tuple_element %p[0]
    : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
  %j = stablehlo.get_tuple_element %p[1]
    : (tuple<tensor<i32>, !stablehlo.token>) -> !stablehlo.token
  %s = stablehlo.add %x, %x : tensor<2xf32>
  %m = stablehlo.negate %n : tensor<i32>
  %e = stablehlo.tuple : tuple<>
  %r = stablehlo.tuple %m, %e, %s : tuple<tensor<i32>, tuple<>, tensor<2xf32>>
  %a = stablehlo.after_all %j, %k : !stablehlo.token
  return %r, %a, %n : tuple<tensor<i32>, tuple<>, tensor<2xf32>>, !stablehlo.token, tensor<i32>
}"""


def test_tuples_are_taken_apart_and_made() -> None:
    executable = sm.compile(sm.load(NESTED), backend="cpu")
    assert isinstance(executable, TupleExecutable)
    assert executable.fallback is None
    x = np.array([1.5, -2.0], np.float32)
    (negated, empty, doubled), token, number = executable((x, (np.int32(3), None)), None)
    assert (negated.tolist(), empty, doubled.tolist()) == (-3, (), [3.0, -4.0])
    assert (token, number.tolist()) == (None, 3)
    assert "negate" in executable.emit("fusion")
    assert sm.profile(executable, (x, (np.int32(3), None)), None).rows
    with pytest.raises(sm.ArgumentError, match="argument 0"):
        executable(x, None)


def test_custom_calls_take_and_give_tuples() -> None:
    @sm.custom_call("test_packing_swap")
    def swap(operands: Any, call: Any) -> Any:
        ((a, (b, _)),) = operands
        return ((b, a), np.float32(7))

    text = """
    func.func @main(%t: tuple<tensor<2xf32>, tuple<tensor<3xi32>, !stablehlo.token>>)
        -> (tuple<tensor<3xi32>, tensor<2xf32>>, tensor<f32>) {
      %0:2 = stablehlo.custom_call @test_packing_swap(%t)
        : (tuple<tensor<2xf32>, tuple<tensor<3xi32>, !stablehlo.token>>)
        -> (tuple<tensor<3xi32>, tensor<2xf32>>, tensor<f32>)
      return %0#0, %0#1 : tuple<tensor<3xi32>, tensor<2xf32>>, tensor<f32>
    }"""
    assert swap is not None
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, TupleExecutable)
    a, b = np.array([1, 2], np.float32), np.array([3, 4, 5], np.int32)
    (first, second), third = executable((a, (b, None)))
    assert (first.tolist(), second.tolist(), third.tolist()) == ([3, 4, 5], [1, 2], 7)


def test_processes_of_a_grid_take_tuples() -> None:
    text = """
    func.func @main(%t: tuple<tensor<2xf32>>) -> tuple<tensor<2xf32>> {
      %x = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xf32>>) -> tensor<2xf32>
      %0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      %r = stablehlo.tuple %0 : tuple<tensor<2xf32>>
      return %r : tuple<tensor<2xf32>>
    }"""
    inputs = [((np.array([1, 2], "f"),),), ((np.array([10, 20], "f"),),)]
    per_process = sm.run_grid(sm.load(text), inputs, replicas=2, backend="cpu")
    assert [item[0].tolist() for item in per_process] == [[11.0, 22.0]] * 2

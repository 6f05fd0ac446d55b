"""Graphs: what needs no code is opened."""

from __future__ import annotations

import numpy as np

import stablemate as sm


def test_tuples_that_are_taken_apart_are_other_names() -> None:
    module = sm.load("""
    func.func private @swap(%t: tuple<tensor<3xf32>, tuple<tensor<2xi32>>>)
        -> tuple<tensor<2xi32>, tensor<3xf32>> {
      %0 = stablehlo.get_tuple_element %t[0]
        : (tuple<tensor<3xf32>, tuple<tensor<2xi32>>>) -> tensor<3xf32>
      %1 = stablehlo.get_tuple_element %t[1]
        : (tuple<tensor<3xf32>, tuple<tensor<2xi32>>>) -> tuple<tensor<2xi32>>
      %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2xi32>>) -> tensor<2xi32>
      %3 = stablehlo.tuple %2, %0 : tuple<tensor<2xi32>, tensor<3xf32>>
      return %3 : tuple<tensor<2xi32>, tensor<3xf32>>
    }
    func.func @main(%a: tensor<3xf32>, %b: tensor<2xi32>) -> (tensor<2xi32>, tensor<3xf32>) {
      %0 = stablehlo.tuple %b : tuple<tensor<2xi32>>
      %1 = stablehlo.tuple %a, %0 : tuple<tensor<3xf32>, tuple<tensor<2xi32>>>
      %2 = call @swap(%1) : (tuple<tensor<3xf32>, tuple<tensor<2xi32>>>)
        -> tuple<tensor<2xi32>, tensor<3xf32>>
      %3 = stablehlo.get_tuple_element %2[0]
        : (tuple<tensor<2xi32>, tensor<3xf32>>) -> tensor<2xi32>
      %4 = stablehlo.get_tuple_element %2[1]
        : (tuple<tensor<2xi32>, tensor<3xf32>>) -> tensor<3xf32>
      %5 = stablehlo.add %4, %a : tensor<3xf32>
      return %3, %5 : tensor<2xi32>, tensor<3xf32>
    }""")
    executable = sm.compile(module, backend="cpu")
    assert executable.fallback is None
    a, b = np.arange(3, dtype=np.float32), np.array([5, 7], np.int32)
    first, second = executable(a, b)
    np.testing.assert_array_equal(first, b)
    np.testing.assert_array_equal(second, a + a)

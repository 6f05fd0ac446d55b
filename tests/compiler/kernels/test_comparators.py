"""Sorts by comparators that are no plain order, and maps: as the interpreter computes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.compiler.dynamic.test_data_indices import agrees, numbers

BY_SIZE = """
    %p = stablehlo.abs %a0 : tensor<f32>
    %q = stablehlo.abs %b0 : tensor<f32>
    %first = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>"""
BY_SUM = """
    %p = stablehlo.add %a0, %a1 : tensor<i32>
    %q = stablehlo.add %b0, %b1 : tensor<i32>
    %first = stablehlo.compare GT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>"""
NAN_FIRST = """
    %p = stablehlo.compare NE, %a0, %a0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.compare EQ, %b0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %less = stablehlo.compare LT, %a0, %b0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %both = stablehlo.and %p, %q : tensor<i1>
    %first = stablehlo.or %less, %both : tensor<i1>"""
SHAPES = [((1,), 0), ((2,), 0), ((17,), 0), ((300,), 0), ((5, 9), 0), ((3, 4, 33), 1), ((0, 3), 0)]


def sort(shape: Sequence[int], dimension: int, body: str, elements: Sequence[str]) -> str:
    """A program that sorts tensors together."""
    types = [f"tensor<{'x'.join(map(str, (*shape, element)))}>" for element in elements]
    listed, count = ", ".join(types), len(types)
    inputs = ", ".join(f"%x{i}: {value_type}" for i, value_type in enumerate(types))
    pairs = ", ".join(f"%{side}{i}: tensor<{e}>" for i, e in enumerate(elements) for side in "ab")
    value = "%r" if count == 1 else f"%r:{count}"
    returned = "%r" if count == 1 else ", ".join(f"%r#{i}" for i in range(count))
    return f"""
func.func @main({inputs}) -> ({listed}) {{
  {value} = "stablehlo.sort"({", ".join(f"%x{i}" for i in range(count))}) ({{
  ^bb0({pairs}):{body}
    stablehlo.return %first : tensor<i1>
  }}) {{dimension = {dimension} : i64}} : ({listed}) -> ({listed})
  return {returned} : {listed}
}}"""


@pytest.mark.parametrize(("shape", "dimension"), SHAPES)
def test_sort_by_what_is_computed(shape: tuple[int, ...], dimension: int) -> None:
    agrees(sort(shape, dimension, BY_SIZE, ["f32"]), numbers(1, shape))


@pytest.mark.parametrize(("shape", "dimension"), SHAPES)
def test_sort_of_several_is_stable(shape: tuple[int, ...], dimension: int) -> None:
    values = np.random.default_rng(3).integers(-4, 4, (2, *shape), np.int32)
    agrees(sort(shape, dimension, BY_SUM, ["i32", "i32"]), *values)


def test_sort_puts_nan_where_the_comparator_says() -> None:
    values = numbers(5, (6, 40))
    values[:, ::3] = np.nan
    agrees(sort(values.shape, 1, NAN_FIRST, ["f32"]), values)


MAP = """
func.func @main(%x: tensor<5x7xf32>, %y: tensor<5x7xi32>) -> tensor<5x7xi1> {
  %r = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %three = stablehlo.constant dense<3.0> : tensor<f32>
    %c = stablehlo.convert %b : (tensor<i32>) -> tensor<f32>
    %d = stablehlo.multiply %a, %c : tensor<f32>
    %e = stablehlo.compare GT, %d, %three : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %e : tensor<i1>
  }) {dimensions = array<i64: 0, 1>} : (tensor<5x7xf32>, tensor<5x7xi32>) -> tensor<5x7xi1>
  return %r : tensor<5x7xi1>
}"""


def test_map_is_elementwise() -> None:
    integers = np.random.default_rng(7).integers(-9, 9, (5, 7), np.int32)
    agrees(MAP, numbers(7, (5, 7)), integers)

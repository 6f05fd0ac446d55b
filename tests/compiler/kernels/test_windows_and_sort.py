"""Folds in order, windows and sorts: compiled they are what the interpreter says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compiler.dynamic.test_data_indices import agrees, few, numbers, sizes

ARGMAX = """
func.func @main(%x: tensor<{0}x{1}xf32>) -> (tensor<{2}xf32>, tensor<{2}xi32>) {{
  %i = stablehlo.iota dim = {3} : tensor<{0}x{1}xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [{3}]
    : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xi32>, tensor<f32>, tensor<i32>)
    -> (tensor<{2}xf32>, tensor<{2}xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {{
    %gt = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %take = stablehlo.or %gt, %nan : tensor<i1>
    %eq = stablehlo.compare EQ, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %b, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %both = stablehlo.and %eq, %lt : tensor<i1>
    %first = stablehlo.or %take, %both : tensor<i1>
    %e = stablehlo.select %take, %a, %c : tensor<i1>, tensor<f32>
    %f = stablehlo.select %first, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %e, %f : tensor<f32>, tensor<i32>
  }}
  return %0#0, %0#1 : tensor<{2}xf32>, tensor<{2}xi32>
}}"""


@few
@given(sizes, sizes, st.integers(0, 1))
def test_reduce_of_pairs(rows: int, columns: int, dimension: int) -> None:
    text = ARGMAX.format(rows, columns, (columns, rows)[dimension], dimension)
    agrees(text, numbers(rows, (rows, columns)))


def test_reduce_of_nothing_is_the_initial_value() -> None:
    agrees(ARGMAX.format(0, 5, 5, 0), np.zeros((0, 5), np.float32))


WINDOW = """
func.func @main(%x: tensor<{shape}x{type}>) -> tensor<{result}x{type}> {{
  %init = stablehlo.constant dense<{init}> : tensor<{type}>
  %0 = "stablehlo.reduce_window"(%x, %init) <{{{attributes}}}> ({{
  ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
    %c = stablehlo.{op} %a, %b : tensor<{type}>
    stablehlo.return %c : tensor<{type}>
  }}) : (tensor<{shape}x{type}>, tensor<{type}>) -> tensor<{result}x{type}>
  return %0 : tensor<{result}x{type}>
}}"""


@pytest.mark.parametrize(("op", "init"), [("maximum", "0xFF800000"), ("add", "0.0")])
def test_windows_with_padding_and_dilations(op: str, init: str) -> None:
    attributes = """window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 2, 3>,
      base_dilations = array<i64: 1, 2, 1>, window_dilations = array<i64: 1, 1, 4>,
      padding = dense<[[0, 0], [2, -1], [1, 3]]> : tensor<3x2xi64>"""
    text = WINDOW.format(
        shape="3x7x18", result="3x6x6", type="f32", op=op, init=init, attributes=attributes
    )
    x = numbers(1, (3, 7, 18))
    agrees(text, np.where(np.isfinite(x), x, 1).astype("f4"))


@few
@given(st.sampled_from(["add", "multiply", "maximum"]), sizes, sizes, st.integers(0, 1))
def test_windows_that_are_prefixes(op: str, rows: int, columns: int, dimension: int) -> None:
    size = (rows, columns)[dimension]
    ends = ["[0, 0]", "[0, 0]"]
    ends[dimension] = f"[{size - 1}, 0]"
    window = ["1", "1"]
    window[dimension] = str(size)
    attributes = f"""window_dimensions = array<i64: {", ".join(window)}>,
      padding = dense<[{", ".join(ends)}]> : tensor<2x2xi64>"""
    shape = f"{rows}x{columns}"
    init = {"add": 0, "multiply": 1, "maximum": 3}[op]
    text = WINDOW.format(
        shape=shape, result=shape, type="i32", op=op, init=init, attributes=attributes
    )
    agrees(text, numbers(size, (rows, columns), "int32"))


@pytest.mark.parametrize("pad", [0, 1])
def test_select_and_scatter(pad: int) -> None:
    source = 4 + pad
    text = f"""
func.func @main(%x: tensor<2x9xi32>, %s: tensor<2x{source}xi32>) -> tensor<2x9xi32> {{
  %init = stablehlo.constant dense<5> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %init) <{{
    window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>,
    padding = dense<[[0, 0], [{pad}, {pad}]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}, {{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }}) : (tensor<2x9xi32>, tensor<2x{source}xi32>, tensor<i32>) -> tensor<2x9xi32>
  return %0 : tensor<2x9xi32>
}}"""
    agrees(text, numbers(2, (2, 9), "int32"), numbers(3, (2, source), "int32"))


SORT = """
func.func @main(%x: tensor<{0}x{1}x{2}>, %y: tensor<{0}x{1}xi32>)
    -> (tensor<{0}x{1}x{2}>, tensor<{0}x{1}xi32>) {{
  %0:2 = "stablehlo.sort"(%x, %y) <{{dimension = {3} : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<{2}>, %b: tensor<{2}>, %c: tensor<i32>, %d: tensor<i32>):
    {4}
    stablehlo.return %p : tensor<i1>
  }}) : (tensor<{0}x{1}x{2}>, tensor<{0}x{1}xi32>) -> (tensor<{0}x{1}x{2}>, tensor<{0}x{1}xi32>)
  return %0#0, %0#1 : tensor<{0}x{1}x{2}>, tensor<{0}x{1}xi32>
}}"""
PLAIN = "%p = stablehlo.compare {0}, %a, %b{2} : (tensor<{1}>, tensor<{1}>) -> tensor<i1>"
TWO_KEYS = """%q = stablehlo.compare GT, %a, %b : (tensor<{1}>, tensor<{1}>) -> tensor<i1>
    %e = stablehlo.compare EQ, %a, %b : (tensor<{1}>, tensor<{1}>) -> tensor<i1>
    %l = stablehlo.compare LT, %c, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %t = stablehlo.and %e, %l : tensor<i1>
    %p = stablehlo.or %q, %t : tensor<i1>"""


@few
@given(
    sizes,
    sizes,
    st.integers(0, 1),
    st.sampled_from(["LT", "GT"]),
    st.sampled_from(["i8", "ui8", "i32", "i64", "i1", "f32", "f64"]),
)
def test_sort(rows: int, columns: int, dimension: int, direction: str, element: str) -> None:
    total = ", TOTALORDER" if element[0] == "f" else ""
    dtype = {"i1": "bool", "f": f"float{element[1:]}", "u": "uint8"}.get(
        element if element == "i1" else element[0], f"int{element[1:]}"
    )
    x = (
        numbers(rows, (rows, columns)).astype(dtype)
        if total
        else numbers(rows, (rows, columns), "int64").astype(dtype)
    )
    comparator = PLAIN.format(direction, element, total)
    text = SORT.format(rows, columns, element, dimension, comparator)
    y = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    agrees(text, x, y)


@pytest.mark.parametrize("count", [1, 100, 3000])
def test_sort_by_two_keys(count: int) -> None:
    text = SORT.format(2, count, "i64", 1, TWO_KEYS.format(0, "i64"))
    agrees(text, numbers(4, (2, count), "int64"), numbers(5, (2, count), "int32"))

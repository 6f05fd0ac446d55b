"""Extrema of windows with padding, which read the nearest element in its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.kernels.test_dot import tensor, values
from tests.compiler.variants import Variant

EDGES = [((1, 1), (1, 1)), ((2, 0), (0, 2)), ((0, 1), (-1, -2)), ((-1, 2), (1, -3))]
SHAPE = (2, 11, 10, 20)


def program(op: str, element: str, edges: Any, innermost: tuple[int, int] = (0, 0)) -> str:
    """Windows of 3 x 3 points, two apart; the initial value is the first element of an argument."""
    padding = [(0, 0), *edges, innermost]
    sizes, strides = (1, 3, 3, 1), (1, 2, 2, 1)
    rows = zip(SHAPE, padding, sizes, strides, strict=True)
    result = [(n + low + high - size) // stride + 1 for n, (low, high), size, stride in rows]
    x, y = tensor(SHAPE, element), tensor(result, element)
    return f"""func.func @main(%x: {x}, %i: tensor<{element}>) -> {y} {{
  %0 = "stablehlo.reduce_window"(%x, %i) ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    %1 = stablehlo.{op} %a, %b : tensor<{element}>
    stablehlo.return %1 : tensor<{element}>
  }}) {{window_dimensions = array<i64: {", ".join(map(str, sizes))}>,
    window_strides = array<i64: {", ".join(map(str, strides))}>,
    padding = dense<{[list(pair) for pair in padding]}> : tensor<4x2xi64>}}
    : ({x}, tensor<{element}>) -> {y}
  return %0 : {y}
}}"""


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize(
    ("op", "element"),
    [("maximum", "f32"), ("minimum", "i8"), ("maximum", "bf16"), ("and", "i1"), ("or", "i32")],
)
def test_extrema_with_padding(op: str, element: str, edges: Any, check: bool) -> None:
    image = values(SHAPE, element, 0)
    if element == "f32":
        image[0, 0, 0, :5] = image[1, -1, -1, :5] = np.nan, -0.0, 0.0, np.inf, -np.inf
    init = values((1,), element, 1)[0]
    module = sm.load(program(op, element, edges))
    executable = Variant(check=check).compiled(module)
    expected = np.asarray(module.run(image, init, backend="interpreter"))
    result = np.asarray(executable(image, init))
    np.testing.assert_array_equal(result, expected)
    if element == "f32":
        assert np.array_equal(np.signbit(result), np.signbit(expected))
    assert "_pad0(" not in executable.emit("nest")


@pytest.mark.parametrize(
    ("op", "edges", "innermost"),
    [
        ("add", EDGES[0], (0, 0)),  # each element counts
        ("maximum", ((3, 0), (0, 0)), (0, 0)),  # a window of padding alone
        ("maximum", EDGES[0], (0, 3)),  # the lanes of a vector
    ],
)
def test_other_windows_read_padding(op: str, edges: Any, innermost: tuple[int, int]) -> None:
    image = values(SHAPE, "f32", 0)
    module = sm.load(program(op, "f32", edges, innermost))
    executable = Variant().compiled(module)
    expected = np.asarray(module.run(image, np.float32(-9), backend="interpreter"))
    np.testing.assert_allclose(np.asarray(executable(image, np.float32(-9))), expected, rtol=1e-5)
    assert "_pad0(" in executable.emit("nest")

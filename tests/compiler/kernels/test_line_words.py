"""Depthwise convolutions of bytes, whose products are those of words of neighboring lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.compile import native_or_interpreted
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import machine_of
from stablemate.compiler.kernels.contraction.convolution.line_words import (
    LINES,
    REGISTERS,
    WordTile,
)
from stablemate.dialects.stablehlo.windows import WindowDimensions
from tests.compiler.kernels.test_dot import compiled, tensor
from tests.compiler.lowering.test_quantized import random_tensor
from tests.compiler.plan_evaluation import difference
from tests.compiler.variants import RUNNABLE

# Points of the image, the window, strides, dilations of the window, padding, and features.
CASES: list[Any] = [
    ((13, 18), (3, 3), (1, 1), (1, 1), 1, 37),
    ((14, 11), (3, 3), (2, 2), (1, 1), 1, 64),
    ((14, 21), (5, 5), (1, 1), (1, 1), 2, 16),
    ((17, 12), (5, 3), (2, 1), (1, 1), 0, 24),
    ((15, 19), (7, 7), (1, 1), (1, 1), 3, 40),
    ((25, 9), (9, 2), (1, 1), (1, 1), 4, 17),
    ((17, 15), (3, 3), (1, 1), (2, 2), 2, 32),
    ((16, 21), (2, 4), (1, 3), (3, 1), 1, 48),
    ((4, 300), (4, 1), (1, 1), (1, 1), 0, 16),
    ((5, 5), (3, 3), (1, 1), (1, 1), 0, 3000),
]


def network(case: Any, storage: str, zero_point: int, *, reverses: bool = False) -> str:
    """A depthwise convolution of quantized numbers, whose sums are its result."""
    points, window, strides, dilations, pad, features = case
    reached = [
        (size + 2 * pad - (extent - 1) * dilation - 1) // stride + 1
        for size, extent, stride, dilation in zip(points, window, strides, dilations, strict=True)
    ]
    x = tensor((2, *points, features), f"!quant.uniform<{storage}:f32, 0.5:{zero_point}>")
    k = tensor((*window, 1, features), "!quant.uniform<i8:f32, 0.25>")
    y = tensor((2, *reached, features), "!quant.uniform<i32:f32, 0.125>")
    fields = [f"stride = {[*strides]}", f"pad = {[[pad, pad]] * 2}", f"rhs_dilate = {[*dilations]}"]
    fields += ["reverse = [true, true]"] * reverses
    return f"""func.func @main(%x: {x}, %k: {k}) -> {y} {{
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{{", ".join(fields)}}}
    {{feature_group_count = {features} : i64, batch_group_count = 1 : i64}} : ({x}, {k}) -> {y}
  return %0 : {y}
}}"""


def arguments_of(module: sm.Module) -> list[Any]:
    """Arguments, all bits of bytes in use."""
    random = np.random.default_rng(0)
    return [random_tensor(value.type, random) for value in module.entry().signature.arguments]


@pytest.mark.parametrize("machine", RUNNABLE)
@pytest.mark.parametrize(
    ("storage", "zero_point"), [("u8", 0), ("u8", 113), ("i8", -128), ("i8", 5)]
)
@pytest.mark.parametrize("case", CASES)
def test_sums_are_those_of_the_interpreter(
    case: Any, storage: str, zero_point: int, machine: str
) -> None:
    text = network(case, storage, zero_point)
    module, executable = compiled(text, RUNNABLE[machine])
    arguments = arguments_of(module)
    np.testing.assert_array_equal(
        np.asarray(executable(*arguments)), np.asarray(module.run(*arguments))
    )
    has_words = "register words" in executable.emit("nest")
    assert has_words == ("quad_of_i8" in machine_of(RUNNABLE[machine]).instructions)


@pytest.mark.parametrize("case", CASES[:3])
def test_turned_windows(case: Any) -> None:
    module, executable = compiled(network(case, "u8", 77, reverses=True))
    arguments = arguments_of(module)
    np.testing.assert_array_equal(
        np.asarray(executable(*arguments)), np.asarray(module.run(*arguments))
    )


@pytest.mark.parametrize("case", CASES[:4])
def test_plans_have_the_same_sums(case: Any) -> None:
    module, executable = compiled(network(case, "u8", 9))
    assert not difference(executable, arguments_of(module))


@pytest.mark.parametrize("case", CASES)
def test_no_access_leaves_the_image(case: Any) -> None:
    module = sm.load(network(case, "u8", 9))
    arguments = arguments_of(module)
    interpreted: Any = sm.compile(module, backend="interpreter")
    checked = native_or_interpreted(interpreted, options=CompileOptions(check=True))
    assert checked.fallback is None
    np.testing.assert_array_equal(
        np.asarray(checked(*arguments)), np.asarray(module.run(*arguments))
    )


@pytest.mark.parametrize("size", range(2, 10))
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("dilation", [1, 2])
def test_each_factor_has_one_place(size: int, stride: int, dilation: int) -> None:
    pair = ((0, 0), (0, 0))
    windows = WindowDimensions((size, 3), (stride, 1), pair, (1, 1), (dilation, 1))
    tile = WordTile.of(windows, (30, 30), 64, 64)
    assert tile is not None
    assert tile.columns + tile.lines * tile.points <= REGISTERS
    places = [(word, place) for word in range(tile.words) for place in range(LINES)]
    for line in range(tile.lines):
        rows = {(word * LINES + place): tile.row(word, line, place) for word, place in places}
        found = {place: row for place, row in rows.items() if row is not None}
        assert sorted(found.values()) == [*range(size)]
        if dilation == 1:
            assert all(place == row + line * stride for place, row in found.items())

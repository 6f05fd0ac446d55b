"""Identity of kernels, and squares that are transposed by shuffles."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.register_transposes import shuffle_stages

ONES = "contracting_dims = [1] x [0]"


def compiled(text: str) -> CompiledExecutable:
    """The compiled program."""
    return CompiledExecutable(cast(Any, sm.load(text).executable("main", backend="interpreter")))


def chain(first: str, second: str) -> str:
    """A program of two products, each of a matrix with the values of a type."""
    t = "tensor<20x20xf32>"
    return f"""func.func public @main(%a: {t}, %b: {t}, %c: {t}) -> {t} {{
  %0 = stablehlo.dot_general %a, %b, {first} : ({t}, {t}) -> {t}
  %1 = stablehlo.dot_general %0, %c, {second} : ({t}, {t}) -> {t}
  return %1 : {t}
}}"""


def test_kernels_that_are_equal_but_for_names_are_one_function() -> None:
    texts = compiled(chain(ONES, ONES)).kernel_functions
    assert set(texts.names.values()) == {"k1"}
    assert set(texts.functions) == {"common0", "k1"}


def test_kernels_of_other_strides_are_two_functions() -> None:
    texts = compiled(chain(ONES, "contracting_dims = [0] x [0]")).kernel_functions
    assert set(texts.functions) == {"common0", "k1", "common1", "k2"}


@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
def test_exchanges_transpose(lanes: int) -> None:
    square = np.arange(lanes * lanes).reshape(lanes, lanes)
    vectors = list(square)
    for distance, first, second in shuffle_stages(lanes, lanes):
        for i in range(lanes):
            if not i & distance:
                pair = np.concatenate([vectors[i], vectors[i + distance]])
                vectors[i], vectors[i + distance] = pair[list(first)], pair[list(second)]
    np.testing.assert_array_equal(vectors, square.T)


@pytest.mark.parametrize("element", ["f32", "i8", "f64", "i1"])
@pytest.mark.parametrize("shape", [(16, 16), (33, 50), (8, 300), (3, 17, 40), (9, 7)])
def test_transpose_in_squares_equals_the_interpreter(shape: tuple[int, ...], element: str) -> None:
    transposed = (*shape[:-2], shape[-1], shape[-2])
    order = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
    a, b = ("x".join(map(str, item)) for item in (shape, transposed))
    text = f"""func.func public @main(%a: tensor<{a}x{element}>) -> tensor<{b}x{element}> {{
  %0 = stablehlo.transpose %a, dims = {order} : (tensor<{a}x{element}>) -> tensor<{b}x{element}>
  return %0 : tensor<{b}x{element}>
}}"""
    dtype = {"f32": np.float32, "i8": np.int8, "f64": np.float64, "i1": np.bool_}[element]
    values = np.random.default_rng(0).integers(0, 100, shape).astype(dtype)
    executable = compiled(text)
    np.testing.assert_array_equal(np.asarray(executable(values)), values.swapaxes(-1, -2))
    if shape == (16, 16):
        assert "gather" not in "".join(executable.kernel_functions.functions.values())

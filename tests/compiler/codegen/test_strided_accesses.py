"""Elements a few places apart: picked out of vectors of neighbors, and stored in turn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.expressions import Expressions, terms_of
from stablemate.numerics.symbolic_sizes import Assumptions

some = settings(max_examples=40, deadline=None, derandomize=True)
DTYPES = {"i8": "int8", "ui16": "uint16", "f32": "float32", "f64": "float64", "i64": "int64"}


def check(text: str, *arguments: Any) -> str:
    """Compares with the interpreter; the code."""
    module = sm.load(text)
    executable: Any = sm.compile(module, backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    expected = sm.compile(module, backend="interpreter")(*arguments)
    np.testing.assert_array_equal(executable(*arguments), expected)
    return executable.emit("llvm")


@some
@given(st.sampled_from(sorted(DTYPES)), st.integers(2, 6), st.integers(1, 140), st.integers(0, 3),
       st.booleans())  # fmt: skip
def test_every_kth_element(element: str, stride: int, count: int, start: int, back: bool) -> None:
    size = start + (count - 1) * stride + 1  # the last element that is read is the last there is
    dims = "dims = [0, 1]" if back else "dims = []"
    text = f"""
func.func @main(%x: tensor<2x{size}x{element}>) -> tensor<2x{count}x{element}> {{
  %0 = stablehlo.slice %x [0:2, {start}:{size}:{stride}]
    : (tensor<2x{size}x{element}>) -> tensor<2x{count}x{element}>
  %1 = stablehlo.reverse %0, {dims} : tensor<2x{count}x{element}>
  %2 = stablehlo.add %0, %1 : tensor<2x{count}x{element}>
  return %2 : tensor<2x{count}x{element}>
}}"""
    x = np.random.default_rng(size).integers(0, 100, (2, size)).astype(DTYPES[element])
    check(text, x)


@some
@given(st.integers(1, 70), st.integers(1, 5), st.sampled_from(["f32", "f64"]))
def test_complex_numbers_are_stored_in_turn(count: int, rows: int, part: str) -> None:
    dtype = np.dtype({"f32": np.complex64, "f64": np.complex128}[part])
    kind = f"tensor<{rows}x{count}xcomplex<{part}>>"
    text = f"""
func.func @main(%x: {kind}, %y: {kind}) -> {kind} {{
  %0 = stablehlo.multiply %x, %y : {kind}
  %1 = stablehlo.subtract %0, %y : {kind}
  return %1 : {kind}
}}"""
    rng = np.random.default_rng(count)
    x, y = (rng.integers(-9, 9, (2, rows, count, 2)) @ np.array([1, 1j])).astype(dtype)
    check(text, x, y)


@pytest.mark.parametrize("stride", [2, 3, 4])
def test_near_elements_are_not_gathered(stride: int) -> None:
    size = 64 * stride
    text = f"""
func.func @main(%x: tensor<{size}xf32>) -> tensor<64xf32> {{
  %0 = stablehlo.slice %x [0:{size}:{stride}] : (tensor<{size}xf32>) -> tensor<64xf32>
  %1 = stablehlo.negate %0 : tensor<64xf32>
  return %1 : tensor<64xf32>
}}"""
    assert "gather" not in check(text, np.arange(size, dtype=np.float32))


def test_complex_numbers_are_not_scattered() -> None:
    kind = "tensor<64xcomplex<f32>>"
    body = f"%0 = stablehlo.negate %x : {kind}\n return %0 : {kind}"
    text = f"func.func @main(%x: {kind}) -> {kind} {{ {body} }}"
    assert "scatter" not in check(text, np.arange(64).astype(np.complex64))


@pytest.mark.parametrize("shape", [(7, 96), (1, 64), (33, 50)])
def test_transforms_are_the_same_for_any_number_of_threads(shape: tuple[int, int]) -> None:
    kind = f"tensor<{shape[0]}x{shape[1]}xf32>"
    half = f"tensor<{shape[0]}x{shape[1] // 2 + 1}xcomplex<f32>>"
    text = f"""
func.func @main(%x: {kind}) -> {half} {{
  %0 = stablehlo.fft %x, type = RFFT, length = [{shape[1]}] : ({kind}) -> {half}
  return %0 : {half}
}}"""
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    module = sm.load(text)
    collected = [sm.compile(module, backend="cpu", threads=n)(x) for n in (1, 2)]
    np.testing.assert_array_equal(*collected)


@pytest.mark.parametrize("parts", [2, 3, 4])
@pytest.mark.parametrize("element", ["i8", "bf16", "f32", "f64"])
@pytest.mark.parametrize("pixels", [(5, 37), (16, 16), (1, 9)])
def test_planes_become_parts_of_pixels(parts: int, element: str, pixels: tuple[int, int]) -> None:
    height, width = pixels
    planes = f"tensor<{parts}x{height}x{width}x{element}>"
    image = f"tensor<{height}x{width}x{parts}x{element}>"
    text = f"""func.func @main(%x: {planes}) -> {image} {{
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : ({planes}) -> {image}
  %1 = stablehlo.negate %0 : {image}
  return %1 : {image}
}}"""
    dtype = {"i8": np.int8, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
    numbers = np.arange(parts * height * width) % 100
    x = numbers.reshape(parts, height, width).astype(dtype[element])
    result = np.asarray(sm.compile(sm.load(text), backend="cpu")(x))
    np.testing.assert_array_equal(result, -x.transpose(1, 2, 0))


@pytest.mark.parametrize("is_transposed", [False, True])
def test_lanes_in_rows_of_unknown_length_assume_nothing_of_it(is_transposed: bool) -> None:
    # A program whose code depended on that length would be wrong for the next one.
    assumptions, table, width = Assumptions(), Expressions(), 8
    lane = table.loop_index("lane", width)
    row, column = (
        terms_of(index)[1][0][0] for index in (table.quotient(lane, 4), table.remainder(lane, 4))
    )
    steps = (column, row) if is_transposed else (row, column)
    length: Any = assumptions.symbol(2)
    position = table.sum(0, [(steps[0], length), (steps[1], 1)])
    ((vector, _),) = terms_of(lane)[1]
    state: Any = SimpleNamespace(
        vector=vector, width=width, is_vectorized=lambda expression: vector in expression.loops
    )
    unused: Any = None
    before = dict(assumptions.nonnegative), dict(assumptions.zero)
    assert AddressEmitter(state, unused).lane_order(position) is None
    assert (assumptions.nonnegative, assumptions.zero) == before

"""Operations whose indices are data, and windows: compiled they are what the interpreter says."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import CopySlot, LaunchStep, Request
from stablemate.interpreter.executable import InterpretedExecutable

few = settings(max_examples=12, deadline=None, derandomize=True)
sizes = st.integers(1, 19)


def agrees(text: str, *arguments: Any) -> CompiledExecutable:
    """Compiles a program without requests, and compares every bit with the interpreter's."""
    executable = sm.load(text).executable(backend="interpreter")
    assert isinstance(executable, InterpretedExecutable)
    compiled = CompiledExecutable(executable)
    assert not [step for step in compiled.plan.steps if isinstance(step, Request)]
    value, expected = map(results, (compiled(*arguments), executable(*arguments)))
    for one, other in zip(value, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    return compiled


def results(outcome: Any) -> list[Any]:
    """The arrays that a call returns."""
    several: list[Any] = [*outcome] if isinstance(outcome, tuple) else [outcome]
    return [np.asarray(item) for item in several]


def numbers(seed: int, shape: tuple[int, ...], dtype: str = "float32") -> Any:
    """Numbers, some of them equal, infinite or NaN."""
    random = np.random.default_rng(seed)
    if dtype != "float32":
        return random.integers(-5, 25, shape).astype(dtype)
    values = random.integers(-9, 9, shape).astype(dtype)
    special = np.array([np.nan, np.inf, -np.inf, -0.0, -np.nan], dtype)
    return np.where(random.random(shape) < 0.1, random.choice(special, shape), values)


@few
@given(sizes, sizes, st.integers(-30, 30), st.integers(0, 255))
def test_dynamic_slice(rows: int, columns: int, first: int, second: int) -> None:
    size = (rows + 1) // 2, (columns + 1) // 2
    text = f"""
func.func @main(%x: tensor<{rows}x{columns}xf32>, %i: tensor<i32>, %j: tensor<ui8>)
    -> tensor<{size[0]}x{size[1]}xf32> {{
  %k = stablehlo.convert %j : (tensor<ui8>) -> tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %k, sizes = [{size[0]}, {size[1]}]
    : (tensor<{rows}x{columns}xf32>, tensor<i32>, tensor<i32>) -> tensor<{size[0]}x{size[1]}xf32>
  return %0 : tensor<{size[0]}x{size[1]}xf32>
}}"""
    agrees(text, numbers(1, (rows, columns)), np.int32(first), np.uint8(second))


@pytest.mark.parametrize("index", ["i8", "ui8", "i32", "ui32", "i64", "ui64"])
def test_gather_clamps_every_type_of_index(index: str) -> None:
    dtype = (
        index.replace("u", "uint").replace("i", "int") if index[0] != "u" else f"uint{index[2:]}"
    )
    starts = np.array([-1, 0, 3, 200, 7, 1], np.int64).astype(dtype.replace("intint", "int"))
    text = f"""
func.func @main(%x: tensor<9x5xf32>, %i: tensor<6x{index}>) -> tensor<6x2x5xf32> {{
  %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 5>}}>
    : (tensor<9x5xf32>, tensor<6x{index}>) -> tensor<6x2x5xf32>
  return %0 : tensor<6x2x5xf32>
}}"""
    agrees(text, numbers(2, (9, 5)), starts)


def test_gather_in_batches() -> None:
    text = """
func.func @main(%x: tensor<3x8x4x6xi32>, %i: tensor<7x3x2xi32>) -> tensor<7x2x3x5xi32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3],
    collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1],
    start_index_map = [2, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2, 5>}>
    : (tensor<3x8x4x6xi32>, tensor<7x3x2xi32>) -> tensor<7x2x3x5xi32>
  return %0 : tensor<7x2x3x5xi32>
}"""
    agrees(text, numbers(3, (3, 8, 4, 6), "int32"), numbers(4, (7, 3, 2), "int32"))


UPDATES = {
    "set": "stablehlo.return %b : tensor<TYPE>",
    **{
        name: f"%c = stablehlo.{name} %a, %b : tensor<TYPE>\n stablehlo.return %c : tensor<TYPE>"
        for name in ("add", "multiply", "minimum", "subtract")
    },
}


@few
@given(st.sampled_from(sorted(UPDATES)), sizes, st.sampled_from(["f32", "i32", "bf16"]), sizes)
def test_scatter(update: str, count: int, element: str, columns: int) -> None:
    body = UPDATES[update].replace("TYPE", element)
    text = f"""
func.func @main(%x: tensor<7x{columns}x{element}>, %i: tensor<{count}x1xi32>,
    %u: tensor<{count}x{columns}x{element}>) -> tensor<7x{columns}x{element}> {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
    index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
    {body}
  }}) : (tensor<7x{columns}x{element}>, tensor<{count}x1xi32>, tensor<{count}x{columns}x{element}>)
    -> tensor<7x{columns}x{element}>
  return %0 : tensor<7x{columns}x{element}>
}}"""
    dtype = {"f32": np.float32, "i32": np.int32, "bf16": ml_dtypes.bfloat16}[element]
    x, u = (numbers(s, (n, columns), "int32").astype(dtype) for s, n in ((5, 7), (6, count)))
    agrees(text, x, numbers(7, (count, 1), "int32"), u)


def test_scatter_drops_elements_of_windows_and_takes_several_inputs() -> None:
    text = """
func.func @main(%x: tensor<6x5xf32>, %y: tensor<6x5xi32>, %i: tensor<4x2xi32>,
    %u: tensor<4x2x3xf32>, %v: tensor<4x2x3xi32>) -> (tensor<6x5xf32>, tensor<6x5xi32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers =
    #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0],
    index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %e = stablehlo.select %less, %c, %a : tensor<i1>, tensor<f32>
    %f = stablehlo.select %less, %d, %b : tensor<i1>, tensor<i32>
    stablehlo.return %e, %f : tensor<f32>, tensor<i32>
  }) : (tensor<6x5xf32>, tensor<6x5xi32>, tensor<4x2xi32>, tensor<4x2x3xf32>, tensor<4x2x3xi32>)
    -> (tensor<6x5xf32>, tensor<6x5xi32>)
  return %0#0, %0#1 : tensor<6x5xf32>, tensor<6x5xi32>
}"""
    starts = np.array([[-1, 0], [3, 5], [2, -2], [9, 9]], np.int32)
    x, u = numbers(8, (6, 5), "int32"), numbers(9, (4, 2, 3), "int32")
    agrees(text, x.astype("f4"), x, starts, u.astype("f4"), u)


@pytest.mark.parametrize("windows", ["[0]", "[1]", "[2]"])
def test_scatter_in_row_major_order(windows: str) -> None:
    shapes = {"[0]": "3x2x4", "[1]": "2x3x4", "[2]": "2x4x3"}
    text = f"""
func.func @main(%x: tensor<7xf32>, %i: tensor<2x4xi32>, %u: tensor<{shapes[windows]}xf32>)
    -> tensor<7xf32> {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = {windows}, scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.constant dense<0.5> : tensor<f32>
    %d = stablehlo.multiply %a, %c : tensor<f32>
    %e = stablehlo.add %d, %b : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }}) : (tensor<7xf32>, tensor<2x4xi32>, tensor<{shapes[windows]}xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}}"""
    random = np.random.default_rng(4)
    shape = tuple(map(int, shapes[windows].split("x")))
    indices = random.integers(-2, 7, (2, 4)).astype("i4")
    agrees(text, numbers(2, (7,)), indices, random.standard_normal(shape).astype("f4"))


def test_scatter_does_not_count_beyond_the_largest_index() -> None:
    """A window that begins there is outside wholly, whatever its elements add to the index."""
    text = """
func.func @main(%x: tensor<3xf32>, %i: tensor<2x1xui64>, %u: tensor<2x3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3xf32>, tensor<2x1xui64>, tensor<2x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""
    starts = np.array([[2**64 - 1], [1]], np.uint64)
    x, u = numbers(8, (3,), "float32"), numbers(9, (2, 3), "float32")
    agrees(text, x, starts, u)
    result = sm.run(text, x, starts, u)
    assert result.tolist() == [x[0], *u[1, :2]]


LOOP = """
func.func @main(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<16> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %s = %x) : tensor<i32>, tensor<16x64xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.subtract %i, %c1 : tensor<i32>
    %o = stablehlo.dynamic_slice %s, %b, %c0, sizes = [1, 64]
      : (tensor<16x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %q = stablehlo.reverse %o, dims = [1] : tensor<1x64xf32>
    %t = stablehlo.dynamic_update_slice %s, %q, %i, %c0
      : (tensor<16x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<16x64xf32>
    LAST
    %j = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %j, %t2 : tensor<i32>, tensor<16x64xf32>
  }
  return %r#1 : tensor<16x64xf32>
}"""


def test_a_loop_updates_its_state_in_place() -> None:
    text = LOOP.replace("    LAST\n", "").replace("%t2", "%t")
    compiled = agrees(text, numbers(10, (16, 64)))
    whole = [s for s in compiled.plan.steps if isinstance(s, CopySlot) and s.target.bytes == 4096]
    assert len(whole) == 1  # into the loop
    assert not any(
        isinstance(s, LaunchStep) and s.kernel.name.endswith("_copy") for s in compiled.plan.steps
    )


def test_a_value_that_is_read_later_is_not_overwritten() -> None:
    text = LOOP.replace("LAST", "%t2 = stablehlo.add %t, %s : tensor<16x64xf32>")
    agrees(text, numbers(11, (16, 64)))


def test_the_condition_of_a_loop_does_not_change_its_state() -> None:
    text = """
func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %u = stablehlo.constant dense<[100, 100]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<8xi32>
  %r = stablehlo.while(%s = %x) : tensor<8xi32>
   cond {
    %t = stablehlo.dynamic_update_slice %s, %u, %c0
      : (tensor<8xi32>, tensor<2xi32>, tensor<i32>) -> tensor<8xi32>
    %a = stablehlo.slice %t [2:3] : (tensor<8xi32>) -> tensor<1xi32>
    %b = stablehlo.reshape %a : (tensor<1xi32>) -> tensor<i32>
    %n = stablehlo.constant dense<30> : tensor<i32>
    %p = stablehlo.compare LT, %b, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.add %s, %one : tensor<8xi32>
    stablehlo.return %t : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}"""
    agrees(text, numbers(12, (8,), "int32"))


def test_an_index_that_was_asked_for_is_not_clamped_again() -> None:
    text = """
func.func @main(%y: tensor<1000xf32>, %i: tensor<300x1xi32>, %u: tensor<300xf32>)
    -> tensor<1000xf32> {
  %0 = "stablehlo.scatter"(%y, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<1000xf32>, tensor<300x1xi32>, tensor<300xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}"""
    random = np.random.default_rng(5)
    indices = random.integers(-5, 1005, (300, 1)).astype(np.int32)  # some are outside
    agrees_result = agrees(text, numbers(3, (1000,)), indices, numbers(4, (300,)))
    assert "llvm.smax" not in agrees_result.emit("llvm")


def test_what_is_taken_from_nothing_has_no_elements() -> None:
    text = """
    func.func @main(%x: tensor<0x4xf32>, %i: tensor<i32>, %k: tensor<3x1xi32>)
        -> (tensor<0x2xf32>, tensor<1x2xf32>, tensor<3x0xf32>) {
      %z = stablehlo.constant dense<7.0> : tensor<f32>
      %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [0, 2]
        : (tensor<0x4xf32>, tensor<i32>, tensor<i32>) -> tensor<0x2xf32>
      %1 = stablehlo.pad %0, %z, low = [1, 0], high = [0, 0], interior = [0, 0]
        : (tensor<0x2xf32>, tensor<f32>) -> tensor<1x2xf32>
      %2 = "stablehlo.gather"(%x, %k) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
          slice_sizes = array<i64: 0, 1>, indices_are_sorted = false}
        : (tensor<0x4xf32>, tensor<3x1xi32>) -> tensor<3x0xf32>
      return %0, %1, %2 : tensor<0x2xf32>, tensor<1x2xf32>, tensor<3x0xf32>
    }"""
    agrees(text, np.zeros((0, 4), np.float32), np.int32(1), np.array([[0], [3], [9]], np.int32))

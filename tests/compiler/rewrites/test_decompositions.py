"""Operations that are compiled as simpler ones."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from tests.compiler.result_comparison import arrays, native, same_bits

NORMALIZED = """
func.func @main(%x: tensor<6x5x7x{0}>, %s: tensor<5x{0}>, %o: tensor<5x{0}>, %m: tensor<5x{0}>,
    %v: tensor<5x{0}>, %g: tensor<6x5x7x{0}>) -> (tensor<6x5x7x{0}>, tensor<6x5x7x{0}>,
    tensor<5x{0}>, tensor<5x{0}>, tensor<6x5x7x{0}>, tensor<5x{0}>, tensor<5x{0}>) {{
  %a = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v)
    {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}
    : (tensor<6x5x7x{0}>, tensor<5x{0}>, tensor<5x{0}>, tensor<5x{0}>, tensor<5x{0}>)
    -> tensor<6x5x7x{0}>
  %b:3 = "stablehlo.batch_norm_training"(%x, %s, %o)
    {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}
    : (tensor<6x5x7x{0}>, tensor<5x{0}>, tensor<5x{0}>)
    -> (tensor<6x5x7x{0}>, tensor<5x{0}>, tensor<5x{0}>)
  %c:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g)
    {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}}
    : (tensor<6x5x7x{0}>, tensor<5x{0}>, tensor<5x{0}>, tensor<5x{0}>, tensor<6x5x7x{0}>)
    -> (tensor<6x5x7x{0}>, tensor<5x{0}>, tensor<5x{0}>)
  return %a, %b#0, %b#1, %b#2, %c#0, %c#1, %c#2 : tensor<6x5x7x{0}>, tensor<6x5x7x{0}>,
    tensor<5x{0}>, tensor<5x{0}>, tensor<6x5x7x{0}>, tensor<5x{0}>, tensor<5x{0}>
}}"""


@pytest.mark.parametrize(
    ("element", "dtype", "bound"),  # sums of 42 numbers, in another order than the interpreter's
    [("f32", np.float32, 1e-5), ("f64", np.float64, 1e-13), ("bf16", ml_dtypes.bfloat16, 2**-7)],
)
def test_batch_normalizations(element: str, dtype: Any, bound: float) -> None:
    random: Any = np.random.default_rng(1)
    shapes: list[Any] = [(6, 5, 7), 5, 5, 5, 5, (6, 5, 7)]
    arguments: list[Any] = [random.uniform(0.5, 2, shape).astype(dtype) for shape in shapes]
    text = NORMALIZED.format(element)
    arrays_read = arrays(native(text)(*arguments))
    expected = arrays(sm.load(text).run(*arguments, backend="interpreter"))
    assert arrays_read[0].tobytes() == expected[0].tobytes()  # no sums
    for one, other in zip(arrays_read, expected, strict=True):
        wide = other.astype(np.float64)
        scale = np.abs(wide).max()
        np.testing.assert_allclose(one.astype(np.float64), wide, rtol=bound, atol=bound * scale)


WIDE = """
func.func @main(%x: tensor<6x5xi8>, %i: tensor<i8>, %u: tensor<2x5xi8>)
    -> (tensor<6xi32>, tensor<6x5xi32>, tensor<6x5xi32>) {
  %r = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<6x5xi8>, tensor<i8>) -> tensor<6xi32>
  %w = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}
    : (tensor<6x5xi8>, tensor<i8>) -> tensor<6x5xi32>
  %at = stablehlo.constant dense<[[1], [4]]> : tensor<2x1xi64>
  %s = "stablehlo.scatter"(%x, %at, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<6x5xi8>, tensor<2x1xi64>, tensor<2x5xi8>) -> tensor<6x5xi32>
  return %r, %w, %s : tensor<6xi32>, tensor<6x5xi32>, tensor<6x5xi32>
}"""


def test_accumulators_that_are_wider_than_elements() -> None:
    random = np.random.default_rng(2)
    x, u = (random.integers(-128, 127, shape, np.int8) for shape in ((6, 5), (2, 5)))
    same_bits(WIDE, x, np.int8(3), u)


SELECTED = """
func.func @main(%x: tensor<8x6xi8>, %s: tensor<4x3xi8>, %i: tensor<i8>) -> tensor<8x6xi32> {
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %c = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}
    : (tensor<8x6xi8>, tensor<4x3xi8>, tensor<i8>) -> tensor<8x6xi32>
  return %r : tensor<8x6xi32>
}"""


def test_selected_elements_in_a_wider_type() -> None:
    random = np.random.default_rng(3)
    x, s = (random.integers(-128, 127, shape, np.int8) for shape in ((8, 6), (4, 3)))
    same_bits(SELECTED, x, s, np.int8(100))


EINSUM = """
func.func @main({0}) -> tensor<{1}> {{
  %r = "stablehlo.einsum"(%x, %y) {{einsum_config = "{2}"}} : ({3}) -> tensor<{1}>
  return %r : tensor<{1}>
}}"""


@pytest.mark.parametrize(
    ("config", "lhs", "rhs", "result"),
    [
        ("ab,bc->ac", (3, 4), (4, 5), (3, 5)),
        ("abc,acd->abd", (2, 3, 4), (2, 4, 5), (2, 3, 5)),
        ("aa,ab->b", (4, 4), (4, 5), (5,)),
        ("ab,cd->dbca", (2, 3), (4, 5), (5, 3, 4, 2)),
        ("abc,b->ca", (2, 3, 4), (3,), (4, 2)),
        ("ab,ab->", (3, 4), (3, 4), ()),
    ],
)
def test_sums_of_products(config: str, lhs: Any, rhs: Any, result: Any) -> None:
    types = [f"{'x'.join(map(str, (*shape, 'i32')))}" for shape in (lhs, rhs, result)]
    arguments = f"%x: tensor<{types[0]}>, %y: tensor<{types[1]}>"
    text = EINSUM.format(arguments, types[2], config, f"tensor<{types[0]}>, tensor<{types[1]}>")
    random = np.random.default_rng(4)
    same_bits(text, *(random.integers(-99, 99, shape, np.int32) for shape in (lhs, rhs)))


UNARY = """
func.func @main(%x: tensor<3x4x3xi32>) -> tensor<4x3xi32> {
  %r = "stablehlo.unary_einsum"(%x) {einsum_config = "aba->ba"}
    : (tensor<3x4x3xi32>) -> tensor<4x3xi32>
  %b = "stablehlo.broadcast"(%r) {broadcast_sizes = array<i64: 2>}
    : (tensor<4x3xi32>) -> tensor<2x4x3xi32>
  %s = stablehlo.slice %b [1:2, 0:4, 0:3] : (tensor<2x4x3xi32>) -> tensor<1x4x3xi32>
  %t = stablehlo.reshape %s : (tensor<1x4x3xi32>) -> tensor<4x3xi32>
  return %t : tensor<4x3xi32>
}"""


def test_diagonals_and_broadcasts() -> None:
    same_bits(UNARY, np.arange(36, dtype=np.int32).reshape(3, 4, 3))


TOP_K = """
func.func @main(%x: tensor<5x40xf32>) -> (tensor<5x4xf32>, tensor<5x4xi32>) {
  %r:2 = stablehlo.custom_call @mhlo.topk(%x)
    {mhlo.attributes = {k = 4 : i64, largest = LARGEST}}
    : (tensor<5x40xf32>) -> (tensor<5x4xf32>, tensor<5x4xi32>)
  return %r#0, %r#1 : tensor<5x4xf32>, tensor<5x4xi32>
}"""
APPROXIMATE = """
func.func @main(%x: tensor<SIZExf32>, %y: tensor<SIZExi32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %f = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %r:2 = stablehlo.custom_call @ApproxTopK(%x, %y, %f, %i)
    {called_computations = [@larger], mhlo.backend_config = {top_k = 8 : i64,
     reduction_dim = 0 : i64, recall_target = 9.0e-1 : f32}}
    : (tensor<SIZExf32>, tensor<SIZExi32>, tensor<f32>, tensor<i32>)
    -> (tensor<8xf32>, tensor<8xi32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi32>
}
func.func private @larger(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>)
    -> tensor<i1> {
  %r = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r : tensor<i1>
}"""


@pytest.mark.parametrize("largest", ["true", "false"])
def test_first_elements(largest: str) -> None:
    x = np.random.default_rng(5).integers(-9, 9, (5, 40)).astype(np.float32)
    x[0, ::7], x[1, ::5] = np.nan, -0.0
    same_bits(TOP_K.replace("LARGEST", largest), x)


@pytest.mark.parametrize("size", [5, 8, 300])
def test_first_elements_by_a_comparator(size: int) -> None:
    x = np.random.default_rng(6).standard_normal(size).astype(np.float32)
    same_bits(APPROXIMATE.replace("SIZE", str(size)), x, np.arange(size, dtype=np.int32))


SINGLE = """
func.func @main(%x: tensor<3x1x4x1xELEMENT>, %i: tensor<ELEMENT>)
    -> (tensor<3x4xELEMENT>, tensor<3x4xELEMENT>) {
  %zero = stablehlo.constant dense<ZERO> : tensor<ELEMENT>
  %r = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<ELEMENT>, %b: tensor<ELEMENT>):
    %c = stablehlo.OPERATION %a, %b : tensor<ELEMENT>
    stablehlo.return %c : tensor<ELEMENT>
  }) {dimensions = array<i64: 1, 3>}
    : (tensor<3x1x4x1xELEMENT>, tensor<ELEMENT>) -> tensor<3x4xELEMENT>
  %s = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%a: tensor<ELEMENT>, %b: tensor<ELEMENT>):
    %c = stablehlo.OPERATION %a, %b : tensor<ELEMENT>
    stablehlo.return %c : tensor<ELEMENT>
  }) {dimensions = array<i64: 1, 3>}
    : (tensor<3x1x4x1xELEMENT>, tensor<ELEMENT>) -> tensor<3x4xELEMENT>
  return %r, %s : tensor<3x4xELEMENT>, tensor<3x4xELEMENT>
}"""


@pytest.mark.parametrize(("element", "dtype"), [("f32", np.float32), ("i8", np.int8)])
@pytest.mark.parametrize("operation", ["add", "multiply", "maximum", "minimum"])
def test_reductions_of_single_elements(element: str, dtype: Any, operation: str) -> None:
    text = SINGLE.replace("ELEMENT", element).replace("OPERATION", operation)
    text = text.replace("ZERO", "0.0" if element == "f32" else "0")
    numbers = [-0.0, 0.0, 1.5, -3, 100, -120, *([np.inf, np.nan] if element == "f32" else [7, 8])]
    x: Any = np.resize(np.array(numbers), (3, 1, 4, 1)).astype(dtype)
    assert "fold" not in same_bits(text, x, dtype(5)).emit("nest")

"""Windows and paddings that depend on the sizes of arguments: compiled once for all sizes."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.ir.attributes import ArrayAttribute, DenseElementsAttribute
from stablemate.ir.kinds import SI64_MATRIX
from stablemate.numerics.symbolic_sizes import Assumptions
from tests.compiler.sized_programs import compiled

# As jax.export writes jnp.cumsum: the window is as long as the dimension.
PREFIX_SUMS = """
func.func @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %size = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %before = stablehlo.subtract %size, %one : tensor<1xi32>
  %window = stablehlo.concatenate %size, %one, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %sides = stablehlo.concatenate %before, %zeros, %zeros, %zeros, dim = 0
    : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %padding = stablehlo.reshape %sides : (tensor<4xi32>) -> tensor<2x2xi32>
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(
      %x, %zero, %window, %ones, %ones, %ones, %padding) {called_computations = [@add]}
    : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
       tensor<2x2xi32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}"""
# A convolution with stride 2 whose result has half as many rows, rounded up: odd numbers of rows
# have one more row of padding.
SAME_CONVOLUTION = """
func.func @main(%x: tensor<1x?x8x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x?x4x8xf32> {
  %zeros = stablehlo.constant dense<0> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<1x?x8x4xf32>) -> tensor<i32>
  %rest = stablehlo.remainder %n, %two : tensor<i32>
  %low = stablehlo.reshape %rest : (tensor<i32>) -> tensor<1xi32>
  %sides = stablehlo.concatenate %low, %ones, %zeros, %ones, dim = 0
    : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %padding = stablehlo.reshape %sides : (tensor<4xi32>) -> tensor<2x2xi32>
  %r = "stablehlo.dynamic_conv"(%x, %w, %padding) <{
      dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
      window_strides = array<i64: 2, 2>, batch_group_count = 1 : i64,
      feature_group_count = 1 : i64}>
    : (tensor<1x?x8x4xf32>, tensor<3x3x4x8xf32>, tensor<2x2xi32>) -> tensor<1x?x4x8xf32>
  return %r : tensor<1x?x4x8xf32>
}"""
# The gradient of weights: the features of images are those of an argument's batch, two a group.
GROUPED_GRADIENT = """
func.func @main(%x: tensor<?x4x6x6xf32>, %g: tensor<?x8x6x6xf32>) -> tensor<8x1x3x3xf32> {
  %0 = stablehlo.convolution(%x, %g) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64}
    : (tensor<?x4x6x6xf32>, tensor<?x8x6x6xf32>) -> tensor<8x1x3x3xf32>
  return %0 : tensor<8x1x3x3xf32>
}"""


@pytest.mark.parametrize("check", [False, True])
def test_prefix_sums_along_a_dynamic_dimension_share_a_version(check: bool) -> None:
    executable, versions = compiled(PREFIX_SUMS, check=check)
    for size in (37, 5, 100, 1000, 64, 2):
        x = np.arange(3 * size, dtype=np.float32).reshape(size, 3) % 17  # sums are exact
        np.testing.assert_array_equal(executable(x), np.cumsum(x, 0))
    assert len(versions.versions) == 1
    assert not versions.failures


@pytest.mark.parametrize("check", [False, True])
def test_paddings_of_even_and_odd_sizes_have_a_version_each(check: bool) -> None:
    executable, versions = compiled(SAME_CONVOLUTION, check=check)
    numbers = np.random.default_rng(1)
    w = numbers.standard_normal((3, 3, 4, 8), np.float32)
    for size in (40, 41, 64, 51, 36, 77):
        x = numbers.standard_normal((1, size, 8, 4), np.float32)
        result = executable(x, w)
        assert result.shape == (1, (size + 1) // 2, 4, 8)
        expected = sm.run(SAME_CONVOLUTION, x, w, backend="interpreter")
        np.testing.assert_allclose(result, expected, 1e-4, 1e-4)
    assert len(versions.versions) <= 4  # few and many rows of tiles, too
    assert not versions.failures


def test_a_matrix_holds_symbolic_sizes() -> None:
    size = Assumptions().variable(7)
    attribute = SI64_MATRIX.attribute([(size - 1, 0), (0, 2)])
    assert isinstance(attribute, ArrayAttribute)
    assert SI64_MATRIX.accepts(attribute)
    assert SI64_MATRIX.value(attribute)[1] == (0, 2)
    assert SI64_MATRIX.value(attribute)[0][1] == 0
    assert isinstance(SI64_MATRIX.attribute([(1, 0), (0, 2)]), DenseElementsAttribute)


def test_a_list_without_symbolic_sizes_is_no_matrix() -> None:
    text = """
func.func @main(%x: tensor<4xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  %r = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1>,
      padding = [array<i64: 0, 0>]}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""
    with pytest.raises(sm.StablemateError, match="padding"):
        sm.load(text).verify()


POOLING = """
func.func @main(%a: tensor<2x?x?x16xf32>) -> tensor<2x?x?x16xf32> {
  %start = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %start) <{window_dimensions = array<i64: 1, 2, 2, 1>,
    window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %m = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<2x?x?x16xf32>, tensor<f32>) -> tensor<2x?x?x16xf32>
  return %0 : tensor<2x?x?x16xf32>
}
"""


def test_rows_are_counted_without_divisions() -> None:
    executable, versions = compiled(POOLING)
    generator = np.random.default_rng(2)
    for rows, columns in ((64, 64), (9, 6), (2, 41), (1, 8), (0, 8), (130, 3)):
        values = generator.standard_normal((2, rows, columns, 16), np.float32)
        whole = values[:, : rows // 2 * 2, : columns // 2 * 2]
        expected = whole.reshape(2, rows // 2, 2, columns // 2, 2, 16).max((2, 4))
        np.testing.assert_array_equal(executable(values), expected)
    before, _, loop = versions.emit("llvm").partition("phi")
    assert "udiv" in before
    assert "div" not in loop
    assert "rem" not in loop


def test_as_many_images_as_features_of_a_group_are_any_number_of_images() -> None:
    executable, versions = compiled(GROUPED_GRADIENT)
    numbers = np.random.default_rng(3)
    for images in (2, 3):
        x = numbers.integers(-9, 9, (images, 4, 6, 6)).astype(np.float32)
        g = numbers.integers(-9, 9, (images, 8, 6, 6)).astype(np.float32)
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (6, 6), (2, 3))
        grouped = g.reshape(images, 4, 2, 6, 6)
        expected = np.einsum("ngklyx,ngoyx->gokl", windows, grouped).reshape(8, 1, 3, 3)
        np.testing.assert_array_equal(executable(x, g), expected)
    assert len(versions.versions) == 1

"""The first part of a convolutional network is computed for a few images of the batch at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.size_versions import SizedExecutable
from tests.compiler import sized_programs
from tests.compiler.kernels.test_dot import values
from tests.compiler.rewrites.test_layouts import compiled, operations

NEAR: Final = 2048  # bytes: eight images of 4 x 6 x 6 take 4,608
CONVOLUTION: Final = (
    "dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], "
    "window = {{pad = [[{pad}, {pad}], [{pad}, {pad}]]}} "
    "{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}"
)


def convolution(kernel: str, pad: int = 0, groups: int = 1) -> str:
    """The attributes of a convolution of 8 x 4 x 6 x 6 with a kernel, and its type."""
    image = "tensor<8x4x6x6xf32>"
    return f"{CONVOLUTION.format(pad=pad, groups=groups)} : ({image}, {kernel}) -> {image}"


# Expanded and reduced features with a depthwise convolution between them, a branch, and a mean.
NETWORK: Final = f"""
func.func @main(%x: tensor<8x4x6x6xf32>, %w: tensor<4x4x1x1xf32>, %d: tensor<4x1x3x3xf32>,
                %b: tensor<4xf32>, %m: tensor<4x5xf32>) -> tensor<8x5xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<8x4x6x6xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<8x4x6x6xf32>
  %root = stablehlo.rsqrt %b : tensor<4xf32>
  %scale = stablehlo.broadcast_in_dim %root, dims = [1] : (tensor<4xf32>) -> tensor<8x4x6x6xf32>
  %0 = stablehlo.convolution(%x, %w) {convolution("tensor<4x4x1x1xf32>")}
  %doubled = stablehlo.add %bias, %bias : tensor<8x4x6x6xf32>
  %1 = stablehlo.add %0, %doubled : tensor<8x4x6x6xf32>
  %2 = stablehlo.maximum %1, %zero : tensor<8x4x6x6xf32>
  %3 = stablehlo.convolution(%2, %d) {convolution("tensor<4x1x3x3xf32>", 1, 4)}
  %4 = stablehlo.maximum %3, %zero : tensor<8x4x6x6xf32>
  %5 = stablehlo.convolution(%4, %w) {convolution("tensor<4x4x1x1xf32>")}
  %scaled = stablehlo.multiply %5, %scale : tensor<8x4x6x6xf32>
  %other = stablehlo.convolution(%2, %w) {convolution("tensor<4x4x1x1xf32>")}
  %other_scaled = stablehlo.multiply %other, %scale : tensor<8x4x6x6xf32>
  %sum = stablehlo.add %scaled, %other_scaled : tensor<8x4x6x6xf32>
  %6 = stablehlo.add %sum, %2 : tensor<8x4x6x6xf32>
  %cut = stablehlo.slice %6 [0:8, 1:3, 0:6, 0:6]
    : (tensor<8x4x6x6xf32>) -> tensor<8x2x6x6xf32>
  %joined = stablehlo.concatenate %cut, %cut, dim = 1
    : (tensor<8x2x6x6xf32>, tensor<8x2x6x6xf32>) -> tensor<8x4x6x6xf32>
  %7 = "stablehlo.reduce_window"(%joined, %low) ({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }}) {{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}}
    : (tensor<8x4x6x6xf32>, tensor<f32>) -> tensor<8x4x3x3xf32>
  %8 = stablehlo.reduce(%7 init: %init) applies stablehlo.add across dimensions = [2, 3]
    : (tensor<8x4x3x3xf32>, tensor<f32>) -> tensor<8x4xf32>
  %9 = stablehlo.dot_general %8, %m, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  return %9 : tensor<8x5xf32>
}}
"""
SHAPES: Final = ([8, 4, 6, 6], [4, 4, 1, 1], [4, 1, 3, 3], [4], [4, 5])


def arguments() -> list[Any]:
    """The arguments of the network."""
    return [np.abs(values([*shape], "f32", seed)) + 0.5 for seed, shape in enumerate(SHAPES)]


def images_at_a_time(executable: CompiledExecutable) -> set[int]:
    """How many images the convolutions of each loop compute."""
    loops = [node for node in executable.graph.nodes if node.operation.name == "stablehlo.while"]
    return {
        node.results[0].shape[0]
        for loop in loops
        for node in loop.regions[1].nodes
        if node.operation.name == "stablehlo.convolution"
    }


@pytest.mark.parametrize(
    ("near", "images"),
    [
        (NEAR, 1),
        pytest.param(2 * NEAR, 2, marks=pytest.mark.standard),
        pytest.param(4 * NEAR, 4, marks=pytest.mark.standard),
    ],
)
def test_images_are_computed_a_few_at_a_time(near: int, images: int) -> None:
    tiled, whole = compiled(NETWORK, near_bytes=near), compiled(NETWORK, near_bytes=0)
    assert images_at_a_time(tiled) == {images}
    assert operations(whole)["while"] == 0
    result = tiled(*arguments())
    for other in (whole, compiled(NETWORK, near_bytes=near, check=True)):
        np.testing.assert_array_equal(result, other(*arguments()))


@pytest.mark.standard
def test_the_interpreter_has_the_same_values() -> None:
    oracle = sm.compile(sm.load(NETWORK), backend="interpreter")
    result = compiled(NETWORK, near_bytes=NEAR)(*arguments())
    np.testing.assert_allclose(result, oracle(*arguments()), rtol=2e-5, atol=2e-4)


def test_what_fits_in_caches_stays_whole() -> None:
    assert operations(compiled(NETWORK, near_bytes=1 << 20))["while"] == 0


def test_an_image_that_is_computed_in_many_branches_is_traced_once() -> None:
    image = "tensor<8x4x6x6xf32>"
    lines = ["%a0 = stablehlo.abs %x : " + image]
    for level in range(40):  # 2^40 ways to the argument
        lines += [
            f"%b{level} = stablehlo.sine %a{level} : {image}",
            f"%a{level + 1} = stablehlo.maximum %a{level}, %b{level} : {image}",
        ]
    text = NETWORK.replace("%0 = stablehlo.convolution(%x,", "\n".join(
        [*lines, "%0 = stablehlo.convolution(%a40,"]
    ))  # fmt: skip
    result = compiled(text, near_bytes=NEAR)(*arguments())
    np.testing.assert_array_equal(result, compiled(NETWORK, near_bytes=NEAR)(*arguments()))


# As many features as images; factors of the features are equal, as those of a new batch norm.
# Images are so large that the factors are computed once and stored.
SQUARE: Final = """
func.func @main(%x: tensor<8x48x48x8xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<8x8xf32> {
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<8xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<8xf32>
  %product = stablehlo.multiply %two, %eight : tensor<8xf32>
  %root = stablehlo.rsqrt %product : tensor<8xf32>
  %scale = stablehlo.broadcast_in_dim %root, dims = [3] : (tensor<8xf32>) -> tensor<8x48x48x8xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<8x48x48x8xf32>, tensor<1x1x8x8xf32>) -> tensor<8x48x48x8xf32>
  %1 = stablehlo.multiply %0, %scale : tensor<8x48x48x8xf32>
  %2 = stablehlo.convolution(%1, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<8x48x48x8xf32>, tensor<1x1x8x8xf32>) -> tensor<8x48x48x8xf32>
  %3 = stablehlo.multiply %2, %scale : tensor<8x48x48x8xf32>
  %4 = stablehlo.reduce(%3 init: %init) applies stablehlo.add across dimensions = [1, 2]
    : (tensor<8x48x48x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}"""


def test_features_that_are_as_many_as_images_are_no_batch() -> None:
    tiled, whole = compiled(SQUARE, near_bytes=200 * NEAR), compiled(SQUARE, near_bytes=0)
    assert images_at_a_time(tiled) == {2}
    inputs = values([8, 48, 48, 8], "f32", 0), values([1, 1, 8, 8], "f32", 1)
    np.testing.assert_array_equal(tiled(*inputs), whole(*inputs))


MIXED: Final = {
    "reversed": "stablehlo.reverse %2, dims = [0] : tensor<8x4x6x6xf32>",
    "sorted": """"stablehlo.sort"(%2) ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %r = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %r : tensor<i1>
      }) {dimension = 0 : i64} : (tensor<8x4x6x6xf32>) -> tensor<8x4x6x6xf32>""",
}


@pytest.mark.standard
@pytest.mark.parametrize("mixed", MIXED)
def test_images_that_depend_on_others_are_computed_with_them(mixed: str) -> None:
    text = NETWORK.replace("%3 = stablehlo.convolution(%2,", f"%mixed = {MIXED[mixed]}\n"
                           "  %3 = stablehlo.convolution(%mixed,")  # fmt: skip
    tiled, whole = compiled(text, near_bytes=NEAR // 2), compiled(text, near_bytes=0)
    np.testing.assert_array_equal(tiled(*arguments()), whole(*arguments()))
    assert images_at_a_time(tiled) in ({1}, set())


VARYING: Final = "tensor<?x4x6x6xf32>"
VARYING_NETWORK: Final = f"""
func.func @main(%x: {VARYING}, %w: tensor<4x4x1x1xf32>, %d: tensor<4x1x3x3xf32>)
    -> tensor<?x4xf32> {{
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) {convolution("tensor<4x4x1x1xf32>")}
  %1 = stablehlo.tanh %0 : {VARYING}
  %2 = stablehlo.convolution(%1, %d) {convolution("tensor<4x1x3x3xf32>", 1, 4)}
  %3 = stablehlo.tanh %2 : {VARYING}
  %4 = stablehlo.convolution(%3, %w) {convolution("tensor<4x4x1x1xf32>")}
  %5 = stablehlo.reduce(%4 init: %init) applies stablehlo.add across dimensions = [2, 3]
    : ({VARYING}, tensor<f32>) -> tensor<?x4xf32>
  return %5 : tensor<?x4xf32>
}}
""".replace("tensor<8x4x6x6xf32>", VARYING)


def sized(near_bytes: int, *, check: bool = False) -> SpecializingExecutable:
    """The network for batches of any size."""
    executable, versions = sized_programs.compiled(VARYING_NETWORK, check=check)
    versions.options = replace(versions.options, near_bytes=near_bytes)
    return executable


@pytest.mark.parametrize("check", [False, pytest.param(True, marks=pytest.mark.standard)])
def test_batches_that_vary_are_computed_image_by_image(check: bool) -> None:
    tiled, whole = sized(NEAR, check=check), sized(0)
    for batch in (8, 3, 40):
        x, w, d = (values([*shape], "f32", seed) for seed, shape in
                   enumerate(((batch, 4, 6, 6), *SHAPES[1:3])))  # fmt: skip
        result: Any = tiled(x, w, d)
        np.testing.assert_array_equal(result, whole(x, w, d))
        expected = sm.run(VARYING_NETWORK, x, w, d, backend="interpreter")
        np.testing.assert_allclose(result, expected, rtol=2e-5, atol=2e-4)
        for executable, images in ((tiled, {1}), (whole, set[int]())):
            latest = executable.latest
            assert isinstance(latest, SizedExecutable)
            assert images_at_a_time(latest) == images

"""Convolutions of one image that are added: one with the sum of their constant kernels."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.kernels.test_dot import values
from tests.compiler.rewrites.test_layouts import compiled, operations

IMAGE, RESULT, FEATURES = "tensor<2x8x6x6xf32>", "tensor<2x8x6x6xf32>", "tensor<8xf32>"
TOLERANCE = 1e-5  # of results near 1, which are sums of some dozens of products


def constant(name: str, *shape: int, seed: int = 0) -> str:
    """A constant of random floats."""
    array = values(shape, "f32", seed)
    kind = f"tensor<{'x'.join(map(str, shape))}xf32>"
    return f'%{name} = stablehlo.constant dense<"0x{array.tobytes().hex().upper()}"> : {kind}'


def convolution(name: str, size: int, image: str = "%x", groups: int = 1) -> str:
    """A convolution of windows of a size that keeps the points of an image."""
    kernel, pad = f"tensor<8x{8 // groups}x{size}x{size}xf32>", size // 2
    return f"""%{name} = stablehlo.convolution({image}, %k{name})
      dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
      window = {{pad = [[{pad}, {pad}], [{pad}, {pad}]]}}
      {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
      : ({IMAGE}, {kernel}) -> {RESULT}"""


def spread(name: str) -> str:
    """The numbers of features at all points."""
    return f"%s{name} = stablehlo.broadcast_in_dim %{name}, dims = [1] : ({FEATURES}) -> {RESULT}"


def normalized(name: str) -> str:
    """A convolution whose features are scaled and shifted."""
    return f"""{constant(f"f{name}", 8, seed=7)}
      {constant(f"t{name}", 8, seed=8)}
      {spread(f"f{name}")}
      {spread(f"t{name}")}
      %m{name} = stablehlo.multiply %{name}, %sf{name} : {RESULT}
      %n{name} = stablehlo.add %st{name}, %m{name} : {RESULT}"""


def block(groups: int = 1, second: str = "%x", last: str = "%r1") -> str:
    """A block of three convolutions and its input."""
    return f"""func.func @main(%x: {IMAGE}, %z: {IMAGE}) -> ({RESULT}, {RESULT}) {{
      {constant("ka", 8, 8 // groups, 3, 3, seed=1)}
      {constant("kb", 8, 8 // groups, 1, 1, seed=2)}
      {constant("kc", 8, 8 // groups, 3, 3, seed=3)}
      {convolution("a", 3, groups=groups)}
      {convolution("b", 1, second, groups)}
      {convolution("c", 3, groups=groups)}
      {normalized("a")}
      {normalized("b")}
      %r0 = stablehlo.add %na, %nb : {RESULT}
      %r1 = stablehlo.add %r0, %c : {RESULT}
      %r2 = stablehlo.add %r1, %x : {RESULT}
      %r3 = stablehlo.tanh %r2 : {RESULT}
      return %r3, {last} : {RESULT}, {RESULT}
    }}"""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (block(), 1), (block(groups=8), 1), (block(second="%z"), 2), (block(last="%nb"), 2),
        (block(last="%c"), 2), (block(last="%mb"), 2),
    ],
    ids=["one image", "by feature", "two images", "a term is read", "a sum is read", "inside"],
)  # fmt: skip
def test_convolutions_of_one_image_that_are_added_become_one(text: str, left: int) -> None:
    arguments = [values([2, 8, 6, 6], "f32", seed) for seed in (4, 5)]
    executable, other = compiled(text), compiled(text, merge=False)
    assert (operations(executable)["convolution"], operations(other)["convolution"]) == (left, 3)
    expected = sm.load(text).run(*arguments, backend="interpreter")
    for result, value in zip(executable(*arguments), expected, strict=True):
        scale = np.abs(value).max()
        np.testing.assert_allclose(np.asarray(result) / scale, value / scale, atol=TOLERANCE)


def test_kernels_that_are_arguments_are_not_added() -> None:
    text = f"""func.func @main(%x: {IMAGE}, %ka: tensor<8x8x3x3xf32>) -> {RESULT} {{
      {constant("kb", 8, 8, 3, 3)}
      {convolution("a", 3)}
      {convolution("b", 3)}
      %r = stablehlo.add %a, %b : {RESULT}
      return %r : {RESULT}
    }}"""
    assert operations(compiled(text))["convolution"] == 2


@pytest.mark.parametrize("scale", [np.inf, -np.inf, np.nan, 3e38], ids=str)
def test_kernels_that_would_have_no_number_are_not_added(scale: float) -> None:
    """A scale times a kernel is infinite where its product with a small image is not."""
    scales = np.ones(8, np.float32)
    scales[[1, 5]] = scale
    text = block().replace(
        constant("fa", 8, seed=7),
        f'%fa = stablehlo.constant dense<"0x{scales.tobytes().hex().upper()}"> : {FEATURES}',
    )
    image = (values([2, 8, 6, 6], "f32", 4) * 1e-20).astype(np.float32)
    image[0] = 0
    executable = compiled(text)
    assert operations(executable)["convolution"] == 3
    expected = sm.load(text).run(image, image, backend="interpreter")
    for result, value in zip(executable(image, image), expected, strict=True):
        np.testing.assert_allclose(np.asarray(result), value, rtol=1e-4, atol=1e-4)

"""Depthwise convolutions of images that are computed from bytes, which their copies hold."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.target import machine_of
from stablemate.compiler.kernels.contraction.convolution.narrow_images import NarrowImage
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from tests.compiler.kernels.test_dot import compiled, tensor, values
from tests.compiler.variants import RUNNABLE, Variant

BATCH, HEIGHT, WIDTH, FEATURES = 2, 13, 18, 37
IMAGE = (BATCH, HEIGHT, WIDTH, FEATURES)


def convolution(size: int, stride: int, types: tuple[str, str]) -> str:
    """The operation ``%0``: a padded depthwise convolution of ``%x`` by ``%k``."""
    pad = size // 2
    result = tensor(result_shape(size, stride), types[1])
    image, kernel = tensor(IMAGE, types[0]), tensor((size, size, 1, FEATURES), types[0])
    return f"""%0 = stablehlo.convolution(%x, %k)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [{stride}, {stride}], pad = [[{pad}, {pad}], [{pad}, {pad}]]}}
    {{feature_group_count = {FEATURES} : i64, batch_group_count = 1 : i64}}
    : ({image}, {kernel}) -> {result}
  return %0 : {result}"""


def result_shape(size: int, stride: int) -> tuple[int, ...]:
    """The shape of the result."""
    height, width = ((n + size // 2 * 2 - size) // stride + 1 for n in (HEIGHT, WIDTH))
    return (BATCH, height, width, FEATURES)


def integers(element: str, size: int, stride: int) -> str:
    """A convolution of integers."""
    image, kernel = tensor(IMAGE, element), tensor((size, size, 1, FEATURES), element)
    result = "ui32" if element.startswith("u") else "i32"
    return f"""func.func @main(%x: {image}, %k: {kernel}) -> {
        tensor(result_shape(size, stride), result)
    } {{
  {convolution(size, stride, (element, result))}
}}"""


def of_dequantized(element: str, size: int, stride: int, zero: int) -> str:
    """A convolution of floats that bytes represent."""
    stored, image = tensor(IMAGE, element), tensor(IMAGE, "f32")
    kernel, result = tensor((size, size, 1, FEATURES), "f32"), result_shape(size, stride)
    return f"""func.func @main(%s: {stored}, %k: {kernel}) -> {tensor(result, "f32")} {{
  %z = stablehlo.constant dense<{zero}.0> : {image}
  %c = stablehlo.constant dense<0.037> : {image}
  %1 = stablehlo.convert %s : ({stored}) -> {image}
  %2 = stablehlo.subtract %1, %z : {image}
  %x = stablehlo.multiply %2, %c : {image}
  {convolution(size, stride, ("f32", "f32"))}
}}"""


def plain(size: int, stride: int) -> str:
    """A convolution of floats."""
    image, kernel = tensor(IMAGE, "f32"), tensor((size, size, 1, FEATURES), "f32")
    result = tensor(result_shape(size, stride), "f32")
    return f"""func.func @main(%x: {image}, %k: {kernel}) -> {result} {{
  {convolution(size, stride, ("f32", "f32"))}
}}"""


@pytest.mark.parametrize("machine", RUNNABLE)
@pytest.mark.parametrize(("size", "stride"), [(3, 1), (3, 2), (5, 1), (1, 1)])
@pytest.mark.parametrize("element", ["i8", "ui8", "i4"])
def test_sums_of_integers_are_exact(element: str, size: int, stride: int, machine: str) -> None:
    images = [values(IMAGE, element, 0), values((size, size, 1, FEATURES), element, 1)]
    module, executable = compiled(integers(element, size, stride), RUNNABLE[machine])
    result = np.asarray(executable(*images))
    np.testing.assert_array_equal(result, np.asarray(module.run(*images, backend="interpreter")))
    nest, instructions = executable.emit("nest"), machine_of(RUNNABLE[machine]).instructions
    has_words = size > 1 and element == "i8" and "quad_of_i8" in instructions
    assert ("quad_of_i8" in nest) == has_words
    if size > 1 and element != "i4":
        assert "image : i8" in nest


@pytest.mark.parametrize("zero", [0, 117])
@pytest.mark.parametrize(("size", "stride"), [(3, 1), (3, 2)])
@pytest.mark.parametrize("element", ["i8", "ui8"])
def test_floats_of_bytes_have_the_bits_of_floats_in_memory(
    element: str, size: int, stride: int, zero: int
) -> None:
    stored, kernel = values(IMAGE, element, 0), values((size, size, 1, FEATURES), "f32", 1)
    executable = sm.compile(sm.load(of_dequantized(element, size, stride, zero)))
    image = (stored.astype(np.float32) - np.float32(zero)) * np.float32(0.037)
    expected = np.asarray(sm.compile(sm.load(plain(size, stride)))(image, kernel))
    np.testing.assert_array_equal(np.asarray(executable(stored, kernel)), expected)
    assert "image : i8" in executable.emit("nest")


@pytest.mark.parametrize("element", ["i8", "f32"])
def test_no_access_leaves_the_copy(element: str) -> None:
    variant = Variant(check=True)
    text = integers("i8", 3, 2) if element == "i8" else of_dequantized("ui8", 3, 1, 9)
    module = sm.load(text)
    signature = module.entry().signature.arguments
    arguments = [
        values(argument.type.shape, str(argument.type.element_type), i)
        for i, argument in enumerate(signature)
    ]
    result, expected = variant.compiled(module)(*arguments), module.run(*arguments)
    np.testing.assert_allclose(np.asarray(result), np.asarray(expected), rtol=1e-4, atol=1e-4)


def loaded(kind: str = "i8") -> tuple[Expressions, Expression]:
    """A load of a narrow element."""
    table = Expressions()
    return table, table.load_at(Buffer("x", kind, (4,)), table.sum(1, ()))


def test_images_of_which_no_element_is_zero_are_copied_as_floats() -> None:
    table, load = loaded()
    floats = table.convert("sitofp", load, "f32")
    assert NarrowImage.of(floats + 0.5, 9) is None
    assert NarrowImage.of(floats * 2.0, 9) is not None


def test_images_that_are_widened_slowly_are_copied_as_floats() -> None:
    table, load = loaded()
    wide = (table.convert("sitofp", load, "f32") - table.convert(
        "sitofp", table.bits(7, "i8"), "f32")) * 0.5  # fmt: skip
    narrow = NarrowImage.of(wide, 9)
    assert narrow is not None
    assert narrow.padding == 7
    assert NarrowImage.of(wide, 25) is None
    assert NarrowImage.of(table.apply("sqrt", wide), 1) is None
    assert (
        NarrowImage.of(wide + table.load_at(Buffer("y", "f32", (4,)), table.sum(1, ())), 1) is None
    )


def test_kernels_of_bytes_are_packed_once() -> None:
    """Constants are packed when a program is compiled, and those of bytes four times as large."""
    features = 1000
    kernel = np.random.default_rng(0).integers(-128, 128, (3, 3, 1, features), np.int8)
    text = f"""func.func @main(%x: tensor<1x9x9x{features}xi8>) -> tensor<1x7x7x{features}xi32> {{
  %k = stablehlo.constant dense<"0x{kernel.tobytes().hex().upper()}"> : tensor<3x3x1x{features}xi8>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{}} {{feature_group_count = {features} : i64, batch_group_count = 1 : i64}}
    : (tensor<1x9x9x{features}xi8>, tensor<3x3x1x{features}xi8>) -> tensor<1x7x7x{features}xi32>
  return %0 : tensor<1x7x7x{features}xi32>
}}"""
    module, executable = compiled(text)
    before, _, preparation = executable.emit("plan").partition("preparation:")
    assert "_rhs" in preparation
    assert "_rhs" not in before
    image = values((1, 9, 9, features), "i8", 0)
    np.testing.assert_array_equal(np.asarray(executable(image)), np.asarray(module.run(image)))


@pytest.mark.parametrize("element", ["bf16", "f32"])
def test_an_image_may_be_a_concatenation(element: str) -> None:
    half = (BATCH, HEIGHT, WIDTH, FEATURES // 2)
    other = (*half[:3], FEATURES - half[3])
    kernel, result = tensor((3, 3, 1, FEATURES), element), tensor(result_shape(3, 1), element)
    parts = tensor(half, element), tensor(other, element)
    text = f"""func.func @main(%a: {parts[0]}, %b: {parts[1]}, %k: {kernel}) -> {result} {{
  %x = stablehlo.concatenate %a, %b, dim = 3 : ({parts[0]}, {parts[1]}) -> {tensor(IMAGE, element)}
  {convolution(3, 1, (element, element))}
}}"""
    shapes = (half, other, (3, 3, 1, FEATURES))
    arguments = [values(shape, element, seed) for seed, shape in enumerate(shapes)]
    module, executable = compiled(text)
    expected = np.asarray(module.run(*arguments, backend="interpreter"), np.float64)
    found = np.asarray(executable(*arguments), np.float64)
    np.testing.assert_allclose(found, expected, rtol=1e-2, atol=5e-2)

"""Quantized tensors in native code: the integers that the interpreter gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.compiler.config.target import host, machine_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import Request
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import QuantizedType
from tools.requests import QUANTIZED, left_by, programs

Array = npt.NDArray[Any]
PLAIN: Final = QUANTIZED[:4]
# Their order of combination is their own, and sums saturate.
IN_ORDER: Final = frozenset({"stablehlo.reduce by add", "stablehlo.reduce_window"})
PER_AXIS: Final = "!quant.uniform<i8:f32:1, {0.5:3,0.25,2.0:-1,1.0}>"
BLOCKS: Final = "!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25}}>"
PROGRAMS: Final = [
    (f"{name} {element}", text)
    for name, (element, *_), text in programs()
    if element in PLAIN and name not in IN_ORDER
]


def random_tensor(value_type: Any, random: np.random.Generator) -> Array:
    """A tensor: stored values of all sizes, floats, small integers."""
    assert isinstance(value_type, TensorType)
    element, shape = value_type.element_type, value_type.shape
    if isinstance(element, QuantizedType):
        least, most = int(element.storage_min), int(element.storage_max)
        return random.integers(least, most, shape, endpoint=True).astype(element.dtype)
    if element.dtype.kind == "i":
        return random.integers(0, 3, shape).astype(element.dtype)
    if element.dtype.kind == "b":
        return random.integers(0, 2, shape).astype(element.dtype)
    values = random.standard_normal(shape) * np.exp(random.uniform(-3, 6, shape))
    values.ravel()[:2] = (np.nan, np.inf)
    return values.astype(element.dtype)


def assert_same(text: str, tries: int = 3) -> None:
    """Native code gives what the interpreter gives, and computes all of it."""
    interpreted = sm.load(text).executable("main", backend="interpreter", order="fast")
    compiled = CompiledExecutable(interpreted)  # type: ignore[arg-type]
    assert not [step for step in compiled.plan.steps if isinstance(step, Request)]
    random = np.random.default_rng(0)
    for _ in range(tries):
        arguments = [
            random_tensor(argument.type, random) for argument in compiled.signature.arguments
        ]
        pairs: Sequence[Any] = [compiled.run(arguments), compiled.interpreted.run(arguments)]
        for got, expected in zip(*map(list, pairs), strict=True):
            assert np.array_equal(np.asarray(got), np.asarray(expected)), text


@pytest.mark.parametrize("name", [name for name, text in PROGRAMS if left_by(text) is not None])
def test_operations(name: str) -> None:
    assert_same(dict(PROGRAMS)[name])


@pytest.mark.parametrize("element", [PER_AXIS, BLOCKS, *PLAIN])
def test_quantize_and_dequantize(element: str) -> None:
    floats = "bf16" if "bf16" in element else "f32"
    assert_same(
        f"func.func @main(%x: tensor<4x4x{floats}>, %y: tensor<4x4x{element}>) -> "
        f"(tensor<4x4x{element}>, tensor<4x4x{floats}>) {{\n"
        f"  %0 = stablehlo.uniform_quantize %x : (tensor<4x4x{floats}>) -> tensor<4x4x{element}>\n"
        f"  %1 = stablehlo.uniform_dequantize %y : (tensor<4x4x{element}>) -> "
        f"tensor<4x4x{floats}>\n"
        f"  return %0, %1 : tensor<4x4x{element}>, tensor<4x4x{floats}>\n}}",
        tries=20,
    )


def test_slices_keep_their_scales() -> None:
    assert_same(
        f"func.func @main(%x: tensor<3x4x{PER_AXIS}>) -> tensor<3x4x{PER_AXIS}> {{\n"
        f"  %0 = stablehlo.add %x, %x : tensor<3x4x{PER_AXIS}>\n"
        f"  return %0 : tensor<3x4x{PER_AXIS}>\n}}",
        tries=20,
    )


@pytest.mark.parametrize("element", PLAIN)
def test_stored_bits(element: str) -> None:
    storage = {"i8": "i8", "u8": "i8", "i4": "i4", "i1": "i16"}[element[15:17]]
    assert_same(
        f"func.func @main(%x: tensor<9x{element}>) -> tensor<9x{storage}> {{\n"
        f"  %0 = stablehlo.bitcast_convert %x : (tensor<9x{element}>) -> tensor<9x{storage}>\n"
        f"  return %0 : tensor<9x{storage}>\n}}"
    )


def test_products_with_floats() -> None:
    quantized = "tensor<6x5x!quant.uniform<i8:f32, 0.5:3>>"
    assert_same(
        f"func.func @main(%x: tensor<4x6xf32>, %y: {quantized}) -> tensor<4x5xf32> {{\n"
        "  %z = stablehlo.convert %x : (tensor<4x6xf32>) -> tensor<4x6xi8>\n"
        "  %w = stablehlo.convert %z : (tensor<4x6xi8>) -> tensor<4x6xf32>\n"
        f"  %0 = stablehlo.dot %w, %y : (tensor<4x6xf32>, {quantized}) -> tensor<4x5xf32>\n"
        "  return %0 : tensor<4x5xf32>\n}"
    )


def test_ranges_beyond_the_expressed_type_compile_without_a_warning() -> None:
    element = "!quant.uniform<i32:f16, 1.7:-3>"
    assert_same(f"""func.func @main(%a: tensor<5xf16>, %b: tensor<5x{element}>)
        -> (tensor<5x{element}>, tensor<5x{element}>) {{
      %0 = stablehlo.uniform_quantize %a : (tensor<5xf16>) -> tensor<5x{element}>
      %1 = stablehlo.ceil %b : tensor<5x{element}>
      return %0, %1 : tensor<5x{element}>, tensor<5x{element}> }}""")


def quantized_tensor(shape: Sequence[int], parameters: str, storage: str = "i8") -> str:
    """The text of a quantized type of ``f32``."""
    sizes = "".join(f"{size}x" for size in shape)
    return f"tensor<{sizes}!quant.uniform<{storage}:f32{parameters}>>"


def per_axis(count: int, dimension: int) -> str:
    """The parameters of slices of different scales, without zero points."""
    scales = ", ".join(str(0.01 * (1 + i % 7)) for i in range(count))
    return f":{dimension}, {{{scales}}}"


def dot_program(shape: tuple[int, int, int], lhs: str, rhs: str, storage: str) -> str:
    """A product of quantized matrices."""
    rows, depth, columns = shape
    a = quantized_tensor((rows, depth), lhs, storage)
    b = quantized_tensor((depth, columns), rhs, storage)
    c = quantized_tensor((rows, columns), ", 0.7:5", storage)
    return f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, {b}) -> {c}
  return %0 : {c}
}}"""


def convolution_program(
    image: Sequence[int], lhs: str, rhs: str, groups: int = 1, each: int = 8
) -> str:
    """A padded convolution of a quantized image with a kernel of 3x3 points, and strides of 2."""
    batch, height, width, features = image
    outputs = each * groups
    a = quantized_tensor(image, lhs)
    b = quantized_tensor((3, 3, features // groups, outputs), rhs)
    c = quantized_tensor((batch, -(-height // 2), -(-width // 2), outputs), ", 0.7:-5")
    return f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [2, 2], pad = [[1, 1], [1, 1]]}}
    {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({a}, {b}) -> {c}
  return %0 : {c}
}}"""


PRODUCTS: Final = {
    "dot": dot_program((33, 64, 40), ", 0.05:3", ", 0.01", "i8"),
    "dot, zero point at the end": dot_program((16, 64, 70), ", 0.05:-128", per_axis(70, 1), "i8"),
    "dot of few rows": dot_program((4, 512, 70), ", 0.05:127", per_axis(70, 1), "i8"),
    "convolution": convolution_program((1, 15, 14, 16), ", 0.05:3", ", 0.01"),
    "convolution per axis": convolution_program((2, 15, 15, 16), ", 0.05:-128", per_axis(8, 3)),
    "convolution of three features": convolution_program((2, 31, 30, 3), ", 0.05:9", ", 0.01"),
    "groups": convolution_program((2, 21, 20, 32), ", 0.05:7", per_axis(16, 3), groups=2),
    "depthwise": convolution_program((2, 21, 20, 24), ", 0.05:7", per_axis(24, 3), 24, each=1),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_large_products_multiply_integers(name: str) -> None:
    """Sums are exact, so results are as near to the exact value as any stored value."""
    module = sm.load(PRODUCTS[name])
    module.verify()
    random = np.random.default_rng(0)
    types = [argument.type for argument in module.entry().signature.arguments]
    arguments = [random_tensor(value_type, random) for value_type in types]
    executable = sm.compile(module)
    expected = module.run(*arguments, backend="interpreter").astype(int)
    difference = np.abs(executable(*arguments).astype(int) - expected)
    assert len(np.unique(expected)) > 50
    assert difference.max() <= 1
    assert np.count_nonzero(difference) <= max(2, difference.size // 500)
    if name == "depthwise":  # floats hold the sums, or words of lines are multiplied
        assert "image : i8" in executable.emit("nest")
    elif machine_of(host()).instructions & {"quad_of_i8", "pair_of_i16"}:
        packed = r"\b(quad_of_i8|pair_of_i16|tile_of_(signed_)?i8)\b"
        assert re.search(packed, executable.emit("nest"))


@pytest.mark.parametrize("zero_point", [3, -128, 0])
@pytest.mark.parametrize("features", [2, 3, 4])
def test_features_that_lie_apart_are_packed_at_once(features: int, zero_point: int) -> None:
    """The first layer of a network has an image whose few features are planes."""
    a = quantized_tensor((2, features, 19, 37), f", 0.05:{zero_point}")
    b = quantized_tensor((16, features, 3, 3), per_axis(16, 0))
    c = quantized_tensor((2, 16, 10, 19), ", 0.07131:-5")
    text = f"""func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
    window = {{stride = [2, 2], pad = [[1, 1], [1, 1]]}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({a}, {b}) -> {c}
  return %0 : {c}
}}"""
    module = sm.load(text)
    random = np.random.default_rng(0)
    image = random.integers(-128, 128, (2, features, 19, 37), np.int8)
    kernel = random.integers(-128, 128, (16, features, 3, 3), np.int8)
    executable = sm.compile(module)
    expected = module.run(image, kernel, backend="interpreter").astype(int)
    difference = np.abs(np.asarray(executable(image, kernel)).astype(int) - expected)
    assert len(np.unique(expected)) > 50
    assert difference.max() <= 1
    assert np.count_nonzero(difference) <= difference.size // 500
    if machine_of(host()).instructions & {"quad_of_i8", "tile_of_i8"}:
        assert not re.search(r"\w+_zero\(", executable.emit("nest"))  # padding is written, too


def test_padding_has_the_value_of_the_zero_point() -> None:
    """An image that is zero everywhere gives zero, at the edges too."""
    module = sm.load(PRODUCTS["convolution"])
    image, kernel = (argument.type for argument in module.entry().signature.arguments)
    assert isinstance(image, TensorType)
    assert isinstance(kernel, TensorType)
    zero, ones = np.full(image.shape, 3, np.int8), np.full(kernel.shape, 1, np.int8)
    assert np.all(sm.compile(module)(zero, ones) == -5)


@pytest.mark.parametrize("features", [16, 20, 1280])
@pytest.mark.parametrize("element", ["u8:f32, 0.5:77", "u8:f32, 0.5:0", "i8:f32, 0.5:-9"])
def test_sums_of_constant_kernels_begin_with_their_correction(element: str, features: int) -> None:
    """Powers of two as scales: the floats of the interpreter are exact."""
    random = np.random.default_rng(0)
    kernel = random.integers(-128, 128, (3, 3, features, 48), np.int8)
    x = f"tensor<1x10x9x{features}x!quant.uniform<{element}>>"
    k, y = (
        f"tensor<{shape}x!quant.uniform<{stored}>>"
        for shape, stored in (
            (f"3x3x{features}x48", "i8:f32, 0.25"),
            ("1x8x7x48", "i32:f32, 0.125"),
        )
    )
    stored = f"tensor<3x3x{features}x48xi8>"
    module = sm.load(f"""func.func @main(%x: {x}) -> {y} {{
  %0 = stablehlo.constant dense<"0x{kernel.tobytes().hex().upper()}"> : {stored}
  %1 = stablehlo.bitcast_convert %0 : ({stored}) -> {k}
  %2 = stablehlo.convolution(%x, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{}} {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}}
    : ({x}, {k}) -> {y}
  return %2 : {y}
}}""")
    executable = sm.compile(module)
    assert isinstance(executable, CompiledExecutable)
    (argument,) = module.entry().signature.arguments
    image = random_tensor(argument.type, random)
    np.testing.assert_array_equal(np.asarray(executable(image)), np.asarray(module.run(image)))
    if "quad_of_i8" in machine_of(host()).instructions:
        before, _, preparation = executable.emit("plan").partition("preparation:")
        assert "_start" not in before
        assert ("_start" in preparation) == (":0" not in element)
        assert "register correction" not in executable.emit("nest")


@pytest.mark.parametrize(
    ("lhs", "rhs", "storage"),
    [
        (", 0.05:3", ", 0.01", "u8"),  # right factors without a sign
        (", 0.05:3", ", 0.01", "i16"),
    ],
)
def test_other_products_are_those_of_floats(lhs: str, rhs: str, storage: str) -> None:
    module = sm.load(dot_program((33, 64, 40), lhs, rhs, storage))
    random = np.random.default_rng(0)
    types = [argument.type for argument in module.entry().signature.arguments]
    arguments = [random_tensor(value_type, random) for value_type in types]
    executable = sm.compile(module)
    assert not re.search(r"\b(quad|pair)_of_", executable.emit("nest"))
    expected = module.run(*arguments, backend="interpreter").astype(int)
    assert np.abs(executable(*arguments).astype(int) - expected).max() <= 1


@pytest.mark.parametrize("element", [*PLAIN[:2], "!quant.uniform<u8:f32, 0.3:200>"])
@pytest.mark.parametrize("operation", ["maximum %x, %y", "minimum %x, %y", "clamp %x, %y, %x"])
def test_selections_of_one_type_select_stored_values(element: str, operation: str) -> None:
    kind = f"tensor<2x4x{element}>"
    assert_same(
        f"func.func @main(%x: {kind}, %y: {kind}) -> {kind} {{\n"
        f"  %0 = stablehlo.{operation} : {kind}\n  return %0 : {kind}\n}}",
        tries=20,
    )


@pytest.mark.parametrize(
    "kind",
    [
        quantized_tensor((64,), ", 0.7:-3"),
        "tensor<64x!quant.uniform<u16<1:65534>:f64, 0.007:34442>>",
        "tensor<64x!quant.uniform<i8:bf16, 0.5:3>>",
    ],
)
def test_chains_of_quantized_operations_keep_the_bits_of_single_ones(kind: str) -> None:
    assert_same(
        f"func.func @main(%x: {kind}, %y: {kind}) -> {kind} {{\n"
        f"  %0 = stablehlo.add %x, %y : {kind}\n  %1 = stablehlo.multiply %0, %y : {kind}\n"
        f"  %2 = stablehlo.subtract %1, %x : {kind}\n  return %2 : {kind}\n}}",
        tries=50,
    )


def test_quotients_by_scales_are_rounded_as_divisions() -> None:
    """All quotients near the middle of two stored values, for scales of all mantissas."""
    random = np.random.default_rng(0)
    for scale in np.float32(random.uniform(0.5, 2, 40)):
        middles = (np.arange(-128, 127, dtype=np.float32) + np.float32(0.5)) * scale
        values = np.concatenate([np.nextafter(middles, np.float32(side)) for side in (-1e9, 1e9)])
        values = np.concatenate([values, middles, np.float32([np.nan, np.inf, -np.inf, 1e38])])
        kind = f"!quant.uniform<i8:f32, {float(scale)!r}>"
        module = sm.load(
            f"func.func @main(%x: tensor<{len(values)}xf32>) -> tensor<{len(values)}x{kind}> {{\n"
            f"  %0 = stablehlo.uniform_quantize %x : (tensor<{len(values)}xf32>) -> "
            f"tensor<{len(values)}x{kind}>\n  return %0 : tensor<{len(values)}x{kind}>\n}}"
        )
        expected = module.run(values, backend="interpreter")
        assert np.array_equal(module.run(values), expected)


def test_sums_that_are_stored_are_not_rounded_again() -> None:
    """A result of the scales of the products stores the sums, which are exact."""
    rows, depth, columns = 33, 64, 40
    a, b = quantized_tensor((rows, depth), ", 0.5:3"), quantized_tensor((depth, columns), WIDE)
    scales = [0.5 * scale for scale in WIDE_SCALES]
    parameters = f":1, {{{', '.join(map(str, scales))}}}"
    c = quantized_tensor((rows, columns), parameters, "i32")
    text = f"""func.func @main(%a: {a}, %b: {b}) -> tensor<{rows}x{columns}xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({a}, {b}) -> {c}
  %1 = stablehlo.uniform_dequantize %0 : ({c}) -> tensor<{rows}x{columns}xf32>
  return %1 : tensor<{rows}x{columns}xf32>
}}"""
    random = np.random.default_rng(0)
    lhs = random.integers(-128, 128, (rows, depth), np.int8)
    rhs = random.integers(-128, 128, (depth, columns), np.int8)
    executable = sm.compile(sm.load(text))
    sums = (lhs.astype(np.int64) - 3) @ rhs.astype(np.int64)
    expected = sums.astype(np.float32) * np.array(scales, np.float32)
    np.testing.assert_array_equal(np.asarray(executable(lhs, rhs)), expected)
    if machine_of(host()).instructions & {"quad_of_i8", "pair_of_i16"}:
        assert "rint" not in executable.emit("nest")


WIDE_SCALES: Final = [2.0 ** (i % 5 - 4) for i in range(40)]
WIDE: Final = f":1, {{{', '.join(map(str, WIDE_SCALES))}}}"


CLAMPED: Final = {"ui8": (0.0, 255.0), "i8": (-128.0, 127.0), "i32": (-5.0, 1000.0)}


@pytest.mark.parametrize("is_rounded", [True, False])
@pytest.mark.parametrize("element", CLAMPED)
def test_clamped_floats_are_converted_without_further_bounds(
    element: str, is_rounded: bool
) -> None:
    low, high = CLAMPED[element]
    rounding = "stablehlo.round_nearest_even" if is_rounded else "stablehlo.abs"
    shape = "tensor<13xf32>"
    text = f"""func.func @main(%x: {shape}) -> (tensor<13x{element}>, {shape}) {{
  %low = stablehlo.constant dense<{low}> : tensor<f32>
  %high = stablehlo.constant dense<{high}> : tensor<f32>
  %0 = {rounding} %x : {shape}
  %1 = stablehlo.clamp %low, %0, %high : (tensor<f32>, {shape}, tensor<f32>) -> {shape}
  %2 = stablehlo.convert %1 : ({shape}) -> tensor<13x{element}>
  %3 = stablehlo.convert %2 : (tensor<13x{element}>) -> {shape}
  return %2, %3 : tensor<13x{element}>, {shape}
}}"""
    x = np.array(
        [0, -0.0, -0.4, 0.5, 1.5, 2.5, -3.7, 126.6, 254.5, 1e9, -1e30, np.inf, np.nan], np.float32
    )
    executable = sm.compile(sm.load(text))
    results = executable(x)
    expected = sm.load(text).run(x, backend="interpreter")
    for result, right in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, right)
    assert not np.signbit(results[1][results[1] == 0]).any()
    nest = executable.emit("nest")
    assert "2147483520" not in nest  # no further clamp
    assert "maximum(" not in nest  # a choice is one instruction
    assert ("itofp(trunc" in nest) is (element != "i32" and not is_rounded)

"""Quantized tensors in native code: the integers that the interpreter gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
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

"""Numbers that are quantized to bytes: rounded as they are converted, and dequantized again."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.plans import emitted
from tests.machines import MACHINES

NUMBERS = [
    0.0,
    -0.0,
    1.0,
    -3.25,
    0.5,
    1.5,
    1e6,
    -1e6,
    1e30,
    np.inf,
    -np.inf,
    np.nan,
    64.0,
    -61.0,
    0.25,
    0.75,
]


def program(point: int, element: str) -> str:
    """A float quantized with a zero point, and dequantized, as models of ONNX write it."""
    floats, bytes_ = "tensor<16xf32>", f"tensor<16x{element}>"
    least, most = (0, 255) if element == "ui8" else (-128, 127)
    return f"""func.func @main(%x: {floats}) -> {floats} {{
      %scale = stablehlo.constant dense<0.5> : {floats}
      %least = stablehlo.constant dense<{least}.0> : tensor<f32>
      %most = stablehlo.constant dense<{most}.0> : tensor<f32>
      %point = stablehlo.constant dense<{point}> : {bytes_}
      %p = stablehlo.convert %point : ({bytes_}) -> {floats}
      %q0 = stablehlo.divide %x, %scale : {floats}
      %q1 = stablehlo.round_nearest_even %q0 : {floats}
      %q2 = stablehlo.add %q1, %p : {floats}
      %q3 = stablehlo.clamp %least, %q2, %most
        : (tensor<f32>, {floats}, tensor<f32>) -> {floats}
      %q = stablehlo.convert %q3 : ({floats}) -> {bytes_}
      %d0 = stablehlo.convert %q : ({bytes_}) -> {floats}
      %d1 = stablehlo.subtract %d0, %p : {floats}
      %d = stablehlo.multiply %d1, %scale : {floats}
      return %d : {floats}
    }}"""


@pytest.mark.parametrize("point", [0, 1, 122, 255])
def test_the_zero_point_is_not_subtracted(point: int) -> None:
    """The bounds are those of the number without it."""
    text = emitted(program(point, "ui8"), MACHINES["avx512"], "nest")
    assert "fsub" not in text


@pytest.mark.parametrize("element", ["ui8", "i8"])
@pytest.mark.parametrize("point", [0, 1, 122])
def test_values_are_those_of_the_interpreter(element: str, point: int) -> None:
    """In all bits, so also the signs of zeros."""
    text, x = program(point, element), np.array(NUMBERS, np.float32)
    expected = np.asarray(sm.load(text).run(x, backend="interpreter"))
    result = np.asarray(sm.compile(text)(x))
    np.testing.assert_array_equal(result.view(np.uint32), expected.view(np.uint32))


def bytes_of(element: str) -> str:
    """A float quantized without a zero point."""
    head, _, tail = program(0, element).partition("-> tensor<16xf32> {")
    body, _, _ = tail.partition("%d0 =")
    result = f"tensor<16x{element}>"
    return f"{head}-> {result} {{{body}return %q : {result}\n}}"


@pytest.mark.parametrize("machine", ["avx512", "avx2", "sse2"])
def test_one_instruction_rounds_and_converts(machine: str) -> None:
    """The number is clamped before it is rounded."""
    text = emitted(bytes_of("ui8"), MACHINES[machine], "nest")
    assert "nearest_in_range" in text
    assert "rint" not in text


@pytest.mark.parametrize("element", ["ui8", "i8"])
def test_bytes_are_those_of_the_interpreter(element: str) -> None:
    """Of two integers that are as near, the even one; of NaN and infinity too."""
    text, x = bytes_of(element), np.array(NUMBERS, np.float32)
    expected = np.asarray(sm.load(text).run(x, backend="interpreter"))
    np.testing.assert_array_equal(np.asarray(sm.compile(text)(x)), expected)

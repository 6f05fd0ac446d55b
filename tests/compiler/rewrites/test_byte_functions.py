"""Functions of a byte: entries of a table that the interpreter's operations fill."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.config.target import host, machine_of
from stablemate.compiler.rewrites.byte_functions import NAME
from tests.compiler.rewrites.test_layouts import compiled, operations

HAS_TABLES = "byte_entry" in machine_of(host()).instructions
LEAST, MOST = {"i8": -128, "ui8": 0}, {"i8": 127, "ui8": 255}


def quantized(result: str, value: str, element: str, shape: str) -> str:
    """The lines that divide floats by a scale, round them, and convert them to bytes."""
    floats, point = f"tensor<{shape}xf32>", 3
    return f"""%{result}0 = stablehlo.divide %{value}, %scale : {floats}
      %{result}1 = stablehlo.round_nearest_even %{result}0 : {floats}
      %{result}p = stablehlo.constant dense<{point}.0> : {floats}
      %{result}2 = stablehlo.add %{result}1, %{result}p : {floats}
      %{result}3 = stablehlo.clamp %least, %{result}2, %most
        : (tensor<f32>, {floats}, tensor<f32>) -> {floats}
      %{result} = stablehlo.convert %{result}3 : ({floats}) -> tensor<{shape}x{element}>"""


def activation(element: str, shape: str, other: str = "x") -> str:
    """The product of a byte, or another one, and its logistic function, both quantized."""
    floats, bytes_ = f"tensor<{shape}xf32>", f"tensor<{shape}x{element}>"
    return f"""func.func @main(%q: {bytes_}, %r: {bytes_}) -> {bytes_} {{
      %least = stablehlo.constant dense<{LEAST[element]}.0> : tensor<f32>
      %most = stablehlo.constant dense<{MOST[element]}.0> : tensor<f32>
      %scale = stablehlo.constant dense<0.0123> : {floats}
      %x0 = stablehlo.convert %q : ({bytes_}) -> {floats}
      %x = stablehlo.multiply %x0, %scale : {floats}
      %y0 = stablehlo.convert %r : ({bytes_}) -> {floats}
      %y = stablehlo.multiply %y0, %scale : {floats}
      %l = stablehlo.logistic %x : {floats}
      {quantized("s", "l", element, shape)}
      %t0 = stablehlo.convert %s : ({bytes_}) -> {floats}
      %t1 = stablehlo.multiply %t0, %scale : {floats}
      %t = stablehlo.multiply %t1, %{other} : {floats}
      {quantized("u", "t", element, shape)}
      return %u : {bytes_}
    }}"""


@pytest.mark.parametrize("element", ["i8", "ui8"])
@pytest.mark.parametrize("count", [1, 3, 8, 256, 1000])
def test_a_function_of_a_byte_has_the_values_of_the_interpreter(element: str, count: int) -> None:
    text = activation(element, str(count))
    dtype = np.int8 if element == "i8" else np.uint8
    arguments = [np.resize(np.arange(256, dtype=np.uint8), count).view(dtype)] * 2
    executable = compiled(text)
    assert operations(executable)[NAME] == HAS_TABLES
    expected = np.asarray(sm.load(text).run(*arguments, backend="interpreter"))
    for one in (executable, compiled(text, check=True), compiled(text, fuse=False)):
        np.testing.assert_array_equal(np.asarray(one(*arguments)), expected)


def test_a_function_of_two_bytes_is_computed() -> None:
    text = activation("ui8", "256", other="y")
    executable = compiled(text)
    assert operations(executable)[NAME] == HAS_TABLES  # the logistic function, not the product
    assert operations(executable)["multiply"] > 0
    random = np.random.default_rng(0)
    arguments = [random.integers(0, 256, 256, dtype=np.uint8) for _ in range(2)]
    expected = np.asarray(sm.load(text).run(*arguments, backend="interpreter"))
    np.testing.assert_array_equal(np.asarray(executable(*arguments)), expected)


@pytest.mark.parametrize("count", [256, 100])
def test_a_function_of_a_byte_and_its_place_has_no_table(count: int) -> None:
    bytes_, floats = f"tensor<{count}xi8>", f"tensor<{count}xf32>"
    text = f"""func.func @main(%q: {bytes_}) -> {bytes_} {{
      %least = stablehlo.constant dense<-128.0> : tensor<f32>
      %most = stablehlo.constant dense<127.0> : tensor<f32>
      %scale = stablehlo.constant dense<0.0123> : {floats}
      %place = stablehlo.constant dense<{[number / 64 for number in range(count)]}> : {floats}
      %x = stablehlo.convert %q : ({bytes_}) -> {floats}
      %x1 = stablehlo.multiply %x, %scale : {floats}
      %x2 = stablehlo.add %x1, %place : {floats}
      {quantized("u", "x2", "i8", str(count))}
      return %u : {bytes_}
    }}"""
    argument = np.arange(count, dtype=np.uint8)[::-1].view(np.int8)
    expected = np.asarray(sm.load(text).run(argument, backend="interpreter"))
    np.testing.assert_array_equal(np.asarray(compiled(text)(argument)), expected)


@pytest.mark.parametrize("fuse", [True, False])
def test_two_functions_of_bytes_have_tables_of_their_own(fuse: bool) -> None:
    bytes_, floats = "tensor<256xi8>", "tensor<256xf32>"

    def function(name: str, scale: float) -> str:
        return f"""
      %{name}k = stablehlo.constant dense<{scale}> : {floats}
      %{name}x0 = stablehlo.convert %{name} : ({bytes_}) -> {floats}
      %{name}x = stablehlo.multiply %{name}x0, %{name}k : {floats}
      %{name}l = stablehlo.logistic %{name}x : {floats}
      %{name}t = stablehlo.multiply %{name}l, %{name}x : {floats}
      {quantized(f"{name}u", f"{name}t", "i8", "256")}"""

    text = f"""func.func @main(%q: {bytes_}, %r: {bytes_}) -> ({bytes_}, {bytes_}) {{
      %least = stablehlo.constant dense<-128.0> : tensor<f32>
      %most = stablehlo.constant dense<127.0> : tensor<f32>
      %scale = stablehlo.constant dense<0.0123> : {floats}
      {function("q", 0.01)}
      {function("r", 0.1)}
      return %qu, %ru : {bytes_}, {bytes_}
    }}"""
    arguments = [np.arange(256, dtype=np.uint8).view(np.int8)] * 2
    executable = compiled(text, fuse=fuse)
    assert operations(executable)[NAME] == 2 * HAS_TABLES
    expected = sm.load(text).run(*arguments, backend="interpreter")
    for one, other in zip(executable.run(arguments), expected, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_bytes_of_any_number() -> None:
    text = """func.func @main(%q: tensor<?xi8>) -> tensor<?xi8> {
      %scale = stablehlo.constant dense<0.0123> : tensor<f32>
      %x0 = stablehlo.convert %q : (tensor<?xi8>) -> tensor<?xf32>
      %x1 = stablehlo.logistic %x0 : tensor<?xf32>
      %x2 = stablehlo.tanh %x1 : tensor<?xf32>
      %x3 = stablehlo.multiply %x2, %x1 : tensor<?xf32>
      %x4 = stablehlo.exponential %x3 : tensor<?xf32>
      %x5 = stablehlo.multiply %x4, %x4 : tensor<?xf32>
      %x6 = stablehlo.round_nearest_even %x5 : tensor<?xf32>
      %x7 = stablehlo.convert %x6 : (tensor<?xf32>) -> tensor<?xi8>
      return %x7 : tensor<?xi8>
    }"""
    executable = sm.compile(sm.load(text))
    for count in (1, 5, 300):
        codes = np.resize(np.arange(256, dtype=np.uint8), count).view(np.int8)
        expected = np.asarray(sm.load(text).run(codes, backend="interpreter"))
        np.testing.assert_array_equal(np.asarray(executable(codes)), expected)


def reshaped(shape: str) -> str:
    """A function of a byte whose elements get another shape before they are bytes again."""
    floats, flat = f"tensor<{shape}xf32>", "tensor<512xf32>"
    return f"""func.func @main(%q: tensor<{shape}xui8>) -> tensor<512xui8> {{
      %least = stablehlo.constant dense<0.0> : tensor<f32>
      %most = stablehlo.constant dense<255.0> : tensor<f32>
      %scale = stablehlo.constant dense<0.0123> : {flat}
      %k = stablehlo.constant dense<0.0123> : {floats}
      %x0 = stablehlo.convert %q : (tensor<{shape}xui8>) -> {floats}
      %x = stablehlo.multiply %x0, %k : {floats}
      %g = stablehlo.logistic %x : {floats}
      %r = stablehlo.reshape %g : ({floats}) -> {flat}
      %t = stablehlo.tanh %r : {flat}
      {quantized("u", "t", "ui8", "512")}
      return %u : tensor<512xui8>
    }}"""


@pytest.mark.parametrize("shape", ["512", "2x256", "4x8x16"])
def test_elements_may_get_another_shape_between_quantizations(shape: str) -> None:
    """As those of a layer that multiplies rows of points, between its product and the next one."""
    sizes = [int(size) for size in shape.split("x")]
    array = np.arange(512).astype(np.uint8).reshape(sizes)
    executable = compiled(reshaped(shape))
    assert operations(executable)[NAME] == HAS_TABLES
    expected = np.asarray(sm.load(reshaped(shape)).run(array, backend="interpreter"))
    np.testing.assert_array_equal(np.asarray(executable(array)), expected)

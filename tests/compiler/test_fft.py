"""Fourier transforms in native code, beside NumPy's in twice the precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import Launch, Request

KINDS = ["FFT", "IFFT", "RFFT", "IRFFT"]


def program(kind: str, element: str, rows: int, length: int) -> str:
    """A program that transforms rows."""
    whole = (length, f"complex<{element}>")
    some = (length // 2 + 1, f"complex<{element}>")
    real = (length, element)
    before, after = {
        "FFT": (whole, whole),
        "IFFT": (whole, whole),
        "RFFT": (real, some),
        "IRFFT": (some, real),
    }[kind]
    x, y = (f"tensor<{rows}x{size}x{name}>" for size, name in (before, after))
    return f"""func.func @main(%x: {x}) -> {y} {{
  %0 = stablehlo.fft %x, type = {kind}, length = [{length}] : ({x}) -> {y}
  return %0 : {y}
}}"""


def compiled(text: str) -> CompiledExecutable:
    """The compiled program."""
    executable: Any = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    return executable


def transformed(kind: str, x: Any, length: int) -> Any:
    """What it ought to be, in ``f64`` of numbers with fewer bits."""
    wide = np.promote_types(x.dtype, np.float64)
    if kind == "IRFFT":
        return np.fft.irfft(x.astype(wide), length)
    functions: dict[str, Any] = {"FFT": np.fft.fft, "IFFT": np.fft.ifft, "RFFT": np.fft.rfft}
    return functions[kind](x.astype(wide))


def check(kind: str, element: str, rows: int, length: int) -> None:
    """Compares a transform of normal numbers with NumPy's."""
    executable = compiled(program(kind, element, rows, length))
    assert [type(step) for step in executable.plan.steps[:-1]] == [Launch]
    rng = np.random.default_rng(rows)
    size = length // 2 + 1 if kind == "IRFFT" else length
    x: Any = rng.standard_normal((rows, size))
    if kind != "RFFT":
        x = x + 1j * rng.standard_normal((rows, size))
    x = x.astype({"f32": np.complex64, "f64": np.complex128}[element])
    if kind == "RFFT":
        x = np.ascontiguousarray(x.real)
    actual, expected = np.asarray(executable(x)), transformed(kind, x, length)
    # Each of about log2(n) passes rounds a few times; NumPy's error in f64 is of the same size.
    epsilon = {"f32": 2.0**-24, "f64": 2.0**-53}[element]
    size_of = np.sqrt(np.mean(np.abs(expected) ** 2))
    assert np.max(np.abs(actual - expected)) <= 16 * epsilon * np.log2(length) ** 0.5 * size_of


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("length", [4, 6, 14, 22, 26, 30, 64, 96, 1000, 2048])
def test_rows_of_many_lengths(kind: str, element: str, length: int) -> None:
    check(kind, element, 19, length)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 2, 5, 16, 40])
def test_any_number_of_rows(kind: str, rows: int) -> None:
    check(kind, "f32", rows, 60)


def test_long_rows_are_transformed_fewer_at_a_time() -> None:
    check("RFFT", "f32", 9, 16384)


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_has_the_same_bits_beside_any_others(kind: str) -> None:
    rows, length = 21, 48
    rng = np.random.default_rng(3)
    shape = (rows, length // 2 + 1 if kind == "IRFFT" else length)
    x: Any = rng.standard_normal(shape).astype(np.float32)
    if kind != "RFFT":
        x = (x + 1j * rng.standard_normal(shape)).astype(np.complex64)
    together = np.asarray(compiled(program(kind, "f32", rows, length))(x))
    alone = compiled(program(kind, "f32", 1, length))
    for i in range(rows):
        np.testing.assert_array_equal(np.asarray(alone(x[i : i + 1])), together[i : i + 1])


def test_constants_of_a_circle_are_exact_where_they_ought_to_be() -> None:
    x = np.zeros((1, 64), np.complex64)
    x[0, 1] = 1.0
    result = np.asarray(compiled(program("FFT", "f32", 1, 64))(x))[0]
    np.testing.assert_array_equal(result[[0, 16, 32, 48]], np.array([1, -1j, -1, 1j], np.complex64))


@pytest.mark.parametrize(("kind", "length"), [("FFT", 17), ("RFFT", 15), ("FFT", 1 << 17)])
def test_other_lengths_are_asked_of_a_library(kind: str, length: int) -> None:
    steps = compiled(program(kind, "f32", 2, length)).plan.steps
    assert [type(step) for step in steps[:-1]] == [Request]


def test_passes_of_one_radix_and_all_transpositions_have_one_code() -> None:
    rows = "tensor<16x2048xf32>"
    some = "tensor<16x1025xcomplex<f32>>"
    executable = compiled(f"""func.func @main(%x: {rows}) -> {rows} {{
  %0 = stablehlo.fft %x, type = RFFT, length = [2048] : ({rows}) -> {some}
  %1 = stablehlo.fft %0, type = IRFFT, length = [2048] : ({some}) -> {rows}
  return %1 : {rows}
}}""")
    # 1024 = 8 * 8 * 8 * 2: squares; the passes but the last one; there and back that, and pairs.
    common = [
        function
        for function in executable.kernel_functions.functions
        if function.startswith("common")
    ]
    assert len(common) == 6
    x: Any = np.random.default_rng(0).standard_normal((16, 2048)).astype(np.float32)
    np.testing.assert_allclose(executable(x), x, atol=1e-5)

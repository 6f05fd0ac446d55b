"""Fourier transforms in native code, beside NumPy's in twice the precision."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.kernels.fft.stockham import PAGE, numbers_of_space
from stablemate.compiler.plan.plan import LaunchStep, Request
from tests.compiler.plans import emitted
from tests.machines import MACHINES

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
    assert [type(step) for step in executable.plan.steps[:-1]] == [LaunchStep]
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


def test_long_rows_are_asked_of_a_library() -> None:
    steps = compiled(program("FFT", "f32", 2, 1 << 17)).plan.steps
    assert [type(step) for step in steps[:-1]] == [Request]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("length", [2, 3, 15, 31, 34, 37, 74, 101, 127, 254, 1517])
def test_odd_lengths_and_large_prime_factors(kind: str, element: str, length: int) -> None:
    check(kind, element, 5, length)


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_of_one_number_is_itself(kind: str) -> None:
    real, imag = np.float32(2.5), np.float32(0 if "R" in kind else 1.5)
    x: Any = np.array([[real + 1j * imag]], np.complex64)
    x = np.ascontiguousarray(x.real) if kind == "RFFT" else x
    actual = np.asarray(compiled(program(kind, "f32", 1, 1))(x))
    np.testing.assert_array_equal(actual, x.real if kind == "IRFFT" else x)


SHAPES = [
    ((8, 8), 2), ((5, 7), 2), ((3, 16, 9), 2), ((2, 3, 4, 6), 3), ((7, 1), 2), ((1, 6), 2),
    ((37, 41), 2), ((20, 2), 2), ((64, 48), 2), ((33, 3, 2), 3), ((1, 1), 2),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "count"), SHAPES)
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_several_dimensions(kind: str, shape: tuple[int, ...], count: int, element: str) -> None:
    rng = np.random.default_rng(count)
    axes = tuple(range(len(shape) - count, len(shape)))
    half = (*shape[:-1], shape[-1] // 2 + 1)
    x: Any = rng.standard_normal(shape)
    if kind in ("FFT", "IFFT"):
        x = x + 1j * rng.standard_normal(shape)
    if kind == "IRFFT":
        x = np.fft.rfftn(x, axes=axes)
    bits = {"f32": 24, "f64": 53}[element]
    x = x.astype(f"{x.dtype.kind}{(4 if bits == 24 else 8) * (1 + np.iscomplexobj(x))}")
    wide = x.astype(np.promote_types(x.dtype, np.float64))
    expected = {
        "FFT": lambda: np.fft.fftn(wide, axes=axes),
        "IFFT": lambda: np.fft.ifftn(wide, axes=axes),
        "RFFT": lambda: np.fft.rfftn(wide, axes=axes),
        "IRFFT": lambda: np.fft.irfftn(wide, shape[-count:], axes=axes),
    }[kind]()
    types = [
        f"tensor<{'x'.join(map(str, sizes))}x{element if real else f'complex<{element}>'}>"
        for sizes, real in (
            (half if kind == "IRFFT" else shape, kind == "RFFT"),
            (half if kind == "RFFT" else shape, kind == "IRFFT"),
        )
    ]
    executable = compiled(f"""func.func @main(%x: {types[0]}) -> {types[1]} {{
  %0 = stablehlo.fft %x, type = {kind}, length = [{", ".join(map(str, shape[-count:]))}]
    : ({types[0]}) -> {types[1]}
  return %0 : {types[1]}
}}""")
    assert {type(step) for step in executable.plan.steps[:-1]} == {LaunchStep}
    actual = np.asarray(executable(x))
    size_of = np.sqrt(np.mean(np.abs(expected) ** 2))
    assert np.max(np.abs(actual - expected)) <= 64 * 2.0**-bits * size_of


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


@pytest.mark.parametrize("number", [32, 64, 128])
@pytest.mark.parametrize("length", [64, 256, 1000, 2048, 4096])
def test_memories_of_passes_begin_at_other_places_of_a_page(length: int, number: int) -> None:
    size = number * numbers_of_space(length, number)
    assert number * (length + 1) <= size < number * (length + 1) + PAGE
    assert size < PAGE or abs(size % PAGE - PAGE // 2) < number


@pytest.mark.parametrize(("machine", "together"), [("avx2", "3"), ("avx512", "4")])
def test_sums_of_large_primes_fit_into_the_registers(machine: str, together: str) -> None:
    nest = emitted(program("FFT", "f32", 16, 37), MACHINES[machine], "nest")
    unrolled = set(re.findall(r"for \w+ < (\d+) : unroll", nest))
    assert unrolled & {"3", "4"} == {together}  # the others transpose squares


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("sizes", [(8,), (3, 22), (16, 7), (64, 64, 16)], ids=str)
def test_constants_of_one_number(kind: str, element: str, sizes: tuple[int, ...]) -> None:
    # Such a constant is in no memory; the kernel has its number.
    half = (*sizes[:-1], sizes[-1] // 2 + 1)
    before = half if kind == "IRFFT" else sizes
    after = half if kind == "RFFT" else sizes
    number = 1.5 if kind == "RFFT" else 1.5 - 2.25j
    literal = "1.5" if kind == "RFFT" else "(1.5, -2.25)"
    x = "x".join([*map(str, before), element if kind == "RFFT" else f"complex<{element}>"])
    y = "x".join([*map(str, after), element if kind == "IRFFT" else f"complex<{element}>"])
    text = f"""func.func @main() -> tensor<{y}> {{
  %0 = stablehlo.constant dense<{literal}> : tensor<{x}>
  %1 = stablehlo.fft %0, type = {kind}, length = [{", ".join(map(str, sizes))}]
    : (tensor<{x}>) -> tensor<{y}>
  return %1 : tensor<{y}>
}}"""
    axes = range(len(sizes))
    operand = np.full(before, number)
    functions: dict[str, Any] = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn}
    expected = (
        np.fft.irfftn(operand, sizes, axes=axes) if kind == "IRFFT" else functions[kind](operand)
    )
    largest = np.max(np.abs(expected))
    tolerance = {"f32": 2.0**-21, "f64": 2.0**-50}[element] * largest
    assert np.max(np.abs(np.asarray(compiled(text)()) - expected)) <= tolerance

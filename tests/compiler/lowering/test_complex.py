"""Complex numbers in native code: as the interpreter computes them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.lowering.complex import DOUBLES
from stablemate.compiler.plan.plan import Request

Array = npt.NDArray[Any]
PARTS: Final = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -2.0, 1e-40, 3e38, 1e-20, 100.0]
EXACT: Final = ["add", "subtract", "multiply", "maximum", "minimum"]
WIDENED: Final = [
    "abs", "cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one", "rsqrt",
    "sign", "sine", "sqrt", "tan", "tanh",
]  # fmt: skip
DIRECTIONS: Final = ["EQ", "NE", "LT", "LE", "GT", "GE"]


def numbers(dtype: Any) -> Array:
    """All pairs of parts, and numbers drawn at random."""
    real, imag = (np.ravel(part) for part in np.meshgrid(PARTS, PARTS))
    random = np.random.default_rng(0)
    array = np.empty(len(real) + 500, dtype)
    scale = np.exp(random.uniform(-10, 5, 500))
    array.real = np.concatenate([real, random.standard_normal(500) * scale]).astype(
        array.real.dtype
    )
    array.imag = np.concatenate([imag, random.standard_normal(500) * scale]).astype(
        array.real.dtype
    )
    return array


def both(text: str, *arguments: Array) -> tuple[list[Array], list[Array]]:
    """The results of a program, native and interpreted."""
    interpreted = sm.load(text).executable("main", backend="interpreter")
    compiled = CompiledExecutable(interpreted)  # type: ignore[arg-type]
    assert not any(isinstance(step, Request) for step in compiled.plan.steps)
    expected = [np.asarray(argument) for argument in interpreted.run(arguments)]
    return [np.asarray(argument) for argument in compiled.run(arguments)], expected


def assert_same(got: Array, expected: Array) -> None:
    """Equal bits, NaNs apart."""
    for a, b in ((got.real, expected.real), (got.imag, expected.imag)):
        nan = np.isnan(b)
        assert np.array_equal(np.isnan(a), nan)
        assert np.array_equal(np.where(nan, 0, a), np.where(nan, 0, b))
        assert np.array_equal(np.signbit(a) & ~nan, np.signbit(b) & ~nan)


def applied(name: str, element: str, size: int, arity: int, result: str | None = None) -> str:
    """A function that applies an operation to vectors."""
    tensor = f"tensor<{size}x{element}>"
    target = f"tensor<{size}x{result or element}>"
    names = ["%a", "%b"][:arity]
    arguments = ", ".join(f"{name}: {tensor}" for name in names)
    return (
        f"func.func @main({arguments}) -> {target} {{\n"
        f'  %0 = "stablehlo.{name}"({", ".join(names)}) : ({", ".join([tensor] * arity)}) -> '
        f"{target}\n  return %0 : {target}\n}}"
    )


@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("name", EXACT)
def test_operations_on_parts_are_exact(name: str, element: str) -> None:
    x = numbers(np.complex64 if element == "complex<f32>" else np.complex128)
    (got,), (expected,) = both(applied(name, element, len(x), 2), x, x[::-1].copy())
    assert_same(got, expected)


@pytest.mark.parametrize("name", WIDENED)
def test_functions_are_rounded_once(name: str) -> None:
    x = numbers(np.complex64)
    result = "f32" if name == "abs" else None
    (got,), (expected,) = both(applied(name, "complex<f32>", len(x), 1, result), x)
    if name == "abs":
        assert np.array_equal(got, expected, equal_nan=True)
        return
    for a, b in ((got.real, expected.real), (got.imag, expected.imag)):
        assert np.allclose(a, b, rtol=1.2e-7, atol=1.5e-45, equal_nan=True)
        assert np.array_equal(np.signbit(a)[~np.isnan(b)], np.signbit(b)[~np.isnan(b)])


@pytest.mark.parametrize("name", ["logistic", "power"])
def test_powers(name: str) -> None:
    finite = [part for part in PARTS if np.isfinite(part) and abs(part) < 1e30]
    special = [complex(a, b) for a in finite for b in finite]
    random = np.random.default_rng(0)
    samples = random.standard_normal(3000) * np.exp(2j * np.pi * random.random(3000)) * 3
    x = np.concatenate([special, samples]).astype(np.complex64)
    arguments = [x, np.roll(x, 1)] if name == "power" else [x]
    text = applied(name, "complex<f32>", len(x), len(arguments))
    (got,), (expected,) = both(text, *arguments)
    size = np.maximum(np.abs(expected), 1e-37)
    assert np.isfinite(got).sum() > 3000
    finite_ones = np.isfinite(got) & np.isfinite(expected)
    assert np.array_equal(np.isnan(got), np.isnan(expected))
    both_finite = zip(got[finite_ones], expected[finite_ones], size[finite_ones], strict=True)
    assert all(abs(a - b) <= 3e-7 * c for a, b, c in both_finite)


@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
def test_remainders(element: str) -> None:
    x = numbers(np.complex64 if element == "complex<f32>" else np.complex128)
    (got,), (expected,) = both(applied("remainder", element, len(x), 2), x, x[::-1].copy())
    assert_same(got, expected)


@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
def test_clamping(element: str) -> None:
    x = numbers(np.complex64 if element == "complex<f32>" else np.complex128)
    tensor = f"tensor<{len(x)}x{element}>"
    text = (
        f"func.func @main(%a: {tensor}, %b: {tensor}, %c: {tensor}) -> {tensor} {{\n"
        f"  %0 = stablehlo.clamp %a, %b, %c : {tensor}\n  return %0 : {tensor}\n}}"
    )
    (got,), (expected,) = both(text, x, x[::-1].copy(), np.roll(x, 7))
    assert_same(got, expected)


@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
def test_quotients(element: str) -> None:
    x = numbers(np.complex64 if element == "complex<f32>" else np.complex128)
    special = x[: len(PARTS) ** 2]
    lhs, rhs = (np.ravel(axis) for axis in np.meshgrid(special, special))
    with np.errstate(all="ignore"):
        lhs = np.concatenate([lhs, x * 1e200, x]).astype(x.dtype)
        rhs = np.concatenate([rhs, x[::-1] * 1e-50, x[::-1]]).astype(x.dtype)
    (got,), (expected,) = both(applied("divide", element, len(lhs), 2), lhs, rhs)
    for a, b in ((got.real, expected.real), (got.imag, expected.imag)):
        assert np.allclose(a, b, rtol=1.2e-7, atol=1.5e-45, equal_nan=True)


def test_moduli_of_doubles() -> None:
    x = numbers(np.complex128)
    with np.errstate(all="ignore"):
        x = np.concatenate([x, x * 1e300, x * 1e-300, x * 5e-324])
    (got,), (expected,) = both(applied("abs", "complex<f64>", len(x), 1, "f64"), x)
    assert np.allclose(got, expected, rtol=2.3e-16, atol=5e-324, equal_nan=True)


def test_directions_of_doubles() -> None:
    x = numbers(np.complex128)
    with np.errstate(all="ignore"):
        x = np.concatenate([x, x * 1e300, x * 1e-300, x * 5e-324])
    (got,), (expected,) = both(applied("sign", "complex<f64>", len(x), 1), x)
    for a, b in ((got.real, expected.real), (got.imag, expected.imag)):
        assert np.allclose(a, b, rtol=4.5e-16, atol=0, equal_nan=True)
        assert np.array_equal(np.signbit(a)[~np.isnan(b)], np.signbit(b)[~np.isnan(b)])


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_comparisons_are_lexicographic(direction: str) -> None:
    x = numbers(np.complex64)[: len(PARTS) ** 2]
    lhs, rhs = (np.ravel(axis) for axis in np.meshgrid(x, x))
    tensor, truth = f"tensor<{len(lhs)}xcomplex<f32>>", f"tensor<{len(lhs)}xi1>"
    text = (
        f"func.func @main(%a: {tensor}, %b: {tensor}) -> {truth} {{\n"
        f"  %0 = stablehlo.compare {direction}, %a, %b, FLOAT : ({tensor}, {tensor}) -> {truth}\n"
        f"  return %0 : {truth}\n}}"
    )
    (got,), (expected,) = both(text, lhs, rhs)
    assert np.array_equal(got, expected)


MOVEMENT: Final = """
func.func @main(%a: tensor<3x5xcomplex<f32>>, %b: tensor<3x4xcomplex<f32>>,
                %p: tensor<complex<f32>>)
    -> (tensor<11x7xcomplex<f32>>, tensor<9x3xf32>, tensor<9x3xf32>, tensor<2x9x3xcomplex<f64>>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1
    : (tensor<3x5xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x9xcomplex<f32>>
  %1 = stablehlo.transpose %0, dims = [1, 0]
    : (tensor<3x9xcomplex<f32>>) -> tensor<9x3xcomplex<f32>>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<9x3xcomplex<f32>>
  %3 = stablehlo.pad %2, %p, low = [1, 0], high = [1, 2], interior = [0, 1]
    : (tensor<9x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<11x7xcomplex<f32>>
  %4 = stablehlo.real %2 : (tensor<9x3xcomplex<f32>>) -> tensor<9x3xf32>
  %5 = stablehlo.imag %1 : (tensor<9x3xcomplex<f32>>) -> tensor<9x3xf32>
  %6 = stablehlo.complex %5, %4 : tensor<9x3xcomplex<f32>>
  %7 = stablehlo.convert %6 : (tensor<9x3xcomplex<f32>>) -> tensor<9x3xcomplex<f64>>
  %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2]
    : (tensor<9x3xcomplex<f64>>) -> tensor<2x9x3xcomplex<f64>>
  return %3, %4, %5, %8 : tensor<11x7xcomplex<f32>>, tensor<9x3xf32>, tensor<9x3xf32>,
    tensor<2x9x3xcomplex<f64>>
}
"""


def test_data_movement_carries_both_parts() -> None:
    random = np.random.default_rng(0)
    arguments = [
        (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(np.complex64)
        for shape in ((3, 5), (3, 4), ())
    ]
    got, expected = both(MOVEMENT, *arguments)
    for a, b in zip(got, expected, strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize(
    ("source", "target"),
    [("complex<f64>", "complex<f32>"), ("f32", "complex<f32>"), ("i32", "complex<f64>"),
     ("complex<f32>", "f64"), ("complex<f64>", "i16"), ("complex<f32>", "i1"),
     ("i1", "complex<f32>")],
)  # fmt: skip
def test_conversions(source: str, target: str) -> None:
    text = (
        f"func.func @main(%a: tensor<5x{source}>) -> tensor<5x{target}> {{\n"
        f"  %0 = stablehlo.convert %a : (tensor<5x{source}>) -> tensor<5x{target}>\n"
        f"  return %0 : tensor<5x{target}>\n}}"
    )
    dtypes = {"complex<f64>": "c16", "complex<f32>": "c8", "f32": "f4", "i32": "i4", "i1": "?"}
    values = np.array([0, 1, -3, 100, 1])
    if source.startswith("complex"):
        values = values + 1j * np.array([0.0, 2.5, 0, 1, -1])
    (got,), (expected,) = both(text, values.astype(dtypes[source]))
    assert got.tobytes() == expected.tobytes()


PRODUCTS: Final = {
    "dot": """func.func @main(%a: tensor<2x9x17xE>, %b: tensor<2x17x5xE>) -> tensor<2x9x5xE> {
      %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
          : (tensor<2x9x17xE>, tensor<2x17x5xE>) -> tensor<2x9x5xE>
      return %0 : tensor<2x9x5xE> }""",
    "convolution": """func.func @main(%a: tensor<1x6x2xE>, %b: tensor<3x2x4xE>) -> tensor<1x4x4xE> {
      %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
          window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x6x2xE>, tensor<3x2x4xE>) -> tensor<1x4x4xE>
      return %0 : tensor<1x4x4xE> }""",
}


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
def test_sums_of_products(name: str, element: str) -> None:
    text, random = PRODUCTS[name].replace("E>", f"{element}>"), np.random.default_rng(0)
    shapes = ((2, 9, 17), (2, 17, 5)) if name == "dot" else ((1, 6, 2), (3, 2, 4))
    dtype, unit = (np.complex64, 2.0**-23) if "f32" in element else (np.complex128, 2.0**-52)
    arguments = [
        (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)
        for shape in shapes
    ]
    (got,), (expected,) = both(text, *arguments)
    assert np.abs(got - expected).max() <= 50 * unit


@pytest.mark.parametrize("name", sorted(DOUBLES))
def test_functions_of_doubles(name: str) -> None:
    x = numbers(np.complex128)
    large, tiny = np.meshgrid([709.78, -709.78, 740.0, 1400.0], [5e-324, -5e-324, 1e-310, 3e-290])
    with np.errstate(all="ignore"):
        x = np.concatenate([x, x * 1e300, x * 1e-300, x * 5e-324, x * 100])
    x = np.concatenate([x, *(np.ravel(a + 1j * b) for a, b in ((large, tiny), (tiny, large)))])
    (got,), (expected,) = both(applied(name, "complex<f64>", len(x), 1), x)
    for a, b in ((got.real, expected.real), (got.imag, expected.imag)):
        nan = np.isnan(b)
        assert np.array_equal(np.isnan(a), nan)
        assert np.array_equal(np.signbit(a)[~nan], np.signbit(b)[~nan])
        assert np.allclose(a, b, rtol=7e-16, atol=1.5e-323, equal_nan=True)

"""stablehlo-complex-math-expander: values near those of the functions, and at special points."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

OF: Final[dict[str, Callable[[Any], Any]]] = {
    "exponential": np.exp,
    "log": np.log,
    "log_plus_one": np.log1p,
    "sqrt": np.sqrt,
}
ULPS: Final = 6  # of the larger part: a few roundings on the way


def expanded(name: str, element: str, count: int) -> tuple[sm.Module, sm.Module]:
    """A program of one operation, and what stands for it."""
    kind = f"tensor<{count}xcomplex<{element}>>"
    module = sm.load(
        f"func.func @main(%z: {kind}) -> {kind} {{\n"
        f"  %0 = stablehlo.{name} %z : {kind}\n  return %0 : {kind}\n}}\n"
    )
    optimized = sm.opt(module, "stablehlo-complex-math-expander")
    optimized.verify()
    return module, optimized


def plane() -> Any:
    """Points all over the plane, near the unit circle, and near -1."""
    generator = np.random.default_rng(0)
    sizes = 10.0 ** generator.uniform(-15, 15, 2000)
    angles = generator.uniform(-np.pi, np.pi, 2000)
    circle = (1 + generator.normal(0, 1e-4, 500)) * np.exp(1j * angles[:500])
    next_to = -1 + generator.normal(0, 0.05, 500) + 1j * generator.normal(0, 0.05, 500)
    cancelling = -0.5 * angles[:500] ** 2 / 100 + 0.1j * angles[:500]
    return np.concatenate([sizes * np.exp(1j * angles), circle, next_to, cancelling])


@pytest.mark.parametrize("name", OF)
def test_values_are_those_of_the_functions(name: str) -> None:
    z = plane().astype(np.complex64)
    if name == "exponential":
        z = z[np.abs(z.real) < 80]
        z = z[np.abs(z.imag) < 1e4]
    _, expanded_value = expanded(name, "f32", len(z))
    assert f"stablehlo.{name} %arg0" not in expanded_value.to_text()
    completed = expanded_value.run(z, backend="interpreter")
    wide = z.astype(np.clongdouble)
    # NumPy has no log1p of complex numbers that is accurate near 0.
    right = log1p(wide) if name == "log_plus_one" else OF[name](wide)
    apart = np.abs(completed - right) / np.abs(right)
    assert apart.max() < ULPS * np.finfo(np.float32).eps
    parts = np.maximum(np.abs(completed.real - right.real), np.abs(completed.imag - right.imag))
    assert np.isfinite(parts).all()


def log1p(z: Any) -> Any:
    """The logarithm of 1 + z, in numbers of 64 bits of precision."""
    x, y = z.real, z.imag
    return 0.5 * np.log1p(x * (2 + x) + y * y) + 1j * np.arctan2(y, 1 + x)


@pytest.mark.parametrize("name", OF)
def test_doubles_are_those_of_the_interpreter(name: str) -> None:
    z = plane()
    if name == "exponential":
        z = z[(np.abs(z.real) < 700) & (np.abs(z.imag) < 1e6)]
    module, expanded_value = expanded(name, "f64", len(z))
    old, new = (item.run(z, backend="interpreter") for item in (module, expanded_value))
    assert (np.abs(new - old) / np.abs(old)).max() < 2 * ULPS * np.finfo(np.float64).eps


@pytest.mark.parametrize("name", ["exponential", "log", "sqrt"])
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_special_values_are_those_of_c(name: str, element: str) -> None:
    """C11, Annex G: zeros, ones and infinities with both signs, as NumPy's library has them."""
    numbers = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf]
    dtype = np.complex64 if element == "f32" else np.complex128
    z = np.array([complex(a, b) for a, b in product(numbers, numbers)], dtype)
    _, expanded_value = expanded(name, element, len(z))
    completed = expanded_value.run(z, backend="interpreter")
    with np.errstate(all="ignore"):
        right = OF[name](z)
    for part in ("real", "imag"):
        a, b = getattr(completed, part), getattr(right, part)
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True)
        value = ~(np.isnan(b) | (np.isinf(z.imag) & (name == "exponential")))
        assert (np.signbit(a) == np.signbit(b))[value & (b == 0)].all(), part


def test_large_and_small_numbers_do_not_overflow() -> None:
    z = np.array([3e38 + 3e38j, 1e-40 + 1e-42j, -3e38 + 1e-38j, 1e-45j], np.complex64)
    for name in ("log", "sqrt"):
        _, expanded_value = expanded(name, "f32", len(z))
        right = OF[name](z.astype(np.complex128))
        np.testing.assert_allclose(expanded_value.run(z, backend="interpreter"), right, rtol=1e-6)
    _, expanded_value = expanded("exponential", "f32", 1)
    exponent = np.array([88.9 + 0.785j], np.complex64)  # exp(88.9) alone overflows
    completed = expanded_value.run(exponent, backend="interpreter")
    np.testing.assert_allclose(completed, np.exp(exponent.astype(np.complex128)), rtol=1e-5)


def test_floats_and_stated_accuracies_stay() -> None:
    text = """
func.func @main(%x: tensor<2xf32>, %z: tensor<2xcomplex<f32>>) -> (tensor<2xf32>, tensor<2xcomplex<f32>>) {
  %0 = stablehlo.sqrt %x : tensor<2xf32>
  %1 = stablehlo.sqrt %z {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xcomplex<f32>>
  return %0, %1 : tensor<2xf32>, tensor<2xcomplex<f32>>
}
"""  # noqa: E501 a signature, an attribute
    module = sm.load(text)
    assert sm.opt(module, "stablehlo-complex-math-expander").to_text() == module.to_text()

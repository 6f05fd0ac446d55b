"""What native code does with numbers that a loop carries: short chains, and the same values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

SPECIAL: Final = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.0,
    np.inf,
    -np.inf,
    np.nan,
    1e-45,
    -1e-45,
    3e38,
    -3e38,
)
FUNCTIONS: Final[dict[str, Callable[[Any], Any]]] = {
    "cosine": np.cos,
    "exponential": np.exp,
    "log": np.log,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "sine": np.sin,
    "tanh": np.tanh,
}
# Quotient and remainder by a constant, rounded down, as JAX writes them.
DOWN: Final = """
func.func @main(%x: {t}) -> ({t}, {t}) {{
  %n = stablehlo.constant dense<{divisor}> : {t}
  %zero = stablehlo.constant dense<0> : {t}
  %one = stablehlo.constant dense<1> : {t}
  %r = stablehlo.remainder %x, %n : {t}
  %nonzero = stablehlo.compare NE, %r, %zero : ({t}, {t}) -> {b}
  %negative = stablehlo.compare LT, %r, %zero : ({t}, {t}) -> {b}
  %below = stablehlo.compare LT, %n, %zero : ({t}, {t}) -> {b}
  %other = stablehlo.compare NE, %negative, %below : ({b}, {b}) -> {b}
  %up = stablehlo.and %other, %nonzero : {b}
  %sum = stablehlo.add %r, %n : {t}
  %rest = stablehlo.select %up, %sum, %r : {b}, {t}
  %q = stablehlo.divide %x, %n : {t}
  %sx = stablehlo.sign %x : {t}
  %sn = stablehlo.sign %n : {t}
  %signs = stablehlo.compare NE, %sx, %sn : ({t}, {t}) -> {b}
  %down = stablehlo.and %signs, %nonzero : {b}
  %less = stablehlo.subtract %q, %one : {t}
  %quotient = stablehlo.select %down, %less, %q : {b}, {t}
  return %quotient, %rest : {t}, {t}
}}"""
ROTATION: Final = """
func.func @main(%x: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3000> : tensor<i32>
  %a = stablehlo.constant dense<[8.0e-1, 6.0e-1]> : tensor<2xf32>
  %r:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %p = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %s = stablehlo.slice %c [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %t = stablehlo.slice %c [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %m = stablehlo.negate %t : tensor<1xf32>
    %v = stablehlo.concatenate %m, %s, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %w = stablehlo.multiply %v, %a : tensor<2xf32>
    %y = stablehlo.add %w, %a : tensor<2xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<2xf32>
}"""


def compiled(text: str) -> Any:
    """The program as native code."""
    executable = sm.compile(sm.load(text))
    assert executable.fallback is None
    return executable


def points() -> np.ndarray[Any, np.dtype[np.float32]]:
    """Special numbers, neighbors of multiples of pi / 2, and numbers of all sizes."""
    generator = np.random.default_rng(0)
    turns = (np.arange(-9, 10) * np.pi / 2).astype(np.float32)
    neighbors = [np.nextafter(turns, np.float32(side)) for side in (-np.inf, np.inf)]
    wide = generator.uniform(-20, 20, 400).astype(np.float32)
    bits = generator.integers(0, 2**32, 400, np.uint32).view(np.float32)
    borders = np.array([6.4, 87, 87.4, 88.8, 89, 9.1, -87, -88, -103, -104, -105], np.float32)
    special = np.array(SPECIAL, np.float32)
    return np.concatenate([special, borders, turns, *neighbors, wide, bits])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_one_number_is_within_a_unit(name: str) -> None:
    function = compiled(
        f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{\n"
        f"  %y = stablehlo.{name} %x : tensor<f32>\n  return %y : tensor<f32>\n}}"
    )
    x = points()
    if name in ("sine", "cosine"):  # NumPy's own errors are too large for larger numbers
        x = x[~(np.abs(x) > 1e15) | ~np.isfinite(x)]
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[name](x.astype(np.float64))
        nearest = exact.astype(np.float32)
    results = np.array([function(value) for value in x])
    is_finite = np.isfinite(nearest)
    np.testing.assert_array_equal(results[~is_finite], nearest[~is_finite])
    unit = np.spacing(np.abs(nearest[is_finite])).astype(np.float64)
    assert (np.abs(results[is_finite] - exact[is_finite]) <= 0.85 * unit).all()
    zero = x == 0
    np.testing.assert_array_equal(np.signbit(results[zero]), np.signbit(nearest[zero]))


@pytest.mark.parametrize("name", ["maximum", "minimum"])
@pytest.mark.parametrize("element", [np.float32, np.float64])
def test_the_larger_one_of_two_numbers(name: str, element: type) -> None:
    kind = f"tensor<f{np.dtype(element).itemsize * 8}>"
    function = compiled(
        f"func.func @main(%x: {kind}, %y: {kind}) -> {kind} {{\n"
        f"  %z = stablehlo.{name} %x, %y : {kind}\n  return %z : {kind}\n}}"
    )
    for x, y in product(map(element, SPECIAL), repeat=2):
        result = function(x, y)
        if x == y == 0:  # NumPy does not order zeros
            negative = [bool(np.signbit(x)), bool(np.signbit(y))]
            assert np.signbit(result) == (all if name == "maximum" else any)(negative)
        else:
            np.testing.assert_array_equal(result, getattr(np, name)(x, y))


@pytest.mark.parametrize("divisor", [1, 2, 3, 7, 8, 64, 100, -1, -2, -3, -8])
def test_quotients_rounded_down_of_all_bytes(divisor: int) -> None:
    function = compiled(DOWN.format(t="tensor<256xi8>", b="tensor<256xi1>", divisor=divisor))
    x = np.arange(-128, 128, dtype=np.int8)
    quotient, rest = function(x)
    wide = x.astype(np.int64)
    np.testing.assert_array_equal(quotient, (wide // divisor).astype(np.int8))
    np.testing.assert_array_equal(rest, (wide % divisor).astype(np.int8))


@pytest.mark.parametrize("divisor", [1, 2, 1000, 1024, 2**30, 2**31 - 1, -4, -(2**31)])
def test_quotients_rounded_down_of_numbers(divisor: int) -> None:
    function = compiled(DOWN.format(t="tensor<i32>", b="tensor<i1>", divisor=divisor))
    for x in (0, 1, -1, 999, -999, -1000, -1024, 2**31 - 1, -(2**31), -(2**31) + 1):
        quotient, rest = function(np.int32(x))
        wrapped = np.int64(x // divisor).astype(np.int32)
        assert (quotient, rest) == (wrapped, x % divisor)


def test_a_small_vector_that_a_loop_carries() -> None:
    x = np.array([1.0, -2.0], np.float32)
    count, result = compiled(ROTATION)(x)
    for _ in range(3000):
        a = np.array([0.8, 0.6], np.float32)
        x = np.array([-x[1], x[0]], np.float32) * a + a
    assert count == 3000
    np.testing.assert_allclose(result, x, rtol=1e-5)


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("name", ["maximum", "minimum", "clamp"])
def test_extremum_of_numbers_keeps_nan_and_orders_zeros(name: str, element: str) -> None:
    """Single numbers have the order of vectors: NaN if an operand is, and -0 below 0."""
    kind = f"tensor<{element}>"
    rest = ", %x" if name == "clamp" else ""
    function = sm.compile(
        f"func.func @main(%x: {kind}, %y: {kind}) -> {kind} {{\n"
        f"  %0 = stablehlo.{name} %x, %y{rest} : {kind}\n  return %0 : {kind}\n}}"
    )
    dtype = np.float32 if element == "f32" else np.float64
    for x, y in product(SPECIAL, repeat=2):
        first, second = dtype(x), dtype(y)
        found = np.asarray(function(first, second))
        is_larger = (first, np.signbit(second)) > (second, np.signbit(first))
        if np.isnan(x) or np.isnan(y):
            assert np.isnan(found), (x, y)
        else:
            expected = first if name == "clamp" or is_larger == (name == "maximum") else second
            assert found.tobytes() == expected.tobytes(), (x, y)

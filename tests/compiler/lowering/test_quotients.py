"""Quotients by numbers that are known: those of the division, bit by bit."""

from __future__ import annotations

from math import frexp
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.compiler.lowering.quotients import LARGEST_REST, hard_dividends, reciprocal

Array = npt.NDArray[Any]
DIVISORS = [float(x) for x in np.float32([1 / 3, 0.1, 0.0365723446, 3.0, 7.0, 1e9, 1e-9, 255.0])]
DIVIDENDS = np.arange(1 << 23, 1 << 24)
SPECIAL = [0.0, 1.0, 0.25, 1e-45, 1e-38, 1e38, 2.0**126, 2.0**-126, np.inf, np.nan, -0.3]


def divisors() -> list[float]:
    """Some divisors that have a reciprocal of two floats."""
    drawn = np.random.default_rng(0).uniform(1e-4, 10, 20).astype(np.float32)
    return [x for x in (*DIVISORS, *map(float, drawn)) if reciprocal(x) is not None]


def test_nearly_all_divisors_have_a_reciprocal_of_two_floats() -> None:
    drawn = np.random.default_rng(1).uniform(1e-3, 0.1, 300).astype(np.float32)
    assert sum(reciprocal(float(x)) is not None for x in drawn) > 270
    assert len(divisors()) > 20


@pytest.mark.parametrize("divisor", divisors()[::4])
def test_all_dividends_have_the_quotient_of_the_division(divisor: float) -> None:
    high, low = map(np.float32, reciprocal(divisor) or ())
    dividends = DIVIDENDS.astype(np.float32)
    products = dividends.astype(np.float64) * float(high) + (dividends * low).astype(np.float64)
    assert np.array_equal(products.astype(np.float32), dividends / np.float32(divisor))


@pytest.mark.parametrize("divisor", DIVISORS)
def test_hard_dividends_are_all_whose_quotients_are_near_the_middle_of_two_floats(
    divisor: float,
) -> None:
    whole = int(frexp(divisor)[0] * 2**24)
    expected: set[int] = set()
    for shift in (24, 25):
        rests = (DIVIDENDS << shift) % (2 * whole) - whole  # from the nearest odd multiple
        expected |= {*DIVIDENDS[np.abs(rests) <= LARGEST_REST].tolist()}
    assert {*hard_dividends(divisor)} == expected


@pytest.mark.parametrize("divisor", [*DIVISORS, *SPECIAL, 0.0015407457249239087])
def test_rounded_quotients_are_those_of_the_division(divisor: float) -> None:
    """Also of numbers in the middle of two integers, and those that are not finite."""
    with np.errstate(over="ignore"):
        middles = ((np.arange(-300, 300) + 0.5) * divisor).astype(np.float32)
    sides = [np.nextafter(middles, np.float32(side)) for side in (-np.inf, np.inf)]
    random = np.random.default_rng(0)
    bits = random.integers(0, 1 << 32, 3000, np.uint32).view(np.float32)
    values = np.concatenate(
        [middles, *sides, bits, np.float32([0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45])]
    )
    size = f"tensor<{len(values)}xf32>"
    number = f"0x{int(np.float32(divisor).view(np.uint32)):08X}"
    text = f"""func.func @main(%x: {size}) -> {size} {{
  %c = stablehlo.constant dense<{number}> : {size}
  %0 = stablehlo.divide %x, %c : {size}
  %1 = stablehlo.round_nearest_even %0 : {size}
  return %1 : {size}
}}"""
    executable = sm.compile(sm.load(text))
    with np.errstate(all="ignore"):
        expected = np.rint(values / np.float32(divisor))
    result = np.asarray(executable(values))
    assert np.array_equal(result, expected, equal_nan=True)
    zeros = result == 0
    assert np.array_equal(np.signbit(result[zeros]), np.signbit(expected[zeros]))
    if divisor in divisors():
        assert "fdiv" not in executable.emit("nest")


CHAINS = {
    # what is divided, by the types of the argument; whether a division is left
    "pixels": ("ui8", "%0 = stablehlo.convert %x : ({t}) -> {f}", False),
    "differences of pixels": (
        "ui8",
        "%a = stablehlo.convert %x : ({t}) -> {f}\n"
        "%c = stablehlo.constant dense<255.0> : {f}\n"
        "%d = stablehlo.constant dense<0.45> : {f}\n"
        "%b = stablehlo.divide %a, %c : {f}\n"
        "%0 = stablehlo.subtract %b, %d : {f}",
        False,
    ),
    "largest of two": (
        "i16",
        "%a = stablehlo.convert %x : ({t}) -> {f}\n"
        "%b = stablehlo.negate %a : {f}\n"
        "%c = stablehlo.constant dense<0.1> : {f}\n"
        "%d = stablehlo.multiply %b, %c : {f}\n"
        "%0 = stablehlo.maximum %a, %d : {f}",
        False,
    ),
    "halves": ("f16", "%0 = stablehlo.convert %x : ({t}) -> {f}", False),
    "floats": ("f32", "%0 = stablehlo.abs %x : {f}", True),
    "tiny numbers": (
        "ui8",
        "%a = stablehlo.convert %x : ({t}) -> {f}\n"
        "%c = stablehlo.constant dense<1.0e-37> : {f}\n"
        "%0 = stablehlo.multiply %a, %c : {f}",
        True,
    ),
}


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("divisor", [0.22, 3.0, 255.0, 1e9])
def test_quotients_that_are_not_subnormal_take_no_division(name: str, divisor: float) -> None:
    element, body, divides = CHAINS[name]
    every = np.arange(1 << 16, dtype=np.uint16)
    values = {
        "ui8": np.arange(256, dtype=np.uint8),
        "i16": every.view(np.int16),
        "f16": every.view(np.float16),
        "f32": (every.astype(np.uint32) << 16 | every).view(np.float32),
    }[element]
    t, f = (f"tensor<{values.size}x{kind}>" for kind in (element, "f32"))
    text = f"""func.func @main(%x: {t}) -> {f} {{
      {body.format(t=t, f=f)}
      %divisor = stablehlo.constant dense<{divisor}> : {f}
      %1 = stablehlo.divide %0, %divisor : {f}
      return %1 : {f}
    }}"""
    module = sm.parse(text)
    compiled = sm.compile(module)
    result, expected = compiled(values), module.run(values, backend="interpreter")
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(result), ~numbers)
    np.testing.assert_array_equal(
        result[numbers].view(np.uint32), np.asarray(expected)[numbers].view(np.uint32)
    )
    assert ("fdiv" in compiled.emit("nest")) is divides

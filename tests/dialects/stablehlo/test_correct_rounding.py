"""Results of f32 that are nearly half way between two floats are rounded to the right side.

The operands are some of those at which the functions, computed in 64 bits and rounded, are wrong;
mpmath says what is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import mpmath
import numpy as np
import pytest

import stablemate as sm
from tools.accuracy.exact import CHLO, STABLEHLO

HARD: Final[Mapping[str, tuple[str, ...]]] = {
    "acos": ("0x1.04c446p-12",),
    "atan": ("0x1.1ad646p-4",),
    "bessel_i1e": ("0x1.8p-148", "0x1.cp-147", "-0x1.4p-147"),
    "log": ("0x1.827a74p-7", "0x1.2f1fd6p+3", "0x1.bacb4ap+25", "0x1.b121a6p+76"),
    "log_plus_one": ("0x1.fb035ap-2", "0x1.0f1fd6p+3", "-0x1.1d9188p-9"),
    "logistic": ("0x1.8p-22", "0x1.cp-21", "0x1.6p-20", "0x1.ep-20"),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_operands_are_rounded_correctly(name: str) -> None:
    operand = np.array([float.fromhex(text) for text in HARD[name]], np.float32)
    results = applied(name, operand)
    with mpmath.workprec(200):
        for x, result in zip(operand, results, strict=True):
            exact = (STABLEHLO | CHLO)[name](mpmath.mpf(float(x)))
            assert is_nearest(result, exact)


def is_nearest(result: Any, exact: Any) -> bool:
    """Whether no other float is as near to a number of mpmath."""
    distance = abs(mpmath.mpf(float(result)) - exact)
    neighbors = (np.nextafter(result, np.inf), np.nextafter(result, -np.inf))
    return all(distance < abs(mpmath.mpf(float(beside)) - exact) for beside in neighbors)


def test_quotients_half_way_between_denormal_numbers_are_angles_that_are_less() -> None:
    """The angle is t - t^3 / 3, and t a tie that 64 bits hold."""
    y = np.array([3, 7, -5], np.float32) * np.float32(2.0**-140)
    x = np.full(3, 2.0**10, np.float32)
    expected = np.array([1, 3, -2], np.float32) * np.float32(2.0**-149)
    assert applied("atan2", y, x).tolist() == expected.tolist()


def test_powers_half_way_between_two_floats_are_rounded_to_even() -> None:
    """4097^2 = 16785409, 4099^2 = 16801801, 257^3 = 16974593; floats there are even numbers."""
    base = np.array([4097, 4099, 66049, -257], np.float32)
    exponent = np.array([2, 2, 1.5, 3], np.float32)
    expected = [16785408.0, 16801800.0, 16974592.0, -16974592.0]
    assert applied("power", base, exponent).tolist() == expected


def test_large_arrays_are_rounded_as_small_ones() -> None:
    hard = np.float32(float.fromhex(HARD["atan"][0]))
    operand = np.linspace(-3, 3, 20011, dtype=np.float32)
    operand[17000] = hard
    results = applied("atan", operand)
    assert results[17000] == applied("atan", np.array([hard]))[0]
    assert results[:50].tolist() == applied("atan", operand[:50]).tolist()


def test_a_scalar_is_rounded_as_in_an_array() -> None:
    operand = np.float32(float.fromhex(HARD["log"][0]))
    text = """
      func.func @main(%a: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.log %a : tensor<f32>
        return %0 : tensor<f32>
      }"""
    result: Any = sm.run(text, operand, backend="interpreter")
    assert np.asarray(result) == applied("log", np.array([operand]))[0]


def applied(name: str, *operands: Any) -> Any:
    """What the interpreter gives."""
    tensor = f"tensor<{operands[0].size}xf32>"
    names = ", ".join(f"%a{i}" for i in range(len(operands)))
    arguments = ", ".join(f"%a{i}: {tensor}" for i in range(len(operands)))
    types = f"({', '.join([tensor] * len(operands))}) -> {tensor}"
    dialect = "stablehlo" if name in STABLEHLO else "chlo"
    text = f"""
      func.func @main({arguments}) -> {tensor} {{
        %0 = "{dialect}.{name}"({names}) : {types}
        return %0 : {tensor}
      }}"""
    return np.asarray(sm.run(text, *operands, backend="interpreter"))

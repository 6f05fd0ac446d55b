"""Results of f32 that are nearly half way between two floats are rounded to the right side.

The operands are some of those at which the functions of NumPy, computed in 64 bits
and rounded, are wrong; mpmath says what is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import mpmath
import numpy as np
import pytest

import stablemate as sm
from tools.accuracy.exact import STABLEHLO

HARD: Final[Mapping[str, tuple[str, ...]]] = {
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
            exact = STABLEHLO[name](mpmath.mpf(float(x)))
            distance = abs(mpmath.mpf(float(result)) - exact)
            for beside in (np.nextafter(result, np.inf), np.nextafter(result, -np.inf)):
                assert distance < abs(mpmath.mpf(float(beside)) - exact)


def test_a_scalar_is_rounded_as_in_an_array() -> None:
    operand = np.float32(float.fromhex(HARD["log"][0]))
    text = """
      func.func @main(%a: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.log %a : tensor<f32>
        return %0 : tensor<f32>
      }"""
    result: Any = sm.run(text, operand, backend="interpreter")
    assert np.asarray(result) == applied("log", np.array([operand]))[0]


def applied(name: str, operand: Any) -> Any:
    """What the interpreter gives."""
    tensor = f"tensor<{operand.size}xf32>"
    text = f"""
      func.func @main(%a: {tensor}) -> {tensor} {{
        %0 = stablehlo.{name} %a : {tensor}
        return %0 : {tensor}
      }}"""
    return np.asarray(sm.run(text, operand, backend="interpreter"))

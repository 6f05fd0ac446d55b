"""Conversions of floats to integers in native code: towards zero, saturating, 0 for NaN."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.numerics.elements import SIMPLE_ELEMENTS, IntegerType

FLOATS: Final = ("f32", "f64")
INTEGERS: Final = ("i4", "ui4", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64")


def edges(dtype: Any) -> npt.NDArray[Any]:
    """Numbers about the limits of all integers, with their neighbors; infinities and NaN."""
    powers = [sign * 2.0**n for n in (3, 4, 7, 8, 15, 16, 31, 32, 63, 64) for sign in (-1, 1)]
    near = [np.add(power, (-1.5, -1, -0.5, 0, 0.5, 1)) for power in (0.0, *powers)]
    numbers = np.concatenate([*near, [np.nan, np.inf, -np.inf, -0.0, 1e30, -1e30]]).astype(dtype)
    beside = [np.nextafter(numbers, dtype(direction)) for direction in (np.inf, -np.inf)]
    return np.concatenate([numbers, *beside])


def expected(number: float, low: int, high: int) -> int:
    """The integer, by Python's arithmetic."""
    if np.isnan(number):
        return 0
    if np.isinf(number):
        return low if number < 0 else high
    return min(max(int(number), low), high)


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", FLOATS)
def test_saturates(source: str, target: str) -> None:
    numbers = edges({"f32": np.float32, "f64": np.float64}[source])
    size, element = len(numbers), SIMPLE_ELEMENTS[target]
    program = sm.load(f"""
        func.func @main(%x: tensor<{size}x{source}>) -> tensor<{size}x{target}> {{
          %0 = stablehlo.convert %x : (tensor<{size}x{source}>) -> tensor<{size}x{target}>
          return %0 : tensor<{size}x{target}>
        }}""")
    result = np.asarray(sm.compile(program)(numbers))
    assert isinstance(element, IntegerType)
    assert result.tolist() == [expected(x, element.minimum, element.maximum) for x in numbers]

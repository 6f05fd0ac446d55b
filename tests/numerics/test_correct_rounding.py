"""The rounding test, and functions in many digits, against mpmath."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pytest

from stablemate.numerics.correct_rounding import ziv_rounding
from stablemate.numerics.correct_rounding.exact_functions import EXACT
from stablemate.numerics.elements import F32, SIMPLE_ELEMENTS
from tools.accuracy.exact import CHLO, STABLEHLO, exactly

UNIT: Final = (-0.75, 0.3, 1e-40, 0.99999994, -1e-5)
ANY: Final = (-5.5, 0.3, 1.5e-45, 3.9, -0.002)
POINTS: Final[Mapping[str, Any]] = {
    "acos": UNIT,
    "acosh": (1.0000001, 1.5, 1e30),
    "asin": UNIT,
    "asinh": (*ANY, 1e30),
    "atan": (*ANY, 1e30),
    "atan2": ((1e-30, 3.0), (3.0, -4.0), (-1e-30, -1.0), (2.5, 0.0), (1.5e-45, 7.0)),
    "atanh": UNIT,
    "bessel_i1e": (*ANY, -(2.0**-126), 2.0**-61, -(2.0**-59), 200.0, 300.0, 3e38),
    "cosh": (*ANY, 80.0),
    "digamma": (*ANY, 1.4616321, -0.504083, 70000.25, -3000.25),
    "erf": ANY,
    "erf_inv": UNIT,
    "erfc": (*ANY, 10.0),
    "lgamma": (*ANY, 1.0000001, -2.457025, 1e6, -3000.25),
    "polygamma": ((1.0, 0.5), (3.0, -2.25), (20.0, 3.0), (300.0, 350.0)),
    "power": ((1.5, 2.5), (-2.5, 3.0), (1.0000001, 1e6), (3.0, -40.0)),
    "sinh": (*ANY, 80.0),
    "zeta": ((2.0, 1e-20), (30.0, 1e6), (3.0, -5.25), (1.0001, 0.3), (900.0, 0.9)),
}


def test_every_function_has_points() -> None:
    assert POINTS.keys() == EXACT.keys()


@pytest.mark.parametrize("name", POINTS)
def test_results_in_many_digits_are_rounded_to_odd(name: str) -> None:
    operands = np.array(POINTS[name], np.float32).reshape(len(POINTS[name]), -1).astype(np.float64)
    function = (STABLEHLO if name in STABLEHLO else CHLO)[name]
    results = EXACT[name](*operands.T)
    for result, row in zip(results, operands, strict=True):
        exact = exactly(function, *row)[0]
        nearest = float(exact)
        beyond = float(np.nextafter(nearest, np.inf if exact > nearest else -np.inf))
        odd = [end for end in (nearest, beyond) if np.float64(end).view(np.int64) & 1]
        assert exact == nearest or [result] == odd


def test_powers_that_are_half_way_between_two_floats_are_exact() -> None:
    base = np.array([4097.0, 4099.0, -257.0, 66049.0, 3.0, 1.5])
    exponent = np.array([2.0, 2.0, 3.0, 1.5, 15.0, 40.0])
    results = EXACT["power"](base, exponent)
    assert results[:5].tolist() == [4097.0**2, 4099.0**2, -(257.0**3), 257.0**3, 3.0**15]
    assert results[5].view(np.int64) & 1  # 64 bits do not hold it


@pytest.mark.parametrize("element", ["f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"])
def test_results_that_are_open_are_computed_again(element: str) -> None:
    """They are ties in 64 bits; exact results are on both sides, also of denormal numbers."""
    kind = SIMPLE_ELEMENTS[element]
    smallest = ziv_rounding.smallest_normal(kind)
    unit = 2.0 ** (1 - kind.precision)
    below = smallest * unit * np.array([1.5, 0.5])
    ties = np.array([1 + unit / 2, (2 - unit / 2) * 8, *below])
    for side in (-1.0, 1.0):

        def beside(x: Any, end: float = side * np.inf) -> Any:
            return np.nextafter(x, end)

        function = ziv_rounding.correctly_rounded(lambda x: x, beside, kind, 1)
        expected = ziv_rounding.narrow_float64(beside(ties), kind)
        assert function(ties).tobytes() == expected.tobytes()


def test_results_that_are_not_open_stay() -> None:
    def fails(*_: Any) -> Any:
        raise AssertionError

    values = np.array([1.0, -3.0, 0.0, np.inf, np.nan, 1e-44, 1 + 2.0**-24 + 2.0**-40])
    function = ziv_rounding.correctly_rounded(lambda x: x, fails, F32, 16)
    assert function(values).tobytes() == values.astype(np.float32).tobytes()

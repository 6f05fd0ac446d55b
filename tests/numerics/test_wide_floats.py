"""Formats that NumPy has no type for: fields and rounding as in IEEE 754, worked out by hand."""

from __future__ import annotations

import math
from typing import Final

import pytest

from stablemate.numerics.elements import FloatType
from stablemate.numerics.wide_floats import (
    bits_of_double,
    double_of_bits,
    normalize_bits,
    wide_float_text,
)

TF32, F80, F128 = (FloatType(name) for name in ("tf32", "f80", "f128"))
ONE: Final = {"tf32": 0x7F << 10, "f80": 0x3FFF << 64 | 1 << 63, "f128": 0x3FFF << 112}


@pytest.mark.parametrize("element", [TF32, F80, F128], ids=str)
def test_powers_of_two_have_no_fraction(element: FloatType) -> None:
    step = 1 << (64 if element == F80 else element.precision - 1)  # one in the exponent field
    for power in (-100, -1, 0, 1, 100):
        assert bits_of_double(2.0**power, element) == ONE[element.name] + power * step
    assert bits_of_double(-1.0, element) == 1 << (element.bits - 1) | ONE[element.name]
    assert bits_of_double(0.0, element) == 0
    assert bits_of_double(-0.0, element) == 1 << (element.bits - 1)


def test_f64_are_exact_in_f80_and_f128() -> None:
    fraction = 0x921FB54442D18  # of pi, 52 bits
    assert bits_of_double(math.pi, F128) == 0x4000 << 112 | fraction << 60
    assert bits_of_double(math.pi, F80) == 0x4000 << 64 | (1 << 52 | fraction) << 11
    assert bits_of_double(2.0**-1074, F128) == (0x3FFF - 1074) << 112  # no denormal there


def test_tf32_rounds_to_the_nearest_and_ties_to_even() -> None:
    one, ulp = ONE["tf32"], 2.0**-10
    assert bits_of_double(1 + ulp / 2, TF32) == one
    assert bits_of_double(1 + ulp / 2 + 2.0**-40, TF32) == one + 1
    assert bits_of_double(1 + 3 * ulp / 2, TF32) == one + 2
    assert bits_of_double(2 - ulp / 4, TF32) == one + (1 << 10)
    assert bits_of_double(2.0**-136, TF32) == 1  # the smallest denormal
    assert bits_of_double(2.0**-137, TF32) == 0
    assert bits_of_double(2.0**128, TF32) == bits_of_double(math.inf, TF32) == 0xFF << 10


def test_patterns_of_f80_that_no_operation_produces() -> None:
    leading = 1 << 63
    assert normalize_bits(0x3FFF << 64 | 5, F80) == 0x7FFF << 64 | 5
    assert normalize_bits(leading | 5, F80) == 1 << 64 | leading | 5
    assert normalize_bits(5, F80) == 5
    assert normalize_bits(0x7FFF << 64 | leading, F80) == 0x7FFF << 64 | leading


def test_texts() -> None:
    assert wide_float_text(ONE["f128"], F128) == "1.000000e+00"
    assert wide_float_text(1 << 127, F128) == "-0.000000e+00"
    assert wide_float_text(0x7FFF << 112, F128) == f"0x7FFF{'0' * 28}"
    assert wide_float_text(bits_of_double(0.1, F80), F80) == "0.100000000000000005551"
    assert wide_float_text(bits_of_double(1234567.0, F128), F128).startswith("0x4013")


@pytest.mark.parametrize("element", [TF32, F80, F128], ids=str)
def test_numbers_that_doubles_hold_come_back(element: FloatType) -> None:
    for value in (0.0, -0.0, 1.0, -1.5, 2.0**-100, math.inf, -math.inf):
        back = double_of_bits(bits_of_double(value, element), element)
        assert back == value
        assert back is not None
        assert math.copysign(1, back) == math.copysign(1, value)


def test_numbers_that_no_double_equals() -> None:
    assert double_of_bits(ONE["f80"] + 1, F80) is None  # 1 + 2**-63
    assert double_of_bits(ONE["f128"] + 1, F128) is None
    assert double_of_bits(0x7FFE << 112, F128) is None  # 2**16383
    nan = double_of_bits(0x7FFF << 64 | 3 << 62, F80)
    assert nan is not None
    assert math.isnan(nan)

"""Floating-point texts, one example per branch of the algorithm and per format."""

import numpy as np
import pytest

from stablemate.numerics.elements import FLOAT_STORAGE, FloatType
from stablemate.numerics.float_text import format_float, format_floats

# Printed by jaxlib 0.10.2 for the constants with these bits.
TEXTS: dict[str, dict[int, str]] = {
    "f32": {
        0x00000000: "0.000000e+00",
        0x80000000: "-0.000000e+00",
        0x3F800000: "1.000000e+00",
        0xBFC00000: "-1.500000e+00",
        0x3DCCCCCD: "1.000000e-01",  # not exact, but the six digits read back
        0x47C35000: "1.000000e+05",
        0x501502F9: "1.000000e+10",
        0x40490FDB: "3.14159274",  # digits and point
        0xBEAAAAAB: "-0.333333343",
        0x3AA1D139: "0.00123456784",  # the smallest power of ten with the point in place
        0x3901742E: "1.2345679E-4",  # one below
        0x461C3FFF: "9999.99902",  # 9999.9990234, cut after nine digits
        0x4B800000: "0x4B800000",  # would be 16777216
        0x4996B438: "0x4996B438",  # would be 1234567
        0x4CEB79A3: "0x4CEB79A3",  # nine digits, would be 123456792
        0x4E932BFF: "1.23456704E+9",  # more than nine digits with the zeros
        0x7F7FFFFF: "3.40282347E+38",  # largest
        0x00800000: "1.17549435E-38",  # smallest normal
        0x00000001: "1.401300e-45",  # smallest; six digits are enough for few bits
        0x00000003: "4.203900e-45",
        0x007FFFFF: "1.17549421E-38",  # largest subnormal
        0x0B9BC4D7: "6.0E-32",  # one digit of the long form
        0x233877AA: "1.000000e-17",  # 9.99999984e-18 rounds up to another digit
        0xC996B438: "0xC996B438",
        0x7F800000: "0x7F800000",
        0xFF800000: "0xFF800000",
        0x7FC00000: "0x7FC00000",
        0xFFC00001: "0xFFC00001",
        0x7F800001: "0x7F800001",
    },
    "f64": {
        0x0000000000000000: "0.000000e+00",
        0x8000000000000000: "-0.000000e+00",
        0x3FF0000000000000: "1.000000e+00",
        0x3FB999999999999A: "1.000000e-01",
        0x3FEFEF9DB22D0E56: "0.998",  # six digits are cut to 0.997999
        0x3FD5555555555555: "0.33333333333333331",
        0xC00921FB54442D18: "-3.1415926535897931",
        0x3F543A272D9E0D4B: "0.0012345678901233999",
        0x3F202E85BE180AA3: "1.2345678901234001E-4",
        0x4480F0CF064DD592: "1.000000e+22",
        0x44B52D02C7E14AF6: "9.9999999999999991E+22",
        0x419D6F3454000000: "0x419D6F3454000000",
        0x4340000000000000: "0x4340000000000000",
        0x43B0000000000000: "1.152921504606847E+18",  # 16 digits and three zeros, more than 17
        0x43B12210F4768DB4: "1.23456789E+18",  # nine digits and ten zeros
        0x7FEFFFFFFFFFFFFF: "1.7976931348623157E+308",
        0x0010000000000000: "2.2250738585072014E-308",
        0x0000000000000001: "4.940660e-324",
        0x000FFFFFFFFFFFFF: "2.2250738585072009E-308",
        0x0D7B4FEB7EB212CD: "1.0E-243",  # rounds up to another digit
        0x009C16C5C5253575: "1.000000e-305",
        0x42A2309CE53FFFFF: "9999999999999.998",
        0x7FF0000000000000: "0x7FF0000000000000",
        0xFFF0000000000000: "0xFFF0000000000000",
        0x7FF8000000000000: "0x7FF8000000000000",
        0xFFF0000000000001: "0xFFF0000000000001",
    },
    "f16": {
        0x0000: "0.000000e+00",
        0x8000: "-0.000000e+00",
        0x3C00: "1.000000e+00",
        0xBE00: "-1.500000e+00",
        0x0001: "5.960460e-08",
        0x03FF: "6.097560e-05",
        0x0400: "6.103520e-05",
        0x7BFF: "6.550400e+04",
        0x2E66: "9.997550e-02",
        0x7C00: "0x7C00",
        0xFC00: "0xFC00",
        0x7E00: "0x7E00",
        0xFE01: "0xFE01",
    },
    "bf16": {
        0x0000: "0.000000e+00",
        0x8000: "-0.000000e+00",
        0x3F80: "1.000000e+00",
        0x4049: "3.140630e+00",
        0x0001: "9.183550e-41",
        0x007F: "1.166310e-38",
        0x0080: "1.175490e-38",
        0x7F7F: "3.389530e+38",
        0x3DCD: "1.000980e-01",
        0xFF80: "0xFF80",
        0x7FC0: "0x7FC0",
        0x7F81: "0x7F81",
    },
    "f8E5M2": {
        0x80: "-0.000000e+00",
        0x01: "1.525880e-05",
        0x04: "6.103520e-05",
        0x3E: "1.500000e+00",
        0x7B: "5.734400e+04",
        0x7C: "0x7C",
        0xFC: "0xFC",
        0x7E: "0x7E",
        0xFF: "0xFF",
    },
    "f8E4M3": {
        0x80: "-0.000000e+00",
        0x01: "1.953130e-03",  # 1.953125e-03, rounded half up
        0x08: "1.562500e-02",
        0x3C: "1.500000e+00",
        0x77: "2.400000e+02",
        0x78: "0x78",
        0xF8: "0xF8",
        0x7C: "0x7C",
        0xF9: "0xF9",
    },
    "f8E4M3FN": {
        0x80: "-0.000000e+00",
        0x01: "1.953130e-03",  # 1.953125e-03, rounded half up
        0x05: "9.765620e-03",  # 9.765625e-03, seven digits, cut
        0x08: "1.562500e-02",
        0x7E: "4.480000e+02",
        0xFE: "-4.480000e+02",
        0x7F: "0x7F",
        0xFF: "0xFF",
    },
    "f8E5M2FNUZ": {
        0x00: "0.000000e+00",
        0x01: "7.629390e-06",
        0x04: "3.051760e-05",
        0x7F: "5.734400e+04",
        0xFF: "-5.734400e+04",
        0x80: "0x80",
    },
    "f8E4M3FNUZ": {
        0x00: "0.000000e+00",
        0x01: "9.765620e-04",
        0x08: "7.812500e-03",
        0x7F: "2.400000e+02",
        0xFF: "-2.400000e+02",
        0x80: "0x80",
    },
    "f8E4M3B11FNUZ": {
        0x00: "0.000000e+00",
        0x01: "1.220700e-04",
        0x08: "9.765620e-04",
        0x7F: "3.000000e+01",
        0xFF: "-3.000000e+01",
        0x80: "0x80",
    },
    "f8E3M4": {
        0x80: "-0.000000e+00",
        0x01: "1.562500e-02",
        0x10: "2.500000e-01",
        0x6F: "1.550000e+01",
        0x70: "0x70",
        0xF0: "0xF0",
        0x78: "0x78",
        0xF1: "0xF1",
    },
    "f8E8M0FNU": {
        0x00: "5.877470e-39",
        0x01: "1.175490e-38",
        0x7F: "1.000000e+00",
        0x80: "2.000000e+00",
        0xFE: "1.701410e+38",
        0xFF: "0xFF",
    },
    "f6E2M3FN": {
        0x00: "0.000000e+00",
        0x01: "1.250000e-01",
        0x08: "1.000000e+00",
        0x1F: "7.500000e+00",
        0x20: "-0.000000e+00",
        0x3F: "-7.500000e+00",
    },
    "f6E3M2FN": {
        0x00: "0.000000e+00",
        0x01: "6.250000e-02",
        0x04: "2.500000e-01",
        0x1F: "2.800000e+01",
        0x20: "-0.000000e+00",
        0x3F: "-2.800000e+01",
    },
    "f4E2M1FN": {
        0x0: "0.000000e+00",
        0x1: "5.000000e-01",
        0x3: "1.500000e+00",
        0x7: "6.000000e+00",
        0x8: "-0.000000e+00",
        0xF: "-6.000000e+00",
    },
}


@pytest.mark.parametrize("element_type", TEXTS)
def test_floats_print_as_in_mlir(element_type):
    dtype = FloatType(element_type).dtype
    expected = TEXTS[element_type]
    values = np.array(list(expected), f"u{dtype.itemsize}").view(dtype)
    assert format_floats(values) == list(expected.values())
    assert [format_float(value, dtype) for value in values] == list(expected.values())


def test_every_format_has_examples():
    assert TEXTS.keys() == FLOAT_STORAGE.keys()


def test_python_numbers_are_rounded_to_the_format():
    assert format_float(0.1, np.float64) == "1.000000e-01"
    assert format_float(0.1, np.float16) == "9.997550e-02"
    assert format_float(3.14159265, np.float32) == "3.14159274"
    assert format_float(-np.inf, np.float32) == "0xFF800000"


def test_texts_come_in_row_major_order():
    rows = np.array([[1, 2], [3, 1]], np.float32)
    one, two, three = "1.000000e+00", "2.000000e+00", "3.000000e+00"
    assert format_floats(rows) == [one, two, three, one]
    assert format_floats(rows.T) == [one, three, two, one]


def test_scalars_and_empty_arrays_have_texts():
    assert format_floats(np.array(1, np.float32)) == ["1.000000e+00"]
    assert format_floats(np.empty((0, 3), np.float32)) == []

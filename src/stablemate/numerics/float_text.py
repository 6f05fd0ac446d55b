"""Floating-point numbers as MLIR prints them, bit for bit.

A finite number is printed with six significant digits (``1.500000e+00``) if these read back as the
same number; else with enough digits for its format (``3.14159274``, ``1.0E+22``), or as its bits in
hex if those digits would read as an integer. Six digits always read back in formats of 16 bits and
less, so only f32 and f64 have a long form. Infinities and NaNs are printed as their bits.

Source: LLVM, ``APFloat::toString``; MLIR, ``printFloatValue`` of the assembly printer.
"""

from __future__ import annotations

import math
import struct
from itertools import accumulate, repeat
from operator import mul
from typing import Any, Final

import numpy as np
import numpy.typing as npt

SHORT_DIGITS: Final = 6  # of MLIR's short form, %.6g
# Most digits of the long form, and the smallest normal number, by bytes of the format.
LONG_DIGITS: Final = {4: 9, 8: 17}
SMALLEST_NORMAL: Final = {4: 2.0**-126, 8: 2.0**-1022}
# Most zeros that the long form puts between its digits and the point.
MAXIMUM_PADDING: Final = 3
# As far as numbers down to the smallest f64, 2**-1074, need them.
POWERS_OF_FIVE: Final = tuple(accumulate(repeat(5, 1074), mul, initial=1))
POWERS_OF_TEN: Final = tuple(accumulate(repeat(10, 760), mul, initial=1))
SINGLE: Final = struct.Struct("f")


def format_float(value: float | np.floating[Any], dtype: npt.DTypeLike) -> str:
    """The text of a number in the format of a NumPy or ml_dtypes type.

    Args:
        value: The number; rounded to ``dtype`` if it has another type.
        dtype: A floating-point type.
    """
    return format_floats(np.asarray(value, dtype))[0]


def format_floats(array: npt.NDArray[Any]) -> list[str]:
    """The texts of all elements of a floating-point array, in row-major order."""
    size = array.dtype.itemsize
    elements = np.ascontiguousarray(array).reshape(-1)
    patterns: list[int] = elements.view(f"u{size}").tolist()
    with np.errstate(invalid="ignore"):  # a signaling NaN
        values: list[float] = elements.astype(np.float64).tolist()
    texts: dict[int, str] = {}
    for pattern, value in zip(patterns, values, strict=True):
        if pattern not in texts:
            texts[pattern] = text_of(value, pattern, size)
    return [texts[pattern] for pattern in patterns]


def text_of(value: float, pattern: int, size: int) -> str:
    """The text of a number with these bits in a format of ``size`` bytes."""
    if not math.isfinite(value):
        return f"0x{pattern:X}"
    if value == 0:
        return "-0.000000e+00" if pattern else "0.000000e+00"
    sign = "-" if value < 0 else ""
    magnitude = abs(value)
    significand, exponent = decimal_scaled(magnitude)
    if size not in LONG_DIGITS:
        return sign + short_form(*rounded_digits(significand, exponent, SHORT_DIGITS))
    digits, first = rounded_digits(significand, exponent, LONG_DIGITS[size])
    if may_be_short(digits) or magnitude < SMALLEST_NORMAL[size]:
        short = short_form(*rounded_digits(significand, exponent, SHORT_DIGITS))
        if rounded_to(float(short), size) == magnitude:
            return sign + short
    long = long_form(digits, first, LONG_DIGITS[size])
    return sign + long if long else f"0x{pattern:X}"


def may_be_short(digits: str) -> bool:
    """Whether the first six digits may read back as the normal number that all digits denote.

    Only a number that differs by less than one unit of the seventh digit reads back as it.
    """
    return not "1" <= digits[SHORT_DIGITS : SHORT_DIGITS + 1] < "9"


def decimal_scaled(magnitude: float) -> tuple[int, int]:
    """Integers ``s`` and ``e`` with magnitude = s * 10**e, for the largest e <= 0 that has them."""
    numerator, denominator = magnitude.as_integer_ratio()
    places = denominator.bit_length() - 1
    return numerator * POWERS_OF_FIVE[places], -places


def rounded_digits(significand: int, exponent: int, limit: int) -> tuple[str, int]:
    """At most ``limit`` digits of significand * 10**exponent, and the exponent of the first one.

    Not the nearest decimal number: digits that exceed an estimate from the number of bits are cut
    off; only what remains beyond the limit is rounded, halves up.
    """
    # 196 / 59 and 59 / 196 are about log2(10) and log10(2).
    excess = significand.bit_length() - (196 * limit + 58) // 59
    cut = excess * 59 // 196 if excess > 0 else 0
    significant = significand // power_of_ten(cut)
    digits = str(significant)
    exponent += cut + len(digits) - 1
    if len(digits) > limit:
        unit = POWERS_OF_TEN[len(digits) - limit]
        digits = str((significant + unit // 2) // unit)
        exponent += len(digits) - limit  # 999...9 became 1000...0
    return digits.rstrip("0"), exponent


def power_of_ten(exponent: int) -> int:
    """10**exponent, from a table as far as numbers of f64 need it."""
    return POWERS_OF_TEN[exponent] if exponent < len(POWERS_OF_TEN) else 10**exponent


def rounded_to(value: float, size: int) -> float:
    """The f64 rounded to a format of 4 or 8 bytes.

    Reading six digits as f64 and rounding to f32 is the same as reading them as f32: no decimal
    number of six digits is so near to the middle of two f32 that rounding twice differs.
    """
    single: float = SINGLE.unpack(SINGLE.pack(value))[0] if size == SINGLE.size else value
    return single


def short_form(digits: str, exponent: int) -> str:
    """Six digits after the point, with zeros if fewer are given: ``1.500000e+00``."""
    return f"{digits[0]}.{digits[1:]:0<6}e{exponent:+03d}"


def long_form(digits: str, exponent: int, limit: int) -> str | None:
    """The digits with a point in place (``0.125``) or an exponent (``1.0E+22``).

    None if they would be printed as an integer, which does not read as a float.
    """
    trailing_zeros = exponent - len(digits) + 1
    if 0 <= trailing_zeros <= MAXIMUM_PADDING and len(digits) + trailing_zeros <= limit:
        return None
    if trailing_zeros >= 0 or exponent < -MAXIMUM_PADDING:
        return f"{digits[0]}.{digits[1:] or '0'}E{'+' if exponent >= 0 else ''}{exponent}"
    if exponent < 0:
        return f"0.{digits:0>{len(digits) - exponent - 1}}"
    return f"{digits[: exponent + 1]}.{digits[exponent + 1 :]}"

"""Numbers of ``tf32``, ``f80`` and ``f128``, by their bits: NumPy has no type for these formats.

Source: IEEE 754 for the fields and for rounding; LLVM, ``APFloat::initFromF80LongDoubleAPInt`` for
patterns of ``f80`` that no operation produces.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import FloatType
from stablemate.numerics.float_text import SHORT_DIGITS, long_form, rounded_digits, short_form


@dataclass(frozen=True)
class FloatLayout:
    """Where the fields of a format are.

    Attributes:
        bits: Bits of a number.
        precision: Bits of the significand, the leading one included.
        has_leading_bit: Whether the leading bit of the significand is stored.
    """

    bits: int
    precision: int
    has_leading_bit: bool

    @property
    def fraction_bits(self) -> int:
        """Bits of the significand that are stored."""
        return self.precision if self.has_leading_bit else self.precision - 1

    @property
    def leading_bit(self) -> int:
        """The leading bit of a normal significand."""
        return 1 << (self.precision - 1)

    @property
    def last_exponent(self) -> int:
        """The exponent field of infinities and NaNs."""
        return (1 << (self.bits - 1 - self.fraction_bits)) - 1

    def fields(self, bits: int) -> tuple[int, int, int]:
        """Returns sign, exponent field and fraction."""
        rest, fraction = divmod(bits, 1 << self.fraction_bits)
        return rest >> (self.bits - 1 - self.fraction_bits), rest & self.last_exponent, fraction

    def pack(self, sign: int, exponent: int, fraction: int) -> int:
        """Returns the bits of a number with these fields."""
        stored = fraction & ((1 << self.fraction_bits) - 1)
        return sign << (self.bits - 1) | exponent << self.fraction_bits | stored

    def lowest_place(self, exponent: int) -> int:
        """Returns the power of two of the last bit of a significand with this exponent field."""
        return max(exponent, 1) - self.last_exponent // 2 - (self.precision - 1)


@cache
def layout_of(element: FloatType) -> FloatLayout:
    """Returns the fields of a format."""
    return FloatLayout(element.bits, element.precision, element.name == "f80")


def normalize_bits(bits: int, element: FloatType) -> int:
    """Returns the bits by which a number is stored in attributes.

    A pattern of ``f80`` without the leading bit that its exponent needs is a NaN, and one with a
    leading bit that its exponent does not need is a normal number.
    """
    layout = layout_of(element)
    sign, exponent, fraction = layout.fields(bits)
    if layout.has_leading_bit and bool(exponent) != bool(fraction & layout.leading_bit):
        exponent = layout.last_exponent if exponent else int(fraction >= layout.leading_bit)
    return layout.pack(sign, exponent, fraction)


def bits_of_double(value: float, element: FloatType) -> int:
    """Returns the bits of the number of a format that is nearest to an ``f64``, ties to even."""
    sign = int(math.copysign(1.0, value) < 0)
    layout = layout_of(element)
    if math.isinf(value):
        return layout.pack(sign, layout.last_exponent, layout.leading_bit)
    return rounded_bits(sign, abs(Fraction(value)), layout)


def rounded_bits(sign: int, magnitude: Fraction, layout: FloatLayout) -> int:
    """Returns the bits of the number nearest to a sign and a magnitude, ties to even."""
    if not magnitude:
        return layout.pack(sign, 0, 0)
    top = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    top -= magnitude < Fraction(2) ** top
    place = max(top - (layout.precision - 1), layout.lowest_place(0))
    significand = round(magnitude / Fraction(2) ** place)
    if significand == 2 * layout.leading_bit:
        significand, place = layout.leading_bit, place + 1
    exponent = place - layout.lowest_place(1) + 1 if significand >= layout.leading_bit else 0
    if exponent >= layout.last_exponent:
        return layout.pack(sign, layout.last_exponent, layout.leading_bit)
    return layout.pack(sign, exponent, significand)


def double_of_bits(bits: int, element: FloatType) -> float | None:
    """Returns the ``f64`` that equals a number of a format; None if there is none."""
    layout = layout_of(element)
    sign, exponent, fraction = layout.fields(normalize_bits(bits, element))
    infinity = fraction in (0, layout.leading_bit) if layout.has_leading_bit else not fraction
    if exponent == layout.last_exponent:
        return math.copysign(math.inf if infinity else math.nan, -1.0 if sign else 1.0)
    significand = fraction | (layout.leading_bit if exponent else 0)
    exact = Fraction(significand) * Fraction(2) ** layout.lowest_place(exponent)
    try:
        value = float(exact)
    except OverflowError:
        return None
    return math.copysign(value, -1.0 if sign else 1.0) if Fraction(value) == exact else None


def wide_float_text(bits: int, element: FloatType) -> str:
    """Returns the text of a number as MLIR prints it (see ``float_text``)."""
    layout, bits = layout_of(element), normalize_bits(bits, element)
    sign, exponent, fraction = layout.fields(bits)
    if exponent == layout.last_exponent:
        return f"0x{bits:X}"
    if exponent:
        fraction |= layout.leading_bit
    minus = "-" if sign else ""
    if not fraction:
        return f"{minus}0.000000e+00"
    scaled = decimal_scaled(fraction, layout.lowest_place(exponent))
    short = short_form(*rounded_digits(*scaled, SHORT_DIGITS))
    if rounded_bits(sign, Fraction(short), layout) == bits:
        return minus + short
    limit = 2 + layout.precision * 59 // 196  # 59 / 196 is about log10(2)
    long = long_form(*rounded_digits(*scaled, limit), limit)
    return minus + long if long else f"0x{bits:X}"


def decimal_scaled(significand: int, exponent: int) -> tuple[int, int]:
    """Returns ``s`` and ``e``, significand * 2**exponent = s * 10**e, for the largest e <= 0."""
    zeros = (significand & -significand).bit_length() - 1
    significand, exponent = significand >> zeros, exponent + zeros
    if exponent >= 0:
        return significand << exponent, 0
    return significand * 5**-exponent, exponent

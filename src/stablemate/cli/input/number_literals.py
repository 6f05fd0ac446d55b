"""Parses numbers of every element type.

Floats are decimal or hexadecimal, ``nan`` or ``inf``, or in hex without a point or exponent the
bits themselves; complex numbers are ``(1,2)``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NoReturn

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.diagnostics.source import Source, Span
from stablemate.numerics.elements import (
    F64,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
)
from stablemate.numerics.number_text import nan_texts
from stablemate.numerics.rounding import converter

DECIMAL: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")
INFINITY: Final = re.compile(r"[+-]?inf(inity)?\Z", re.IGNORECASE)
NAN: Final = re.compile(r"[+-]?nan\Z", re.IGNORECASE)
HEX_FLOAT: Final = re.compile(r"[+-]?0x[\da-f]*\.?[\da-f]*(p[+-]?\d+)?\Z", re.IGNORECASE)
BITS: Final = re.compile(r"0x[\da-f]+\Z", re.IGNORECASE)
INTEGER: Final = re.compile(r"[+-]?(0x[\da-f]+|\d+)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberToken:
    """A number and its position in the text."""

    text: str
    start: int
    end: int


def reject(source: Source, start: int, end: int, message: str, *notes: str) -> NoReturn:
    """Raises the error that a part of a text is not what is expected."""
    remarks = tuple(Diagnostic(note) for note in notes)
    raise ArgumentValueError(Diagnostic(message, span=Span(source, start, end), notes=remarks))


def array_of_items(source: Source, items: Sequence[NumberToken], element: ElementType) -> Array:
    """The one-dimensional array of numbers in a text."""
    match element:
        case IntegerType() | IndexType():
            values = [integer_number(source, item, element) for item in items]
            return np.array(values, np.int64 if element.minimum < 0 else np.uint64).astype(
                element.dtype
            )
        case FloatType():
            return floats(source, items, element)
        case ComplexType(element=FloatType() as part):
            parts = [complex_part for item in items for complex_part in complex_parts(source, item)]
            return floats(source, parts, part).view(element.dtype)
        case _:
            raise ArgumentTypeError(f"no array holds elements of type {element}")


def integer_number(source: Source, item: NumberToken, element: IntegerType | IndexType) -> int:
    """The value of an integer or boolean; hex digits may specify the bits of a negative one."""
    if element.is_boolean and item.text in ("true", "false"):
        return int(item.text == "true")
    if not INTEGER.match(item.text):
        kind = "true or false" if element.is_boolean else "an integer"
        reject(source, item.start, item.end, f"expected {kind} for {element}, not '{item.text}'")
    is_bits = BITS.match(item.text) is not None
    digits = item.text.lstrip("+-")
    limit = 1 << element.bits
    value = (
        limit
        if len(digits) > 40 + len(str(limit))
        else int(item.text, 0 if "x" in item.text.lower() else 10)
    )
    if is_bits and value < limit:
        return element.wrap(value)
    if not element.minimum <= value <= element.maximum:
        allowed = f"{element.minimum} to {element.maximum}"
        reject(
            source, item.start, item.end, f"{item.text} is out of range for {element}: {allowed}"
        )
    return value


def complex_parts(source: Source, item: NumberToken) -> tuple[NumberToken, NumberToken]:
    """The two parts of a complex number; a real one has the imaginary part 0."""
    if not item.text.startswith("("):
        return item, NumberToken("0", item.start, item.end)
    parts = list(re.finditer(r"[^\s,()]+", item.text))
    if len(parts) != 2:
        reject(source, item.start, item.end, "expected (real, imaginary)")
    real, imaginary = (
        NumberToken(m[0], item.start + m.start(), item.start + m.end()) for m in parts
    )
    return real, imaginary


def floats(source: Source, items: Sequence[NumberToken], element: FloatType) -> Array:
    """The array of floating-point numbers, each rounded once."""
    wide = np.array([float_number(source, item, element) for item in items], np.float64)
    with np.errstate(all="ignore"):
        array = np.asarray(converter(F64, element)(wide))
    lost = np.isnan(array) | (np.isinf(array) != np.isinf(wide))
    bits = array.view(f"u{array.dtype.itemsize}")
    for i, item in enumerate(items):
        if lost[i]:
            reject(source, item.start, item.end, f"{item.text} is out of range for {element}")
        if BITS.match(item.text) or NAN.match(item.text):
            bits[i] = float_of_bits(source, item, element)
    return array


def float_of_bits(source: Source, item: NumberToken, element: FloatType) -> int:
    """A NaN, or the float whose bits the text specifies."""
    if NAN.match(item.text):
        nans = {text: pattern for pattern, text in nan_texts(element).items()}
        sign = "-" * item.text.startswith("-")
        if f"{sign}nan" not in nans:
            reject(source, item.start, item.end, f"{element} has no {sign}nan")
        return nans[f"{sign}nan"]
    bits = int(item.text, 16)
    if bits >> element.bits:
        message = f"{element} has {element.bits} bits, not as many as this"
        reject(source, item.start, item.end, message)
    return bits


def float_number(source: Source, item: NumberToken, element: FloatType) -> float:
    """An f64 that rounds to the type as the text does; 1 for a text that specifies bits."""
    text = item.text
    if BITS.match(text) or NAN.match(text):
        return 1.0
    if INFINITY.match(text):
        return float(text)
    if DECIMAL.match(text):
        return float(text) if element == F64 else round_to_odd(text)
    if HEX_FLOAT.match(text):
        try:
            return float.fromhex(text)
        except (ValueError, OverflowError):
            pass
    reject(source, item.start, item.end, f"expected a number for {element}, not '{text}'")


def round_to_odd(text: str) -> float:
    """A decimal number as f64, whose last bit is odd where it is inexact.

    Such a number lies on the same side of every tie between two narrower numbers as the text.
    """
    nearest = float(text)
    if nearest == 0 or math.isinf(nearest):
        return nearest
    exact, candidate = Decimal(text), Decimal(nearest)
    significand = int(math.ldexp(math.frexp(nearest)[0], 53))
    if exact == candidate or significand % 2:
        return nearest
    return math.nextafter(nearest, math.inf if exact > candidate else -math.inf)

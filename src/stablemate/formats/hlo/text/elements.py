"""Converts the elements of literals from text to arrays.

A number is rounded as in XLA: it is read as f64 and then converted, to f16 and bf16 through f32.
Overflow is rejected; narrow types without infinities saturate. A NaN is rejected for a type without
NaNs, which XLA reads as a negative zero. A zero that is written as an integer has no sign.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.formats.hlo.text.lexer.numbers import WITH_PAYLOAD
from stablemate.numerics.elements import Array
from stablemate.xla.primitive_types import F32, F64, PrimitiveType

INTEGER: Final = re.compile(r"-?[0-9]+")
PAYLOAD: Final = re.compile(r"(-?)nan\(0x([0-9a-fA-F]+)\)")
PARTS: Final = re.compile(r"[^\s(),]+(?:\(0x[0-9a-fA-F]+\))?")
SATURATING: Final = frozenset({"f4e2m1fn", "f6e2m3fn", "f6e3m2fn"})
SMALLEST_SCALE: Final = 2.0**-127
THROUGH_F32: Final = frozenset({"f16", "bf16"})
TRUTH: Final = {"true": 1, "false": 0}
PARTS_OF_COMPLEX: Final = {64: F32, 128: F64}


class ElementError(ValueError):
    """An element that its type cannot represent; ``index`` is its position."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(message)
        self.index = index


def elements_of(texts: Sequence[str], element_type: PrimitiveType) -> Array:
    """Converts a row of elements.

    Raises:
        ElementError: The type has no such element.
    """
    match element_type.family:
        case "float":
            return floats(texts, element_type, 1)
        case "complex":
            parts = [part for text in texts for part in PARTS.findall(text[1:-1])]
            part = PARTS_OF_COMPLEX[element_type.bits]
            return floats(parts, part, 2).view(f"c{element_type.bits // 8}")
        case _:
            return integers(texts, element_type)


def integers(texts: Sequence[str], element_type: PrimitiveType) -> Array:
    """Converts elements that are integers or booleans."""
    values: list[int] = []
    is_pred = element_type.family == "pred"
    for i, text in enumerate(texts):
        if is_pred and text in TRUTH:
            values.append(TRUTH[text])
        elif INTEGER.fullmatch(text):
            values.append(int(text) if len(text) < 24 else 1 << 65)
        else:
            raise ElementError(i, f"{element_type} needs an integer, not {text}")
    low, high = (-(1 << 63), (1 << 64) - 1) if is_pred else bounds(element_type)
    if values and (min(values) < low or max(values) > high):
        i = next(i for i, value in enumerate(values) if not low <= value <= high)
        raise ElementError(i, f"{texts[i]} is out of range for {element_type}, {low} to {high}")
    if is_pred:
        return np.array([value != 0 for value in values], np.bool_)
    if element_type.name == "u64":
        values = [value % (1 << 64) for value in values]
        return np.array(values, np.uint64)
    return np.array(values, np.int64).astype(element_type.dtype)


def bounds(element_type: PrimitiveType) -> tuple[int, int]:
    """Returns the smallest and largest integer; a negative one of 64 bits is read as its u64."""
    if element_type.name == "u64":
        return -(1 << 63), (1 << 64) - 1
    if element_type.family == "signed":
        return -(1 << (element_type.bits - 1)), (1 << (element_type.bits - 1)) - 1
    return 0, (1 << element_type.bits) - 1


def floats(texts: Sequence[str], element_type: PrimitiveType, parts: int) -> Array:
    """Converts floating-point elements, each of ``parts`` numbers."""
    dtype = element_type.dtype
    payloads: list[tuple[int, int, bool]] = []
    try:
        wide = np.array(list(map(float, texts)), np.float64)
    except ValueError:
        wide = np.array(
            [number_without_payload(i // parts, text) for i, text in enumerate(texts)], np.float64
        )
        payloads = payloads_of(texts, element_type, parts)
    if np.any(wide == 0):
        zeros = np.flatnonzero((wide == 0) & np.signbit(wide))
        wide[[i for i in zeros.tolist() if INTEGER.fullmatch(texts[i])]] = 0.0
    if element_type.name == "f8e8m0fnu":  # has no zero: smaller values become the smallest number
        wide = np.where((wide > 0) & (wide < SMALLEST_SCALE), SMALLEST_SCALE, wide)
    with np.errstate(all="ignore"):
        values = (wide.astype(np.float32) if element_type.name in THROUGH_F32 else wide).astype(
            dtype
        )
        reject_out_of_range(texts, wide, values, element_type, parts)
    for i, payload, negative in payloads:
        mantissa = WITH_PAYLOAD[element_type.name]
        width = dtype.itemsize * 8
        exponent = ((1 << (width - 1 - mantissa)) - 1) << mantissa
        bits = values.view(f"u{dtype.itemsize}")
        bits[i] = exponent | payload | (int(negative) << (width - 1))
    return values


def number_without_payload(index: int, text: str) -> float:
    """Converts a number and ignores the payload of a NaN."""
    if PAYLOAD.fullmatch(text):
        return float("nan")
    if text in TRUTH:
        raise ElementError(index, f"a number is needed, not {text}")
    return float(text)


def payloads_of(
    texts: Sequence[str], element_type: PrimitiveType, parts: int
) -> list[tuple[int, int, bool]]:
    """Returns position, payload and sign of the NaNs that have a payload."""
    payloads: list[tuple[int, int, bool]] = []
    for i, text in enumerate(texts):
        if match := PAYLOAD.fullmatch(text):
            payload = int(match[2], 16)
            if element_type.name not in WITH_PAYLOAD:
                raise ElementError(i // parts, f"{element_type} has no payloads")
            if not 0 < payload < 1 << WITH_PAYLOAD[element_type.name]:
                raise ElementError(i // parts, f"the payload is out of range for {element_type}")
            payloads.append((i, payload, bool(match[1])))
    return payloads


def reject_out_of_range(
    texts: Sequence[str],
    wide: Array,
    values: Array,
    element_type: PrimitiveType,
    parts: int,
) -> None:
    """Rejects values that the type cannot represent."""
    name = element_type.name
    if name in SATURATING:
        wrong = np.isnan(wide)
    else:
        wrong = np.isfinite(wide) & ~np.isfinite(values)
        for i in np.flatnonzero(np.isinf(wide)).tolist():
            wrong[i] = texts[i].lstrip("-") != "inf"
        if parts > 1:  # parts of complex numbers are not rounded to the largest number
            largest = np.finfo(values.dtype).max
            wrong |= np.isfinite(wide) & (np.abs(wide) > float(largest))
        if name == "f8e8m0fnu":
            wrong |= wide <= 0
            wrong &= ~np.isinf(wide)
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise ElementError(i // parts, f"{texts[i]} is out of range for {element_type}")

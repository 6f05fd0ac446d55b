"""Numbers as text, in every element type; the text reads back bit for bit.

Floats are decimal, ``nan`` or ``inf``, or in hex without a point or exponent the bits themselves;
complex numbers are ``(1,2)``.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from stablemate.diagnostics.errors import ArgumentTypeError
from stablemate.numerics.elements import (
    F64,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.rounding import converter


def storage_type(element: ElementType) -> IntegerType | FloatType | IndexType | ComplexType:
    """The type of the stored elements."""
    return element.storage if isinstance(element, QuantizedType) else element


def element_texts(data: Array, element: ElementType) -> list[str]:
    """The text of each element of a one-dimensional array."""
    match storage_type(element):
        case IntegerType(is_boolean=True):
            return ["true" if value else "false" for value in data.tolist()]
        case IntegerType() | IndexType() as integer:
            wide = data.astype(np.int64 if integer.minimum < 0 else np.uint64)
            return [str(value) for value in wide.tolist()]
        case ComplexType(element=FloatType() as part):
            texts = float_texts(np.ascontiguousarray(data).view(part.dtype), part)
            return [f"({a},{b})" for a, b in zip(texts[::2], texts[1::2], strict=True)]
        case FloatType() as floating:
            return float_texts(np.ascontiguousarray(data), floating)
        case other:
            raise ArgumentTypeError(f"no array holds elements of type {other}")


def float_texts(data: Array, element: FloatType) -> list[str]:
    """The shortest decimal number that reads back as each element; bits for unusual NaNs."""
    bits = data.view(f"u{data.dtype.itemsize}")
    with np.errstate(all="ignore"):  # signaling NaNs
        if element.name in ("f64", "f32", "f16"):
            texts = [str(text).removesuffix(".0") for text in data.astype("U32")]
        else:
            texts = shortest_texts(data, element)
        is_nan = np.isnan(data)
    for i in np.flatnonzero(is_nan):
        texts[i] = nan_texts(element).get(int(bits[i]), f"0x{bits[i]:X}")
    return texts


def shortest_texts(data: Array, element: FloatType) -> list[str]:
    """The texts of numbers of at most 16 bits, with the fewest digits that read back."""
    convert = converter(F64, element)
    wide = data.astype(np.float64)
    values: list[float] = wide.tolist()
    texts = [f"{value:g}" for value in values]  # six digits are enough for all of them
    for digits in range(5, 0, -1):
        shorter = [f"{value:.{digits}g}" for value in values]
        back = np.asarray(convert(np.array(shorter, np.float64))).astype(np.float64)
        for i in np.flatnonzero(back == wide):
            texts[i] = shorter[i]
    return texts


@cache
def nan_texts(element: FloatType) -> dict[int, str]:
    """The usual NaNs of a format, by their bits: a quiet one of either sign if it has both."""
    unsigned = np.dtype(f"u{element.dtype.itemsize}")
    sign = 1 << (element.bits - 1)

    def is_nan(bits: int) -> bool:
        return bool(np.isnan(np.array([bits], unsigned).view(element.dtype))[0])

    with np.errstate(all="ignore"):
        bits = int(np.array([np.nan]).astype(element.dtype).view(unsigned)[0])
    if not is_nan(bits):
        return {}
    if is_nan(bits & ~sign) and is_nan(bits | sign):
        return {bits & ~sign: "nan", bits | sign: "-nan"}
    return {bits: "nan"}

"""Prints numbers as HLO text does.

A floating-point number is printed with the number of digits that ``%g`` has for its type, and with
two or three more if these do not read back as the number; numbers of narrow types always have as
many digits as needed. A negative zero is ``-0.0``: XLA prints ``-0``, which it reads as the integer
zero.

Source: XLA, HLO text; Abseil, ``StrCat`` of floating-point numbers.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.numerics.elements import Array
from stablemate.xla.primitive_types import PrimitiveType, primitive_type

# The digits to try, and the digits that suffice, for types that are not in FEW.
DIGITS: Final = {"f32": (6, 9), "f64": (15, 17)}
FEW: Final = {
    **{"f16": 5, "bf16": 4},
    **dict.fromkeys(("f8e5m2", "f8e5m2fnuz", "f8e8m0fnu", "f4e2m1fn", "f6e3m2fn"), 2),
    **dict.fromkeys(("f8e4m3", "f8e4m3fn", "f8e4m3b11fnuz", "f8e3m4", "f8e4m3fnuz"), 3),
    "f6e2m3fn": 3,
}


def general_text(value: float) -> str:
    """Prints the six digits of ``%g`` if these are exact, else as many as it takes."""
    text = f"{value:g}"
    return text if float(text) == value else repr(value)


def single_text(value: float) -> str:
    """Prints a 32-bit number, by the same rule."""
    text = f"{value:g}"
    return text if np.float32(text) == value else f"{value:.9g}"


def six_digits(value: float) -> float:
    """Returns the number that the six digits of ``%g`` name."""
    return float(f"{value:g}")


def number_texts(array: Array, element_type: PrimitiveType) -> list[str]:
    """Prints all elements, in row-major order."""
    flat = np.ascontiguousarray(array).reshape(-1)
    match element_type.family:
        case "pred":
            return list(map(str, flat.astype(np.int8).tolist()))
        case "complex":
            part = np.dtype(f"f{flat.dtype.itemsize // 2}")
            texts = float_texts(flat.view(part), "f32" if part.itemsize == 4 else "f64")
            return [f"({re}, {im})" for re, im in zip(texts[::2], texts[1::2], strict=True)]
        case "float":
            return float_texts(flat, element_type.name)
        case _:
            return list(
                map(str, flat.astype(np.int64 if flat.dtype.kind != "u" else np.uint64).tolist())
            )


def float_texts(values: Array, name: str) -> list[str]:
    """Formats floating-point numbers as XLA prints them, by their element type."""
    with np.errstate(invalid="ignore"):  # a signaling NaN
        wide: list[float] = values.astype(np.float64).tolist()
    few, many = (FEW[name], 17) if name in FEW else DIGITS[name]
    texts = exact_texts(values, wide, few, many)
    with np.errstate(invalid="ignore"):
        special = np.isnan(values) | (values == 0)
    for i in np.flatnonzero(special).tolist():
        texts[i] = special_text(values[i : i + 1], name)
    return texts


def exact_texts(values: Array, wide: list[float], few: int, many: int) -> list[str]:
    """Prints numbers; with more digits where the few digits do not read back as the number."""
    form = f"%.{few}g"
    texts = [form % value for value in wide]
    with np.errstate(over="ignore", invalid="ignore"):
        read = np.array(list(map(float, texts)), np.float64).astype(values.dtype)
        different = read != values
    form = f"%.{many}g"
    for i in np.flatnonzero(different).tolist():
        texts[i] = form % wide[i]
    return texts


def special_text(value: Array, name: str) -> str:
    """Prints a zero or a NaN, by its bits; types with a single NaN print it negative."""
    bits = int(value.view(f"u{value.dtype.itemsize}")[0])
    negative = bits >> (primitive_type(name).bits - 1) and name != "f8e8m0fnu"
    if np.float64(value[0]) == 0:
        return "-0.0" if negative else "0"
    sign = "-" if negative else ""
    mantissa = mantissa_bits(name)
    payload = bits & ((1 << mantissa) - 1)
    plain = name not in WITH_PAYLOAD or payload == 1 << (mantissa - 1)
    return f"{sign}nan" if plain else f"{sign}nan(0x{payload:x})"


# Types that have more than one NaN of each sign, with the bits of their mantissas.
WITH_PAYLOAD: Final = {
    "f64": 52,
    "f32": 23,
    "f16": 10,
    "bf16": 7,
    "f8e5m2": 2,
    "f8e4m3": 3,
    "f8e3m4": 4,
}


def mantissa_bits(name: str) -> int:
    """Returns the mantissa bits of a type with several NaNs; 1 for other types."""
    return WITH_PAYLOAD.get(name, 1)

"""The elements of literals: how they are stored, and their text.

Elements that NumPy has a type for are stored as arrays of it. Other ones (``i17``, ``f80``,
``complex<i32>``, ...) are stored as bytes, ``np.void``: as in MLIR, little-endian, each number in
whole bytes, the real part of a complex number first. They are read, compared, printed and written;
nothing computes with them.

Source: MLIR, ``DenseElementsAttr`` and its printer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, TypeAlias, cast

import numpy as np

from stablemate.numerics.elements import (
    Array,
    ComplexType,
    DType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
    StorageError,
)
from stablemate.numerics.float_text import format_floats
from stablemate.numerics.wide_floats import double_of_bits, wide_float_text

Bytes: TypeAlias = bytes | memoryview

BYTE: Final = 8  # bits
NARROW_BITS: Final = {
    "int2": 2, "uint2": 2, "int4": 4, "uint4": 4, "float4_e2m1fn": 4, "float6_e2m3fn": 6,
    "float6_e3m2fn": 6,
}  # fmt: skip


def literal_dtype(element: ElementType) -> DType:
    """Returns NumPy's type for the elements of a literal: ``np.void`` if there is no better one.

    Raises:
        AttributeError: The element type is no number.
    """
    try:
        return element.dtype
    except StorageError:
        return np.dtype((np.void, stored_bytes(element)))


def is_raw(dtype: DType) -> bool:
    """Whether elements are stored as bytes, because NumPy has no type for them."""
    return dtype.type is np.void


def stored_bytes(element: ElementType) -> int:
    """Returns the number of bytes that store an element: whole bytes for each number."""
    match element:
        case ComplexType(element=part):
            return 2 * stored_bytes(part)
        case QuantizedType(storage=storage):
            return stored_bytes(storage)
        case _:
            return max(-(-element.bits // BYTE), 1)


def element_bytes(element: ElementType) -> int:
    """Returns the number of bytes of an element in the data of a literal; none without bits."""
    return stored_bytes(element) if element.bits else 0


def stored_data(raw: Bytes, element: ElementType) -> Bytes | None:
    """Returns the data of a literal as they are stored.

    An element without bits, ``i0``, has no data, and is stored as zero. None if there are any.
    """
    if element.bits:
        return raw
    return None if len(raw) else bytes(stored_bytes(element))


def raw_data(numbers: Iterable[int], element: ElementType) -> Array:
    """Returns bit patterns (two of a complex element) as elements stored as bytes."""
    part = element.element if isinstance(element, ComplexType) else element
    size, mask = stored_bytes(part), (1 << part.bits) - 1
    data = b"".join((number & mask).to_bytes(size, "little") for number in numbers)
    return np.frombuffer(data, literal_dtype(element))


def raw_numbers(data: Array, element: ElementType) -> list[int]:
    """Returns the bit patterns of elements stored as bytes, two of each complex element."""
    part = element.element if isinstance(element, ComplexType) else element
    size, mask = stored_bytes(part), (1 << part.bits) - 1
    raw = data.tobytes()
    return [
        int.from_bytes(raw[start : start + size], "little") & mask
        for start in range(0, len(raw), size)
    ]


def number_of(bits: int, element: IntegerType | FloatType) -> float | None:
    """Returns the number that a bit pattern stands for; None if no Python number equals it."""
    if isinstance(element, IntegerType):
        return element.wrap(bits)
    if not element.has_storage:
        return double_of_bits(bits, element)
    raw = np.frombuffer(bits.to_bytes(element.dtype.itemsize, "little"), element.dtype)
    return float(raw[0])


def number_texts(numbers: Iterable[int], element: IntegerType | FloatType) -> list[str]:
    """Returns the texts of bit patterns."""
    if isinstance(element, IntegerType):
        return [integer_text(element.wrap(number), element) for number in numbers]
    try:
        dtype = element.dtype
    except StorageError:
        return [wide_float_text(number, element) for number in numbers]
    size = dtype.itemsize
    raw = b"".join(number.to_bytes(size, "little") for number in numbers)
    return format_floats(np.frombuffer(raw, dtype))


def integer_text(value: int, element: IntegerType) -> str:
    """Returns the text of an integer in a literal; one of a single bit is a truth value."""
    return ("true" if value else "false") if element.width == 1 else str(value)


def element_texts(data: Array, element: ElementType) -> list[str]:
    """Returns the text of each element in a dense literal of an element type."""
    return raw_texts(data, element) if is_raw(data.dtype) else array_texts(data)


def array_texts(data: Array) -> list[str]:
    """Returns the text of each element of an array in a dense literal."""
    match data.dtype.kind:
        case "b":
            return ["true" if value else "false" for value in data.tolist()]
        case "i" | "u":
            return [str(value) for value in data.tolist()]
        case "c":
            return pair_parts(format_floats(data.view(f"f{data.itemsize // 2}")))
        case _ if data.dtype.name == "uint1":
            return ["true" if int(value) else "false" for value in data]
        case _ if data.dtype.name.startswith(("int", "uint")):
            return [str(int(value)) for value in data]
        case _:
            return format_floats(data)


def raw_texts(data: Array, element: ElementType) -> list[str]:
    """Returns the text of each element that is stored as bytes."""
    element = element.storage if isinstance(element, QuantizedType) else element
    numbers = raw_numbers(data, element)
    if isinstance(element, ComplexType):
        return pair_parts(number_texts(numbers, element.element))
    return number_texts(numbers, cast("IntegerType | FloatType", element))


def pair_parts(texts: list[str]) -> list[str]:
    """Returns the texts of complex numbers, given those of their parts."""
    return [f"({re},{im})" for re, im in zip(texts[::2], texts[1::2], strict=True)]


def is_uniform(data: Array) -> bool:
    """Whether all elements have the same bits."""
    words = data.view(f"u{math.gcd(data.itemsize, BYTE)}").reshape(data.size, -1)
    return bool((words[-1] == words[0]).all() and (words == words[0]).all())


def as_bytes(data: Array) -> Array:
    """Returns the bytes of contiguous elements, one-dimensional; a view."""
    return data.view(np.uint8)


def hex_bytes(data: Array) -> bytes:
    """Returns the bytes of a hex literal: a byte per narrow element, its value in the low bits."""
    raw = as_bytes(data)
    bits = narrow_bits(data.dtype)
    return (raw & np.uint8((1 << bits) - 1)).tobytes() if bits < BYTE else raw.tobytes()


def narrow_bits(dtype: DType) -> int:
    """Returns the bits that a one-byte element of NumPy really has."""
    return NARROW_BITS.get(dtype.name, BYTE)

"""The raw data of dense literals and arrays.

Elements are consecutive and little-endian. Each takes whole bytes; the value of a narrow one is in
the low bits. Booleans of a literal are packed, the first in the lowest bit; a single byte of all
ones or all zeros fills the literal.

Source: MLIR builtin dialect, "DenseTypedElementsAttr", its raw data.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from stablemate.formats.bytecode.entry_access import EntryReader, EntryWriter
from stablemate.formats.bytecode.primitives import Bytes
from stablemate.ir.attributes import (
    DenseArrayAttribute,
    DenseElementsAttribute,
    LiteralType,
    dense_elements,
    float_array,
)
from stablemate.ir.types import MemRefType, TensorType, Type, VectorType
from stablemate.numerics.elements import (
    Array,
    ComplexType,
    DType,
    ElementType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.literal_data import (
    as_bytes,
    element_bytes,
    hex_bytes,
    is_raw,
    is_uniform,
    literal_dtype,
    narrow_bits,
    raw_data,
    stored_data,
)

NUMBERS: Final = (IntegerType, FloatType, ComplexType, IndexType, QuantizedType)
FILLS: Final = {0x00: False, 0xFF: True}  # bytes that fill a literal of booleans


def storage(reader: EntryReader, element: Type | ElementType) -> DType:
    """Returns NumPy's type for arrays of an element type."""
    if not isinstance(element, NUMBERS):
        reader.reject(f"no literal has elements of type {element}")
    return literal_dtype(element)


def read_dense(reader: EntryReader) -> DenseElementsAttribute:
    """Reads ``dense<...>``: its type, then its data; large data stays where it is."""
    literal_type = reader.type()
    if (
        not isinstance(literal_type, TensorType | VectorType | MemRefType)
        or literal_type.shape is None
        or min(literal_type.shape, default=0) < 0
    ):
        reader.reject(f"a literal has a static tensor type, not {literal_type}")
    raw = reader.blob()
    return literal_of_data(reader, raw, literal_type)


def literal_of_data(
    reader: EntryReader, raw: Bytes, literal_type: LiteralType
) -> DenseElementsAttribute:
    """Returns the literal of raw data.

    As in MLIR, data after the last element are ignored, but no splat is left of them.
    """
    element, count = literal_type.element_type, math.prod(literal_type.shape or ())
    data = elements(reader, raw, element, count)
    size = storage(reader, element).itemsize
    if data is None and not is_packed(element) and len(raw) > count * size:
        data = elements(reader, raw, element, len(raw) // size)
        if data is not None and not is_uniform(data):
            return DenseElementsAttribute(literal_type, data[:count], is_listed=count == 1)
    if data is None:
        reader.reject(f"{len(raw)} bytes of data do not fill {literal_type}")
    return dense_elements(literal_type, data)


def elements(reader: EntryReader, raw: Bytes, element: ElementType, count: int) -> Array | None:
    """Returns the elements in raw data: ``count`` of them, or one, even of an empty literal.

    Returns None if the size of the data does not fit.
    """
    dtype = storage(reader, element)
    if is_packed(element):
        reader.bound(min(count, 8 * len(raw)))
        return booleans(raw, count, dtype)
    stored = stored_data(raw, element)
    if stored is None:
        return None
    raw = stored
    if len(raw) not in (count * dtype.itemsize, dtype.itemsize):
        return None
    if narrow_bits(dtype) < 8:
        return narrow(raw, dtype)
    data = np.frombuffer(raw, dtype)
    data.flags.writeable = False
    return data


def is_packed(element: object) -> bool:
    """Whether each element takes one bit: of an integer with or without a sign."""
    return isinstance(element, IntegerType) and element.width == 1


def booleans(raw: Bytes, count: int, dtype: DType) -> Array | None:
    """Decodes booleans: one that fills the literal, packed bits, or a byte each (older writers)."""
    data = np.frombuffer(raw, np.uint8)
    if len(raw) == 1 and raw[0] in FILLS:
        data = np.array([FILLS[raw[0]]])
    elif len(raw) == -(-count // 8):
        data = np.unpackbits(data, count=count, bitorder="little")
    elif len(raw) != count:
        return None
    truth = data.astype(np.bool_)
    array = truth.view(dtype) if is_raw(dtype) else truth.astype(dtype)
    array.flags.writeable = False
    return array


def narrow(raw: Bytes, dtype: DType) -> Array:
    """Decodes elements of less than a byte; the high bits are ignored."""
    bits = np.frombuffer(raw, np.uint8) & np.uint8((1 << narrow_bits(dtype)) - 1)
    data = bits.astype(np.int8).astype(dtype) if "int" in dtype.name else bits.view(dtype)
    data.flags.writeable = False
    return data


def write_dense(writer: EntryWriter, value: DenseElementsAttribute) -> None:
    """Writes the type and the data of a dense literal."""
    writer.type(value.type)
    writer.blob(lambda: dense_bytes(value))


def dense_bytes(value: DenseElementsAttribute) -> object:
    """Returns the raw data of a literal; a view where elements take whole bytes."""
    data = value.data
    if is_packed(value.type.element_type):
        truth = as_bytes(data).astype(np.bool_)
        if value.is_splat:
            return b"\xff" if truth[0] else b"\0"
        return np.packbits(truth, bitorder="little").tobytes()
    if not element_bytes(value.type.element_type):
        return b""
    return hex_bytes(data) if narrow_bits(data.dtype) < 8 else data.view(np.uint8).data


def read_array(reader: EntryReader) -> DenseArrayAttribute:
    """Reads ``array<...>``: element type, number of elements, data."""
    element = reader.type()
    if not isinstance(element, IntegerType | FloatType):
        reader.reject(f"an array has no elements of type {element}")
    count, raw = reader.varint(), reader.blob()
    if len(raw) != count * element_bytes(element):
        reader.reject(f"{len(raw)} bytes of data are not {count} elements of type {element}")
    dtype = literal_dtype(element)
    if isinstance(element, FloatType):
        return float_array(patterns(raw, len(raw) // max(count, 1)), element)
    if is_raw(dtype):
        numbers = map(element.wrap, patterns(raw, element_bytes(element)))
        return DenseArrayAttribute(element, tuple(numbers))
    data = narrow(raw, dtype) if narrow_bits(dtype) < 8 else np.frombuffer(raw, dtype)
    return DenseArrayAttribute(element, tuple(data.tolist()))


def patterns(raw: Bytes, size: int) -> list[int]:
    """Returns the little-endian numbers of so many bytes each in some data."""
    starts = range(0, len(raw), size) if size else ()
    return [int.from_bytes(raw[start : start + size], "little") for start in starts]


def write_array(writer: EntryWriter, value: DenseArrayAttribute) -> None:
    """Writes element type, number of elements and data."""
    writer.type(value.element_type)
    writer.varint(len(value.values))
    writer.blob(lambda: array_bytes(value))


def array_bytes(value: DenseArrayAttribute) -> bytes:
    """Returns the data of an array."""
    dtype = literal_dtype(value.element_type)
    if value.has_patterns or is_raw(dtype):
        return raw_data(map(int, value.values), value.element_type).tobytes()
    return hex_bytes(np.array(value.values, dtype))

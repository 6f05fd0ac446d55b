"""Encodes quantized types.

Source: MLIR quant dialect, its bytecode encodings.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from stablemate.formats.bytecode.entry_access import EntryReader, EntryWriter
from stablemate.formats.bytecode.rows import (
    F64,
    SVARINTS,
    DialectEncoding,
    EntryField,
    attribute_of,
    custom_row,
    list_of,
    row,
    type_of,
)
from stablemate.ir.attributes import DenseElementsAttribute, dense_elements
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    AnyQuantizedType,
    CalibratedType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.literal_data import is_raw

SIGNED: Final = 1  # the only flag
STORAGE: Final[EntryField[Any]] = type_of(IntegerType, FloatType)
EXPRESSED: Final = type_of(FloatType)


def read_storage(reader: EntryReader) -> tuple[Any, bool]:
    """Reads flags and storage type.

    Returns the storage type, and whether the type itself is unsigned.
    """
    return storage_type_of(reader.varint(), STORAGE.read(reader))


def storage_type_of(flags: int, declared: IntegerType | FloatType) -> tuple[object, bool]:
    """Returns the storage type; a signless integer type is unsigned unless the flag is set."""
    if not isinstance(declared, IntegerType) or declared.signedness != "signless":
        return declared, isinstance(declared, IntegerType) and declared.is_unsigned
    return (declared if flags & SIGNED else IntegerType(declared.width, "unsigned")), False


def write_storage(writer: EntryWriter, value: Any) -> None:
    """Writes flags and storage type."""
    storage = value.storage
    is_unsigned = isinstance(storage, IntegerType) and storage.signedness == "unsigned"
    writer.varint(0 if is_unsigned else SIGNED)
    declared = IntegerType(storage.width) if is_unsigned and not value.unsigned_by_type else storage
    writer.type(declared)


def write_range(writer: EntryWriter, value: Any) -> None:
    """Writes the smallest and the largest stored value."""
    writer.svarint(int(value.storage_min))
    writer.svarint(int(value.storage_max))


def read_range(reader: EntryReader, storage: object) -> tuple[Any, Any]:
    """Reads the smallest and the largest stored value."""
    low, high = reader.svarint(), reader.svarint()
    return (float(low), float(high)) if isinstance(storage, FloatType) else (low, high)


def read_any(reader: EntryReader) -> AnyQuantizedType:
    """Reads ``!quant.any`` without an expressed type."""
    storage, by_type = read_storage(reader)
    low, high = read_range(reader, storage)
    return AnyQuantizedType(storage, None, low, high, by_type)


def write_any(writer: EntryWriter, value: AnyQuantizedType) -> None:
    """Writes ``!quant.any`` without an expressed type."""
    write_storage(writer, value)
    write_range(writer, value)


def read_any_expressed(reader: EntryReader) -> AnyQuantizedType:
    """Reads ``!quant.any`` with an expressed type."""
    storage, by_type = read_storage(reader)
    expressed = EXPRESSED.read(reader)
    low, high = read_range(reader, storage)
    return AnyQuantizedType(storage, expressed, low, high, by_type)


def write_any_expressed(writer: EntryWriter, value: AnyQuantizedType) -> None:
    """Writes ``!quant.any`` with an expressed type."""
    write_storage(writer, value)
    writer.type(value.expressed)
    write_range(writer, value)


def read_uniform(reader: EntryReader) -> QuantizedType:
    """Reads ``!quant.uniform`` with one scale."""
    storage, by_type = read_storage(reader)
    expressed, scale, zero_point = EXPRESSED.read(reader), F64.read(reader), reader.svarint()
    low, high = read_range(reader, storage)
    return QuantizedType(
        storage, expressed, (scale,), (zero_point,), low, high, unsigned_by_type=by_type
    )


def write_uniform(writer: EntryWriter, value: QuantizedType) -> None:
    """Writes ``!quant.uniform`` with one scale."""
    write_storage(writer, value)
    writer.type(value.expressed)
    F64.write(writer, value.scales[0])
    writer.svarint(value.zero_points[0])
    write_range(writer, value)


def read_per_axis(reader: EntryReader) -> QuantizedType:
    """Reads ``!quant.uniform`` with a scale per slice."""
    storage, by_type = read_storage(reader)
    expressed, axis = EXPRESSED.read(reader), reader.varint()
    low, high = read_range(reader, storage)
    scales, zero_points = list_of(F64).read(reader), SVARINTS.read(reader)
    return QuantizedType(
        storage, expressed, scales, zero_points, low, high, axis, unsigned_by_type=by_type
    )


def write_per_axis(writer: EntryWriter, value: QuantizedType) -> None:
    """Writes ``!quant.uniform`` with a scale per slice."""
    assert value.quantization_dimension is not None
    write_storage(writer, value)
    writer.type(value.expressed)
    writer.varint(value.quantization_dimension)
    write_range(writer, value)
    list_of(F64).write(writer, value.scales)
    SVARINTS.write(writer, value.zero_points)


LITERAL: Final = attribute_of(DenseElementsAttribute)


def read_sub_channel(reader: EntryReader) -> QuantizedType:
    """Reads ``!quant.uniform`` with a scale per block."""
    storage, by_type = read_storage(reader)
    expressed = EXPRESSED.read(reader)
    low, high = read_range(reader, storage)
    dimensions, sizes = SVARINTS.read(reader), SVARINTS.read(reader)
    scales, zero_points = LITERAL.read(reader), LITERAL.read(reader)
    shapes = scales.shape, zero_points.shape
    if len(dimensions) != len(sizes) or shapes[0] != shapes[1]:
        reader.reject("blocks, scales and zero points do not fit together")
    reader.bound(8 * len(dimensions) + 8 * int(np.prod(shapes[0], dtype=object)))
    if (
        not isinstance(scales.type.element_type, FloatType)
        or not isinstance(zero_points.type.element_type, IntegerType)
        or is_raw(scales.data.dtype)
        or is_raw(zero_points.data.dtype)
    ):
        reader.reject("scales are floats, zero points are integers")
    return QuantizedType(
        storage, expressed,
        tuple(scales.array.astype(np.float64).ravel().tolist()),
        tuple(zero_points.array.astype(np.int64).ravel().tolist()),
        low, high, None, tuple(zip(dimensions, sizes, strict=True)), shapes[0], by_type,
    )  # fmt: skip


def write_sub_channel(writer: EntryWriter, value: QuantizedType) -> None:
    """Writes ``!quant.uniform`` with a scale per block."""
    write_storage(writer, value)
    writer.type(value.expressed)
    write_range(writer, value)
    SVARINTS.write(writer, tuple(dimension for dimension, _ in value.blocks))
    SVARINTS.write(writer, tuple(size for _, size in value.blocks))
    for element, numbers in (
        (value.expressed, np.array(value.scales)),
        (value.declared_storage, np.array(value.zero_points, np.int64)),
    ):
        literal_type = TensorType(value.block_shape, element)
        writer.attribute(dense_elements(literal_type, numbers.astype(element.dtype)))


TYPE_ROWS: Final = (
    custom_row(1, AnyQuantizedType, read_any, write_any).when(lambda t: t.expressed is None),
    custom_row(2, AnyQuantizedType, read_any_expressed, write_any_expressed),
    row(3, CalibratedType, expressed=EXPRESSED, minimum=F64, maximum=F64),
    custom_row(4, QuantizedType, read_uniform, write_uniform).when(lambda t: t.is_per_tensor),
    custom_row(5, QuantizedType, read_per_axis, write_per_axis).when(lambda t: t.is_per_axis),
    custom_row(6, QuantizedType, read_sub_channel, write_sub_channel),
)

QUANT: Final = DialectEncoding("quant", (), TYPE_ROWS)

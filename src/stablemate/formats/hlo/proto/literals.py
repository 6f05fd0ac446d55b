"""Reads and writes literals as messages: the elements of each type, in the order of the layout.

Elements of at least one byte are stored as the bytes of an array, except integers of 32 and 64
bits, which are varints. Narrower elements take a byte each, without sign extension.

Source: XLA, ``LiteralProto``.
"""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from stablemate.formats.hlo.proto.fields import MESSAGES
from stablemate.formats.hlo.proto.messages import MessageError, Proto, message_class
from stablemate.formats.hlo.proto.shapes import read_shape, shape_proto
from stablemate.formats.hlo.proto.wire import LENGTH_DELIMITED, encoded_integer
from stablemate.numerics.elements import Array
from stablemate.xla.layout import Layout
from stablemate.xla.literal import Literal
from stablemate.xla.primitive_types import PRED, PrimitiveType
from stablemate.xla.shape import Shape

MOST_ELEMENTS: Final = 1 << 48  # also limits an array that is empty because of one dimension
FIELDS: Final = {field.name: field for field in MESSAGES["LiteralProto"]}
NARROW: Final = {"s1": 1, "u1": 1, "s2": 2, "u2": 2, "s4": 4, "u4": 4}  # bits of an element


def read_literal(proto: Proto) -> Literal:
    """Returns the literal in a message.

    Raises:
        Fault: The message is none, or has another number of elements than its shape.
    """
    shape = read_shape(proto.shape)
    if shape.is_tuple:
        parts = tuple(read_literal(tuple_literal) for tuple_literal in proto.tuple_literals)
        if len(parts) != len(shape.elements):
            raise MessageError(
                f"expected {len(shape.elements)} parts of a literal, got {len(parts)}"
            )
        return Literal(shape, elements=parts)
    if not shape.is_array:
        raise MessageError(f"expected a literal of an array or a tuple, got {shape.element_type}")
    if prod(max(size, 1) for size in shape.dimensions) > MOST_ELEMENTS:
        raise MessageError(f"a literal of {shape} has more elements than an array can have")
    array = elements_of(proto, shape.element_type)
    if array.size != prod(shape.dimensions) or min(shape.dimensions, default=0) < 0:
        raise MessageError(
            f"expected {prod(shape.dimensions)} elements of a literal of {shape}, got {array.size}"
        )
    array = in_logical_order(array, shape)
    array.flags.writeable = False
    return Literal(shape, array, dynamic_sizes=tuple(proto.dynamic_sizes))


def in_logical_order(array: Array, shape: Shape) -> Array:
    """Returns the elements in logical order, given those in the order of the layout."""
    order = major_to_minor(shape)
    sizes = [shape.dimensions[dimension] for dimension in order]
    return array.reshape(sizes).transpose(np.argsort(order)) if order else array.reshape(())


def major_to_minor(shape: Shape) -> list[int]:
    """Returns the dimensions from the slowest-varying to the fastest."""
    layout = shape.layout or Layout.row_major(shape.rank)
    order = list(reversed(layout.minor_to_major))
    if sorted(order) != list(range(shape.rank)):
        raise MessageError(f"expected each dimension once in minor_to_major, got {order[::-1]}")
    return order


def elements_of(proto: Proto, element_type: PrimitiveType) -> Array:
    """Returns the elements in the order of storage, as a new vector."""
    field = FIELDS[field_name(element_type)]
    stored = getattr(proto, field.name)
    dtype = element_type.dtype
    if element_type.name in NARROW:
        return sign_extend(np.frombuffer(stored, np.uint8), element_type).astype(dtype)
    if field.type in ("int32", "uint32", "int64", "uint64"):
        return np.fromiter(stored, dtype, len(stored))
    data = stored if field.type == "bytes" else packed_bytes(field.name, stored)
    if len(data) % dtype.itemsize:
        raise MessageError(f"expected elements of {dtype.itemsize} bytes, got {len(data)} bytes")
    if element_type is PRED:
        return np.frombuffer(data, np.uint8).astype(np.bool_)
    array = np.frombuffer(data, dtype)
    return array if array.flags.aligned else array.copy()


def packed_bytes(name: str, stored: object) -> bytes | memoryview[int]:
    """Returns the bytes of repeated fixed-size numbers, as they are on the wire.

    A conversion to Python numbers would lose the payload of a NaN.
    """
    if not stored:
        return b""
    message = message_class("LiteralProto")()
    getattr(message, name).MergeFrom(stored)
    data: bytes = message.SerializeToString()
    position = 1 if FIELDS[name].number < 16 else 2  # after the tag; then the length
    while data[position] & 0x80:
        position += 1
    return memoryview(data)[position + 1 :]


def sign_extend(stored: Array, element_type: PrimitiveType) -> Array:
    """Sign-extends the numbers in the low bits of bytes."""
    bits = NARROW[element_type.name]
    low = (stored & ((1 << bits) - 1)).astype(np.int8)
    signs = (low >> (bits - 1)) << bits
    numbers: Array = low - signs if element_type.family == "signed" else low
    return numbers


def field_name(element_type: PrimitiveType) -> str:
    """Returns the name of the field that holds elements of a type."""
    return f"{element_type.name}s"


# ---- writing


def literal_proto(literal: Literal) -> Proto:
    """Returns the message of a literal."""
    proto = message_class("LiteralProto")()
    write_literal(proto, literal)
    return proto


def write_literal(proto: Proto, literal: Literal) -> None:
    """Writes a literal; for one without values, only the shape."""
    proto.shape.CopyFrom(shape_proto(literal.shape))
    for element in literal.elements:
        write_literal(proto.tuple_literals.add(), element)
    if literal.array is None:
        return
    proto.dynamic_sizes.extend(literal.dynamic_sizes)
    order = major_to_minor(literal.shape)
    write_elements(proto, literal.array.transpose(order), literal.shape.element_type)


def write_elements(proto: Proto, array: Array, element_type: PrimitiveType) -> None:
    """Writes elements in the order of the array."""
    field = FIELDS[field_name(element_type)]
    if element_type.name in NARROW:
        low = array.astype(np.int8).view(np.uint8) & ((1 << NARROW[element_type.name]) - 1)
        setattr(proto, field.name, low.tobytes())
    elif field.type == "bytes":
        setattr(proto, field.name, np.ascontiguousarray(array).tobytes())
    elif field.type in ("int32", "uint32", "int64", "uint64"):
        getattr(proto, field.name).extend(array.ravel().tolist())
    elif array.size:
        data = array.tobytes()
        tag = encoded_integer(field.number << 3 | LENGTH_DELIMITED)
        proto.MergeFromString(tag + encoded_integer(len(data)) + data)

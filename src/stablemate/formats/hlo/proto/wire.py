"""Reads the outermost fields of an encoded message, without decoding their content.

Source: Protocol Buffers, encoding.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

VARINT: Final = 0
FIXED64: Final = 1
LENGTH_DELIMITED: Final = 2
FIXED32: Final = 5
FIXED_BYTES: Final = {FIXED64: 8, FIXED32: 4}
LONGEST: Final = 10  # bytes of an integer


class WireError(ValueError):
    """Bytes that are not an encoded message."""


def fields(data: memoryview[int]) -> Iterator[tuple[int, int, memoryview[int]]]:
    """Yields the fields of a message: number, wire type, and the bytes of those with a length.

    Raises:
        BadWireError: The bytes are no message.
    """
    position, end = 0, len(data)
    while position < end:
        tag, position = integer(data, position)
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise WireError
        start = position
        if kind == VARINT:
            _, position = integer(data, position)
        elif kind == LENGTH_DELIMITED:
            length, start = integer(data, position)
            position = start + length
        elif kind in FIXED_BYTES:
            position += FIXED_BYTES[kind]
        else:
            raise WireError
        if position > end:
            raise WireError
        yield number, kind, data[start:position]


def integer(data: memoryview[int], position: int) -> tuple[int, int]:
    """Reads a varint; returns it and the position of its end."""
    value = shift = 0
    for byte in data[position : position + LONGEST]:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, position + shift // 7
    raise WireError


def encoded_integer(value: int) -> bytes:
    """Encodes an unsigned integer as a varint of protobuf."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)

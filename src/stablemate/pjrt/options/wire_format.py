"""The wire format of protocol buffers, as far as compile options and shardings need it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Field = int | bytes
VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data: bytes) -> Iterator[tuple[int, Field]]:
    """The fields of a message: their numbers and values."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == VARINT:
            value, at = varint(data, at)
            yield tag >> 3, value
            continue
        if kind == LENGTH:
            size, at = varint(data, at)
        else:
            size = 8 if kind == FIXED64 else 4
        yield tag >> 3, data[at : at + size]
        at += size


def message(data: bytes) -> dict[int, list[Field]]:
    """The values of each field of a message."""
    by_number: dict[int, list[Field]] = {}
    for number, value in fields(data):
        by_number.setdefault(number, []).append(value)
    return by_number


def integers(values: Iterable[Field]) -> Iterator[int]:
    """The numbers of a repeated field, packed or not."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            yield number


def written_varint(value: int) -> bytes:
    """A number from 0 on as a varint: groups of 7 bits, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def encoded_field(number: int, value: Field) -> bytes:
    """A field of a message: number and wire type, then a varint, or bytes and their length."""
    if isinstance(value, int):
        return written_varint(number << 3 | VARINT) + written_varint(value)
    return written_varint(number << 3 | LENGTH) + written_varint(len(value)) + value


def packed_field(number: int, values: Iterable[int]) -> bytes:
    """A packed field of numbers."""
    return encoded_field(number, b"".join(map(written_varint, values)))

"""The elements of a model's initializers as views of its bytes, which are not parsed and copied.

Source: Protocol Buffers, Encoding; ONNX, onnx.proto (ModelProto, GraphProto, TensorProto).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.formats.hlo.proto.wire import encoded_integer

GRAPH: Final = 7  # of a model
INITIALIZER: Final = 5  # of a graph
RAW_DATA: Final = 9  # of a tensor
VARINT, FIXED64, DELIMITED, FIXED32 = 0, 1, 2, 5  # wire types
SIZES: Final = {FIXED64: 8, FIXED32: 4}
Bytes = memoryview


class DamagedMessageError(Exception):
    """Bytes that are no message."""


@dataclass(frozen=True, slots=True)
class WireField:
    """A field of a message.

    Attributes:
        number: Its number.
        wire_type: How its value is written.
        start: Where it begins.
        value: Where its value begins, after the length of a delimited one.
        end: Where it ends.
    """

    number: int
    wire_type: int
    start: int
    value: int
    end: int

    def is_message(self, number: int) -> bool:
        """Whether it is the message of this number."""
        return self.number == number and self.wire_type == DELIMITED


def without_elements(content: Bytes) -> tuple[bytes, list[Bytes | None]]:
    """A model without the raw elements of its initializers, and these.

    Args:
        content: The bytes of the model.

    Returns:
        The bytes of the smaller model, and for each initializer its elements, or None.

    Raises:
        DamagedMessageError: The bytes are no message.
    """
    elements: list[Bytes | None] = []
    parts: list[Bytes | bytes] = []
    for field in fields_of(content, 0, len(content)):
        if field.is_message(GRAPH):
            inner = graph_parts(content, field, elements)
            parts += [*header(GRAPH, sum(map(len, inner))), *inner]
        else:
            parts.append(content[field.start : field.end])
    return b"".join(parts), elements


def graph_parts(
    content: Bytes, graph: WireField, elements: list[Bytes | None]
) -> list[Bytes | bytes]:
    """The parts of a graph without raw elements, which it adds to a list."""
    parts: list[Bytes | bytes] = []
    for field in fields_of(content, graph.value, graph.end):
        if not field.is_message(INITIALIZER):
            parts.append(content[field.start : field.end])
            continue
        kept: list[Bytes | bytes] = []
        raw: Bytes | None = None
        for inner in fields_of(content, field.value, field.end):
            if inner.is_message(RAW_DATA):
                raw = content[inner.value : inner.end]
            else:
                kept.append(content[inner.start : inner.end])
        elements.append(raw)
        parts += [*header(INITIALIZER, sum(map(len, kept))), *kept]
    return parts


def header(number: int, length: int) -> list[bytes]:
    """The tag and length of a delimited field."""
    return [encoded_integer(number << 3 | DELIMITED), encoded_integer(length)]


def fields_of(content: Bytes, start: int, end: int) -> Iterator[WireField]:
    """The fields of a message between two places.

    Raises:
        DamagedMessageError: There is none where one should begin, or it reaches beyond the end.
    """
    place = start
    while place < end:
        tag, value = read_varint(content, place, end)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == VARINT:
            stop = read_varint(content, value, end)[1]
        elif wire_type == DELIMITED:
            length, value = read_varint(content, value, end)
            stop = value + length
        elif wire_type in SIZES:
            stop = value + SIZES[wire_type]
        else:
            raise DamagedMessageError(f"wire type {wire_type} at byte {place}")
        if stop > end:
            raise DamagedMessageError(f"the field at byte {place} reaches beyond its message")
        yield WireField(number, wire_type, place, value, stop)
        place = stop


def read_varint(content: Bytes, start: int, end: int) -> tuple[int, int]:
    """A number and where it ends.

    Raises:
        DamagedMessageError: It does not end.
    """
    number = 0
    for i, place in enumerate(range(start, min(end, start + 10))):
        byte: int = content[place]
        number |= (byte & 127) << 7 * i
        if byte < 128:
            return number, place + 1
    raise DamagedMessageError(f"the number at byte {start} does not end")

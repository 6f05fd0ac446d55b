"""Changes that know how a binary format is built: its numbers, its sections, its fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import stablemate as sm
from stablemate.formats import jax_export
from stablemate.formats.bytecode.primitives import varint
from tests.fuzzing.byte_mutations import COUNTS, changed_bytes, changed_text
from tests.properties.generation.choices import Choices

HEAD: Final = 5  # bytes: the magic number and a version of one byte
NUMBERS: Final = (
    0,
    1,
    2,
    127,
    128,
    1 << 14,
    1 << 21,
    1 << 31,
    (1 << 32) - 1,
    1 << 62,
    (1 << 64) - 1,
)
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
DEEPEST: Final = 200


# ---- bytecode


def changed_bytecode(choices: Choices, data: bytes, others: Sequence[bytes]) -> bytes:
    """Bytecode with other numbers in its sections, whose lengths stay right; or any damage."""
    if choices.chance(40):
        return changed_bytes(choices, data, others)
    head, sections = sections_of(data)
    if not sections:
        return changed_bytes(choices, data, others)
    for _ in range(choices.of(COUNTS)):
        place = choices.below(len(sections))
        number, body = sections[place]
        kind = choices.below(8)
        if kind == 0:
            sections[place] = number, changed_bytes(choices, body, ())
        elif kind == 1:
            sections[place] = choices.below(10), body
        elif kind == 2 and others:
            theirs = dict(sections_of(choices.of(others))[1])
            sections[place] = number, theirs.get(number, body)
        else:
            start = choices.below(len(body) + 1)
            number_bytes = varint(choices.of(NUMBERS) if kind < 6 else choices.below(64))
            sections[place] = (
                number,
                body[:start] + number_bytes + body[start + choices.of((0, 1, 1)) :],
            )
    return head + b"".join(bytes([n]) + varint(len(body)) + body for n, body in sections)


def sections_of(data: bytes) -> tuple[bytes, list[tuple[int, bytes]]]:
    """What stands before the sections, and each of them with its number; alignment is lost."""
    start = data.find(b"\0", HEAD) + 1
    sections: list[tuple[int, bytes]] = []
    position = start
    while 0 < position < len(data) - 1:
        number = data[position]
        size, position = read_varint(data, position + 1)
        if number & 0x80:
            alignment, position = read_varint(data, position)
            while position < len(data) and data[position] == 0xCB and alignment:
                position += 1
        sections.append((number & 0x7F, data[position : position + size]))
        position += size
    return data[:start], sections


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """A number of MLIR bytecode, and where it ends; 0 behind the end."""
    if position >= len(data):
        return 0, position
    first = data[position]
    if not first:
        return int.from_bytes(data[position + 1 : position + 9], "little"), position + 9
    size = (first & -first).bit_length()
    return int.from_bytes(data[position : position + size], "little") >> size, position + size


# ---- protocol buffers


@dataclass(frozen=True)
class Field:
    """A field of a message on the wire.

    Attributes:
        number: Its number.
        kind: How it is written.
        value: A number, bytes, or the fields of a message.
    """

    number: int
    kind: int
    value: int | bytes | list[Field]


def changed_proto(choices: Choices, data: bytes, others: Sequence[bytes]) -> bytes:
    """A message with other fields, at any depth; or any damage."""
    if choices.chance(25):
        return changed_bytes(choices, data, others)
    fields = fields_of(data, 8)
    if fields is None:
        return changed_bytes(choices, data, others)
    for _ in range(choices.of(COUNTS)):
        change_field(choices, fields, others)
    return encoded(fields)


def change_field(choices: Choices, fields: list[Field], others: Sequence[bytes]) -> None:
    """Changes one field of a message, or of a message in it."""
    if not fields:
        fields.append(Field(choices.integer(1, 40), VARINT, choices.of(NUMBERS)))
        return
    place = choices.below(len(fields))
    field = fields[place]
    if isinstance(field.value, list) and choices.chance(75):
        change_field(choices, field.value, others)
        return
    kind = choices.below(9)
    if kind == 0:
        fields.pop(place)
    elif kind == 1:
        fields.insert(place, field)
    elif kind == 2:
        fields[place] = replace(field, number=choices.integer(1, 100))
    elif kind == 3:
        other = choices.below(len(fields))
        fields[place], fields[other] = fields[other], fields[place]
    elif kind == 4:
        fields[place] = Field(field.number, VARINT, choices.of(NUMBERS))
    elif kind == 5:
        nested = encoded([field])
        for _ in range(choices.of((1, 3, DEEPEST))):
            nested = encoded([Field(field.number, BYTES, nested)])
        fields[place] = Field(field.number, BYTES, nested)
    elif kind == 6 and others:
        theirs = fields_of(choices.of(others), 8) or fields
        fields.insert(place, choices.of(theirs or fields))
    elif isinstance(field.value, bytes):
        fields[place] = replace(field, value=changed_bytes(choices, field.value, ()))
    elif field.kind == VARINT:
        fields[place] = replace(field, value=choices.below(300))


def fields_of(data: bytes, depth: int) -> list[Field] | None:
    """The fields of a message; bytes that are no message stay bytes. None if these are none."""
    collected: list[Field] = []
    position = 0
    while position < len(data):
        key, position = leb(data, position)
        number, kind = key >> 3, key & 7
        if not number or position > len(data):
            return None
        if kind == VARINT:
            value, position = leb(data, position)
            collected.append(Field(number, kind, value))
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
            collected.append(Field(number, kind, data[position : position + size]))
            position += size
        elif kind == BYTES:
            size, position = leb(data, position)
            if size > len(data) - position:
                return None
            body = data[position : position + size]
            parts = fields_of(body, depth - 1) if depth and len(body) > 1 else None
            collected.append(Field(number, kind, body if parts is None else parts))
            position += size
        else:
            return None
    return collected if position == len(data) else None


def leb(data: bytes, position: int) -> tuple[int, int]:
    """A number of a protocol buffer, and where it ends."""
    value = shift = 0
    while position < len(data) and shift < 70:
        byte = data[position]
        value, shift, position = value | (byte & 0x7F) << shift, shift + 7, position + 1
        if byte < 0x80:
            return value, position
    return value, len(data) + 1


def as_leb(value: int) -> bytes:
    """A number as a protocol buffer has it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def encoded(fields: Sequence[Field]) -> bytes:
    """The message of fields."""
    out = bytearray()
    for field in fields:
        value = encoded(field.value) if isinstance(field.value, list) else field.value
        out += as_leb(field.number << 3 | field.kind)
        if isinstance(value, int):
            out += as_leb(value)
        elif field.kind == BYTES:
            out += as_leb(len(value)) + value
        else:
            out += value
    return bytes(out)


# ---- containers


def changed_container(choices: Choices, data: bytes, others: Sequence[bytes]) -> bytes:
    """A container with damage anywhere, at its front, or in the program that it holds."""
    kind = choices.below(3)
    if kind == 0:
        return changed_bytes(choices, data, others)
    try:
        exported = jax_export.read_exported(data)
    except sm.StablemateError:
        return changed_bytes(choices, data, others)
    payload = bytes(exported.payload)
    start = data.find(payload[:64])
    if kind == 1 or start < 0:
        front = max(start, 0)
        return changed_bytes(choices, data[:front], ()) + data[front:]
    return (
        data[:start]
        + changed_bytecode(choices, payload, ())[: len(payload)]
        + data[start + len(payload) :]
    )


Change = Callable[[Choices, bytes, Sequence[bytes]], bytes]


def of_text(choices: Choices, data: bytes, others: Sequence[bytes]) -> bytes:
    """Changes of a text as changes of bytes."""
    texts = [other.decode("utf-8", "surrogatepass") for other in [choices.of(others)]]
    changed = changed_text(choices, data.decode("utf-8", "surrogatepass"), texts)
    return changed.encode("utf-8", "surrogatepass")

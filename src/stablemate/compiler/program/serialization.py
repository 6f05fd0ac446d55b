"""Serializes a compiled program: its image, its objects and its constants.

A line of JSON describes the contents; arrays and objects follow as they are in memory, each aligned
to 64 bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

import numpy as np

from stablemate.compiler.program.image import ProgramImage, RequestRecord
from stablemate.numerics.elements import Array

ALIGNMENT: Final = 64
ARRAY_FIELDS: Final = (
    "words",
    "word_relocations",
    "arena_relocations",
    "function_relocations",
    "constant_relocations",
    "operand_relocations",
    "operand_numbers",
    "reusable_arguments",
)
PLAIN_FIELDS: Final = ("steps", "arena", "functions", "is_short", "is_parallel", "report")


class PreparationProgram(NamedTuple):
    """A program that computes constants of another one.

    Attributes:
        image: Its program image; it has no arguments.
        constants: For each result, the number of the constant that it is, and its bytes.
    """

    image: ProgramImage
    constants: Sequence[tuple[int, int]]


class CompiledProgram(NamedTuple):
    """A program that can be loaded.

    Attributes:
        image: Its program image.
        objects: The object files of its functions.
        preparation: What computes constants of the image, before it is run or serialized.
    """

    image: ProgramImage
    objects: Sequence[bytes]
    preparation: PreparationProgram | None = None


def constant_bytes(image: ProgramImage) -> int:
    """The size of the constants of a program."""
    return sum(constant.nbytes for constant in image.constants)


def serialize(program: CompiledProgram) -> bytes:
    """The program as bytes."""
    image = program.image
    assert {field.name for field in fields(ProgramImage)} == {
        *ARRAY_FIELDS, *PLAIN_FIELDS, "constants", "requests", "loops"
    }  # fmt: skip
    sections = [getattr(image, name).tobytes() for name in ARRAY_FIELDS]
    sections += [constant.tobytes() for constant in image.constants]
    sections += program.objects
    header = {
        **{name: getattr(image, name) for name in PLAIN_FIELDS},
        "requests": [
            [i, r.operation, r.operands, r.results, r.is_host_request]
            for i, r in image.requests.items()
        ],
        "loops": list(image.loops.items()),
        "constants": len(image.constants),
        "sizes": [len(part) for part in sections],
    }
    first = json.dumps(header).encode() + b"\n"
    return b"".join([pad(part) for part in (first, *sections)])


def pad(part: bytes) -> bytes:
    """Pads bytes to a multiple of the alignment."""
    return part + bytes(-len(part) % ALIGNMENT)


def deserialize(content: bytes) -> CompiledProgram:
    """Reads a serialized program.

    Raises:
        ValueError: The content has another size than its header says.
    """
    end = content.index(b"\n") + 1
    header: Mapping[str, Any] = json.loads(content[:end])
    raw = align(content)
    offset = end + -end % ALIGNMENT
    sections: list[Array] = []
    for size in header["sizes"]:
        sections.append(raw[offset : offset + size])
        offset += size + -size % ALIGNMENT
    if offset != len(content):
        raise ValueError(f"a program of {offset} bytes has {len(content)}")
    arrays: dict[str, Any] = {
        n: part.view(np.int64) for n, part in zip(ARRAY_FIELDS, sections, strict=False)
    }
    plain: dict[str, Any] = {name: header[name] for name in PLAIN_FIELDS}
    last = len(ARRAY_FIELDS) + header["constants"]
    image = ProgramImage(
        **plain,
        **arrays,
        constants=sections[len(ARRAY_FIELDS) : last],
        requests={
            i: RequestRecord(o, places_from_json(a), places_from_json(b), is_host_request)
            for i, o, a, b, is_host_request in header["requests"]
        },
        loops=dict(header["loops"]),
    )
    return CompiledProgram(image, [part.tobytes() for part in sections[last:]])


def places_from_json(pairs: Sequence[Sequence[Any]]) -> list[tuple[str, int]]:
    """The places of operands or results."""
    return [(str(origin), int(number)) for origin, number in pairs]


def align(content: bytes) -> Array:
    """Copies the content to an aligned address."""
    raw = np.empty(len(content) + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    array: Array = raw[start : start + len(content)]
    array[:] = np.frombuffer(content, np.uint8)
    return array

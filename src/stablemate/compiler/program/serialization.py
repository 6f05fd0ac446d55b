"""Serializes a compiled program: its image, its objects and its constants.

A line of JSON says what there is; arrays and objects follow it as they are in memory, each at a
multiple of 64 bytes.
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
ARRAY_FIELDS: Final = ("words", "inner", "local", "called", "held", "handed", "operands")
PLAIN_FIELDS: Final = ("steps", "arena", "functions", "is_brief", "is_cut", "report")


class CompiledProgram(NamedTuple):
    """A program that can be loaded.

    Attributes:
        image: Its table.
        objects: Its functions.
    """

    image: ProgramImage
    objects: Sequence[bytes]


def constant_bytes(image: ProgramImage) -> int:
    """How much the constants of a program take."""
    return sum(constant.nbytes for constant in image.constants)


def serialize(program: CompiledProgram) -> bytes:
    """The program as bytes."""
    image = program.image
    assert {field.name for field in fields(ProgramImage)} == {
        *ARRAY_FIELDS, *PLAIN_FIELDS, "constants", "requests", "loops"
    }  # fmt: skip
    parts = [getattr(image, name).tobytes() for name in ARRAY_FIELDS]
    parts += [constant.tobytes() for constant in image.constants]
    parts += program.objects
    header = {
        **{name: getattr(image, name) for name in PLAIN_FIELDS},
        "requests": [
            [i, r.operation, r.operands, r.results, r.asks] for i, r in image.requests.items()
        ],
        "loops": list(image.loops.items()),
        "constants": len(image.constants),
        "sizes": [len(part) for part in parts],
    }
    first = json.dumps(header).encode() + b"\n"
    return b"".join([padded(part) for part in (first, *parts)])


def padded(part: bytes) -> bytes:
    """The bytes, up to a multiple of the alignment."""
    return part + bytes(-len(part) % ALIGNMENT)


def deserialize(content: bytes) -> CompiledProgram:
    """The program that was written."""
    end = content.index(b"\n") + 1
    header: Mapping[str, Any] = json.loads(content[:end])
    raw = aligned(content)
    offset = end + -end % ALIGNMENT
    parts: list[Array] = []
    for size in header["sizes"]:
        parts.append(raw[offset : offset + size])
        offset += size + -size % ALIGNMENT
    arrays: dict[str, Any] = {
        n: part.view(np.int64) for n, part in zip(ARRAY_FIELDS, parts, strict=False)
    }
    plain: dict[str, Any] = {name: header[name] for name in PLAIN_FIELDS}
    last = len(ARRAY_FIELDS) + header["constants"]
    image = ProgramImage(
        **plain,
        **arrays,
        constants=parts[len(ARRAY_FIELDS) : last],
        requests={
            i: RequestRecord(o, places_from_json(a), places_from_json(b), asks)
            for i, o, a, b, asks in header["requests"]
        },
        loops=dict(header["loops"]),
    )
    return CompiledProgram(image, [part.tobytes() for part in parts[last:]])


def places_from_json(pairs: Sequence[Sequence[Any]]) -> list[tuple[str, int]]:
    """Places as they were."""
    return [(str(origin), int(number)) for origin, number in pairs]


def aligned(content: bytes) -> Array:
    """The content where addresses are multiples of the alignment."""
    raw = np.empty(len(content) + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    array: Array = raw[start : start + len(content)]
    array[:] = np.frombuffer(content, np.uint8)
    return array

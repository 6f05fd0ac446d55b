"""Serializes a compiled program: its image, its objects and its constants.

A line of JSON describes the contents; arrays and objects follow as they are in memory, each aligned
to 64 bytes. Constants may be in a file of their own, which is then part of the description.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

import numpy as np

from stablemate.compiler.program.image import ProgramImage, RequestRecord
from stablemate.numerics.elements import Array

ALIGNMENT: Final = 64  # bytes of a cache line
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
        preparations: What computes constants of the image, before it is run.
    """

    image: ProgramImage
    objects: Sequence[bytes]
    preparations: Sequence[PreparationProgram] = ()


def constant_bytes(image: ProgramImage) -> int:
    """The size of the constants of a program."""
    return sum(constant.nbytes for constant in image.constants)


def serialize(program: CompiledProgram, beside: Sequence[object] = ()) -> bytes:
    """The program as bytes.

    Args:
        program: The program.
        beside: How the file of its constants is found again; empty: they are among the bytes.
    """
    image = program.image
    assert {field.name for field in fields(ProgramImage)} == {
        *ARRAY_FIELDS, *PLAIN_FIELDS, "constants", "requests", "loops"
    }  # fmt: skip
    sections = [getattr(image, name).tobytes() for name in ARRAY_FIELDS]
    if not beside:
        sections += [constant.tobytes() for constant in image.constants]
    sections += program.objects
    header = {
        **{name: getattr(image, name) for name in PLAIN_FIELDS},
        "requests": [
            [i, r.operation, r.operands, r.results, r.is_host_request]
            for i, r in image.requests.items()
        ],
        "loops": list(image.loops.items()),
        "constants": [constant.nbytes for constant in image.constants],
        "beside": list(beside),
        "sizes": [len(part) for part in sections],
    }
    first = json.dumps(header).encode() + b"\n"
    return b"".join([pad(part) for part in (first, *sections)])


def pad(part: bytes) -> bytes:
    """Pads bytes to a multiple of the alignment."""
    return part + bytes(-len(part) % ALIGNMENT)


def deserialize(content: bytes, constants: Callable[..., Array] | None = None) -> CompiledProgram:
    """Reads a serialized program.

    Args:
        content: The bytes.
        constants: The content of the file of constants, by how it is found again.

    Raises:
        ValueError: The content has another size than its header says.
    """
    end = content.index(b"\n") + 1
    header: Mapping[str, Any] = json.loads(content[:end])
    sections = split(align(content)[end + -end % ALIGNMENT :], header["sizes"])
    arrays: dict[str, Any] = {
        n: part.view(np.int64) for n, part in zip(ARRAY_FIELDS, sections, strict=False)
    }
    plain: dict[str, Any] = {name: header[name] for name in PLAIN_FIELDS}
    rest = sections[len(ARRAY_FIELDS) :]
    if header["beside"]:
        assert constants is not None
        kept = split(constants(*header["beside"]), header["constants"])
    else:
        count = len(header["constants"])
        kept, rest = rest[:count], rest[count:]
    image = ProgramImage(
        **plain,
        **arrays,
        constants=kept,
        requests={
            i: RequestRecord(o, places_from_json(a), places_from_json(b), is_host_request)
            for i, o, a, b, is_host_request in header["requests"]
        },
        loops=dict(header["loops"]),
    )
    return CompiledProgram(image, [part.tobytes() for part in rest])


def split(raw: Array, sizes: Sequence[int]) -> list[Array]:
    """Splits bytes into parts of these sizes, each of which is aligned.

    Raises:
        ValueError: They have another size than all parts together.
    """
    parts: list[Array] = []
    offset = 0
    for size in sizes:
        parts.append(raw[offset : offset + size])
        offset += size + -size % ALIGNMENT
    if offset != len(raw):
        raise ValueError(f"a program of {offset} bytes has {len(raw)}")
    return parts


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

"""Serializes versions: a line of JSON with what depends on sizes, then a compiled program."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.program.serialization import CompiledProgram, deserialize, serialize
from stablemate.compiler.program.sized_image import SizedImage, SizedLaunch, SizedProgram
from stablemate.numerics.elements import Array

PLAIN_FIELDS: Final = (
    "typical", "variables", "fixed", "condition", "evaluation", "seconds", "may_be_short",
    "results",
)  # fmt: skip
ARRAY_COLUMNS: Final = {"value_words": 2, "local_slots": 3, "arena_slots": 1}


def serialize_sized(program: SizedProgram, beside: Sequence[object] = ()) -> bytes:
    """The version as bytes; see ``serialize``."""
    sized = program.image
    header = {name: getattr(sized, name) for name in PLAIN_FIELDS}
    header |= {name: getattr(sized, name).ravel().tolist() for name in ARRAY_COLUMNS}
    header["launches"] = sized.launches
    first = json.dumps(header).encode() + b"\n"
    return first + serialize(CompiledProgram(sized.image, program.objects), beside)


def deserialize_sized(
    content: bytes, constants: Callable[..., Array] | None = None
) -> SizedProgram:
    """Reads a serialized version; see ``deserialize``."""
    end = content.index(b"\n") + 1
    header: dict[str, Any] = json.loads(content[:end])
    for name, columns in ARRAY_COLUMNS.items():
        array = np.array(header[name], np.int64)
        header[name] = array if columns == 1 else array.reshape(-1, columns)
    header["launches"] = [SizedLaunch(*launch) for launch in header["launches"]]
    program = deserialize(content[end:], constants)
    return SizedProgram(SizedImage(image=program.image, **header), program.objects)

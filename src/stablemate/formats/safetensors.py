"""Weights by name: the format ``.safetensors``.

A file begins with the number of bytes of a header (64 bits, little-endian); the header is JSON with
element type, shape and place of each tensor, whose elements follow in row-major order.

Source: safetensors, format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, cast

import numpy as np

from stablemate.atomic_files import write_atomically
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError, ParseError
from stablemate.diagnostics.file_errors import file_errors, path_name
from stablemate.numerics.elements import Array, DType, storage

LENGTH_BYTES: Final = 8
METADATA: Final = "__metadata__"  # an entry of the header that is no tensor
MOST_HEADER_BYTES: Final = 100_000_000  # the limit of the format itself
STORAGE: Final = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32",
    "I32": "int32", "U64": "uint64", "I64": "int64", "F16": "float16", "BF16": "bfloat16",
    "F32": "float32", "F64": "float64", "C64": "complex64", "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2", "F8_E8M0": "float8_e8m0fnu", "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
}  # fmt: skip
NAMES: Final = {dtype: name for name, dtype in STORAGE.items()}


def load_weights(path: str | Path) -> Mapping[str, Array]:
    """The arrays of a ``.safetensors`` file by name.

    Raises:
        FileError: The file cannot be read.
        ParseError: It is damaged, or has elements of a type that is not known.
    """
    name = path_name(path)
    with file_errors("read", name):
        content = Path(name).read_bytes()
    return weights_of(content, name)


def weights_of(content: bytes, name: str) -> Mapping[str, Array]:
    """The arrays in the bytes of a file; they share its memory.

    Raises:
        ParseError: It is damaged, or has elements of a type that is not known.
    """
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    start = LENGTH_BYTES + length
    if len(content) < LENGTH_BYTES or length > MOST_HEADER_BYTES or start > len(content):
        raise ParseError(f"{name} is no .safetensors file: its header is longer than the file")
    data = memoryview(content)[start:]
    try:
        rows = [row_of(key, value) for key, value in header_of(content[LENGTH_BYTES:start])]
        reject_gaps(rows, len(data))
        return MappingProxyType({row.name: array_of(row, data) for row in rows})
    except (ValueError, RecursionError) as error:
        raise ParseError(f"{name} is a damaged .safetensors file: {error}") from error


@dataclass(frozen=True, slots=True)
class TensorHeader:
    """A tensor in the header.

    Attributes:
        name: Its name.
        dtype: The type of its elements.
        shape: Its sizes.
        first: Where its elements begin.
        last: Where they end.
    """

    name: str
    dtype: DType
    shape: tuple[int, ...]
    first: int
    last: int


def header_of(content: bytes) -> list[tuple[str, object]]:
    """The entries of a header, without those that are no tensors.

    Raises:
        ValueError: It is no JSON object, or has a name twice.
    """
    header: Any = json.loads(content.decode(), object_pairs_hook=distinct)
    if not isinstance(header, dict):
        raise ValueError("its header is no JSON object")
    entries = cast("dict[str, object]", header)
    return [(key, value) for key, value in entries.items() if key != METADATA]


def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object.

    Raises:
        ValueError: It has a name twice.
    """
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("its header has a name twice")
    return entries


def row_of(name: str, value: Any) -> TensorHeader:
    """An entry of the header.

    Raises:
        ValueError: It is not as the format has it, or its element type is not known.
    """
    match value:
        case {"dtype": str(element), "shape": [*shape], "data_offsets": [first, last]} if all(
            type(number) is int and number >= 0 for number in (*shape, first, last)
        ):
            dtype = storage(STORAGE[element]) if element in STORAGE else None
            if dtype is None:
                raise ValueError(f"{name} has elements of type {element}, which is not known")
            return TensorHeader(name, dtype, tuple(shape), first, last)
        case _:
            raise ValueError(f"{name} has no dtype, shape and data_offsets")


def reject_gaps(rows: Sequence[TensorHeader], size: int) -> None:
    """Refuses rows whose elements do not follow one another through all the bytes.

    Raises:
        ValueError: There is a gap, or two rows overlap.
    """
    end = 0
    for row in sorted(rows, key=lambda row: (row.first, row.last)):
        if row.first != end:
            what = "overlaps others" if row.first < end else "begins after a gap"
            raise ValueError(f"{row.name} {what}: its elements begin at {row.first}, not at {end}")
        end = row.last
    if end != size:
        raise ValueError(f"its tensors have {end} bytes, the file {size}")


def array_of(row: TensorHeader, data: memoryview) -> Array:
    """The array that a row of the header describes.

    Raises:
        ValueError: Its place has another size than its elements.
    """
    if row.last - row.first != math.prod(row.shape) * row.dtype.itemsize:
        raise ValueError(f"{row.name} does not have the elements of its shape")
    return np.frombuffer(data[row.first : row.last], row.dtype).reshape(row.shape)


def save_weights(path: str | Path, weights: Mapping[str, object]) -> None:
    """Writes arrays by name as a ``.safetensors`` file, whole or not at all.

    Args:
        path: The file.
        weights: The arrays, or whatever NumPy takes for one.

    Raises:
        FileError: The file cannot be written.
        ArgumentValueError: The format has no element type like that of an array.
    """
    place = path_name(path)
    content = weights_bytes({name: np.asarray(weight) for name, weight in weights.items()})
    with file_errors("write", place):
        write_atomically(place, lambda stream: stream.write(content))


def weights_bytes(weights: Mapping[str, Array]) -> bytes:
    """The bytes of a ``.safetensors`` file with arrays by name.

    Raises:
        ArgumentValueError: The format has no element type like that of an array.
    """
    rows: dict[str, object] = {}
    parts: list[bytes] = []
    place = 0
    for name, array in weights.items():
        if not array.dtype.isnative or array.dtype.name not in NAMES:
            raise ArgumentValueError(f"{name}: .safetensors has no elements of {array.dtype}")
        part = np.ascontiguousarray(array).tobytes()
        rows[name] = {
            "dtype": NAMES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [place, place + len(part)],
        }
        parts.append(part)
        place += len(part)
    header = json.dumps(rows).encode()
    header += b" " * (-len(header) % 8)  # so that elements are aligned
    return b"".join([len(header).to_bytes(LENGTH_BYTES, "little"), header, *parts])

"""Weights by name: the format ``.safetensors``.

A file begins with the number of bytes of a header (64 bits, little-endian); the header is JSON with
element type, shape and place of each tensor, whose elements follow in row-major order.

Source: safetensors, format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import DTypeLike

from stablemate.diagnostics.errors import ArgumentValueError, ParseError
from stablemate.diagnostics.file_errors import file_errors
from stablemate.numerics.elements import Array

LENGTH_BYTES: Final = 8
MOST_HEADER_BYTES: Final = 100_000_000  # the limit of the format itself
STORAGE: Final[Mapping[str, DTypeLike]] = {
    "BOOL": np.bool_, "U8": np.uint8, "I8": np.int8, "U16": np.uint16, "I16": np.int16,
    "U32": np.uint32, "I32": np.int32, "U64": np.uint64, "I64": np.int64, "F16": np.float16,
    "BF16": ml_dtypes.bfloat16, "F32": np.float32, "F64": np.float64, "C64": np.complex64,
    "F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}  # fmt: skip
NAMES: Final = {np.dtype(storage): name for name, storage in STORAGE.items()}


def load_weights(path: str | Path) -> Mapping[str, Array]:
    """The arrays of a ``.safetensors`` file by name.

    Raises:
        FileError: The file cannot be read.
        ParseError: It is damaged, or has elements of a type that is not known.
    """
    with file_errors("read", str(path)):
        content = Path(path).read_bytes()
    return weights_of(content, str(path))


def weights_of(content: bytes, name: str) -> Mapping[str, Array]:
    """The arrays in the bytes of a file; they share its memory.

    Raises:
        ParseError: It is damaged, or has elements of a type that is not known.
    """
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    start = LENGTH_BYTES + length
    if len(content) < LENGTH_BYTES or length > MOST_HEADER_BYTES or start > len(content):
        raise ParseError(f"{name} is no .safetensors file: its header is longer than the file")
    try:
        header: Any = json.loads(content[LENGTH_BYTES:start])
        rows = {key: row for key, row in header.items() if key != "__metadata__"}
        data = memoryview(content)[start:]
        return MappingProxyType({key: array_of(row, data, key) for key, row in rows.items()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ParseError(f"{name} is a damaged .safetensors file: {error}") from error


def array_of(row: Mapping[str, Any], data: memoryview, name: str) -> Array:
    """The array that a row of the header describes.

    Raises:
        ValueError: The row is not valid.
    """
    storage = STORAGE.get(row["dtype"])
    if storage is None:
        raise ValueError(f"{name} has elements of type {row['dtype']}, which is not known")
    shape, (first, last) = tuple(row["shape"]), row["data_offsets"]
    dtype = np.dtype(storage)
    if not 0 <= first <= last <= len(data) or last - first != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"{name} does not have the elements of its shape")
    return np.frombuffer(data[first:last], dtype).reshape(shape)


def weights_bytes(weights: Mapping[str, Array]) -> bytes:
    """The bytes of a ``.safetensors`` file with arrays by name.

    Raises:
        ArgumentValueError: The format has no element type like that of an array.
    """
    rows: dict[str, Any] = {}
    parts: list[bytes] = []
    place = 0
    for name, array in weights.items():
        if array.dtype not in NAMES:
            raise ArgumentValueError(f"{name}: .safetensors has no elements of {array.dtype}")
        part = np.ascontiguousarray(array).tobytes()
        rows[name] = {
            "dtype": NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [place, place + len(part)],
        }
        parts.append(part)
        place += len(part)
    header = json.dumps(rows).encode()
    header += b" " * (-len(header) % 8)  # so that elements are aligned
    return b"".join([len(header).to_bytes(LENGTH_BYTES, "little"), header, *parts])

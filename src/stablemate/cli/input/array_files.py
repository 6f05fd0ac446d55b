"""Reads and writes arrays in files: ``.npy``, ``.npz``, and raw little-endian elements.

``.safetensors`` and tensors of ONNX (``.pb``) are read, too.

Types that NumPy does not know by name (bf16, the narrow floats and integers) stand in a ``.npy``
as void elements of their size, as ``numpy.save`` writes them, and are read with the type that the
program expects. A raw file has a byte for each element that is narrower; one of HLO with a layout
of its own is the buffer in that layout.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Final

import numpy as np

from stablemate.atomic_files import Writer, is_special
from stablemate.cli.input.array_literals import short_type
from stablemate.cli.options import STDIN
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    LimitError,
    ParseError,
    UnsupportedError,
)
from stablemate.diagnostics.file_errors import reason
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.execution.signature import shape_fits, text_of
from stablemate.fork_safety import cached_property
from stablemate.formats.mlir.literal_reader import elements_of_bytes
from stablemate.formats.recognition import read_stream
from stablemate.formats.safetensors import weights_of
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import OF_ML_DTYPES, Array
from stablemate.numerics.literal_data import hex_bytes

ARCHIVE: Final = re.compile(r"(.*\.(?:npz|safetensors))(?::(.*))?", re.DOTALL)
WEIGHTS: Final = ".safetensors"
TENSOR: Final = ".pb"  # of ONNX
HEADER_BYTES: Final = 128
# How numpy.save writes f8E5M2, which numpy.load refuses, and what it can read.
UNREADABLE: Final = b"'<f1'"
READABLE: Final = b"'|V1'"
if TYPE_CHECKING:
    from stablemate.xla.shape import Shape


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """The file, or the member of an archive, that holds an array.

    Attributes:
        path: The file; ``-`` is stdin or stdout, in the format of a ``.npy``.
        member: Its name in a ``.npz`` or ``.safetensors``; empty for the only one.
    """

    path: str
    member: str = ""

    def __str__(self) -> str:
        if self.path == STDIN:
            return "stdin"
        return f"@{self.path}:{self.member}" if self.member else f"@{self.path}"

    @property
    def is_archive(self) -> bool:
        """Whether the file holds several arrays."""
        return self.path.endswith((".npz", WEIGHTS))

    @property
    def is_raw(self) -> bool:
        """Whether the file records neither type nor shape."""
        return self.path != STDIN and not self.path.endswith((".npy", ".npz", WEIGHTS, TENSOR))


def array_file(text: str) -> ArrayFile:
    """The file that ``a.npy``, ``a.npz:name`` or ``raw.bin`` names."""
    match = ARCHIVE.fullmatch(text)
    return ArrayFile(match[1], match[2] or "") if match else ArrayFile(text)


class SharedFiles:
    """The files of several arrays: stdin, in which they follow one another, and weights."""

    def __init__(self) -> None:
        self.weights_by_path: dict[str, Mapping[str, Array]] = {}

    @cached_property
    def stdin(self) -> BytesIO:
        """The whole content of stdin."""
        return BytesIO(read_at_most(sys.stdin.buffer, "stdin"))

    def weights(self, path: str) -> Mapping[str, Array]:
        """The arrays of a ``.safetensors`` by name.

        Raises:
            ArgumentValueError: The file is damaged, or cannot be read.
        """
        if path not in self.weights_by_path:
            try:
                self.weights_by_path[path] = weights_of(read_bytes(path), path)
            except ParseError as error:
                raise ArgumentValueError(error.diagnostics) from error
            except OSError as error:
                raise ArgumentValueError(f"cannot read {path}: {reason(error)}") from error
        return self.weights_by_path[path]


# ---- reading


def read_array(
    file: ArrayFile,
    value_type: TensorType,
    what: str,
    shared: SharedFiles,
    buffer: Shape | None = None,
) -> Array:
    """The array in a file; ``buffer`` specifies the layout of a raw one that is not row-major.

    Raises:
        ArgumentTypeError: Its elements are of another type.
        ArgumentValueError: It has another shape, or the file cannot be read.
    """
    try:
        if file.is_raw and buffer is not None:
            return buffer.from_buffer(read_bytes(file.path, buffer.buffer_bytes))
        if file.is_raw:
            return read_raw(file, value_type, what)
        array = read_numpy(file, shared)
    except OSError as error:
        raise ArgumentValueError(f"cannot read {file.path}: {reason(error)}") from error
    array = with_elements(array, value_type)
    message = f"{what} is {value_type}, but {file} holds {text_of(array)}"
    if array.dtype != value_type.element_type.dtype:
        raise ArgumentTypeError(message)
    if not shape_fits(array.shape, value_type):
        raise ArgumentValueError(message)
    return array


def read_bytes(path: str, needed: int | None = None) -> bytes:
    """The content of a file; of a device or a pipe at most one byte more than is needed.

    Raises:
        OSError: It cannot be read.
        ArgumentValueError: It has no end.
    """
    with Path(path).open("rb") as stream:
        if not is_special(path):
            return stream.read()
        return read_at_most(stream, path) if needed is None else stream.read(needed + 1)


def read_at_most(stream: BinaryIO, name: str) -> bytes:
    """The content of a stream, up to a limit.

    Raises:
        ArgumentValueError: It has no end.
    """
    try:
        content = read_stream(stream, name, DEFAULT_LIMITS)
        assert isinstance(content, bytes)
        return content
    except LimitError as error:
        raise ArgumentValueError(error.diagnostics) from error


def read_numpy(file: ArrayFile, shared: SharedFiles) -> Array:
    """The array in a ``.npy`` or ``.npz``."""
    if file.path == STDIN:
        return read_npy(shared.stdin, "stdin")
    if file.path.endswith(TENSOR):
        return read_onnx_tensor(file.path)
    if file.path.endswith(WEIGHTS):
        return read_weight(file, shared.weights(file.path))
    if file.is_archive:
        return read_npy(BytesIO(member_bytes(file)), str(file))
    with Path(file.path).open("rb") as stream:
        return read_npy(stream, file.path)


def read_onnx_tensor(path: str) -> Array:
    """The array in a ``.pb``, a tensor of ONNX.

    Raises:
        ArgumentValueError: It is none.
    """
    from stablemate.frontends.onnx.onnx_package import read_tensor  # few runs read tensors

    try:
        return read_tensor(read_bytes(path), path)
    except (ParseError, UnsupportedError) as error:
        raise ArgumentValueError(error.diagnostics) from error


def read_weight(file: ArrayFile, weights: Mapping[str, Array]) -> Array:
    """The array that a file of weights has by a name.

    Raises:
        ArgumentValueError: There is none of this name.
    """
    name = file.member or (next(iter(weights)) if len(weights) == 1 else "")
    if name in weights:
        return weights[name]
    names = ", ".join(weights) or "nothing"
    raise ArgumentValueError(
        f"no array '{name}' in {file.path}, which holds {names}"
        if name
        else f"which array of {file.path}? write @{file.path}:NAME; it holds {names}"
    )


def read_npy(stream: BinaryIO, name: str) -> Array:
    """The next array of a stream in the ``.npy`` format."""
    if not stream.seekable():
        stream = BytesIO(read_at_most(stream, name))
    header = stream.read(HEADER_BYTES)
    stream.seek(-len(header), 1)
    if UNREADABLE in header:
        stream = stream if isinstance(stream, BytesIO) else BytesIO(stream.read())
        start = stream.tell()
        stream.seek(start + header.index(UNREADABLE))
        stream.write(READABLE)
        stream.seek(start)
    try:
        array: Array = np.lib.format.read_array(stream, allow_pickle=False)
        return array
    except OSError:
        raise
    except Exception as error:  # NumPy may trip over a broken header anywhere
        raise ArgumentValueError(f"cannot read {name} as a .npy: {error}") from error


def member_bytes(file: ArrayFile) -> bytes:
    """The ``.npy`` inside a ``.npz``."""
    from stablemate.cli.input.array_archives import read_member  # few runs read archives

    return read_member(file.path, file.member)


def with_elements(array: Array, value_type: TensorType) -> Array:
    """The array in native byte order; void elements become those of the type if they fit it."""
    dtype = value_type.element_type.dtype
    if (
        array.dtype.kind == "V"
        and array.dtype.names is None
        and array.dtype.itemsize == dtype.itemsize
    ):
        data = elements_of_bytes(np.asarray(array, order="C").tobytes(), dtype, array.size)
        return array if data is None else data.reshape(array.shape)
    if array.dtype.kind == "b":
        return np.asarray(array.view(np.uint8) != 0)  # a byte of a file may be neither 0 nor 1
    return np.asarray(array, array.dtype.newbyteorder("="), order="C")


def read_raw(file: ArrayFile, value_type: TensorType, what: str) -> Array:
    """The elements of a raw file; one unknown size is inferred from the number of bytes."""
    dtype = value_type.element_type.dtype
    known_size = math.prod(size for size in value_type.shape if size != DYNAMIC)
    raw = read_bytes(
        file.path, None if DYNAMIC in value_type.shape else known_size * dtype.itemsize
    )
    shape = value_type.shape
    if shape.count(DYNAMIC) == 1 and known_size and len(raw) % (known_size * dtype.itemsize) == 0:
        size = len(raw) // (known_size * dtype.itemsize)
        shape = tuple(size if dimension == DYNAMIC else dimension for dimension in shape)
    if DYNAMIC in shape:
        raise ArgumentValueError(
            f"{what}: {len(raw)} bytes of {file} do not tell the shape of {short_type(value_type)}"
        )
    needed = known_size if DYNAMIC not in value_type.shape else math.prod(shape)
    data = elements_of_bytes(raw, dtype, needed) if len(raw) == needed * dtype.itemsize else None
    if data is None:
        needed_bytes = needed * dtype.itemsize
        raise ArgumentValueError(
            f"{what}: {short_type(value_type)} has {needed_bytes} bytes, {file} has {len(raw)}"
        )
    return data.reshape(shape)


# ---- writing


def file_writers(
    files: Sequence[ArrayFile], arrays: Sequence[Array], buffers: Sequence[Shape | None] = ()
) -> dict[str, Writer]:
    """The writer of each file: members of one archive, or arrays on stdout, are written together.

    A raw file gets the buffer in the layout of ``buffers``, where that has one.
    """
    contents: dict[str, list[tuple[str, Array]]] = {}
    for file, array, buffer in zip_longest(files, arrays, buffers):
        if file is None:
            break
        laid = buffer.to_buffer(array) if file.is_raw and buffer is not None else array
        contents.setdefault(file.path, []).append((file.member, laid))
    return {path: writer_of(ArrayFile(path), arrays) for path, arrays in contents.items()}


def writer_of(file: ArrayFile, members: Sequence[tuple[str, Array]]) -> Writer:
    """The writer of the arrays of one file."""

    def write(stream: BinaryIO) -> None:
        if file.is_archive:
            from stablemate.cli.input.array_archives import write_archive  # few runs write them

            write_archive(stream, dict(members), write_npy)
            return
        for _, array in members:
            if file.is_raw:
                stream.write(hex_bytes(np.asarray(array, order="C").reshape(-1)))
            else:
                write_npy(stream, array)

    return write


def write_npy(stream: IO[bytes], array: Array) -> None:
    """Writes a ``.npy``; unlike NumPy also to a pipe."""
    is_known = array.dtype.isbuiltin != OF_ML_DTYPES
    plain = np.asarray(array if is_known else array.view(f"V{array.dtype.itemsize}"), order="C")
    header = np.lib.format.header_data_from_array_1_0(plain)
    np.lib.format.write_array_header_1_0(stream, header)
    stream.write(plain.tobytes())

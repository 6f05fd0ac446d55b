"""Output of a program on the host: printed tensors, and files of probes.

Source: StableHLO's interpreter dialect, print and probe.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Final

import numpy as np

from stablemate.atomic_files import write_atomically
from stablemate.diagnostics.errors import EvaluationError
from stablemate.diagnostics.file_errors import path_name
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import OF_ML_DTYPES, Array, DType
from stablemate.numerics.float_text import format_floats

INDEX_FILE: Final = "index.csv"


def tensor_text(tensor_type: TensorType, array: Array) -> str:
    """A tensor as ``interpreter.print`` shows it: its type, and its elements row by row."""
    actual = tensor_type.with_shape(array.shape)
    body = nested_text(element_texts(array), array.shape, 1)
    return f"{actual} {{\n  {body}\n}}" if array.shape else f"{actual} {{{body}}}"


def nested_text(texts: Sequence[str], shape: Sequence[int], indent: int) -> str:
    """Elements in brackets, one innermost row on a line."""
    if not shape:
        return texts[0]
    if len(shape) == 1:
        return f"[{', '.join(texts)}]"
    if not shape[0]:
        return "[]"
    size = len(texts) // shape[0]
    parts = (texts[i * size : (i + 1) * size] for i in range(shape[0]))
    start = "\n" + "  " * (indent + 1)
    rows = ",".join(start + nested_text(part, shape[1:], indent + 1) for part in parts)
    return f"[{rows}\n{'  ' * indent}]"


def element_texts(array: Array) -> list[str]:
    """The elements in row-major order; floats as MLIR prints them."""
    if array.dtype.kind == "c":
        pairs = zip(format_floats(np.real(array)), format_floats(np.imag(array)), strict=True)
        return [f"[{real}, {imaginary}]" for real, imaginary in pairs]
    if array.dtype.kind == "b":
        return ["true" if element else "false" for element in array.reshape(-1)]
    if is_integer(array.dtype):
        return [str(int(element)) for element in array.reshape(-1)]
    return format_floats(array)


def is_integer(dtype: DType) -> bool:
    """Whether elements are integers, the narrow ones of ml_dtypes included."""
    return dtype.kind in "iu" or "int" in dtype.name


class Probes:
    """The directory that probes write to: ``probeN.npy``, and ``index.csv``.

    Each record is a file; its line in the index is ``probe_id,type,path``. Elements of types that
    NumPy does not know stand there as unsigned integers with the same bits. The first record
    replaces an index of earlier runs.

    Attributes:
        directory: Where; None if probes may not write.
    """

    def __init__(self, directory: str | PathLike[str] | None) -> None:
        self.directory = None if directory is None else Path(path_name(directory))
        self.written = 0

    def record(self, probe_id: str, tensor_type: TensorType, value: object) -> None:
        """Writes a value.

        Raises:
            EvaluationError: It cannot be written.
        """
        array = np.asarray(value)
        actual = tensor_type.with_shape(array.shape)
        mode = "a" if self.written else "w"
        self.written += 1
        path = self.place() / f"probe{self.written}.npy"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, partial(np.save, arr=plain(array)))
            with (self.place() / INDEX_FILE).open(mode, newline="") as file:
                csv.writer(file, lineterminator="\n").writerow([probe_id, str(actual), str(path)])
        except OSError as error:
            raise EvaluationError(f"the probe cannot be written: {error}") from None

    def recall(self, probe_id: str, iteration: int, tensor_type: TensorType) -> Array:
        """The value that a probe wrote when it ran for the n-th time, counted from 1.

        Raises:
            EvaluationError: There is no such record, or it is of another type.
        """
        paths = [path for name, path in self.lines() if name == probe_id]
        if not 1 <= iteration <= len(paths):
            message = f"probe {probe_id!r} has {len(paths)} records, and {iteration} is asked for"
            raise EvaluationError(message)
        try:
            stored = np.load(paths[iteration - 1], allow_pickle=False)
        except (OSError, ValueError) as error:
            raise EvaluationError(f"the record of a probe cannot be read: {error}") from None
        dtype = tensor_type.element_type.dtype
        if stored.dtype != dtype and stored.dtype.itemsize != dtype.itemsize:
            message = f"probe {probe_id!r} has elements of {stored.dtype}, not {tensor_type}"
            raise EvaluationError(message)
        restored: Array = stored if stored.dtype == dtype else stored.view(dtype)
        return restored

    def lines(self) -> Iterator[tuple[str, str]]:
        """The probe and the file of every record."""
        try:
            with (self.place() / INDEX_FILE).open(newline="") as file:
                for row in csv.reader(file):
                    yield row[0], row[-1]
        except OSError as error:
            raise EvaluationError(f"the records of probes cannot be read: {error}") from None

    def place(self) -> Path:
        """The directory that holds the records of probes."""
        if self.directory is None:
            message = "where are the records of probes? Give probe_dir, or --probe-dir"
            raise EvaluationError(message)
        return self.directory


def plain(array: Array) -> Array:
    """The array in a type that NumPy can write."""
    is_numpy_dtype = array.dtype.kind in "biufc" and array.dtype.isbuiltin != OF_ML_DTYPES
    return array if is_numpy_dtype else array.view(f"u{array.dtype.itemsize}")

"""Loads a native library that ``build`` made, and calls it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from stablemate.deployment.interface import OPEN
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import file_errors
from stablemate.formats.mlir.parser import parse_type
from stablemate.ir.types import DYNAMIC, BoundsAttribute, TensorType
from stablemate.numerics.elements import Array

PREFIX: Final = "lib"
SUFFIX: Final = ".so"


class ValueRecord(ctypes.Structure):
    """An argument or a result, as the header of a library declares it."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("element_type", ctypes.c_char_p),
        ("rank", ctypes.c_size_t),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("bytes", ctypes.c_size_t),
        ("alignment", ctypes.c_size_t),
    )


class LibraryValue(NamedTuple):
    """An argument or a result.

    Attributes:
        name: What the program calls it; may be empty.
        type: Its type; sizes that the batch decides are open.
    """

    name: str
    type: TensorType


class LoadedLibrary:
    """A library in this process, with an instance of its program: one call at a time.

    Attributes:
        name: The prefix of its functions.
        most_batch: The largest batch; None if all sizes are static.
        arguments: Its arguments.
        results: Its results.
    """

    def __init__(self, path: Path, threads: int | None = None) -> None:
        """Loads a library, whose code then runs in this process.

        Args:
            path: The library, ``libNAME.so``.
            threads: How many threads may work for a call; by default one for each processor.

        Raises:
            FileError: The file cannot be read.
            ArgumentValueError: It is no such library, is not for this processor, or lacks weights.
        """
        self.path = path
        self.name = library_name(path)
        with file_errors("read", str(path)), path.open("rb"):
            pass
        try:
            self.library = ctypes.CDLL(str(path.resolve()))
        except OSError as error:
            raise ArgumentValueError(f"no library that this system loads: {error}") from None
        number, pointer = ctypes.c_size_t, ctypes.POINTER(ValueRecord)
        self.error = self.function("error", ctypes.c_char_p)
        create = self.function("create", ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
        call = (ctypes.c_void_p, ctypes.c_void_p)
        self.call = self.function("call", ctypes.c_int, ctypes.c_void_p, *call)
        self.most_batch: int | None = None
        if hasattr(self.library, f"{self.name}_call_batch"):
            self.most_batch = self.function("most_batch", ctypes.c_int64)()
            batch = (ctypes.c_void_p, ctypes.c_int64)
            self.call_batch = self.function("call_batch", ctypes.c_int, *batch, *call)
            self.batch_result = self.function("batch_result", pointer, ctypes.c_int64, number)
        self.result = self.function("result", pointer, number)
        counts = [self.function(f"{kind}_count", number)() for kind in ("argument", "result")]
        argument = self.function("argument", pointer, number)
        self.arguments = [self.describe_value(argument(n)[0]) for n in range(counts[0])]
        self.results = [self.describe_value(self.result(n)[0]) for n in range(counts[1])]
        self.instance = create(None, threads or 0)
        if not self.instance:
            raise ArgumentValueError(f"{path} cannot be used: {self.message()}")

    def function(self, verb: str, result: object, *arguments: object) -> Any:
        """A function of the library.

        Raises:
            ArgumentValueError: It has none of this name.
        """
        try:
            function = getattr(self.library, f"{self.name}_{verb}")
        except AttributeError:
            raise ArgumentValueError(
                f"{self.path} was not made by `stablemate build`: it has no {self.name}_{verb}"
            ) from None
        function.restype, function.argtypes = result, list(arguments)
        return function

    def describe_value(self, record: ValueRecord) -> LibraryValue:
        """An argument or a result."""
        shape = record.shape[: record.rank]
        sizes = "".join(f"{'?' if size == OPEN else size}x" for size in shape)
        type_ = parse_type(f"tensor<{sizes}{record.element_type.decode()}>")
        assert isinstance(type_, TensorType)
        if self.most_batch is not None and not type_.is_static:
            bounds = [self.most_batch if size == OPEN else DYNAMIC for size in shape]
            type_ = TensorType(type_.shape, type_.element_type, BoundsAttribute(tuple(bounds)))
        return LibraryValue(record.name.decode(errors="replace"), type_)

    def message(self) -> str:
        """Why the last call of this thread failed."""
        text: bytes = self.error()
        return text.decode(errors="replace")

    def __call__(self, *arrays: Array) -> Array | tuple[Array, ...]:
        """Runs the program on arrays of the types of its arguments.

        Returns:
            One result as an array, several as a tuple.

        Raises:
            ArgumentValueError: The library does not take this batch, or arguments have different
                ones.
        """
        arguments = [np.require(array, requirements=("C", "A")) for array in arrays]
        batch = self.batch_of(arguments)
        results = [*self.empty_results(batch)]
        lists = (addresses(arguments), addresses(results))
        if batch is None:
            failed = self.call(self.instance, *lists)
        else:
            failed = self.call_batch(self.instance, batch, *lists)
        if failed:
            raise ArgumentValueError(self.message())
        return results[0] if len(results) == 1 else tuple(results)

    def batch_of(self, arguments: Sequence[Array]) -> int | None:
        """The batch that arguments have; None if all sizes are static.

        Raises:
            ArgumentValueError: The library has no such batch, or arguments have different ones.
        """
        if self.most_batch is None:
            return None
        batches: set[int] = {
            size
            for array, value in zip(arguments, self.arguments, strict=True)
            for size, declared in zip(array.shape, value.type.shape, strict=True)
            if declared == DYNAMIC
        }
        if len(batches) > 1:
            listed = ", ".join(map(str, sorted(batches)))
            raise ArgumentValueError(f"open sizes are one batch, but are {listed}")
        (batch,) = batches
        if not 1 <= batch <= self.most_batch:
            raise ArgumentValueError(f"the batch is {batch}, but may be 1 to {self.most_batch}")
        return batch

    def empty_results(self, batch: int | None) -> Iterator[Array]:
        """Memory for the results of a batch."""
        for number, value in enumerate(self.results):
            found = self.result(number) if batch is None else self.batch_result(batch, number)
            yield np.empty(found[0].shape[: found[0].rank], value.type.element_type.dtype)


def library_name(path: Path) -> str:
    """The prefix of the functions of a library.

    Raises:
        ArgumentValueError: The name is not that of a library.
    """
    if path.suffix != SUFFIX or not path.stem.startswith(PREFIX):
        raise ArgumentValueError(f"{path} is not named as `stablemate build` names it: libNAME.so")
    return path.stem.removeprefix(PREFIX)


def addresses(arrays: Sequence[Array]) -> ctypes.Array[ctypes.c_void_p]:
    """The addresses of arrays, as the functions of a library take them."""
    return (ctypes.c_void_p * (len(arrays) + 1))(*(array.ctypes.data for array in arrays))

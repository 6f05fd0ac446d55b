"""Golden files: programs as text, arrays as archives of NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from stablemate.analysis.tables import TextTable, text_of
from stablemate.analysis.tolerance import Tolerance
from stablemate.api.loading import load
from stablemate.api.module import Module
from stablemate.atomic_files import write_atomically
from stablemate.debugging.closeness import closeness
from stablemate.debugging.tables import ERRORS, cells_of, elements_table
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array, element_of_dtype
from stablemate.testing import assert_programs_equal

TYPES = "types"  # of the arrays, which NumPy does not know all


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A program as text."""

    path: Path

    def write(self, module: Module) -> None:
        """Writes a program as text, atomically."""
        write_atomically(self.path, lambda stream: stream.write(str(module).encode()))

    def check(self, module: Module) -> None:
        """Asserts that a program is the same by structure.

        Raises:
            AssertionError: It is not.
        """
        __tracebackhide__ = True
        assert_programs_equal(module, load(self.path))


@dataclass(frozen=True, slots=True)
class ArraysFile:
    """Arrays.

    Attributes:
        path: The archive.
        tolerance: What is near enough.
    """

    path: Path
    tolerance: Tolerance | None

    def write(self, value: object) -> None:
        """Writes arrays and their element types as ``.npz``."""
        arrays = arrays_of(value)
        types = np.array([array.dtype.name for array in arrays])
        parts: dict[str, Array] = {f"arr_{i}": array for i, array in enumerate(arrays)}
        members: dict[str, Any] = {TYPES: types, **parts}
        write_atomically(self.path, lambda stream: np.savez(stream, **members))

    def read(self) -> list[Array]:
        """The arrays of the file."""
        with np.load(self.path, allow_pickle=False) as archive:
            names: list[str] = archive[TYPES].tolist()
            arrays: list[Array] = []
            for i, name in enumerate(names):
                stored, dtype = cast(Array, archive[f"arr_{i}"]), np.dtype(name)
                arrays.append(stored if stored.dtype == dtype else stored.view(dtype))
            return arrays

    def check(self, value: object) -> None:
        """Asserts that arrays are near enough to those of the file.

        Raises:
            AssertionError: One is not, or there are more or fewer.
        """
        __tracebackhide__ = True
        actual, expected = arrays_of(value), self.read()
        if len(actual) != len(expected):
            raise AssertionError(f"{len(actual)} arrays, but {self.path} has {len(expected)}")
        tables: list[TextTable] = []
        for i, (a, b) in enumerate(zip(actual, expected, strict=True)):
            close = closeness(a, b, self.tolerance)
            if not close.matches:
                row = [f"array {i}", *cells_of(close)]
                tables.append(TextTable("", ("", *ERRORS, "verdict "), [row]))
                tables += elements_table(f"array {i}", close)
        if tables:
            raise AssertionError(f"other values than in {self.path}:\n{text_of(tables)}")


def arrays_of(value: object) -> Sequence[Array]:
    """One array or several.

    Raises:
        TypeError: They are no tensors.
    """
    is_several = isinstance(value, tuple | list)
    values = cast(Sequence[Any], value) if is_several else (value,)
    arrays: list[Array] = [np.asarray(value) for value in values]
    for array in arrays:
        if element_of_dtype(array.dtype) is None:
            raise TypeError(f"a golden file holds programs and arrays, not {array.dtype}")
    return arrays

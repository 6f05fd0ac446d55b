"""Programs run in memory between pages that nobody may touch: what leaves it is a fault.

Arguments, results, constants, the arena and the table of steps each stand alone in their pages,
flush against the page behind their end or the page before their beginning, as near as alignment
lets them. Memory that is to be written to holds no zeros before. Run this in a child process.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

import numpy as np

from stablemate.compiler.codegen.loader import Loaded
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.program.image import ProgramImage
from stablemate.compiler.runtime.instance import ALIGNMENT, Instance
from stablemate.numerics.elements import Array

PAGE: Final = mmap.PAGESIZE
NO_ACCESS: Final = 0  # PROT_NONE
NOT_WRITTEN: Final = 0xFF  # NaN in every format of floats that has one
LIBRARY: Final = ctypes.CDLL(None, use_errno=True)


def fenced(shape: Sequence[int], dtype: Any, alignment: int, *, at_end: bool) -> Array:
    """An array of its own pages, between two that may not be touched.

    Args:
        shape: Its shape.
        dtype: Its NumPy type.
        alignment: What its address is a multiple of.
        at_end: Whether it ends where the last page begins, rather than begins behind the first.
    """
    size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
    inner = -(-size // PAGE) * PAGE
    pages = mmap.mmap(-1, inner + 2 * PAGE)
    raw = np.frombuffer(pages, np.uint8)
    raw[PAGE : PAGE + inner] = NOT_WRITTEN
    for start in (0, PAGE + inner):
        if LIBRARY.mprotect(ctypes.c_void_p(raw.ctypes.data + start), PAGE, NO_ACCESS):
            raise OSError(ctypes.get_errno(), "mprotect")
    offset = PAGE + (inner - size) // alignment * alignment if at_end else PAGE
    return np.ndarray(shape, dtype, pages, offset)


def moved(array: Array, alignment: int, *, at_end: bool) -> Array:
    """The same elements between pages that may not be touched."""
    copy = fenced(array.shape, array.dtype, alignment, at_end=at_end)
    copy[...] = array
    return copy


class Guarded(Instance):
    """A program in memory whose buffers end at a page that may not be touched."""

    at_end: ClassVar[bool] = True

    def __init__(self, image: ProgramImage, *rest: Any) -> None:
        constants = [self.constant(constant) for constant in image.constants]
        super().__init__(replace(image, constants=constants), *rest)

    def constant(self, content: Any) -> Array:
        """A constant, which may be bytes of a cached program."""
        array = np.ascontiguousarray(content).reshape(-1).view(np.uint8)
        return moved(array, ALIGNMENT, at_end=self.at_end)

    def relocate(self, code: Loaded) -> None:
        """Moves the arena and the table of steps before their addresses are used."""
        self.arena = fenced(self.arena.shape, np.uint8, ALIGNMENT, at_end=self.at_end)
        self.words = moved(self.words, 8, at_end=self.at_end)
        super().relocate(code)


class GuardedBefore(Guarded):
    """A program in memory whose buffers begin behind a page that may not be touched."""

    at_end: ClassVar[bool] = False


def guarded(
    executable: CompiledExecutable, arguments: Sequence[Any], *, at_end: bool
) -> list[Array]:
    """The results of a program that runs in guarded memory; it asks nobody while it runs."""
    instance: Any = executable.instance(Guarded if at_end else GuardedBefore)
    collected = [
        moved(argument, argument.dtype.itemsize, at_end=at_end)
        for argument in executable.checked_arguments(arguments)
    ]
    results = [
        fenced(shape, dtype, dtype.itemsize, at_end=at_end)
        for shape, dtype in instance.result_types
    ]
    instance.write_arguments(collected)
    instance.write_addresses(instance.result_rows, results)
    instance.run(collected, results)
    return [np.array(result) for result in results]

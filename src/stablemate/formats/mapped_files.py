"""Files that are mapped: what was read of them need not stay in memory."""

from __future__ import annotations

import mmap as mmap_module
from collections.abc import Iterable
from mmap import mmap
from typing import Final

import numpy as np

from stablemate.numerics.elements import Array

RELEASE: Final[int | None] = getattr(mmap_module, "MADV_DONTNEED", None)


def release_pages(arrays: Iterable[Array]) -> None:
    """Takes mapped files that arrays are parts of out of memory, until they are read again."""
    if RELEASE is None:
        return
    for file in {file for file in map(mapped_file, arrays) if file is not None}:
        file.madvise(RELEASE)


def mapped_file(array: Array) -> mmap | None:
    """The file that an array is a part of, which nobody can write through this array."""
    part: object = array
    while isinstance(part, np.ndarray):
        memory: object = part.base
        if isinstance(memory, mmap) and isinstance(part, np.memmap):
            return memory if part.mode == "r" else None
        part = memory
    return None

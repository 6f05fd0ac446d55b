"""Copies of views with large strides, in blocks that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np

from stablemate.numerics.elements import Array

FEW: Final = 64  # elements in trailing dimensions that are copied one at a time
NEAR: Final = 64  # elements along the dimension that is contiguous before
LAST: Final = 256  # elements along the one that is contiguous afterwards
WIDE: Final = 32  # elements along both that are worth such pieces
CACHE: Final = 1 << 18  # bytes


def in_order(array: Array) -> Array:
    """The elements in contiguous order: the array itself if it is contiguous, else a copy."""
    if array.flags.c_contiguous:
        return array
    copy = np.empty(array.shape, array.dtype)
    source, target = array.squeeze(), copy.squeeze()
    for piece in contiguous_slices(source):
        target[piece] = source[piece]
    return copy


def contiguous_slices(source: Array) -> Iterator[tuple[Any, ...]]:
    """Indices that together make up the array, one piece each."""
    near, last = int(np.argmin(np.abs(source.strides))), source.ndim - 1
    if near != last and min(source.shape[near], source.shape[last]) >= WIDE:
        steps = [1] * source.ndim
        steps[near], steps[last] = NEAR, LAST
        yield from product(*map(slices, source.shape, steps))
        return
    inner = first_copied_dimension(source.shape)
    rows = max(1, CACHE * source.shape[0] // max(source.nbytes, 1))
    for leading in slices(source.shape[0], rows):
        for end in np.ndindex(*source.shape[inner:]):
            yield (leading, ..., *end)


def slices(size: int, step: int) -> Iterator[slice]:
    """``[0:step], [step:2*step], ...``."""
    return (slice(start, start + step) for start in range(0, size, step))


def first_copied_dimension(shape: tuple[int, ...]) -> int:
    """The dimension after which so few elements follow that each is copied separately."""
    inner = len(shape)
    while inner > 1 and prod(shape[inner - 1 :]) <= FEW:
        inner -= 1
    return inner

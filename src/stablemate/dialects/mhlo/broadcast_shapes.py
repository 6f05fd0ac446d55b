"""Shapes of least rank that broadcast as other shapes do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest


def minimum_broadcast_shapes(shapes: Sequence[Sequence[int]]) -> list[list[int]]:
    """Merges neighboring dimensions that all shapes broadcast in the same way.

    Args:
        shapes: The shapes, aligned at their last dimensions.

    Returns:
        A reshape of each shape; the broadcast of these is a reshape of the broadcast of ``shapes``.

    Source: MHLO dialect, minimum_broadcast_shapes.
    """
    merged: list[list[int]] = [[] for _ in shapes]
    previous: tuple[bool, ...] | None = None
    for sizes in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        stretched = tuple(size == 1 for size in sizes)
        if all(stretched):
            continue
        for result, size in zip(merged, sizes, strict=True):
            if stretched == previous:
                result[-1] *= size
            else:
                result.append(size)
        previous = stretched
    return [without_leading_ones(result[::-1]) for result in merged]


def without_leading_ones(shape: list[int]) -> list[int]:
    """A shape from its first size other than one; broadcasting adds the others."""
    first = next((i for i, size in enumerate(shape) if size != 1), len(shape))
    return shape[first:]

"""Rules for attributes that list dimensions or sizes."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.ir.types import DYNAMIC


def is_sorted(dimensions: Sequence[int]) -> bool:
    """Whether the numbers do not decrease."""
    return list(dimensions) == sorted(dimensions)


def is_unique(dimensions: Sequence[int]) -> bool:
    """Whether no number occurs twice."""
    return len(set(dimensions)) == len(dimensions)


def is_within(dimensions: Sequence[int], rank: int) -> bool:
    """Whether all numbers are dimensions of a tensor of this rank."""
    return all(0 <= d < rank for d in dimensions)


def at_most(sizes: Sequence[int], shape: Sequence[int]) -> bool:
    """Whether sizes are not negative and lie within a shape, as far as that is known."""
    return all(
        size >= 0 and (size <= limit or limit == DYNAMIC)
        for size, limit in zip(sizes, shape, strict=True)
    )

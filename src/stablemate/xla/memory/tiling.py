"""Positions of array elements from indices, and back, under tiles.

A layout first puts the dimensions into an order, major to minor. Then each tile cuts the minor
ones into blocks: sizes ``d`` become ``(ceil(d / t) ..., t ...)``, an index ``e`` becomes
``(floor(e / t) ..., e mod t ...)``. What results is row-major.

Source: XLA, "Tiled layout".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.xla.layout import COMBINED, Layout, Tile

Sizes: TypeAlias = tuple[int, ...]
Index: TypeAlias = Sequence[Any]  # integers, or arrays of integers of one shape


@dataclass(frozen=True, slots=True)
class TileStep:
    """One tile applied to sizes that were, major to minor.

    Attributes:
        groups: The sizes before it; those in one group become one dimension.
        kept: How many leading groups the tile leaves alone.
        tile: Sizes of the tile, of the groups behind those.
    """

    groups: tuple[Sizes, ...]
    kept: int
    tile: Sizes

    @property
    def sizes(self) -> Sizes:
        """Sizes with each group merged."""
        return tuple(prod(group) for group in self.groups)

    @property
    def counts(self) -> Sizes:
        """How many tiles there are along each tiled dimension."""
        tiled = zip(self.sizes[self.kept :], self.tile, strict=True)
        return tuple(-(-size // tile) for size, tile in tiled)

    @property
    def result(self) -> Sizes:
        """The sizes that this step of tiling yields: kept, tile counts, tile."""
        return (*self.sizes[: self.kept], *self.counts, *self.tile)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The arrangement of dimensions in memory.

    Attributes:
        order: Dimension numbers, major to minor.
        sizes: Their sizes in that order.
        steps: The tiles.
        elements: Elements in memory, padding included.
    """

    order: tuple[int, ...]
    sizes: Sizes
    steps: tuple[TileStep, ...]
    elements: int

    @property
    def physical(self) -> Sizes:
        """Sizes in memory, major to minor, before padding at the end."""
        return self.steps[-1].result if self.steps else self.sizes

    def position(self, index: Index) -> Any:
        """The position in memory of the element at an index."""
        physical_index: Index = [index[number] for number in self.order]
        for step in self.steps:
            physical_index = tiled_index(step, physical_index)
        return sum(
            (
                position * s
                for position, s in zip(physical_index, strides_of(self.physical), strict=True)
            ),
            0,
        )

    def index(self, position: int) -> tuple[int, ...] | None:
        """The index of the element at a position; None where there is padding."""
        if position >= prod(self.physical):
            return None
        physical_index: Index = split(position, self.physical)
        for step in reversed(self.steps):
            before = untiled_index(step, physical_index)
            if before is None:
                return None
            physical_index = before
        physical_index = physical_index[len(physical_index) - len(self.order) :]
        index = dict(zip(self.order, physical_index, strict=True))
        return tuple(int(index[number]) for number in range(len(index)))


@lru_cache(maxsize=1 << 12)
def arrangement(dimensions: Sizes, layout: Layout) -> Arrangement:
    """The arrangement of an array of these sizes.

    Raises:
        ArgumentValueError: The layout is not one of these dimensions.
    """
    order = layout.minor_to_major[::-1]
    if sorted(order) != list(range(len(dimensions))):
        listed = ",".join(map(str, layout.minor_to_major))
        message = f"minor to major is a permutation of {len(dimensions)} dimensions, not {listed}"
        raise ArgumentValueError(message)
    sizes = tuple(dimensions[number] for number in order)
    steps: list[TileStep] = []
    current = sizes
    for tile in layout.tiles:
        if tile:
            steps.append(tile_step(current, tile))
            current = steps[-1].result
    alignment = max(layout.tail_padding, 1)
    return Arrangement(order, sizes, tuple(steps), -(-prod(current) // alignment) * alignment)


def tile_step(sizes: Sizes, tile: Tile) -> TileStep:
    """A tile on sizes; sizes of one are prepended where the tile has more dimensions."""
    sizes = (1,) * (len(tile) - len(sizes)) + sizes
    kept = len(sizes) - len(tile)
    groups: list[Sizes] = [(size,) for size in sizes[:kept]]
    merged: Sizes = ()
    for size, along in zip(sizes[kept:], tile, strict=True):
        merged = (*merged, size)
        if along != COMBINED:
            groups.append(merged)
            merged = ()
    if merged:
        raise ArgumentValueError(
            "`*` of a tile merges a dimension with the next, the last has none"
        )
    return TileStep(tuple(groups), kept, tuple(size for size in tile if size != COMBINED))


def strides_of(sizes: Sizes) -> Sizes:
    """The row-major strides of dimensions."""
    return tuple(accumulate(sizes[:0:-1], mul, initial=1))[::-1] if sizes else ()


def split(position: int, sizes: Sizes) -> tuple[int, ...]:
    """The row-major index of a position."""
    index: list[int] = []
    for size in reversed(sizes):
        position, last = divmod(position, size)
        index.append(last)
    return tuple(reversed(index))


def tiled_index(step: TileStep, index: Index) -> Index:
    """The index after a tile."""
    index = [0] * (sum(map(len, step.groups)) - len(index)) + list(index)
    merged: list[Any] = []
    start = 0
    for group in step.groups:
        parts = zip(index[start : start + len(group)], strides_of(group), strict=True)
        merged.append(sum(part * stride for part, stride in parts))
        start += len(group)
    tiled = list(zip(merged[step.kept :], step.tile, strict=True))
    return [*merged[: step.kept], *(e // t for e, t in tiled), *(e % t for e, t in tiled)]


def untiled_index(step: TileStep, index: Index) -> Index | None:
    """The index before a tile; None in the padding that the tile adds."""
    count = len(step.tile)
    outer, inner = index[step.kept : step.kept + count], index[step.kept + count :]
    tiled = zip(outer, inner, step.tile, strict=True)
    merged = [*index[: step.kept], *(o * t + i for o, i, t in tiled)]
    if any(position >= size for position, size in zip(merged, step.sizes, strict=True)):
        return None
    parts = zip(merged, step.groups, strict=True)
    return tuple(number for part, group in parts for number in split(part, group))

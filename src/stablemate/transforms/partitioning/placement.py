"""Placements: by which axes of a mesh the dimensions of a tensor are divided.

Source: Shardy, "Sharding representation".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import AxisRef, SubAxis
from stablemate.dialects.sdy.axes import AxisRange, append, merged_ranges, overlap
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.ir.types import TensorType

Axes: TypeAlias = tuple[AxisRange, ...]  # the major one first; adjacent parts of an axis are one


@dataclass(frozen=True, slots=True)
class TensorPlacement:
    """How the devices of a mesh share a tensor.

    Attributes:
        dimensions: The axes that divide each dimension.
        terms: The axes along which devices hold terms; the tensor is what they make up together.
        monoid: How the terms make it up, by the name of an operation: ``add``, ``maximum``, ...
    """

    dimensions: tuple[Axes, ...] = ()
    terms: Axes = ()
    monoid: str = "add"

    @property
    def is_whole(self) -> bool:
        """Whether every device holds the tensor itself."""
        return not self.terms and not any(self.dimensions)

    @property
    def counts(self) -> list[int]:
        """Into how many pieces each dimension is divided."""
        return [shard_count(axes) for axes in self.dimensions]

    @property
    def reduced(self) -> TensorPlacement:
        """The same for the tensor itself, in place of its terms."""
        return TensorPlacement(self.dimensions)

    def local(self, replicated: TensorType) -> TensorType:
        """The type of a piece."""
        shape = zip(replicated.shape, self.counts, strict=True)
        return replicated.with_shape([size // count for size, count in shape])

    def has_terms_of(self, other: TensorPlacement) -> bool:
        """Whether devices hold terms along the same axes, which make up the tensor alike."""
        return set(self.terms) == set(other.terms) and self.monoid == other.monoid

    def terms_in(self, other: TensorPlacement) -> list[AxisRange]:
        """The axes of the terms that another placement has too."""
        if self.monoid != other.monoid:
            return []
        return [part for part in self.terms if part in other.terms]

    def with_dimensions(self, dimensions: tuple[Axes, ...]) -> TensorPlacement:
        """The same with other axes for all dimensions."""
        return TensorPlacement(dimensions, self.terms, self.monoid)

    def with_axes(self, dimension: int, axes: Axes) -> TensorPlacement:
        """The same with other axes for one dimension."""
        changed = (*self.dimensions[:dimension], axes, *self.dimensions[dimension + 1 :])
        return TensorPlacement(changed, self.terms, self.monoid)

    def __str__(self) -> str:
        dimensions = ", ".join(f"{{{text_of(axes)}}}" for axes in self.dimensions)
        terms = f" {self.monoid} over {{{text_of(self.terms)}}}" if self.terms else ""
        return f"[{dimensions}]{terms}"


def replicated_placement(rank: int) -> TensorPlacement:
    """The placement of a tensor that every device holds."""
    return TensorPlacement(((),) * rank)


def text_of(axes: Iterable[AxisRange]) -> str:
    """``"x", "y":(1)2``: axes as Shardy spells them."""
    return ", ".join(format_axis(axis) for axis in axes)


def format_axis(part: AxisRange) -> str:
    """An axis, or a part of one."""
    sub_axis = None if part.start == 1 else SubAxis(part.start, part.size)
    return str(AxisRef(part.name, sub_axis))


def join_axes(*lists: Iterable[AxisRange]) -> Axes:
    """Axes one after the other."""
    return tuple(merged_ranges(chain(*lists)))


def shared_start(a: Sequence[AxisRange], b: Sequence[AxisRange]) -> Axes:
    """The longest list of axes with which both begin."""
    ranges: list[AxisRange] = []
    for one, other in zip(a, b, strict=False):
        if (one.name, one.start) != (other.name, other.start):
            break
        low, high = sorted((one.end, other.end))
        if high % low == 0:
            ranges.append(one if one.end == low else other)
        if low != high:
            break
    return tuple(ranges)


def axes_after(axes: Sequence[AxisRange], start: Sequence[AxisRange]) -> Axes:
    """The axes after a prefix."""
    if not start:
        return tuple(axes)
    place, last = len(start) - 1, start[-1]
    split = axes[place]
    rest: list[AxisRange] = []
    if split.end != last.end:
        rest.append(AxisRange(split.name, last.end, split.end))
    return (*rest, *axes[place + 1 :])


def starts_with(axes: Sequence[AxisRange], start: Sequence[AxisRange]) -> bool:
    """Whether axes begin with others."""
    return shared_start(axes, start) == tuple(start)


def are_disjoint(axes: Iterable[AxisRange], others: Iterable[AxisRange]) -> bool:
    """Whether two lists have no factor of an axis in common."""
    rest = list(others)
    return not any(overlap(a, b) for a in axes for b in rest)


def free_axes(axes: Iterable[AxisRange], used: Iterable[AxisRange]) -> Iterator[AxisRange]:
    """The parts of axes that others leave free."""
    taken = list(used)
    for part in axes:
        start = part.start
        overlapping = (other for other in taken if overlap(part, other))
        for other in sorted(overlapping, key=lambda other: other.start):
            if other.start > start:
                yield AxisRange(part.name, start, other.start)
            start = max(start, other.end)
        if start < part.end:
            yield AxisRange(part.name, start, part.end)


def disjoint_prefix(axes: Sequence[AxisRange], used_axes: Sequence[AxisRange]) -> Axes:
    """The axes up to the first that is taken."""
    ranges: list[AxisRange] = []
    for part in axes:
        if not are_disjoint([part], used_axes):
            break
        append(ranges, part)
    return tuple(ranges)

"""Arithmetic on axes of a mesh and their parts: sizes, overlaps, lists of them.

Source: Shardy, "Sharding representation", axis and sub-axis references.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from stablemate.dialects.sdy.attributes import AxisRef


@dataclass(frozen=True, slots=True)
class Part:
    """The middle factor of ``axis = start * (end / start) * rest``; the whole axis has start 1."""

    name: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """Number of devices along it."""
        return self.end // self.start


def part_of(axis: AxisRef, sizes: Mapping[str, int]) -> Part:
    """The part of an axis of a mesh that a reference names."""
    if axis.sub_axis is None:
        return Part(axis.name, 1, sizes[axis.name])
    before = axis.sub_axis.pre_size
    return Part(axis.name, before, before * axis.sub_axis.size)


def merged(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> list[Part]:
    """The parts of a list of axes, adjacent parts of one axis taken together."""
    return merged_parts(part_of(axis, sizes) for axis in axes)


def merged_parts(parts: Iterable[Part]) -> list[Part]:
    """The parts, those that are adjacent taken together."""
    joined: list[Part] = []
    for part in parts:
        append(joined, part)
    return joined


def append(parts: list[Part], part: Part) -> None:
    """Adds a part at the minor end."""
    last = parts[-1] if parts else None
    if last is not None and (last.name, last.end) == (part.name, part.start):
        parts[-1] = Part(part.name, last.start, part.end)
    else:
        parts.append(part)


def without_minor(parts: Sequence[Part], minor: Sequence[Part]) -> list[Part] | None:
    """The parts without those at the minor end; None if they do not stand there."""
    rest = list(parts)
    for part in reversed(minor):
        last = rest.pop() if rest else None
        if last is None or (last.name, last.end) != (part.name, part.end):
            return None
        if last.start > part.start:
            return None
        if last.start < part.start:
            rest.append(Part(last.name, last.start, part.start))
    return rest


def with_minor(parts: Sequence[Part], minor: Sequence[Part]) -> list[Part]:
    """The parts followed by others at the minor end."""
    joined = list(parts)
    for part in minor:
        append(joined, part)
    return joined


def device_count(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> int:
    """Number of devices along all these axes."""
    return math.prod(part_of(axis, sizes).size for axis in axes)


def unknown_axes(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> list[str]:
    """References to axes that the mesh does not have."""
    return [str(axis) for axis in axes if axis.name not in sizes]


def unfit_parts(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> list[str]:
    """References to parts into which their axes cannot be divided."""
    return [str(axis) for axis in axes if axis.sub_axis and not is_proper(axis, sizes[axis.name])]


def is_proper(axis: AxisRef, size: int) -> bool:
    """Whether a part is one of two or more into which an axis of this size is divided."""
    part = axis.sub_axis
    if part is None:
        return True
    fits = part.pre_size >= 1 and 1 < part.size < size
    return fits and size % (part.pre_size * part.size) == 0


def overlapping_axes(axes: Sequence[AxisRef], sizes: Mapping[str, int]) -> list[str]:
    """References that share devices with another reference."""
    parts = [(str(axis), part_of(axis, sizes)) for axis in axes]
    clashes = ((a, b) for (a, p), (b, q) in combinations(parts, 2) if overlap(p, q))
    return sorted({axis for pair in clashes for axis in pair})


def overlap(a: Part, b: Part) -> bool:
    """Whether two parts of one axis have a factor in common."""
    return a == b or (a.name == b.name and a.start < b.end and b.start < a.end)


def mergeable_axes(axes: Sequence[AxisRef]) -> list[str]:
    """Adjacent references that one reference could name."""
    return [
        f"{a}, {b}"
        for a, b in pairwise(axes)
        if a.name == b.name
        and a.sub_axis
        and b.sub_axis
        and a.sub_axis.pre_size * a.sub_axis.size == b.sub_axis.pre_size
    ]


def is_ordered(axes: Sequence[AxisRef], sizes: Mapping[str, int]) -> bool:
    """Whether the axes stand in the order of the mesh."""
    order = list(sizes)
    keys = [(order.index(axis.name), part_of(axis, sizes).start) for axis in axes]
    return keys == sorted(keys)

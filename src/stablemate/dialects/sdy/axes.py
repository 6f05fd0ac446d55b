"""Arithmetic on axes of a mesh and their parts: sizes, overlaps, lists of them.

Source: Shardy, "Sharding representation", axis and sub-axis references.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import AxisRef


@dataclass(frozen=True, slots=True)
class AxisRange:
    """The middle factor of ``axis = start * (end / start) * rest``; the whole axis has start 1."""

    name: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """Number of devices along it."""
        return self.end // self.start


def axis_range(axis: AxisRef, sizes: Mapping[str, int]) -> AxisRange:
    """The range of a mesh axis that a reference names."""
    if axis.sub_axis is None:
        return AxisRange(axis.name, 1, sizes[axis.name])
    before = axis.sub_axis.pre_size
    return AxisRange(axis.name, before, before * axis.sub_axis.size)


def merged_axes(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> list[AxisRange]:
    """The ranges of a list of axes, with adjacent ranges of one axis merged."""
    return merged_ranges(axis_range(axis, sizes) for axis in axes)


def merged_ranges(parts: Iterable[AxisRange]) -> list[AxisRange]:
    """The ranges, with adjacent ones merged."""
    joined: list[AxisRange] = []
    for part in parts:
        append(joined, part)
    return joined


def append(parts: list[AxisRange], part: AxisRange) -> None:
    """Adds a range at the minor end."""
    last = parts[-1] if parts else None
    if last is not None and (last.name, last.end) == (part.name, part.start):
        parts[-1] = AxisRange(part.name, last.start, part.end)
    else:
        parts.append(part)


def without_minor(parts: Sequence[AxisRange], minor: Sequence[AxisRange]) -> list[AxisRange] | None:
    """The ranges without those at the minor end; None if they are not there."""
    rest = list(parts)
    for part in reversed(minor):
        last = rest.pop() if rest else None
        if last is None or (last.name, last.end) != (part.name, part.end):
            return None
        if last.start > part.start:
            return None
        if last.start < part.start:
            rest.append(AxisRange(last.name, last.start, part.start))
    return rest


def with_minor(parts: Sequence[AxisRange], minor: Sequence[AxisRange]) -> list[AxisRange]:
    """The ranges followed by others at the minor end."""
    joined = list(parts)
    for part in minor:
        append(joined, part)
    return joined


def device_count(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> int:
    """Number of devices along all these axes."""
    return math.prod(axis_range(axis, sizes).size for axis in axes)


def unknown_axes(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> list[str]:
    """References to axes that the mesh does not have."""
    return [str(axis) for axis in axes if axis.name not in sizes]


def invalid_sub_axes(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> list[str]:
    """References to sub-axes into which their axes cannot be divided."""
    return [str(axis) for axis in axes if axis.sub_axis and not is_proper(axis, sizes[axis.name])]


def is_proper(axis: AxisRef, size: int, wrap: Callable[[int], int] = int) -> bool:
    """Whether a part is one of two or more into which an axis of this size is divided.

    Args:
        axis: The part.
        size: The size of the axis.
        wrap: Reduces a product to the range of the numbers in which it is computed.
    """
    part = axis.sub_axis
    if part is None:
        return True
    fits = part.pre_size >= 1 and part.size > 1 and part.size != size
    end = wrap(part.pre_size * part.size)
    return fits and end != 0 and size % end == 0


def overlapping_axes(axes: Sequence[AxisRef], sizes: Mapping[str, int]) -> list[str]:
    """References that overlap with another reference."""
    parts = sorted(
        ((axis_range(axis, sizes), axis) for axis in axes),
        key=lambda pair: (pair[0].name, pair[0].start, pair[0].end),
    )
    clashes: set[AxisRef] = set()
    longest = parts[:1]  # of the parts so far the one that ends last
    for part, axis in parts[1:]:
        if overlap(longest[0][0], part):
            clashes |= {longest[0][1], axis}
        if longest[0][0].name != part.name or longest[0][0].end < part.end:
            longest = [(part, axis)]
    return sorted(map(str, clashes))


def overlap(a: AxisRange, b: AxisRange) -> bool:
    """Whether two parts of one axis have a factor in common."""
    return a == b or (a.name == b.name and a.start < b.end and b.start < a.end)


def mergeable_axes(axes: Sequence[AxisRef]) -> list[str]:
    """Adjacent references that could be one reference."""
    return [
        f"{a}, {b}"
        for a, b in pairwise(axes)
        if a.name == b.name
        and a.sub_axis
        and b.sub_axis
        and a.sub_axis.pre_size * a.sub_axis.size == b.sub_axis.pre_size
    ]


def is_ordered(axes: Sequence[AxisRef], sizes: Mapping[str, int]) -> bool:
    """Whether the axes are in the order of the mesh."""
    order = positions(sizes)
    keys = [(order[axis.name], axis_range(axis, sizes).start) for axis in axes]
    return keys == sorted(keys)


def positions(sizes: Mapping[str, int]) -> dict[str, int]:
    """The place of each axis in the order of the mesh."""
    return {name: position for position, name in enumerate(sizes)}

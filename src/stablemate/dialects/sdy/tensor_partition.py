"""Which shard of a tensor each device of a mesh holds.

Source: Shardy, "Sharding representation".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.attributes import Mesh
from stablemate.dialects.sdy.axes import AxisRange
from stablemate.ir.grid import AxisPart, mesh_axes_groups


def shard_count(parts: Sequence[AxisRange]) -> int:
    """The number of shards into which these ranges divide a dimension."""
    count = 1
    for part in parts:
        count *= part.size
    return count


def device_groups(mesh: Mesh, axes: Sequence[str]) -> list[tuple[int, ...]]:
    """The devices that differ only in their places along some axes, in the order of the places."""
    chosen = frozenset(axes)
    parts = [AxisPart(name) for name in mesh.sizes if name in chosen]
    return mesh_axes_groups(mesh.sizes, parts, mesh.device_ids or None)


class PartitionCache(NamedTuple):
    """Computed places of shards, by shape and device, and their holders."""

    places: dict[tuple[tuple[int, ...], int], tuple[slice, ...]]
    holders: dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class TensorPartition:
    """How a tensor is partitioned among the devices of a group.

    A group differs in its places along some axes of a mesh, and is ordered by them.

    Attributes:
        sizes: The sizes of these axes, the major one first.
        parts: The ranges of them that divide each dimension, the major one first.
        cache: Places and holders computed before.
    """

    sizes: Mapping[str, int]
    parts: Sequence[Sequence[AxisRange]]
    cache: PartitionCache = field(
        default_factory=lambda: PartitionCache({}, {}), compare=False, repr=False
    )

    @property
    def counts(self) -> list[int]:
        """The number of shards along each dimension."""
        return [shard_count(axis_parts) for axis_parts in self.parts]

    @property
    def is_whole(self) -> bool:
        """Whether every device holds the whole tensor."""
        return all(shard_count(axis_parts) == 1 for axis_parts in self.parts)

    def piece(self, tensor: Any, member: int) -> Any:
        """The shard of a tensor that a device holds: a view."""
        return tensor if self.is_whole else tensor[self.place(np.shape(tensor), member)]

    def assemble(self, shards: Sequence[Any], member: int, target: Any = None) -> Any:
        """The tensor, assembled from the shards that all devices hold.

        If several hold the same shard, it is taken from the device at the same place as
        ``member`` along the axes that do not divide the tensor.

        Args:
            shards: The shard of each device.
            member: The device that the tensor is for.
            target: Memory for it; by default it is new, or what the device holds.
        """
        own = shards[member]
        if self.is_whole and target is None:
            return own
        if target is None:
            target = np.empty(self.whole_shape(np.shape(own)), own.dtype)
        for holder in self.holders(member):
            piece = target[(*self.place(np.shape(target), holder), ...)]  # never a scalar
            if not np.may_share_memory(piece, shards[holder]):  # else it is there already
                piece[...] = shards[holder]
        return target

    def whole_shape(self, piece: Sequence[int]) -> tuple[int, ...]:
        """The shape of the tensor, from that of its shards."""
        if self.is_whole:
            return tuple(piece)
        return tuple(size * count for size, count in zip(piece, self.counts, strict=True))

    def place(self, shape: Sequence[int], member: int) -> tuple[slice, ...]:
        """The place of a device's shard in a tensor of this shape."""
        key = tuple(shape), member
        if key not in self.cache.places:
            self.cache.places[key] = self.compute_place(shape, member)
        return self.cache.places[key]

    def compute_place(self, shape: Sequence[int], member: int) -> tuple[slice, ...]:
        """Computes the slices that a device holds, without the cache."""
        places = self.places(member)
        slices: list[slice] = []
        for size, count, parts in zip(shape, self.counts, self.parts, strict=True):
            position = 0
            for part in parts:
                position = position * part.size + places[part.name] // self.below(part) % part.size
            slices.append(slice(position * (size // count), (position + 1) * (size // count)))
        return tuple(slices)

    def holders(self, member: int) -> tuple[int, ...]:
        """A device for each shard."""
        if member not in self.cache.holders:
            self.cache.holders[member] = tuple(self.compute_holders(member))
        return self.cache.holders[member]

    def compute_holders(self, member: int) -> Iterator[int]:
        """Computes the devices that hold the same shard, without the cache."""
        parts = [part for axis_parts in self.parts for part in axis_parts]
        start = self.places(member)
        for numbers in product(*(range(part.size) for part in parts)):
            places = dict(start)
            for part, number in zip(parts, numbers, strict=True):
                step = self.below(part)
                old = places[part.name] // step % part.size
                places[part.name] += (number - old) * step
            yield self.member(places)

    def below(self, part: AxisRange) -> int:
        """The size of the rest of the axis after a range."""
        return self.sizes[part.name] // part.end

    def places(self, member: int) -> dict[str, int]:
        """The place of a device along each axis."""
        places: dict[str, int] = {}
        for name, size in reversed(list(self.sizes.items())):
            member, places[name] = divmod(member, size)
        return places

    def member(self, places: Mapping[str, int]) -> int:
        """The number of the device at these places."""
        number = 0
        for name, size in self.sizes.items():
            number = number * size + places[name]
        return number

"""Shardings of HLO as arrays of devices, whose dimensions are those of a tensor and subgroups.

Source: XLA, ``HloSharding``, ``TileAssignment``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.numerics.elements import Array
from stablemate.xla.values import (
    HloAxisRef,
    HloMesh,
    HloNamedSharding,
    HloSharding,
    IotaTiles,
    ShardingKind,
)

MOST_DEVICES: Final = 1 << 22  # a short text may claim any number, and each is listed in memory
REPLICATED: Final[tuple[ShardingKind, ...]] = ("replicated",)


@dataclass(frozen=True, slots=True, eq=False)
class DeviceTiles:
    """The devices of a tiled sharding.

    Attributes:
        devices: The number of the device of each tile; the last dimensions are subgroups.
        subgroups: What devices along each of the last dimensions do with a tile.
    """

    devices: Array
    subgroups: tuple[ShardingKind, ...] = ()

    @property
    def rank(self) -> int:
        """How many dimensions a tensor has that is divided so."""
        return self.devices.ndim - len(self.subgroups)

    def renumber(self, places: Array) -> DeviceTiles:
        """The same tiles with other numbers of devices; those of subgroups in ascending order.

        Args:
            places: The new number of each device.
        """
        return DeviceTiles(with_sorted_subgroups(places[self.devices], self.rank), self.subgroups)


def with_sorted_subgroups(devices: Array, rank: int) -> Array:
    """The devices, those along the dimensions after ``rank`` in ascending order.

    The order along a subgroup has no meaning: its devices do the same with a tile.
    """
    for dimension in reversed(range(rank, devices.ndim)):
        later = devices.shape[dimension + 1 :]
        first = devices.reshape(*devices.shape[: dimension + 1], math.prod(later))[..., :1]
        order = np.argsort(first.reshape(devices.shape[: dimension + 1]), axis=-1, kind="stable")
        places = order.reshape(*order.shape, *[1] * len(later))
        devices = np.take_along_axis(devices, places, axis=dimension)
    return devices


def tiles_of(sharding: HloSharding) -> DeviceTiles | None:
    """The devices of a sharding; None if it is not tiled.

    Raises:
        UnsupportedError: It is about more devices than a grid has.
    """
    if sharding.kind != "tiled":
        return None
    if sharding.named is not None:
        return named_tiles(sharding.named)
    count = math.prod(sharding.dimensions)
    check_count(count)
    if sharding.iota is not None:
        devices = counted_devices(sharding.iota).reshape(sharding.dimensions)
    else:
        devices = np.array(sharding.devices, np.int64).reshape(sharding.dimensions)
    if sorted(devices.reshape(-1).tolist()) != list(range(count)):
        raise UnsupportedError(f"a sharding names each of its {count} devices once")
    subgroups = sharding.last_tile_dims
    if sharding.replicate_on_last_tile_dim:
        subgroups = REPLICATED
    return DeviceTiles(devices, subgroups)


def check_count(count: int) -> None:
    """Rejects more devices than a grid has.

    Raises:
        UnsupportedError: There are more.
    """
    if count > MOST_DEVICES:
        raise UnsupportedError(f"a sharding is about {count} devices: at most {MOST_DEVICES}")


def counted_devices(tiles: IotaTiles) -> Array:
    """The devices of an iota, in the order of its permutation."""
    devices: Array = np.arange(math.prod(tiles.reshape)).reshape(tiles.reshape)
    return devices.transpose(tiles.permutation)


def named_tiles(named: HloNamedSharding) -> DeviceTiles | None:
    """The devices of a sharding with named axes; None if it is the same on all devices."""
    if named.whole:
        return None
    lists = [dimension.axes for dimension in named.dimensions]
    subgroups: list[ShardingKind] = []
    kinds: tuple[tuple[ShardingKind, Sequence[HloAxisRef]], ...] = (
        ("manual", named.manual),
        ("unreduced", named.unreduced),
    )
    for kind, axes in kinds:
        if axes:
            lists.append(tuple(axes))
            subgroups.append(kind)
    devices = devices_along(named.mesh, lists)
    return DeviceTiles(devices, (*subgroups, *REPLICATED))


def devices_along(mesh: HloMesh, lists: Sequence[Sequence[HloAxisRef]]) -> Array:
    """The devices of a mesh, a dimension for each list of axes and a last one for other axes."""
    sizes = [size for _, size in mesh.axes]
    check_count(math.prod(sizes))
    factors = axis_factors(sizes, [axis for axes in lists for axis in axes])
    dimensions = [[i for axis in axes for i in factors_of(axis, sizes, factors)] for axes in lists]
    used = {i for dimension in dimensions for i in dimension}
    dimensions.append([i for i in range(len(factors)) if i not in used])
    shape = [end // start for _, start, end in factors]
    devices = mesh_devices(mesh, math.prod(sizes)).reshape(shape)
    devices = devices.transpose([i for dimension in dimensions for i in dimension])
    return devices.reshape([math.prod(shape[i] for i in dimension) for dimension in dimensions])


def mesh_devices(mesh: HloMesh, count: int) -> Array:
    """The devices of a mesh in row-major order."""
    if mesh.iota is not None:
        return counted_devices(mesh.iota).reshape(-1)
    return np.array(mesh.device_ids, np.int64) if mesh.device_ids else np.arange(count)


def axis_factors(sizes: Sequence[int], axes: Sequence[HloAxisRef]) -> list[tuple[int, int, int]]:
    """The factors into which parts of axes divide the axes: axis, product before, and with it."""
    cuts = [{1, size} for size in sizes]
    for axis in axes:
        if axis.sub_axis is not None:
            before, size = axis.sub_axis
            cuts[axis.axis] |= {before, before * size}
    return [(i, *ends) for i, points in enumerate(cuts) for ends in pairwise(sorted(points))]


def factors_of(
    axis: HloAxisRef, sizes: Sequence[int], factors: Sequence[tuple[int, int, int]]
) -> list[int]:
    """The numbers of the factors of which an axis, or a part of one, consists."""
    before, size = axis.sub_axis or (1, sizes[axis.axis])
    return [
        i
        for i, (number, start, end) in enumerate(factors)
        if number == axis.axis and before <= start and end <= before * size
    ]

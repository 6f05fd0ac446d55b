"""Shardings of HLO as placements on one mesh: how older producers state them, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.transforms.partitioning.devices import MeshDevices
from stablemate.transforms.partitioning.placement import TensorPlacement, replicated_placement
from stablemate.transforms.sharding_import.device_meshes import (
    axes_of_strides,
    common_mesh,
    places_of,
    strides,
)
from stablemate.transforms.sharding_import.device_tiles import DeviceTiles
from stablemate.transforms.sharding_import.hlo_shardings import ATTRIBUTE as ATTRIBUTE
from stablemate.transforms.sharding_import.hlo_shardings import StatedSharding

WHOLE: Final = ("replicated", "maximal", "unknown")  # all devices have the whole, or one has
# What the devices of the last dimensions of an assignment hold, by kinds, as XLA spells it.
LAST_TILE_DIMS: Final[Mapping[tuple[str, ...], str]] = {
    (): "",
    ("replicated",): " last_tile_dim_replicate",
    ("unreduced",): " last_tile_dims={unreduced}",
    ("replicated", "unreduced"): " last_tile_dims={replicated, unreduced}",
}


def read_tiles(stated: StatedSharding) -> DeviceTiles | None:
    """The devices by tile of a sharding; None if all of them have the whole.

    Raises:
        VerifyError: It is no sharding.
        UnsupportedError: It says something that is no division of a tensor.
    """
    sharding = stated.read()
    kind = sharding.kind if sharding.named is None else sharding.named.whole or "tiled"
    if kind in WHOLE:
        return None
    tiles = stated.tiles(sharding)
    if tiles is None:
        raise stated.unsupported_error(f"a sharding {kind} does not divide a tensor")
    if set(tiles.subgroups) - {"replicated"}:
        kinds = ", ".join(tiles.subgroups)
        raise stated.unsupported_error(f"devices of a sharding are {kinds}: only copies are known")
    return tiles


def devices_of(tiles: Sequence[DeviceTiles], count: int, replicas: int = 1) -> MeshDevices:
    """The mesh whose axes divide the devices as all shardings do.

    Raises:
        UnsupportedError: No mesh divides them so.
    """
    mesh = common_mesh(tiles, count)
    sizes = {axis.name: axis.size for axis in mesh.axes if axis.size > 1}
    return MeshDevices(sizes, mesh.device_ids or tuple(range(count)), replicas)


def placement_on(devices: MeshDevices, tiles: DeviceTiles | None, rank: int) -> TensorPlacement:
    """The placement that tiles state; the axes are those of ``devices_of``."""
    if tiles is None:
        return replicated_placement(rank)
    places = places_of(devices.ids, devices.count)
    rows = strides(tiles.renumber(places).devices)[:rank]
    return TensorPlacement(tuple(tuple(axes_of_strides(devices.sizes, row)) for row in rows))


@dataclass(frozen=True, slots=True)
class TileAssignment:
    """A placement as XLA describes it.

    Attributes:
        kind: ``replicated`` or ``unreduced`` if that holds for all devices, else ``tiled``.
        sizes: The dimensions of the assignment, first those of the tensor.
        devices: The devices, in row-major order of the dimensions.
        last_dimensions: What the devices along the dimensions after the tensor's hold.
    """

    kind: str
    sizes: tuple[int, ...] = ()
    devices: tuple[int, ...] = ()
    last_dimensions: tuple[str, ...] = ()


def tile_assignment(
    devices: MeshDevices, placement: TensorPlacement, order: Sequence[int] | None = None
) -> TileAssignment:
    """A placement as XLA describes it.

    Args:
        devices: The devices.
        placement: How they share a tensor.
        order: The device that has the shard of each process; None if it runs the process.
    """
    axes = [part for dimension in placement.dimensions for part in dimension]
    pieces, terms = shard_count(axes), shard_count(placement.terms)
    if pieces == 1 and terms in (1, devices.count):
        return TileAssignment("replicated" if terms == 1 else "unreduced")
    groups = np.array(devices.groups([*axes, *placement.terms])).reshape(-1, pieces, terms)
    kinds = {"replicated": len(groups), "unreduced": terms}
    kinds = {kind: count for kind, count in kinds.items() if count > 1}
    listed: list[int] = groups.transpose(1, 0, 2).reshape(-1).tolist()
    if order is not None:
        listed = [order[device] for device in listed]
    sizes = (*placement.counts, *kinds.values())
    return TileAssignment("tiled", sizes, tuple(listed), tuple(kinds))


def sharding_text(
    devices: MeshDevices, placement: TensorPlacement, order: Sequence[int] | None = None
) -> str:
    """A placement as XLA spells it, with the arguments of `tile_assignment`."""
    assignment = tile_assignment(devices, placement, order)
    if assignment.kind != "tiled":
        return f"{{{assignment.kind}}}"
    tiles = f"<=[{devices.count}]"
    if list(assignment.devices) != list(range(devices.count)):
        tiles = ",".join(map(str, assignment.devices))
    sizes = ",".join(map(str, assignment.sizes))
    return f"{{devices=[{sizes}]{tiles}{LAST_TILE_DIMS[assignment.last_dimensions]}}}"

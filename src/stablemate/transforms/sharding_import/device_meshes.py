"""Recovers the mesh of a program from the devices of its shardings.

A dimension of a sharding is made of factors, each a stride in the numbers of the devices. The
strides of all shardings cut the devices into the axes of one mesh. Where devices are in no order
with strides, the mesh lists them in the order of one of the shardings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.attributes import Mesh, MeshAxis
from stablemate.dialects.sdy.axes import AxisRange, merged_ranges
from stablemate.numerics.elements import Array
from stablemate.transforms.sharding_import.device_tiles import DeviceTiles


@dataclass(frozen=True, slots=True)
class Stride:
    """A factor of a dimension of an assignment: ``size`` devices with the stride ``step``."""

    step: int
    size: int


def strides_along(devices: Array) -> list[Stride]:
    """The factors of one dimension, the major one first.

    Raises:
        UnsupportedError: The devices are in an order that no mesh has.
    """
    line_strides: list[Stride] = []
    line = devices
    while line.size > 1:
        step = int(line[1] - line[0])
        breaks = np.flatnonzero(line != line[0] + step * np.arange(line.size))
        run = int(breaks[0]) if breaks.size else int(line.size)
        if step <= 0 or line.size % run:
            raise UnsupportedError(
                f"devices {format_devices(devices)} of a sharding are in no order"
            )
        line_strides.insert(0, Stride(step, run))
        line = line[::run]
    return line_strides


def strides(devices: Array) -> list[list[Stride]]:
    """The factors of each dimension of an assignment.

    Raises:
        UnsupportedError: The devices are in an order that no mesh has.
    """
    rows: list[list[Stride]] = []
    total: Any = 0
    for dimension in range(devices.ndim):
        first: list[Any] = [0] * devices.ndim
        first[dimension] = slice(None)
        line = devices[tuple(first)]
        rows.append(strides_along(line))
        total = np.add.outer(total, line)
    if not np.array_equal(total.reshape(devices.shape), devices):
        raise UnsupportedError(f"devices {format_devices(devices)} of a sharding are in no order")
    return rows


def format_devices(devices: Array) -> str:
    """The numbers of devices, of many the first ones."""
    first: list[int] = devices.reshape(-1)[:16].tolist()
    return f"{str(first).removesuffix(']')}{', ...' if devices.size > len(first) else ''}]"


def axis_sizes(assignments: Iterable[Array], count: int) -> list[int]:
    """The sizes of the axes, the major one first, that divide devices as all assignments do.

    Raises:
        UnsupportedError: No mesh divides them so.
    """
    cuts = {1, count}
    for assignment in assignments:
        for stride in (stride for row in strides(assignment) for stride in row):
            cuts |= {stride.step, stride.step * stride.size}
    ordered = sorted(cuts)
    if any(high % low for low, high in pairwise(ordered)):
        raise UnsupportedError(f"shardings divide {count} devices in ways that no mesh has")
    return [high // low for low, high in pairwise(ordered)][::-1]


def axes_of_strides(sizes: Mapping[str, int], factors: Sequence[Stride]) -> list[AxisRange]:
    """The axes of which factors consist.

    Args:
        sizes: The axes of the mesh that ``common_mesh`` recovered, the major one first.
        factors: Factors of one dimension.
    """
    parts: list[AxisRange] = []
    count = math.prod(sizes.values())
    for factor in factors:
        step = count
        for name, size in sizes.items():
            step //= size
            if size > 1 and factor.step <= step < factor.step * factor.size:
                parts.append(AxisRange(name, 1, size))
    return merged_ranges(parts)


def axes_on(mesh: Mesh, tiles: DeviceTiles) -> list[tuple[str, ...]] | None:
    """The axes of a mesh along each dimension of tiles; None if they are divided otherwise."""
    if mesh.size != tiles.devices.size:
        return None
    devices = tiles.renumber(places_of(mesh.device_ids, mesh.size)).devices
    try:
        rows = [axes_of_strides(mesh.sizes, row) for row in strides(devices)[: tiles.rank]]
    except UnsupportedError:
        return None
    counts = [math.prod(part.size for part in row) for row in rows]
    if counts != list(devices.shape[: tiles.rank]):
        return None
    return [tuple(part.name for part in row) for row in rows]


def places_of(device_ids: Sequence[int], count: int) -> Array:
    """The place of each device in the row-major order of a mesh.

    Args:
        device_ids: The devices in that order; empty if they are counted.
        count: How many there are.
    """
    places = np.arange(count)
    if device_ids:
        places[np.array(device_ids)] = np.arange(count)
    return places


def common_mesh(tiles: Sequence[DeviceTiles], count: int) -> Mesh:
    """The mesh with the fewest axes that divide devices as all shardings do.

    Args:
        tiles: The shardings.
        count: The number of devices.

    Raises:
        UnsupportedError: No mesh divides them so.
    """
    refused: UnsupportedError | None = None
    for sharding in tiles:
        check_size(sharding.devices, count)
    for ids in orders(tiles, count):
        try:
            sizes = axis_sizes(in_order(tiles, places_of(ids, count)), count)
        except UnsupportedError as error:
            refused = refused or error
            continue
        named = tuple(MeshAxis(f"axis_{i}", size) for i, size in enumerate(sizes or [count]))
        return Mesh(named, ids)
    assert refused is not None
    raise refused


def in_order(tiles: Iterable[DeviceTiles], places: Array) -> Iterator[Array]:
    """Yields the places of the devices of each sharding."""
    for sharding in tiles:
        yield sharding.renumber(places).devices


def check_size(assignment: Array, count: int) -> None:
    """Rejects an assignment of another number of devices.

    Raises:
        UnsupportedError: It has another number.
    """
    if assignment.size != count:
        text = f"a sharding is about {assignment.size} devices, the program about {count}"
        raise UnsupportedError(text)


def orders(tiles: Sequence[DeviceTiles], count: int) -> Iterator[tuple[int, ...]]:
    """Yields the orders of devices to try: as they are counted, then as the tiles are.

    If there is a mesh, the devices sorted by the places of their tiles are in its order, up to the
    order of its axes: each place along a dimension is a number whose digits are places on axes.
    """
    yield ()
    yield tuple(sorted_devices(tiles, count))


def sorted_devices(tiles: Sequence[DeviceTiles], count: int) -> list[int]:
    """The devices, sorted by the places of their tiles in one sharding after the other.

    Places along subgroups come after those of all tiles.
    """
    rank = np.zeros(count, np.int64)
    for place in (*places_along(tiles, copies=False), *places_along(tiles, copies=True)):
        _, rank = np.unique(rank * count + place, return_inverse=True)
        if rank.max() == count - 1:
            break
    order: list[int] = np.argsort(rank, kind="stable").tolist()
    return order


def places_along(tiles: Sequence[DeviceTiles], *, copies: bool) -> Iterator[Array]:
    """Yields the places of devices along each dimension of tiles, or along each subgroup."""
    for sharding in tiles:
        devices = sharding.devices.reshape(-1)
        grid = np.indices(sharding.devices.shape, np.int64).reshape(sharding.devices.ndim, -1)
        for row in grid[sharding.rank :] if copies else grid[: sharding.rank]:
            place = np.empty_like(row)
            place[devices] = row
            yield place

"""Shardings of HLO as placements on one mesh: how older producers state them, and back.

An assignment of tiles is an array of devices. Its dimensions are made of factors, each a stride in
the numbers of the devices; the strides of all assignments of a program cut the devices into axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.axes import AxisRange, merged_ranges
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.formats.hlo.text.sharding.shardings import sharding_of_text
from stablemate.numerics.elements import Array
from stablemate.transforms.partitioning.devices import Devices
from stablemate.transforms.partitioning.placement import Placement, replicated
from stablemate.xla.values import Sharding

ATTRIBUTE: Final = "mhlo.sharding"
# What the devices of the last dimensions of an assignment hold, by kinds, as XLA spells it.
LAST_TILE_DIMS: Final[Mapping[tuple[str, ...], str]] = {
    (): "",
    ("replicated",): " last_tile_dim_replicate",
    ("unreduced",): " last_tile_dims={unreduced}",
    ("replicated", "unreduced"): " last_tile_dims={replicated, unreduced}",
}


@dataclass(frozen=True, slots=True)
class Stride:
    """A factor of a dimension of an assignment: ``size`` devices with the stride ``step``."""

    step: int
    size: int


def assignment(sharding: Sharding) -> Array | None:
    """The devices by tile; the dimensions after those of the tensor are replicas.

    None if replicated.

    Raises:
        UnsupportedError: It says something that is no division of a tensor.
    """
    if sharding.kind in ("replicated", "maximal", "unknown"):
        return None
    if sharding.kind != "tiled" or sharding.named is not None:
        raise UnsupportedError(f"a sharding {sharding.kind} does not divide a tensor")
    if set(sharding.last_tile_dims) - {"replicated"}:
        kinds = ", ".join(sharding.last_tile_dims)
        raise UnsupportedError(f"devices of a sharding are {kinds}: only copies are known")
    if sharding.iota is not None:
        counted: Array = np.arange(math.prod(sharding.iota.reshape))
        permuted_devices: Array = counted.reshape(sharding.iota.reshape).transpose(
            sharding.iota.permutation
        )
        return permuted_devices.reshape(sharding.dimensions)
    return np.array(sharding.devices).reshape(sharding.dimensions)


def strides_along(devices: Array) -> list[Stride]:
    """The factors of one dimension, the major one first."""
    line_strides: list[Stride] = []
    line = devices
    while line.size > 1:
        step = int(line[1] - line[0])
        run = next(
            (k for k in range(2, line.size) if line[k] != line[0] + k * step), int(line.size)
        )
        if step <= 0 or line.size % run:
            raise UnsupportedError(f"devices {devices.tolist()} of a sharding are in no order")
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
        raise UnsupportedError(f"devices {devices.tolist()} of a sharding are in no order")
    return rows


def devices_of(assignments: Iterable[Array], count: int, replicas: int = 1) -> Devices:
    """The mesh whose axes divide the devices as all assignments do.

    Raises:
        UnsupportedError: No mesh divides them so.
    """
    cuts = {1, count}
    for assignment in assignments:
        if assignment.size != count:
            text = f"a sharding is about {assignment.size} devices, the program about {count}"
            raise UnsupportedError(text)
        for stride in (stride for row in strides(assignment) for stride in row):
            cuts |= {stride.step, stride.step * stride.size}
    ordered = sorted(cuts)
    if any(high % low for low, high in pairwise(ordered)):
        raise UnsupportedError(f"shardings divide {count} devices in ways that no mesh has")
    sizes = [high // low for low, high in pairwise(ordered)]
    axes = {f"axis_{i}": size for i, size in enumerate(reversed(sizes))}
    return Devices(axes, tuple(range(count)), replicas)


def placement_on(devices: Devices, assignment: Array | None, rank: int) -> Placement:
    """The placement that an assignment states; the axes are those of ``devices_of``."""
    if assignment is None:
        return replicated(rank)
    return Placement(tuple(axes_of_factors(devices, row) for row in strides(assignment)[:rank]))


def axes_of_factors(devices: Devices, factors: Sequence[Stride]) -> tuple[AxisRange, ...]:
    """The axes of which factors consist."""
    parts: list[AxisRange] = []
    for factor in factors:
        step = devices.count
        for name, size in devices.sizes.items():
            step //= size
            if factor.step <= step < factor.step * factor.size:
                parts.append(AxisRange(name, 1, size))
    return tuple(merged_ranges(parts))


def read_assignment(text: str) -> Array | None:
    """The devices by tile in the text of a sharding."""
    return assignment(sharding_of_text(text))


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


def tile_assignment(devices: Devices, placement: Placement) -> TileAssignment:
    """A placement as XLA describes it."""
    axes = [part for dimension in placement.dimensions for part in dimension]
    pieces, terms = shard_count(axes), shard_count(placement.terms)
    if pieces == 1 and terms in (1, devices.count):
        return TileAssignment("replicated" if terms == 1 else "unreduced")
    groups = np.array(devices.groups([*axes, *placement.terms])).reshape(-1, pieces, terms)
    kinds = {"replicated": len(groups), "unreduced": terms}
    kinds = {kind: count for kind, count in kinds.items() if count > 1}
    listed: list[int] = groups.transpose(1, 0, 2).reshape(-1).tolist()
    sizes = (*placement.counts, *kinds.values())
    return TileAssignment("tiled", sizes, tuple(listed), tuple(kinds))


def sharding_text(devices: Devices, placement: Placement) -> str:
    """A placement as XLA spells it."""
    assignment = tile_assignment(devices, placement)
    if assignment.kind != "tiled":
        return f"{{{assignment.kind}}}"
    order = f"<=[{devices.count}]"
    if list(assignment.devices) != list(range(devices.count)):
        order = ",".join(map(str, assignment.devices))
    sizes = ",".join(map(str, assignment.sizes))
    return f"{{devices=[{sizes}]{order}{LAST_TILE_DIMS[assignment.last_dimensions]}}}"

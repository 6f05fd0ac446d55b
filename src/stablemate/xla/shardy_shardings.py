"""Shardings of Shardy as shardings of HLO.

Source: Shardy, "Sharding representation"; XLA, ``OpSharding``, ``IotaTileAssignment``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from stablemate.dialects.sdy.attributes import AxisRef, Mesh, TensorSharding
from stablemate.dialects.sdy.axes import AxisRange, axis_range
from stablemate.xla.values import HloSharding, IotaTiles, ShardingKind

REPLICATED: Final = HloSharding("replicated")


def hlo_sharding(sharding: TensorSharding, mesh: Mesh) -> HloSharding:
    """The sharding of HLO that divides a tensor as a sharding of Shardy does.

    Open dimensions, priorities and replicated axes have no form in it.

    Args:
        sharding: The sharding, whose axes are axes of the mesh.
        mesh: Its mesh.
    """
    if mesh.is_maximal:
        return HloSharding("maximal", devices=mesh.device_ids)
    if mesh.axes and whole_axes(sharding.unreduced) == mesh.sizes.keys():
        return HloSharding("unreduced")
    dimensions = [ranges(d.axes, mesh.sizes) for d in sharding.dimensions]
    unreduced = ranges(sharding.unreduced, mesh.sizes)
    if not any((*dimensions, unreduced)):
        return REPLICATED
    factors = list(factors_of(mesh, [part for row in (*dimensions, unreduced) for part in row]))
    named = [
        factor
        for row in (*dimensions, unreduced)
        for part in row
        for factor in factors_within(part, factors)
    ]
    position = {factor: number for number, factor in enumerate(factors)}
    used = frozenset(named)
    rest = [factor for factor in factors if factor not in used]
    kinds = last_tile_kinds(unreduced, rest)
    sizes = (*map(product, dimensions), *(product(part) for _, part in kinds))
    return tile_assignment(
        mesh,
        sizes,
        [factor.size for factor in factors],
        [position[factor] for factor in (*named, *rest)],
        tuple(kind for kind, _ in kinds),
    )


def whole_axes(axes: Iterable[AxisRef]) -> set[str]:
    """The names of the axes that a list names as a whole."""
    return {axis.name for axis in axes if axis.sub_axis is None}


def ranges(axes: Iterable[AxisRef], sizes: Mapping[str, int]) -> list[AxisRange]:
    """Axes as ranges, without those of size one."""
    parts = (axis_range(axis, sizes) for axis in axes)
    return [part for part in parts if part.size > 1]


def product(parts: Iterable[AxisRange]) -> int:
    """The number of devices along some ranges."""
    return math.prod(part.size for part in parts)


def factors_of(mesh: Mesh, named: Iterable[AxisRange]) -> Iterator[AxisRange]:
    """The factors into which ranges cut the axes of a mesh, the major one first."""
    cuts: dict[str, set[int]] = {name: {1, size} for name, size in mesh.sizes.items()}
    for part in named:
        cuts[part.name] |= {part.start, part.end}
    for name in mesh.sizes:
        for start, end in pairwise(sorted(cuts[name])):
            yield AxisRange(name, start, end)


def factors_within(part: AxisRange, factors: Iterable[AxisRange]) -> list[AxisRange]:
    """The factors of which a range consists."""
    return [
        factor
        for factor in factors
        if factor.name == part.name and part.start <= factor.start and factor.end <= part.end
    ]


def last_tile_kinds(
    unreduced: Sequence[AxisRange], rest: Sequence[AxisRange]
) -> list[tuple[ShardingKind, Sequence[AxisRange]]]:
    """The kinds of the dimensions of a tile assignment after those of the tensor."""
    kinds: list[tuple[ShardingKind, Sequence[AxisRange]]] = [
        ("unreduced", unreduced),
        ("replicated", rest),
    ]
    return [(kind, parts) for kind, parts in kinds if product(parts) > 1]


def tile_assignment(
    mesh: Mesh,
    sizes: tuple[int, ...],
    factors: Sequence[int],
    permutation: Sequence[int],
    kinds: tuple[ShardingKind, ...],
) -> HloSharding:
    """The sharding with a tile assignment: counted, or listed if the mesh lists its devices.

    Args:
        mesh: The mesh.
        sizes: The dimensions of the assignment.
        factors: The sizes into which the axes of the mesh are cut.
        permutation: The order of the factors in the assignment.
        kinds: What the devices along the last dimensions hold.
    """
    iota, devices = None, ()
    if mesh.device_ids:
        array = np.array(mesh.device_ids).reshape(factors).transpose(permutation).reshape(sizes)
        if kinds and kinds[-1] == "replicated":
            array = np.sort(array)  # copies have no order
        devices = tuple(array.reshape(-1).tolist())
    else:
        iota = IotaTiles(sizes, tuple(factors), tuple(permutation)).simplify()
    replicates = kinds == ("replicated",)
    return HloSharding(
        "tiled",
        devices=devices,
        dimensions=sizes,
        iota=iota,
        last_tile_dims=() if replicates else kinds,
        replicate_on_last_tile_dim=replicates,
    )

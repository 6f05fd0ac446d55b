"""Brings shardings with subgroups into XLA's canonical form.

Among the dimensions after those of the data, dimensions of size one are dropped, dimensions of one
kind are merged, and the kinds are ordered, replication last. A sharding that is then the same on
all devices is expressed by a word.

Source: XLA, ``HloSharding::Subgroup``, ``HloSharding::PartialTile``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import prod
from operator import mul
from typing import Final

import numpy as np

from stablemate.xla.values import HloSharding, IotaTiles, ShardingKind

ORDER: Final[tuple[ShardingKind, ...]] = (
    *("maximal", "manual", "unknown", "unreduced", "replicated"),
)
WORDS: Final = frozenset({"manual", "replicated", "unreduced"})


def normalize_sharding(sharding: HloSharding) -> HloSharding:
    """Returns the tiled sharding as XLA stores it."""
    kinds = sharding.last_tile_dims
    if sharding.replicate_on_last_tile_dim:
        kinds = ("replicated",)
    if not kinds:
        return sharding
    dimensions = sharding.dimensions
    data = len(dimensions) - len(kinds)
    if len(set(kinds)) == 1 and prod(dimensions[:data]) == 1 and kinds[0] in WORDS:
        return HloSharding(kinds[0], group=sharding.group, metadata=sharding.metadata)
    groups = {
        kind: [data + i for i, k in enumerate(kinds) if k == kind and dimensions[data + i] != 1]
        for kind in ORDER
    }
    left = [kind for kind in ORDER if groups[kind]]
    permutation = [*range(data), *(i for kind in left for i in groups[kind])]
    final = (*dimensions[:data], *(prod(dimensions[i] for i in groups[k]) for k in left))
    only_replicated = left == ["replicated"]
    sharding = replace(
        sharding,
        last_tile_dims=() if only_replicated else tuple(left),
        replicate_on_last_tile_dim=only_replicated,
    )
    rest = [i for i in range(len(dimensions)) if i not in permutation]
    copies = frozenset(groups["replicated"])
    return rearrange_assignment(sharding, (*permutation, *rest), final, copies)


def rearrange_assignment(
    sharding: HloSharding,
    permutation: Sequence[int],
    dimensions: tuple[int, ...],
    copies: frozenset[int],
) -> HloSharding:
    """Returns the assignment transposed, then reshaped.

    The dimensions ``copies``, along which devices hold copies, become the last; devices along them
    are sorted.
    """
    iota = None if sharding.iota is None else transpose_tiles(sharding.iota, permutation, copies)
    if iota is not None:
        iota = replace(iota, dimensions=dimensions)
        return replace(sharding, iota=iota, dimensions=dimensions)
    if sharding.iota is None:
        devices = np.array(sharding.devices).reshape(sharding.dimensions)
    else:
        tiles = sharding.iota
        counted = np.arange(prod(tiles.reshape)).reshape(tiles.reshape)
        devices = counted.transpose(tiles.permutation).reshape(tiles.dimensions)
    devices = devices.transpose(permutation).reshape(dimensions)
    if copies:
        devices = np.sort(devices, axis=-1)
    listed = tuple(devices.reshape(-1).tolist())
    return replace(sharding, iota=None, devices=listed, dimensions=dimensions)


def transpose_tiles(
    tiles: IotaTiles, permutation: Sequence[int], copies: frozenset[int]
) -> IotaTiles | None:
    """Returns the tiles transposed, copies in order; None if dimensions split those of the iota."""
    sizes = [tiles.reshape[i] for i in tiles.permutation]
    ends = {*accumulate(sizes, mul), *accumulate(tiles.dimensions, mul)}
    steps = sorted(ends | {1})
    if any(after % before for before, after in pairwise(steps)):
        return None
    counted: dict[int, list[tuple[int, int]]] = {i: [] for i in range(len(tiles.reshape))}
    shown: dict[int, list[int]] = {i: [] for i in range(len(tiles.dimensions))}
    for number, (before, after) in enumerate(pairwise(steps)):
        place = first_beyond(sizes, before)
        counted[tiles.permutation[place]].append((number, after // before))
        shown[first_beyond(tiles.dimensions, before)].append(number)
    order = [number for i in range(len(tiles.reshape)) for number, _ in counted[i]]
    reshape = tuple(size for i in range(len(tiles.reshape)) for _, size in counted[i])
    rank = {number: i for i, number in enumerate(order)}
    moved = tuple(rank[number] for i in permutation if i not in copies for number in shown[i])
    moved += tuple(sorted(rank[number] for i in copies for number in shown[i]))
    dimensions = tuple(tiles.dimensions[i] for i in permutation)
    return IotaTiles(dimensions, reshape or (1,), moved or (0,)).simplify()


def first_beyond(sizes: Sequence[int], product: int) -> int:
    """Returns the first dimension at which the running product of the sizes exceeds a product."""
    total = 1
    for i, size in enumerate(sizes):
        total *= size
        if total > product:
            return i
    return len(sizes) - 1

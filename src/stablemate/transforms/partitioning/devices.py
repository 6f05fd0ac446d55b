"""Devices of a mesh: groups of them, and which piece of a tensor each one holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.sdy.axes import AxisRange
from stablemate.dialects.sdy.tensor_partition import TensorPartition
from stablemate.fork_safety import cached_property
from stablemate.ir.grid import AxisPart, mesh_axes_groups
from stablemate.numerics.elements import Array
from stablemate.transforms.partitioning.placement import TensorPlacement

COMBINE: Final[Mapping[str, Any]] = {"add": np.add, "maximum": np.maximum, "minimum": np.minimum}


@dataclass(frozen=True, slots=True)
class PartMove:
    """A part of the piece of a device that another one needs.

    Attributes:
        source: The device that has it.
        target: The device that needs it.
        part: Which part of the piece it is, along each dimension.
    """

    source: int
    target: int
    part: tuple[int, ...]


@dataclass(frozen=True)
class MeshDevices:
    """The devices of a mesh, in each of several replicas.

    Attributes:
        sizes: The sizes of the axes by name, the major one first.
        ids: The devices in row-major order of the mesh.
        replicas: How many grids of partitions there are.
    """

    sizes: Mapping[str, int]
    ids: tuple[int, ...]
    replicas: int = 1

    @property
    def count(self) -> int:
        """How many devices there are."""
        return len(self.ids)

    @cached_property
    def members(self) -> Mapping[int, int]:
        """The place of each device in the mesh, in row-major order."""
        return {device: member for member, device in enumerate(self.ids)}

    def groups(self, axes: Sequence[AxisRange]) -> list[tuple[int, ...]]:
        """The devices that differ along these axes only, in the order of their places."""
        parts = [AxisPart(axis.name, axis.start, axis.size) for axis in axes]
        return mesh_axes_groups(self.sizes, parts, self.ids)

    def flattened_groups(self, axes: Sequence[AxisRange]) -> list[list[int]]:
        """The same as ids of processes, in every replica."""
        starts = (replica * self.count for replica in range(self.replicas))
        groups = self.groups(axes)
        return [[start + device for device in group] for start in starts for group in groups]

    def division(self, placement: TensorPlacement) -> TensorPartition:
        """How the devices share a tensor."""
        return TensorPartition(self.sizes, placement.dimensions)

    def shard(self, tensor: Array, placement: TensorPlacement, device: int) -> Array:
        """Returns the shard of a device; of a sum the first device has it, others have zeros.

        Terms of a maximum or a minimum are copies.
        """
        own: Array = self.division(placement).piece(tensor, self.members[device])
        if placement.monoid == "add" and self.positions(placement.terms)[device]:
            return np.zeros_like(own)
        return own

    def global_tensor(self, shards: Sequence[Array], placement: TensorPlacement) -> Array:
        """Assembles a tensor from its shards, which are in row-major order of the mesh."""
        division = self.division(placement)
        first = next(group for group in self.groups(placement.terms) if self.ids[0] in group)
        terms = [division.assemble(shards, self.members[device]) for device in first]
        combine = COMBINE[placement.monoid]
        return reduce(combine, terms)

    def positions(self, axes: Sequence[AxisRange]) -> list[int]:
        """For each device which of the pieces along these axes it holds."""
        position_of = [0] * self.count
        for group in self.groups(axes):
            for position, device in enumerate(group):
                position_of[device] = position
        return position_of

    def moves(self, before: TensorPlacement, after: TensorPlacement) -> list[tuple[int, int]]:
        """From which device to which one each piece moves, where as many pieces are divided anew.

        A device that holds the piece that it needs keeps it.
        """
        current, needed = self.holdings(before), self.holdings(after)
        targets: dict[tuple[int, ...], list[int]] = {}
        sources: dict[tuple[int, ...], list[int]] = {}
        pairs: list[tuple[int, int]] = []
        for device in range(self.count):
            if current[device] == needed[device]:
                pairs.append((device, device))
                continue
            sources.setdefault(current[device], []).append(device)
            targets.setdefault(needed[device], []).append(device)
        for shard, devices in targets.items():
            pairs += zip(sources[shard], devices, strict=True)
        return sorted(pairs)

    def refined_moves(self, before: TensorPlacement, after: TensorPlacement) -> list[PartMove]:
        """From which device to which one a part of a piece moves, where pieces are divided further.

        Each device sends one part and receives one. It keeps a part of its own piece if it can.
        """
        factors = [b // a for a, b in zip(before.counts, after.counts, strict=True)]
        held, needed = self.holdings(before), self.holdings(after)
        within = [
            tuple(place // factor for place, factor in zip(places, factors, strict=True))
            for places in needed
        ]
        parts = [
            tuple(place % factor for place, factor in zip(places, factors, strict=True))
            for places in needed
        ]
        moves: list[PartMove] = []
        for piece in dict.fromkeys(held):
            sources = [device for device in range(self.count) if held[device] == piece]
            targets = [device for device in range(self.count) if within[device] == piece]
            kept = [device for device in sources if device in targets]
            pairs = [(device, device) for device in kept]
            pairs += zip(
                [device for device in sources if device not in kept],
                [device for device in targets if device not in kept],
                strict=True,
            )
            moves += [PartMove(source, target, parts[target]) for source, target in pairs]
        return sorted(moves, key=lambda move: move.source)

    def holdings(self, placement: TensorPlacement) -> list[tuple[int, ...]]:
        """The number of the piece along each dimension, for each device."""
        positions = [self.positions(axes) for axes in placement.dimensions]
        return [tuple(position[device] for position in positions) for device in range(self.count)]

"""The grid of processes, and how collective operations divide it into groups: integers only.

Source: StableHLO specification, "Parallel execution" and "Collective ops".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.shapes import remaining_dimensions

ProcessId: TypeAlias = tuple[int, int]  # (replica_id, partition_id)
ProcessGroup: TypeAlias = tuple[ProcessId, ...]
IdGroups: TypeAlias = Sequence[Sequence[int]]

PADDING_ID: Final = -1  # pads groups that have fewer members than others


@dataclass(frozen=True, slots=True)
class Grid:
    """``num_replicas`` by ``num_partitions`` processes."""

    num_replicas: int = 1
    num_partitions: int = 1

    @property
    def size(self) -> int:
        """The number of processes: replicas times partitions."""
        return self.num_replicas * self.num_partitions

    @property
    def processes(self) -> list[ProcessId]:
        """Lists the ids of all processes in replica-major order."""
        return [self.process(flattened_id) for flattened_id in range(self.size)]

    def process(self, flattened_id: int) -> ProcessId:
        """The process id of ``replica_id * num_partitions + partition_id``."""
        return divmod(flattened_id, self.num_partitions)

    def flattened_id(self, process: ProcessId) -> int:
        """``replica_id * num_partitions + partition_id``."""
        return process[0] * self.num_partitions + process[1]


class Strategy(Enum):
    """How ids are turned into process groups; the names are the specification's."""

    CROSS_REPLICA = "cross_replica"
    CROSS_PARTITION = "cross_partition"
    CROSS_REPLICA_AND_PARTITION = "cross_replica_and_partition"
    FLATTENED_IDS = "flattened_ids"

    def ids(self, grid: Grid) -> int:
        """How many ids there are: replicas, partitions or processes."""
        match self:
            case Strategy.CROSS_PARTITION:
                return grid.num_partitions
            case Strategy.FLATTENED_IDS:
                return grid.size
            case _:
                return grid.num_replicas

    def process_groups(self, id_groups: IdGroups, grid: Grid) -> list[ProcessGroup]:
        """The groups of processes; an empty list means one group of all ids, as in XLA."""
        groups = nonempty_groups(id_groups) or [tuple(range(self.ids(grid)))]
        match self:
            case Strategy.CROSS_REPLICA:
                return cross_replica(groups, grid)
            case Strategy.CROSS_PARTITION:
                return cross_partition(groups, grid)
            case Strategy.CROSS_REPLICA_AND_PARTITION:
                return cross_replica_and_partition(groups, grid)
            case Strategy.FLATTENED_IDS:
                return flattened_ids(groups, grid)


def nonempty_groups(id_groups: IdGroups) -> list[tuple[int, ...]]:
    """The groups without padding ids, and without groups that have no member."""
    groups = (
        tuple(process_id for process_id in group if process_id != PADDING_ID) for group in id_groups
    )
    return [group for group in groups if group]


def cross_replica(replica_groups: IdGroups, grid: Grid) -> list[ProcessGroup]:
    """Groups across replicas, for each partition."""
    return [
        tuple((replica, partition) for replica in group)
        for group in replica_groups
        for partition in range(grid.num_partitions)
    ]


def cross_partition(partition_groups: IdGroups, grid: Grid) -> list[ProcessGroup]:
    """Groups across partitions, for each replica."""
    return [
        tuple((replica, partition) for partition in group)
        for group in partition_groups
        for replica in range(grid.num_replicas)
    ]


def cross_replica_and_partition(replica_groups: IdGroups, grid: Grid) -> list[ProcessGroup]:
    """Groups of replicas with all their partitions."""
    return [
        tuple((replica, partition) for partition in range(grid.num_partitions) for replica in group)
        for group in replica_groups
    ]


def flattened_ids(flattened_id_groups: IdGroups, grid: Grid) -> list[ProcessGroup]:
    """Groups of any processes, given by ``replica_id * num_partitions + partition_id``."""
    return [tuple(map(grid.process, group)) for group in flattened_id_groups]


@dataclass(frozen=True, slots=True)
class AxisPart:
    """A part of a mesh axis: of ``axis = before * size * after``, the middle factor.

    Attributes:
        axis: The name of the axis.
        before: Product of the factors that come before; 1 for the whole axis.
        size: Size of the part; None for the whole axis.
    """

    axis: str
    before: int = 1
    size: int | None = None


def mesh_axes_groups(
    axes: Mapping[str, int], parts: Sequence[AxisPart], device_ids: Sequence[int] | None = None
) -> list[tuple[int, ...]]:
    """Groups of the devices of a mesh that differ only in the given parts of its axes.

    Args:
        axes: The sizes of the axes by name, major to minor.
        parts: What members of a group differ in; the first varies slowest.
        device_ids: The devices in row-major order of the mesh; 0, 1, ... if not given.

    Raises:
        ValueError: The parts do not fit the axes, or the devices the mesh.
    """
    parts_of: dict[str, list[AxisPart]] = {name: [] for name in axes}
    for part in parts:
        parts_of.get(part.axis, []).append(part)
    factors = {name: axis_factors(name, size, parts_of[name]) for name, size in axes.items()}
    order = [(name, place) for name, sizes in factors.items() for place in range(len(sizes))]
    grouped = [factor for part in parts for factor in part_factors(part, axes, factors)]
    if len(set(grouped)) < len(grouped):
        raise ValueError("a part of a mesh axis occurs twice")
    shape = [factors[name][place] for name, place in order]
    devices = np.arange(math.prod(shape)) if device_ids is None else np.asarray(device_ids)
    if devices.size != math.prod(shape):
        raise ValueError(f"a mesh of {math.prod(shape)} devices has {devices.size} device ids")
    position = {factor: number for number, factor in enumerate(order)}
    last = [position[factor] for factor in grouped]
    moved = devices.reshape(shape).transpose([*remaining_dimensions(len(order), last), *last])
    size = math.prod(factors[name][place] for name, place in grouped)
    return [tuple(group) for group in moved.reshape(-1, max(size, 1)).tolist()]


def axis_factors(name: str, size: int, parts: Iterable[AxisPart]) -> list[int]:
    """The factors into which parts of an axis divide it, major to minor."""
    cuts = {1, size}
    for part in parts:
        if part.size is not None:
            cuts |= {part.before, part.before * part.size}
    ordered = sorted(cuts)
    steps = list(pairwise(ordered))
    if any(low < 1 or high % low for low, high in steps) or ordered[-1] != size:
        raise ValueError(f"mesh axis {name!r} of size {size} cannot be divided at {ordered}")
    return [high // low for low, high in steps]


def part_factors(
    part: AxisPart, axes: Mapping[str, int], factors: Mapping[str, Sequence[int]]
) -> list[tuple[str, int]]:
    """The factors that a part consists of, as (name of the axis, place of the factor)."""
    if part.axis not in axes:
        raise ValueError(f"no mesh axis {part.axis!r}")
    end = axes[part.axis] if part.size is None else part.before * part.size
    own_factors: list[tuple[str, int]] = []
    position = 1
    for place, factor in enumerate(factors[part.axis]):
        if part.before <= position < end:
            own_factors.append((part.axis, place))
        position *= factor
    return own_factors

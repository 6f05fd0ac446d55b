"""Groups of processes and channels of HLO as StableHLO has them.

Source: XLA, ``CollectiveDeviceList``; StableHLO specification, "Collective ops".
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from stablemate.dialects.stablehlo.attributes import ChannelHandle
from stablemate.ir.shapes import remaining_dimensions
from stablemate.numerics.elements import Array
from stablemate.xla.translate.to_stablehlo.step import TranslationStep
from stablemate.xla.values import HloMesh, IotaTiles, ListedGroups, MeshGroups, ReplicaGroups

NO_ID = -1  # fills up the rows of groups that are smaller than others
DEVICE_TO_DEVICE = 1
MOST_DEVICES = 1 << 20  # of groups that are counted instead of listed


def replica_groups(step: TranslationStep) -> Array:
    """The groups of an instruction as rows of one length; no rows where there are none."""
    groups = step.get("replica_groups", ListedGroups())
    if (count := count_of(groups)) > MOST_DEVICES:
        step.refuse_unsupported(
            f"groups are listed of at most {MOST_DEVICES} devices", devices=count
        )
    rows = rows_of(groups)
    width = max(map(len, rows), default=0)
    filled = [[*row, *[NO_ID] * (width - len(row))] for row in rows]
    return np.array(filled, np.int64).reshape(len(rows), width)


def count_of(groups: ReplicaGroups) -> int:
    """How many devices are counted; what is listed is there already."""
    match groups:
        case ListedGroups():
            return 0
        case IotaTiles():
            return math.prod(groups.reshape)
        case MeshGroups():
            return math.prod(size for _, size in groups.mesh.axes)


def rows_of(groups: ReplicaGroups) -> list[list[int]]:
    """The groups, one by one."""
    match groups:
        case ListedGroups():
            return [list(row) for row in groups.groups]
        case IotaTiles():
            return matrix_rows(iota_devices(groups))
        case MeshGroups():
            return mesh_rows(groups)


def iota_devices(tiles: IotaTiles) -> Array:
    """The devices in the order of tiles."""
    devices = np.arange(math.prod(tiles.reshape)).reshape(tiles.reshape)
    return devices.transpose(tiles.permutation or range(devices.ndim)).reshape(tiles.dimensions)


def mesh_devices(mesh: HloMesh) -> Array:
    """The devices of a mesh, a dimension for each axis."""
    sizes = [size for _, size in mesh.axes]
    if mesh.iota is not None:
        return iota_devices(mesh.iota).reshape(sizes)
    return np.array(mesh.device_ids or range(math.prod(sizes))).reshape(sizes)


def mesh_rows(groups: MeshGroups) -> list[list[int]]:
    """The groups of devices that differ in the named axes, or parts of axes, only."""
    sizes: list[int] = []
    position: dict[tuple[int, int], int] = {}  # (axis, size before the part) to dimension
    for axis, (_, size) in enumerate(groups.mesh.axes):
        cuts = {1, size}
        for axis_ref in groups.axes:
            if axis_ref.axis == axis and axis_ref.sub_axis is not None:
                before, own = axis_ref.sub_axis
                cuts |= {before, before * own}
        ordered = sorted(cuts)
        for before, after in pairwise(ordered):
            position[axis, before] = len(sizes)
            sizes.append(after // before)
    inner: list[int] = []
    for axis_ref in groups.axes:
        before, own = axis_ref.sub_axis or (1, groups.mesh.axes[axis_ref.axis][1])
        inner += [
            d
            for (axis, start), d in sorted(position.items())
            if axis == axis_ref.axis and before <= start < before * own
        ]
    devices = mesh_devices(groups.mesh).reshape(sizes)
    outer = remaining_dimensions(len(sizes), inner)
    width = math.prod(sizes[d] for d in inner)
    return matrix_rows(devices.transpose([*outer, *inner]).reshape(-1, width))


def matrix_rows(rows: Array) -> list[list[int]]:
    """The rows of a matrix."""
    return [[int(process) for process in row] for row in rows]


def channel(step: TranslationStep) -> ChannelHandle | None:
    """The channel of a collective instruction; None if it has none."""
    number = step.get("channel_id", 0)
    return ChannelHandle(number, DEVICE_TO_DEVICE) if number > 0 else None


def exchanging_groups(step: TranslationStep) -> Array:
    """The groups of an all-to-all; where none are named, one of all partitions or replicas.

    With a channel ids are those of partitions, without one those of replicas.
    """
    rows = replica_groups(step)
    if rows.size:
        return rows
    count = step.scope.replicas if channel(step) is None else step.scope.partitions
    return np.arange(count, dtype=np.int64)[None]

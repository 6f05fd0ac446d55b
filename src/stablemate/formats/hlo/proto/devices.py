"""Reads and writes meshes, replica groups and shardings as messages.

Source: XLA, ``CollectiveDeviceListProto``, ``IotaReplicaGroupListProto``, ``MeshProto``,
``OpSharding``, ``NamedShardingProto``.
"""

from __future__ import annotations

from math import prod
from typing import Final, Literal

from stablemate.formats.hlo.proto.messages import MessageError, Proto
from stablemate.formats.hlo.proto.metadata import read_metadata, write_metadata
from stablemate.xla.values import (
    HloAxisRef,
    HloDimensionSharding,
    HloMesh,
    HloNamedSharding,
    HloSharding,
    IotaTiles,
    ListedGroups,
    MeshGroups,
    ReplicaGroups,
    ShardGroup,
    ShardingKind,
)

Whole = Literal["", "replicated", "manual", "unreduced", "maximal"]

# ``OpSharding.Type``
KINDS: Final[tuple[ShardingKind, ...]] = (
    *("replicated", "maximal", "tuple", "tiled", "manual", "unknown", "unreduced"),
)
SHARD_LIKE: Final = 1  # ``OpSharding.ShardGroupType``
NO_GROUP: Final = -1  # the number of a group in text that XLA takes for none


def sharding_kind(number: int) -> ShardingKind:
    """Returns the kind of sharding with this number."""
    if not 0 <= number < len(KINDS):
        raise MessageError(f"expected the number of a kind of sharding, got {number}")
    return KINDS[number]


# ---- meshes


def read_mesh(proto: Proto) -> HloMesh:
    """Returns the mesh in a message."""
    iota = None
    if proto.HasField("iota_transform"):
        counted = proto.iota_transform
        sizes, order = tuple(counted.reshape_dims), tuple(counted.transpose_perm)
        iota = IotaTiles((prod(sizes),), sizes, order)
    axes = tuple((axis.name, axis.size) for axis in proto.axes)
    return HloMesh(axes, tuple(proto.device_ids), iota)


def write_mesh(proto: Proto, mesh: HloMesh) -> None:
    """Writes the axes and device ids of a mesh."""
    for name, size in mesh.axes:
        proto.axes.add(name=name, size=size)
    proto.device_ids.extend(mesh.device_ids)
    if mesh.iota is not None:
        proto.iota_transform.reshape_dims.extend(mesh.iota.reshape)
        proto.iota_transform.transpose_perm.extend(mesh.iota.permutation)


def read_axes(axes: Proto) -> tuple[HloAxisRef, ...]:
    """Returns the axes of a mesh in a message, or parts of axes."""
    return tuple(
        HloAxisRef(
            axis.mesh_axis_index,
            (axis.sub_axis_info.pre_size, axis.sub_axis_info.size)
            if axis.HasField("sub_axis_info")
            else None,
        )
        for axis in axes
    )


def write_axes(axes: Proto, refs: tuple[HloAxisRef, ...]) -> None:
    """Writes axes of a mesh."""
    for ref in refs:
        added = axes.add(mesh_axis_index=ref.axis)
        if ref.sub_axis is not None:
            added.sub_axis_info.pre_size, added.sub_axis_info.size = ref.sub_axis
            added.sub_axis_info.SetInParent()


# ---- replica groups


def read_groups(proto: Proto) -> ReplicaGroups | None:
    """Returns the replica groups of an instruction, in any of their forms; None if it has none."""
    if proto.HasField("iota_collective_device_list"):
        iota = proto.iota_collective_device_list
        counts = (iota.num_replica_groups, iota.num_devices_per_group)
        return IotaTiles(counts, tuple(iota.iota_reshape_dims), tuple(iota.iota_transpose_perm))
    if proto.HasField("mesh_axes_replica_group_list"):
        listed = proto.mesh_axes_replica_group_list
        return MeshGroups(read_mesh(listed.mesh), read_axes(listed.axes))
    if proto.HasField("collective_device_list"):
        return listed_groups(proto.collective_device_list.replica_groups)
    return listed_groups(proto.replica_groups) if proto.replica_groups else None


def listed_groups(groups: Proto) -> ListedGroups:
    """Returns groups that are listed."""
    return ListedGroups(tuple(tuple(group.replica_ids) for group in groups))


def write_groups(proto: Proto, groups: ReplicaGroups) -> None:
    """Writes the replica groups of an instruction."""
    match groups:
        case ListedGroups():
            proto.collective_device_list.SetInParent()
            for group in groups.groups:
                proto.collective_device_list.replica_groups.add(replica_ids=group)
        case IotaTiles():
            iota = proto.iota_collective_device_list
            iota.num_replica_groups, iota.num_devices_per_group = groups.dimensions
            iota.iota_reshape_dims.extend(groups.reshape)
            iota.iota_transpose_perm.extend(groups.permutation)
        case MeshGroups():
            write_mesh(proto.mesh_axes_replica_group_list.mesh, groups.mesh)
            write_axes(proto.mesh_axes_replica_group_list.axes, groups.axes)


# ---- shardings


def read_sharding(proto: Proto) -> HloSharding:
    """Returns the sharding in a message."""
    group = (
        ShardGroup(proto.shard_group_id, proto.shard_group_type == SHARD_LIKE)
        if proto.is_shard_group
        else None
    )
    sizes = tuple(proto.tile_assignment_dimensions)
    counted = tuple(proto.iota_reshape_dims)
    named = proto.HasField("named_sharding")
    kind = "tiled" if named else sharding_kind(proto.type)
    if kind == "tiled" and counted and prod(sizes) == 1:  # XLA reads one tile as no sharding
        return HloSharding("replicated", group=group)
    return HloSharding(
        kind,
        tuple(proto.tile_assignment_devices),
        sizes,
        IotaTiles(sizes, counted, tuple(proto.iota_transpose_perm)) if counted else None,
        tuple(sharding_kind(last_tile_dim) for last_tile_dim in proto.last_tile_dims),
        proto.replicate_on_last_tile_dim,
        tuple(read_sharding(tuple_sharding) for tuple_sharding in proto.tuple_shardings),
        group,
        read_named(proto.named_sharding) if named else None,
        tuple(
            read_metadata(metadata)
            for metadata in (proto.named_sharding.metadata if named else proto.metadata)
        ),
    )


def read_named(proto: Proto) -> HloNamedSharding:
    """Returns a sharding with named axes."""
    mesh = read_mesh(proto.mesh)
    named = HloNamedSharding(
        mesh,
        tuple(HloDimensionSharding(read_axes(e.axes), e.is_closed) for e in proto.dim_shardings),
        read_axes(proto.replicated_axes),
        read_axes(proto.unreduced_axes),
        read_axes(proto.manual_axes),
    )
    keyword = "" if named.dimensions else whole_of(named)
    return HloNamedSharding(mesh, whole=keyword) if keyword else named


def whole_of(named: HloNamedSharding) -> Whole:
    """Returns how a sharding without dimensions treats the whole array."""
    every = all_axes(named.mesh)
    if not every and len(named.mesh.device_ids) == 1:
        return "maximal"
    if not (named.replicated or named.manual or named.unreduced):
        return "replicated"
    if named.manual == every:
        return "manual"
    return "unreduced" if named.unreduced == every else ""


def all_axes(mesh: HloMesh) -> tuple[HloAxisRef, ...]:
    """Returns all axes of a mesh."""
    return tuple(HloAxisRef(i) for i in range(len(mesh.axes)))


def write_sharding(proto: Proto, sharding: HloSharding) -> None:
    """Writes a sharding and, for a tuple, those of its elements."""
    proto.SetInParent()
    for element in sharding.elements:
        write_sharding(proto.tuple_shardings.add(), element)
    if sharding.named is not None:
        write_named(proto.named_sharding, sharding.named)
        for metadata in sharding.metadata:
            write_metadata(proto.named_sharding.metadata.add(), metadata)
        return
    proto.type = KINDS.index(sharding.kind)
    proto.tile_assignment_dimensions.extend(sharding.dimensions)
    proto.tile_assignment_devices.extend(sharding.devices)
    proto.replicate_on_last_tile_dim = sharding.replicate_on_last_tile_dim
    for metadata in sharding.metadata:
        write_metadata(proto.metadata.add(), metadata)
    proto.last_tile_dims.extend(
        KINDS.index(last_tile_dim) for last_tile_dim in sharding.last_tile_dims
    )
    if sharding.iota is not None:
        proto.iota_reshape_dims.extend(sharding.iota.reshape)
        proto.iota_transpose_perm.extend(sharding.iota.permutation)
    if sharding.group is not None and sharding.group.id != NO_GROUP:
        proto.is_shard_group = True
        proto.shard_group_id = sharding.group.id
        proto.shard_group_type = SHARD_LIKE if sharding.group.like else 0


def write_named(proto: Proto, named: HloNamedSharding) -> None:
    """Writes a sharding with named axes."""
    proto.SetInParent()
    write_mesh(proto.mesh, named.mesh)
    for dimension in named.dimensions:
        write_axes(proto.dim_shardings.add(is_closed=dimension.closed).axes, dimension.axes)
    write_axes(proto.replicated_axes, named.replicated)
    every = all_axes(named.mesh)
    write_axes(proto.unreduced_axes, every if named.whole == "unreduced" else named.unreduced)
    write_axes(proto.manual_axes, every if named.whole == "manual" else named.manual)

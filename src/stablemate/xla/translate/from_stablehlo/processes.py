"""Collective operations and transfers: groups, channels, tokens.

Source: StableHLO specification, collective ops, send, recv, infeed, outfeed; XLA, operation
semantics.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from stablemate.dialects.registry import rules_by_name
from stablemate.dialects.stablehlo.all_gather import AllGather
from stablemate.dialects.stablehlo.all_reduce import AllReduce, CrossReplicaSum
from stablemate.dialects.stablehlo.all_to_all import AllToAll
from stablemate.dialects.stablehlo.attributes import ReplicaGroupMeshAxes
from stablemate.dialects.stablehlo.collective_broadcast import CollectiveBroadcast
from stablemate.dialects.stablehlo.collective_permute import CollectivePermute
from stablemate.dialects.stablehlo.collectives import Collective, device_ids, mesh_of
from stablemate.dialects.stablehlo.infeed import Infeed
from stablemate.dialects.stablehlo.outfeed import Outfeed
from stablemate.dialects.stablehlo.recv import Recv
from stablemate.dialects.stablehlo.reduce_scatter import ReduceScatter
from stablemate.dialects.stablehlo.send import Send
from stablemate.ir.core import Operation
from stablemate.xla.layout import Layout
from stablemate.xla.primitive_types import U32
from stablemate.xla.shape import TOKEN_SHAPE, Shape
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.reduction import promote_operands, several
from stablemate.xla.translate.from_stablehlo.regions import computation, finish
from stablemate.xla.values import HloAxisRef, HloMesh, ListedGroups, MeshGroups, ReplicaGroups

GroupedCollective: TypeAlias = (
    AllGather | AllReduce | AllToAll | CollectiveBroadcast | CrossReplicaSum | ReduceScatter
)
NO_ID: Final = -1  # fills up the rows of groups that are smaller than others
PAIRS: Final = "_xla_send_recv_source_target_pairs"  # where a send between devices says them
CONTEXT: Final = Shape(U32, layout=Layout.row_major(0))


def replica_groups(body: ComputationBuilder, operation: GroupedCollective) -> ReplicaGroups | None:
    """The groups of an operation; None where there are none."""
    declared = operation.replica_groups
    if isinstance(declared, ReplicaGroupMeshAxes):
        return mesh_groups(body, operation, declared)
    rows = [tuple(int(process) for process in row if process != NO_ID) for row in declared]
    groups = ListedGroups(tuple(row for row in rows if row))
    return groups if groups.groups else None


def mesh_groups(
    body: ComputationBuilder, operation: Collective, mesh_axes: ReplicaGroupMeshAxes
) -> MeshGroups:
    """Groups along the axes of a mesh."""
    mesh = mesh_of(operation, mesh_axes)
    if mesh is None:
        raise body.refusal(f"there is no mesh {mesh_axes.mesh}")
    axes = tuple((axis.name, axis.size) for axis in mesh.axes)
    numbers = {name: i for i, (name, _) in enumerate(axes)}
    ids = device_ids(mesh)
    listed = () if ids is None else tuple(int(process) for process in ids)
    counted = listed == tuple(range(len(listed)))
    refs = tuple(
        HloAxisRef(
            numbers[axis.name],
            None
            if axis.sub_axis_info is None
            else (axis.sub_axis_info.pre_size, axis.sub_axis_info.size),
        )
        for axis in mesh_axes.axes
    )
    return MeshGroups(HloMesh(axes, () if counted else listed), refs)


def channel_and_groups(body: ComputationBuilder, operation: GroupedCollective) -> dict[str, object]:
    """Returns the attributes for the channel and the replica groups."""
    return {**channel(operation), "replica_groups": replica_groups(body, operation)}


def channel(operation: Collective) -> dict[str, object]:
    """The channel, if there is one."""
    return {"channel_id": operation.channel_id if operation.channel_id > 0 else None}


def all_reduce(body: ComputationBuilder, operation: AllReduce) -> list[BuiltInstruction]:
    """``all-reduce``."""
    attributes = {
        **channel_and_groups(body, operation),
        "use_global_device_ids": operation.use_global_device_ids,
        "to_apply": computation(body, operation.computation),
    }
    operands = promote_operands(body, operation, operation.computation)
    return several(body, "all-reduce", operation, attributes, operands)


def cross_replica_sum(
    body: ComputationBuilder, operation: CrossReplicaSum
) -> list[BuiltInstruction]:
    """Emits an ``all-reduce`` whose computation adds."""
    element = body.shape(operation.operand).element_type
    scalar = Shape(element, layout=Layout.row_major(0))
    inner = ComputationBuilder(body.program, operation=operation)
    operands = [inner.parameter_of(scalar, i) for i in range(2)]
    add = finish(inner, inner.emit("add", scalar, operands))
    attributes = {"replica_groups": replica_groups(body, operation), "to_apply": add}
    return several(body, "all-reduce", operation, attributes)


def all_gather(body: ComputationBuilder, operation: AllGather) -> list[BuiltInstruction]:
    """``all-gather``."""
    attributes = {
        **channel_and_groups(body, operation),
        "dimensions": (operation.all_gather_dim,),
        "use_global_device_ids": operation.use_global_device_ids,
    }
    return several(body, "all-gather", operation, attributes)


def reduce_scatter(body: ComputationBuilder, operation: ReduceScatter) -> list[BuiltInstruction]:
    """``reduce-scatter``."""
    attributes = {
        **channel_and_groups(body, operation),
        "use_global_device_ids": operation.use_global_device_ids,
        "dimensions": (operation.scatter_dimension,),
        "to_apply": computation(body, operation.computation),
    }
    operands = promote_operands(body, operation, operation.computation)
    return several(body, "reduce-scatter", operation, attributes, operands)


def all_to_all(body: ComputationBuilder, operation: AllToAll) -> list[BuiltInstruction]:
    """``all-to-all`` along the dimension that is split, for each operand."""
    attributes = {**channel_and_groups(body, operation), "dimensions": (operation.split_dimension,)}
    nodes: list[BuiltInstruction] = []
    for value in operation.operands:
        operand = body.node(value)
        exchanged = body.emit("all-to-all", operand.shape, [operand], attributes)
        nodes.append(concatenate_received(body, operation, exchanged))
    return nodes


def concatenate_received(
    body: ComputationBuilder, operation: AllToAll, exchanged: BuiltInstruction
) -> BuiltInstruction:
    """The pieces from each process, along the concatenated dimension.

    The parts lie behind one another in the dimension that was split.
    """
    split, concat = operation.split_dimension, operation.concat_dimension
    if split == concat:
        return exchanged
    count, sizes = operation.split_count, list(exchanged.shape.dimensions)
    sizes[split] //= count
    parts = body.reshape(exchanged, [*sizes[:split], count, *sizes[split:]])
    order = [d for d in range(len(sizes) + 1) if d != split]
    order.insert(concat, split)
    sizes[concat] *= count
    return body.reshape(body.transpose(parts, order), sizes)


def collective_broadcast(
    body: ComputationBuilder, operation: CollectiveBroadcast
) -> list[BuiltInstruction]:
    """``collective-broadcast`` from the first of each group."""
    if operation.has_dynamic_root:
        raise body.refusal("the root is an operand")
    return several(body, "collective-broadcast", operation, channel_and_groups(body, operation))


def collective_permute(
    body: ComputationBuilder, operation: CollectivePermute
) -> list[BuiltInstruction]:
    """``collective-permute``."""
    pairs = tuple((int(source), int(target)) for source, target in operation.source_target_pairs)
    attributes = {**channel(operation), "source_target_pairs": pairs}
    return several(body, "collective-permute", operation, attributes)


def process_id(opcode: str) -> Rule:
    """The number of the replica or partition."""

    def rule(body: ComputationBuilder, operation: Operation) -> BuiltInstruction:
        return body.emit(opcode, body.shape(operation.results[0]))

    return rule


# ---- transfers


def transfer(operation: Send | Recv) -> dict[str, object]:
    """The attributes of a transfer."""
    pairs = ",".join(f"{{{source},{target}}}" for source, target in operation.source_target_pairs)
    return {
        "channel_id": operation.channel_handle.handle,
        "is_host_transfer": operation.is_host_transfer,
        "frontend_attributes": {PAIRS: f"{{{pairs}}}"} if pairs else None,
    }


def send(body: ComputationBuilder, operation: Send) -> BuiltInstruction:
    """Emits a ``send`` and the ``send-done`` that ends it."""
    *data, token = body.all_nodes(operation.operands)
    packed = body.pack(data)
    attributes = transfer(operation)
    shape = Shape.tuple_of([packed.shape, CONTEXT, TOKEN_SHAPE])
    started = body.emit("send", shape, [packed, token], attributes)
    return body.emit("send-done", TOKEN_SHAPE, [started], attributes)


def recv(body: ComputationBuilder, operation: Recv) -> list[BuiltInstruction]:
    """Emits a ``recv`` and the ``recv-done`` that ends it."""
    shapes = [body.shape(result) for result in operation.results[:-1]]
    data = shapes[0] if len(shapes) == 1 else Shape.tuple_of(shapes)
    attributes = transfer(operation)
    context = Shape.tuple_of([data, CONTEXT, TOKEN_SHAPE])
    started = body.emit("recv", context, [body.node(operation.token)], attributes)
    received = Shape.tuple_of([data, TOKEN_SHAPE])
    done = body.emit("recv-done", received, [started], attributes)
    return [*body.unpack(body.part(done, 0), len(shapes)), body.part(done, 1)]


def infeed(body: ComputationBuilder, operation: Infeed) -> list[BuiltInstruction]:
    """``infeed``: the data are a tuple."""
    data = Shape.tuple_of([body.shape(result) for result in operation.results[:-1]])
    shape = Shape.tuple_of([data, TOKEN_SHAPE])
    attributes = {"infeed_config": operation.infeed_config or None}
    fed = body.emit("infeed", shape, [body.node(operation.token)], attributes)
    return [*body.parts(body.part(fed, 0)), body.part(fed, 1)]


def outfeed(body: ComputationBuilder, operation: Outfeed) -> BuiltInstruction:
    """``outfeed``: the data are a tuple."""
    *data, token = body.all_nodes(operation.operands)
    packed = body.tuple(data)
    attributes = {
        "outfeed_shape": packed.shape,
        "outfeed_config": operation.outfeed_config or None,
    }
    return body.emit("outfeed", TOKEN_SHAPE, [packed, token], attributes)


RULES: Final[dict[str, Rule]] = {
    **rules_by_name(
        "stablehlo",
        all_reduce,
        all_gather,
        reduce_scatter,
        all_to_all,
        collective_broadcast,
        collective_permute,
        send,
        recv,
        infeed,
        outfeed,
    ),
    "stablehlo.cross-replica-sum": cross_replica_sum,
    "stablehlo.replica_id": process_id("replica-id"),
    "stablehlo.partition_id": process_id("partition-id"),
}

"""Operations in which several processes take part.

Source: XLA, operation semantics, "AllGather", "AllReduce", "AllToAll", "ReduceScatter",
"CollectivePermute", "CollectiveBroadcast", "RaggedAllToAll", "ReplicaId".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from stablemate.xla.builder.argument_types import (
    Computation,
    Integers,
    Operand,
    ShapeLike,
    array_shape,
)
from stablemate.xla.builder.core import creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.movement import Movement
from stablemate.xla.builder.renaming import renamed_arguments
from stablemate.xla.builder.scalars import scalars
from stablemate.xla.builder.values import items_of
from stablemate.xla.primitive_types import U32
from stablemate.xla.shape import Shape
from stablemate.xla.values import IotaTiles, ListedGroups, MeshGroups, ReplicaGroups

# Groups of processes one by one, or in one of the forms of text.
Groups: TypeAlias = Sequence[Integers] | ReplicaGroups
Channel: TypeAlias = Any  # a number, or anything with a number as its ``handle``

GROUPS = {"replica_group_ids": "replica_groups", "channel_handle": "channel_id"}


class Collectives(Movement):
    """Methods in which several processes take part."""

    @renamed_arguments(**GROUPS, layout="shape_with_layout")
    @creates("stablehlo.all_reduce")
    def all_reduce(
        self,
        operand: Operand,
        computation: Computation,
        replica_groups: Groups = (),
        channel_id: Channel = None,
        shape_with_layout: ShapeLike | None = None,
        use_global_device_ids: bool = False,
    ) -> XlaOp:
        """The operands of all processes of a group, reduced by a computation.

        Args:
            operand: An array, or a tuple of arrays; then the result is one.
            computation: Of two scalars to one.
            replica_groups: Which processes take part; empty for all.
            channel_id: A number that operations which belong together share.
            shape_with_layout: The shape of the result with the layout that it must have.
            use_global_device_ids: Whether groups hold numbers of devices.
        """
        operands = self.arrays(operand)
        scalar = scalars(self.shapes_of(operands, "all-reduce")[:1])
        attributes = self.group_attributes(replica_groups, channel_id, use_global_device_ids)
        attributes["constrain_layout"] = shape_with_layout is not None
        attributes["to_apply"] = self.computation(computation, scalar * 2, "reducer")
        return self.collective("all-reduce", operand, operands, attributes, shape_with_layout)

    all_reduce_tuple = all_reduce

    @renamed_arguments(**GROUPS)
    @creates("stablehlo.cross-replica-sum")
    def cross_replica_sum(
        self, operand: Operand, replica_groups: Groups = (), channel_id: Channel = None
    ) -> XlaOp:
        """The sum of the operands of all processes of a group."""
        return self.all_reduce(operand, added, replica_groups, channel_id)

    @renamed_arguments(**GROUPS, all_gather_dimension="all_gather_dim", layout="shape_with_layout")
    @creates("stablehlo.all_gather")
    def all_gather(
        self,
        operand: Operand,
        all_gather_dim: int,
        shard_count: int,
        replica_groups: Groups = (),
        channel_id: Channel = None,
        shape_with_layout: ShapeLike | None = None,
        use_global_device_ids: bool = False,
    ) -> XlaOp:
        """The operands of all processes of a group, concatenated along a dimension.

        Args:
            operand: An array, or a tuple of arrays; then the result is one.
            all_gather_dim: The dimension that grows.
            shard_count: The size of a group.
            replica_groups: Which processes take part; empty for all.
            channel_id: A number that operations which belong together share.
            shape_with_layout: The shape of the result with the layout that it must have.
            use_global_device_ids: Whether groups hold numbers of devices.
        """
        operands, rule = self.arrays(operand), "all-gather"
        ranks = {shape.rank for shape in self.shapes_of(operands, rule)}
        number = max(self.dimension(all_gather_dim, rank, rule) for rank in ranks)
        self.require(number < min(ranks), "operands have the dimension", rule, dimension=number)
        message = "shard_count is positive"
        self.require(shard_count > 0, message, rule, shard_count=shard_count)
        attributes = self.group_attributes(replica_groups, channel_id, use_global_device_ids)
        attributes["constrain_layout"] = shape_with_layout is not None
        attributes["dimensions"] = (number,)

        def grow(shape: Shape) -> Shape:
            return resize_dimension(shape, number, shape.dimensions[number] * shard_count)

        return self.collective(
            rule, operand, operands, attributes, shape_with_layout, grow, shard_count
        )

    all_gather_tuple = all_gather

    @renamed_arguments(**GROUPS, scatter_dim="scatter_dimension", layout="shape_with_layout")
    def reduce_scatter(
        self,
        operand: Operand,
        computation: Computation,
        scatter_dimension: int,
        shard_count: int,
        replica_groups: Groups = (),
        channel_id: Channel = None,
        shape_with_layout: ShapeLike | None = None,
        use_global_device_ids: bool = False,
    ) -> XlaOp:
        """``all_reduce``, of which each process keeps its own part along a dimension."""
        operands, rule = self.arrays(operand), "reduce-scatter"
        shapes = self.shapes_of(operands, rule)
        ranks = {shape.rank for shape in shapes}
        number = max(self.dimension(scatter_dimension, rank, rule) for rank in ranks)
        self.require(number < min(ranks), "operands have the dimension", rule, dimension=number)
        message = "the dimension is a multiple of shard_count"
        for operand_shape in shapes:
            size = operand_shape.dimensions[number]
            values = {"size": size, "shard_count": shard_count}
            self.require(shard_count > 0 and size % shard_count == 0, message, rule, **values)
        attributes = self.group_attributes(replica_groups, channel_id, use_global_device_ids)
        attributes["constrain_layout"] = shape_with_layout is not None
        attributes["dimensions"] = (number,)
        scalar = scalars(shapes[:1])
        attributes["to_apply"] = self.computation(computation, scalar * 2, "reducer")

        def cut(shape: Shape) -> Shape:
            return resize_dimension(shape, number, shape.dimensions[number] // shard_count)

        return self.collective(
            rule, operand, operands, attributes, shape_with_layout, cut, shard_count
        )

    @renamed_arguments(**GROUPS)
    def all_to_all(
        self,
        operand: Operand,
        split_dimension: int,
        concat_dimension: int,
        split_count: int,
        replica_groups: Groups = (),
        shape_with_layout: ShapeLike | None = None,
        channel_id: Channel = None,
    ) -> XlaOp:
        """The operand cut into parts, one for each process, which joins what it gets.

        Args:
            operand: An array.
            split_dimension: Along which it is cut.
            concat_dimension: Along which the parts that arrive are joined.
            split_count: The size of a group.
            replica_groups: Which processes take part; empty for all.
            shape_with_layout: The shape of the exchanged array with the layout that it must have.
            channel_id: A number that operations which belong together share.
        """
        handle, rule = self.handle(operand), "all-to-all"
        shape = self.array(handle, rule)
        split = self.dimension(split_dimension, shape.rank, rule)
        concat = self.dimension(concat_dimension, shape.rank, rule)
        size = shape.dimensions[split]
        message = "the split dimension is a multiple of split_count"
        fits = split_count > 0 and size % split_count == 0
        self.require(fits, message, rule, size=size, split_count=split_count)
        groups = replica_groups or [range(split_count)]
        attributes = self.group_attributes(groups, channel_id)
        attributes["constrain_layout"] = shape_with_layout is not None
        attributes["dimensions"] = (split,)
        if not replica_groups:
            self.replica_count = max(self.replica_count, split_count)
        exchanged = self.collective(rule, handle, [handle], attributes, shape_with_layout)
        if split == concat:
            return exchanged
        cut = [*shape.dimensions[:split], split_count, size // split_count]
        cut += shape.dimensions[split + 1 :]
        order: list[int] = []
        for number in range(shape.rank):
            order += [split] * (number == concat)
            order.append(number + (number >= split))
        sizes = list(shape.dimensions)
        sizes[split] //= split_count
        sizes[concat] *= split_count
        parts = self.reshape_to(exchanged, cut)
        return self.reshape_to(self.transpose(parts, order), sizes)

    @renamed_arguments(**GROUPS)
    @creates("stablehlo.all_to_all")
    def all_to_all_tuple(
        self,
        operands: Sequence[Operand],
        replica_groups: Groups = (),
        layout: ShapeLike | None = None,
        channel_id: Channel = None,
    ) -> XlaOp:
        """A tuple of what each process of the group sent to this one: its operand of that place."""
        handles = [self.handle(operand) for operand in operands]
        attributes = self.group_attributes(replica_groups, channel_id)
        attributes["constrain_layout"] = layout is not None
        declared = None if layout is None else self.as_shape(layout)
        result = declared or Shape.tuple_of(self.shapes_of(handles, "all-to-all"))
        return self.add_instruction("all-to-all", handles, attributes, result)

    @renamed_arguments(**GROUPS)
    def ragged_all_to_all(
        self,
        input: Operand,
        input_offsets: Operand,
        send_sizes: Operand,
        output: Operand,
        output_offsets: Operand,
        recv_sizes: Operand,
        replica_groups: Groups = (),
        channel_id: Channel = None,
    ) -> XlaOp:
        """Rows of the input sent to rows of the outputs of other processes."""
        ordered = (input, output, input_offsets, send_sizes, output_offsets, recv_sizes)
        operands = [self.handle(operand) for operand in ordered]
        attributes = self.group_attributes(replica_groups, channel_id)
        result = self.array(operands[1], "ragged-all-to-all")
        return self.add_instruction("ragged-all-to-all", operands, attributes, result)

    @renamed_arguments(**GROUPS)
    def collective_broadcast(
        self, operand: Operand, replica_groups: Groups = (), channel_id: Channel = None
    ) -> XlaOp:
        """The operand of the first process of the group."""
        attributes = self.group_attributes(replica_groups, channel_id)
        return self.collective("collective-broadcast", operand, self.arrays(operand), attributes)

    @renamed_arguments(channel_handle="channel_id")
    def collective_permute(
        self,
        operand: Operand,
        source_target_pairs: Sequence[Integers],
        channel_id: Channel = None,
    ) -> XlaOp:
        """The operand of that process whose target this one is; zeros if there is none."""
        pairs = tuple((int(source), int(target)) for source, target in source_target_pairs)
        attributes = {"channel_id": channel_number(channel_id), "source_target_pairs": pairs}
        operands, rule = self.arrays(operand), "collective-permute"
        return self.collective(rule, operand, operands, attributes | {"replica_groups": None})

    def multi_collective_permute(
        self,
        operands: Sequence[Operand],
        source_target_pairs: Sequence[Integers],
        channel_id: Channel = None,
    ) -> XlaOp:
        """``collective_permute`` of several arrays; the result is a tuple."""
        return self.collective_permute(self.tuple(operands), source_target_pairs, channel_id)

    def replica_id(self) -> XlaOp:
        """The number of this replica: a ``u32`` scalar."""
        return self.add_instruction("replica-id", (), {}, array_shape(U32, ()))

    def partition_id(self) -> XlaOp:
        """The number of this partition: a ``u32`` scalar."""
        return self.add_instruction("partition-id", (), {}, array_shape(U32, ()))

    # ---- arguments

    def arrays(self, operand: Operand) -> list[XlaOp]:
        """An array, or the arrays of a tuple."""
        handle = self.root_of(operand)
        return list(handle) if self.shape(handle).is_tuple else [handle]

    def group_attributes(
        self, groups: Groups, channel: Channel, use_global_device_ids: bool = False
    ) -> dict[str, object]:
        """Groups, channel and mode as attributes."""
        listed: ReplicaGroups | None
        if isinstance(groups, ListedGroups | IotaTiles | MeshGroups):
            listed = groups
        else:
            listed = ListedGroups(
                tuple(tuple(int(process) for process in group) for group in groups)
            )
            listed = listed if listed.groups else None
        return {
            "channel_id": channel_number(channel),
            "replica_groups": listed,
            "use_global_device_ids": use_global_device_ids,
        }

    def collective(
        self,
        opcode: str,
        operand: Operand,
        operands: Sequence[XlaOp],
        attributes: dict[str, Any],
        layout: ShapeLike | None = None,
        shape_of: Callable[[Shape], Shape] = lambda shape: shape,
        count: int = 1,
    ) -> XlaOp:
        """A collective operation of one array, or of the arrays of a tuple.

        ``count`` is the size of a group; without groups that many replicas run the module.
        """
        if attributes["replica_groups"] is None and attributes.get("channel_id") is None:
            self.replica_count = max(self.replica_count, count)
        operand_shapes = [shape_of(shape) for shape in self.shapes_of(operands, opcode)]
        several = items_of(operand) is not None
        several = several or (isinstance(operand, XlaOp) and self.shape(operand).is_tuple)
        result = Shape.tuple_of(operand_shapes) if several else operand_shapes[0]
        if layout is not None:
            declared = self.as_shape(layout)
            same = declared.to_text(layouts=False) == result.to_text(layouts=False)
            message = "the layout is one of the result"
            self.require(same, message, opcode, shape_with_layout=declared, result=result)
            result = declared
        return self.add_instruction(opcode, operands, attributes, result)


# The function names the computation in the text of the program.
def added(first: XlaOp, second: XlaOp) -> XlaOp:
    """The sum; of truth values whether one holds. Its name is that of the computation."""
    return first | second if first.shape.element_type.family == "pred" else first + second


def resize_dimension(shape: Shape, number: int, size: int) -> Shape:
    """The shape with a dimension of another size."""
    sizes = (*shape.dimensions[:number], size, *shape.dimensions[number + 1 :])
    return array_shape(shape.element_type, sizes, shape.dynamic)


def channel_number(channel: Channel) -> int | None:
    """The number of a channel; None for none."""
    return None if channel is None else int(cast(int, getattr(channel, "handle", channel)))

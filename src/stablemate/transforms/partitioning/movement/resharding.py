"""Emits the collective operations that convert one placement of a tensor into another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.sdy.axes import AxisRange
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.all_gather import AllGather
from stablemate.dialects.stablehlo.all_reduce import AllReduce
from stablemate.dialects.stablehlo.all_to_all import AllToAll
from stablemate.dialects.stablehlo.attributes import ChannelHandle, ComparisonDirection
from stablemate.dialects.stablehlo.collective_broadcast import CollectiveBroadcast
from stablemate.dialects.stablehlo.collective_permute import CollectivePermute
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.process_ids import PartitionId
from stablemate.dialects.stablehlo.reduce_scatter import ReduceScatter
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import DenseElementsAttribute, dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Region, Value
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import BOOLEAN, I32
from stablemate.transforms.partitioning.devices import MeshDevices
from stablemate.transforms.partitioning.movement.exchanges import (
    gathers_in_vain,
    is_refined,
    plan_exchange,
)
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    axes_after,
    join_axes,
    shared_start,
    starts_with,
)

DEVICE_TO_DEVICE: Final = 1


@dataclass(slots=True)
class Resharder:
    """Emits collective operations that move shards between devices.

    Attributes:
        devices: The mesh.
        prologue: Where the offsets of a device are computed, once for the program.
        channels: The number of channels in use.
        places: The numbers in the prologue, by axes and the numbers of all places.
    """

    devices: MeshDevices
    prologue: Builder
    channels: int = 0
    places: dict[tuple[Axes, tuple[int, ...]], Value] = field(
        default_factory=dict[tuple[Axes, tuple[int, ...]], Value]
    )
    partition_id: Value[TensorType] | None = None

    def reshard(
        self,
        builder: Builder,
        value: Value[TensorType],
        before: TensorPlacement,
        after: TensorPlacement,
    ) -> Value[TensorType]:
        """Returns the shard of a tensor by another placement."""
        value, at = self.reduce_terms(builder, value, before, after)
        value, at = self.pad_to_terms(builder, value, at, after)
        value, at = self.exchange_axes(builder, value, at, after)
        value, at = self.redistribute(builder, value, at, after)
        if at.dimensions != after.dimensions and at.counts == after.counts and not at.terms:
            value = self.permute_shards(builder, value, at, after)
            at = at.with_dimensions(after.dimensions)
        for dimension, axes in enumerate(after.dimensions):
            start = shared_start(at.dimensions[dimension], axes)
            rest = axes_after(at.dimensions[dimension], start)
            if rest:
                value = self.gather(builder, value, dimension, rest)
                at = at.with_axes(dimension, start)
        return self.in_terms(builder, self.slice_shard(builder, value, at, after), at, after)

    # ---- terms

    def in_terms(
        self,
        builder: Builder,
        value: Value[TensorType],
        before: TensorPlacement,
        after: TensorPlacement,
    ) -> Value[TensorType]:
        """Returns a term along further axes: the tensor on the first device, zeros on others.

        Copies of a tensor are terms of a maximum or a minimum.
        """
        axes = tuple(part for part in after.terms if part not in before.terms)
        if not axes or after.monoid != "add":
            return value
        scalar = tensor(BOOLEAN)
        zeros = zero(builder, value.type)
        is_first = builder.create(
            Compare,
            lhs=self.place(axes, 1),
            rhs=zero(builder, tensor(I32)),
            comparison_direction=ComparisonDirection.EQ,
            results=[scalar],
        ).results[0]
        return builder.create(
            Select, pred=is_first, on_true=value, on_false=zeros, results=[value.type]
        ).results[0]

    def pad_to_terms(
        self,
        builder: Builder,
        value: Value[TensorType],
        at: TensorPlacement,
        after: TensorPlacement,
    ) -> tuple[Value[TensorType], TensorPlacement]:
        """Pads shards with zeros along axes that divide a tensor before, and its terms after.

        The sum of the padded shards is the tensor, so that no elements are moved.
        """
        terms = [part for part in after.terms if part not in at.terms]
        if after.monoid != "add" or (at.terms and at.monoid != "add"):
            return value, at
        for dimension, axes in enumerate(after.dimensions):
            start = shared_start(at.dimensions[dimension], axes)
            rest = axes_after(at.dimensions[dimension], start)
            if rest and set(rest) <= set(terms):
                value = self.pad_shard(builder, value, dimension, rest)
                kept = at.with_axes(dimension, start)
                at = TensorPlacement(kept.dimensions, (*kept.terms, *rest))
        return value, at

    def pad_shard(
        self, builder: Builder, value: Value[TensorType], dimension: int, axes: Axes
    ) -> Value[TensorType]:
        """Returns the shard at its place among those along some axes, which are zeros."""
        result = scale_dimension(value.type, dimension, shard_count(axes), 1)
        starts = [self.place((), 0)] * result.rank
        starts[dimension] = self.place(axes, value.type.shape[dimension])
        return builder.create(
            DynamicUpdateSlice,
            operand=zero(builder, result),
            update=value,
            start_indices=starts,
            results=[result],
        ).results[0]

    def reduce_terms(
        self, builder: Builder, value: Value, before: TensorPlacement, after: TensorPlacement
    ) -> tuple[Value, TensorPlacement]:
        """Reduces terms; scatters sums where the new placement is divided along their axes.

        Terms along axes that the new placement has too are not reduced.
        """
        kept = tuple(before.terms_in(after))
        at, terms = before, set(before.terms) - set(kept)
        for dimension, axes in enumerate(after.dimensions):
            own = at.dimensions[dimension]
            if not starts_with(axes, own):
                continue
            run: list[Any] = []
            for part in axes_after(axes, own):
                if part not in terms:
                    break
                run.append(part)
            if run:
                value = self.reduce_scattered(builder, value, dimension, run, before.monoid)
                terms -= set(run)
                at = at.with_axes(dimension, join_axes(own, run))
        rest = tuple(part for part in before.terms if part in terms)
        if rest:
            value = self.all_reduced(builder, value, rest, before.monoid)
        return value, TensorPlacement(at.dimensions, kept, before.monoid if kept else "add")

    def all_reduced(
        self, builder: Builder, value: Value[TensorType], axes: Axes, monoid: str
    ) -> Value[TensorType]:
        """Reduces partial terms along some axes on all devices."""
        return builder.create(
            AllReduce,
            operands=[value],
            replica_groups=self.process_groups(axes),
            channel_handle=self.channel(),
            use_global_device_ids=True,
            regions=[monoid_region(monoid, value.type)],
            results=[value.type],
        ).results[0]

    def reduce_scattered(
        self,
        builder: Builder,
        value: Value[TensorType],
        dimension: int,
        axes: Sequence[Any],
        monoid: str,
    ) -> Value[TensorType]:
        """Reduces partial terms along some axes and scatters the result."""
        return builder.create(
            ReduceScatter,
            operand=value,
            scatter_dimension=dimension,
            replica_groups=self.process_groups(tuple(axes)),
            channel_handle=self.channel(),
            use_global_device_ids=True,
            regions=[monoid_region(monoid, value.type)],
            results=[scale_dimension(value.type, dimension, 1, shard_count(axes))],
        ).results[0]

    # ---- shards

    def exchange_axes(
        self,
        builder: Builder,
        value: Value[TensorType],
        at: TensorPlacement,
        after: TensorPlacement,
    ) -> tuple[Value[TensorType], TensorPlacement]:
        """Moves axes from the dimension that they divide before to the one that they divide after.

        If the axes end up in another order, the caller permutes the shards.
        """
        for source, axes in enumerate(after.dimensions):
            start = shared_start(at.dimensions[source], axes)
            rest = axes_after(at.dimensions[source], start)
            for target, requested in enumerate(after.dimensions):
                own = at.dimensions[target]
                if rest and target != source and {*own, *rest} <= set(requested):
                    value = self.all_to_all(builder, value, source, target, rest)
                    at = at.with_axes(source, start).with_axes(target, join_axes(own, rest))
                    break
        return value, at

    def redistribute(
        self,
        builder: Builder,
        value: Value[TensorType],
        at: TensorPlacement,
        after: TensorPlacement,
    ) -> tuple[Value[TensorType], TensorPlacement]:
        """Moves shards where they would be gathered and then divided by other axes.

        A device cuts its part along the new axes out of what it has, exchanges parts until each
        dimension has as many shards as it will have, and permutes them. What is divided further
        than ``after`` is, the caller gathers. Where that takes more than one message, and the new
        shards are parts of the old ones, these parts are permuted.
        """
        if after.terms or at.terms:
            return value, at
        shape = before_type(value, at).shape
        exchange = plan_exchange(shape, at, after)
        is_short = exchange is not None and exchange.messages_to(after) == 1
        if not is_short and gathers_in_vain(at, after) and is_refined(shape, at, after):
            return self.sent_parts(builder, value, at, after), after
        if exchange is None:
            return value, at
        value, at = self.slice_shard(builder, value, at, exchange.cut), exchange.cut
        for move in exchange.moves:
            value = self.all_to_all(builder, value, move.source, move.target, move.axes)
            at = move.apply(at)
        if at != exchange.permuted:
            value, at = (
                self.permute_shards(builder, value, at, exchange.permuted),
                exchange.permuted,
            )
        return value, at

    def sent_parts(
        self,
        builder: Builder,
        value: Value[TensorType],
        before: TensorPlacement,
        after: TensorPlacement,
    ) -> Value[TensorType]:
        """Sends each device the shard that it needs, which is a part of what another one has."""
        moves = self.devices.refined_moves(before, after)
        shape = after.local(before_type(value, before)).shape
        every = tuple(AxisRange(name, 1, size) for name, size in self.devices.sizes.items())
        (order,) = self.devices.groups(every)
        starts = [
            self.table(every, tuple(moves[device].part[d] * size for device in order))
            for d, size in enumerate(shape)
        ]
        part = builder.create(
            DynamicSlice, operand=value, start_indices=starts, slice_sizes=shape
        ).result
        return self.send(builder, part, [(move.source, move.target) for move in moves])

    def all_to_all(
        self, builder: Builder, value: Value[TensorType], source: int, target: int, axes: Axes
    ) -> Value[TensorType]:
        """Exchanges a division of one dimension for a division of another."""
        count = shard_count(axes)
        result = scale_dimension(scale_dimension(value.type, source, count, 1), target, 1, count)
        return builder.create(
            AllToAll,
            operands=[value],
            split_dimension=target,
            concat_dimension=source,
            split_count=count,
            replica_groups=self.devices.groups(axes),
            channel_handle=self.channel(),
            results=[result],
        ).results[0]

    def permute_shards(
        self,
        builder: Builder,
        value: Value[TensorType],
        before: TensorPlacement,
        after: TensorPlacement,
    ) -> Value[TensorType]:
        """Moves shards to other devices; their number stays."""
        return self.send(builder, value, self.devices.moves(before, after))

    def send(
        self, builder: Builder, value: Value[TensorType], pairs: Sequence[tuple[int, int]]
    ) -> Value[TensorType]:
        """Sends values from some devices to others; those that receive nothing have zeros."""
        return builder.create(
            CollectivePermute,
            operand=value,
            source_target_pairs=sorted(pairs),
            channel_handle=self.channel(),
            results=[value.type],
        ).results[0]

    def gather(
        self, builder: Builder, value: Value[TensorType], dimension: int, axes: Axes
    ) -> Value[TensorType]:
        """Concatenates the shards along some axes; those without elements are the whole."""
        if value.type.shape[dimension] == 0:
            return value
        return builder.create(
            AllGather,
            operands=[value],
            all_gather_dim=dimension,
            replica_groups=self.process_groups(axes),
            channel_handle=self.channel(),
            use_global_device_ids=True,
            results=[scale_dimension(value.type, dimension, shard_count(axes), 1)],
        ).results[0]

    def broadcast(
        self, builder: Builder, values: Sequence[Value], source: int | None = None
    ) -> Sequence[Value[TensorType]]:
        """Broadcasts the values of one device, by default of the first one."""
        first = self.devices.ids[0] if source is None else source
        group = [first, *(device for device in self.devices.ids if device != first)]
        return builder.create(
            CollectiveBroadcast,
            operands=list(values),
            replica_groups=[group],
            channel_handle=self.channel(),
            results=[value.type for value in values],
        ).results

    def slice_shard(
        self,
        builder: Builder,
        value: Value[TensorType],
        before: TensorPlacement,
        after: TensorPlacement,
    ) -> Value[TensorType]:
        """Slices the shard of the device out of the values that it has."""
        if before.dimensions == after.dimensions:
            return value
        shape = after.local(before_type(value, before)).shape
        starts = [
            self.place(axes_after(axes, before.dimensions[d]), shape[d])
            for d, axes in enumerate(after.dimensions)
        ]
        return builder.create(
            DynamicSlice, operand=value, start_indices=starts, slice_sizes=shape
        ).result

    def place(self, axes: Axes, size: int) -> Value:
        """Returns the offset of the shard of the device along some axes; computed once."""
        return self.table(axes, tuple(size * i for i in range(shard_count(axes))))

    def table(self, axes: Axes, numbers: tuple[int, ...]) -> Value[TensorType]:
        """Returns the number of the device, by its place along some axes; computed once."""
        known = self.places.get((axes, numbers))
        if known is not None:
            return known
        if len({*numbers}) == 1:
            value = self.constant(np.array(numbers[0], np.int32))
        else:
            own = [numbers[position] for position in self.devices.positions(axes)]
            table_row = self.prologue.create(
                DynamicSlice,
                operand=self.constant(np.array(own, np.int32)),
                start_indices=[self.id],
                slice_sizes=[1],
            )
            value = self.prologue.create(
                Reshape, operand=table_row.result, results=[tensor(I32)]
            ).results[0]
        self.places[axes, numbers] = value
        return value

    def state(
        self,
    ) -> tuple[int, int, dict[tuple[Axes, tuple[int, ...]], Value], Value | None]:
        """Returns the state that ``restore`` restores."""
        return (
            self.channels,
            len(self.prologue.block.operations),
            dict(self.places),
            self.partition_id,
        )

    def restore(
        self,
        state: tuple[int, int, dict[tuple[Axes, tuple[int, ...]], Value], Value | None],
    ) -> None:
        """Removes what was emitted since ``state``."""
        self.channels, length, self.places, self.partition_id = state
        del self.prologue.block.operations[length:]

    @property
    def id(self) -> Value[TensorType]:
        """The partition id of the device."""
        if self.partition_id is None:
            self.partition_id = self.prologue.create(PartitionId).result
        return self.partition_id

    def constant(self, numbers: Any) -> Value:
        """Emits a constant in the prologue."""
        value = dense_elements(tensor(I32, *numbers.shape), numbers)
        return self.prologue.create(Constant, value=value, results=[value.type]).results[0]

    # ---- groups

    def process_groups(self, axes: Axes) -> list[list[int]]:
        """Returns the groups of processes that differ along these axes only."""
        return self.devices.flattened_groups(axes)

    def channel(self) -> ChannelHandle:
        """Allocates an unused channel between devices."""
        self.channels += 1
        return ChannelHandle(self.channels, DEVICE_TO_DEVICE)


def before_type(value: Value[TensorType], placement: TensorPlacement) -> TensorType:
    """Returns the type of the tensor of which a value is a shard."""
    local: TensorType = value.type
    sizes = zip(local.shape, placement.counts, strict=True)
    return local.with_shape([size * count for size, count in sizes])


def scale_dimension(local: TensorType, dimension: int, factor: int, divisor: int) -> TensorType:
    """Returns a type with the size of one dimension scaled."""
    shape = list(local.shape)
    shape[dimension] = shape[dimension] * factor // divisor
    return local.with_shape(shape)


def zero(builder: Builder, local: TensorType) -> Value[TensorType]:
    """Returns a tensor of zeros."""
    value = DenseElementsAttribute(local, np.zeros(1, local.element_type.dtype))
    return builder.create(Constant, value=value, results=[local]).results[0]


def monoid_region(monoid: str, operand: TensorType) -> Region:
    """Returns the region that combines two scalars by the operation of this name."""
    scalar = tensor(operand.element_type)
    block = Block([scalar, scalar])
    cls = OPERATIONS[f"stablehlo.{monoid}"]
    combined = cls(block.arguments, [scalar])
    block.append(combined)
    block.append(Return(combined.results))
    return Region([block])

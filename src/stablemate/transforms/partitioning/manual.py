"""Manual computations: their bodies are about pieces along some axes of the mesh.

Along the other axes, which are free, a body is partitioned like the program around it.

Source: Shardy dialect, manual_computation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from stablemate.dialects.sdy.attributes import AxisRef, TensorSharding
from stablemate.dialects.sdy.mesh import mesh_of
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Type
from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
from stablemate.transforms.partitioning.partitioner import Partitioner, with_open_axes
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    axes_after,
    join_axes,
    replicated_placement,
)
from stablemate.transforms.partitioning.requested_shardings import RequestedSharding

if TYPE_CHECKING:
    from stablemate.dialects.sdy.computations import ManualComputation


def manual_computation(self: Partitioner, operation: ManualComputation, builder: Builder) -> None:
    """Partitions the operations of the body, which are about shards along the manual axes."""
    manual = manual_axes(self, operation)
    sizes = self.resharder.devices.sizes
    free_axes = {name for name, size in sizes.items() if size > 1} - manual
    block: Block = operation.body.block
    shardings = operation.in_shardings.shardings
    for operand, argument, sharding in zip(
        operation.operands, block.arguments, shardings, strict=True
    ):
        partitioned_value = self.partitioned[operand]
        placement = operand_placement(
            requested_sharding(self, sharding, operand.type), partitioned_value, manual
        )
        shard = self.shard(builder, partitioned_value, placement)
        free = free_part(placement, manual)
        self.record(argument, shard, free, is_unreduced=bool(free.terms))
    if free_axes:
        outer, self.is_manual = self.is_manual, True
        returned = self.block(block, builder)
        self.is_manual = outer
    else:
        returned = copy_body(self, block, builder)
    triples = zip(operation.results, returned, operation.out_shardings.shardings, strict=True)
    for result, partitioned_value, sharding in triples:
        wanted = requested_sharding(self, sharding, result.type)
        wanted_inside = RequestedSharding(free_part(wanted.placement, manual), wanted.is_open)
        free = with_open_axes(wanted_inside, partitioned_value)
        value = self.shard(builder, partitioned_value, free)
        outside = result_placement(wanted.placement, free, manual)
        self.record(result, value, outside, is_unreduced=bool(outside.terms))


def manual_axes(self: Partitioner, operation: ManualComputation) -> frozenset[str]:
    """Returns the axes of the devices along which the body is about pieces.

    Where shardings of the program are on several meshes, these are parts of the axes of one.
    """
    names: Sequence[str] = operation.manual_axes.axes
    if not self.shardings.has_several_meshes:
        return frozenset(names)
    shardings = [*operation.in_shardings.shardings, *operation.out_shardings.shardings]
    meshes = (mesh_of(operation, sharding) for sharding in shardings)
    mesh = next((mesh for mesh in meshes if mesh is not None and mesh.size > 1), None)
    if mesh is None:
        return frozenset(self.resharder.devices.sizes)
    axes = self.shardings.ranges([AxisRef(name) for name in names], mesh)
    return frozenset(part.name for part in axes)


def requested_sharding(
    self: Partitioner, sharding: TensorSharding, value_type: Type
) -> RequestedSharding:
    """Returns the requested sharding of an operand or a result; a token is replicated."""
    return self.shardings.of_sharding(sharding, value_type) or RequestedSharding(
        replicated_placement(0), ()
    )


def copy_body(self: Partitioner, block: Block, builder: Builder) -> list[PartitionedValue]:
    """Copies the operations of a body without free axes; returns its results."""
    rewriting = Rewriting({})
    for argument in block.arguments:
        local = self.partitioned[argument].value
        assert local is not None
        rewriting.values[argument] = local
    for nested in block.operations[:-1]:
        rewriting.place(nested, builder.block)
    return [
        PartitionedValue(value.type, without_axes(value.type), rewriting.values[value])
        for value in block.terminator.operands
    ]


def without_axes(value_type: Type) -> TensorPlacement:
    """Returns the placement of a value that no axis divides."""
    return replicated_placement(getattr(value_type, "rank", 0))


def operand_placement(
    wanted: RequestedSharding, partitioned_value: PartitionedValue, manual: Collection[str]
) -> TensorPlacement:
    """Returns the placement of an operand; open dimensions keep free axes that they have."""
    placement = with_open_axes(wanted, partitioned_value)
    pairs = zip(placement.dimensions, wanted.placement.dimensions, strict=True)
    further = (part for own, requested in pairs for part in axes_after(own, requested))
    return wanted.placement if any(part.name in manual for part in further) else placement


def free_part(placement: TensorPlacement, manual: Collection[str]) -> TensorPlacement:
    """Returns the placement in a body, along free axes only."""
    dimensions = tuple(of_others(axes, manual) for axes in placement.dimensions)
    terms = of_others(placement.terms, manual)
    return TensorPlacement(dimensions, terms, placement.monoid if terms else "add")


def result_placement(
    wanted: TensorPlacement, free: TensorPlacement, manual: Collection[str]
) -> TensorPlacement:
    """Returns the placement of a result: manual axes are major to free ones."""
    pairs = zip(wanted.dimensions, free.dimensions, strict=True)
    dimensions = tuple(
        join_axes((part for part in requested if part.name in manual), own)
        for requested, own in pairs
    )
    return TensorPlacement(dimensions, wanted.terms, wanted.monoid)


def of_others(axes: Sequence[Any], manual: Collection[str]) -> Axes:
    """Drops the axes that are manual."""
    return tuple(part for part in axes if part.name not in manual)

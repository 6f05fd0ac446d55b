"""Manual computations: their bodies are about pieces along some axes of the mesh.

Along the other axes, which are free, a body is partitioned like the program around it.

Source: Shardy dialect, manual_computation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from stablemate.dialects.sdy.attributes import TensorSharding
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Value
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Type
from stablemate.transforms.partitioning.partitioner import (
    PartitionedValue,
    Partitioner,
    with_open_axes,
)
from stablemate.transforms.partitioning.placement import (
    Axes,
    Placement,
    axes_after,
    joined,
    replicated,
)
from stablemate.transforms.partitioning.requested_shardings import RequestedSharding


def manual_computation(self: Partitioner, operation: Any, builder: Builder) -> None:
    """The operations of the body, on pieces of its operands."""
    manual = frozenset(operation.manual_axes.axes)
    block: Block = operation.body.block
    shardings = operation.in_shardings.shardings
    for operand, argument, sharding in zip(
        operation.operands, block.arguments, shardings, strict=True
    ):
        partitioned_value = self.partitioned[operand]
        placement = entering(requested(self, sharding, operand.type), partitioned_value, manual)
        self.record(
            argument,
            self.shard(builder, partitioned_value, placement),
            free_part(placement, manual),
        )
    if manual.issuperset(self.resharder.devices.sizes):
        returned = copied(self, block, builder)
    else:
        returned = self.block(block, builder)
    triples = zip(operation.results, returned, operation.out_shardings.shardings, strict=True)
    for result, partitioned_value, sharding in triples:
        wanted = requested(self, sharding, result.type)
        inside = RequestedSharding(free_part(wanted.placement, manual), wanted.is_open)
        free = with_open_axes(inside, partitioned_value)
        value = self.shard(builder, partitioned_value, free)
        self.record(result, value, leaving(wanted.placement, free, manual))


def requested(self: Partitioner, sharding: TensorSharding, value_type: Type) -> RequestedSharding:
    """How an operand or a result is to be divided; what is no tensor is whole."""
    return self.shardings.of_sharding(sharding, value_type) or RequestedSharding(replicated(0), ())


def copied(self: Partitioner, block: Block, builder: Builder) -> list[PartitionedValue]:
    """The operations of a body as they are; returns what it returns."""
    arguments: dict[Value[Any], Value[Any]] = {}
    for argument in block.arguments:
        local = self.partitioned[argument].value
        assert local is not None
        arguments[argument] = local
    rewriting = Rewriting({})
    rewriting.values.update(arguments)
    for nested in block.operations[:-1]:
        rewriting.place(nested, builder.block)
    return [
        PartitionedValue(value.type, without_axes(value.type), rewriting.values[value])
        for value in block.terminator.operands
    ]


def without_axes(value_type: Type) -> Placement:
    """The placement of a value that no axis divides."""
    return replicated(getattr(value_type, "rank", 0))


def entering(
    wanted: RequestedSharding, partitioned_value: PartitionedValue, manual: Collection[str]
) -> Placement:
    """The placement of an operand: as is stated; open dimensions keep free axes that they have."""
    placement = with_open_axes(wanted, partitioned_value)
    pairs = zip(placement.dimensions, wanted.placement.dimensions, strict=True)
    further = (part for own, stated in pairs for part in axes_after(own, stated))
    return wanted.placement if any(part.name in manual for part in further) else placement


def free_part(placement: Placement, manual: Collection[str]) -> Placement:
    """The placement inside of a body, which sees only free axes."""
    return Placement(tuple(of_others(axes, manual) for axes in placement.dimensions))


def leaving(wanted: Placement, free: Placement, manual: Collection[str]) -> Placement:
    """The placement of a result: manual axes divide it before free ones do."""
    pairs = zip(wanted.dimensions, free.dimensions, strict=True)
    dimensions = tuple(
        joined((part for part in stated if part.name in manual), own) for stated, own in pairs
    )
    return Placement(dimensions, wanted.terms, wanted.monoid)


def of_others(axes: Sequence[Any], manual: Collection[str]) -> Axes:
    """The axes that are free."""
    return tuple(part for part in axes if part.name not in manual)

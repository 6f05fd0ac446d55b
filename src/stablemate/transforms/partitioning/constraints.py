"""Applies the sharding constraints in the body of a program: values are resharded to them."""

from __future__ import annotations

from stablemate.dialects.sdy.attributes import TensorSharding
from stablemate.dialects.sdy.sharding import Sharded
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.transforms.partitioning.partitioner import Partitioner
from stablemate.transforms.partitioning.placement import replicated_placement


def reshard(self: Partitioner, operation: Sharded, builder: Builder) -> None:
    """Reshards a value as the operation requests."""
    self.partitioned[operation.results[0]] = self.partitioned[operation.operands[0]]
    sharding = operation.attributes.get("sharding", operation.attributes.get("out_sharding"))
    requested = None
    if isinstance(sharding, TensorSharding):
        requested = self.shardings.of_sharding(sharding, operation.results[0].type)
    self.require(builder, operation, 0, requested)


def forward(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Gives each result the partitioned value of its operand."""
    for operand, result in zip(operation.operands, operation.results, strict=True):
        self.partitioned[result] = self.partitioned[operand]


def ignore(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Drops an annotation that has no effect on partitioning."""


def barrier(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Emits a barrier on the local shards."""
    operands = [self.partitioned[value] for value in operation.operands]
    placements = [operand.kept for operand in operands]
    values = self.shards(operation, builder, placements)
    self.emit(operation, builder, values, placements, placements)
    for operand, result in zip(operands, operation.results, strict=True):
        self.partitioned[result].is_unreduced = operand.is_unreduced


def token(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Emits a token operation; tokens order only what one device does."""
    placements = [replicated_placement(0)] * len(operation.operands)
    values = self.shards(operation, builder, placements)
    self.emit(operation, builder, values, placements, [replicated_placement(0)])

"""Applies the sharding constraints in the body of a program: values are resharded to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.custom_calls.annotations import IDENTITIES, SINKS
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.transforms.partitioning.partitioner import Partitioner
from stablemate.transforms.partitioning.placement import replicated


def reshard(self: Partitioner, operation: Any, builder: Builder) -> None:
    """Reshards a value as the operation requests."""
    self.partitioned[operation.results[0]] = self.partitioned[operation.operands[0]]
    sharding = operation.attributes.get("sharding", operation.attributes.get("out_sharding"))
    requested = (
        self.shardings.of_sharding(sharding, operation.results[0].type) if sharding else None
    )
    self.require(builder, operation, 0, requested)


def forward(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Forwards values unchanged."""
    for operand, result in zip(operation.operands, operation.results, strict=True):
        self.partitioned[result] = self.partitioned[operand]


def ignore(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Drops an annotation that has no effect on partitioning."""


def barrier(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Emits a barrier on the local shards."""
    operands = [self.partitioned[value] for value in operation.operands]
    placements = [operand.placement.reduced for operand in operands]
    values = self.shards(operation, builder, placements)
    self.emit(operation, builder, values, placements, placements)


def token(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Emits a token operation; tokens order only what one device does."""
    placements = [replicated(0)] * len(operation.operands)
    values = self.shards(operation, builder, placements)
    self.emit(operation, builder, values, placements, [replicated(0)])


def custom_call(self: Partitioner, operation: Any, builder: Builder) -> None:
    """Applies an annotation; any other target computes on replicated values.

    Raises:
        UnsupportedError: An operand is divided, or the target has side effects.
    """
    target = operation.call_target_name
    if target in SINKS and not operation.results:
        return
    if target in IDENTITIES and len(operation.results) == len(operation.operands):
        forward(self, operation, builder)
        text = operation.discardable.get("mhlo.sharding")
        for i, value in enumerate(operation.results):
            if text is not None:
                self.require(builder, operation, i, self.shardings.of_text(text.value, value.type))
        return
    partitioned_operands = [self.partitioned[value] for value in operation.operands]
    if operation.has_side_effect or not all(
        operand.placement.is_whole for operand in partitioned_operands
    ):
        why = "has side effects" if operation.has_side_effect else "has divided operands"
        text = f"a custom call of {target} {why}: its operands must be replicated"
        raise UnsupportedError(Diagnostic(text, operation.name, operation.span))
    operands = replicated_placements(operation.operands)
    values = self.shards(operation, builder, operands)
    self.emit(operation, builder, values, operands, replicated_placements(operation.results))


def replicated_placements(values: Sequence[Any]) -> list[Any]:
    """Returns a replicated placement for each value."""
    return [replicated(getattr(value.type, "rank", 0)) for value in values]

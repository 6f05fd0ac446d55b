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


def restated(self: Partitioner, operation: Any, builder: Builder) -> None:
    """A value that is to be divided as stated."""
    self.held[operation.results[0]] = self.held[operation.operands[0]]
    sharding = operation.attributes.get("sharding", operation.attributes.get("out_sharding"))
    wanted = self.statements.of_sharding(sharding, operation.results[0].type) if sharding else None
    self.require(builder, operation, 0, wanted)


def passed(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Values that stay as they are."""
    for operand, result in zip(operation.operands, operation.results, strict=True):
        self.held[result] = self.held[operand]


def ignored(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """An annotation that has no effect on partitioning."""


def barrier(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Pieces pass together."""
    held = [self.held[value] for value in operation.operands]
    placements = [held_value.placement.reduced for held_value in held]
    values = self.pieces(operation, builder, placements)
    self.emit(operation, builder, values, placements, placements)


def token(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Tokens order what a device does itself."""
    placements = [replicated(0)] * len(operation.operands)
    values = self.pieces(operation, builder, placements)
    self.emit(operation, builder, values, placements, [replicated(0)])


def custom_call(self: Partitioner, operation: Any, builder: Builder) -> None:
    """An annotation; any other target computes on values that every device has whole.

    Raises:
        UnsupportedError: An operand is divided, or the target does more than compute.
    """
    target = operation.call_target_name
    if target in SINKS and not operation.results:
        return
    if target in IDENTITIES and len(operation.results) == len(operation.operands):
        passed(self, operation, builder)
        text = operation.discardable.get("mhlo.sharding")
        for i, value in enumerate(operation.results):
            if text is not None:
                self.require(builder, operation, i, self.statements.of_text(text.value, value.type))
        return
    held = [self.held[value] for value in operation.operands]
    if operation.has_side_effect or not all(held_value.placement.is_whole for held_value in held):
        why = "has side effects" if operation.has_side_effect else "has divided operands"
        text = f"a custom call of {target} {why}: only values that are whole are given to it"
        raise UnsupportedError(Diagnostic(text, operation.name, operation.span))
    operands = replicated_placements(operation.operands)
    values = self.pieces(operation, builder, operands)
    self.emit(operation, builder, values, operands, replicated_placements(operation.results))


def replicated_placements(values: Sequence[Any]) -> list[Any]:
    """Every device has the values whole."""
    return [replicated(getattr(value.type, "rank", 0)) for value in values]

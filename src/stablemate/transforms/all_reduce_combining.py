"""Combines independent all_reduces of the same groups into one of several operands.

Source: XLA, all-reduce combiner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from stablemate.dialects.func import Call
from stablemate.dialects.stablehlo.all_reduce import AllReduce
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.dialects.stablehlo.reducers import MONOIDS, combiners
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting


def with_combined_all_reduces(module: Module) -> Module:
    """The module with combined all_reduces; the module itself if there is at most one of a kind."""
    found = Counter(filter(None, map(combining_key, module.operation.walk())))
    if all(count == 1 for count in found.values()):
        return module
    return module.with_operation(Combining().copied(module.operation))


def combining_key(operation: Operation) -> Hashable | None:
    """What two all_reduces must have in common to be combined; None for other operations.

    A reducer that is no monoid may be about one operand only.
    """
    if not isinstance(operation, AllReduce):
        return None
    (monoid, *others) = combiners(operation.computation) or (None,)
    if monoid is None or others or monoid not in MONOIDS.values():
        return None
    attributes = [
        (name, value) for name, value in operation.attributes.items() if name != "channel_handle"
    ]
    elements = {value.type.element_type for value in (*operation.operands, *operation.results)}
    channel = operation.channel_handle
    has_channel = None if channel is None else channel.type
    return monoid, frozenset(attributes), frozenset(elements), has_channel


@dataclass(eq=False, slots=True)
class Deferred:
    """The all_reduces that have not been emitted yet, in one block.

    Attributes:
        groups: The operations, by what they have in common.
        keys: The group of each of their results.
    """

    groups: dict[Hashable, list[AllReduce]] = field(default_factory=dict[Hashable, list[AllReduce]])
    keys: dict[Value[Any], Hashable] = field(default_factory=dict[Value[Any], Hashable])

    def add(self, key: Hashable, operation: AllReduce) -> None:
        """Defers an operation."""
        self.groups.setdefault(key, []).append(operation)
        self.keys.update(dict.fromkeys(operation.results, key))

    def take(self, key: Hashable) -> Sequence[AllReduce]:
        """Removes a group, and returns its operations."""
        operations = self.groups.pop(key)
        for operation in operations:
            for value in operation.results:
                del self.keys[value]
        return operations

    def keys_read_by(self, operation: Operation) -> dict[Hashable, None]:
        """The groups whose results an operation reads; all of them if it has effects."""
        if self.groups and (not isinstance(operation, Op) or is_ordered(operation)):
            return dict.fromkeys(self.groups)
        return {
            self.keys[value]: None
            for nested in operation.walk()
            for value in nested.operands
            if value in self.keys
        }


class Combining(Rewriting):
    """Defers each all_reduce until an operation reads a result of its group."""

    def __init__(self) -> None:
        super().__init__({})
        self.deferred: dict[Block, Deferred] = {}

    def place(self, operation: Operation, block: Block) -> None:
        """Defers an all_reduce, or copies an operation after those that it depends on."""
        deferred = self.deferred.setdefault(block, Deferred())
        key = combining_key(operation)
        for read in deferred.keys_read_by(operation) if deferred.groups else ():
            self.emit(deferred.take(read), block)
        if key is not None and isinstance(operation, AllReduce):
            deferred.add(key, operation)
        else:
            super().place(operation, block)

    def emit(self, operations: Sequence[AllReduce], block: Block) -> None:
        """Emits deferred operations as one."""
        first = operations[0]
        values = [self.values.get(v, v) for operation in operations for v in operation.operands]
        results = [value for operation in operations for value in operation.results]
        copy = AllReduce(
            values,
            [value.type for value in results],
            first.attributes,
            [self.copied_region(first.computation)],
            discardable=first.discardable,
            location=first.location,
            span=first.span,
        )
        block.append(copy)
        self.values.update(zip(results, copy.results, strict=True))


def is_ordered(operation: Op) -> bool:
    """Whether an operation ends a block, or has effects that all_reduces must not pass.

    All devices meet at collective operations in the same order, whatever the order is.
    """
    if operation.definition.terminator:
        return True
    return any(
        not isinstance(nested, Op)
        or isinstance(nested, Call)
        or (
            nested.has_effects
            and not nested.definition.terminator
            and not isinstance(nested, Collective)
        )
        for nested in operation.walk()
    )

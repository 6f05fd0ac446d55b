"""Combines independent all_reduces of the same groups into one of several operands.

The operations of a block are put into another order: all_reduces wait until nothing else can be
computed. Then those of one kind are one operation: the kind of the all_reduce after which the most
others follow one another.

Source: XLA, all-reduce combiner; Hu, "Parallel Sequencing and Assembly Line Problems" (1961): the
operation with the longest way to the end comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from stablemate.dialects.func import Call
from stablemate.dialects.stablehlo.all_reduce import AllReduce
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.dialects.stablehlo.reducers import MONOID_NAMES, combiners
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType
from stablemate.transforms.cse import Merging, has_monoids


def with_combined_all_reduces(module: Module) -> Module:
    """The module with combined all_reduces, and without equal collective operations."""
    if sum(isinstance(operation, Collective) for operation in module.operation.walk()) < 2:
        return module
    merged = module.with_operation(CollectiveMerging().copied(module.operation))
    found = Counter(filter(None, map(combining_key, merged.operation.walk())))
    if all(count == 1 for count in found.values()):
        return merged
    return merged.with_operation(Combining().copied(merged.operation))


class CollectiveMerging(Merging):
    """Copies a module, equal operations once, also collective ones."""

    def is_mergeable(self, operation: Operation) -> bool:
        """Whether an operation has equal results wherever its operands are equal."""
        if isinstance(operation, Collective):
            return bool(operation.results) and has_monoids(operation)
        return super().is_mergeable(operation)

    def key(self, operation: Operation) -> Hashable:
        """The key that equal operations share; the channel is left out."""
        if not isinstance(operation, Collective):
            return super().key(operation)
        return (
            operation.name,
            tuple([self.values.get(value, value) for value in operation.operands]),
            attributes_without_channel(operation),
            tuple([value.type for value in operation.results]),
            tuple(map(combiners, operation.regions)),
        )


def attributes_without_channel(operation: Operation) -> Hashable:
    """The attributes of a collective operation, with the kind of its channel only."""
    channel = operation.attributes.get("channel_handle")
    kept = {name: value for name, value in operation.attributes.items() if name != "channel_handle"}
    return frozenset(kept.items()), getattr(getattr(channel, "value", channel), "type", None)


def combining_key(operation: Operation) -> Hashable | None:
    """The key that all_reduces must share to be combined; None for other operations.

    A reducer that is no monoid may be about one operand only.
    """
    if not isinstance(operation, AllReduce):
        return None
    (monoid, *others) = combiners(operation.computation) or (None,)
    if others or monoid not in MONOID_NAMES:
        return None
    elements = {value.type.element_type for value in (*operation.operands, *operation.results)}
    return monoid, attributes_without_channel(operation), frozenset(elements)


class Combining(Rewriting):
    """Copies a module; all_reduces of a block that can be combined are one."""

    def __init__(self) -> None:
        super().__init__({})

    def fill(self, block: Block, source: Block) -> None:
        """Copies the operations of a block, in an order that combines all_reduces."""
        for segment in segments(source):
            for operations in ordered(segment):
                if len(operations) == 1:
                    self.place(operations[0], block)
                else:
                    self.combine(operations, block)

    def combine(self, operations: Sequence[Operation], block: Block) -> None:
        """Emits several all_reduces as one."""
        first = operations[0]
        values = [self.values.get(v, v) for operation in operations for v in operation.operands]
        results = [value for operation in operations for value in operation.results]
        copy = AllReduce(
            values,
            [value.type for value in results],
            first.attributes,
            [self.copied_region(first.regions[0])],
            discardable=first.discardable,
            location=first.location,
            span=first.span,
        )
        block.append(copy)
        self.values.update(zip(results, copy.results, strict=True))


def segments(block: Block) -> Iterator[list[Operation]]:
    """The operations of a block, cut where an operation must not change places with others."""
    segment: list[Operation] = []
    for operation in block.operations:
        if not isinstance(operation, Op) or is_ordered(operation):
            yield segment
            yield [operation]
            segment = []
        else:
            segment.append(operation)
    yield segment


def ordered(segment: Sequence[Operation]) -> list[Sequence[Operation]]:
    """The operations in an order that combines all_reduces, each with those it is combined with.

    The order stays as it is if nothing can be combined.
    """
    keys = [combining_key(operation) for operation in segment]
    plain: list[Sequence[Operation]] = [[operation] for operation in segment]
    found = Counter(filter(None, keys))
    if all(count == 1 for count in found.values()):
        return plain
    groups = CombiningSchedule(segment, keys).groups()
    return groups if len(groups) < len(plain) else plain


class CombiningSchedule:
    """The order of the operations of a segment.

    Attributes:
        segment: The operations.
        keys: What those that may be combined have in common.
        users: For each operation, the operations that read its results.
        missing: For each operation, how many operations must come before it.
        heights: For each operation, how many all_reduces follow one another from it to the end.
    """

    def __init__(self, segment: Sequence[Operation], keys: Sequence[Hashable | None]) -> None:
        self.segment = segment
        self.keys = keys
        self.users: list[list[int]] = [[] for _ in segment]
        self.missing = [0] * len(segment)
        definitions: dict[Value[TensorType], int] = {
            value: i for i, op in enumerate(segment) for value in op.results
        }
        for i, operation in enumerate(segment):
            for source in sources(operation, definitions):
                self.users[source].append(i)
                self.missing[i] += 1
        self.heights = [0] * len(segment)
        for i in reversed(range(len(segment))):
            after = max((self.heights[user] for user in self.users[i]), default=0)
            self.heights[i] = after + (keys[i] is not None)

    def groups(self) -> list[Sequence[Operation]]:
        """The operations in order; those of a group are combined."""
        ready = [i for i, count in enumerate(self.missing) if count == 0]
        heapify(ready)
        waiting: list[int] = []
        groups: list[Sequence[Operation]] = []
        while ready or waiting:
            if ready:
                i = heappop(ready)
                if self.keys[i] is not None:
                    waiting.append(i)
                    continue
                chosen = [i]
            else:
                key = self.keys[max(waiting, key=lambda i: self.heights[i])]
                chosen = [i for i in waiting if self.keys[i] == key]
                waiting = [i for i in waiting if self.keys[i] != key]
            groups.append([self.segment[i] for i in chosen])
            self.release(chosen, ready)
        return groups

    def release(self, chosen: Sequence[int], ready: list[int]) -> None:
        """Adds the operations that waited for the last of some others only."""
        for i in chosen:
            for user in self.users[i]:
                self.missing[user] -= 1
                if self.missing[user] == 0:
                    heappush(ready, user)


def sources(operation: Operation, definitions: dict[Value[TensorType], int]) -> set[int]:
    """The operations of a segment whose results an operation reads, in its regions too."""
    read = (value for nested in operation.walk() for value in nested.operands)
    return {definitions[value] for value in read if value in definitions}


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

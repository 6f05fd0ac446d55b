"""Combines independent collective operations of the same groups into one.

The operations of a block are put into another order: those that may be combined wait until nothing
else can be computed. Then those of one kind are one operation: the kind of the operation after
which the most others follow one another. all_reduces are one of several operands, and so are
all_gathers, of bits as integers if their types differ; operands of reduce_scatters are
concatenated.

Source: XLA, all-reduce, all-gather and reduce-scatter combiners; Hu, "Parallel Sequencing and
Assembly Line Problems" (1961): the operation with the longest way to the end comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, chain
from math import prod
from typing import Final

from stablemate.dialects.func import Call
from stablemate.dialects.stablehlo.all_gather import AllGather
from stablemate.dialects.stablehlo.all_reduce import AllReduce
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.reduce_scatter import ReduceScatter
from stablemate.dialects.stablehlo.reducers import MONOID_NAMES, combiners
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.ir.attributes import integer
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Module, Operation, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import Attribute, TensorType
from stablemate.numerics.elements import I64, ElementType, FloatType, IntegerType
from stablemate.transforms.cse import Merging, has_monoids

SCATTERED: Final = "scatter_dimension"
# The bytes of all_gathers and reduce_scatters, up to which their number is what they cost. What is
# gathered early waits in memory, as does what is scattered late.
MOST_BYTES: Final[Mapping[str, int]] = {
    "stablehlo.all_gather": 1 << 10,
    "stablehlo.reduce_scatter": 1 << 20,
}


def with_combined_collectives(module: Module) -> Module:
    """The module with combined collective operations, and without equal ones."""
    if sum(isinstance(operation, Collective) for operation in module.operation.walk()) < 2:
        return module
    merged = module.with_operation(CollectiveMerging().copy_operation(module.operation))
    keys = (combining_key(op) for op in merged.operation.walk())
    found = Counter(filter(None, keys))
    if all(count == 1 for count in found.values()):
        return merged
    return merged.with_operation(Combining().copy_operation(merged.operation))


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


def attributes_without_channel(
    operation: Operation,
) -> tuple[frozenset[tuple[str, Attribute]], object]:
    """The attributes of a collective operation, with the kind of its channel only."""
    channel = operation.attributes.get("channel_handle")
    kept = {name: value for name, value in operation.attributes.items() if name != "channel_handle"}
    return frozenset(kept.items()), getattr(getattr(channel, "value", channel), "type", None)


def combining_key(operation: Operation) -> Hashable | None:
    """The key that collective operations must share to be combined; None for other operations.

    A reducer that is no monoid may be about one operand only.
    """
    if not isinstance(operation, (AllReduce, AllGather, ReduceScatter)):
        return None
    types = [value.type for value in (*operation.operands, *operation.results)]
    monoid: str | None = None
    if not isinstance(operation, AllGather):
        (monoid, *others) = combiners(operation.computation) or (None,)
        if others or monoid not in MONOID_NAMES:
            return None
    most = MOST_BYTES.get(operation.name)
    if most is not None and (
        not all(own.is_static for own in types) or bytes_of(operation) >= most
    ):
        return None
    elements: Hashable = frozenset(value_type.element_type for value_type in types)
    if monoid is None and all(is_number(value_type.element_type) for value_type in types):
        elements = frozenset(value_type.element_type.bits for value_type in types)
    return operation.name, monoid, attributes_for_combining(operation), elements


def is_number(element: ElementType) -> bool:
    """Whether elements are as many bits as those of an integer: they are gathered as such."""
    return isinstance(element, IntegerType | FloatType) and element.bits in (8, 16, 32, 64)


def bytes_of(operation: Operation) -> int:
    """The bytes of what a collective operation takes or makes, whichever is more."""
    sides = (operation.operands, operation.results)
    totals: list[int] = [sum(value.type.bytes for value in side) for side in sides]
    return max(totals)


def attributes_for_combining(operation: Collective) -> Hashable:
    """The attributes that collective operations must share to be combined."""
    attributes, channel_type = attributes_without_channel(operation)
    return frozenset(pair for pair in attributes if pair[0] != SCATTERED), channel_type


class Combining(Rewriting):
    """Copies a module; collective operations of a block that can be combined are one."""

    def __init__(self) -> None:
        super().__init__({})

    def fill(self, block: Block, source: Block) -> None:
        """Copies the operations of a block, in an order that combines collective ones."""
        for segment in segments(source):
            for operations in combination_order(segment):
                if len(operations) == 1:
                    self.place(operations[0], block)
                else:
                    self.combine(operations, block)

    def combine(self, operations: Sequence[Operation], block: Block) -> None:
        """Emits several collective operations as one."""
        values = [self.values.get(v, v) for operation in operations for v in operation.operands]
        results = [value for operation in operations for value in operation.results]
        builder = Builder(block).at(operations[0])
        if isinstance(operations[0], ReduceScatter):
            self.values.update(
                zip(results, self.combine_scatters(operations, values, builder), strict=True)
            )
            return
        types = [value.type for value in results]
        elements = {value_type.element_type for value_type in types}
        if len(elements) > 1:
            element = gathered_as(elements)
            values = [as_bits(builder, value, element) for value in values]
            types = [value_type.with_element(element) for value_type in types]
        copy = self.like(operations[0], values, types, builder)
        pairs = zip(copy.results, results, strict=True)
        combined = [as_bits(builder, own, old.type.element_type) for own, old in pairs]
        self.values.update(zip(results, combined, strict=True))

    def like(
        self,
        operation: Operation,
        values: Sequence[Value],
        types: Sequence[TensorType],
        builder: Builder,
        **attributes: Attribute,
    ) -> Operation:
        """Emits an operation on other operands."""
        copy = type(operation)(
            values,
            types,
            {**operation.attributes, **attributes},
            [self.copied_region(region) for region in operation.regions],
            discardable=operation.discardable,
            location=operation.location,
            span=operation.span,
        )
        builder.block.append(copy)
        return copy

    def combine_scatters(
        self, operations: Sequence[Operation], values: Sequence[Value], builder: Builder
    ) -> list[Value]:
        """Emits reduce_scatters as one of rows, each of which has what one device gets."""
        pairs = list(zip(operations, values, strict=True))
        rows = [row_of_each_device(builder, operation, value) for operation, value in pairs]
        lengths = [row.type.shape[1] for row in rows]
        wide = rows[0].type.with_shape((rows[0].type.shape[0], sum(lengths)))
        joined = builder.create(Concatenate, inputs=rows, dimension=1, results=[wide]).results[0]
        own = wide.with_shape((1, sum(lengths)))
        scatter_dimension = integer(0, I64)
        reduced = self.like(
            operations[0], [joined], [own], builder, scatter_dimension=scatter_dimension
        ).results[0]
        ends = [*accumulate(lengths)]
        return [
            reshape(
                builder, columns(builder, reduced, end - length, end), operation.results[0].type
            )
            for operation, length, end in zip(operations, lengths, ends, strict=True)
        ]


def row_of_each_device(builder: Builder, operation: Operation, value: Value) -> Value[TensorType]:
    """The operand of a reduce_scatter as a matrix: a row for each device, of what it gets."""
    shape, result = value.type.shape, operation.results[0].type.shape
    dimension = getattr(operation, SCATTERED)
    count = shape[dimension] // result[dimension]
    split = [*shape[:dimension], count, *result[dimension:]]
    order = [dimension, *(d for d in range(len(split)) if d != dimension)]
    pieces = reshape(builder, value, value.type.with_shape(split))
    if dimension:
        moved = value.type.with_shape([split[d] for d in order])
        pieces = builder.create(
            Transpose, operand=pieces, permutation=order, results=[moved]
        ).results[0]
    return reshape(builder, pieces, value.type.with_shape((count, prod(result))))


def gathered_as(elements: Collection[ElementType]) -> ElementType:
    """The type as which elements of several types with as many bits are gathered: an integer."""
    integers = [element for element in elements if isinstance(element, IntegerType)]
    bits = max(element.bits for element in elements)
    return min(integers, key=str, default=IntegerType(bits, "unsigned"))


def as_bits(builder: Builder, value: Value[TensorType], element: ElementType) -> Value[TensorType]:
    """The bits of a value as elements of a type with as many."""
    if value.type.element_type == element:
        return value
    target = value.type.with_element(element)
    return builder.create(BitcastConvert, operand=value, results=[target]).results[0]


def reshape(builder: Builder, value: Value, target: TensorType) -> Value[TensorType]:
    """A value in another shape."""
    return builder.create(Reshape, operand=value, results=[target]).results[0]


def columns(builder: Builder, row: Value[TensorType], start: int, end: int) -> Value[TensorType]:
    """Some columns of a row."""
    return builder.create(
        Slice,
        operand=row,
        start_indices=(0, start),
        limit_indices=(1, end),
        strides=(1, 1),
        results=[row.type.with_shape((1, end - start))],
    ).results[0]


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


def combination_order(segment: Sequence[Operation]) -> list[Sequence[Operation]]:
    """The operations in an order that combines, each with those it is combined with.

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
        heights: For each operation, how many that may be combined follow one another to the end.
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
        waiting: dict[Hashable, list[int]] = {}  # by what they have in common
        arrivals: dict[int, int] = {}
        groups: list[Sequence[Operation]] = []

        def urgency(i: int) -> tuple[int, int]:
            return self.heights[i], -arrivals[i]

        while ready or waiting:
            if ready:
                i = heappop(ready)
                key = self.keys[i]
                if key is None:
                    chosen = [i]
                else:
                    arrivals[i] = len(arrivals)
                    alike = waiting.setdefault(key, [])
                    alike.append(i)
                    if not self.is_full(alike):
                        continue
                    chosen = waiting.pop(key)
            else:
                chosen = waiting.pop(self.keys[max(chain(*waiting.values()), key=urgency)])
            groups.append([self.segment[i] for i in chosen])
            self.release(chosen, ready)
        return groups

    def is_full(self, chosen: Sequence[int]) -> bool:
        """Whether operations wait for no others, as they have so many bytes."""
        most = MOST_BYTES.get(self.segment[chosen[0]].name)
        return most is not None and sum(bytes_of(self.segment[i]) for i in chosen) >= most

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
    """Whether an operation ends a block, or has effects that others must not pass.

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

"""Control flow, calls and regions of Shardy: their values are divided like those inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, UnsupportedError
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
from stablemate.transforms.partitioning.partitioner import Partitioner, local_type
from stablemate.transforms.partitioning.placement import TensorPlacement, replicated_placement

if TYPE_CHECKING:
    from stablemate.dialects.sdy.computations import NamedComputation
    from stablemate.dialects.stablehlo.composite import Composite
    from stablemate.dialects.stablehlo.while_ import While


def while_(self: Partitioner, operation: While, builder: Builder) -> None:
    """The state is divided as its first values are, or as the body leaves what is whole at first.

    What the body divides further is tried until it stays as it is. Values that are unreduced stay
    so if the body leaves them unreduced.
    """
    state = [self.partitioned[value] for value in operation.operands]
    carried = [
        self.free_placement(value, result) or value.kept
        for value, result in zip(state, operation.results, strict=True)
    ]
    while True:
        with self.attempt():
            block = start_block(operation.body, carried)
            returned = region(self, operation.body, block, carried)
        adopted = [
            next_placement(before, after) for before, after in zip(carried, returned, strict=True)
        ]
        if adopted == carried:
            break
        carried = adopted
    values = [
        self.shard(builder, value, placement)
        for value, placement in zip(state, carried, strict=True)
    ]
    regions: list[Region] = []
    for source in (operation.cond, operation.body):
        block = start_block(source, carried)
        with self.region_scope():
            condition = region(self, source, block, carried)
            target = carried if source is operation.body else [replicated_placement(0)]
            end_block(self, block, condition, target, source.block.terminator)
        regions.append(Region([block]))
    emit_on_pieces(self, operation, builder, values, carried, regions)


def next_placement(before: TensorPlacement, after: PartitionedValue) -> TensorPlacement:
    """The placement of a value of the state that the body leaves otherwise than it finds it."""
    if before.terms:
        return before if after.placement.has_terms_of(before) else before.reduced
    return after.placement.reduced if before.is_whole else before


def branches(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """Results are divided as the first branch that divides them leaves them."""
    (index,) = [self.partitioned[value] for value in operation.operands]
    column: list[list[PartitionedValue]] = []
    for source in operation.regions:
        with self.attempt():
            column.append(region(self, source, Block(), ()))
    target = [first_divided(column) for column in zip(*column, strict=True)]
    regions: list[Region] = []
    for source in operation.regions:
        block = Block()
        with self.region_scope():
            end_block(self, block, region(self, source, block, ()), target, source.block.terminator)
        regions.append(Region([block]))
    emit_on_pieces(self, operation, builder, [self.replicate(builder, index)], target, regions)


def first_divided(values: Sequence[PartitionedValue]) -> TensorPlacement:
    """The first placement that divides anything, or is unreduced."""
    placements = (value.kept for value in values)
    rank = len(values[0].placement.dimensions)
    return next(
        (placement for placement in placements if not placement.is_whole),
        replicated_placement(rank),
    )


def start_block(source: Region, carried: Sequence[TensorPlacement]) -> Block:
    """A block that takes pieces."""
    pairs = zip(source.block.arguments, carried, strict=True)
    types = [local_type(argument.type, placement) for argument, placement in pairs]
    return Block(types, [argument.location for argument in source.block.arguments])


def region(
    self: Partitioner, source: Region, block: Block, carried: Sequence[TensorPlacement]
) -> list[PartitionedValue]:
    """Partitions the operations of a region into a block; returns the partitioned results."""
    arguments = zip(source.block.arguments, block.arguments, carried, strict=True)
    for argument, local, placement in arguments:
        self.record(argument, local, placement, is_unreduced=bool(placement.terms))
    return self.block(source.block, Builder(block))


def end_block(
    self: Partitioner,
    block: Block,
    results: Sequence[PartitionedValue],
    target: Sequence[TensorPlacement],
    terminator: Operation,
) -> None:
    """Ends a block with pieces by the placements that are wanted."""
    builder = Builder(block).at(terminator)
    values = [
        self.shard(builder, value, placement)
        for value, placement in zip(results, target, strict=True)
    ]
    builder.create(Return, values=values)


def emit_on_pieces(
    self: Partitioner,
    operation: Operation,
    builder: Builder,
    values: Sequence[Value],
    placements: Sequence[TensorPlacement],
    regions: Sequence[Region],
) -> None:
    """The operation on pieces, with other regions."""
    pairs = zip(operation.results, placements, strict=True)
    copy = type(operation)(
        values,
        [local_type(value.type, placement) for value, placement in pairs],
        operation.attributes,
        regions,
        location=operation.location,
        span=operation.span,
    )
    builder.block.append(copy)
    for value, result, placement in zip(operation.results, copy.results, placements, strict=True):
        self.record(value, result, placement, is_unreduced=bool(placement.terms))


# ---- calls


def call(self: Partitioner, operation: Call, builder: Builder) -> None:
    """The operations of the function, in the place of the call."""
    inline_function(self, operation, builder, operation.callee)


def composite(self: Partitioner, operation: Composite, builder: Builder) -> None:
    """The operations of its decomposition."""
    inline_function(self, operation, builder, operation.decomposition)


def inline_function(self: Partitioner, operation: Operation, builder: Builder, name: str) -> None:
    """The operations of a function, in the place of an operation.

    Raises:
        UnsupportedError: The function calls itself, or has no body of one block.
        LimitError: Calls are nested too deeply.
    """
    function = self.functions.get(name)
    if function is None or len(function.body.blocks) != 1 or name in self.calls:
        text = f"@{name} cannot stand in the place of the operation: it calls itself or has no body"
        raise UnsupportedError(Diagnostic(text, operation.name, operation.span))
    self.calls.append(name)
    self.path.append(operation)
    try:
        results = inlined_results(self, operation, builder, function)
    except RecursionError:
        text = "calls are nested too deeply to be partitioned: opt --inline removes them"
        raise LimitError(Diagnostic(text, "limits.calls", operation.span)) from None
    finally:
        self.path.pop()
        self.calls.pop()  # the operation is partitioned once more, with whole operands
    self.partitioned.update(zip(operation.results, results, strict=True))


def inlined_results(
    self: Partitioner, operation: Operation, builder: Builder, function: FuncOp
) -> list[PartitionedValue]:
    """The results of a function that is partitioned in the place of an operation."""
    placements = [
        self.shardings.of_value(attributes, value_type)
        for attributes, value_type in zip(
            function.argument_attributes, function.type.inputs, strict=True
        )
    ]
    pairs = zip(operation.operands, function.body.block.arguments, strict=True)
    for (operand, argument), target in zip(pairs, placements, strict=True):
        self.partitioned[argument] = self.partitioned[operand]
        if target is not None:
            self.divide(builder, operation, argument, target)
    return self.block(function.body.block, builder)


def named_computation(self: Partitioner, operation: NamedComputation, builder: Builder) -> None:
    """The operations of its body."""
    pairs = zip(operation.body.block.arguments, operation.operands, strict=True)
    self.partitioned.update((argument, self.partitioned[operand]) for argument, operand in pairs)
    self.path.append(operation)
    try:
        results = self.block(operation.body.block, builder)
    finally:
        self.path.pop()
    self.partitioned.update(zip(operation.results, results, strict=True))

"""Partitions reduce: shards are reduced, then combined across devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reducers import MONOID_NAMES, combiners
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Region, Value
from stablemate.ir.types import TensorType
from stablemate.transforms.partitioning.division import FactorAxes
from stablemate.transforms.partitioning.movement.splats import splat_constant, spread
from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
from stablemate.transforms.partitioning.partitioner import Partitioner, UnreducedOperands
from stablemate.transforms.partitioning.placement import Axes, TensorPlacement

# The initial value that may be used more than once; for other monoids any value may.
IDENTITIES: Final = {"add": 0, "multiply": 1, "xor": 0}


def reduce(self: Partitioner, operation: Reduce, builder: Builder) -> None:
    """Reduces shards; without a monoid, gathers the partial results and reduces them again."""
    rule = self.rule(operation)
    axes = self.axes(operation, rule)
    if not axes.terms:
        self.by_rule(operation, builder, rule)
        return
    monoids = monoids_of(operation.body)
    count = len(operation.inputs)
    operands = [axes.placement(operand) for operand in rule.operands]
    results = [axes.placement(result) for result in rule.results]
    unreduced = self.unreduced_operands(operation, axes)
    if unreduced is not None:
        operands = unreduced.of_operands(operands)
    values = self.shards(operation, builder, operands)
    if len(monoids) < count:
        self.emit(operation, builder, values, operands, results)
        reduce_gathered(self, operation, builder, axes, results)
        return
    emit_terms(self, operation, builder, values, (operands, results), axes.terms, unreduced)


def emit_terms(
    self: Partitioner,
    operation: Reduce,
    builder: Builder,
    values: Sequence[Value],
    placements: tuple[Sequence[TensorPlacement], Sequence[TensorPlacement]],
    axes: Axes,
    unreduced: UnreducedOperands | None = None,
) -> None:
    """Emits the reduction of shards by monoids, whose results are terms.

    Args:
        self: The partitioner.
        operation: The reduction.
        builder: Where it is emitted.
        values: The shards.
        placements: Those of the operands and those of the results.
        axes: The axes along which devices hold terms.
        unreduced: The operands that stay unreduced.
    """
    monoids, (operands, results), values = monoids_of(operation.body), placements, list(values)
    count = len(monoids)
    inits = operation.operands[count:]
    late = [not may_repeat(n, self.partitioned[v]) for n, v in zip(monoids, inits, strict=True)]
    for i in range(count):
        if late[i]:
            values[count + i] = splat_constant(builder, inits[i].type, IDENTITIES[monoids[i]])
    terms = [
        TensorPlacement(result.dimensions, axes, monoid)
        for result, monoid in zip(results, monoids, strict=True)
    ]
    if unreduced is not None:
        terms = unreduced.of_results(terms)
    self.emit(operation, builder, values, operands, terms, is_unreduced=unreduced is not None)
    for i, value in enumerate(operation.results):
        if late[i]:
            total = self.shard(builder, self.partitioned[value], results[i])
            init = self.replicate(builder, self.partitioned[inits[i]])
            joined = combine_tensors(builder, monoids[i], total, spread(builder, init, total.type))
            self.record(value, joined, results[i])


def reduce_gathered(
    self: Partitioner,
    operation: Operation,
    builder: Builder,
    axes: FactorAxes,
    results: Sequence[TensorPlacement],
) -> None:
    """Gathers the partial results of all devices, in order, and reduces them."""
    gathered: list[Value[TensorType]] = []
    for value in operation.results:
        local: Value[TensorType] | None = self.partitioned[value].value
        assert local is not None
        row = local.type.with_shape((1, *local.type.shape))
        raised = builder.create(Reshape, operand=local, results=[row]).results[0]
        gathered.append(self.resharder.gather(builder, raised, 0, axes.terms))
    inits = [
        self.replicate(builder, self.partitioned[v]) for v in operation.operands[len(gathered) :]
    ]
    copy = builder.create(
        Reduce,
        inputs=gathered,
        init_values=inits,
        dimensions=(0,),
        regions=[self.copy_region(operation.regions[0], builder)],
        results=[value.type.with_shape(value.type.shape[1:]) for value in gathered],
    )
    for value, result, placement in zip(operation.results, copy.results, results, strict=True):
        self.record(value, result, placement)


def monoids_of(region: Region) -> list[str]:
    """Returns the monoids of a reduction body; fewer if the body does anything else."""
    return [name for name in combiners(region) if name is not None and name in MONOID_NAMES]


def may_repeat(monoid: str, init: PartitionedValue) -> bool:
    """Whether an initial value may be used once on each device."""
    if monoid not in IDENTITIES:
        return True
    return init.number is not None and bool(init.number == IDENTITIES[monoid])


def combine_tensors(
    builder: Builder, monoid: str, lhs: Value[TensorType], rhs: Value[TensorType]
) -> Value[TensorType]:
    """Combines two tensors element by element."""
    cls = OPERATIONS[f"stablehlo.{monoid}"]
    result: Value = builder.create(cls, lhs=lhs, rhs=rhs, results=[lhs.type]).results[0]
    return result


def combine_by_region(
    builder: Builder, region: Region, lhs: Value[TensorType], rhs: Value[TensorType]
) -> Value[TensorType]:
    """Combines two tensors element by element, as a region of elementwise operations does."""
    values: dict[Value, Value[TensorType]] = dict(
        zip(region.block.arguments, (lhs, rhs), strict=True)
    )
    for operation in region.block.operations[:-1]:
        copy = type(operation)(
            [values[value] for value in operation.operands],
            [lhs.type.with_element(own.type.element_type) for own in operation.results],
            operation.attributes,
            location=operation.location,
        )
        builder.block.append(copy)
        values.update(zip(operation.results, copy.results, strict=True))
    return values[region.block.operations[-1].operands[0]]

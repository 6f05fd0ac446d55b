"""Gather and scatter of rows that are divided over devices, and sums of scattered updates.

A device looks up the rows that it holds and has zeros for the others; the sum over devices is the
result. It updates the rows that it holds: scatter leaves out indices that are out of bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.sdy.attributes import OpShardingRule, TensorMapping
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.clamp import Clamp
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.shapes import remaining_dimensions
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import BOOLEAN, I64
from stablemate.transforms.partitioning.division import (
    FactorAxes,
    divide_factors,
    gathers_less,
)
from stablemate.transforms.partitioning.movement.resharding import Resharder, monoid_region
from stablemate.transforms.partitioning.movement.splats import splat_constant
from stablemate.transforms.partitioning.partitioner import Partitioner
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    are_disjoint,
    join_axes,
)
from stablemate.transforms.partitioning.reductions import (
    IDENTITIES,
    combine_tensors,
    monoids_of,
)

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.gather import Gather
    from stablemate.dialects.stablehlo.scatter import Scatter

LEAST: Final = -(1 << 63)
MOST: Final = (1 << 63) - 1


def gather(self: Partitioner, operation: Gather, builder: Builder) -> None:
    """RowIndices of the operand may be divided: each device looks up its own."""
    numbers, rule = operation.dimension_numbers, self.rule(operation)
    single = [d for d in numbers.start_index_map if d in numbers.collapsed_slice_dims]
    axes, rows = row_axes(self, operation, rule, single)
    if rows and is_smaller_whole(operation, axes, rule):
        rows = {}
    operands = placements(axes, rule, rows, 1)
    result = TensorPlacement(axes.placement(rule.results[0]).dimensions, join_axes(*rows.values()))
    unreduced = self.unreduced_operands(operation, axes) if not rows else None
    if unreduced is not None:
        operands, (result,) = unreduced.of_operands(operands), unreduced.of_results([result])
    values = self.shards(operation, builder, operands)
    if not rows:
        is_unreduced = unreduced is not None
        self.emit(operation, builder, values, operands, [result], is_unreduced=is_unreduced)
        return
    local = RowIndices(
        self.resharder, builder, numbers.start_index_map, numbers.index_vector_dim, rows
    )
    indices = local.clamp(values[1], operation.operand.type)
    values[1] = local.local_indices(indices, values[0].type)
    self.emit(operation, builder, values, operands, [result])
    gathered: Any = self.partitioned[operation.results[0]].value
    batch = remaining_dimensions(gathered.type.rank, numbers.offset_dims)
    held_rows = local.holds_rows(values[1], values[0].type)
    mask = builder.create(
        BroadcastInDim,
        operand=held_rows,
        broadcast_dimensions=batch,
        results=[gathered.type.with_element(BOOLEAN)],
    ).results[0]
    kept = builder.create(
        Select,
        pred=mask,
        on_true=gathered,
        on_false=splat_constant(builder, gathered.type, 0),
        results=[gathered.type],
    ).results[0]
    self.record(operation.results[0], kept, result)


def is_smaller_whole(operation: Gather, axes: FactorAxes, rule: OpShardingRule) -> bool:
    """Whether gathering rows moves less than an all_reduce of what is looked up."""
    operand = axes.placement(rule.operands[0]).local(operation.operand.type)
    result = axes.placement(rule.results[0]).local(operation.result.type)
    return gathers_less(operand, result)


def scatter(self: Partitioner, operation: Scatter, builder: Builder) -> None:
    """RowIndices of the inputs may be divided, and updates: then what they make is combined."""
    numbers, rule = operation.scatter_dimension_numbers, self.rule(operation)
    order = numbers.scatter_dims_to_operand_dims
    single = [d for d in order if d in numbers.inserted_window_dims]
    count = len(operation.inputs)
    axes, rows = row_axes(self, operation, rule, single)
    if axes.terms and self.gathers and not self.is_manual:
        axes, rows = cheaper_axes(self, operation, rule, single, (axes, rows))
    operands = placements(axes, rule, rows, count)
    results = operands[:count]
    unreduced = None if rows or axes.terms else self.unreduced_operands(operation, axes)
    if unreduced is not None:
        operands, results = unreduced.of_operands(operands), unreduced.of_results(results)
    values = self.shards(operation, builder, operands)
    if rows:
        local = RowIndices(self.resharder, builder, order, numbers.index_vector_dim, rows)
        values[count] = local.local_indices(local.widen(values[count]), values[0].type)
    if not axes.terms:
        is_unreduced = unreduced is not None
        self.emit(operation, builder, values, operands, results, is_unreduced=is_unreduced)
        return
    monoids = monoids_of(operation.update_computation)
    if len(monoids) < count:
        text = "updates are divided over devices, and are not combined by a sum or the like"
        raise UnsupportedError(Diagnostic(text, operation.name, operation.span))
    inputs = values[:count]
    for i, monoid in enumerate(monoids):
        if monoid in IDENTITIES:
            values[i] = splat_constant(builder, inputs[i].type, IDENTITIES[monoid])
    terms = [
        TensorPlacement(result.dimensions, axes.terms, monoid)
        for result, monoid in zip(results, monoids, strict=True)
    ]
    self.emit(operation, builder, values, operands, terms)
    for i, value in enumerate(operation.results):
        number = self.partitioned[operation.operands[i]].number
        if monoids[i] in IDENTITIES and (number is None or number != IDENTITIES[monoids[i]]):
            total = self.shard(builder, self.partitioned[value], results[i])
            self.record(value, combine_tensors(builder, monoids[i], inputs[i], total), results[i])


def cheaper_axes(
    self: Partitioner,
    operation: Scatter,
    rule: OpShardingRule,
    single: Sequence[int],
    divided: tuple[FactorAxes, dict[int, Axes]],
) -> tuple[FactorAxes, dict[int, Axes]]:
    """The axes of a scatter of divided updates, or those of whole ones if that moves less.

    Where updates and rows are divided by the same axes, either updates and indices are gathered, or
    the rows are, and terms of the result are reduced.
    """
    whole = row_axes(self, operation, rule, single, gathered=rule.reduction)
    if whole[1] == divided[1]:
        return divided
    count = len(operation.inputs)
    with_terms, without = (
        [
            placement.local(value.type).bytes
            for placement, value in zip(
                placements(axes, rule, rows, count), operation.operands, strict=True
            )
        ]
        for axes, rows in (divided, whole)
    )
    gathered_updates = sum(without[count:]) - sum(with_terms[count:])
    gathered_rows = sum(with_terms[:count]) - sum(without[:count])
    reduced = 2 * sum(with_terms[:count])
    return whole if gathered_updates < gathered_rows + reduced else divided


def row_axes(
    self: Partitioner,
    operation: Operation,
    rule: OpShardingRule,
    single: Sequence[int],
    gathered: Sequence[int] = (),
) -> tuple[FactorAxes, dict[int, Axes]]:
    """The axes of the factors, and those that divide rows of the first operand.

    RowIndices that are divided as something else in the operation is are gathered.

    Args:
        self: The partitioner.
        operation: A gather or a scatter.
        rule: Its rule.
        single: The dimensions of the first operand of which indices name single rows.
        gathered: The factors that operands have whole.
    """
    partitioned_operands = [self.partitioned[value] for value in operation.operands]
    opinions = [
        with_whole_factors(operand.placement.reduced, mapping, gathered)
        for operand, mapping in zip(partitioned_operands, rule.operands, strict=True)
    ]
    if is_same_shape(operation):
        free = self.free_placement(partitioned_operands[0], operation.results[0])
        opinions[0] = free or opinions[0]
    divided_rows = {d: opinions[0].dimensions[d] for d in single if opinions[0].dimensions[d]}
    for d in single:
        opinions[0] = opinions[0].with_axes(d, ())
    axes = divide_factors(operation, rule, opinions)
    used_axes = [part for axis in axes.axes.values() for part in axis]
    return axes, {
        d: divided_row
        for d, divided_row in divided_rows.items()
        if are_disjoint(divided_row, used_axes)
    }


def with_whole_factors(
    placement: TensorPlacement, mapping: TensorMapping, factors: Sequence[int]
) -> TensorPlacement:
    """The placement without the axes of the dimensions that some factors make up."""
    for d, own in enumerate(mapping):
        if not {*own}.isdisjoint(factors):
            placement = placement.with_axes(d, ())
    return placement


def is_same_shape(operation: Operation) -> bool:
    """Whether the result has the shape of the first operand, as that of a scatter has."""
    return bool(operation.operands[0].type == operation.results[0].type)


def placements(
    axes: FactorAxes, rule: OpShardingRule, rows: Mapping[int, Axes], inputs: int
) -> list[TensorPlacement]:
    """The placements of the operands, the rows of the first ones divided too."""
    result = [axes.placement(operand) for operand in rule.operands]
    for i in range(inputs):
        for d, row in rows.items():
            result[i] = result[i].with_axes(d, row)
    return result


class RowIndices:
    """Arithmetic on indices of rows, of which a device holds a range.

    Attributes:
        mover: Knows where the range begins.
        builder: Where the arithmetic is emitted.
        order: Which dimension of the operand each component of an index is about.
        vector: The dimension of the components; one past the last if there is one component.
        rows: The axes by which dimensions are divided.
    """

    def __init__(
        self,
        resharder: Resharder,
        builder: Builder,
        order: Sequence[int],
        vector: int,
        rows: Mapping[int, Axes],
    ) -> None:
        self.resharder = resharder
        self.builder = builder
        self.order = order
        self.vector = vector
        self.rows = rows

    def widen(self, indices: Value) -> Value[TensorType]:
        """Converts indices to ``i64``, in which they are clamped and shifted."""
        wide = indices.type.with_element(I64)
        return self.builder.create(Convert, operand=indices, results=[wide]).results[0]

    def clamp(self, indices: Value, operand: TensorType) -> Value[TensorType]:
        """Indices of 64 bits within the whole operand, as gather takes them."""
        wide = self.widen(indices)
        low, high = self.bounds(wide.type, operand)
        return self.builder.create(Clamp, min=low, operand=wide, max=high).results[0]

    def local_indices(self, indices: Value, local: TensorType) -> Value[TensorType]:
        """Indices into the rows that the device holds."""
        starts: list[Value[TensorType]] = []
        for d in self.order:
            if d in self.rows:
                start = self.resharder.place(self.rows[d], local.shape[d])
            else:
                start = self.resharder.place((), 0)
            wide = self.builder.create(Convert, operand=start, results=[tensor(I64)]).results[0]
            starts.append(
                self.builder.create(Reshape, operand=wide, results=[tensor(I64, 1)]).results[0]
            )
        vector = starts[0]
        if len(starts) > 1:
            vector = self.builder.create(Concatenate, inputs=starts, dimension=0).results[0]
        spread = self.spread(vector, indices.type)
        return combine_tensors(self.builder, "subtract", indices, spread)

    def holds_rows(self, indices: Value, local: TensorType) -> Value[TensorType]:
        """For each index whether the device holds its row."""
        low, high = self.bounds(indices.type, local)
        above = self.compare(indices, low, ComparisonDirection.GE)
        below = self.compare(indices, high, ComparisonDirection.LE)
        both = combine_tensors(self.builder, "and", above, below)
        if self.vector == both.type.rank:
            return both
        true = self.builder.create(
            Constant,
            value=dense_elements(tensor(BOOLEAN), np.array(True)),
            results=[tensor(BOOLEAN)],
        ).results[0]
        shape = [n for d, n in enumerate(both.type.shape) if d != self.vector]
        return self.builder.create(
            Reduce,
            inputs=[both],
            init_values=[true],
            dimensions=(self.vector,),
            regions=[monoid_region("and", tensor(BOOLEAN))],
            results=[tensor(BOOLEAN, *shape)],
        ).results[0]

    def compare(
        self, lhs: Value[TensorType], rhs: Value[TensorType], direction: ComparisonDirection
    ) -> Value[TensorType]:
        """Compares indices in a direction, to a tensor of booleans."""
        result = lhs.type.with_element(BOOLEAN)
        return self.builder.create(
            Compare, lhs=lhs, rhs=rhs, comparison_direction=direction, results=[result]
        ).results[0]

    def bounds(
        self, wide: TensorType, operand: TensorType
    ) -> tuple[Value[TensorType], Value[TensorType]]:
        """The least and the largest index of each component that is about divided rows."""
        high = [operand.shape[d] - 1 if d in self.rows else MOST for d in self.order]
        low = [0 if d in self.rows else LEAST for d in self.order]
        return self.spread(self.numbers(low), wide), self.spread(self.numbers(high), wide)

    def numbers(self, values: Sequence[int]) -> Value:
        """Creates a constant vector of ``i64``."""
        literal = dense_elements(tensor(I64, len(values)), np.array(values, np.int64))
        return self.builder.create(Constant, value=literal, results=[literal.type]).results[0]

    def spread(self, vector: Value[TensorType], wide: TensorType) -> Value[TensorType]:
        """A component of a vector for each component of each index."""
        dimensions = [self.vector] if self.vector < wide.rank else []
        if not dimensions:  # one component
            scalar = self.builder.create(Reshape, operand=vector, results=[tensor(I64)]).results[0]
            vector = scalar
        return self.builder.create(
            BroadcastInDim, operand=vector, broadcast_dimensions=dimensions, results=[wide]
        ).results[0]

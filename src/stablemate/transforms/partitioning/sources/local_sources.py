"""Operations without tensor operands: each device creates its local part directly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.ir.attributes import DenseElementsAttribute, DenseResourceAttribute, dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation, Value
from stablemate.ir.types import TensorType, tensor
from stablemate.transforms.partitioning.partitioned_values import PartitionedValue
from stablemate.transforms.partitioning.partitioner import Partitioner, is_static
from stablemate.transforms.partitioning.placement import TensorPlacement, replicated_placement

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize


def constant(self: Partitioner, operation: Constant, builder: Builder) -> None:
    """A literal that one element fills is one of any shape; others are cut."""
    value: DenseElementsAttribute | DenseResourceAttribute = operation.value
    whole_type: TensorType = operation.results[0].type
    result = builder.create(Constant, value=value, results=[whole_type]).results[0]
    partitioned_value = self.record(
        operation.results[0], result, replicated_placement(whole_type.rank)
    )
    if not isinstance(value, DenseElementsAttribute) or not value.is_splat:
        return

    def materialize(at: Builder, placement: TensorPlacement) -> Value[TensorType]:
        local = placement.local(whole_type)
        literal = DenseElementsAttribute(local, value.data)
        return at.create(Constant, value=literal, results=[local]).results[0]

    partitioned_value.materialize, partitioned_value.number = materialize, value.data[0]


def iota(self: Partitioner, operation: Iota, builder: Builder) -> None:
    """Counts from where the piece of the device begins."""
    whole_type: TensorType = operation.results[0].type
    dimension: int = operation.iota_dimension

    def materialize(at: Builder, placement: TensorPlacement) -> Value[TensorType]:
        local, axes = placement.local(whole_type), placement.dimensions[dimension]
        counted = at.create(Iota, iota_dimension=dimension, results=[local]).results[0]
        if not axes:
            return counted
        start = self.resharder.place(axes, local.shape[dimension])
        scalar = tensor(local.element_type)
        first = at.create(Convert, operand=start, results=[scalar]).results[0]
        spread = at.create(
            BroadcastInDim, operand=first, broadcast_dimensions=(), results=[local]
        ).results[0]
        return at.create(Add, lhs=counted, rhs=spread).results[0]

    partitioned_value = self.record(
        operation.results[0], None, replicated_placement(whole_type.rank)
    )
    partitioned_value.materialize = materialize


def broadcast_in_dim(self: Partitioner, operation: BroadcastInDim, builder: Builder) -> None:
    """Each device broadcasts its part of the operand to the size of its part of the result."""
    result = operation.results[0]
    operand = self.partitioned[operation.operand]
    if not is_static(result.type) or operand.is_unreduced:
        self.by_rule(operation, builder, self.rule(operation))
        return
    dimensions: Sequence[int] = operation.broadcast_dimensions
    shape = operation.operand.type.shape
    kept = [n == result.type.shape[d] for n, d in zip(shape, dimensions, strict=True)]
    natural = replicated_placement(result.type.rank)
    if operand.materialize is None or not operand.placement.is_whole:
        axes = self.axes(operation, self.rule(operation))
        natural = axes.placement(self.rule(operation).results[0])

    def materialize(at: Builder, placement: TensorPlacement) -> Value[TensorType]:
        pairs = zip(dimensions, kept, strict=True)
        below = TensorPlacement(tuple(placement.dimensions[d] if keep else () for d, keep in pairs))
        return at.create(
            BroadcastInDim,
            operand=self.shard(at, operand, below),
            broadcast_dimensions=dimensions,
            results=[placement.local(result.type)],
        ).results[0]

    partitioned_value = self.partitioned[result] = PartitionedValue(
        result.type, natural, None, materialize, operand.number
    )
    if not natural.is_whole:  # it follows its operand
        partitioned_value.value = materialize(builder, natural)


def get_dimension_size(self: Partitioner, operation: GetDimensionSize, builder: Builder) -> None:
    """The size of the whole."""
    size = operation.operand.type.shape[operation.dimension]
    result = operation.results[0].type
    value = dense_elements(result, np.array(size, result.element_type.dtype))
    size_value = builder.create(Constant, value=value, results=[result]).results[0]
    self.record(operation.results[0], size_value, replicated_placement(0))


def rng(self: Partitioner, operation: Operation, builder: Builder) -> None:
    """All devices have what the first one draws."""
    placements = [replicated_placement(value.type.rank) for value in operation.operands]
    values = self.shards(operation, builder, placements)
    result = operation.results[0]
    copy = self.emit(
        operation, builder, values, placements, [replicated_placement(result.type.rank)]
    )
    (drawn_value,) = self.resharder.broadcast(builder, copy.results)
    self.record(result, drawn_value, replicated_placement(result.type.rank))

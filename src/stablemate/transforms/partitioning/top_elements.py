"""The largest elements along a divided dimension: those of each shard, and of these the largest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stablemate.dialects.chlo.top_k import TopK
from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.attributes import GatherDimensionNumbers
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I32, FloatType, IntegerType
from stablemate.transforms.partitioning.partitioner import is_static
from stablemate.transforms.partitioning.placement import Axes

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioner import Partitioner

INDEX_BITS: Final = 32  # of indices: elements of as many are gathered together with them


def top_k(self: Partitioner, operation: TopK, builder: Builder) -> None:
    """Devices gather the largest elements of each shard, if these are few, or the operand.

    Shards are in the order of indices, so that of equal elements the one with the lower index goes
    first, as in the whole.
    """
    operand = self.partitioned[operation.operand]
    axes = operand.settled.dimensions[-1]
    if not axes or not self.gathers or self.is_manual or not is_static(operand.type):
        self.by_rule(operation, builder, self.rule(operation))
        return
    dimension, count, k = len(operand.shape) - 1, shard_count(axes), operation.k
    block = operand.shape[dimension] // count
    few = min(k, block)
    whole = operand.settled.with_axes(dimension, ())
    element = operand.type.element_type if isinstance(operand.type, TensorType) else None
    is_narrow = isinstance(element, IntegerType | FloatType) and element.bits == INDEX_BITS
    if not is_narrow or 2 * few * count >= operand.shape[dimension]:
        values, indices = largest(builder, operation, self.shard(builder, operand, whole), k)
    else:
        shard = self.shard(builder, operand, operand.settled)
        values, indices = largest(builder, operation, shard, few)
        first = builder.create(
            BroadcastInDim,
            operand=self.resharder.place(axes, block),
            broadcast_dimensions=(),
            results=[indices.type],
        ).results[0]
        indices = builder.create(Add, lhs=indices, rhs=first).results[0]
        values, indices = gathered(self, builder, values, indices, axes)
        values, places = largest(builder, operation, values, k)
        indices = picked(builder, indices, places)
    for result, value in zip(operation.results, (values, indices), strict=True):
        self.record(result, value, whole)


def largest(
    builder: Builder, operation: TopK, value: Value[TensorType], k: int
) -> list[Value[TensorType]]:
    """The largest elements of rows, and their places."""
    own = value.type.with_shape((*value.type.shape[:-1], k))
    results = [own, own.with_element(I32)]
    return list(
        builder.create(
            TopK, operand=value, k=k, is_stable=operation.is_stable, results=results
        ).results
    )


def gathered(
    self: Partitioner,
    builder: Builder,
    values: Value[TensorType],
    indices: Value[TensorType],
    axes: Axes,
) -> list[Value[TensorType]]:
    """The values and indices of all shards, by one message: the bits of values are integers."""
    shape, count = values.type.shape, shard_count(axes)
    bits = builder.create(BitcastConvert, operand=values, results=[indices.type]).results[0]
    wide = indices.type.with_shape((*shape[:-1], 2 * shape[-1]))
    both = builder.create(
        Concatenate, inputs=[bits, indices], dimension=len(shape) - 1, results=[wide]
    ).results[0]
    every = self.resharder.gather(builder, both, len(shape) - 1, axes)
    split = indices.type.with_shape((*shape[:-1], count, 2, shape[-1]))
    pairs = builder.create(Reshape, operand=every, results=[split]).results[0]
    target = indices.type.with_shape((*shape[:-1], count * shape[-1]))
    parts: list[Value[TensorType]] = []
    for number in range(2):
        sizes = (*shape[:-1], count, 1, shape[-1])
        starts = [0] * len(sizes)
        starts[-2] = number
        part = builder.create(
            Slice,
            operand=pairs,
            start_indices=starts,
            limit_indices=[start + size for start, size in zip(starts, sizes, strict=True)],
            strides=[1] * len(sizes),
            results=[indices.type.with_shape(sizes)],
        ).results[0]
        parts.append(builder.create(Reshape, operand=part, results=[target]).results[0])
    element = values.type.element_type
    floats = builder.create(
        BitcastConvert, operand=parts[0], results=[target.with_element(element)]
    ).results[0]
    return [floats, parts[1]]


def picked(
    builder: Builder, values: Value[TensorType], places: Value[TensorType]
) -> Value[TensorType]:
    """The elements of rows at places of the same rows."""
    shape = places.type.shape
    last = len(shape) - 1
    rows = tuple(range(last))
    vectors = builder.create(
        Reshape, operand=places, results=[places.type.with_shape((*shape, 1))]
    ).results[0]
    numbers = GatherDimensionNumbers((), (last,), rows, rows, (last,), last + 1)
    return builder.create(
        Gather,
        operand=values,
        start_indices=vectors,
        dimension_numbers=numbers,
        slice_sizes=(1,) * len(shape),
        results=[values.type.with_shape(shape)],
    ).results[0]

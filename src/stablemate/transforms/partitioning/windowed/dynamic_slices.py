"""Dynamic slices and updates of divided dimensions.

A device updates the rows that it has. Of a slice, it takes the rows that it has and zeros for the
others; the sum over devices, of bits as integers, is the slice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from stablemate.dialects.sdy.tensor_partition import shard_count
from stablemate.dialects.stablehlo.attributes import ScatterDimensionNumbers
from stablemate.dialects.stablehlo.clamp import Clamp
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.iota import Iota
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, Region, Value
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import I32, I64, UI64
from stablemate.transforms.partitioning.movement.bit_sums import is_summable, sum_of_bits
from stablemate.transforms.partitioning.movement.row_exchange import RowExchange
from stablemate.transforms.partitioning.movement.splats import splat_constant, spread
from stablemate.transforms.partitioning.placement import (
    Axes,
    TensorPlacement,
    join_axes,
)
from stablemate.transforms.partitioning.reductions import combine_tensors
from stablemate.transforms.partitioning.windowed.results import is_even

if TYPE_CHECKING:
    from stablemate.transforms.partitioning.partitioner import Partitioner


def dynamic_update_slice(
    self: Partitioner, operation: DynamicUpdateSlice, builder: Builder
) -> bool:
    """Each device writes the rows of the update that it has; a scatter leaves out the others."""
    operand, update = self.partitioned[operation.operand], self.partitioned[operation.update]
    cut = cut_dimensions(operand.shape, update.shape, operand.placement)
    if not cut or operand.is_windowed:
        return False
    placement = operand.placement.reduced
    value = self.shard(builder, operand, placement)
    whole = [() if a != b else axes for a, b, axes in rows(operand, update, placement)]
    written = self.shard(builder, update, TensorPlacement(tuple(whole)))
    starts = replicated_starts(self, operation, builder)
    moved = [d for d, (a, b, _) in enumerate(rows(operand, update, placement)) if a != b]
    axes = [placement.dimensions[d] if d in cut else () for d in moved]
    places = [
        local_start(self, builder, starts[d], axes, operand.shape[d], update.shape[d])
        for d, axes in zip(moved, axes, strict=True)
    ]
    index = tensor(I32 if max(operand.shape) < 1 << 31 else I64)
    places = [convert(builder, place, index) for place in places]
    numbers = ScatterDimensionNumbers(
        update_window_dims=tuple(d for d in range(len(update.shape)) if d not in cut),
        inserted_window_dims=tuple(cut),
        scatter_dims_to_operand_dims=tuple(moved),
        index_vector_dim=len(cut),
    )
    sizes = [update.shape[d] for d in cut]
    offsets = [cut.index(d) if d in cut else None for d in moved]
    result = builder.create(
        Scatter,
        inputs=[value],
        scatter_indices=indices_from(builder, places, sizes, offsets),
        updates=[written],
        scatter_dimension_numbers=numbers,
        indices_are_sorted=True,
        unique_indices=True,
        regions=[replacing_region(value.type)],
        results=[value.type],
    ).results[0]
    self.record(operation.results[0], result, placement)
    return True


def indices_from(
    builder: Builder,
    places: Sequence[Value[TensorType]],
    sizes: Sequence[int],
    offsets: Sequence[int | None],
) -> Value[TensorType]:
    """The indices of rows that follow one another.

    Args:
        builder: Where they are computed.
        places: The first index of each component, scalars of one type.
        sizes: How many rows there are along each dimension of the indices.
        offsets: The dimension of the indices along which each component grows; None: it stays.

    Returns:
        Indices of that type, of the shape ``[*sizes, len(places)]``.
    """
    element = places[0].type.element_type
    component = tensor(element, *sizes, 1)
    components: list[Value[TensorType]] = []
    for place, offset in zip(places, offsets, strict=True):
        index = spread(builder, place, component)
        if offset is not None:
            steps = builder.create(Iota, iota_dimension=offset, results=[component]).results[0]
            index = combine_tensors(builder, "add", index, steps)
        components.append(index)
    if len(components) == 1:
        return components[0]
    return builder.create(
        Concatenate,
        inputs=components,
        dimension=len(sizes),
        results=[tensor(element, *sizes, len(places))],
    ).results[0]


def replacing_region(inputs: TensorType) -> Region:
    """The region of a scatter that returns the update."""
    scalar = tensor(inputs.element_type)
    block = Block([scalar, scalar])
    block.append(Return([block.arguments[1]]))
    return Region([block])


def rows(operand: Any, update: Any, placement: TensorPlacement) -> list[tuple[int, int, Axes]]:
    """The sizes of two values along each dimension, and the axes that divide it."""
    return list(zip(operand.shape, update.shape, placement.dimensions, strict=True))


def cut_dimensions(
    whole: Sequence[int], part: Sequence[int], placement: TensorPlacement
) -> list[int]:
    """The dimensions that are divided, and of which a part is taken."""
    return [
        d
        for d, (size, taken) in enumerate(zip(whole, part, strict=True))
        if size != taken and placement.dimensions[d] and is_even(size, placement.dimensions[d])
    ]


def local_start(
    self: Partitioner, builder: Builder, start: Value, axes: Axes, size: int, length: int
) -> Value[TensorType]:
    """Where a slice begins, counted from the first row of a device: before it, if negative."""
    wide = tensor(I64)
    bounded = tensor(UI64) if start.type.element_type == UI64 else wide
    low, high = (splat_constant(builder, bounded, n) for n in (0, size - length))
    number = convert(builder, start, bounded)
    inside = builder.create(Clamp, min=low, operand=number, max=high).results[0]
    if not axes:
        return convert(builder, inside, wide)
    block = size // shard_count(axes)
    table = self.resharder.table(axes, tuple(-block * place for place in range(shard_count(axes))))
    pair = (convert(builder, value, wide) for value in (inside, table))
    return combine_tensors(builder, "add", *pair)


def replicated_starts(
    self: Partitioner, operation: DynamicSlice | DynamicUpdateSlice, builder: Builder
) -> list[Value[TensorType]]:
    """The start indices of an operation on every device."""
    return [self.replicate(builder, self.partitioned[v]) for v in operation.start_indices]


def convert(builder: Builder, value: Value[TensorType], result: TensorType) -> Value[TensorType]:
    """A value with elements of another type."""
    if value.type == result:
        return value
    return builder.create(Convert, operand=value, results=[result]).results[0]


def dynamic_slice(self: Partitioner, operation: DynamicSlice, builder: Builder) -> bool:
    """The devices that have rows of a short slice send them to all others."""
    operand = self.partitioned[operation.operand]
    sizes = tuple(operation.slice_sizes)
    cut = cut_dimensions(operand.shape, sizes, operand.placement)
    if operand.is_windowed or not cut or not is_summable(operation.operand.type.element_type):
        return False
    if any(2 * sizes[d] > operand.shape[d] for d in cut):
        return False  # gathering moves as many rows as the sum does
    placement = operand.placement.reduced
    kept = TensorPlacement(
        tuple(
            axes if size == own else ()
            for size, own, axes in zip(sizes, operand.shape, placement.dimensions, strict=True)
        )
    )
    value = self.shard(builder, operand, placement)
    starts = replicated_starts(self, operation, builder)
    for d in cut:
        axes = placement.dimensions[d]
        value = RowExchange(self.resharder, builder, d, axes).pad_rows(value, sizes[d], sizes[d])
        start = local_start(self, builder, starts[d], axes, operand.shape[d], sizes[d])
        margin = splat_constant(builder, start.type, sizes[d])
        starts[d] = combine_tensors(builder, "add", start, margin)
    local = kept.local(operation.results[0].type)
    taken = builder.create(
        DynamicSlice,
        operand=value,
        start_indices=[convert(builder, start, tensor(I64)) for start in starts],
        slice_sizes=local.shape,
        results=[local],
    ).results[0]
    axes = join_axes(*(placement.dimensions[d] for d in cut))
    self.record(operation.results[0], sum_of_bits(self.resharder, builder, taken, axes), kept)
    return True

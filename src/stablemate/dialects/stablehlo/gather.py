"""stablehlo.gather."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from stablemate.dialects.stablehlo.attributes import (
    GATHER_DIMENSION_NUMBERS,
    GatherDimensionNumbers,
)
from stablemate.dialects.stablehlo.dimensions import at_most, is_sorted, is_unique, is_within
from stablemate.dialects.stablehlo.dynamism import shape_fact
from stablemate.dialects.stablehlo.indexing import (
    as_int64,
    batch_first,
    batch_sizes,
    clamp_starts,
    component_index,
    full_start_index,
    inverse,
    result_sizes,
    slice_dims,
    slice_index,
)
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir.core import Value
from stablemate.ir.definition import Check, Op, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import (
    BOOLEAN_KIND,
    INTEGER_TENSOR,
    PER_TENSOR_QUANTIZED,
    SI64_ARRAY,
    TENSOR,
)
from stablemate.ir.shapes import bound_dimensions, same_size
from stablemate.ir.traits import MOVED_FIRST, Family, Trait, Work
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import Array


class AnyGather(Op):
    """A gather; subclasses define whether the slice sizes are an attribute or an operand."""

    __slots__ = ()
    operand = define.operand("I1", TENSOR | PER_TENSOR_QUANTIZED)
    start_indices = define.operand("I2", INTEGER_TENSOR)
    dimension_numbers = define.attribute("I3", GATHER_DIMENSION_NUMBERS)

    @constraint
    def c1(self) -> Check:
        """rank(operand) = size(offset_dims) + size(collapsed_slice_dims) +
        size(operand_batching_dims)
        """
        return slices_have_rank(self.dimension_numbers, self.operand.type.rank)

    @constraint
    def c2(self) -> Check:
        """0 <= index_vector_dim <= rank(start_indices)"""
        dim, rank = self.dimension_numbers.index_vector_dim, self.start_indices.type.rank
        return holds(0 <= dim <= rank, index_vector_dim=dim, rank=rank)

    @constraint
    def c3(self) -> Check:
        """size(start_index_map) = index_vector_dim < rank(start_indices) ?
        dim(start_indices, index_vector_dim) : 1
        """
        return vectors_fit_map(self.dimension_numbers, self.start_indices.type)

    @constraint
    def c4(self) -> Check:
        """is_unique(offset_dims) and is_sorted(offset_dims)"""
        dims = self.dimension_numbers.offset_dims
        return holds(is_unique(dims) and is_sorted(dims), offset_dims=dims)

    @constraint
    def c5(self) -> Check:
        """0 <= offset_dims < rank(result)"""
        return offsets_lie_in_result(self.dimension_numbers, self.start_indices.type.rank)

    # Rules whose labels differ.

    def collapsed_are_within(self) -> Check:
        """0 <= collapsed_slice_dims < rank(operand)."""
        dims, rank = self.dimension_numbers.collapsed_slice_dims, self.operand.type.rank
        return holds(is_within(dims, rank), collapsed_slice_dims=dims, rank=rank)

    def batching_are_sorted(self) -> Check:
        """is_sorted(operand_batching_dims)."""
        dims = self.dimension_numbers.operand_batching_dims
        return holds(is_sorted(dims), operand_batching_dims=dims)

    def batching_are_within(self) -> Check:
        """0 <= operand_batching_dims < rank(operand)."""
        dims, rank = self.dimension_numbers.operand_batching_dims, self.operand.type.rank
        return holds(is_within(dims, rank), operand_batching_dims=dims, rank=rank)

    def indices_batching_are_unique(self) -> Check:
        """is_unique(start_indices_batching_dims)."""
        dims = self.dimension_numbers.start_indices_batching_dims
        return holds(is_unique(dims), start_indices_batching_dims=dims)

    def indices_batching_are_within(self) -> Check:
        """0 <= start_indices_batching_dims < rank(start_indices)."""
        dims = self.dimension_numbers.start_indices_batching_dims
        rank = self.start_indices.type.rank
        return holds(is_within(dims, rank), start_indices_batching_dims=dims, rank=rank)

    def vectors_are_not_batching(self) -> Check:
        """Whether index_vector_dim is no dimension of start_indices_batching_dims."""
        numbers = self.dimension_numbers
        dim, dims = numbers.index_vector_dim, numbers.start_indices_batching_dims
        return holds(dim not in dims, index_vector_dim=dim, start_indices_batching_dims=dims)

    def batching_pair_up(self) -> Check:
        """size(operand_batching_dims) == size(start_indices_batching_dims)."""
        return as_many_batching_dims(self.dimension_numbers)

    def batching_have_equal_sizes(self) -> Check:
        """dim(operand, operand_batching_dims...) = dim(start_indices, ...)."""
        operand, start_indices = self.operand.type, self.start_indices.type
        return batching_sizes_agree(self.dimension_numbers, operand, start_indices)

    def mapped_are_unique(self) -> Check:
        """is_unique(concatenate(start_index_map, operand_batching_dims))."""
        numbers = self.dimension_numbers
        dims, batching = numbers.start_index_map, numbers.operand_batching_dims
        fits = is_unique(dims + batching)
        return holds(fits, start_index_map=dims, operand_batching_dims=batching)

    def mapped_are_within(self) -> Check:
        """0 <= start_index_map < rank(operand)."""
        dims, rank = self.dimension_numbers.start_index_map, self.operand.type.rank
        return holds(is_within(dims, rank), start_index_map=dims, rank=rank)

    def collapsed_have_size_1(self, sizes: Sequence[int]) -> Check:
        """slice_sizes[collapsed_slice_dims...] <= 1."""
        dims = self.dimension_numbers.collapsed_slice_dims
        fits = all(sizes[d] <= 1 for d in dims)
        return holds(fits, slice_sizes=sizes, collapsed_slice_dims=dims)

    def batching_have_size_1(self, sizes: Sequence[int]) -> Check:
        """slice_sizes[operand_batching_dims...] <= 1."""
        dims = self.dimension_numbers.operand_batching_dims
        fits = all(sizes[d] <= 1 for d in dims)
        return holds(fits, slice_sizes=sizes, operand_batching_dims=dims)


@op("stablehlo.gather", family=Family.MOVEMENT, work=Work(additions=4), traits=Trait.FOLDABLE)
class Gather(AnyGather):
    """Collects the slices of ``operand`` that begin at ``start_indices``.

    result[result_index] = operand[full_start_index + full_batching_index + full_offset_index],
    where full_start_index[start_index_map] = clamp(0, start_index, shape(operand) - slice_sizes)

    Source: StableHLO specification, gather.
    """

    __slots__ = ()
    linearity = MOVED_FIRST
    slice_sizes = define.attribute("I9", SI64_ARRAY)
    indices_are_sorted = define.default_attribute("I10", BOOLEAN_KIND, False)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C23", shape="C22")

    @constraint
    def c6(self) -> Check:
        """is_unique(concatenate(collapsed_slice_dims, operand_batching_dims))"""
        numbers = self.dimension_numbers
        collapsed, batching = numbers.collapsed_slice_dims, numbers.operand_batching_dims
        fits = is_unique(collapsed + batching)
        return holds(fits, collapsed_slice_dims=collapsed, operand_batching_dims=batching)

    @constraint
    def c7(self) -> Check:
        """is_sorted(collapsed_slice_dims)"""
        dims = self.dimension_numbers.collapsed_slice_dims
        return holds(is_sorted(dims), collapsed_slice_dims=dims)

    @constraint
    def c8(self) -> Check:
        """0 <= collapsed_slice_dims < rank(operand)"""
        return self.collapsed_are_within()

    @constraint
    def c10(self) -> Check:
        """is_sorted(operand_batching_dims)"""
        return self.batching_are_sorted()

    @constraint
    def c11(self) -> Check:
        """0 <= operand_batching_dims < rank(operand)"""
        return self.batching_are_within()

    @constraint
    def c13(self) -> Check:
        """is_unique(start_indices_batching_dims)"""
        return self.indices_batching_are_unique()

    @constraint
    def c14(self) -> Check:
        """0 <= start_indices_batching_dims < rank(start_indices)"""
        return self.indices_batching_are_within()

    @constraint
    def c15(self) -> Check:
        """index_vector_dim not in start_indices_batching_dims"""
        return self.vectors_are_not_batching()

    @constraint
    def c16(self) -> Check:
        """size(operand_batching_dims) == size(start_indices_batching_dims)"""
        return self.batching_pair_up()

    @constraint
    def c17(self) -> Check:
        """dim(operand, operand_batching_dims...) =
        dim(start_indices, start_indices_batching_dims...)
        """
        return self.batching_have_equal_sizes()

    @constraint
    def c18(self) -> Check:
        """is_unique(concatenate(start_index_map, operand_batching_dims))"""
        return self.mapped_are_unique()

    @constraint
    def c19(self) -> Check:
        """0 <= start_index_map < rank(operand)"""
        return self.mapped_are_within()

    @constraint
    def c20(self) -> Check:
        """size(slice_sizes) = rank(operand)"""
        size, rank = len(self.slice_sizes), self.operand.type.rank
        return holds(size == rank, size=size, rank=rank)

    @constraint
    def c9(self) -> Check:
        """slice_sizes[collapsed_slice_dims...] <= 1"""
        return self.collapsed_have_size_1(self.slice_sizes)

    @constraint
    def c12(self) -> Check:
        """slice_sizes[operand_batching_dims...] <= 1"""
        return self.batching_have_size_1(self.slice_sizes)

    @constraint
    def c21(self) -> Check:
        """0 <= slice_sizes <= shape(operand)"""
        sizes, shape = self.slice_sizes, self.operand.type.shape
        return holds(at_most(sizes, shape), slice_sizes=sizes, shape=shape_fact(shape))

    def infer(self) -> TensorType:
        """C22, C23: the sizes of start_indices and of the slices, at their dimensions."""
        operand, start_indices = self.operand.type, self.start_indices.type
        return gathered_type(self.dimension_numbers, operand, start_indices, self.slice_sizes)

    def accessed_values(self) -> Sequence[Value[Type]]:
        """The slice is read and written; the indices are read."""
        return (*self.results, *self.results, *self.operands[1:])

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """One slice for each index vector."""
        operand, start_indices = operands
        sizes = self.slice_sizes
        require_slices(self, self.dimension_numbers, operand.shape, start_indices.shape, sizes)
        return gather(self.dimension_numbers, sizes, operand, start_indices)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """With static shapes all rules have been checked, and simple slices are recognized."""
        numbers, sizes = self.dimension_numbers, self.slice_sizes
        operand, start_indices = self.operand.type, self.start_indices.type
        if not (operand.is_static and start_indices.is_static) or 0 in sizes:
            return self.evaluate
        dimension = take_dimension(numbers, operand.shape, sizes)
        if dimension is None:
            return partial(gather, numbers, sizes)
        return take_function(numbers, dimension, operand.rank, start_indices.rank)


def slices_have_rank(numbers: GatherDimensionNumbers, rank: int) -> Check:
    """Whether slices, including collapsed and batching dimensions, have the operand's rank."""
    sizes = {
        "offset_dims": len(numbers.offset_dims),
        "collapsed_slice_dims": len(numbers.collapsed_slice_dims),
        "operand_batching_dims": len(numbers.operand_batching_dims),
    }
    return holds(rank == sum(sizes.values()), rank=rank, **sizes)


def vectors_fit_map(numbers: GatherDimensionNumbers, start_indices: TensorType) -> Check:
    """Whether index vectors have a component for each entry of ``start_index_map``."""
    dim, size = numbers.index_vector_dim, len(numbers.start_index_map)
    components = start_indices.shape[dim] if dim < start_indices.rank else 1
    return holds(same_size(size, components), start_index_map=size, start_indices=components)


def offsets_lie_in_result(numbers: GatherDimensionNumbers, rank: int) -> Check:
    """Whether ``offset_dims`` are dimensions of the result; ``rank`` is that of start_indices."""
    dims = numbers.offset_dims
    result = len(dims) + rank - (numbers.index_vector_dim < rank)
    return holds(is_within(dims, result), offset_dims=dims, rank=result)


def as_many_batching_dims(numbers: GatherDimensionNumbers) -> Check:
    """Whether the batching dimensions of operand and start_indices pair up."""
    operand, start_indices = numbers.operand_batching_dims, numbers.start_indices_batching_dims
    fits = len(operand) == len(start_indices)
    return holds(fits, operand_batching_dims=operand, start_indices_batching_dims=start_indices)


def batching_sizes_agree(
    numbers: GatherDimensionNumbers, operand: TensorType, start_indices: TensorType
) -> Check:
    """Whether the batching dimensions of operand and start_indices have the same sizes."""
    ours = [operand.shape[d] for d in numbers.operand_batching_dims]
    theirs = [start_indices.shape[d] for d in numbers.start_indices_batching_dims]
    fits = all(map(same_size, ours, theirs))
    return holds(fits, operand=shape_fact(ours), start_indices=shape_fact(theirs))


def gathered_type(
    numbers: GatherDimensionNumbers,
    operand: TensorType,
    start_indices: TensorType,
    slice_sizes: Sequence[int],
) -> TensorType:
    """The result's type; bounds of ``start_indices`` go along with its sizes."""
    unbounded = [DYNAMIC] * operand.rank
    bounds = start_indices.bounds or [DYNAMIC] * start_indices.rank
    shape = result_sizes(numbers, start_indices.shape, slice_sizes)
    return bound_dimensions(operand.with_shape(shape), result_sizes(numbers, bounds, unbounded))


def require_slices(
    op: Op,
    numbers: GatherDimensionNumbers,
    operand: tuple[int, ...],
    start_indices: tuple[int, ...],
    slice_sizes: tuple[int, ...],
    rules: tuple[str, str, str] = ("C3", "C17", "C21"),
) -> None:
    """Ends the run unless index vectors and slices fit the shapes at run time.

    Args:
        op: The operation.
        numbers: Its dimension numbers.
        operand: The shape of the operand.
        start_indices: The shape of the index vectors.
        slice_sizes: The size of a slice in each dimension of the operand.
        rules: The labels of these rules in the operation.
    """
    dim = numbers.index_vector_dim
    components = start_indices[dim] if dim < len(start_indices) else 1
    size = len(numbers.start_index_map)
    message = "size(start_index_map) = dim(start_indices, index_vector_dim)"
    values = {"start_index_map": size, "start_indices": components}
    require(op, components == size, rules[0], message, **values)
    ours = [operand[d] for d in numbers.operand_batching_dims]
    theirs = [start_indices[d] for d in numbers.start_indices_batching_dims]
    message = "dimensions of batches have the same sizes"
    require(op, ours == theirs, rules[1], message, operand=ours, start_indices=theirs)
    message = "0 <= slice_sizes <= shape(operand)"
    fits = at_most(slice_sizes, operand)
    require(op, fits, rules[2], message, slice_sizes=slice_sizes, shape=operand)
    # C9 and C12 of gather permit slices that are empty in a collapsed or batching dimension.
    dropped = numbers.collapsed_slice_dims + numbers.operand_batching_dims
    fits = 0 in batch_sizes(numbers, start_indices) or all(slice_sizes[d] for d in dropped)
    require(op, fits, "", "slices have an element to take", slice_sizes=slice_sizes)


def gather(
    numbers: GatherDimensionNumbers,
    slice_sizes: Sequence[int],
    operand: Array,
    start_indices: Array,
) -> Array:
    """The slices of an operand that begin at the given start indices.

    Dimensions that slices cover are copied as they are; only the others are indexed.
    """
    slice_dimensions = slice_dims(numbers, operand.ndim)
    covered = [d for d in slice_dimensions if slice_sizes[d] == operand.shape[d]]
    indexed = [d for d in range(operand.ndim) if d not in covered]
    starts = full_start_index(numbers, start_indices, operand.ndim)
    for d in numbers.start_index_map:
        starts[d] = clamp_starts(starts[d], operand.shape[d], slice_sizes[d])
    batch = batch_sizes(numbers, start_indices.shape)
    index = slice_index(
        [starts[d] for d in indexed],
        [slice_sizes[d] for d in indexed],
        [d in slice_dimensions for d in indexed],
        len(batch),
    )
    slices = operand.transpose(indexed + covered)[index]
    order = [d for d in indexed if d in slice_dimensions] + covered
    shape = batch + tuple(slice_sizes[d] for d in order)
    if slices.shape != shape:  # no index depends on the batch
        slices = np.broadcast_to(slices, shape)
    offsets = [len(batch) + order.index(d) for d in slice_dimensions]
    places = (*range(len(batch)), *offsets)
    return slices.transpose([places[i] for i in inverse(batch_first(numbers, len(places)))])


def take_dimension(
    numbers: GatherDimensionNumbers, operand: Sequence[int], slice_sizes: Sequence[int]
) -> int | None:
    """The only indexed dimension, if slices collapse it and cover all others; none is empty."""
    collapsed, indexed = numbers.collapsed_slice_dims, numbers.start_index_map
    if len(collapsed) != 1 or collapsed != indexed or numbers.operand_batching_dims:
        return None
    is_full = (size == slice_sizes[d] for d, size in enumerate(operand) if d != collapsed[0])
    return collapsed[0] if all(is_full) else None


def take_function(
    numbers: GatherDimensionNumbers, dimension: int, rank: int, indices_rank: int
) -> Callable[[Array, Array], Array]:
    """``gather`` where ``take_dimension`` is known.

    Args:
        numbers: The dimension numbers.
        dimension: The indexed dimension.
        rank: The operand's rank.
        indices_rank: The rank of ``start_indices``.
    """
    component = component_index(numbers, 0, indices_rank)
    batch_rank = indices_rank - len(component[:1])
    batch = tuple(range(dimension, dimension + batch_rank))  # where NumPy puts them
    result_rank = batch_rank + rank - 1
    result_order = batch + tuple(d for d in range(result_rank) if d not in batch)
    order = tuple(result_order[i] for i in inverse(batch_first(numbers, result_rank)))

    def take(operand: Array, start_indices: Array) -> Array:
        index = as_int64(start_indices[component])
        return operand.take(index, dimension, mode="clip")

    if order == tuple(range(result_rank)):
        return take
    return lambda operand, start_indices: take(operand, start_indices).transpose(order)

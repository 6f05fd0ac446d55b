"""stablehlo.scatter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from stablemate.dialects.stablehlo.attributes import (
    SCATTER_DIMENSION_NUMBERS,
    GatherDimensionNumbers,
)
from stablemate.dialects.stablehlo.dimensions import is_sorted, is_unique, is_within
from stablemate.dialects.stablehlo.indexing import (
    batch_first,
    batch_sizes,
    full_start_index,
    gather_numbers_of_scatter,
    inverse,
    result_sizes,
    slice_dims,
    slice_index,
)
from stablemate.dialects.stablehlo.reducers import combiners
from stablemate.dialects.stablehlo.regions import (
    accumulator_elements,
    agree,
    on_arrays,
    reduces,
    require_one_shape,
    to_destination_type,
    with_shape_check,
)
from stablemate.dialects.stablehlo.runtime import require
from stablemate.dialects.stablehlo.updates import update_in_rounds, updaters_of
from stablemate.ir.core import Value
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    constraint,
    define,
    holds,
    op,
    pack_results,
)
from stablemate.ir.kinds import (
    BOOLEAN_KIND,
    PER_TENSOR_QUANTIZED,
    TENSOR,
    is_index,
    is_integer,
    tensor_of,
)
from stablemate.ir.shapes import same_size
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import Array


@op(
    "stablehlo.scatter",
    segments="same",
    family=Family.REDUCTION,
    traits=Trait.IMPLICIT_TERMINATOR | Trait.PROMOTING,
)
class Scatter(Op):
    """Combines slices of ``inputs`` that begin at ``scatter_indices`` with ``updates``.

    results...[result_index] = update_computation(results...[result_index], updates...[index])
    for each index of updates whose result_index = full_start_index + full_batching_index +
    full_window_index is in bounds; before the first of them results = inputs

    The specification leaves the order open: here index vectors come in row-major order, and the
    elements of each window.

    Source: StableHLO specification, scatter.
    """

    __slots__ = ()
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED)
    scatter_indices = define.operand(
        "I2", tensor_of("tensor of integer type", is_integer, is_index)
    )
    updates = define.variadic("I3", TENSOR | PER_TENSOR_QUANTIZED)
    scatter_dimension_numbers = define.attribute("I4", SCATTER_DIMENSION_NUMBERS)
    indices_are_sorted = define.default_attribute("I10", BOOLEAN_KIND, False)
    unique_indices = define.default_attribute("I11", BOOLEAN_KIND, False)
    update_computation = define.region("I12")
    outputs = define.variadic_result(
        TENSOR | PER_TENSOR_QUANTIZED, element_type="C25", shape="C24"
    ).with_name("results")

    @property
    def input_rank(self) -> int:
        """rank(inputs[0])."""
        return self.inputs[0].type.rank

    @constraint
    def c5(self) -> Check:
        """0 < size(inputs) = size(updates) = N"""
        inputs, updates = len(self.inputs), len(self.updates)
        return holds(0 < inputs == updates, inputs=inputs, updates=updates)

    @constraint
    def c1(self) -> Check:
        """same(shape(inputs...))"""
        shapes = [value.type.shape for value in self.inputs]
        return holds(agree(shapes), shapes=shapes)

    @constraint
    def c3(self) -> Check:
        """same(shape(updates...))"""
        shapes = [value.type.shape for value in self.updates]
        return holds(agree(shapes), shapes=shapes)

    @constraint
    def c6(self) -> Check:
        """element_type(updates...) = element_type(inputs...)"""
        updates = [str(value.type.element_type) for value in self.updates]
        inputs = [str(value.type.element_type) for value in self.inputs]
        return holds(updates == inputs, updates=updates, inputs=inputs)

    @constraint
    def c22(self) -> Check:
        """0 <= index_vector_dim <= rank(scatter_indices)"""
        dim = self.scatter_dimension_numbers.index_vector_dim
        rank = self.scatter_indices.type.rank
        return holds(0 <= dim <= rank, index_vector_dim=dim, rank=rank)

    @constraint
    def c2(self) -> Check:
        """rank(inputs[0]) = size(update_window_dims) + size(inserted_window_dims) +
        size(input_batching_dims)
        """
        numbers = self.scatter_dimension_numbers
        sizes = {
            "update_window_dims": len(numbers.update_window_dims),
            "inserted_window_dims": len(numbers.inserted_window_dims),
            "input_batching_dims": len(numbers.input_batching_dims),
        }
        return holds(self.input_rank == sum(sizes.values()), rank=self.input_rank, **sizes)

    @constraint
    def c7(self) -> Check:
        """is_unique(update_window_dims) and is_sorted(update_window_dims)"""
        dims = self.scatter_dimension_numbers.update_window_dims
        return holds(is_unique(dims) and is_sorted(dims), update_window_dims=dims)

    @constraint
    def c8(self) -> Check:
        """0 <= update_window_dims < rank(updates[0])"""
        dims = self.scatter_dimension_numbers.update_window_dims
        rank = self.updates[0].type.rank
        return holds(is_within(dims, rank), update_window_dims=dims, rank=rank)

    @constraint
    def c9(self) -> Check:
        """is_unique(concatenate(inserted_window_dims, input_batching_dims))"""
        numbers = self.scatter_dimension_numbers
        inserted, batching = numbers.inserted_window_dims, numbers.input_batching_dims
        fits = is_unique(inserted + batching)
        return holds(fits, inserted_window_dims=inserted, input_batching_dims=batching)

    @constraint
    def c10(self) -> Check:
        """is_sorted(inserted_window_dims)"""
        dims = self.scatter_dimension_numbers.inserted_window_dims
        return holds(is_sorted(dims), inserted_window_dims=dims)

    @constraint
    def c11(self) -> Check:
        """0 <= inserted_window_dims < rank(inputs[0])"""
        dims = self.scatter_dimension_numbers.inserted_window_dims
        fits = is_within(dims, self.input_rank)
        return holds(fits, inserted_window_dims=dims, rank=self.input_rank)

    @constraint
    def c12(self) -> Check:
        """is_sorted(input_batching_dims)"""
        dims = self.scatter_dimension_numbers.input_batching_dims
        return holds(is_sorted(dims), input_batching_dims=dims)

    @constraint
    def c13(self) -> Check:
        """0 <= input_batching_dims < rank(inputs[0])"""
        dims = self.scatter_dimension_numbers.input_batching_dims
        fits = is_within(dims, self.input_rank)
        return holds(fits, input_batching_dims=dims, rank=self.input_rank)

    @constraint
    def c14(self) -> Check:
        """is_unique(scatter_indices_batching_dims)"""
        dims = self.scatter_dimension_numbers.scatter_indices_batching_dims
        return holds(is_unique(dims), scatter_indices_batching_dims=dims)

    @constraint
    def c15(self) -> Check:
        """0 <= scatter_indices_batching_dims < rank(scatter_indices)"""
        dims = self.scatter_dimension_numbers.scatter_indices_batching_dims
        rank = self.scatter_indices.type.rank
        return holds(is_within(dims, rank), scatter_indices_batching_dims=dims, rank=rank)

    @constraint
    def c16(self) -> Check:
        """index_vector_dim not in scatter_indices_batching_dims"""
        numbers = self.scatter_dimension_numbers
        dim, dims = numbers.index_vector_dim, numbers.scatter_indices_batching_dims
        return holds(dim not in dims, index_vector_dim=dim, scatter_indices_batching_dims=dims)

    @constraint
    def c17(self) -> Check:
        """size(input_batching_dims) == size(scatter_indices_batching_dims)"""
        numbers = self.scatter_dimension_numbers
        ours, theirs = numbers.input_batching_dims, numbers.scatter_indices_batching_dims
        fits = len(ours) == len(theirs)
        return holds(fits, input_batching_dims=ours, scatter_indices_batching_dims=theirs)

    @constraint
    def c18(self) -> Check:
        """dim(inputs[0], input_batching_dims...) =
        dim(scatter_indices, scatter_indices_batching_dims...)
        """
        numbers = self.scatter_dimension_numbers
        inputs, indices = self.inputs[0].type, self.scatter_indices.type
        ours = [inputs.shape[d] for d in numbers.input_batching_dims]
        theirs = [indices.shape[d] for d in numbers.scatter_indices_batching_dims]
        return holds(all(map(same_size, ours, theirs)), inputs=ours, scatter_indices=theirs)

    @constraint
    def c19(self) -> Check:
        """size(scatter_dims_to_operand_dims) = index_vector_dim < rank(scatter_indices) ?
        dim(scatter_indices, index_vector_dim) : 1
        """
        numbers, indices = self.scatter_dimension_numbers, self.scatter_indices.type
        dim, size = numbers.index_vector_dim, len(numbers.scatter_dims_to_operand_dims)
        components = indices.shape[dim] if dim < indices.rank else 1
        fits = same_size(size, components)
        return holds(fits, scatter_dims_to_operand_dims=size, scatter_indices=components)

    @constraint
    def c20(self) -> Check:
        """is_unique(concatenate(scatter_dims_to_operand_dims, input_batching_dims))"""
        numbers = self.scatter_dimension_numbers
        dims, batching = numbers.scatter_dims_to_operand_dims, numbers.input_batching_dims
        fits = is_unique(dims + batching)
        return holds(fits, scatter_dims_to_operand_dims=dims, input_batching_dims=batching)

    @constraint
    def c21(self) -> Check:
        """0 <= scatter_dims_to_operand_dims < rank(inputs[0])"""
        dims = self.scatter_dimension_numbers.scatter_dims_to_operand_dims
        fits = is_within(dims, self.input_rank)
        return holds(fits, scatter_dims_to_operand_dims=dims, rank=self.input_rank)

    @constraint
    def c4(self) -> Check:
        """shape(updates[0]) = combine(update_scatter_dim_sizes, update_window_dim_sizes)"""
        inputs, updates = self.inputs[0].type.shape, self.updates[0].type.shape
        indices = self.scatter_indices.type.shape
        fits = updates_fit(
            gather_numbers_of_scatter(self.scatter_dimension_numbers), inputs, indices, updates
        )
        return holds(fits, updates=updates, scatter_indices=indices, inputs=inputs)

    @constraint
    def c23(self) -> Check:
        """update_computation: (tensor<E>..., tensor<E>...) -> tensor<E>...,
        is_promotable(element_type(inputs...), E...)
        """
        elements = [value.type.element_type for value in self.inputs]
        return reduces(self.update_computation, elements, name="update_computation")

    def region_executions(self) -> Sequence[int]:
        """The region runs once for each update."""
        return (self.updates[0].type.size,)

    def accessed_values(self) -> Sequence[Value[Type]]:
        """Updates are read, and what they are combined with is read and written."""
        return (self.scatter_indices, *self.updates, *self.updates, *self.updates)

    def linear_operands(self, monoid: str) -> Sequence[Sequence[int]]:
        """The inputs and the updates together, if the monoid of the terms combines them."""
        if set(combiners(self.update_computation)) != {monoid}:
            return ()
        count = len(self.inputs)
        return [(*range(count), *range(count + 1, 2 * count + 1))]

    def infer(self) -> Sequence[TensorType]:
        """C24, C25: the shapes of the inputs, the elements of the computation."""
        elements = accumulator_elements(self.update_computation)
        pairs = zip(self.inputs, elements, strict=True)
        return [value.type.with_element(element) for value, element in pairs]

    def evaluate(self, *operands: Array, regions: Sequence[RegionFunction] = ()) -> object:
        """The inputs with all updates."""
        return self.prepare(regions)(*operands)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Selects once how updates are applied: by NumPy, or in rounds of calls."""
        numbers = gather_numbers_of_scatter(self.scatter_dimension_numbers)
        sources = [value.type.element_type for value in self.inputs]
        elements = accumulator_elements(self.update_computation)
        updaters = updaters_of(combiners(self.update_computation), elements)
        computation = on_arrays(self.update_computation, regions[0])
        n = len(elements)

        def scatter(*operands: Array) -> object:
            inputs = [
                to_destination_type(x, source, element)
                for x, source, element in zip(operands[:n], sources, elements, strict=True)
            ]
            updates = [
                to_destination_type(x, source, element)
                for x, source, element in zip(operands[n + 1 :], sources, elements, strict=True)
            ]
            shape = np.shape(inputs[0])
            positions, present = targets(numbers, shape, operands[n], np.shape(updates[0]))
            flat = [x.reshape(-1) if present is None else x[present] for x in updates]
            results = [np.array(x).reshape(-1) for x in inputs]
            if updaters:
                for updater, result, update in zip(updaters, results, flat, strict=True):
                    updater(result, positions, update)
            else:
                update_in_rounds(computation, results, positions, flat)
            return pack_results([result.reshape(shape) for result in results])

        return with_shape_check(self, scatter, self.require_shapes)

    def require_shapes(self, operands: Sequence[Array]) -> None:
        """Ends the run unless the shapes at run time obey the rules for shapes."""
        n, numbers = len(self.inputs), gather_numbers_of_scatter(self.scatter_dimension_numbers)
        require_one_shape(self, "C1", operands[:n])
        require_one_shape(self, "C3", operands[n + 1 :])
        shapes = [np.shape(operands[k]) for k in (0, n, n + 1)]
        inputs, indices, updates = shapes
        dim, size = numbers.index_vector_dim, len(numbers.start_index_map)
        components = indices[dim] if dim < len(indices) else 1
        message = "size(scatter_dims_to_operand_dims) = dim(scatter_indices, index_vector_dim)"
        require(self, components == size, "C19", message, components=components, size=size)
        message = "the shapes of updates, scatter_indices and inputs suit each other"
        batching = zip(
            numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True
        )
        fits = all(inputs[d] == indices[e] for d, e in batching)
        fits = fits and updates_fit(numbers, inputs, indices, updates)
        require(self, fits, "C4", message, updates=updates, scatter_indices=indices, inputs=inputs)


def updates_fit(
    numbers: GatherDimensionNumbers,
    inputs: Sequence[int],
    scatter_indices: Sequence[int],
    updates: Sequence[int],
) -> bool:
    """Whether updates have the sizes of index vectors, and windows no larger than the inputs."""
    rank = len(numbers.offset_dims) + len(batch_sizes(numbers, scatter_indices))
    if len(updates) != rank or not is_within(numbers.offset_dims, rank):
        return False
    largest = result_sizes(numbers, scatter_indices, inputs)
    return all(
        same_size(size, limit) or (d in numbers.offset_dims and size <= limit)
        for d, (size, limit) in enumerate(zip(updates, largest, strict=True))
    )


def targets(
    numbers: GatherDimensionNumbers,
    shape: tuple[int, ...],
    scatter_indices: Array,
    updates: tuple[int, ...],
) -> tuple[Array, Array | None]:
    """The positions of updates, in row-major order of the updates.

    Args:
        numbers: Dimension numbers in the names of gather.
        shape: The shape of the inputs.
        scatter_indices: The index vectors.
        updates: The shape of the updates.

    Returns:
        Row-major positions in the inputs, one-dimensional, of those updates that are in bounds;
        and the indices of these updates, None for all.
    """
    rank = len(shape)
    slice_dimensions = slice_dims(numbers, rank)
    window = dict(zip(slice_dimensions, (updates[d] for d in numbers.offset_dims), strict=True))
    batch = batch_sizes(numbers, scatter_indices.shape)
    starts = full_start_index(numbers, scatter_indices, rank)
    sizes = [window.get(d, 1) for d in range(rank)]
    index = slice_index(starts, sizes, [d in window for d in range(rank)], len(batch))
    everywhere = (*batch, *(window[d] for d in slice_dimensions))
    positions = np.zeros((), np.int64)
    present = np.ones((), np.bool_)
    for d, component in enumerate(index):
        positions = positions + component * math.prod(shape[d + 1 :])
        present = present & (component >= 0) & (component < shape[d])
    as_updates = inverse(batch_first(numbers, len(updates)))
    positions = np.broadcast_to(positions, everywhere).transpose(as_updates)
    if np.all(present):
        return positions.reshape(-1), None
    present = np.broadcast_to(present, everywhere).transpose(as_updates)
    return positions[present], present

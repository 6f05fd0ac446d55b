"""Operations that take or write parts of arrays.

Source: XLA, operation semantics, "Slice", "DynamicSlice", "DynamicUpdateSlice", "Gather",
"Scatter".
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial
from types import EllipsisType
from typing import Any, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.xla.builder.argument_types import Computation, Integers, Operand, array_shape
from stablemate.xla.builder.core import Core, creates
from stablemate.xla.builder.handle import Part, XlaOp
from stablemate.xla.builder.scalars import scalars
from stablemate.xla.values import SliceDimension


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherDimensionNumbers:
    """Which dimension is what in a gather."""

    offset_dims: Integers = ()
    collapsed_slice_dims: Integers = ()
    start_index_map: Integers = ()
    index_vector_dim: int | None = None
    operand_batching_dims: Integers = ()
    start_indices_batching_dims: Integers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterDimensionNumbers:
    """Which dimension is what in a scatter."""

    update_window_dims: Integers = ()
    inserted_window_dims: Integers = ()
    scatter_dims_to_operand_dims: Integers = ()
    index_vector_dim: int | None = None
    input_batching_dims: Integers = ()
    scatter_indices_batching_dims: Integers = ()


class IndexingMethods(Core):
    """Methods that take or write parts of arrays."""

    def slice(
        self,
        operand: Operand,
        start_indices: Integers,
        limit_indices: Integers,
        strides: Integers | None = None,
    ) -> XlaOp:
        """The elements from start up to limit, every ``stride``-th, along each dimension."""
        handle = self.handle(operand)
        shape = self.array(handle, "slice")
        steps = (1,) * shape.rank if strides is None else tuple(strides)
        counts = len(start_indices) == len(limit_indices) == len(steps) == shape.rank
        message = "there is one start, limit and stride for each dimension"
        self.require(counts, message, "slice", operand=shape, start_indices=tuple(start_indices))
        parts: list[SliceDimension] = []
        sizes: list[int] = []
        rows = zip(start_indices, limit_indices, steps, shape.dimensions, strict=True)
        for start, limit, stride, size in rows:
            message = "0 <= start <= limit <= size, and stride >= 1"
            fits = 0 <= start <= limit <= size and stride >= 1
            values = {"start": start, "limit": limit, "stride": stride, "size": size}
            self.require(fits, message, "slice", **values)
            parts.append(SliceDimension(start, limit, stride))
            sizes.append(-(-(limit - start) // stride))
        result = array_shape(shape.element_type, sizes)
        return self.add_instruction("slice", [handle], {"slice": tuple(parts)}, result)

    @creates("stablehlo.slice")
    def slice_in_dim(
        self, operand: Operand, start_index: int, limit_index: int, stride: int, dimno: int
    ) -> XlaOp:
        """A slice along one dimension."""
        handle = self.handle(operand)
        shape = self.array(handle, "slice")
        number = self.dimension(dimno, shape.rank, "slice")
        starts, limits, strides = [0] * shape.rank, list(shape.dimensions), [1] * shape.rank
        starts[number], limits[number], strides[number] = start_index, limit_index, stride
        return self.slice(handle, starts, limits, strides)

    def part(self, operand: XlaOp, parts: Sequence[Part]) -> XlaOp:
        """``operand[1:3, ..., 0]``: slices of positive steps; an integer drops its dimension."""
        shape = self.array(operand, "slice")
        fixed = [part for part in parts if not isinstance(part, EllipsisType)]
        message = "there are at most as many indices as dimensions, and one `...`"
        enough = len(fixed) <= shape.rank and len(parts) - len(fixed) <= 1
        self.require(enough, message, "slice", operand=shape, indices=len(fixed))
        place = next((i for i, e in enumerate(parts) if isinstance(e, EllipsisType)), len(parts))
        selection: list[Part] = [slice(None)] * (shape.rank - len(fixed))
        listed = [*parts[:place], *selection, *parts[place + 1 :]]
        starts: list[int] = []
        limits: list[int] = []
        steps: list[int] = []
        kept: list[int] = []
        for number, (item, size) in enumerate(zip(listed, shape.dimensions, strict=True)):
            if isinstance(item, slice):
                start, limit, step = item.indices(size)
                self.require(step > 0, "steps are positive: reverse by rev", "slice", step=step)
                kept.append(number)
                limit = max(start, limit)
            else:
                message = "indices are integers, slices and `...`"
                integer = hasattr(item, "__index__") and not isinstance(item, bool)
                self.require(integer, message, "slice", index=item)
                start, step = self.dimension(operator.index(cast(int, item)), size, "slice"), 1
                limit = start + 1
            starts.append(start)
            limits.append(limit)
            steps.append(step)
        result = self.slice(operand, starts, limits, steps)
        if len(kept) == shape.rank:
            return result
        sizes = [self.shape(result).dimensions[number] for number in kept]
        left = array_shape(shape.element_type, sizes)
        return self.add_instruction("reshape", [result], {}, left)

    def dynamic_slice(
        self, operand: Operand, start_indices: Sequence[Operand] | XlaOp, size_indices: Integers
    ) -> XlaOp:
        """The part of these sizes that begins at indices known at run time.

        ``start_indices`` are scalars, one for each dimension, or one vector of them.
        """
        handle = self.handle(operand)
        shape = self.array(handle, "dynamic-slice")
        starts = self.start_scalars(start_indices, "dynamic-slice")
        result = array_shape(shape.element_type, size_indices)
        attributes = {"dynamic_slice_sizes": tuple(size_indices)}
        return self.add_instruction("dynamic-slice", [handle, *starts], attributes, result)

    def dynamic_update_slice(
        self, operand: Operand, update: Operand, start_indices: Sequence[Operand] | XlaOp
    ) -> XlaOp:
        """The operand with a part replaced that begins at indices known at run time."""
        handle = self.handle(operand)
        starts = self.start_scalars(start_indices, "dynamic-update-slice")
        operands = [handle, self.handle(update, handle), *starts]
        shape = self.array(handle, "dynamic-update-slice")
        return self.add_instruction("dynamic-update-slice", operands, {}, shape)

    def start_scalars(self, start_indices: Sequence[Operand] | XlaOp, rule: str) -> list[XlaOp]:
        """One scalar for each dimension; a vector is cut."""
        if not isinstance(start_indices, XlaOp):
            return [self.handle(start_index) for start_index in start_indices]
        shape = self.array(start_indices, rule)
        message = "start indices are scalars, or one vector"
        self.require(shape.rank == 1, message, rule, start_indices=shape)
        return [self.part(start_indices, (number,)) for number in range(shape.dimensions[0])]

    def gather(
        self,
        operand: Operand,
        start_indices: Operand,
        offset_dims: Integers | GatherDimensionNumbers = (),
        collapsed_slice_dims: Integers = (),
        slice_sizes: Integers = (),
        start_index_map: Integers = (),
        *,
        index_vector_dim: int | None = None,
        operand_batching_dims: Integers = (),
        start_indices_batching_dims: Integers = (),
        dimension_numbers: GatherDimensionNumbers | None = None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
    ) -> XlaOp:
        """Slices of the operand that begin at the indices, joined.

        Args:
            operand: What is gathered from.
            start_indices: Where the slices begin.
            offset_dims: Dimensions of the result that lie inside a slice; negative ones count from
                the end of the result.
            collapsed_slice_dims: Dimensions of slices, of size 1, that the result has not.
            slice_sizes: The sizes of a slice.
            start_index_map: To which dimension of the operand each part of an index belongs.
            index_vector_dim: The dimension of start_indices that holds an index; by default the
                last one.
            operand_batching_dims: Batch dimensions of the operand.
            start_indices_batching_dims: Those of start_indices, in the same order.
            dimension_numbers: All of these in one value.
            indices_are_sorted: Promises that the indices are in order.
            unique_indices: Has no influence.
        """
        if isinstance(offset_dims, GatherDimensionNumbers):
            dimension_numbers, slice_sizes = offset_dims, slice_sizes or collapsed_slice_dims
        numbers = dimension_numbers or GatherDimensionNumbers(
            offset_dims=offset_dims,  # type: ignore[arg-type]
            collapsed_slice_dims=collapsed_slice_dims,
            start_index_map=start_index_map,
            index_vector_dim=index_vector_dim,
            operand_batching_dims=operand_batching_dims,
            start_indices_batching_dims=start_indices_batching_dims,
        )
        handle, indices, rule = self.handle(operand), self.handle(start_indices), "gather"
        rank, index_rank = self.array(handle, rule).rank, self.array(indices, rule).rank
        attributes: dict[str, Any] = {
            **gather_dimensions(self, numbers, rank, index_rank),
            "slice_sizes": tuple(slice_sizes),
            "indices_are_sorted": indices_are_sorted,
        }
        return self.add_instruction("gather", [handle, indices], attributes)

    def index_vector(self, number: int | None, rank: int, rule: str) -> int:
        """The dimension that holds an index: the last one by default, ``rank`` for none."""
        if number is None:
            return max(rank - 1, 0)
        message = "-rank <= index_vector_dim <= rank"
        self.require(-rank <= number <= rank, message, rule, index_vector_dim=number, rank=rank)
        return number + rank if number < 0 else number

    def scatter(
        self,
        operands: Operand | Sequence[Operand],
        scatter_indices: Operand,
        updates: Operand | Sequence[Operand],
        update_computation: Computation,
        index_vector_dim: int | ScatterDimensionNumbers | None = None,
        update_window_dims: Integers = (),
        inserted_window_dims: Integers = (),
        scatter_dims_to_operand_dims: Integers = (),
        *,
        input_batching_dims: Integers = (),
        scatter_indices_batching_dims: Integers = (),
        dimension_numbers: ScatterDimensionNumbers | None = None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
    ) -> XlaOp:
        """The operands with updates combined into the slices that begin at the indices.

        Args:
            operands: One array, or several of one shape; then the result is a tuple.
            scatter_indices: Where the slices begin.
            updates: As many as operands.
            update_computation: Of the current values, then the updates, to the new values.
            index_vector_dim: The dimension of scatter_indices that holds an index; by default the
                last one.
            update_window_dims: Dimensions of the updates that lie inside a slice.
            inserted_window_dims: Dimensions of slices, of size 1, that the updates have not.
            scatter_dims_to_operand_dims: To which dimension each part of an index belongs.
            input_batching_dims: Batch dimensions of the operands.
            scatter_indices_batching_dims: Those of scatter_indices, in the same order.
            dimension_numbers: All of these in one value.
            indices_are_sorted: Promises that the indices are in order.
            unique_indices: Promises that no two are the same.
        """
        if isinstance(index_vector_dim, ScatterDimensionNumbers):
            dimension_numbers, index_vector_dim = index_vector_dim, None
        numbers = dimension_numbers or ScatterDimensionNumbers(
            update_window_dims=update_window_dims,
            inserted_window_dims=inserted_window_dims,
            scatter_dims_to_operand_dims=scatter_dims_to_operand_dims,
            index_vector_dim=index_vector_dim,
            input_batching_dims=input_batching_dims,
            scatter_indices_batching_dims=scatter_indices_batching_dims,
        )
        rule, message = "scatter", "there are as many updates as operands"
        inputs = self.several(operands)
        indices = self.handle(scatter_indices)
        new = self.several(updates)
        shapes = [self.array(handle, rule) for handle in inputs]
        counts = len(inputs) == len(new) > 0
        self.require(counts, message, rule, operands=len(inputs), updates=len(new))
        ranks = [self.array(handle, rule).rank for handle in (inputs[0], indices, new[0])]
        attributes: dict[str, Any] = {
            **scatter_dimensions(self, numbers, *ranks),
            "indices_are_sorted": indices_are_sorted,
            "unique_indices": unique_indices,
            "to_apply": self.computation(update_computation, scalars(shapes * 2), "update"),
        }
        return self.add_instruction(rule, [*inputs, indices, *new], attributes)


def gather_dimensions(
    builder: IndexingMethods, numbers: GatherDimensionNumbers, rank: int, index_rank: int
) -> dict[str, object]:
    """The dimension numbers of a gather as attributes, counted from the first dimension."""
    vector = builder.index_vector(numbers.index_vector_dim, index_rank, "gather")
    result_rank = len(numbers.offset_dims) + index_rank - (vector < index_rank)
    dims = partial(nonnegative_dimensions, builder, "gather")
    return {
        "offset_dims": dims(result_rank, numbers.offset_dims),
        "collapsed_slice_dims": dims(rank, numbers.collapsed_slice_dims),
        "start_index_map": dims(rank, numbers.start_index_map),
        "operand_batching_dims": dims(rank, numbers.operand_batching_dims) or None,
        "start_indices_batching_dims": dims(index_rank, numbers.start_indices_batching_dims)
        or None,
        "index_vector_dim": vector,
    }


def scatter_dimensions(
    builder: IndexingMethods,
    numbers: ScatterDimensionNumbers,
    rank: int,
    index_rank: int,
    update_rank: int,
) -> dict[str, object]:
    """The dimension numbers of a scatter as attributes, counted from the first dimension."""
    dims = partial(nonnegative_dimensions, builder, "scatter")
    return {
        "update_window_dims": dims(update_rank, numbers.update_window_dims),
        "inserted_window_dims": dims(rank, numbers.inserted_window_dims),
        "scatter_dims_to_operand_dims": dims(rank, numbers.scatter_dims_to_operand_dims),
        "input_batching_dims": dims(rank, numbers.input_batching_dims) or None,
        "scatter_indices_batching_dims": dims(index_rank, numbers.scatter_indices_batching_dims)
        or None,
        "index_vector_dim": builder.index_vector(numbers.index_vector_dim, index_rank, "scatter"),
    }


def nonnegative_dimensions(
    builder: IndexingMethods, rule: str, rank: int, dimensions: Integers
) -> tuple[int, ...]:
    """Dimensions of an array of this rank; negative ones count from its end."""
    return tuple(builder.dimension(dimension, rank, rule) for dimension in dimensions)

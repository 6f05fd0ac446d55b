"""The geometry of slices with computed start indices, for gather and scatter: integers only.

An index vector addresses a slice of an operand. ``gather`` reads these slices, ``scatter`` writes
them, under different names; ``gather_numbers_of_scatter`` converts scatter's dimension numbers to
gather's, which all functions take. In the following

* a *batch index* selects an index vector: an index of ``start_indices`` without
  ``index_vector_dim``;
* an *offset index* selects an element of a slice: one component for each dimension of the operand
  that is neither collapsed nor batching;
* ``gather``'s result (``scatter``'s updates) has a dimension for each component of both.

Source: StableHLO specification, gather and scatter (semantics).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import (
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.ir.shapes import remaining_dimensions
from stablemate.numerics.elements import Array

ZERO: Final = np.zeros((), np.int64)


def gather_numbers_of_scatter(numbers: ScatterDimensionNumbers) -> GatherDimensionNumbers:
    """The dimension numbers of the gather that reads what this scatter writes."""
    return GatherDimensionNumbers(
        offset_dims=numbers.update_window_dims,
        collapsed_slice_dims=numbers.inserted_window_dims,
        operand_batching_dims=numbers.input_batching_dims,
        start_indices_batching_dims=numbers.scatter_indices_batching_dims,
        start_index_map=numbers.scatter_dims_to_operand_dims,
        index_vector_dim=numbers.index_vector_dim,
    )


def slice_dims(numbers: GatherDimensionNumbers, rank: int) -> tuple[int, ...]:
    """The dimensions of the operand that a slice keeps.

    Number i of them is dimension ``offset_dims[i]`` of the result.
    """
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    return remaining_dimensions(rank, dropped)


def batch_dims(numbers: GatherDimensionNumbers, result_rank: int) -> tuple[int, ...]:
    """The dimensions of the result that belong to the batch index."""
    return remaining_dimensions(result_rank, numbers.offset_dims)


def batch_sizes(numbers: GatherDimensionNumbers, start_indices: Sequence[int]) -> tuple[int, ...]:
    """The sizes of the batch index, from the shape of ``start_indices``."""
    return tuple(size for d, size in enumerate(start_indices) if d != numbers.index_vector_dim)


def result_sizes(
    numbers: GatherDimensionNumbers, start_indices: Sequence[int], slice_sizes: Sequence[int]
) -> tuple[int, ...]:
    """The shape of the result: the sizes of the batch index and of the slice, at their dimensions.

    Args:
        numbers: The dimension numbers.
        start_indices: The shape of the index vectors.
        slice_sizes: The size of a slice in each dimension of the operand.
    """
    batch = iter(batch_sizes(numbers, start_indices))
    offsets = [slice_sizes[d] for d in slice_dims(numbers, len(slice_sizes))]
    sizes = dict(zip(numbers.offset_dims, offsets, strict=True))
    rank = len(offsets) + len(start_indices) - (numbers.index_vector_dim < len(start_indices))
    return tuple(sizes[d] if d in sizes else next(batch) for d in range(rank))


def full_start_index(
    numbers: GatherDimensionNumbers, start_indices: Array, rank: int
) -> list[Array]:
    """For each dimension of the operand, the start of each batch index's slice; not clamped.

    That is ``full_start_index + full_batching_index`` of the specification: components of the
    index vector at the dimensions in ``start_index_map``, of the batch index at
    ``operand_batching_dims``, and zero elsewhere.

    Returns:
        ``rank`` arrays of 64-bit integers, each of a shape that broadcasts to ``batch_sizes``.
    """
    vectors = as_int64(start_indices)
    starts = [ZERO] * rank
    for component, d in enumerate(numbers.start_index_map):
        starts[d] = vectors[component_index(numbers, component, vectors.ndim)]
    batch_rank = vectors.ndim - (numbers.index_vector_dim < vectors.ndim)
    pairs = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    for d, source in pairs:
        axis = source - (source > numbers.index_vector_dim)
        starts[d] = along(start_indices.shape[source], axis, batch_rank)
    return starts


def component_index(
    numbers: GatherDimensionNumbers, component: int, rank: int
) -> tuple[slice | int, ...]:
    """Where ``start_indices``, which have this rank, hold one component of all index vectors."""
    dimension = numbers.index_vector_dim
    return (slice(None),) * dimension + (component,) if dimension < rank else ()


def slice_index(
    starts: Sequence[Array],
    slice_sizes: Sequence[int],
    is_kept: Sequence[bool],
    batch_rank: int,
) -> tuple[Array, ...]:
    """The index of every element of every slice, in some dimensions of the operand.

    Args:
        starts: The starts of the slices in each of these dimensions, from ``full_start_index``.
        slice_sizes: The size of a slice in each of these dimensions.
        is_kept: Whether each of these dimensions is one of ``slice_dims``.
        batch_rank: Number of components of the batch index.

    Returns:
        For each of these dimensions an array of integers; together they broadcast to the sizes
        of the batch index, followed by the sizes of the dimensions that are kept.
    """
    rank, axis = sum(is_kept), 0
    index: list[Array] = []
    for start, size, keep in zip(starts, slice_sizes, is_kept, strict=True):
        if rank:
            start = start.reshape((1,) * (batch_rank - start.ndim) + start.shape + (1,) * rank)
        index.append(start + along(size, axis, rank) if keep else start)
        axis += keep
    return tuple(index)


def batch_first(numbers: GatherDimensionNumbers, result_rank: int) -> tuple[int, ...]:
    """The dimensions of the result: those of the batch index, then those of the offset index.

    As a permutation it puts the dimensions of scatter's updates into this order; its inverse puts
    dimensions in this order where gather's result has them.
    """
    return batch_dims(numbers, result_rank) + numbers.offset_dims


def inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    """The permutation that undoes this one."""
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


def along(size: int, axis: int, rank: int) -> Array:
    """0, 1, ..., size - 1 along one dimension of ``rank``; the others have size 1."""
    shape = [1] * rank
    shape[axis] = size
    return np.arange(size).reshape(shape)


def as_int64(indices: Array) -> Array:
    """Indices of any integer type as int64; larger ones become the largest int64."""
    if indices.dtype == np.uint64:
        indices = np.minimum(indices, np.uint64(np.iinfo(np.int64).max))
    return indices.astype(np.int64, copy=False)


def clamp_starts(starts: Array, size: int, slice_size: int) -> Array:
    """``clamp(0, starts, size - slice_size)``."""
    return np.minimum(np.maximum(starts, 0), size - slice_size)


def clamped_slice(
    shape: Sequence[int], sizes: Sequence[int]
) -> Callable[[Sequence[Array]], tuple[slice, ...]]:
    """The function that gives the slice at start indices, clamped as by dynamic_slice.

    Args:
        shape: The operand's shape.
        sizes: The sizes of the slice, none larger than the operand's.

    Returns:
        A function of the start indices, which are integer scalars.
    """
    full_slices = [slice(0, size) for size in sizes]
    pairs = enumerate(zip(shape, sizes, strict=True))
    moving = [(d, limit - size, size) for d, (limit, size) in pairs if size != limit]

    def index(start_indices: Sequence[Array]) -> tuple[slice, ...]:
        result = full_slices.copy()
        for d, last, size in moving:
            start = int(start_indices[d])
            start = 0 if start < 0 else min(start, last)
            result[d] = slice(start, start + size)
        return tuple(result)

    return index

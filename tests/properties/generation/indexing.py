"""Steps that append gather, scatter and their kin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import (
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.ir.types import tensor
from stablemate.numerics.elements import I32, I64, IntegerType
from tests.properties.generation import region_bodies as bodies
from tests.properties.generation.data_movement import INDEXES, ranked
from tests.properties.generation.program_builder import ALL_ELEMENTS, MAXIMUM_SIZE, Draft, Tensor
from tests.properties.generation.reductions import element_of


@dataclass(frozen=True)
class Geometry:
    """Which slices of a tensor index vectors stand for, and where they go.

    Attributes:
        offsets: Dimensions of the slices in the gathered tensor.
        dropped: Dimensions of the tensor that slices lack.
        batching: Dimensions that tensor and indices share.
        index_batching: The same, as dimensions of the indices.
        mapped: The dimension that each component of an index vector is for.
        vector: The dimension of the indices that holds the components.
        sizes: Sizes of slices.
        indices: Shape of the indices.
        gathered: Shape of all slices.
    """

    offsets: tuple[int, ...]
    dropped: tuple[int, ...]
    batching: tuple[int, ...]
    index_batching: tuple[int, ...]
    mapped: tuple[int, ...]
    vector: int
    sizes: tuple[int, ...]
    indices: tuple[int, ...]
    gathered: tuple[int, ...]


def geometry(draft: Draft, shape: Sequence[int]) -> Geometry | None:
    """Some geometry for a tensor; None if it came out too large."""
    choices, rank = draft.choices, len(shape)
    order = choices.permutation(range(rank))
    batching = sorted(order[: choices.weighted(((0, 60), (1, 30), (2, 10)))])
    others = [d for d in range(rank) if d not in batching]
    dropped = [d for d in choices.subset(others) if shape[d] > 0]
    mapped = choices.some(others, choices.integer(0, len(others)))
    kept = [d for d in others if d not in dropped]
    sizes = [
        (shape[d] if choices.chance(50) else shape[d] - choices.integer(0, shape[d]))
        if d in kept
        else min(1, shape[d])
        for d in range(rank)
    ]
    free = [-1] * choices.weighted(((1, 50), (0, 20), (2, 30)))
    sources = choices.permutation([*batching, *free])
    batch = [shape[d] if d >= 0 else draft.size() for d in sources]
    implicit = len(mapped) == 1 and choices.chance(50)
    vector = len(batch) if implicit or choices.chance(50) else choices.integer(0, len(batch))
    indices = batch if implicit else [*batch[:vector], len(mapped), *batch[vector:]]
    places = [sources.index(d) for d in batching]
    offsets = sorted(choices.some(range(len(kept) + len(batch)), len(kept)))
    slices = iter([sizes[d] for d in kept])
    batches = iter(batch)
    gathered = [
        next(slices) if d in offsets else next(batches) for d in range(len(kept) + len(batch))
    ]
    if np.prod(gathered) > MAXIMUM_SIZE or len(gathered) > 6:
        return None
    return Geometry(
        offsets=tuple(offsets),
        dropped=tuple(dropped),
        batching=tuple(batching),
        index_batching=tuple(p + (p >= vector and not implicit) for p in places),
        mapped=tuple(mapped),
        vector=vector,
        sizes=tuple(sizes),
        indices=tuple(indices),
        gathered=tuple(gathered),
    )


def indices_for(draft: Draft, geometry: Geometry, shape: Sequence[int]) -> Tensor:
    """Index vectors, mostly in range; seldom any numbers."""
    element = draft.element(INDEXES)
    type_ = tensor(element, *geometry.indices)
    if draft.choices.chance(20):
        return draft.like(type_)
    assert isinstance(element, IntegerType)
    low = 0 if element.is_unsigned else -1
    high = max([shape[d] for d in geometry.mapped], default=1) + 1
    values = draft.choices.generator().integers(low, high, geometry.indices)
    return draft.given(type_, values.astype(element.dtype))


def gather(draft: Draft) -> None:
    """Slices that start where index vectors say."""
    operand = ranked(draft)
    geometry_result = geometry(draft, operand.type.shape)
    if geometry_result is None:
        return
    draft.emit(
        "gather",
        operand=operand,
        start_indices=indices_for(draft, geometry_result, operand.type.shape),
        dimension_numbers=gather_numbers(geometry_result),
        slice_sizes=geometry_result.sizes,
    )


def gather_numbers(geometry: Geometry) -> GatherDimensionNumbers:
    """The geometry as gather has it."""
    return GatherDimensionNumbers(
        offset_dims=geometry.offsets,
        collapsed_slice_dims=geometry.dropped,
        operand_batching_dims=geometry.batching,
        start_indices_batching_dims=geometry.index_batching,
        start_index_map=geometry.mapped,
        index_vector_dim=geometry.vector,
    )


def dynamic_gather(draft: Draft) -> None:
    """The same with sizes of slices in an operand."""
    operand = ranked(draft)
    geometry_result = geometry(draft, operand.type.shape)
    if geometry_result is None:
        return
    sizes = draft.constant(
        tensor(draft.choices.of((I64, I32)), len(geometry_result.sizes)),
        np.array(geometry_result.sizes),
    )
    draft.emit(
        "dynamic_gather",
        operand=operand,
        start_indices=indices_for(draft, geometry_result, operand.type.shape),
        slice_sizes=sizes,
        dimension_numbers=gather_numbers(geometry_result),
        results=[tensor(operand.type.element_type, *geometry_result.gathered)],
    )


def scatter(draft: Draft) -> None:
    """Updates of slices that start where index vectors say."""
    operand = ranked(draft)
    inputs = [operand]
    if draft.choices.chance(25):
        inputs.append(draft.like(operand.type.with_element(element_of(draft))))
    geometry_result = geometry(draft, operand.type.shape)
    if geometry_result is None:
        return
    elements = [value.type.element_type for value in inputs]
    draft.emit(
        "scatter",
        inputs=inputs,
        scatter_indices=indices_for(draft, geometry_result, operand.type.shape),
        updates=[draft.like(tensor(element, *geometry_result.gathered)) for element in elements],
        scatter_dimension_numbers=ScatterDimensionNumbers(
            update_window_dims=geometry_result.offsets,
            inserted_window_dims=geometry_result.dropped,
            input_batching_dims=geometry_result.batching,
            scatter_indices_batching_dims=geometry_result.index_batching,
            scatter_dims_to_operand_dims=geometry_result.mapped,
            index_vector_dim=geometry_result.vector,
        ),
        regions=[bodies.update(draft, elements)],
    )


def torch_index_select(draft: Draft) -> None:
    """Slices along one dimension, by indices."""
    operand = draft.operand(
        ALL_ELEMENTS, lambda t: 1 <= t.rank <= 3 and t.size > 0, lambda: [draft.size(1)] * 2
    )
    rank = operand.type.rank
    batches = draft.choices.integer(0, min(1, rank - 1))
    dim = draft.choices.integer(batches, rank - 1)
    shape = operand.type.shape
    index_shape = (*shape[:batches], *draft.shape(1, 2)[: 3 - batches])
    element = draft.choices.of((I32, I64))
    values = draft.choices.generator().integers(0, shape[dim], index_shape)
    index = draft.given(tensor(element, *index_shape), values)
    result = (*shape[:dim], *index_shape[batches:], *shape[dim + 1 :])
    if np.prod(result) <= MAXIMUM_SIZE:
        draft.emit(
            "torch_index_select",
            operand=operand,
            index=index,
            dim=dim,
            batch_dims=batches,
            results=[tensor(operand.type.element_type, *result)],
        )


STEPS: Final = ((gather, 40), (scatter, 45), (dynamic_gather, 8), (torch_index_select, 5))
EXACT_STEPS: Final = ((gather, 10),)

"""Steps that append operations which move elements without computing."""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import I32, I64, ElementType
from tests.properties.generation.program_builder import (
    ALL_ELEMENTS,
    COMPLEXES,
    FLOATS,
    INTEGERS,
    MAXIMUM_RANK,
    MAXIMUM_SIZE,
    Draft,
    Tensor,
)
from tests.properties.generation.values import array_of

INDEXES: Final = (I32, I64, *(integer for integer in INTEGERS if integer.width >= 8))


def ranked(draft: Draft, lowest: int = 0, highest: int = MAXIMUM_RANK) -> Tensor:
    """Any tensor with a rank in this range."""
    return draft.operand(
        ALL_ELEMENTS,
        lambda type_: lowest <= type_.rank <= highest,
        lambda: draft.shape(lowest, highest),
    )


def transpose(draft: Draft) -> None:
    """A permutation of the dimensions."""
    operand = ranked(draft)
    draft.emit(
        "transpose",
        operand=operand,
        permutation=draft.choices.permutation(range(operand.type.rank)),
    )


def reshape(draft: Draft) -> None:
    """The same elements in another shape."""
    operand = ranked(draft)
    draft.emit("reshape", operand=operand, results=[reshaped(draft, operand.type)])


def reshaped(draft: Draft, type_: TensorType) -> TensorType:
    """Another type with as many elements."""
    if type_.size == 0:
        return tensor(type_.element_type, *draft.choices.permutation([0, *draft.shape(0, 3)]))
    sizes = [1] * draft.choices.integer(0, MAXIMUM_RANK)
    for prime in factors(type_.size):
        sizes = sizes or [1]
        sizes[draft.choices.below(len(sizes))] *= prime
    return tensor(type_.element_type, *sizes)


def factors(number: int) -> list[int]:
    """The prime factors of a positive number."""
    collected = []
    divisor = 2
    while number > 1:
        while number % divisor == 0:
            collected.append(divisor)
            number //= divisor
        divisor += 1
    return collected


def broadcast_in_dim(draft: Draft) -> None:
    """A tensor along new dimensions, or with its sizes 1 stretched."""
    operand = ranked(draft, 0, 3)
    result, dimensions = broadcast_geometry(draft, operand.type)
    draft.emit(
        "broadcast_in_dim", operand=operand, broadcast_dimensions=dimensions, results=[result]
    )


def broadcast_geometry(draft: Draft, type_: TensorType) -> tuple[TensorType, list[int]]:
    """A type to broadcast to, and where the dimensions go."""
    rank = draft.choices.integer(type_.rank, MAXIMUM_RANK)
    dimensions = draft.choices.some(range(rank), type_.rank)
    if draft.choices.chance(60):
        dimensions = sorted(dimensions)
    sizes = [draft.size() for _ in range(rank)]
    for size, dimension in zip(type_.shape, dimensions, strict=True):
        sizes[dimension] = sizes[dimension] if size == 1 and draft.choices.chance(70) else size
    while np.prod(sizes) > MAXIMUM_SIZE:
        free = [d for d in range(rank) if sizes[d] > 1 and not is_bound(type_, dimensions, d)]
        if not free:
            break
        sizes[free[0]] = 1
    return tensor(type_.element_type, *sizes), dimensions


def is_bound(type_: TensorType, dimensions: list[int], d: int) -> bool:
    """Whether a dimension of the result has the size of one of the operand."""
    return d in dimensions and type_.shape[dimensions.index(d)] != 1


def broadcast(draft: Draft) -> None:
    """New dimensions in front."""
    operand = ranked(draft, 0, 2)
    sizes = draft.shape(0, 2)
    draft.emit("broadcast", operand=operand, broadcast_sizes=sizes)


def slice_(draft: Draft) -> None:
    """A part of a tensor with steps."""
    operand = ranked(draft)
    starts, limits, strides = [], [], []
    for size in operand.type.shape:
        start = draft.choices.integer(0, size)
        starts.append(start)
        limits.append(size - draft.choices.integer(0, size - start))
        strides.append(draft.choices.integer(1, 3))
    draft.emit(
        "slice", operand=operand, start_indices=starts, limit_indices=limits, strides=strides
    )


def start_index(draft: Draft, element: ElementType, size: int) -> Tensor:
    """A scalar index, mostly in range."""
    if draft.choices.chance(25):
        return draft.scalar(element)
    return draft.given(tensor(element), np.array(draft.choices.integer(0, size)))


def dynamic_slice(draft: Draft) -> None:
    """A part that starts where scalars say."""
    operand = ranked(draft, 1)  # upstream cannot read what it prints for scalars
    element = draft.element(INDEXES)
    draft.emit(
        "dynamic_slice",
        operand=operand,
        start_indices=[start_index(draft, element, size) for size in operand.type.shape],
        slice_sizes=[size - draft.choices.integer(0, size) for size in operand.type.shape],
    )


def dynamic_update_slice(draft: Draft) -> None:
    """A part replaced, which starts where scalars say."""
    operand = ranked(draft)
    element = draft.element(INDEXES)
    sizes = [size - draft.choices.integer(0, size) for size in operand.type.shape]
    draft.emit(
        "dynamic_update_slice",
        operand=operand,
        update=draft.like(tensor(operand.type.element_type, *sizes)),
        start_indices=[start_index(draft, element, size) for size in operand.type.shape],
    )


def padding(draft: Draft, shape: tuple[int, ...]) -> tuple[list[int], list[int], list[int]]:
    """Low, high and interior padding; at the ends also less than none."""
    low, high, interior = [], [], []
    for size in shape:
        gap = draft.choices.weighted(((0, 60), (1, 25), (2, 15)))
        extent = size + max(size - 1, 0) * gap
        first = draft.choices.weighted(((0, 40), (1, 25), (-1, 20), (2, 5), (-3, 10)))
        last = draft.choices.weighted(((0, 40), (1, 25), (-1, 20), (3, 5), (-2, 10)))
        low.append(first)
        high.append(max(last, -extent - first))
        interior.append(gap)
    return low, high, interior


def pad(draft: Draft) -> None:
    """Elements around and between those of a tensor, or fewer of them."""
    operand = ranked(draft, 0, 3)
    low, high, interior = padding(draft, operand.type.shape)
    draft.emit(
        "pad",
        operand=operand,
        padding_value=draft.scalar(operand.type.element_type),
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=interior,
    )


def concatenate(draft: Draft) -> None:
    """Up to three tensors one behind the other."""
    first = ranked(draft, 1)
    shape = first.type.shape
    dimension = draft.choices.below(len(shape))

    def fits(type_: TensorType) -> bool:
        others = [d for d in range(len(shape)) if d != dimension]
        return type_.rank == len(shape) and all(type_.shape[d] == shape[d] for d in others)

    def other_shape() -> list[int]:
        return [draft.size() if d == dimension else size for d, size in enumerate(shape)]

    count = draft.choices.integer(0, 2)
    others = [draft.operand([first.type.element_type], fits, other_shape) for _ in range(count)]
    inputs = draft.choices.permutation([first, *others])
    if sum(value.type.size for value in inputs) <= 3 * MAXIMUM_SIZE:
        draft.emit("concatenate", inputs=inputs, dimension=dimension)


def reverse(draft: Draft) -> None:
    """Some dimensions backwards."""
    operand = ranked(draft)
    dimensions = draft.choices.permutation(draft.choices.subset(range(operand.type.rank)))
    draft.emit("reverse", operand=operand, dimensions=dimensions)


def iota(draft: Draft) -> None:
    """Numbers along a dimension."""
    shape = draft.shape(1)
    element = draft.element((*INTEGERS, *FLOATS, *COMPLEXES))
    draft.emit(
        "iota", iota_dimension=draft.choices.below(len(shape)), results=[tensor(element, *shape)]
    )


def constant(draft: Draft) -> None:
    """A literal."""
    element, shape = draft.element(ALL_ELEMENTS), draft.shape()
    type_ = tensor(element, *shape)
    draft.constant(type_, array_of(draft.choices, type_))


def get_dimension_size(draft: Draft) -> None:
    """The size of a dimension."""
    operand = ranked(draft, 1)
    dimension = draft.choices.below(operand.type.rank)
    draft.emit("get_dimension_size", operand=operand, dimension=dimension, results=[tensor(I32)])


def optimization_barrier(draft: Draft) -> None:
    """Values as they are."""
    values = [ranked(draft) for _ in range(draft.choices.integer(1, 3))]
    draft.emit("optimization_barrier", operand=values)


def tuple_(draft: Draft) -> None:
    """Values put into a tuple, and one taken out."""
    values = [ranked(draft) for _ in range(draft.choices.integer(1, 3))]
    emit_result = draft.emit("tuple", val=values)
    draft.emit(
        "get_tuple_element", operand=emit_result.results[0], index=draft.choices.below(len(values))
    )


def sizes_constant(draft: Draft, sizes: list[int] | tuple[int, ...]) -> Tensor:
    """A constant that holds sizes."""
    largest = max(sizes, default=0)
    fitting = [
        index for index in INDEXES if largest < 1 << index.width - 1
    ]  # read as signed upstream
    return draft.constant(tensor(draft.element(fitting), len(sizes)), np.array(sizes))


def dynamic_reshape(draft: Draft) -> None:
    """A reshape whose shape is an operand."""
    operand = ranked(draft)
    result = reshaped(draft, operand.type)
    draft.emit(
        "dynamic_reshape",
        operand=operand,
        output_shape=sizes_constant(draft, result.shape),
        results=[result],
    )


def dynamic_iota(draft: Draft) -> None:
    """An iota whose shape is an operand."""
    shape = draft.shape(1)
    element = draft.element((*INTEGERS, *FLOATS, *COMPLEXES))
    draft.emit(
        "dynamic_iota",
        output_shape=sizes_constant(draft, shape),
        iota_dimension=draft.choices.below(len(shape)),
        results=[tensor(element, *shape)],
    )


def dynamic_broadcast_in_dim(draft: Draft) -> None:
    """A broadcast whose shape is an operand."""
    operand = ranked(draft, 0, 3)
    result, dimensions = broadcast_geometry(draft, operand.type)
    draft.emit(
        "dynamic_broadcast_in_dim",
        operand=operand,
        output_dimensions=sizes_constant(draft, result.shape),
        broadcast_dimensions=dimensions,
        results=[result],
    )


def dynamic_pad(draft: Draft) -> None:
    """A pad whose sizes are operands."""
    operand = ranked(draft, 0, 3)
    low, high, interior = padding(draft, operand.type.shape)
    sizes = [
        first + size + max(size - 1, 0) * gap + last
        for size, first, last, gap in zip(operand.type.shape, low, high, interior, strict=True)
    ]
    element = draft.choices.of((I64, I32))
    amounts = [
        draft.constant(tensor(element, len(item)), np.array(item)) for item in (low, high, interior)
    ]
    draft.emit(
        "dynamic_pad",
        operand=operand,
        padding_value=draft.scalar(operand.type.element_type),
        edge_padding_low=amounts[0],
        edge_padding_high=amounts[1],
        interior_padding=amounts[2],
        results=[tensor(operand.type.element_type, *sizes)],
    )


def real_dynamic_slice(draft: Draft) -> None:
    """A slice whose places are operands."""
    operand = ranked(draft)
    shape = operand.type.shape
    starts = [draft.choices.integer(0, size) for size in shape]
    limits = [
        size - draft.choices.integer(0, size - start)
        for size, start in zip(shape, starts, strict=True)
    ]
    strides = [draft.choices.integer(1, 3) for _ in shape]
    sizes = [
        -((start - limit) // stride)
        for start, limit, stride in zip(starts, limits, strides, strict=True)
    ]
    element = draft.choices.of((I64, I32))
    places = [
        draft.constant(tensor(element, len(stride)), np.array(stride))
        for stride in (starts, limits, strides)
    ]
    draft.emit(
        "real_dynamic_slice",
        operand=operand,
        start_indices=places[0],
        limit_indices=places[1],
        strides=places[2],
        results=[tensor(operand.type.element_type, *sizes)],
    )


STEPS: Final = (
    (transpose, 10),
    (reshape, 10),
    (broadcast_in_dim, 12),
    (slice_, 10),
    (dynamic_slice, 8),
    (dynamic_update_slice, 8),
    (pad, 12),
    (concatenate, 10),
    (reverse, 6),
    (iota, 4),
    (constant, 4),
    (broadcast, 2),
    (get_dimension_size, 1),
    (optimization_barrier, 2),
    (tuple_, 2),
    (dynamic_reshape, 2),
    (dynamic_iota, 2),
    (dynamic_broadcast_in_dim, 2),
    (dynamic_pad, 2),
    (real_dynamic_slice, 2),
)
EXACT_STEPS: Final = (
    (transpose, 10),
    (reshape, 8),
    (broadcast_in_dim, 8),
    (slice_, 8),
    (dynamic_slice, 6),
    (dynamic_update_slice, 6),
    (pad, 6),
    (concatenate, 8),
    (reverse, 5),
    (iota, 3),
    (optimization_barrier, 2),
    (tuple_, 2),
)

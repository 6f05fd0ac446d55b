"""Gathers and scatters: elements at places that tensors hold."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.attributes import (
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.dialects.stablehlo.dynamic_gather import DynamicGather
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.frontends.tensor_functions.elementwise import (
    clamp,
    maximum,
    minimum,
    remainder,
    select,
)
from stablemate.frontends.tensor_functions.graph import SIZE, WIDE, SizeLike, TensorGraph, is_static
from stablemate.frontends.tensor_functions.movement import (
    dynamic_slice,
    dynamic_update_slice,
    expand_dims,
    iota,
    squeeze,
    stack,
)
from stablemate.frontends.tensor_functions.reductions import Combine, reducer
from stablemate.frontends.tensor_functions.tensor import Tensor, emit, full, scalar, size_tensor
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.symbolic_sizes import SymbolicSize, proven_nonnegative, typical_of


def gather(
    x: Tensor,
    indices: Tensor,
    numbers: GatherDimensionNumbers,
    slice_sizes: Sequence[SizeLike],
    shape: Sequence[SizeLike],
) -> Tensor:
    """Slices of a tensor at places that another one holds; the result has a known shape.

    Of a tensor without elements nothing but zeros can be taken. A slice is not larger than the
    tensor, also where that has no elements in a run, and no place is looked at.
    """
    pairs = zip(x.shape, slice_sizes, strict=True)
    if any(isinstance(size, int) and size == 0 and wanted != 0 for size, wanted in pairs):
        return full(x.graph, shape, 0, x.element)
    fields: dict[str, object] = {"start_indices": indices.value, "dimension_numbers": numbers}
    if any(may_be_empty(x.shape[at]) for at in numbers.collapsed_slice_dims):
        fields["slice_sizes"] = fitting_sizes(x, numbers.collapsed_slice_dims, slice_sizes)
        return emit(x.graph, DynamicGather, shape, x.element, operand=x.value, **fields)
    if is_static(slice_sizes):
        fields["slice_sizes"] = tuple(slice_sizes)
        return emit(x.graph, Gather, shape, x.element, operand=x.value, **fields)
    fields["slice_sizes"] = x.graph.size_vector(slice_sizes)
    return emit(x.graph, DynamicGather, shape, x.element, operand=x.value, **fields)


def may_be_empty(size: SizeLike) -> bool:
    """Whether a size is one that may be 0 in a run; nothing is assumed."""
    return isinstance(size, SymbolicSize) and not proven_nonnegative(size - 1)


def fitting_sizes(
    x: Tensor, collapsed: Sequence[int], slice_sizes: Sequence[SizeLike]
) -> Value[TensorType]:
    """The sizes of slices; 0 instead of 1 where a dimension that disappears has no elements."""
    parts: list[Tensor] = []
    for at, (size, wanted) in enumerate(zip(x.shape, slice_sizes, strict=True)):
        number = size_tensor(x.graph, wanted, SIZE)
        if at in collapsed and may_be_empty(size):
            number = minimum(size_tensor(x.graph, size, SIZE), number)
        parts.append(number)
    return stack(parts, 0).value


def scatter(
    inputs: Sequence[Tensor],
    indices: Tensor,
    updates: Sequence[Tensor],
    numbers: ScatterDimensionNumbers,
    combine: Combine,
    *,
    unique: bool = False,
) -> list[Tensor]:
    """Tensors with slices combined with updates, at places that another tensor holds."""
    first = inputs[0]
    operation = first.graph.builder.create(
        Scatter,
        results=[x.value.type for x in inputs],
        inputs=[x.value for x in inputs],
        scatter_indices=indices.value,
        updates=[update.value for update in updates],
        scatter_dimension_numbers=numbers,
        unique_indices=unique,
        regions=[reducer(first.graph, [x.element for x in inputs], combine)],
    )
    return [
        Tensor(x.graph, result, x.shape)
        for x, result in zip(inputs, operation.results, strict=True)
    ]


def wrap_negative(indices: Tensor, size: SizeLike) -> Tensor:
    """Indices, those below zero counted from the end."""
    return select(indices < 0, indices + size_tensor(indices.graph, size, indices.element), indices)


def index_tensor(graph: TensorGraph, index: SizeLike, size: SizeLike) -> Tensor:
    """An index as a scalar, counted from the end if it is below zero."""
    return wrap_negative(size_tensor(graph, index, WIDE), size)


def bounded_index(
    graph: TensorGraph, index: SizeLike, size: SizeLike, least: SizeLike = 0
) -> SymbolicSize:
    """An index counted from the end if it is below zero, and neither below another nor too large.

    Args:
        graph: Where it is computed.
        index: The index.
        size: The size of the dimension.
        least: The least index.
    """
    low, high = size_tensor(graph, least, WIDE), size_tensor(graph, size, WIDE)
    number = clamp(low, index_tensor(graph, index, size), maximum(low, high))
    bounded = graph.assumptions.symbol(typical_of(size), 0)
    graph.bind(bounded, number.convert(SIZE).value)
    return bounded


def mirrored_index(graph: TensorGraph, index: SizeLike, size: SizeLike) -> SymbolicSize:
    """An index counted from the other end, where one below all elements is the size."""
    length = size_tensor(graph, size, WIDE)
    number = clamp(0, length - 1 - index_tensor(graph, index, size), length)
    mirrored = graph.assumptions.symbol(typical_of(size), 0)
    graph.bind(mirrored, number.convert(SIZE).value)
    return mirrored


def take(x: Tensor, indices: Tensor, dimension: int) -> Tensor:
    """Slices of a dimension at indices of any shape, which replaces the dimension."""
    at = x.dimension(dimension)
    shape = (*x.shape[:at], *indices.shape, *x.shape[at + 1 :])
    offsets = [i for i in range(len(shape)) if not at <= i < at + indices.rank]
    numbers = GatherDimensionNumbers(
        offset_dims=tuple(offsets),
        collapsed_slice_dims=(at,),
        start_index_map=(at,),
        index_vector_dim=indices.rank,
    )
    sizes = [1 if i == at else size for i, size in enumerate(x.shape)]
    return gather(x, indices, numbers, sizes, shape)


def take_points(x: Tensor, indices: Sequence[Tensor]) -> Tensor:
    """Slices at points of the first dimensions, one tensor of indices for each of them.

    The result has the shape of the indices, then the other dimensions.
    """
    count, points = len(indices), stack(indices, -1)
    shape = (*indices[0].shape, *x.shape[count:])
    numbers = GatherDimensionNumbers(
        offset_dims=tuple(range(indices[0].rank, len(shape))),
        collapsed_slice_dims=tuple(range(count)),
        start_index_map=tuple(range(count)),
        index_vector_dim=indices[0].rank,
    )
    sizes = [1 if i < count else size for i, size in enumerate(x.shape)]
    return gather(x, points, numbers, sizes, shape)


def take_along(x: Tensor, indices: Tensor, dimension: int) -> Tensor:
    """For each place of the indices, the element at that place with its index in one dimension.

    NumPy's ``take_along_axis``, but that other sizes of the indices may be smaller.
    """
    return take_points(x, places_along(indices, dimension))


def places_along(indices: Tensor, dimension: int) -> list[Tensor]:
    """The index in each dimension of elements whose index in one dimension is stated."""
    at = indices.dimension(dimension)
    return [
        indices if i == at else iota(indices.graph, indices.shape, i, indices.element)
        for i in range(indices.rank)
    ]


def dynamic_index(x: Tensor, index: Tensor) -> Tensor:
    """The slice at an index of the first dimension, a scalar."""
    if not is_static(x.shape):
        return take(x, index, 0)
    sizes = [size for size in x.shape if isinstance(size, int)]
    return squeeze(dynamic_slice(x, leading_place(x, index), [1, *sizes[1:]]), 0)


def dynamic_update_index(x: Tensor, update: Tensor, index: Tensor) -> Tensor:
    """The tensor with the slice at an index of the first dimension, a scalar, replaced."""
    return dynamic_update_slice(x, expand_dims(update, 0), leading_place(x, index))


def leading_place(x: Tensor, index: Tensor) -> list[Tensor]:
    """The place of the first element of a slice of the first dimension."""
    return [index, *[scalar(index.graph, 0, index.element)] * (x.rank - 1)]


def put_points(
    x: Tensor, indices: Sequence[Tensor], updates: Tensor, combine: Combine, *,
    unique: bool = False, first: int = 0,
) -> Tensor:  # fmt: skip
    """A tensor with slices at points of some adjacent dimensions combined with updates.

    ``updates`` has the shape of the tensor, with that of the indices in place of these dimensions.
    Updates at indices outside the tensor are dropped.

    Args:
        x: The tensor.
        indices: The indices of each of these dimensions.
        updates: What its slices are combined with.
        combine: How they are combined.
        unique: Whether no place is updated twice.
        first: The first of these dimensions.
    """
    rank, points = indices[0].rank, stack(indices, -1)
    windows = [*range(first), *range(first + rank, updates.rank)]
    dimensions = tuple(range(first, first + len(indices)))
    numbers = ScatterDimensionNumbers(
        update_window_dims=tuple(windows),
        inserted_window_dims=dimensions,
        scatter_dims_to_operand_dims=dimensions,
        index_vector_dim=rank,
    )
    (result,) = scatter([x], points, [updates], numbers, combine, unique=unique)
    return result


def replace(current: Tensor, update: Tensor) -> list[Tensor]:
    """The computation of a scatter that replaces elements."""
    return [update]


def add(current: Tensor, update: Tensor) -> list[Tensor]:
    """The computation of a scatter that adds to elements."""
    return [current + update]


def multiply(current: Tensor, update: Tensor) -> list[Tensor]:
    """The computation of a scatter that multiplies elements."""
    return [current * update]


def larger(current: Tensor, update: Tensor) -> list[Tensor]:
    """The computation of a scatter that keeps the larger element."""
    return [maximum(current, update)]


def smaller(current: Tensor, update: Tensor) -> list[Tensor]:
    """The computation of a scatter that keeps the smaller element."""
    return [minimum(current, update)]


def coordinates(places: Tensor, shape: Sequence[SizeLike]) -> list[Tensor]:
    """The index in each dimension of places in a flattened tensor of a shape."""
    columns: list[Tensor] = []
    rest = places
    for size in reversed(shape):
        length = size_tensor(places.graph, size, places.element)
        columns.insert(0, remainder(rest, length.broadcast_to(rest.shape)))
        rest = rest / length
    return columns


def one_hot(indices: Tensor, size: SizeLike, dimension: int = -1) -> Tensor:
    """Where the index along a new dimension is that of a tensor: booleans."""
    places = expand_dims(indices, dimension)
    at = dimension % places.rank
    shape = (*indices.shape[:at], size, *indices.shape[at:])
    return iota(indices.graph, shape, at, indices.element).equals(
        places.broadcast(shape, range(places.rank))
    )

"""Functions that move elements: their results have elements of their operands, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.dynamic_pad import DynamicPad
from stablemate.dialects.stablehlo.dynamic_reshape import DynamicReshape
from stablemate.dialects.stablehlo.dynamic_slice import DynamicSlice
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.iota import DynamicIota, Iota
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.real_dynamic_slice import RealDynamicSlice
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.reverse import Reverse
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.frontends.tensor_functions.graph import Number, SizeLike, TensorGraph, is_static
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    emit,
    same_shape,
    scalar,
)
from stablemate.numerics.elements import ElementType
from stablemate.numerics.symbolic_sizes import SymbolicSize


def reshape(x: Tensor, shape: Sequence[SizeLike]) -> Tensor:
    """The elements in the same order in another shape."""
    sizes = tuple(shape)
    if same_shape(x.shape, sizes):
        return x
    if is_static(sizes) and x.is_static:
        return emit(x.graph, Reshape, sizes, x.element, operand=x.value)
    vector = x.graph.size_vector(sizes)
    return emit(x.graph, DynamicReshape, sizes, x.element, operand=x.value, output_shape=vector)


def flatten(x: Tensor, first: int = 0, last: int = -1) -> Tensor:
    """The tensor with dimensions ``first`` to ``last``, both included, as one."""
    if not x.rank:
        return reshape(x, (1,))
    low, high = x.dimension(first), x.dimension(last) + 1
    merged = prod(x.shape[low:high])
    return reshape(x, (*x.shape[:low], merged, *x.shape[high:]))


def expand_dims(x: Tensor, *dimensions: int) -> Tensor:
    """The tensor with dimensions of size 1 at these places of the result."""
    rank = x.rank + len(dimensions)
    places = {dimension % rank for dimension in dimensions}
    rest = iter(x.shape)
    return reshape(x, [1 if i in places else next(rest) for i in range(rank)])


def squeeze(x: Tensor, *dimensions: int) -> Tensor:
    """The tensor without these dimensions, whose sizes are 1."""
    dropped = {x.dimension(dimension) for dimension in dimensions}
    return reshape(x, [size for i, size in enumerate(x.shape) if i not in dropped])


def transpose(x: Tensor, permutation: Sequence[int]) -> Tensor:
    """The tensor whose dimension i is dimension ``permutation[i]`` of the operand."""
    order = tuple([x.dimension(dimension) for dimension in permutation])
    if order == tuple(range(x.rank)):
        return x
    shape = [x.shape[dimension] for dimension in order]
    return emit(x.graph, Transpose, shape, x.element, operand=x.value, permutation=order)


def inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    """The permutation that undoes another one."""
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))


def swap_dimensions(x: Tensor, first: int, second: int) -> Tensor:
    """The tensor with two dimensions exchanged."""
    order = list(range(x.rank))
    one, other = x.dimension(first), x.dimension(second)
    order[one], order[other] = other, one
    return transpose(x, order)


def move_dimension(x: Tensor, source: int, destination: int) -> Tensor:
    """The tensor with a dimension at another place; the others keep their order."""
    order = [i for i in range(x.rank) if i != x.dimension(source)]
    order.insert(x.dimension(destination), x.dimension(source))
    return transpose(x, order)


def slice_dimensions(
    x: Tensor,
    starts: Sequence[SizeLike],
    limits: Sequence[SizeLike],
    strides: Sequence[SizeLike] | None = None,
) -> Tensor:
    """Every ``strides[d]``-th element from ``starts[d]`` to before ``limits[d]``."""
    steps = tuple(strides or (1,) * x.rank)
    bounds = zip(starts, limits, steps, strict=True)
    shape = [-((start - limit) // step) for start, limit, step in bounds]
    if same_shape(shape, x.shape):
        return x
    if all(map(is_static, (x.shape, starts, limits, steps))):
        fields: dict[str, object] = {
            "start_indices": tuple(starts), "limit_indices": tuple(limits), "strides": steps,
        }  # fmt: skip
        return emit(x.graph, Slice, shape, x.element, operand=x.value, **fields)
    start, limit, step = map(x.graph.size_vector, (starts, limits, steps))
    vectors = {"start_indices": start, "limit_indices": limit, "strides": step}
    return emit(x.graph, RealDynamicSlice, shape, x.element, operand=x.value, **vectors)


def slice_dimension(
    x: Tensor, dimension: int, start: SizeLike, limit: SizeLike, stride: SizeLike = 1
) -> Tensor:
    """Every ``stride``-th element of a dimension from ``start`` to before ``limit``."""
    starts: list[SizeLike] = [0] * x.rank
    limits, strides = list(x.shape), [cast("SizeLike", 1)] * x.rank
    at = x.dimension(dimension)
    starts[at], limits[at], strides[at] = start, limit, stride
    return slice_dimensions(x, starts, limits, strides)


def take_index(x: Tensor, dimension: int, index: SizeLike) -> Tensor:
    """The elements at an index of a dimension, which disappears; the index is not negative."""
    return squeeze(slice_dimension(x, dimension, index, index + 1), dimension)


def dynamic_slice(x: Tensor, starts: Sequence[Tensor], sizes: Sequence[int]) -> Tensor:
    """A part of some sizes that begins at scalars; they are clamped so that it fits."""
    indices = [start.value for start in starts]
    fields = {"start_indices": indices, "slice_sizes": tuple(sizes)}
    return emit(x.graph, DynamicSlice, sizes, x.element, operand=x.value, **fields)


def dynamic_update_slice(x: Tensor, update: Tensor, starts: Sequence[Tensor]) -> Tensor:
    """The tensor with a part replaced that begins at scalars; they are clamped so that it fits."""
    indices = [start.value for start in starts]
    fields = {"update": update.value, "start_indices": indices}
    return emit(x.graph, DynamicUpdateSlice, x.shape, x.element, operand=x.value, **fields)


def pad(
    x: Tensor,
    value: Tensor | Number,
    low: Sequence[SizeLike],
    high: Sequence[SizeLike],
    interior: Sequence[int] | None = None,
) -> Tensor:
    """The tensor with elements of one value around it, and between its elements.

    Args:
        x: The tensor.
        value: A scalar.
        low: How many come before each dimension; a negative number takes elements away.
        high: How many come after each.
        interior: How many come between two elements of each; by default none.
    """
    between = tuple(interior or (0,) * x.rank)
    if all(isinstance(n, int) and n == 0 for n in (*low, *high, *between)):
        return x
    filler = value if isinstance(value, Tensor) else scalar(x.graph, value, x.element)
    widths = zip(x.shape, low, high, between, strict=True)
    shape = [padded_size(*width) for width in widths]
    operands = {"operand": x.value, "padding_value": filler.value}
    if all(map(is_static, (x.shape, low, high))):
        attributes = {
            "edge_padding_low": tuple(low), "edge_padding_high": tuple(high),
            "interior_padding": between,
        }  # fmt: skip
        return emit(x.graph, Pad, shape, x.element, **operands, **attributes)
    first, last, inner = map(x.graph.size_vector, (low, high, between))
    vectors = {"edge_padding_low": first, "edge_padding_high": last, "interior_padding": inner}
    return emit(x.graph, DynamicPad, shape, x.element, **operands, **vectors)


def padded_size(size: SizeLike, low: SizeLike, high: SizeLike, interior: int) -> SizeLike:
    """The size of a padded dimension."""
    gaps = interior * (size - 1) if isinstance(size, SymbolicSize) or size > 0 else 0
    return size + gaps + low + high


def concatenate(tensors: Sequence[Tensor], dimension: int) -> Tensor:
    """Tensors one behind another along a dimension."""
    first = tensors[0]
    if len(tensors) == 1:
        return first
    at = first.dimension(dimension)
    total = sum(tensor.shape[at] for tensor in tensors)
    shape = (*first.shape[:at], total, *first.shape[at + 1 :])
    values = [tensor.value for tensor in tensors]
    return emit(first.graph, Concatenate, shape, first.element, inputs=values, dimension=at)


def stack(tensors: Sequence[Tensor], dimension: int) -> Tensor:
    """Tensors of one shape along a new dimension."""
    return concatenate([expand_dims(tensor, dimension) for tensor in tensors], dimension)


def reverse(x: Tensor, dimensions: Sequence[int]) -> Tensor:
    """The tensor with the elements of some dimensions in the opposite order."""
    reversed_ = tuple([x.dimension(dimension) for dimension in dimensions])
    if not reversed_:
        return x
    return emit(x.graph, Reverse, x.shape, x.element, operand=x.value, dimensions=reversed_)


def iota(
    graph: TensorGraph, shape: Sequence[SizeLike], dimension: int, element: ElementType
) -> Tensor:
    """The index along a dimension as elements."""
    sizes = tuple(shape)
    if is_static(sizes):
        return emit(graph, Iota, sizes, element, iota_dimension=dimension)
    vector = graph.size_vector(sizes)
    fields = {"output_shape": vector, "iota_dimension": dimension}
    return emit(graph, DynamicIota, sizes, element, **fields)


def arange(graph: TensorGraph, size: SizeLike, element: ElementType) -> Tensor:
    """The numbers from 0 to before a size."""
    return iota(graph, (size,), 0, element)


def tile(x: Tensor, counts: Sequence[SizeLike]) -> Tensor:
    """The tensor repeated ``counts[d]`` times along each dimension."""
    shape: list[SizeLike] = []
    for count, size in zip(counts, x.shape, strict=True):
        shape += [count, size]
    repeated = x.broadcast(shape, [2 * i + 1 for i in range(x.rank)])
    sizes = [n * size for n, size in zip(counts, x.shape, strict=True)]
    return reshape(repeated, sizes)


def filled_like(x: Tensor, number: Number) -> Tensor:
    """A number for each element of a tensor."""
    return scalar(x.graph, number, x.element).broadcast_to(x.shape)


def chunks(x: Tensor, count: int) -> list[Tensor]:
    """Equal parts of the last dimension."""
    size = x.shape[-1] // count
    return [slice_dimension(x, -1, i * size, (i + 1) * size) for i in range(count)]


def repeat_elements(x: Tensor, dimension: int, count: SizeLike) -> Tensor:
    """Each element of a dimension several times, one after the other: NumPy's ``repeat``."""
    at = x.dimension(dimension)
    before, size, after = x.shape[:at], x.shape[at], x.shape[at + 1 :]
    kept = [d + (d > at) for d in range(x.rank)]
    wide = x.broadcast((*before, size, count, *after), kept)
    return reshape(wide, (*before, size * count, *after))

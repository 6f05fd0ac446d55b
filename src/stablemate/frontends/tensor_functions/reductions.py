"""Reductions, windows and scans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from stablemate.dialects.stablehlo.elementwise import (
    Add,
    And,
    Maximum,
    Minimum,
    Multiply,
    Or,
    Xor,
)
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.frontends.tensor_functions.elementwise import exp, log, real, select
from stablemate.frontends.tensor_functions.graph import Number, SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.movement import iota
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    binary,
    emit,
    emit_several,
    region,
    scalar,
    size_tensor,
)
from stablemate.ir.core import Operation, Region
from stablemate.numerics.elements import ElementType, FloatType, IntegerType

Combine = Callable[..., Sequence[Tensor]]  # accumulators, then elements, to new accumulators


def lowest(element: ElementType) -> Number:
    """The number that is less than or equal to all others of a type."""
    if isinstance(element, IntegerType):
        return element.minimum
    assert isinstance(element, FloatType)
    return -inf


def highest(element: ElementType) -> Number:
    """The number that is greater than or equal to all others of a type."""
    return element.maximum if isinstance(element, IntegerType) else inf


IDENTITIES: Final[dict[type[Operation], Callable[[ElementType], Number]]] = {
    Add: lambda element: 0,
    Multiply: lambda element: 1,
    And: lambda element: -1,
    Or: lambda element: 0,
    Xor: lambda element: 0,
    Maximum: lowest,
    Minimum: highest,
}


def return_from(graph: TensorGraph, results: Sequence[Tensor]) -> None:
    """Ends a region with results."""
    graph.builder.create(Return, values=[result.value for result in results])


def reducer(graph: TensorGraph, elements: Sequence[ElementType], combine: Combine) -> Region:
    """The computation of a reduction: of accumulators and elements, all of them scalars."""
    types: list[TypeLike] = [((), element) for element in (*elements, *elements)]

    def body(inner: TensorGraph, *arguments: Tensor) -> None:
        return_from(inner, combine(*arguments))

    return region(graph, types, body, captures=False)


def reducer_of(graph: TensorGraph, cls: type[Operation], element: ElementType) -> Region:
    """The computation of a reduction by an operation of two operands."""
    return reducer(graph, [element], combination_of(cls))


def combination_of(cls: type[Operation]) -> Combine:
    """The combination of two elements by an operation."""

    def combine(x: Tensor, y: Tensor) -> list[Tensor]:
        return [binary(cls, x, y)]

    return combine


def without(shape: Sequence[SizeLike], dimensions: Sequence[int]) -> list[SizeLike]:
    """A shape without some of its dimensions."""
    dropped = {dimension % len(shape) for dimension in dimensions}
    return [size for i, size in enumerate(shape) if i not in dropped]


def reduce_with(x: Tensor, cls: type[Operation], dimensions: Sequence[int]) -> Tensor:
    """The elements along some dimensions, which disappear, combined by an operation."""
    if not dimensions:
        return x
    init = scalar(x.graph, IDENTITIES[cls](x.element), x.element)
    return emit(
        x.graph, Reduce, without(x.shape, dimensions), x.element,
        inputs=[x.value], init_values=[init.value],
        dimensions=tuple(sorted(x.dimension(d) for d in dimensions)),
        regions=[reducer_of(x.graph, cls, x.element)],
    )  # fmt: skip


def reduce_several(
    tensors: Sequence[Tensor], inits: Sequence[Number], dimensions: Sequence[int], combine: Combine
) -> list[Tensor]:
    """Corresponding elements of several tensors along some dimensions, combined together."""
    first = tensors[0]
    shape = without(first.shape, dimensions)
    elements = [tensor.element for tensor in tensors]
    starts = [scalar(t.graph, init, t.element) for t, init in zip(tensors, inits, strict=True)]
    return emit_several(
        first.graph, Reduce, [(shape, element) for element in elements],
        inputs=[tensor.value for tensor in tensors],
        init_values=[start.value for start in starts],
        dimensions=tuple(sorted(first.dimension(d) for d in dimensions)),
        regions=[reducer(first.graph, elements, combine)],
    )  # fmt: skip


def all_dimensions(x: Tensor, dimensions: Sequence[int] | None) -> list[int]:
    """Dimensions by their numbers from 0; None are all."""
    if dimensions is None:
        return list(range(x.rank))
    return sorted({x.dimension(dimension) for dimension in dimensions}) if x.rank else []


def sum_over(x: Tensor, dimensions: Sequence[int] | None = None) -> Tensor:
    """The sum over some dimensions, by default all."""
    return reduce_with(x, Add, all_dimensions(x, dimensions))


def product_over(x: Tensor, dimensions: Sequence[int] | None = None) -> Tensor:
    """The product over some dimensions, by default all."""
    return reduce_with(x, Multiply, all_dimensions(x, dimensions))


def maximum_over(x: Tensor, dimensions: Sequence[int] | None = None) -> Tensor:
    """The maximum over some dimensions, by default all; NaN if there is one."""
    return reduce_with(x, Maximum, all_dimensions(x, dimensions))


def minimum_over(x: Tensor, dimensions: Sequence[int] | None = None) -> Tensor:
    """The minimum over some dimensions, by default all; NaN if there is one."""
    return reduce_with(x, Minimum, all_dimensions(x, dimensions))


def any_over(x: Tensor, dimensions: Sequence[int] | None = None) -> Tensor:
    """Whether any of some booleans is true."""
    return reduce_with(x, Or, all_dimensions(x, dimensions))


def all_over(x: Tensor, dimensions: Sequence[int] | None = None) -> Tensor:
    """Whether all of some booleans are true."""
    return reduce_with(x, And, all_dimensions(x, dimensions))


def product_of_sizes(x: Tensor, dimensions: Sequence[int]) -> SizeLike:
    """How many elements are reduced to one."""
    count: SizeLike = 1
    for dimension in dimensions:
        count = count * x.shape[dimension]
    return count


def mean_over(x: Tensor, dimensions: Sequence[int]) -> Tensor:
    """The mean of elements over dimensions, which the result lacks."""
    count = size_tensor(x.graph, product_of_sizes(x, dimensions), x.element)
    return sum_over(x, dimensions) / count


def log_sum_exp(x: Tensor, dimensions: Sequence[int]) -> Tensor:
    """The logarithm of the sum of exponentials over dimensions, without overflow."""
    largest = maximum_over(real(x), dimensions)
    finite = select(abs(largest).equals(inf), 0, largest)
    moved = x - keep_dimensions(finite, x.shape, dimensions).convert(x.element)
    return log(sum_over(exp(moved), dimensions)) + finite.convert(x.element)


def keep_dimensions(x: Tensor, original: Sequence[SizeLike], dimensions: Sequence[int]) -> Tensor:
    """A reduced tensor repeated to the shape before the reduction."""
    dropped = [dimension % len(original) for dimension in dimensions]
    return x.broadcast(original, [i for i in range(len(original)) if i not in dropped])


def argmax(x: Tensor, dimension: int, index: ElementType) -> tuple[Tensor, Tensor]:
    """The maximum along a dimension and the index of its first place; NaN is the largest."""
    return extremum(x, dimension, index, lowest(x.element), lambda a, b: a > b)


def argmin(x: Tensor, dimension: int, index: ElementType) -> tuple[Tensor, Tensor]:
    """The minimum along a dimension and the index of its first place; NaN is the smallest."""
    return extremum(x, dimension, index, highest(x.element), lambda a, b: a < b)


def extremum(
    x: Tensor, dimension: int, index: ElementType, init: Number,
    precedes: Callable[[Tensor, Tensor], Tensor],
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The extreme element along a dimension and its first index."""
    places = iota(x.graph, x.shape, x.dimension(dimension), index)

    def combine(value: Tensor, place: Tensor, other: Tensor, at: Tensor) -> list[Tensor]:
        is_first = precedes(value, other)
        if value.is_float:
            is_first = is_first | value.differs(value)
        is_tied = value.equals(other) & (place < at)
        kept = select(is_first, value, other)
        return [kept, select(is_first | is_tied, place, at)]

    values, indices = reduce_several([x, places], [init, 0], [dimension], combine)
    return values, indices


def window_reduction(
    x: Tensor, cls: type[Operation], sizes: Sequence[int], strides: Sequence[int],
    padding: Sequence[tuple[int, int]], dilations: Sequence[int], shape: Sequence[SizeLike],
    base_dilations: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """Elements of windows combined by an operation; there is a number for each dimension."""
    init = scalar(x.graph, IDENTITIES[cls](x.element), x.element)
    fields: dict[str, object] = {
        "window_dimensions": tuple(sizes), "window_strides": tuple(strides),
        "base_dilations": tuple(base_dilations or (1,) * x.rank),
        "window_dilations": tuple(dilations), "padding": tuple(map(tuple, padding)),
    }  # fmt: skip
    return emit(
        x.graph, ReduceWindow, shape, x.element, inputs=[x.value], init_values=[init.value],
        regions=[reducer_of(x.graph, cls, x.element)], **fields,
    )  # fmt: skip

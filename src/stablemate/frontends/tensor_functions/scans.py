"""Cumulative operations: elements up to each index of a dimension, combined.

Source: W. D. Hillis and G. L. Steele, Data Parallel Algorithms, 1986.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.elementwise import clamp, select
from stablemate.frontends.tensor_functions.graph import SIZE, Number, SizeLike
from stablemate.frontends.tensor_functions.indexing import take
from stablemate.frontends.tensor_functions.movement import arange, pad
from stablemate.frontends.tensor_functions.reductions import (
    IDENTITIES,
    Combine,
    combination_of,
)
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar, size_tensor
from stablemate.ir.core import Operation

Distance: TypeAlias = "int | Tensor"  # between elements that are combined


def cumulative(x: Tensor, cls: type[Operation], dimension: int, *, reverse: bool = False) -> Tensor:
    """The elements up to each index of a dimension, combined by an operation."""
    init = IDENTITIES[cls](x.element)
    (result,) = prefix_scan([x], [init], dimension, combination_of(cls), reverse=reverse)
    return result


def prefix_scan(
    tensors: Sequence[Tensor], identities: Sequence[Number], dimension: int, combine: Combine, *,
    reverse: bool = False,
) -> list[Tensor]:  # fmt: skip
    """Elements up to each index of a dimension, combined by an associative function.

    It takes as many steps as the size has bits: each combines elements with those that are twice
    as far away as in the step before.

    Args:
        tensors: Tensors of one shape, whose elements are combined together.
        identities: What changes no element that it is combined with.
        dimension: The dimension.
        combine: Takes the elements on the left of each tensor, then those on the right.
        reverse: Whether elements from each index on are combined, from the last one.
    """
    at = tensors[0].dimension(dimension)
    size = tensors[0].shape[at]

    def step(results: Sequence[Tensor], distance: Distance) -> list[Tensor]:
        earlier = [
            shift_by(x, at, -distance if reverse else distance, identity)
            for x, identity in zip(results, identities, strict=True)
        ]
        return list(combine(*earlier, *results))

    if not isinstance(size, int):
        return doubling_loop(tensors, size, step)
    results = list(tensors)
    distance = 1
    while distance < size:
        results = step(results, distance)
        distance *= 2
    return results


def doubling_loop(
    tensors: Sequence[Tensor], size: SizeLike,
    step: Callable[[Sequence[Tensor], Distance], list[Tensor]],
) -> list[Tensor]:  # fmt: skip
    """Tensors after a step for the distances 1, 2, 4 and so on, smaller than a symbolic size."""
    graph = tensors[0].graph
    length = size_tensor(graph, size, SIZE)

    def goes_on(distance: Tensor, *_: Tensor) -> Tensor:
        return distance < length.within(distance.graph)

    def body(distance: Tensor, *results: Tensor) -> list[Tensor]:
        return [distance + distance, *step(results, distance)]

    return while_loop(goes_on, body, [scalar(graph, 1, SIZE), *tensors])[1:]


def shift_by(x: Tensor, dimension: int, distance: Distance, filler: Number) -> Tensor:
    """Elements moved as by ``shift``, also by a distance that the program computes."""
    if not isinstance(distance, Tensor):
        return shift(x, dimension, distance, filler)
    size = x.shape[dimension]
    places = arange(x.graph, size, SIZE) - distance.broadcast((size,), [])
    last = size_tensor(x.graph, size, SIZE) - 1
    elements = take(x, clamp(0, places, last), dimension)
    is_inside = (places >= 0) & (places <= last.broadcast((size,), []))
    return select(is_inside.broadcast(x.shape, [dimension]), elements, filler)


def shift(x: Tensor, dimension: int, distance: SizeLike, filler: Number) -> Tensor:
    """Elements moved towards higher indices of a dimension; a number fills the places left."""
    low: list[SizeLike] = [0] * x.rank
    high: list[SizeLike] = [0] * x.rank
    low[dimension], high[dimension] = distance, -distance
    return pad(x, filler, low, high)

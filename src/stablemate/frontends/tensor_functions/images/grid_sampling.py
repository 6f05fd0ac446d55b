"""Images and volumes sampled at the points of a grid.

Source: PyTorch, torch.nn.functional.grid_sample; ONNX, Operator Schemas, GridSample.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, size_tensor
from stablemate.numerics.elements import I64

LINEAR, NEAREST, CUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)
SHARPNESS: Final = -0.75  # the parameter of cubic convolution that PyTorch has


@dataclass(frozen=True, slots=True)
class Coordinate:
    """The places along one dimension at which an image is sampled.

    Attributes:
        place: The places, as fractions of elements.
        slope: Their derivatives by the grid.
        size: The size of the dimension; a scalar if it varies.
    """

    place: Tensor
    slope: Tensor
    size: int | Tensor


@dataclass(frozen=True, slots=True)
class Corner:
    """One of the elements around each point.

    Attributes:
        indices: Its index in each dimension.
        weights: Its weight in each dimension.
        slopes: The derivative of each weight by its place.
    """

    indices: list[Tensor]
    weights: list[Tensor]
    slopes: Sequence[Tensor | int]


def coordinates(x: Tensor, grid: Tensor, padding: int, *, align_corners: bool) -> list[Coordinate]:
    """The places of the points of a grid, a tensor for each dimension of an image.

    Args:
        x: The images (n, c, ...).
        grid: The points (n, ..., d), from -1 to 1 inside of the image, the last dimension first.
        padding: What is outside: zeros, the border, or reflections.
        align_corners: Whether -1 and 1 are the centers of elements at the edges.
    """
    result: list[Coordinate] = []
    for number, shape in enumerate(reversed(x.shape[2:])):
        size = length(grid, shape)
        factor = (size - 1) / 2 if align_corners else size / 2
        place = m.take_index(grid, -1, number) * factor + (size - 1) / 2
        if isinstance(factor, Tensor):
            slope = factor.broadcast_to(place.shape)
        else:
            slope = m.filled_like(place, factor)
        if padding == REFLECTION:
            place, slope = reflect(place, slope, size, align_corners=align_corners)
        if padding in (BORDER, REFLECTION):
            slope = f.select((place > 0) & (place < size - 1), slope, 0)
            place = f.maximum(f.minimum(place, size - 1), 0)
        result.insert(0, Coordinate(place, slope, size))
    return result


def length(grid: Tensor, size: SizeLike) -> int | Tensor:
    """The size of a dimension; a scalar of the grid's type if it varies."""
    return size if isinstance(size, int) else size_tensor(grid.graph, size, grid.element)


def reflect(
    place: Tensor, slope: Tensor, size: int | Tensor, *, align_corners: bool
) -> tuple[Tensor, Tensor]:
    """Places reflected at both ends until they lie between them, and their derivatives."""
    low = 0.0 if align_corners else -0.5
    span = size - 1 if align_corners else size
    if isinstance(span, int):
        if span == 0:
            return m.filled_like(place, 0), m.filled_like(slope, 0)
        return reflect_places(place, slope, low, float(span))
    found, turned = reflect_places(place, slope, low, f.maximum(span, 1))
    is_point = span.equals(0)
    return f.select(is_point, 0, found), f.select(is_point, 0, turned)


def reflect_places(
    place: Tensor, slope: Tensor, low: float, span: float | Tensor
) -> tuple[Tensor, Tensor]:
    """Places reflected at the ends of a span that is not empty, and their derivatives."""
    offset = place - low
    reach = abs(offset)
    rest = f.remainder(reach, span)
    is_even = f.remainder(f.floor(reach / span), 2.0).equals(0)
    turned = f.select((offset < 0).differs(is_even), slope, -slope)
    return f.select(is_even, rest, span - rest) + low, turned


def corners(points: Sequence[Coordinate], mode: int) -> list[Corner]:
    """The elements that a sample depends on."""
    if mode == NEAREST:
        places = [f.round_half_even(point.place) for point in points]
        return [Corner(places, [m.filled_like(p, 1) for p in places], [0] * len(places))]
    result: list[Corner] = []
    for bits in product((0, 1), repeat=len(points)):
        pairs = list(zip(points, bits, strict=True))
        indices = [f.floor(point.place) + bit for point, bit in pairs]
        weights = [
            1 - abs(point.place - index) for (point, _), index in zip(pairs, indices, strict=True)
        ]
        result.append(Corner(indices, weights, [2 * bit - 1 for bit in bits]))
    return result


def cubic_corners(
    points: Sequence[Coordinate], padding: int, *, align_corners: bool
) -> list[Corner]:
    """The elements that a sample of cubic interpolation depends on: four in each dimension.

    Source: R. Keys, Cubic Convolution Interpolation for Digital Image Processing, 1981.
    """
    rows = [cubic_row(point, padding, align_corners=align_corners) for point in points]
    return [
        Corner([t[0] for t in taps], [t[1] for t in taps], [t[2] for t in taps])
        for taps in product(*rows)
    ]


def cubic_row(
    point: Coordinate, padding: int, *, align_corners: bool
) -> list[tuple[Tensor, Tensor, Tensor]]:
    """The four elements around each place of a dimension, their weights, and the derivatives."""
    taps: list[tuple[Tensor, Tensor, Tensor]] = []
    base = f.floor(point.place)
    for step in (-1, 0, 1, 2):
        index = base + step
        offset = point.place - index
        weight, slope = cubic_weight(abs(offset), is_near=step in (0, 1))
        if padding == REFLECTION:
            index, _ = reflect(index, index, point.size, align_corners=align_corners)
        if padding in (BORDER, REFLECTION):
            index = f.maximum(f.minimum(index, point.size - 1), 0)
        taps.append((index, weight, f.select(offset < 0, -slope, slope)))
    return taps


def cubic_weight(distance: Tensor, *, is_near: bool) -> tuple[Tensor, Tensor]:
    """The weight of an element at a distance, at most 1 or from 1 to 2, and its derivative."""
    x, a = distance, SHARPNESS
    if is_near:
        return ((a + 2) * x - (a + 3)) * x * x + 1, (3 * (a + 2) * x - 2 * (a + 3)) * x
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a, (3 * a * x - 10 * a) * x + 8 * a


def element_places(corner: Corner, points: Sequence[Coordinate]) -> tuple[list[Tensor], Tensor]:
    """The number of the image and the indices of a corner, and whether it is inside."""
    first = corner.indices[0]
    is_inside = reduce(
        lambda one, other: one & other,
        [(i >= 0) & (i < p.size) for i, p in zip(corner.indices, points, strict=True)],
    )
    kept = [f.select(is_inside, index, -1).convert(I64) for index in corner.indices]
    return [m.iota(first.graph, first.shape, 0, I64), *kept], is_inside


def values_at(x: Tensor, corner: Corner, points: Sequence[Coordinate]) -> Tensor:
    """The elements of all channels at a corner, the channels last; zeros outside."""
    places, is_inside = element_places(corner, points)
    taken = ix.take_points(m.move_dimension(x, 1, -1), [f.maximum(p, 0) for p in places])
    return f.select(m.expand_dims(is_inside, -1), taken, 0)


def weight_product(weights: Sequence[Tensor]) -> Tensor:
    """The product of weights, with a dimension for channels."""
    return m.expand_dims(reduce(lambda one, other: one * other, weights), -1)


def corners_of(
    x: Tensor, grid: Tensor, mode: int, padding: int, *, align_corners: bool
) -> tuple[list[Coordinate], list[Corner]]:
    """The places of points, and the elements that samples depend on."""
    is_cubic = mode == CUBIC
    outside = ZEROS if is_cubic else padding  # cubic pads elements, not the places of points
    points = coordinates(x, grid, outside, align_corners=align_corners)
    if is_cubic:
        return points, cubic_corners(points, padding, align_corners=align_corners)
    return points, corners(points, mode)


def sample(x: Tensor, grid: Tensor, mode: int, padding: int, *, align_corners: bool) -> Tensor:
    """The elements (n, c, ...) around each point by their weights."""
    points, around = corners_of(x, grid, mode, padding, align_corners=align_corners)
    terms = [values_at(x, corner, points) * weight_product(corner.weights) for corner in around]
    return m.move_dimension(reduce(lambda one, other: one + other, terms), -1, 1)

"""Regions of images: boxes that are selected, aligned regions, deformable convolutions.

Source: ONNX, Operator Schemas; K. He et al., Mask R-CNN, 2017; J. Dai et al., Deformable
Convolutional Networks, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod

import numpy as np

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.convolution import with_bias
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.compaction import true_coordinates
from stablemate.frontends.tensor_functions.contraction import einsum
from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.images.grid_sampling import (
    LINEAR,
    Coordinate,
    corners,
    values_at,
    weight_product,
)
from stablemate.frontends.tensor_functions.ordering import sort_with_indices
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar, size_tensor
from stablemate.numerics.elements import BOOLEAN, F32, I64

Edges = tuple[Tensor, Tensor, Tensor, Tensor]  # low and high along both dimensions


def box_edges(boxes: Tensor, *, is_centered: bool) -> Edges:
    """The edges (batch, classes, boxes) of boxes (batch, classes, boxes, 4)."""
    a, b, c, d = (m.take_index(boxes, -1, i) for i in range(4))
    if is_centered:
        return b - d / 2, b + d / 2, a - c / 2, a + c / 2
    return f.minimum(a, c), f.maximum(a, c), f.minimum(b, d), f.maximum(b, d)


def overlap(one: Edges, others: Edges) -> Tensor:
    """The area that boxes have in common with others, by that of both together."""
    high = [f.minimum(one[i], others[i]) for i in (1, 3)]
    low = [f.maximum(one[i], others[i]) for i in (0, 2)]
    sides = [f.maximum(h - w, 0) for h, w in zip(high, low, strict=True)]
    common = sides[0] * sides[1]
    areas = [(box[1] - box[0]) * (box[3] - box[2]) for box in (one, others)]
    union = areas[0] + areas[1] - common
    return f.select(union > 0, common / union, 0)


@lowers("NonMaxSuppression")
def non_max_suppression(
    call: Call, boxes: Tensor, scores: Tensor, most: Tensor | None = None,
    overlap_threshold: Tensor | None = None, score_threshold: Tensor | None = None, *,
    center_point_box: int = 0,
) -> Tensor:  # fmt: skip
    """The batch, class and number of boxes, best first, that overlap no better one too much"""
    batch, classes, count = scores.shape
    ordered, places = sort_with_indices(scores, 2, I64, descending=True)
    by_class = m.expand_dims(boxes, 1).broadcast((batch, classes, count, 4), [0, 1, 2, 3])
    index = m.expand_dims(places, 3).broadcast((batch, classes, count, 4), [0, 1, 2, 3])
    edges = box_edges(ix.take_along(by_class, index, 2), is_centered=bool(center_point_box))
    eligible = scalar(call.graph, True, BOOLEAN).broadcast_to(scores.shape)
    if score_threshold is not None:
        eligible = ordered > m.reshape(score_threshold, ()).broadcast_to(scores.shape)
    limit = scalar(call.graph, 0, F32) if overlap_threshold is None else overlap_threshold
    number = scalar(call.graph, 0, I64) if most is None else m.reshape(most, ()).convert(I64)
    kept = suppress_overlaps(edges, eligible, m.reshape(limit, ()), number)
    among_best = cumulative(kept.convert(I64), Add, 2) <= number.broadcast_to(scores.shape)
    coordinates = true_coordinates(kept & among_best)
    chosen = ix.take_points(places, coordinates)
    return m.stack([*coordinates[:2], chosen], 1)


def suppress_overlaps(edges: Edges, eligible: Tensor, limit: Tensor, most: Tensor) -> Tensor:
    """Which boxes overlap no better one that is kept by more than a limit.

    Each step takes the next box that is kept, of all batches and classes. After as many steps as
    boxes are wanted, those behind them are not decided.
    """
    shape, end = eligible.shape, size_tensor(eligible.graph, eligible.shape[2], I64)
    numbers = m.iota(eligible.graph, shape, 2, I64)

    def next_kept(kept: Tensor, index: Tensor) -> Tensor:
        graph = kept.graph
        here = numbers.within(graph)
        is_later = kept & (here > index.broadcast(shape, [0, 1]))
        last = end.within(graph).broadcast_to(shape)
        return f.minimum(r.minimum_over(f.select(is_later, here, last), [2]), end.within(graph))

    def goes_on(step: Tensor, index: Tensor, _: Tensor) -> Tensor:
        graph = step.graph
        return (step < most.within(graph)) & r.any_over(index < end.within(graph))

    def body(step: Tensor, index: Tensor, kept: Tensor) -> list[Tensor]:
        graph = step.graph
        at = m.expand_dims(f.minimum(index, end.within(graph) - 1), 2)
        inner = [edge.within(graph) for edge in edges]
        a, b, c, d = (ix.take_along(edge, at, 2).broadcast(shape, [0, 1, 2]) for edge in inner)
        e, g, h, k = inner
        near = overlap((a, b, c, d), (e, g, h, k)) > limit.within(graph).broadcast_to(shape)
        is_later = numbers.within(graph) > index.broadcast(shape, [0, 1])
        left = kept & ~(near & is_later)
        return [step + 1, next_kept(left, index), left]

    before = m.filled_like(m.take_index(numbers, 2, 0), -1)
    start = [scalar(eligible.graph, 0, I64), next_kept(eligible, before), eligible]
    return while_loop(goes_on, body, start)[2]


# aligned regions


def sample_places(
    start: Tensor, length: Tensor, bins: int, samples: int, ratio: int
) -> tuple[Tensor, Tensor]:
    """Where regions are sampled along a dimension (regions, bins, samples), and which count.

    Args:
        start: Where each region begins.
        length: The length of each.
        bins: How many bins it is divided into.
        samples: How many samples a bin has at most.
        ratio: How many it has; 0 for as many as elements.
    """
    shape = (start.shape[0], bins, samples)
    size = length / bins
    count = m.filled_like(size, ratio) if ratio else f.ceil(size)
    element = start.element
    number, place = (m.iota(start.graph, shape, d, element) for d in (1, 2))
    first, step, counts = (x.broadcast(shape, [0]) for x in (start, size, count))
    return first + number * step + (place + 0.5) * step / counts, place < counts


def neighbors(place: Tensor, size: int) -> list[tuple[Tensor, Tensor]]:
    """The two elements around each place and their weights, none outside of the image."""
    is_inside = (place >= -1) & (place <= size)
    bounded = f.minimum(f.maximum(place, 0), size - 1)
    low = f.minimum(f.floor(bounded), size - 1)
    high = f.minimum(low + 1, size - 1)
    part = bounded - low
    weights = [f.select(is_inside, w, 0) for w in (1 - part, part)]
    return [(low.convert(I64), weights[0]), (high.convert(I64), weights[1])]


@lowers("RoiAlign", until=15)
def roi_align_of_old(
    call: Call, x: Tensor, rois: Tensor, batch_indices: Tensor, **attributes: object
) -> Tensor:
    """The same with places that count from the corner of elements"""
    named = {"coordinate_transformation_mode": "output_half_pixel", **attributes}
    return roi_align(call, x, rois, batch_indices, **named)  # type: ignore[arg-type]


@lowers("RoiAlign", since=16)
def roi_align(
    call: Call, x: Tensor, rois: Tensor, batch_indices: Tensor, *,
    coordinate_transformation_mode: str = "half_pixel", mode: str = "avg", output_height: int = 1,
    output_width: int = 1, sampling_ratio: int = 0, spatial_scale: float = 1.0,
) -> Tensor:  # fmt: skip
    """Means or maxima of samples in the bins of regions"""
    sizes = [n for n in x.shape[2:] if isinstance(n, int)]
    if len(sizes) < 2:
        call.refuse("the size of the image must be known")
    is_half = coordinate_transformation_mode == "half_pixel"
    scaled = to_compute_type(rois) * spatial_scale - (0.5 if is_half else 0.0)
    low_x, low_y, high_x, high_y = (m.take_index(scaled, 1, i) for i in range(4))
    taps: list[list[tuple[Tensor, Tensor]]] = []
    masks: list[Tensor] = []
    counts: list[int] = []
    for low, high, bins, size, column in (
        (low_y, high_y, output_height, sizes[0], 1), (low_x, high_x, output_width, sizes[1], 0),
    ):  # fmt: skip
        length = high - low if is_half else f.maximum(high - low, 1)
        samples = sampling_ratio or most_samples(call, rois, column, spatial_scale, bins)
        places, is_sample = sample_places(low, length, bins, samples, sampling_ratio)
        taps.append(neighbors(places, size))
        masks.append(is_sample)
        counts.append(samples)
    shape = (rois.shape[0], output_height, counts[0], output_width, counts[1])
    values = [
        region_values(x, batch_indices, shape, vertical, horizontal)
        for vertical, horizontal in product(*taps)
    ]
    by_dimension = ([0, 1, 2], [0, 3, 4])
    rows, columns = (k.broadcast(shape, d) for k, d in zip(masks, by_dimension, strict=True))
    is_sample = m.expand_dims(rows & columns, -1).broadcast((*shape, x.shape[1]), range(6))
    if mode == "max":
        largest = f.select(is_sample, reduce(f.maximum, values), r.lowest(values[0].element))
        pooled = r.maximum_over(largest, [2, 4])
    else:
        total = r.sum_over(f.select(is_sample, reduce(lambda a, b: a + b, values), 0), [2, 4])
        number = r.sum_over(is_sample.convert(total.element), [2, 4])
        pooled = total / f.maximum(number, 1)
    return m.move_dimension(pooled, -1, 1).convert(x.element)


def most_samples(call: Call, rois: Tensor, column: int, scale: float, bins: int) -> int:
    """The most samples in a bin of a region, one for each element."""
    known = call.needed_array(rois, "the regions, without sampling_ratio,")
    lengths = (known[:, column + 2] - known[:, column]) * np.float32(scale)
    return max(int(np.ceil(lengths.max(initial=1) / bins)), 1)


def region_values(
    x: Tensor, batch_indices: Tensor, shape: Sequence[SizeLike], vertical: tuple[Tensor, Tensor],
    horizontal: tuple[Tensor, Tensor],
) -> Tensor:  # fmt: skip
    """The elements of all channels at one of the neighbors of samples, by their weights."""
    (row, row_weight), (column, column_weight) = vertical, horizontal
    places = [
        batch_indices.convert(I64).broadcast(shape, [0]), row.broadcast(shape, [0, 1, 2]),
        column.broadcast(shape, [0, 3, 4]),
    ]  # fmt: skip
    taken = to_compute_type(ix.take_points(m.move_dimension(x, 1, -1), places))
    weight = row_weight.broadcast(shape, [0, 1, 2]) * column_weight.broadcast(shape, [0, 3, 4])
    return taken * m.expand_dims(weight.convert(taken.element), -1).broadcast(taken.shape, range(6))


# regions of whole elements


@lowers("MaxRoiPool")
def max_roi_pool(
    call: Call, x: Tensor, rois: Tensor, *, pooled_shape: Sequence[int], spatial_scale: float = 1.0
) -> Tensor:
    """Maxima in the bins of regions, whose corners are rounded to elements; 0 in empty bins"""
    corners = f.round_half_away(to_compute_type(rois) * spatial_scale)
    pooled = to_compute_type(ix.take(x, m.take_index(rois, 1, 0).convert(I64), 0))
    filled: list[Tensor] = []
    for dimension, column in ((2, 2), (3, 1)):
        low, high = (m.take_index(corners, 1, i) for i in (column, column + 2))
        is_inside = bin_elements(low, high, pooled_shape[dimension - 2], x.shape[dimension])
        filled.append(r.any_over(is_inside, [2]))
        moved = m.expand_dims(m.move_dimension(pooled, dimension, -1), 3)
        shape = (*moved.shape[:3], *is_inside.shape[1:])
        chosen = f.select(
            is_inside.broadcast(shape, [0, 3, 4]), moved.broadcast_to(shape),
            r.lowest(moved.element),
        )  # fmt: skip
        pooled = m.move_dimension(r.maximum_over(chosen, [4]), -1, dimension)
    rows, columns = (k.broadcast(pooled.shape, [0, d]) for k, d in zip(filled, (2, 3), strict=True))
    return f.select(rows & columns, pooled, 0).convert(x.element)


def bin_elements(low: Tensor, high: Tensor, bins: int, size: SizeLike) -> Tensor:
    """Which elements of a dimension the bins (regions, bins, elements) of regions have.

    Args:
        low: The first element of each region.
        high: The last one.
        bins: How many bins a region is divided into.
        size: The size of the dimension.
    """
    shape = (low.shape[0], bins, size)
    width = f.maximum(high - low + 1, 1) / bins
    first, step = (x.broadcast(shape, [0]) for x in (low, width))
    number, place = (m.iota(low.graph, shape, d, low.element) for d in (1, 2))
    start, end = first + f.floor(number * step), first + f.ceil((number + 1) * step)
    return (place >= start) & (place < end)


# deformable convolutions


@lowers("DeformConv")
def deform_conv(
    call: Call, x: Tensor, w: Tensor, offset: Tensor, bias: Tensor | None = None,
    mask: Tensor | None = None, *, dilations: Sequence[int] | None = None, group: int = 1,
    kernel_shape: Sequence[int] | None = None, offset_group: int = 1,
    pads: Sequence[int] | None = None, strides: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of elements at places that are moved by offsets"""
    sizes = [n for n in (*x.shape, *w.shape, *offset.shape) if isinstance(n, int)]
    if len(sizes) < x.rank + w.rank + offset.rank:
        call.refuse("sizes must be known")
    batch, channels, *image = sizes[: x.rank]
    outputs, _, *kernel = sizes[x.rank : x.rank + w.rank]
    results = sizes[-len(kernel) :]
    rank, taps = len(kernel), prod(kernel)
    steps, spread = list(strides or [1] * rank), list(dilations or [1] * rank)
    padding = list(pads or [0] * rank * 2)
    low = padding[:rank]
    reach = [
        (n + a + b - (k - 1) * spread[d] - 1) // steps[d] + 1
        for d, (n, k, a, b) in enumerate(zip(image, kernel, low, padding[rank:], strict=True))
    ]
    if reach != results:
        raise ValueError(f"offsets are for {results} places, of which there are {reach}")
    images = m.reshape(to_compute_type(x), [batch * offset_group, channels // offset_group, *image])
    moved = m.reshape(to_compute_type(offset), [batch * offset_group, taps, rank, *results])
    factors = None
    if mask is not None:
        factors = m.reshape(to_compute_type(mask), [batch * offset_group, taps, *results])
    columns: list[Tensor] = []
    for tap, place in enumerate(np.ndindex(*kernel)):
        starts = [place[d] * spread[d] - low[d] for d in range(rank)]
        column = moved_elements(images, m.take_index(moved, 1, tap), starts, steps)
        if factors is not None:
            column = column * m.expand_dims(m.take_index(factors, 1, tap), -1)
        columns.append(column)
    stacked = m.stack(columns, -1)  # (batch groups, results, channels of a group, taps)
    groups = m.reshape(
        stacked, [batch, offset_group, prod(results), channels // offset_group, taps]
    )
    ordered = m.reshape(
        m.transpose(groups, [0, 2, 1, 3, 4]),
        [batch, prod(results), group, channels // group, taps],
    )
    weights = m.reshape(to_compute_type(w), [group, outputs // group, channels // group, taps])
    sums = einsum(ordered, "npgct", weights, "goct", "ngop")
    total = m.reshape(sums, [batch, outputs, *results])
    return with_bias(total, bias).convert(x.element)


def moved_elements(
    images: Tensor, offsets: Tensor, starts: Sequence[int], steps: Sequence[int]
) -> Tensor:
    """The elements that one tap of a kernel reads, moved by offsets; channels are last.

    Args:
        images: The images (n, c, ...).
        offsets: How far each element is moved, (n, d, ...).
        starts: Where the tap of the first result is.
        steps: The distance of results.
    """
    points: list[Coordinate] = []
    for d, size in enumerate(images.shape[2:]):
        assert isinstance(size, int)
        distance = m.take_index(offsets, 1, d)
        number = m.iota(images.graph, distance.shape, 1 + d, distance.element)
        place = number * steps[d] + starts[d] + distance
        points.append(Coordinate(place, place, size))
    values = [
        values_at(images, corner, points) * weight_product(corner.weights)
        for corner in corners(points, LINEAR)
    ]
    return reduce(lambda one, other: one + other, values)

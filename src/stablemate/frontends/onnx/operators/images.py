"""Images of other sizes.

A resized dimension is a sum of its elements at some places, by weights; both are known when a
model is imported.

Source: ONNX, Operator Schemas, Resize; R. Keys, Cubic Convolution Interpolation for Digital Image
Processing, 1981.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import floor, prod
from typing import Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import LimitError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.convolution import known_sizes
from stablemate.frontends.onnx.operators.quantization import rounded_to
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.contraction import einsum
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.graph import SizeLike, is_static
from stablemate.frontends.tensor_functions.images.grid_sampling import (
    BORDER,
    CUBIC,
    LINEAR,
    NEAREST,
    REFLECTION,
    ZEROS,
    sample,
)
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    constant,
    full,
    same_shape,
    scalar,
    size_tensor,
)
from stablemate.numerics.elements import F32, F64, I64, Array

SAMPLE: Final = 16  # size at which it is seen whether a dimension is repeated
Regions: TypeAlias = Mapping[int, tuple[float, float]]
# Transformations that look at both ends of a dimension.
EDGES: Final = ("align_corners", "tf_crop_and_resize")
# Those of dimensions whose sizes vary.
OPEN: Final = ("align_corners", "asymmetric", "half_pixel", "pytorch_half_pixel")


@dataclass(frozen=True, slots=True)
class ResizedDimension:
    """How a dimension is resized.

    Attributes:
        before: Its size before.
        after: Its size after.
        scale: The number of elements for one of before.
        mode: ``nearest``, ``linear`` or ``cubic``.
        transformation: How places are computed.
        nearest_mode: How a place is rounded to that of an element.
        cubic_coefficient: The parameter of cubic convolution.
        antialias: Whether weights of a smaller image cover all elements.
        exclude_outside: Whether elements beyond the edges have no weight.
        start: Where the region begins that ``tf_crop_and_resize`` cuts, from 0 to 1.
        end: Where it ends.
    """

    before: int
    after: int
    scale: float
    mode: str
    transformation: str
    nearest_mode: str = "round_prefer_floor"
    cubic_coefficient: float = -0.75
    antialias: bool = False
    exclude_outside: bool = False
    start: float = 0.0
    end: float = 1.0

    @property
    def places(self) -> Array:
        """The place of each new element among those of before."""
        x = np.arange(self.after, dtype=np.float64)
        length = self.scale * self.before  # of the new dimension before it was rounded
        half = x + 0.5
        match self.transformation:
            case "asymmetric":
                return x / self.scale
            case "align_corners":
                return x * (self.before - 1) / (length - 1) if length != 1 else x * 0
            case "half_pixel_symmetric":
                offset = self.before / 2 * (1 - self.after / length)
                return offset + half / self.scale - 0.5
            case "pytorch_half_pixel":
                return half / self.scale - 0.5 if length != 1 else x - 0.5
            case "tf_half_pixel_for_nn":
                return half / self.scale
            case "tf_crop_and_resize":
                first, last = self.start * (self.before - 1), self.end * (self.before - 1)
                if length == 1:
                    return first + (last - first) / 2 + x
                return first + x * (last - first) / (length - 1)
            case _:
                return half / self.scale - 0.5

    @property
    def taps(self) -> tuple[Array, Array]:
        """The indices of elements that each new one is a sum of, and their weights."""
        if self.mode == "nearest":
            indices: Array = ROUNDINGS[self.nearest_mode](self.places)[:, None]
            return np.clip(indices, 0, self.before - 1).astype(np.int64), np.ones(indices.shape)
        width = min(self.scale, 1.0) if self.antialias else 1.0
        reach = floor((2 if self.mode == "cubic" else 1) / width)
        base = np.floor(self.places).astype(np.int64)[:, None]
        more = int(width < 1)  # elements at both ends that a wider window may reach
        indices = base + np.arange(1 - reach - more, reach + 1 + more)
        weights = self.weights(np.abs(indices - self.places[:, None]) * width)
        if self.exclude_outside:
            weights = weights * ((indices >= 0) & (indices < self.before))
        if self.exclude_outside or width < 1:
            weights = weights / weights.sum(1, keepdims=True)
        return np.clip(indices, 0, self.before - 1), weights

    def weights(self, distances: Array) -> Array:
        """The weights of elements by their distances."""
        if self.mode == "linear":
            return (1 - distances).clip(0)
        a, d = self.cubic_coefficient, distances
        near = ((a + 2) * d - (a + 3)) * d * d + 1
        far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
        weights: Array = np.where(d <= 1, near, np.where(d < 2, far, 0))
        return weights


ROUNDINGS: Final[Mapping[str, Callable[[Array], Array]]] = {
    "ceil": np.ceil,
    "floor": np.floor,
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
}


def resize_dimension(x: Tensor, dimension: int, resizing: ResizedDimension) -> Tensor:
    """A tensor with one of its dimensions resized; the indices of all taps are constants."""
    if resizing.after == 0:
        return m.slice_dimension(x, dimension, 0, 0)
    indices, weights = resizing.taps
    terms: list[Tensor] = []
    for tap in range(indices.shape[1]):
        if not weights[:, tap].any():
            continue
        term = ix.take(x, constant(x.graph, indices[:, tap], I64), dimension)
        if (weights[:, tap] != 1).any():
            factor = constant(x.graph, weights[:, tap].astype(x.element.dtype), x.element)
            term = term * factor.broadcast(term.shape, [dimension])
        terms.append(term)
    return reduce(lambda one, other: one + other, terms)


def resized_openly(
    x: Tensor, dimension: int, after: SizeLike, plan: ResizedDimension, scale: float | None
) -> Tensor:
    """A tensor with one of its dimensions resized, of sizes that may vary.

    Args:
        x: The tensor.
        dimension: The dimension.
        after: Its size after.
        plan: How it is resized, but for its sizes.
        scale: The number of elements for one of before; by default the ratio of sizes.
    """
    graph, before = x.graph, x.shape[dimension]
    old, new = (size_tensor(graph, size, F64) for size in (before, after))
    factor = new / old if scale is None else scalar(graph, scale, F64)
    index = m.iota(graph, (after,), 0, F64)
    half = (index + 0.5) / factor - 0.5
    match plan.transformation:
        case "asymmetric":
            places = index / factor
        case "align_corners":
            places = index * (old - 1) / f.maximum(new - 1, 1)
        case "pytorch_half_pixel":
            places = f.select((new > 1).broadcast_to(index.shape), half, index)
        case _:
            places = half
    last = size_tensor(graph, before, I64) - 1
    terms: list[Tensor] = []
    for number, weight in taps_at(places, plan, old):
        term = ix.take(x, f.clamp(0, number.convert(I64), last), dimension)
        if weight is not None:
            term = term * weight.convert(x.element).broadcast(term.shape, [dimension])
        terms.append(term)
    return reduce(lambda one, other: one + other, terms)


def taps_at(
    places: Tensor, plan: ResizedDimension, size: Tensor
) -> list[tuple[Tensor, Tensor | None]]:
    """The elements that the ones at some places are sums of, and their weights."""
    if plan.mode == "nearest":
        match plan.nearest_mode:
            case "ceil":
                return [(f.ceil(places), None)]
            case "floor":
                return [(f.floor(places), None)]
            case "round_prefer_ceil":
                return [(f.floor(places + 0.5), None)]
            case _:
                return [(f.ceil(places - 0.5), None)]
    base = f.floor(places)
    offsets = (0, 1) if plan.mode == "linear" else (-1, 0, 1, 2)
    numbers = [base + offset for offset in offsets]
    weights = [weight_at(abs(number - places), plan) for number in numbers]
    if plan.exclude_outside:
        inside = [(number >= 0) & (number < size) for number in numbers]
        weights = [f.select(is_in, w, 0) for is_in, w in zip(inside, weights, strict=True)]
        total = reduce(lambda one, other: one + other, weights)
        weights = [weight / total for weight in weights]
    return list(zip(numbers, weights, strict=True))


def weight_at(distance: Tensor, plan: ResizedDimension) -> Tensor:
    """The weight of an element by its distance, as ``Resizing.weights`` has it."""
    if plan.mode == "linear":
        return f.maximum(1 - distance, 0)
    a, d = plan.cubic_coefficient, distance
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return f.select(d <= 1, near, f.select(d < 2, far, 0))


def resize_openly(
    call: Call, x: Tensor, afters: Mapping[int, SizeLike], plan: ResizedDimension,
    scales: Mapping[int, float] | None = None,
) -> Tensor:  # fmt: skip
    """A tensor with dimensions resized, of sizes that may vary."""
    if plan.antialias or plan.transformation not in OPEN:
        call.refuse(f"sizes must be known where it resizes by {plan.transformation}")
    is_nearest = plan.mode == "nearest"
    result = x
    if not is_nearest:
        result = x.convert(F32) if x.is_integer else to_compute_type(x)
    for dimension, after in afters.items():
        scale = None if scales is None else scales[dimension]
        if scale == 1 or same_shape([result.shape[dimension]], [after]):
            continue
        result = resized_openly(result, dimension, after, plan, scale)
    if x.is_integer and not is_nearest:
        return rounded_to(result, x.element)
    return result.convert(x.element)


def scaled_size(size: SizeLike, scale: float) -> SizeLike | None:
    """A size by a factor that is an integer or the inverse of one; else None."""
    if scale >= 1:
        return size * int(scale) if scale == int(scale) else None
    return size // round(1 / scale) if scale > 0 and 1 / round(1 / scale) == scale else None


def fill_outside(x: Tensor, dimension: int, resizing: ResizedDimension, value: float) -> Tensor:
    """A number for the elements whose place is outside of the image."""
    is_outside = (resizing.places < 0) | (resizing.places > resizing.before - 1)
    if not is_outside.any():
        return x
    return f.select(constant(x.graph, is_outside).broadcast(x.shape, [dimension]), value, x)


def resize_all(
    call: Call, x: Tensor, rows: Mapping[int, ResizedDimension], extrapolation: float
) -> Tensor:
    """A tensor with some dimensions resized.

    Args:
        call: The call.
        x: The tensor.
        rows: How each dimension is resized.
        extrapolation: What is outside of a region that ``tf_crop_and_resize`` cuts.
    """
    is_nearest = all(row.mode == "nearest" for row in rows.values())
    result = x
    if not is_nearest:
        result = x.convert(F32) if x.is_integer else to_compute_type(x)
    for dimension, row in rows.items():
        result = resize_dimension(result, dimension, row)
    for dimension, row in rows.items():
        if row.transformation == "tf_crop_and_resize":
            result = fill_outside(result, dimension, row, extrapolation)
    if x.is_integer and not is_nearest:
        return rounded_to(result, x.element)
    return result.convert(x.element)


def repeats(row: ResizedDimension) -> int:
    """How many times each element of a dimension of any size stands; 0 if it is not so."""
    count = int(row.scale)
    if row.mode != "nearest" or count != row.scale or row.transformation in EDGES:
        return 0
    sample = replace(row, before=SAMPLE, after=SAMPLE * count)
    indices, _ = sample.taps
    return count if np.array_equal(indices[:, 0], np.arange(SAMPLE * count) // count) else 0


def resize_by_scales(
    call: Call, x: Tensor, scales: Mapping[int, float], plan: ResizedDimension,
    extrapolation: float = 0.0, sizes: Mapping[int, int] | None = None,
    regions: Regions | None = None,
) -> Tensor:  # fmt: skip
    """A tensor with dimensions resized by factors.

    Args:
        call: The call.
        x: The tensor.
        scales: The factors by dimensions.
        plan: How dimensions are resized, but for their sizes.
        extrapolation: What is outside of a region that is cut.
        sizes: The sizes of results by dimensions; by default those that the factors give.
        regions: Where regions that are cut begin and end.

    Raises:
        ValueError: A factor is not positive.
    """
    if sizes is None and not all(scale > 0 for scale in scales.values()):
        raise ValueError(f"the scales {[*scales.values()]} are not all greater than 0")
    rows: dict[int, ResizedDimension] = {}
    for dimension, scale in scales.items():
        before = x.shape[dimension]
        row = replace(plan, scale=scale)
        count = repeats(row)
        if count:
            x = x if count == 1 else m.repeat_elements(x, dimension, count)
            continue
        if not isinstance(before, int):
            if scale == 1 and row.transformation != "tf_crop_and_resize":
                continue
            after_openly = scaled_size(before, scale)
            if after_openly is None:
                call.refuse(f"the size of dimension {dimension}, which is resized, must be known")
            x = resize_openly(call, x, {dimension: after_openly}, plan, {dimension: scale})
            continue
        # Factors are f32: 62 elements by what is nearest to 10 / 62 are 10, not 9.
        after = sizes[dimension] if sizes else floor(np.float32(before) * np.float32(scale))
        start, end = (regions or {}).get(dimension, (0.0, 1.0))
        row = replace(row, before=before, after=after, start=start, end=end)
        if scale != 1 or before != after or row.transformation == "tf_crop_and_resize":
            rows[dimension] = row
    afters = [rows[d].after if d in rows else n for d, n in enumerate(x.shape)]
    most = DEFAULT_LIMITS.tensor_bytes
    if prod(n for n in afters if isinstance(n, int)) * (x.element.bits // 8 or 1) > most:
        raise LimitError(f"{call.name}: the result has more than {most} bytes")
    return resize_all(call, x, rows, extrapolation)


def policy_sizes(
    sizes: Sequence[int], before: Sequence[int], policy: str
) -> tuple[list[int], list[float]]:
    """The sizes of results, and the factors, where a ratio of sizes may be kept."""
    factors = [size / old for size, old in zip(sizes, before, strict=True)]
    if policy == "stretch":
        return list(sizes), factors
    factor = min(factors) if policy == "not_larger" else max(factors)
    return [floor(factor * old + 0.5) for old in before], [factor] * len(factors)


@lowers("Resize", since=11)
def resize(
    call: Call, x: Tensor, roi: Tensor | None = None, scales: Tensor | None = None,
    sizes: Tensor | None = None, *, antialias: int = 0, axes: Sequence[int] | None = None,
    coordinate_transformation_mode: str = "half_pixel", cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0, extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch", mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
) -> Tensor:  # fmt: skip
    """Elements at other places of an image, interpolated"""
    dimensions = [x.dimension(d) for d in (range(x.rank) if axes is None else axes)]
    plan = ResizedDimension(
        1, 1, 1.0, mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a,
        bool(antialias), bool(exclude_outside),
    )  # fmt: skip
    regions: Regions = {}
    if coordinate_transformation_mode == "tf_crop_and_resize" and roi is not None:
        bounds = call.needed_array(roi, "the region").reshape(2, -1).astype(float).tolist()
        regions = dict(zip(dimensions, zip(*bounds, strict=True), strict=True))
    if sizes is None or sizes.shape == (0,):
        if scales is None:
            call.refuse("it has neither scales nor sizes")
        factors = call.needed_array(scales, "the scales").reshape(-1).astype(float).tolist()
        by_dimension = dict(zip(dimensions, factors, strict=True))
        return resize_by_scales(
            call, x, by_dimension, plan, extrapolation_value, regions=regions
        )  # fmt: skip
    wanted = call.numbers(sizes, "the sizes")
    before = [x.shape[d] for d in dimensions]
    if not is_static((*wanted, *before)) and keep_aspect_ratio_policy == "stretch":
        return resize_openly(call, x, dict(zip(dimensions, wanted, strict=True)), plan)
    after, factors = policy_sizes(
        known_sizes(call, wanted), known_sizes(call, before), keep_aspect_ratio_policy
    )
    return resize_by_scales(
        call, x, dict(zip(dimensions, factors, strict=True)), plan, extrapolation_value,
        dict(zip(dimensions, after, strict=True)), regions,
    )  # fmt: skip


@lowers("Upsample", since=9)
@lowers("Resize", until=10)
def resize_from_corner(call: Call, x: Tensor, scales: Tensor, *, mode: str = "nearest") -> Tensor:
    """Elements at other places of an image, counted from the first one"""
    factors = call.needed_array(scales, "the scales").reshape(-1).astype(float).tolist()
    return resized_from_corner(call, x, factors, mode)


@lowers("Upsample", until=8)
def upsample(call: Call, x: Tensor, *, scales: Sequence[float], mode: str = "nearest") -> Tensor:
    """The same by factors that are attributes"""
    return resized_from_corner(call, x, scales, mode)


def resized_from_corner(call: Call, x: Tensor, factors: Sequence[float], mode: str) -> Tensor:
    """Elements at places that are multiples of the inverse of factors."""
    kind = "linear" if mode in ("linear", "bilinear") else mode
    plan = ResizedDimension(1, 1, 1.0, kind, "asymmetric", "floor")
    return resize_by_scales(call, x, dict(enumerate(factors)), plan)


MODES: Final[Mapping[str, int]] = {
    "linear": LINEAR, "bilinear": LINEAR, "nearest": NEAREST, "cubic": CUBIC, "bicubic": CUBIC,
}  # fmt: skip
PADDINGS: Final[Mapping[str, int]] = {"zeros": ZEROS, "border": BORDER, "reflection": REFLECTION}


@lowers("AffineGrid")
def affine_grid(call: Call, theta: Tensor, size: Tensor, *, align_corners: int = 0) -> Tensor:
    """Where the elements of images are after an affine map; the last coordinate is first"""
    _, _, *image = call.numbers(size, "the size")
    maps = to_compute_type(theta)
    axes = "dhw"[-len(image) :]
    ones = full(call.graph, image, 1, maps.element)
    places = [
        coordinates(maps, length, bool(align_corners)).broadcast(image, [d])
        for d, length in enumerate(image)
    ]
    points = m.stack([*reversed(places), ones], -1)
    return einsum(maps, "nik", points, f"{axes}k", f"n{axes}i").convert(theta.element)


def coordinates(like: Tensor, length: SizeLike, are_corners: bool) -> Tensor:
    """Where elements of a dimension are that goes from -1 to 1.

    Args:
        like: A tensor of their element type.
        length: How many there are.
        are_corners: Whether the first and the last are at the ends; else the ends are half an
            element further out.
    """
    number = m.iota(like.graph, (length,), 0, like.element)
    count = size_tensor(like.graph, length, like.element).broadcast_to((length,))
    if are_corners:
        return number * 2 / (count - 1) - 1
    return (number * 2 + 1) / count - 1


@lowers("GridSample")
def grid_sample(
    call: Call, x: Tensor, grid: Tensor, *, align_corners: int = 0, mode: str = "linear",
    padding_mode: str = "zeros",
) -> Tensor:  # fmt: skip
    """The elements around the points of a grid, interpolated"""
    sampled = sample(
        to_compute_type(x), to_compute_type(grid), MODES[mode], PADDINGS[padding_mode],
        align_corners=bool(align_corners),
    )  # fmt: skip
    return sampled.convert(x.element)


@lowers("Col2Im")
def col2im(
    call: Call, x: Tensor, image_shape: Tensor, block_shape: Tensor, *,
    dilations: Sequence[int] | None = None, pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """The sums of the elements of blocks (n, c block, blocks) at their places in images"""
    image, block = (call.integers(t, "the shapes") for t in (image_shape, block_shape))
    rank = len(image)
    spread, steps = list(dilations or [1] * rank), list(strides or [1] * rank)
    edges = list(pads or [0] * (2 * rank))
    padded = [n + edges[d] + edges[d + rank] for d, n in enumerate(image)]
    counts = [
        (n - dilation * (size - 1) - 1) // step + 1
        for n, dilation, size, step in zip(padded, spread, block, steps, strict=True)
    ]
    batch, channels = x.shape[0], x.shape[1] // prod(block)
    parts = m.reshape(x, [batch, channels, *block, *counts])
    places = [
        (np.arange(size) * dilation)[:, None] + np.arange(count) * step
        for size, dilation, count, step in zip(block, spread, counts, steps, strict=True)
    ]
    order = [2, 3, 0, 1] if rank == 1 else [*range(2, 2 + 2 * rank), 0, 1]
    indices = [
        constant(x.graph, place, I64).broadcast([*block, *counts], [d, rank + d])
        for d, place in enumerate(places)
    ]
    total = full(x.graph, [*padded, batch, channels], 0, x.element)
    total = ix.put_points(total, indices, m.transpose(parts, order), ix.add)
    cut = m.slice_dimensions(
        total, [*edges[:rank], 0, 0],
        [*[edges[d] + n for d, n in enumerate(image)], batch, channels],
    )  # fmt: skip
    return m.transpose(cut, [rank, rank + 1, *range(rank)])

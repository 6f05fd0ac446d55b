"""Elements at indices: slices, gathers, scatters, orders, what a condition selects.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import LimitError
from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.compaction import (
    first_true,
    true_coordinates,
    value_size,
)
from stablemate.frontends.tensor_functions.graph import SizeLike, is_empty
from stablemate.frontends.tensor_functions.ordering import sort, sort_with_indices
from stablemate.frontends.tensor_functions.reductions import Combine
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full, size_tensor
from stablemate.numerics.elements import BOOLEAN, I64, Array

FAR: Final = 1 << 31  # no dimension is so large
MOST_PLACES: Final = 1 << 26  # elements of a dimension that repeats what is in a tensor
COMBINATIONS: Final[dict[str, Combine]] = {
    "none": ix.replace, "add": ix.add, "mul": ix.multiply, "max": ix.larger, "min": ix.smaller,
}  # fmt: skip


# ---- slices and padding


@lowers("Slice", until=9, strings="moved")
def slice_by_attributes(
    call: Call, x: Tensor, *, starts: Sequence[int], ends: Sequence[int],
    axes: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """A part of some dimensions"""
    return slice_axes(x, starts, ends, axes or range(len(starts)), [1] * len(starts))


@lowers("Slice", since=10, strings="moved")
def slice_(
    call: Call, x: Tensor, starts: Tensor, ends: Tensor, axes: Tensor | None = None,
    steps: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Every so many elements of a part of some dimensions"""
    first = call.numbers(starts, "the starts", least=-FAR)
    last = call.numbers(ends, "the ends", least=-FAR)
    dims = range(len(first)) if axes is None else call.integers(axes, "the axes")
    strides = [1] * len(first) if steps is None else call.integers(steps, "the steps")
    return slice_axes(x, first, last, dims, strides)


def slice_axes(
    x: Tensor, starts: Sequence[SizeLike], ends: Sequence[SizeLike], axes: Sequence[int],
    steps: Sequence[int],
) -> Tensor:  # fmt: skip
    """Parts of dimensions, backwards for negative steps, as slices of Python."""
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        at = x.dimension(axis)
        size = x.shape[at]
        if step < 0:
            x = m.reverse(x, [at])
            start, end = mirror_index(x, start, size), mirror_index(x, end, size)
        low, high = bounds(x, start, end, size)
        if not (isinstance(low, int) and low == 0 and high is size and abs(step) == 1):
            x = m.slice_dimension(x, at, low, high, abs(step))
    return x


def mirror_index(x: Tensor, index: SizeLike, size: SizeLike) -> SizeLike:
    """An index as one from the other end; one below all elements is the end."""
    is_far = isinstance(index, int) and abs(index) >= FAR - 1
    if not is_far and any(map(x.graph.assumptions.is_counted, (index, size))):
        return ix.mirrored_index(x.graph, index, size)
    place = index + size if index < 0 and index > -FAR else index
    if not isinstance(place, int) or abs(place) < FAR:
        place = size - 1 - place
        return place if place >= 0 else 0
    return 0 if place > 0 else size


def bounds(x: Tensor, start: SizeLike, end: SizeLike, size: SizeLike) -> tuple[SizeLike, SizeLike]:
    """Where a part of a dimension begins and ends; computed if only a run knows the sizes."""
    if not any(map(x.graph.assumptions.is_counted, (start, end, size))):
        low, high = clamp_index(start, size), clamp_index(end, size)
        return low, high if low <= high else low
    is_whole = isinstance(start, int) and start == 0
    low = 0 if is_whole else ix.bounded_index(x.graph, start, size)
    if isinstance(end, int) and end >= FAR - 1:
        return low, size
    return low, ix.bounded_index(x.graph, end, size, low)


def clamp_index(index: SizeLike, size: SizeLike) -> SizeLike:
    """An index counted from the end if it is below zero, and within a dimension."""
    if isinstance(index, int) and abs(index) >= FAR - 1:
        return size if index > 0 else 0
    place = index + size if index < 0 else index
    if place < 0:
        return 0
    return size if size <= place else place


@lowers("Pad", until=10)
def pad_by_attributes(
    call: Call, x: Tensor, *, pads: Sequence[int], mode: str = "constant", value: float = 0.0
) -> Tensor:
    """The tensor with elements around it"""
    return pad_axes(x, pads[: x.rank], pads[x.rank :], mode, value)


@lowers("Pad", since=11)
def pad(
    call: Call, x: Tensor, pads: Tensor, value: Tensor | None = None, axes: Tensor | None = None,
    *, mode: str = "constant",
) -> Tensor:  # fmt: skip
    """The tensor with elements around it"""
    numbers = call.numbers(pads, "the pads", least=-FAR)
    dims = range(x.rank) if axes is None else call.integers(axes, "the axes")
    count = len(dims)
    low: list[SizeLike] = [0] * x.rank
    high: list[SizeLike] = [0] * x.rank
    for axis, before, after in zip(dims, numbers[:count], numbers[count:], strict=True):
        low[x.dimension(axis)], high[x.dimension(axis)] = before, after
    return pad_axes(x, low, high, mode, 0 if value is None else m.reshape(value, ()))


def pad_axes(
    x: Tensor, low: Sequence[SizeLike], high: Sequence[SizeLike], mode: str, value: Any
) -> Tensor:
    """The tensor with elements around it: of one value, or those of the tensor."""
    if mode == "constant":
        return m.pad(x, bool(value) if x.is_boolean and value == 0 else value, low, high)
    for axis, (before, after) in enumerate(zip(low, high, strict=True)):
        if not (isinstance(before, int) and isinstance(after, int) and before == after == 0):
            x = ix.take(x, source_places(x, axis, before, after, mode), axis)
    return x


def source_places(x: Tensor, axis: int, low: SizeLike, high: SizeLike, mode: str) -> Tensor:
    """The index of the element that each place of a padded dimension has."""
    size = x.shape[axis]
    if isinstance(size, int) and isinstance(low, int) and isinstance(high, int):
        numbers = np.arange(size)
        edges = max(low, 0), max(high, 0)
        if mode == "reflect" and max(edges) >= max(size, 1):
            raise ValueError(f"{max(edges)} elements are no reflection of {size}")
        if size + sum(edges) > MOST_PLACES:
            raise LimitError(f"Pad: {size + sum(edges)} elements are more than {MOST_PLACES}")
        pad_numbers: Any = np.pad  # whose overloads want a literal mode
        moved: Array = pad_numbers(numbers, edges, mode)
        places = moved[max(-low, 0) : moved.size - max(-high, 0)]
        return constant(x.graph, places.astype(np.int64))
    length = low + size + high
    places_ = m.iota(x.graph, (length,), 0, I64) - size_tensor(x.graph, low, I64)
    last = size_tensor(x.graph, size - 1, I64)
    match mode:
        case "edge":
            return f.clamp(0, places_, last)
        case "reflect":
            return last - abs(last - abs(places_))
        case _:
            count = size_tensor(x.graph, size, I64)
            return f.remainder(f.remainder(places_, count) + count, count)


# ---- gathers


@lowers("Gather", strings="moved")
def gather(call: Call, x: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    """Slices of a dimension at indices"""
    at = x.dimension(axis)
    return ix.take(x, places_in(call, indices, x.shape[at]), at)


def places_in(call: Call, indices: Tensor, size: SizeLike) -> Tensor:
    """Indices of a dimension, those below zero counted from the end.

    Raises:
        ValueError: One that is known is outside of the dimension.
    """
    known = call.array(indices)
    if known is not None and isinstance(size, int):
        outside = known[(known < -size) | (known >= size)]
        if outside.size:
            raise ValueError(f"the index {outside.flat[0]} is outside of a dimension of {size}")
    return ix.wrap_negative(indices, size)


@lowers("GatherElements", strings="moved")
def gather_elements(call: Call, x: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    """For each place of the indices, the element with its index in one dimension"""
    at = x.dimension(axis)
    if indices.rank != x.rank:
        raise ValueError(f"indices have {indices.rank} dimensions, the tensor {x.rank}")
    return ix.take_along(x, places_in(call, indices, x.shape[at]), at)


@lowers("GatherND", strings="moved")
def gather_nd(call: Call, x: Tensor, indices: Tensor, *, batch_dims: int = 0) -> Tensor:
    """Slices at points, which the last dimension of the indices holds"""
    if batch_dims < 0:
        raise ValueError(f"batch_dims is {batch_dims}")
    return ix.take_points(x, point_columns(call, x, indices, batch_dims))


def point_columns(call: Call, x: Tensor, indices: Tensor, batch_dims: int = 0) -> list[Tensor]:
    """The coordinates of points, those of batches first, counted from the end if negative."""
    count, shape = indices.shape[-1], indices.shape[:-1]
    if not isinstance(count, int):
        call.refuse("the number of coordinates is not known")
    batches = [m.iota(call.graph, shape, d, indices.element) for d in range(batch_dims)]
    points = [
        places_in(call, m.squeeze(m.slice_dimension(indices, -1, i, i + 1), -1), x.shape[at])
        for i, at in enumerate(range(batch_dims, batch_dims + count))
    ]
    return [*batches, *points]


@lowers("OneHot")
def one_hot(
    call: Call, indices: Tensor, depth: Tensor, values: Tensor, *, axis: int = -1
) -> Tensor:
    """One value where the index along a new dimension is that of a tensor, else another"""
    (size,) = call.numbers(depth, "the depth") if depth.is_integer else call.integers(depth, "")
    places = ix.wrap_negative(indices.convert(I64), size)
    chosen = ix.one_hot(places, size, axis)
    off, on = (m.reshape(m.slice_dimension(values, 0, i, i + 1), ()) for i in range(2))
    return f.select(chosen, on.broadcast_to(chosen.shape), off.broadcast_to(chosen.shape))


@lowers("ReverseSequence")
def reverse_sequence(
    call: Call, x: Tensor, lengths: Tensor, *, batch_axis: int = 1, time_axis: int = 0
) -> Tensor:
    """The first elements of each sequence in the opposite order"""
    if {batch_axis, time_axis} != {0, 1}:
        raise ValueError(f"time_axis is {time_axis} and batch_axis {batch_axis}, not 0 and 1")
    places = m.iota(call.graph, x.shape, time_axis, I64)
    counts = lengths.convert(I64).broadcast(x.shape, [batch_axis])
    mirrored_places = f.select(places < counts, counts - 1 - places, places)
    return ix.take_along(x, mirrored_places, time_axis)


# ---- scatters


@lowers("ScatterElements", "Scatter")
def scatter_elements(
    call: Call, x: Tensor, indices: Tensor, updates: Tensor, *, axis: int = 0,
    reduction: str = "none",
) -> Tensor:  # fmt: skip
    """Elements replaced by, or combined with, updates at indices in one dimension"""
    at = x.dimension(axis)
    places = ix.places_along(places_in(call, indices, x.shape[at]), at)
    return ix.put_points(x, places, updates, combination(call, reduction))


@lowers("ScatterND")
def scatter_nd(
    call: Call, x: Tensor, indices: Tensor, updates: Tensor, *, reduction: str = "none"
) -> Tensor:
    """Slices replaced by, or combined with, updates at points"""
    points = point_columns(call, x, indices)
    return ix.put_points(x, points, updates, combination(call, reduction))


def combination(call: Call, reduction: str) -> Combine:
    """How an update is combined with what is there."""
    if reduction not in COMBINATIONS:
        call.refuse(f"the reduction {reduction!r} is none of {', '.join(COMBINATIONS)}")
    return COMBINATIONS[reduction]


@lowers("TensorScatter")
def tensor_scatter(
    call: Call, cache: Tensor, update: Tensor, starts: Tensor | None = None, *, axis: int = -2,
    mode: str = "linear",
) -> Tensor:  # fmt: skip
    """A cache with a part of each sequence replaced, from an index on"""
    at = cache.dimension(axis)
    places = m.iota(call.graph, update.shape, at, I64)
    if starts is not None:
        places = places + starts.convert(I64).broadcast(update.shape, [0])
    if mode == "circular":
        places = f.remainder(places, size_tensor(call.graph, cache.shape[at], I64))
    return ix.put_points(cache, ix.places_along(places, at), update, ix.replace)


# ---- what a condition selects


@lowers("NonZero")
def non_zero(call: Call, x: Tensor) -> Tensor:
    """The coordinates of elements that are not zero, a row for each dimension"""
    mask = x if x.is_boolean else x.differs(0)
    if not x.rank:
        mask = m.reshape(mask, (1,))
    known = call.array(mask)
    if known is not None:
        found = constant(call.graph, np.stack(np.nonzero(known)))
    else:
        found = m.stack(list(true_coordinates(mask)), 0)
    return found if x.rank else m.slice_dimension(found, 0, 0, 0)


@lowers("Compress", strings="moved")
def compress(call: Call, x: Tensor, condition: Tensor, *, axis: int | None = None) -> Tensor:
    """Slices of a dimension, or elements, where a condition is true"""
    operand = m.reshape(x, (x.size,)) if axis is None else x
    at = 0 if axis is None else x.dimension(axis)
    if operand.shape[at] < condition.shape[0]:
        condition = m.slice_dimension(condition, 0, 0, operand.shape[at])
    known = call.array(condition)
    if known is not None:
        return ix.take(operand, constant(call.graph, np.flatnonzero(known)), at)
    places, count = first_true(condition)
    return ix.take(operand, m.slice_dimension(places, 0, 0, value_size(count)), at)


# ---- orders


@lowers("TopK", until=9)
def top_k_by_attribute(call: Call, x: Tensor, *, k: int, axis: int = -1) -> tuple[Tensor, Tensor]:
    """The largest elements along an axis, and their indices"""
    return top(x, k, axis, descending=True)


@lowers("TopK", since=10)
def top_k(
    call: Call, x: Tensor, k: Tensor, *, axis: int = -1, largest: int = 1, sorted: int = 1
) -> tuple[Tensor, Tensor]:
    """The largest or smallest elements along an axis, and their indices"""
    count: SizeLike
    if call.known.array(k) is None:
        count = value_size(m.reshape(k, ()))
    else:
        (count,) = call.numbers(k, "k")
    return top(x, count, axis, descending=bool(largest))


def top(x: Tensor, count: SizeLike, axis: int, *, descending: bool) -> tuple[Tensor, Tensor]:
    """The first elements in order along an axis, and their indices."""
    values, places = sort_with_indices(x, axis, I64, descending=descending)
    return (
        m.slice_dimension(values, axis, 0, count),
        m.slice_dimension(places, axis, 0, count),
    )


@lowers("Unique")
def unique(
    call: Call, x: Tensor, *, axis: int | None = None, sorted: int = 1
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Distinct elements or slices, where each first stands, which one each is, and how many"""
    if is_empty(x.shape if axis is None else (x.shape[x.dimension(axis)],)):
        none = full(call.graph, (0,), 0, I64)
        return m.reshape(x, (0,)) if axis is None else x, none, none, none
    rows = m.reshape(x, (x.size, 1)) if axis is None else slices_of(x, axis)
    length, width = rows.shape
    if not isinstance(width, int):
        call.refuse("the size of a slice is not known")
    columns = [m.squeeze(m.slice_dimension(rows, 1, i, i + 1), 1) for i in range(width)]
    order, starts_group = group_rows(call, columns, length)
    return unique_results(call, x, axis, order, starts_group, is_sorted=bool(sorted))


def slices_of(x: Tensor, axis: int) -> Tensor:
    """The slices of a dimension as rows of a matrix."""
    moved = m.move_dimension(x, axis, 0)
    return m.reshape(moved, (moved.shape[0], moved.size // moved.shape[0]))


def group_rows(call: Call, columns: Sequence[Tensor], length: SizeLike) -> tuple[Tensor, Tensor]:
    """The order in which equal rows stand together, and where a group of them begins."""

    def precedes(*pairs: Tensor) -> Tensor:
        less, equal = pairs[0] < pairs[1], pairs[0].equals(pairs[1])
        for i in range(1, len(columns)):
            one, other = pairs[2 * i], pairs[2 * i + 1]
            less = less | (equal & (one < other))
            equal = equal & one.equals(other)
        return less

    places = m.arange(call.graph, length, I64)
    *ordered, order = sort([*columns, places], 0, precedes)
    differs = full(call.graph, (length - 1,), False, BOOLEAN)
    for column in ordered:
        before = m.slice_dimension(column, 0, 0, length - 1)
        differs = differs | m.slice_dimension(column, 0, 1, length).differs(before)
    return order, m.concatenate([full(call.graph, (1,), True, BOOLEAN), differs], 0)


def unique_results(
    call: Call, x: Tensor, axis: int | None, order: Tensor, starts: Tensor, *, is_sorted: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The outputs of ``Unique``, by the groups of equal rows in order."""
    blank = full(call.graph, order.shape, 0, I64)
    group = cumulative(starts.convert(I64), Add, 0) - 1
    group_of_row = ix.put_points(blank, [order], group, ix.replace)
    places, count = first_true(starts)
    number = value_size(count)
    firsts = ix.take(order, m.slice_dimension(places, 0, 0, number), 0)
    if not is_sorted:
        firsts, ranks = sort_with_indices(firsts, 0, I64)
        new = ix.put_points(
            full(call.graph, firsts.shape, 0, I64), [ranks],
            m.iota(call.graph, firsts.shape, 0, I64), ix.replace,
        )  # fmt: skip
        group_of_row = ix.take(new, group_of_row, 0)
    ones = full(call.graph, order.shape, 1, I64)
    zeros = full(call.graph, firsts.shape, 0, I64)
    counts = ix.put_points(zeros, [group_of_row], ones, ix.add)
    operand = m.reshape(x, (x.size,)) if axis is None else x
    values = ix.take(operand, firsts, 0 if axis is None else x.dimension(axis))
    return values, firsts, group_of_row, counts

"""Histograms and other counts.

Source: PyTorch, torch, "Spectral Ops", "Other Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.graph import is_empty
from stablemate.frontends.tensor_functions.ordering import sort_with_indices
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F64

NO_PLACE: Final = (1 << 63) - 1  # behind the place of any element


@lowers("histc")
def histc(call: Call, self: Tensor, bins: int, min: Operand, max: Operand) -> Tensor:
    """How many elements are in each of some ranges of one width."""
    flat = m.flatten(call.to_compute_type(self))
    low, high = call.tensor(min, flat.element), call.tensor(max, flat.element)
    is_whole = low.equals(high)
    if not is_empty(flat.shape):
        low = f.select(is_whole, r.minimum_over(flat), low)
        high = f.select(is_whole, r.maximum_over(flat), high)
    is_single = low.equals(high)
    low, high = f.select(is_single, low - 1, low), f.select(is_single, high + 1, high)
    inside = (flat >= low) & (flat <= high)
    wide = flat if flat.is_float else flat.convert(F64)
    first, last = low.convert(wide.element), high.convert(wide.element)
    place = ((wide - first) * float(bins) / (last - first)).convert(INT64)
    index = f.select(inside, f.minimum(place, bins - 1), bins)
    return counts(call, index, bins)


def counts(call: Call, index: Tensor, size: int, weights: Tensor | None = None) -> Tensor:
    """How often each index occurs, or the sum of weights there; others are dropped."""
    added = full(call.graph, index.shape, 1, call.element) if weights is None else weights
    target = full(call.graph, (size,), 0, call.element)
    return ix.put_points(target, [index], added, ix.add)


@lowers("nonzero_static")
def nonzero_static(call: Call, self: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """The places of the first elements that are not zero, filled up to a number of them."""
    flat = m.flatten(self.differs(0) if not self.is_boolean else self)
    if not self.rank or is_empty(self.shape):
        return full(call.graph, call.shape, fill_value, INT64)
    places = m.arange(call.graph, flat.shape[0], INT64)
    keys = m.pad(f.select(flat, places, NO_PLACE), NO_PLACE, [0], [size])
    ordered, _ = sort_with_indices(keys, 0, INT64)
    kept = m.slice_dimension(ordered, 0, 0, size)
    found = m.stack(ix.coordinates(kept, self.shape), 1)
    return f.select(m.expand_dims(kept < NO_PLACE, 1), found, fill_value)


@lowers("histogram.bin_ct")
def histogram(
    call: Call, self: Tensor, bins: int, *, range: Sequence[float] | None = None,
    weight: Tensor | None = None, density: bool = False,
) -> list[Tensor]:  # fmt: skip
    """How many elements are in each of some ranges of one width, and the edges of these"""
    flat = m.flatten(self)
    edges = edges_of(call, flat, bins, range)
    return [frequencies(call, flat, edges, bins, weight, density=density), edges]


def edges_of(call: Call, flat: Tensor, bins: int, bounds: Sequence[float] | None) -> Tensor:
    """The edges of ranges of one width, between bounds or the least and largest element."""
    if bounds is None and isinstance(flat.size, int) and flat.size == 0:
        bounds = (0.0, 1.0)
    if bounds is None:
        low, high = r.minimum_over(flat), r.maximum_over(flat)
    else:
        low, high = call.tensors(*bounds, element=flat.element)
    is_single = low.equals(high)
    low, high = f.select(is_single, low - 0.5, low), f.select(is_single, high + 0.5, high)
    return range_ends(low, high, bins)


@lowers("histogram.bins_tensor")
def histogram_of_edges(
    call: Call, self: Tensor, bins: Tensor, *, weight: Tensor | None = None, density: bool = False
) -> list[Tensor]:
    """How many elements are between any two edges, and the edges"""
    count = bins.shape[0]
    if not isinstance(count, int):
        call.refuse("the number of edges needs to be known")
    hits = frequencies(call, m.flatten(self), bins, count - 1, weight, density=density)
    return [hits, bins]


def range_ends(low: Tensor, high: Tensor, count: int) -> Tensor:
    """The ends of so many ranges of one width, exact at both ends."""
    places = m.arange(low.graph, count + 1, low.element)
    step = (high - low) / count
    return f.select(places < (count + 1) // 2, low + step * places, high - step * (count - places))


def frequencies(
    call: Call, flat: Tensor, edges: Tensor, bins: int, weight: Tensor | None, *, density: bool
) -> Tensor:
    """The counts or sums of weights between edges; the last range has both of its edges."""
    index = range_of(flat, edges, bins)
    hits = counts(call, index, bins, None if weight is None else m.flatten(weight))
    return hits / (widths(edges, bins) * r.sum_over(hits)) if density else hits


def range_of(flat: Tensor, edges: Tensor, bins: int) -> Tensor:
    """The range of each element; -1 or the number of ranges if it is in none."""
    reached = m.expand_dims(flat, 1) >= m.expand_dims(edges, 0)
    index = r.sum_over(reached.convert(INT64), [1]) - 1
    first, last = m.take_index(edges, 0, 0), m.take_index(edges, 0, bins)
    inside = (flat >= first) & (flat <= last)  # edges may be in any order
    return f.select(inside, f.select(flat.equals(last), bins - 1, index), -1)


def widths(edges: Tensor, bins: int) -> Tensor:
    """The widths of ranges (bins,), of whose ends there is one more."""
    return m.slice_dimension(edges, 0, 1, bins + 1) - m.slice_dimension(edges, 0, 0, bins)


@lowers("_histogramdd_bin_edges")
def histogramdd_edges(
    call: Call, self: Tensor, bins: Sequence[int], *, range: Sequence[float] | None = None,
    weight: Tensor | None = None, density: bool = False,
) -> list[Tensor]:  # fmt: skip
    """The edges of ranges of one width along each dimension of points."""
    points = m.reshape(self, (prod(self.shape[:-1]), self.shape[-1]))
    bounds = zip(range[::2], range[1::2], strict=True) if range else [None] * len(bins)
    return [
        edges_of(call, m.take_index(points, 1, i), count, bound)
        for i, (count, bound) in enumerate(zip(bins, bounds, strict=True))
    ]


@lowers("_histogramdd_from_bin_cts")
def histogramdd(
    call: Call, self: Tensor, bins: Sequence[int], *, range: Sequence[float] | None = None,
    weight: Tensor | None = None, density: bool = False,
) -> Tensor:  # fmt: skip
    """How many points are in each of some boxes of one size."""
    edges = histogramdd_edges(call, self, bins, range=range)
    return histogramdd_of_edges(call, self, edges, weight=weight, density=density)


@lowers("_histogramdd_from_bin_tensors")
def histogramdd_of_edges(
    call: Call, self: Tensor, bins: Sequence[Tensor], *, weight: Tensor | None = None,
    density: bool = False,
) -> Tensor:  # fmt: skip
    """How many points are in each box between edges along each dimension."""
    points = m.reshape(self, (prod(self.shape[:-1]), self.shape[-1]))
    sizes: list[int] = []
    index = full(call.graph, points.shape[:1], 0, INT64)
    is_inside = index.equals(0)
    for i, edges in enumerate(bins):
        size = edges.size - 1
        if not isinstance(size, int):
            call.refuse("the number of edges needs to be known")
        sizes.append(size)
        place = range_of(m.take_index(points, 1, i), edges, size)
        is_inside = is_inside & (place >= 0) & (place < size)
        index = index * size + place
    weights = None if weight is None else m.flatten(weight)
    hits = counts(call, f.select(is_inside, index, -1), prod(sizes), weights)
    hits = m.reshape(hits, call.shape)
    return densities(hits, bins, sizes) if density else hits


def densities(hits: Tensor, bins: Sequence[Tensor], sizes: Sequence[int]) -> Tensor:
    """Counts divided by their sum and by the sizes of boxes."""
    result = hits / r.sum_over(hits)
    for i, (edges, size) in enumerate(zip(bins, sizes, strict=True)):
        result = result / widths(edges, size).broadcast(hits.shape, [i])
    return result

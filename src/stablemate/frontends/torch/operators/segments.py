"""Reductions of segments of a dimension, and their gradients.

Source: PyTorch, torch.segment_reduce.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Final

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.graph import Number
from stablemate.frontends.tensor_functions.reductions import Combine
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers

# The computation of each reduction, and what it begins with.
REDUCTIONS: Final[dict[str, tuple[Combine, Number]]] = {
    "sum": (ix.add, 0), "mean": (ix.add, 0), "prod": (ix.multiply, 1), "max": (ix.larger, -inf),
    "min": (ix.smaller, inf),
}  # fmt: skip


@lowers("segment_reduce")
def segment_reduce(
    call: Call, data: Tensor, reduce: str, *, lengths: Tensor | None = None,
    indices: Tensor | None = None, offsets: Tensor | None = None, axis: int = 0,
    initial: Number | None = None,
) -> Tensor:  # fmt: skip
    """The sum, mean, product, maximum or minimum of each segment."""
    bounds = bounds_of(call, lengths, offsets)
    combine, start = REDUCTIONS[reduce]
    first = start if initial is None else initial
    x = call.to_compute_type(data)
    places = segment_places(data, bounds, axis)
    result = ix.put_points(full(call.graph, call.shape, first, x.element), places, x, combine)
    if reduce == "mean":
        counts = lengths_of(bounds, result)
        mean = result / f.maximum(counts, 1).convert(x.element)
        result = f.select(counts > 0, mean, nan if initial is None else result)
    return result.convert(call.element)


def bounds_of(call: Call, lengths: Tensor | None, offsets: Tensor | None) -> Tensor:
    """Where segments begin, and where the last one ends."""
    if offsets is not None:
        return offsets.convert(INT64)
    if lengths is None:
        call.refuse("segments need lengths or offsets")
    ends = cumulative(lengths.convert(INT64), Add, lengths.rank - 1)
    zeros = full(call.graph, (*lengths.shape[:-1], 1), 0, INT64)
    return m.concatenate([zeros, ends], -1)


def segment_places(data: Tensor, bounds: Tensor, axis: int) -> list[Tensor]:
    """The place of each element among segments: its index before the dimension, its segment.

    Elements outside of all segments have numbers that no segment has.
    """
    shape = data.shape[: axis + 1]
    places = m.expand_dims(m.iota(data.graph, shape, axis, INT64), -1)
    begun = (m.expand_dims(bounds, -2) <= places).convert(INT64)
    return ix.places_along(r.sum_over(begun, [-1]) - 1, axis)


def lengths_of(bounds: Tensor, result: Tensor) -> Tensor:
    """The length of the segment of each element of a result."""
    count = bounds.shape[-1]
    ends = m.slice_dimension(bounds, -1, 1, count)
    lengths = ends - m.slice_dimension(bounds, -1, 0, count - 1)
    return lengths.broadcast(result.shape, range(bounds.rank))


@lowers("_segment_reduce_backward")
def segment_reduce_backward(
    call: Call, grad: Tensor, output: Tensor, data: Tensor, reduce: str, *,
    lengths: Tensor | None = None, offsets: Tensor | None = None, axis: int = 0,
    initial: Number | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of the data; several extreme elements of a segment share its gradient."""
    bounds = bounds_of(call, lengths, offsets)
    places = segment_places(data, bounds, axis)
    x, results, gradient = map(call.to_compute_type, (data, output, grad))

    def spread(segments: Tensor) -> Tensor:
        return ix.take_points(segments, places)

    def combine_segments(elements: Tensor, combine: Combine, start: Number) -> Tensor:
        target = full(call.graph, output.shape, start, x.element)
        return ix.put_points(target, places, elements, combine)

    if reduce in ("max", "min"):
        is_chosen = (x.equals(spread(results)) | f.is_nan(x)).convert(x.element)
        counts = combine_segments(is_chosen, ix.add, 0)
        factor = is_chosen / spread(f.maximum(counts, 1))
    elif reduce == "prod":
        factor = other_factors(x, spread, combine_segments, 1 if initial is None else initial)
    elif reduce == "mean":
        factor = 1 / spread(lengths_of(bounds, results).convert(x.element))
    else:
        factor = m.filled_like(x, 1)
    places_inside = (places[-1] >= 0) & (places[-1] < bounds.shape[-1] - 1)
    inside = places_inside.broadcast(x.shape, range(axis + 1))
    return f.select(inside, spread(gradient) * factor, 0).convert(call.element)


def other_factors(
    x: Tensor, spread: Callable[[Tensor], Tensor],
    gathered: Callable[[Tensor, Combine, Number], Tensor], initial: Number,
) -> Tensor:  # fmt: skip
    """The product of the other elements of the segment of each element."""
    is_zero = x.equals(0)
    zeros = spread(gathered(is_zero.convert(x.element), ix.add, 0))
    product = spread(gathered(f.select(is_zero, 1, x), ix.multiply, initial))
    without = product / f.select(is_zero, 1, x)
    return f.select(zeros - is_zero.convert(x.element) > 0, 0, without)

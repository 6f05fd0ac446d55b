"""Histograms and other counts.

Source: PyTorch, torch, "Spectral Ops", "Other Operations".
"""

from __future__ import annotations

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.ordering import sort_with_indices
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F64


@lowers("histc")
def histc(call: Call, self: Tensor, bins: int, min: Operand, max: Operand) -> Tensor:
    """How many elements are in each of some ranges of one width."""
    flat = m.flatten(call.computed(self))
    low, high = call.tensor(min, flat.element), call.tensor(max, flat.element)
    is_whole = low.equals(high)
    if isinstance(flat.shape[0], int) and flat.shape[0] > 0:
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
    count = flat.shape[0]
    if not self.rank or not isinstance(count, int) or count == 0:
        return full(call.graph, call.shape, fill_value, INT64)
    places = m.arange(call.graph, count, INT64)
    keys = f.select(flat, places, count)
    ordered, _ = sort_with_indices(keys, 0, INT64)
    kept = m.slice_dimension(ordered, 0, 0, min(size, count))
    kept = m.pad(kept, count, [0], [max(size - count, 0)])
    columns: list[Tensor] = []
    rest = kept
    for length in reversed(self.shape):
        columns.insert(0, f.remainder(rest, call.tensor(length, INT64)))
        rest = rest / call.tensor(length, INT64)
    found = m.stack(columns, 1)
    return f.select(m.expand_dims(kept < count, 1), found, fill_value)

"""Operators that read or write elements at places that tensors hold.

Source: PyTorch, torch, "Indexing, Slicing, Joining, Mutating Ops".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.compaction import true_coordinates
from stablemate.frontends.tensor_functions.reductions import Combine, highest, lowest
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    broadcast_shape,
    full,
)
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import BOOLEAN


@lowers("index.Tensor", "_unsafe_index.Tensor")
def index(call: Call, self: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """self[indices], as NumPy's advanced indexing has it."""
    order, places, first = indexed_first(call, self, indices)
    taken = ix.take_points(m.transpose(self, order), places)
    return m.transpose(taken, place_indexed(taken.rank, places[0].rank, first))


def indexed_first(
    call: Call, x: Tensor, indices: Sequence[Tensor | None]
) -> tuple[list[int], list[Tensor], int]:
    """The dimensions and places that an advanced index selects.

    Returns:
        The dimensions with those that are indexed first; the indices of these, of one shape; and
        before which of the other dimensions theirs are in the result.
    """
    entries = without_masks(indices)
    dims = [i for i, entry in enumerate(entries) if entry is not None]
    given = [entry for entry in entries if entry is not None]
    shape = broadcast_shape(*[entry.shape for entry in given])
    places = [
        ix.wrap_negative(entry.convert(INT64), x.shape[dim]).broadcast_to(shape)
        for dim, entry in zip(dims, given, strict=True)
    ]
    is_adjacent = dims == [*range(dims[0], dims[0] + len(dims))]
    rest = [i for i in range(x.rank) if i not in dims]
    return [*dims, *rest], places, dims[0] if is_adjacent else 0


def without_masks(indices: Sequence[Tensor | None]) -> list[Tensor | None]:
    """An advanced index with the places of true elements instead of masks."""
    entries: list[Tensor | None] = []
    for entry in indices:
        is_mask = entry is not None and entry.is_boolean
        entries += true_coordinates(entry) if entry is not None and is_mask else [entry]
    return entries


def place_indexed(rank: int, count: int, first: int) -> list[int]:
    """The permutation that moves ``count`` leading dimensions before others."""
    rest = list(range(count, rank))
    return [*rest[:first], *range(count), *rest[first:]]


@lowers("index_put", "_unsafe_index_put", "index_put_", "_index_put_impl")
def index_put(
    call: Call, self: Tensor, indices: Sequence[Tensor | None], values: Tensor,
    accumulate: bool = False, *_: object,
) -> Tensor:  # fmt: skip
    """self with self[indices] replaced by values, or with values added."""
    given = [entry for entry in indices if entry is not None]
    if len(given) == 1 and given[0].is_boolean and is_same_for_all(self, indices, values):
        return masked_put(call, self, indices, values, accumulate=accumulate)
    order, places, first = indexed_first(call, self, indices)
    # Where dimensions that are indexed are no neighbors, theirs are the first ones.
    order = [*order[len(places) :][:first], *order[: len(places)], *order[len(places) + first :]]
    target = m.transpose(self, order)
    shape = (*target.shape[:first], *places[0].shape, *target.shape[first + len(places) :])
    updates = call.tensor(values, self.element).broadcast_to(shape)
    combine = ix.add if accumulate else ix.replace
    if self.is_boolean and accumulate:
        combine = logical_or
    result = ix.put_points(target, places, updates, combine, first=first)
    return m.transpose(result, m.inverse(order))


def logical_or(current: Tensor, update: Tensor) -> list[Tensor]:
    """The computation of a scatter of booleans."""
    return [current | update]


def is_same_for_all(x: Tensor, indices: Sequence[Tensor | None], values: Tensor) -> bool:
    """Whether a value that is put under a single mask is the same for all of its places."""
    at, mask = next((i, entry) for i, entry in enumerate(indices) if entry is not None)
    own = values.rank - (x.rank - at - mask.rank)
    return own <= 0 or all(size == 1 for size in values.shape[:own])


def masked_put(
    call: Call, x: Tensor, indices: Sequence[Tensor | None], values: Tensor, *, accumulate: bool
) -> Tensor:
    """A tensor with elements under a mask replaced by a value that is the same for all of them."""
    at = next(i for i, entry in enumerate(indices) if entry is not None)
    mask = indices[at]
    assert mask is not None
    rest = x.rank - at - mask.rank
    hits = mask.broadcast(x.shape, range(at, at + mask.rank))
    value = m.reshape(values, values.shape[values.rank - min(rest, values.rank) :])
    update = call.tensor(value, x.element).broadcast_to(x.shape)
    return f.select(hits, x + update if accumulate else update, x)


@lowers("gather")
def gather(call: Call, self: Tensor, dim: int, index: Tensor, *_: object) -> Tensor:
    """self[index[i][j]][j] for the first dimension, and so on."""
    if not self.rank:
        return self.broadcast_to(call.shape)
    if any(size == 0 for size in call.shape if isinstance(size, int)):
        return full(call.graph, call.shape, 0, call.element)
    if not index.rank:
        return m.reshape(ix.take_along(self, m.reshape(index, (1,)), dim), ())
    return ix.take_along(self, index.convert(INT64), dim)


@lowers("index_select")
def index_select(call: Call, self: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices of a dimension at indices."""
    if not self.rank:
        return self
    return m.reshape(ix.take(self, m.flatten(index), dim), call.shape)


@lowers("embedding")
def embedding(call: Call, weight: Tensor, indices: Tensor, *_: object) -> Tensor:
    """The rows of a matrix at indices."""
    return ix.take(weight, indices, 0)


@lowers("take")
def take(call: Call, self: Tensor, index: Tensor) -> Tensor:
    """The elements at indices of the flattened tensor."""
    flat = m.flatten(self)
    return ix.take(flat, ix.wrap_negative(index.convert(INT64), flat.shape[0]), 0)


REDUCTIONS: Final[dict[str, Callable[[Tensor, Tensor], Tensor]]] = {
    "sum": lambda x, y: x + y,
    "add": lambda x, y: x + y,
    "mean": lambda x, y: x + y,
    "prod": lambda x, y: x * y,
    "multiply": lambda x, y: x * y,
    "amax": f.maximum,
    "amin": f.minimum,
}


def combination(reduce: str) -> Combine:
    """The computation of a scatter with a reduction."""

    def combine(current: Tensor, update: Tensor) -> list[Tensor]:
        return [REDUCTIONS[reduce](current, update)]

    return combine


@lowers("scatter.src", "scatter.reduce")
def scatter(
    call: Call, self: Tensor, dim: int, index: Tensor, src: Tensor, *, reduce: str | None = None
) -> Tensor:
    """self with elements of src put at indices of a dimension."""
    combine = ix.replace if reduce is None else combination(reduce)
    return scatter_along(call, self, dim, index, src, combine)


@lowers("scatter.value", "scatter.value_reduce")
def scatter_value(
    call: Call, self: Tensor, dim: int, index: Tensor, value: Operand, *, reduce: str | None = None
) -> Tensor:
    """self with a number put at indices of a dimension."""
    combine = ix.replace if reduce is None else combination(reduce)
    src = call.tensor(value).broadcast_to(index.shape)
    return scatter_along(call, self, dim, index, src, combine)


@lowers("scatter_add")
def scatter_add(call: Call, self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """self with elements of src added at indices of a dimension."""
    return scatter_along(call, self, dim, index, src, ix.add)


def scatter_along(
    call: Call, x: Tensor, dim: int, index: Tensor, src: Tensor, combine: Combine
) -> Tensor:
    """A tensor combined with elements at indices of a dimension."""
    if any(size == 0 for size in index.shape if isinstance(size, int)):
        return x
    if not x.rank:
        flat = scatter_along(call, m.reshape(x, (1,)), 0, m.flatten(index), m.flatten(src), combine)
        return m.reshape(flat, ())
    index = m.flatten(index) if not index.rank else index
    src = m.flatten(src) if not src.rank else src
    part = m.slice_dimensions(src, [0] * src.rank, index.shape).convert(x.element)
    places = ix.places_along(index.convert(INT64), dim)
    return ix.put_points(x, places, part, combine)


@lowers("scatter_reduce.two")
def scatter_reduce(
    call: Call, self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *,
    include_self: bool = True,
) -> Tensor:  # fmt: skip
    """self reduced with elements of src at indices of a dimension."""
    return reduced_at(
        call, self, reduce, include_self,
        lambda x, values, combine: scatter_along(call, x, dim, index, values, combine), src,
    )  # fmt: skip


def reduced_at(
    call: Call, x: Tensor, reduce: str, include_self: bool,
    put: Callable[[Tensor, Tensor, Combine], Tensor], src: Tensor,
) -> Tensor:  # fmt: skip
    """A tensor reduced with elements that ``put`` puts in their places."""
    start = x if include_self else clear_targets(call, x, reduce, put, src)
    total = put(start, src, combination(reduce))
    if reduce != "mean":
        return total
    ones = full(call.graph, src.shape, 1, x.element)
    first = full(call.graph, x.shape, int(include_self), x.element)
    counts = f.maximum(put(first, ones, ix.add), 1)
    if total.is_float:
        return total / counts
    quotient = total / counts
    return quotient - ((total - quotient * counts) < 0).convert(x.element)


def clear_targets(
    call: Call, x: Tensor, reduce: str, put: Callable[[Tensor, Tensor, Combine], Tensor],
    src: Tensor,
) -> Tensor:  # fmt: skip
    """A tensor with what changes no reduction in all places that are put to."""
    neutral = {
        "sum": 0, "mean": 0, "prod": 1, "amax": lowest(x.element), "amin": highest(x.element),
    }[reduce]  # fmt: skip
    return put(x, full(call.graph, src.shape, neutral, x.element), ix.replace)


@lowers("index_add")
def index_add(
    call: Call, self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Operand = 1
) -> Tensor:
    """self with slices of source added at indices of a dimension."""
    factor = isinstance(alpha, int | float) and alpha == 1
    update = source if factor else source * call.tensor(alpha)
    return put_slices(self, dim, index, update, ix.add if not self.is_boolean else logical_or)


@lowers("index_copy")
def index_copy(call: Call, self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """self with slices replaced at indices of a dimension."""
    return put_slices(self, dim, index, source, ix.replace)


@lowers("index_fill.int_Scalar", "index_fill.int_Tensor")
def index_fill(call: Call, self: Tensor, dim: int, index: Tensor, value: Operand) -> Tensor:
    """self with a number in the slices at indices of a dimension.

    A tensor of rank 0 has one dimension of size 1 here.
    """
    if not self.rank:
        return m.reshape(index_fill(call, m.reshape(self, (1,)), 0, index, value), ())
    at, flat = self.dimension(dim), m.flatten(index)
    shape = [flat.shape[0] if i == at else size for i, size in enumerate(self.shape)]
    return put_slices(self, dim, index, call.tensor(value).broadcast_to(shape), ix.replace)


@lowers("index_reduce")
def index_reduce(
    call: Call, self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *,
    include_self: bool = True,
) -> Tensor:  # fmt: skip
    """self reduced with slices of source at indices of a dimension."""
    return reduced_at(
        call, self, reduce, include_self,
        lambda x, values, combine: put_slices(x, dim, index, values, combine), source,
    )  # fmt: skip


def put_slices(x: Tensor, dim: int, index: Tensor, source: Tensor, combine: Combine) -> Tensor:
    """A tensor combined with slices at indices of a dimension."""
    if not x.rank:
        places = [m.flatten(index).convert(INT64)]
        update = m.reshape(source, places[0].shape)
        return m.reshape(ix.put_points(m.reshape(x, (1,)), places, update, combine), ())
    at = x.dimension(dim)
    places = [ix.wrap_negative(m.flatten(index).convert(INT64), x.shape[at])]
    shape = [places[0].shape[0] if i == at else size for i, size in enumerate(x.shape)]
    update = m.reshape(source, shape).convert(x.element)
    return ix.put_points(x, places, update, combine, first=at)


@lowers("put")
def put(
    call: Call, self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False
) -> Tensor:
    """self with elements at indices of the flattened tensor replaced or added to."""
    flat = m.flatten(self)
    places = ix.wrap_negative(m.flatten(index).convert(INT64), flat.shape[0])
    update = m.reshape(source, places.shape)
    result = ix.put_points(flat, [places], update, ix.add if accumulate else ix.replace)
    return m.reshape(result, self.shape)


@lowers("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(call: Call, self: Tensor, mask: Tensor, value: Operand) -> Tensor:
    """A number where a mask is true."""
    return f.select(mask.convert(BOOLEAN), call.tensor(value), call.tensor(self))


@lowers("masked_scatter")
def masked_scatter(call: Call, self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The elements of source in order, where a mask is true."""
    hits = mask.broadcast_to(call.shape)
    flat = m.flatten(hits).convert(INT64)
    numbers = cumulative(flat, Add, 0) - 1
    values = ix.take(m.flatten(source), f.maximum(numbers, 0), 0)
    return f.select(hits, m.reshape(values, call.shape), self.broadcast_to(call.shape))


@lowers("embedding_dense_backward")
def embedding_dense_backward(
    call: Call, grad_output: Tensor, indices: Tensor, num_weights: int, padding_idx: int,
    scale_grad_by_freq: bool,
) -> Tensor:  # fmt: skip
    """The gradient of the matrix of an embedding."""
    rows = m.flatten(indices).convert(INT64)
    updates = m.reshape(grad_output, (rows.shape[0], call.shape[1]))
    wide = call.to_compute_type(updates)
    if scale_grad_by_freq:
        ones = full(call.graph, rows.shape, 1, wide.element)
        zeros = full(call.graph, (call.shape[0],), 0, wide.element)
        counts = ix.put_points(zeros, [rows], ones, ix.add)
        wide = wide / m.expand_dims(ix.take(counts, rows, 0), 1)
    if padding_idx >= 0:
        wide = f.select(m.expand_dims(rows.equals(padding_idx), 1), 0, wide)
    target = full(call.graph, call.shape, 0, wide.element)
    return ix.put_points(target, [rows], wide, ix.add).convert(call.element)

"""Operators whose results have a size that depends on values.

Their elements are computed for the largest size, and cut off behind those that are there.

Source: PyTorch, torch, "Reduction Ops", "Indexing, Slicing, Joining, Mutating Ops".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.compaction import first_true, value_size
from stablemate.frontends.tensor_functions.control import counted_loop
from stablemate.frontends.tensor_functions.graph import SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.ordering import sort_with_indices
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    broadcast_together,
    full,
    size_tensor,
)
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers


def size_of(call: Call, count: Tensor, dimension: int = 0) -> SizeLike:
    """The size of a dimension of the first result: known to PyTorch, or computed."""
    size = call.shape[dimension]
    return size if isinstance(size, int) else value_size(count)


def truth(x: Tensor) -> Tensor:
    """Whether elements are not zero."""
    return x if x.is_boolean else x.differs(0)


@lowers("nonzero")
def nonzero(call: Call, self: Tensor) -> Tensor:
    """The places of the elements that are not zero"""
    flat = m.flatten(truth(self))
    places, count = first_true(flat)
    size = size_of(call, count)
    if not self.rank:
        return full(call.graph, (size, 0), 0, INT64)
    return m.stack(ix.coordinates(m.slice_dimension(places, 0, 0, size), self.shape), 1)


@lowers("masked_select")
def masked_select(call: Call, self: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask is true"""
    x, hits = broadcast_together(self, mask.convert(INT64))
    places, count = first_true(m.flatten(hits.differs(0)))
    chosen = m.slice_dimension(places, 0, 0, size_of(call, count))
    return ix.take(m.flatten(x), chosen, 0)


@lowers("bincount")
def bincount(call: Call, self: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number occurs, or the sums of weights"""
    index = self.convert(INT64)
    count = call.tensor(minlength, INT64)
    if self.shape[0] != 0:
        count = f.maximum(r.maximum_over(index) + 1, count)
    target = full(call.graph, (size_of(call, count),), 0, call.element)
    added = call.tensor(1 if weights is None else weights).broadcast_to(index.shape)
    return ix.put_points(target, [index], added, ix.add)


@lowers("repeat_interleave.Tensor")
def repeat_interleave(
    call: Call, repeats: Tensor, *, output_size: SizeLike | None = None
) -> Tensor:
    """Each index as often as a tensor says"""
    ends = cumulative(repeats.convert(INT64), Add, 0)
    total = r.sum_over(repeats.convert(INT64))
    size = size_of(call, total) if output_size is None else output_size
    marks = full(call.graph, (size,), 0, INT64)
    ones = full(call.graph, ends.shape, 1, INT64)
    return cumulative(ix.put_points(marks, [ends], ones, ix.add), Add, 0).convert(call.element)


# different elements


def runs(call: Call, sequence: Tensor, order: Tensor | None, dimension: int = 0) -> list[Tensor]:
    """The first element or slice of each run, the run of each one, and the lengths of runs.

    Args:
        call: The call.
        sequence: The elements or slices, along the first dimension.
        order: The place that each had before it was sorted, if it was.
        dimension: That of the result in which they are.
    """
    length, is_new = sequence.shape[0], begins(sequence)
    numbers = cumulative(is_new.convert(INT64), Add, 0) - 1
    places, count = first_true(is_new)
    size = size_of(call, count, dimension)
    values = ix.take(sequence, m.slice_dimension(places, 0, 0, size), 0)
    ones = full(call.graph, (length,), 1, INT64)
    counts = ix.put_points(full(call.graph, (size,), 0, INT64), [numbers], ones, ix.add)
    if order is None:
        return [values, numbers, counts]
    zeros = full(call.graph, (length,), 0, INT64)
    inverse = ix.put_points(zeros, [order.convert(INT64)], numbers, ix.replace, unique=True)
    return [values, inverse, counts]


def begins(rows: Tensor) -> Tensor:
    """Where a row differs from the one before; the first one begins a run."""
    length = rows.shape[0]
    after = m.slice_dimension(rows, 0, 1, length)
    differs = after.differs(m.slice_dimension(rows, 0, 0, length - 1))
    if rows.rank > 1:
        differs = r.any_over(m.flatten(differs, 1, -1), [1])
    return m.concatenate([full(rows.graph, (1,), True, differs.element), differs], 0)


def requested_results(call: Call, results: Sequence[Tensor]) -> list[Tensor]:
    """The results that are asked for; the others are empty."""
    outcome: list[Tensor] = []
    for result, known in zip(results, call.types, strict=False):
        assert known is not None
        is_wanted = known[0] != (0,)
        outcome.append(result if is_wanted else full(call.graph, (0,), 0, known[1]))
    return outcome


def blank(call: Call) -> list[Tensor]:
    """The results for no elements."""
    return [full(call.graph, known[0], 0, known[1]) for known in call.types if known is not None]


@lowers("_unique2", "_unique")
def unique(call: Call, self: Tensor, *_: object) -> list[Tensor]:
    """The different elements in order, the place of each element among them, and counts"""
    flat = m.flatten(self)
    if flat.shape[0] == 0:
        return blank(call)
    ordered, order = sort_with_indices(flat, 0, INT64)
    values, inverse, counts = runs(call, ordered, order)
    return requested_results(call, [values, m.reshape(inverse, self.shape), counts])


@lowers("unique_consecutive")
def unique_consecutive(
    call: Call, self: Tensor, return_inverse: bool = False, return_counts: bool = False,
    dim: int | None = None,
) -> list[Tensor]:  # fmt: skip
    """The first element or slice of each run of equal ones, the run of each, and lengths"""
    if dim is not None:
        return unique_slices(call, self, dim, is_sorted=False)
    flat = m.flatten(self)
    if flat.shape[0] == 0:
        return blank(call)
    values, inverse, counts = runs(call, flat, None)
    return requested_results(call, [values, m.reshape(inverse, self.shape), counts])


@lowers("unique_dim")
def unique_dim(call: Call, self: Tensor, dim: int, *_: object) -> list[Tensor]:
    """The different slices of a dimension in order, the place of each one, and counts"""
    return unique_slices(call, self, dim, is_sorted=True)


@lowers("unique_dim_consecutive")
def unique_dim_consecutive(call: Call, self: Tensor, dim: int, *_: object) -> list[Tensor]:
    """The first slice of each run of equal ones, the run of each one, and lengths"""
    return unique_slices(call, self, dim, is_sorted=False)


def unique_slices(call: Call, x: Tensor, dim: int, *, is_sorted: bool) -> list[Tensor]:
    """The different slices of a dimension; of runs of equal ones if they are not sorted."""
    if any(size == 0 for size in x.shape if isinstance(size, int)):
        return blank(call)
    first = m.move_dimension(x, dim, 0)
    rows = m.reshape(first, (first.shape[0], prod(first.shape[1:])))
    order = lexicographic_order(rows) if is_sorted else None
    ordered = rows if order is None else ix.take(rows, order, 0)
    values, inverse, counts = runs(call, ordered, order, x.dimension(dim))
    shaped = m.reshape(values, (values.shape[0], *first.shape[1:]))
    return requested_results(call, [m.move_dimension(shaped, 0, dim), inverse, counts])


def lexicographic_order(rows: Tensor) -> Tensor:
    """The order of rows by their first element, then by the second one, and so on."""
    columns = m.transpose(rows, [1, 0])
    last = size_tensor(rows.graph, rows.shape[1], INT64) - 1

    def step(graph: TensorGraph, index: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
        column = ix.dynamic_index(columns.within(graph), last.within(graph) - index)
        _, order = sort_with_indices(ix.take(column, state[0], 0), 0, INT64)
        return [ix.take(state[0], order, 0)]

    (order,) = counted_loop(last + 1, step, [m.arange(rows.graph, rows.shape[0], INT64)])
    return order

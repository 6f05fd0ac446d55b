"""Sorting and searching.

Source: PyTorch, torch, "Comparison Ops".
"""

from __future__ import annotations

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.ordering import sort_with_indices
from stablemate.frontends.tensor_functions.scans import prefix_scan, shift
from stablemate.frontends.tensor_functions.tensor import Tensor, full, size_tensor
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import IntegerType


@lowers("sort", "sort.stable")
def sort(
    call: Call, self: Tensor, *places: object, stable: bool | None = None, dim: int = -1,
    descending: bool = False,
) -> list[Tensor]:  # fmt: skip
    """The elements in order, and the index that each had."""
    if places:
        dim, descending = places  # type: ignore[assignment]
    return sort_values(call, self, dim, descending=descending)


def sort_values(call: Call, x: Tensor, dim: int, *, descending: bool) -> list[Tensor]:
    """The elements in order, and the index that each had; equal elements keep their order."""
    if not x.rank:
        return [x, full(call.graph, (), 0, INT64)]
    keys = x.convert(IntegerType(8)) if x.is_boolean else x
    values, indices = sort_with_indices(keys, dim, INT64, descending=descending)
    return [values.convert(x.element), indices]


@lowers("argsort", "argsort.stable")
def argsort(call: Call, self: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    """The index of each element in order."""
    return sort_values(call, self, dim, descending=descending)[1]


@lowers("msort")
def msort(call: Call, self: Tensor) -> Tensor:
    """The elements in order along the first dimension."""
    return sort_values(call, self, 0, descending=False)[0]


@lowers("topk")
def topk(
    call: Call, self: Tensor, k: SizeLike, dim: int, largest: bool, sorted: bool
) -> list[Tensor]:
    """The k largest or smallest elements, and their indices."""
    results = sort_values(call, self, dim, descending=largest)
    if not self.rank:
        return [m.reshape(result, call.shape) for result in results]
    return [m.slice_dimension(result, dim, 0, k) for result in results]


@lowers("kthvalue")
def kthvalue(call: Call, self: Tensor, k: SizeLike, dim: int, keepdim: bool) -> list[Tensor]:
    """The k-th smallest element, and its index."""
    results = sort_values(call, self, dim, descending=False)
    if self.rank:
        results = [m.slice_dimension(result, dim, k - 1, k) for result in results]
    return [m.reshape(result, call.shape) for result in results]


@lowers("median.dim", "nanmedian.dim")
def median_dim(call: Call, self: Tensor, dim: int, keepdim: bool) -> list[Tensor]:
    """The lower median along a dimension, and its index; NaN is the largest, or left out."""
    values, indices = sort_values(call, self, dim, descending=False)
    if not self.rank:
        return [values, indices]
    at = self.dimension(dim)
    place = median_place(call, self, at)
    return [m.reshape(ix.take_along(x, place, at), call.shape) for x in (values, indices)]


@lowers("median", "nanmedian")
def median(call: Call, self: Tensor) -> Tensor:
    """The lower median of all elements."""
    flat = m.flatten(self)
    values, _ = sort_values(call, flat, 0, descending=False)
    return m.reshape(ix.take_along(values, median_place(call, flat, 0), 0), call.shape)


def median_place(call: Call, x: Tensor, dimension: int) -> Tensor:
    """The place of the median among the elements of a dimension in order, which is kept."""
    ones = tuple([1 if i == dimension else size for i, size in enumerate(x.shape)])
    count = size_tensor(call.graph, x.shape[dimension], INT64).broadcast_to(ones)
    if not x.is_float:
        return (count - 1) / 2
    nans = r.sum_over(f.is_nan(x).convert(INT64), [dimension])
    found = m.reshape(nans, ones)
    left_out = f.maximum((count - found - 1), 0) / 2
    if call.name.startswith("aten.nanmedian"):
        return left_out
    return f.select(found > 0, count - 1, (count - 1) / 2)


@lowers("mode")
def mode(call: Call, self: Tensor, dim: int, keepdim: bool) -> list[Tensor]:
    """The element that is there most often, the smallest of several, and its last index."""
    if not self.rank:
        return [self, full(call.graph, (), 0, INT64)]
    at = self.dimension(dim)
    values, indices = sort_values(call, self, at, descending=False)
    places = m.iota(call.graph, values.shape, at, INT64)
    previous = shift(values, at, 1, 0)
    starts_run = values.differs(previous) | places.equals(0)
    starts = f.select(starts_run, places, 0)

    def combine(one: Tensor, other: Tensor) -> list[Tensor]:
        return [f.maximum(one, other)]

    (run_start,) = prefix_scan([starts], [0], at, combine)
    lengths = places - run_start
    _, best = r.argmax(lengths, at, INT64)
    ones = tuple([1 if i == at else size for i, size in enumerate(values.shape)])
    place = m.reshape(best, ones)
    return [m.reshape(ix.take_along(x, place, at), call.shape) for x in (values, indices)]


@lowers(
    "searchsorted.Tensor", "searchsorted.Scalar", "bucketize.Tensor", "bucketize.Scalar",
)  # fmt: skip
def searchsorted(
    call: Call, one: Operand, other: Operand, *, right: bool = False, side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """How many elements of rows in order come before numbers."""
    is_search = call.name.startswith("aten.searchsorted")
    rows, values = (one, other) if is_search else (other, one)
    rows, numbers = call.promote(rows, values)
    if sorter is not None:
        rows = ix.take_along(rows, sorter, -1)
    is_right = side == "right" if side is not None else right
    wanted = m.expand_dims(numbers, -1)
    if rows.rank == 1:
        table = m.reshape(rows, (1,) * numbers.rank + rows.shape)
    else:
        table = m.expand_dims(rows, -2)
    if is_right:
        before = ~(table > wanted) if not rows.is_float else (table <= wanted) | f.is_nan(wanted)
    else:
        before = (
            (table < wanted)
            if not rows.is_float
            else ((table < wanted) | (f.is_nan(wanted) & ~f.is_nan(table)))
        )
    counts = r.sum_over(before.convert(INT64), [before.rank - 1])
    return m.reshape(counts, call.shape).convert(call.element)


@lowers("isin.Tensor_Tensor", "isin.Tensor_Scalar", "isin.Scalar_Tensor")
def isin(call: Call, elements: Operand, test_elements: Operand, *, invert: bool = False) -> Tensor:
    """Whether each element is one of others."""
    x, tests = call.promote(elements, test_elements)
    flat = m.flatten(tests)
    found = r.any_over(m.expand_dims(x, -1).equals(flat), [-1])
    return ~found if invert else found

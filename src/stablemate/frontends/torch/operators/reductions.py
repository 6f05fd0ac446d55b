"""Reductions.

Source: PyTorch, torch, "Reduction Ops".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from stablemate.dialects.stablehlo.elementwise import Add, Multiply, Xor
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.control import counted_loop
from stablemate.frontends.tensor_functions.graph import TensorGraph
from stablemate.frontends.tensor_functions.indexing import dynamic_index, dynamic_update_index
from stablemate.frontends.tensor_functions.random_numbers import WORD
from stablemate.frontends.tensor_functions.scans import cumulative, prefix_scan
from stablemate.frontends.tensor_functions.tensor import Tensor, full, size_tensor
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.ir.core import Operation
from stablemate.numerics.elements import BOOLEAN, F64


def dimensions_of(x: Tensor, dim: int | Sequence[int] | None) -> list[int]:
    """The dimensions that an operator reduces: none named are all."""
    named = [dim] if isinstance(dim, int) else dim
    return r.all_dimensions(x, named or None)


def reshape_result(call: Call, x: Tensor) -> Tensor:
    """A result with the dimensions that ``keepdim`` keeps, in its element type."""
    return m.reshape(x.convert(call.element), call.shape)


@lowers("sum", "sum.dim_IntList", "prims.sum")
def sum_(
    call: Call, self: Tensor, dim: Sequence[int] | None = None, keepdim: object = False
) -> Tensor:
    """The sum over dimensions, by default of all elements."""
    x = call.to_compute_type(call.tensor(self))
    return reshape_result(call, r.sum_over(x, dimensions_of(self, dim)))


@lowers("hash_tensor")
def hash_tensor(
    call: Call, self: Tensor, dim: Sequence[int] | None = None, *, keepdim: object = False,
    mode: int = 0,
) -> Tensor:  # fmt: skip
    """The exclusive or of the bits of elements in 64 bits."""
    wide = self.convert(F64 if self.is_float else INT64)
    bits = f.bitcast(wide, WORD)
    return reshape_result(call, r.reduce_with(bits, Xor, dimensions_of(self, dim)))


@lowers("nansum")
def nansum(call: Call, self: Tensor, dim: Sequence[int] | None, keepdim: bool) -> Tensor:
    """The sum of all numbers that are not NaN."""
    x = call.to_compute_type(call.tensor(self))
    return reshape_result(call, r.sum_over(f.select(f.is_nan(x), 0, x), dimensions_of(self, dim)))


@lowers("mean", "mean.dim")
def mean(
    call: Call, self: Tensor, dim: Sequence[int] | None = None, keepdim: bool = False
) -> Tensor:
    """The mean over dimensions, by default of all elements."""
    x, dims = call.to_compute_type(call.tensor(self)), dimensions_of(self, dim)
    return reshape_result(call, r.mean_over(x, dims))


@lowers("prod", "prod.dim_int", "prims.prod")
def prod(
    call: Call, self: Tensor, dim: int | Sequence[int] | None = None, keepdim: object = False
) -> Tensor:
    """The product over dimensions, by default of all elements."""
    x = call.to_compute_type(call.tensor(self))
    return reshape_result(call, r.product_over(x, dimensions_of(self, dim)))


@lowers("amax", "max", "prims.amax")
def amax(
    call: Call, self: Tensor, dim: Sequence[int] | None = None, keepdim: object = False
) -> Tensor:
    """The maximum; NaN if there is one."""
    return reshape_result(call, r.maximum_over(self, dimensions_of(self, dim)))


@lowers("amin", "min", "prims.amin")
def amin(
    call: Call, self: Tensor, dim: Sequence[int] | None = None, keepdim: object = False
) -> Tensor:
    """The minimum; NaN if there is one."""
    return reshape_result(call, r.minimum_over(self, dimensions_of(self, dim)))


@lowers("_aminmax", "_aminmax.dim")
def aminmax_of(
    call: Call, self: Tensor, dim: int | None = None, keepdim: bool = False
) -> list[Tensor]:
    """The minimum and the maximum."""
    return aminmax(call, self, dim=dim, keepdim=keepdim)


@lowers("aminmax")
def aminmax(call: Call, self: Tensor, *, dim: int | None, keepdim: bool) -> list[Tensor]:
    """The minimum and the maximum."""
    dims = dimensions_of(self, dim)
    results = r.minimum_over(self, dims), r.maximum_over(self, dims)
    return [m.reshape(result, call.shape) for result in results]


@lowers("max.dim", "min.dim")
def max_dim(call: Call, self: Tensor, dim: int, keepdim: bool) -> list[Tensor]:
    """The maximum or minimum along a dimension, and its first index."""
    find = r.argmax if call.name.startswith("aten.max") else r.argmin
    if not self.rank:
        return [self, full(call.graph, (), 0, INT64)]
    x = self.convert(INT64) if self.is_boolean else self
    value, index = find(x, dim, INT64)
    return [m.reshape(value.convert(call.element), call.shape), m.reshape(index, call.shape)]


@lowers("argmax", "argmin")
def argmax(call: Call, self: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    """The first index of the maximum or minimum, of all elements without a dimension."""
    find = r.argmax if call.name.startswith("aten.argmax") else r.argmin
    if not self.rank:
        return full(call.graph, call.shape, 0, INT64)
    x = m.flatten(self) if dim is None else self
    _, index = find(x, 0 if dim is None else dim, INT64)
    return m.reshape(index, call.shape)


@lowers("any", "any.dim", "any.dims", "prims.xor_sum", "_is_any_true")
def any_(
    call: Call, self: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False
) -> Tensor:
    """Whether an element is not zero."""
    dims = [] if dim == [] and call.name.endswith("dims") else dimensions_of(self, dim)
    return reshape_result(call, r.any_over(self.convert(BOOLEAN), dims))


@lowers("all", "all.dim", "all.dims", "_is_all_true")
def all_(
    call: Call, self: Tensor, dim: int | Sequence[int] | None = None, keepdim: bool = False
) -> Tensor:
    """Whether no element is zero."""
    dims = [] if dim == [] and call.name.endswith("dims") else dimensions_of(self, dim)
    return reshape_result(call, r.all_over(self.convert(BOOLEAN), dims))


@lowers("count_nonzero.dim_IntList", "count_nonzero")
def count_nonzero(call: Call, self: Tensor, dim: int | Sequence[int] | None) -> Tensor:
    """How many elements are not zero."""
    hits = self.convert(BOOLEAN).convert(INT64)
    return reshape_result(call, r.sum_over(hits, dimensions_of(self, dim)))


@lowers("var.correction", "std.correction", "prims.var", "var.dim", "var")
def variance(
    call: Call,
    self: Tensor,
    dim: Sequence[int] | None = None,
    correction: Operand | None = None,
    keepdim: bool = False,
) -> Tensor:
    """The variance or standard deviation."""
    result, _ = moments(call, self, dim, correction)
    return reshape_result(call, f.sqrt(result) if ".std." in call.name else result)


@lowers("var_mean.correction", "std_mean.correction")
def var_mean(
    call: Call, self: Tensor, dim: Sequence[int] | None = None, *, correction: Operand | None = None
) -> list[Tensor]:
    """The variance or standard deviation, and the mean."""
    result, average = moments(call, self, dim, correction)
    spread = f.sqrt(result) if "std" in call.name else result
    kept = call.types[1]
    assert kept is not None
    return [reshape_result(call, spread), m.reshape(average.convert(kept[1]), call.shape)]


def moments(
    call: Call, x: Tensor, dim: Sequence[int] | None, correction: Operand | None
) -> tuple[Tensor, Tensor]:
    """The variance and the mean over dimensions, in the type of intermediate results."""
    wide, dims = call.to_compute_type(x), dimensions_of(x, dim)
    average = r.mean_over(wide, dims)
    distance = wide - r.keep_dimensions(average, x.shape, dims)
    squares = f.square(distance) if not x.is_complex else f.real(distance * f.conjugate(distance))
    count = size_tensor(call.graph, r.product_of_sizes(x, dims), squares.element)
    less = 1 if correction is None else correction
    divisor = f.maximum(count - call.tensor(less, squares.element), 0)
    return r.sum_over(squares, dims) / divisor, average


@lowers("logsumexp", "_logsumexp")
def logsumexp(call: Call, self: Tensor, dim: Sequence[int], keepdim: bool) -> Tensor:
    """log(sum(exp(self))), without overflow."""
    x, dims = call.to_compute_type(call.tensor(self)), dimensions_of(self, dim)
    return reshape_result(call, r.log_sum_exp(x, dims))


def register_cumulative(name: str, cls: type[Operation]) -> None:
    """Registers the operator of all totals of an operation along a dimension."""

    @lowers(name)
    def lowering(call: Call, self: Tensor, dim: int) -> Tensor:
        if not self.rank:
            return call.tensor(self)
        x = call.to_compute_type(call.tensor(self))
        return cumulative(x, cls, dim).convert(call.element)


register_cumulative("cumsum", Add)
register_cumulative("cumprod", Multiply)


@lowers("cummax", "cummin")
def cummax(call: Call, self: Tensor, dim: int) -> list[Tensor]:
    """The largest or smallest element up to each index, and its last index."""
    is_max = call.name.startswith("aten.cummax")
    if not self.rank:
        return [self, full(call.graph, (), 0, INT64)]
    x = self.convert(INT64) if self.is_boolean else self
    places = m.iota(call.graph, x.shape, x.dimension(dim), INT64)
    start = r.lowest(x.element) if is_max else r.highest(x.element)

    def combine(value: Tensor, place: Tensor, other: Tensor, at: Tensor) -> list[Tensor]:
        takes_other = other >= value if is_max else other <= value
        if x.is_float:
            takes_other = (takes_other & value.equals(value)) | other.differs(other)
        takes_other = takes_other | (place < 0)
        return [f.select(takes_other, other, value), f.select(takes_other, at, place)]

    values, indices = prefix_scan([x, places], [start, -1], dim, combine)
    return [values.convert(call.element), indices]


@lowers("logcumsumexp", "_logcumsumexp")
def logcumsumexp(call: Call, self: Tensor, dim: int) -> Tensor:
    """log(cumsum(exp(self))), without overflow."""
    if not self.rank:
        return self
    x = call.to_compute_type(self)

    if x.is_complex:
        return prefixes_in_order(x, -inf, dim, complex_logaddexp)
    (result,) = prefix_scan([x], [-inf], dim, logaddexp)
    return result.convert(self.element)


def logaddexp(one: Tensor, other: Tensor) -> list[Tensor]:
    """log(exp(one) + exp(other)), without overflow."""
    high, low = f.maximum(one, other), f.minimum(one, other)
    difference = f.select(high.equals(low), 0, low - high)
    return [f.select(abs(high).equals(inf), high, high + f.log1p(f.exp(difference)))]


def complex_logaddexp(one: Tensor, other: Tensor) -> Tensor:
    """The same of complex numbers: the angle is that of the larger one, and what the other adds."""
    is_larger = f.real(one) > f.real(other)
    high, low = f.select(is_larger, one, other), f.select(is_larger, other, one)
    is_infinite = abs(f.real(high)).equals(inf)
    difference = f.select(is_infinite, 0, low - high)
    return f.select(is_infinite, high, high + f.log1p(f.exp(difference)))


def prefixes_in_order(
    x: Tensor, start: float, dimension: int, combine: Callable[[Tensor, Tensor], Tensor]
) -> Tensor:
    """The elements up to each index combined, one after the other.

    A scan that combines groups of them gives other multiples of 2 pi in angles.
    """
    rows = m.move_dimension(x, dimension, 0)

    def step(graph: TensorGraph, index: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
        total, prefixes = state
        total = combine(total, dynamic_index(rows.within(graph), index))
        return [total, dynamic_update_index(prefixes, total, index)]

    first = full(x.graph, rows.shape[1:], start, x.element)
    count = size_tensor(x.graph, rows.shape[0], INT64)
    _, result = counted_loop(count, step, [first, rows])
    return m.move_dimension(result, 0, dimension)

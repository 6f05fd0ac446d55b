"""Reductions, softmax, cumulative operations.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from stablemate.dialects.stablehlo.elementwise import Add, Multiply
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.table import lowers, require_axes
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.scans import cumulative, shift
from stablemate.frontends.tensor_functions.softmax import log_softmax_along, softmax_along
from stablemate.frontends.tensor_functions.tensor import Tensor, size_tensor
from stablemate.numerics.elements import F64, I64

Reduction = Callable[[Tensor, Sequence[int]], Tensor]


def maximum_over(x: Tensor, dims: Sequence[int]) -> Tensor:
    """The maximum; of booleans whether any is true."""
    return r.any_over(x, dims) if x.is_boolean else r.maximum_over(x, dims)


def minimum_over(x: Tensor, dims: Sequence[int]) -> Tensor:
    """The minimum; of booleans whether all are true."""
    return r.all_over(x, dims) if x.is_boolean else r.minimum_over(x, dims)


REDUCTIONS: Final[dict[str, Reduction]] = {
    "ReduceSum": r.sum_over,
    "ReduceProd": r.product_over,
    "ReduceMax": maximum_over,
    "ReduceMin": minimum_over,
    "ReduceMean": r.mean_over,
    "ReduceL1": lambda x, dims: r.sum_over(abs(x), dims),
    "ReduceL2": lambda x, dims: root(r.sum_over(f.square(x), dims)),
    "ReduceSumSquare": lambda x, dims: r.sum_over(f.square(x), dims),
    "ReduceLogSum": lambda x, dims: f.log(r.sum_over(as_floats(x), dims)),
    "ReduceLogSumExp": lambda x, dims: r.log_sum_exp(as_floats(x), dims),
}


def as_floats(x: Tensor) -> Tensor:
    """The numbers as floats, as the standard's body of these operators computes with integers."""
    return x if x.is_float else x.convert(F64)


def root(x: Tensor) -> Tensor:
    """The square root; of integers rounded down."""
    return f.sqrt(x) if x.is_float else f.sqrt(x.convert(F64)).convert(x.element)


def register_reduction(name: str, function: Reduction) -> None:
    """Registers a reduction: until the axes became an input, and since then."""
    changed = 13 if name == "ReduceSum" else 18

    @lowers(name, until=changed - 1)
    def by_attribute(
        call: Call, x: Tensor, *, axes: Sequence[int] | None = None, keepdims: int = 1
    ) -> Tensor:
        return reduce_axes(function, x, axes or None, keeps=bool(keepdims))

    @lowers(name, since=changed)
    def by_input(
        call: Call, x: Tensor, axes: Tensor | None = None, *, keepdims: int = 1,
        noop_with_empty_axes: int = 0,
    ) -> Tensor:  # fmt: skip
        chosen = [] if axes is None else call.integers(axes, "the axes")
        if not chosen and noop_with_empty_axes:
            return function(to_compute_type(x), []).convert(x.element)
        return reduce_axes(function, x, chosen or None, keeps=bool(keepdims))


for _name, _function in REDUCTIONS.items():
    register_reduction(_name, _function)


def reduce_axes(
    function: Reduction, x: Tensor, axes: Sequence[int] | None, *, keeps: bool
) -> Tensor:
    """A reduction over axes, by default all."""
    dims = r.all_dimensions(x, None if axes is None else require_axes(axes, x.rank))
    result = function(to_compute_type(x), dims).convert(x.element)
    return m.expand_dims(result, *dims) if keeps and dims else result


@lowers("ArgMax", "ArgMin")
def argument_of_extremum(
    call: Call, x: Tensor, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0
) -> Tensor:
    """The index of the first or last maximum or minimum along an axis"""
    at = x.dimension(axis)
    operand = m.reverse(x, [at]) if select_last_index else x
    find = r.argmax if call.node.operator == "ArgMax" else r.argmin
    _, places = find(operand, at, I64)
    if select_last_index:
        places = size_tensor(call.graph, x.shape[at], I64) - 1 - places
    return m.expand_dims(places, at) if keepdims else places


@lowers("Softmax", since=13)
def softmax(call: Call, x: Tensor, *, axis: int = -1) -> Tensor:
    """exp(x - max x) / the sum of these"""
    return softmax_along(to_compute_type(x), axis).convert(x.element) if x.rank else x / x


@lowers("LogSoftmax", since=13)
def log_softmax(call: Call, x: Tensor, *, axis: int = -1) -> Tensor:
    """X - max x - log of the sum of exp(x - max x)"""
    return log_softmax_along(to_compute_type(x), axis).convert(x.element) if x.rank else x - x


def register_flattened(name: str, function: Callable[[Tensor], Tensor]) -> None:
    """Registers a function of the rows of a matrix, as which versions before 13 see a tensor."""

    @lowers(name, until=12)
    def lowering(call: Call, x: Tensor, *, axis: int = 1) -> Tensor:
        at = x.dimension(axis)
        last = tuple(range(at, x.rank))
        rows = m.flatten(x, at) if last else x
        return m.reshape(function(rows), x.shape)


register_flattened("Softmax", lambda x: softmax_along(to_compute_type(x), -1).convert(x.element))
register_flattened(
    "LogSoftmax", lambda x: log_softmax_along(to_compute_type(x), -1).convert(x.element)
)
register_flattened("Hardmax", lambda x: first_maximum(x, -1))


@lowers("Hardmax", since=13)
def hardmax(call: Call, x: Tensor, *, axis: int = -1) -> Tensor:
    """One at the first maximum along an axis, else 0"""
    return first_maximum(x, axis)


def first_maximum(x: Tensor, axis: int) -> Tensor:
    """One at the first maximum along an axis, else 0."""
    at = x.dimension(axis)
    _, places = r.argmax(x, at, I64)
    here = m.iota(x.graph, x.shape, at, I64)
    return here.equals(r.keep_dimensions(places, x.shape, [at])).convert(x.element)


@lowers("CumSum")
def cumulative_sum(
    call: Call, x: Tensor, axis: Tensor, *, exclusive: int = 0, reverse: int = 0
) -> Tensor:
    """The sum of elements up to each index"""
    (at,) = require_axes(call.integers(axis, "the axis"), x.rank)
    operand = shift_by_one(x, at, 0, reverse=bool(reverse)) if exclusive else x
    result = cumulative(to_compute_type(operand), Add, at, reverse=bool(reverse))
    return result.convert(x.element)


@lowers("CumProd")
def cumulative_product(
    call: Call, x: Tensor, axis: Tensor, *, exclusive: int = 0, reverse: int = 0
) -> Tensor:
    """The product of elements up to each index"""
    (at,) = require_axes(call.integers(axis, "the axis"), x.rank)
    operand = shift_by_one(x, at, 1, reverse=bool(reverse)) if exclusive else x
    result = cumulative(to_compute_type(operand), Multiply, at, reverse=bool(reverse))
    return result.convert(x.element)


def shift_by_one(x: Tensor, dimension: int, filler: int, *, reverse: bool) -> Tensor:
    """Elements one place further along a dimension; a number fills the place left."""
    return shift(x, dimension, -1 if reverse else 1, filler)

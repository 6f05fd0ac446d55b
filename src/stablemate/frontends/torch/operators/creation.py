"""Operators that create tensors.

Source: PyTorch, torch, "Creation Ops". What PyTorch leaves uninitialized is zero here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F64, FloatType


@lowers(
    "full", "full_like", "prims.full", "prims.full_like", "fill.Scalar", "fill.Tensor", "prims.fill"
)
def filled(call: Call, _: object, value: Operand) -> Tensor:
    """A tensor of which each element is the number."""
    if isinstance(value, Tensor):
        return m.reshape(call.tensor(value), ()).broadcast_to(call.shape)
    if isinstance(value, bool | int | float | complex):
        return full(call.graph, call.shape, value, call.element)
    return call.tensor(value).broadcast_to(call.shape)


@lowers("new_full")
def new_full(call: Call, self: Tensor, size: Sequence[SizeLike], value: Operand) -> Tensor:
    """A tensor of a shape, of which each element is the number."""
    return filled(call, size, value)


@lowers(
    "zeros", "zeros_like", "new_zeros", "empty.memory_format", "empty_like", "new_empty",
    "empty_strided", "new_empty_strided", "empty_permuted", "prims.empty", "prims.empty_strided",
    "prims.empty_permuted", "zero", "_efficientzerotensor", "_new_zeros_with_same_feature_meta",
)  # fmt: skip
def zeros(call: Call, *_: object) -> Tensor:
    """Zeros of the call's shape, also for tensors that are not initialized."""
    return full(call.graph, call.shape, 0, call.element)


@lowers("ones", "ones_like", "new_ones")
def ones(call: Call, *_: object) -> Tensor:
    """Ones of the shape and element type of the call."""
    return full(call.graph, call.shape, 1, call.element)


@lowers("scalar_tensor", "prims.scalar_tensor")
def scalar_tensor(call: Call, s: Operand) -> Tensor:
    """A number as a tensor."""
    return call.tensor(s)


@lowers("arange.start_step", "arange.start", "arange")
def arange(call: Call, *bounds: Operand) -> Tensor:
    """start + i * step."""
    start: Operand = 0 if len(bounds) == 1 else bounds[0]
    step: Operand = bounds[2] if len(bounds) > 2 else 1
    return progression(call, start, step)


@lowers("range", "range.step")
def closed_range(call: Call, start: Operand, end: Operand, step: Operand = 1) -> Tensor:
    """start + i * step up to the end, which belongs to it."""
    return progression(call, start, step)


@lowers("prims.iota")
def iota(call: Call, length: SizeLike, *, start: Operand, step: Operand) -> Tensor:
    """start + i * step."""
    return progression(call, start, step)


def progression(call: Call, start: Operand, step: Operand) -> Tensor:
    """start + i * step, computed in 64 bits."""
    wide = F64 if isinstance(call.element, FloatType) else INT64
    index = m.iota(call.graph, call.shape, 0, INT64).convert(wide)
    if isinstance(start, int) and isinstance(step, int) and (start, step) == (0, 1):
        return index.convert(call.element)
    result = call.tensor(start, wide) + index * call.tensor(step, wide)
    return result.convert(call.element)


@lowers("eye", "eye.m")
def eye(call: Call, *_: object) -> Tensor:
    """Ones on the diagonal of a matrix."""
    rows = m.iota(call.graph, call.shape, 0, INT64)
    columns = m.iota(call.graph, call.shape, 1, INT64)
    return rows.equals(columns).convert(call.element)


@lowers("tril_indices", "triu_indices")
def triangle_indices(call: Call, row: int, col: int, offset: int) -> Tensor:
    """The rows and columns of the elements on one side of a diagonal."""
    index = np.tril_indices if "tril" in call.name else np.triu_indices
    places = np.stack(index(row, offset, col))
    return constant(call.graph, places.astype(call.element.dtype), call.element)

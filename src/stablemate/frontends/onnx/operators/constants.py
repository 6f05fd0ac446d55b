"""Tensors that need no input, or only its shape.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stablemate.frontends.onnx.call import RANDOM_KEY, Call, ValueNeededError
from stablemate.frontends.onnx.element_types import STRING, element_like, element_of
from stablemate.frontends.onnx.model import StoredTensor
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.onnx.text_tensors import Texts
from stablemate.frontends.tensor_functions.compaction import value_size
from stablemate.frontends.tensor_functions.elementwise import ceil, maximum, select
from stablemate.frontends.tensor_functions.graph import SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.movement import concatenate, iota, reshape
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full, size_tensor
from stablemate.numerics.elements import F32, F64, I64


def stored_constant(call: Call, stored: StoredTensor) -> Any:
    """A tensor of the model as a constant; strings are an array."""
    array = stored.read()
    if stored.data_type == STRING:
        return array
    return constant(call.graph, array, element_of(stored.data_type, "the constant"))


@lowers("Constant")
def constant_(
    call: Call, *, value: StoredTensor | None = None, sparse_value: StoredTensor | None = None,
    value_float: float | None = None, value_floats: Sequence[float] | None = None,
    value_int: int | None = None, value_ints: Sequence[int] | None = None,
    value_string: str | None = None, value_strings: Sequence[str] | None = None,
) -> object:  # fmt: skip
    """A tensor that the model holds"""
    if len(call.attributes) != 1:
        raise ValueError(f"{len(call.attributes)} attributes state the value, of one")
    stored = value if value is not None else sparse_value
    if stored is not None:
        return stored_constant(call, stored)
    for floats in (value_float, value_floats):
        if floats is not None:
            return constant(call.graph, np.array(floats, np.float32))
    for integers in (value_int, value_ints):
        if integers is not None:
            return constant(call.graph, np.array(integers, np.int64))
    return np.array(value_string if value_string is not None else value_strings, object)


def sizes_vector(graph: TensorGraph, sizes: Sequence[SizeLike]) -> Tensor:
    """Sizes as a tensor of 64-bit integers."""
    if all(isinstance(size, int) for size in sizes):
        return constant(graph, np.array(sizes, np.int64))
    return concatenate([reshape(size_tensor(graph, size, I64), (1,)) for size in sizes], 0)


@lowers("Shape", strings="any")
def shape(call: Call, x: Tensor | Texts, *, start: int = 0, end: int | None = None) -> Tensor:
    """The sizes of a tensor, from one dimension to before another"""
    return sizes_vector(call.graph, x.shape[start:end])


@lowers("Size", strings="any")
def size(call: Call, x: Tensor | Texts) -> Tensor:
    """The number of elements of the input, as a scalar"""
    return size_tensor(call.graph, x.size, I64)


@lowers("ConstantOfShape")
def constant_of_shape(call: Call, x: Tensor, *, value: StoredTensor | None = None) -> Tensor:
    """A tensor filled with a number"""
    sizes = call.numbers(x, "the shape")
    if value is None:
        return full(call.graph, sizes, 0, F32)
    return reshape(stored_constant(call, value), ()).broadcast_to(sizes)


@lowers("EyeLike")
def eye_like(call: Call, x: Tensor, *, dtype: int | None = None, k: int = 0) -> Tensor:
    """Ones on a diagonal of a matrix, else zeros"""
    rows, columns = (iota(call.graph, x.shape, d, I64) for d in range(2))
    element = element_like(x.element, dtype)
    return columns.equals(rows + k).convert(element)


@lowers("Range")
def range_(call: Call, start: Tensor, limit: Tensor, delta: Tensor, **_: object) -> Tensor:
    """Numbers from a start to before a limit, delta apart"""
    try:
        (first,), (last,), (step,) = (
            call.numbers(x, "the bounds") if x.is_integer
            else call.needed_array(x, "the bounds").reshape(-1).tolist()
            for x in (start, limit, delta)
        )  # fmt: skip
    except ValueNeededError as error:
        if RANDOM_KEY not in error.names:
            raise
        # No value of an input tells what random numbers decide, as how long speech is.
        one, other, apart = (reshape(x, ()).convert(F64) for x in (start, limit, delta))
        size = value_size(maximum(ceil((other - one) / apart), 0).convert(I64))
        steps = iota(call.graph, (size,), 0, start.element)
        return steps * reshape(delta, ()) + reshape(start, ())
    count = -((first - last) // step)
    if isinstance(count, float):
        count = int(count)
    length = max(count, 0) if isinstance(count, int) else count
    steps = iota(call.graph, (length,), 0, start.element)
    return steps * reshape(delta, ()) + reshape(start, ())


@lowers("Trilu")
def trilu(call: Call, x: Tensor, k: Tensor | None = None, *, upper: int = 1) -> Tensor:
    """The triangle of matrices above or below a diagonal, else zeros"""
    rows, columns = (iota(call.graph, x.shape, d, I64) for d in (x.rank - 2, x.rank - 1))
    offset = columns - rows if k is None else columns - rows - reshape(k, ())
    kept = offset >= 0 if upper else offset <= 0
    return select(kept, x, 0)

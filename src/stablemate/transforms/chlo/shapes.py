"""Shapes as values: what patterns need for tensors whose sizes are known only at run time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.get_dimension_size import GetDimensionSize
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import DYNAMIC, TensorType, tensor
from stablemate.numerics.elements import I32


def shape_of(builder: Builder, value: Value[TensorType]) -> Value[TensorType]:
    """The shape of a value, as a tensor of 32-bit integers; ``(rank,)``."""
    return concatenated_sizes(builder, [size_of(builder, value, d) for d in range(value.type.rank)])


def size_of(builder: Builder, value: Value[TensorType], dimension: int) -> Value[TensorType]:
    """The size of a dimension, as a 32-bit integer."""
    size = value.type.shape[dimension]
    if size == DYNAMIC:
        return builder.create(GetDimensionSize, operand=value, dimension=dimension).results[0]
    return integers(builder, size)


def concatenated_sizes(builder: Builder, sizes: Sequence[Value[TensorType]]) -> Value[TensorType]:
    """32-bit integers as a tensor of one dimension."""
    if not sizes:
        return integers(builder, ())
    rows = [
        builder.create(Reshape, operand=size, results=(tensor(I32, 1),)).results[0]
        for size in sizes
    ]
    return builder.create(Concatenate, inputs=rows, dimension=0).results[0]


def integers(builder: Builder, values: int | Sequence[int]) -> Value[TensorType]:
    """A constant of 32-bit integers.

    Raises:
        UnsupportedError: A number has more bits.
    """
    wide = [values] if isinstance(values, int) else values
    if excess := next((number for number in wide if not -(1 << 31) <= number < 1 << 31), None):
        raise UnsupportedError(f"shapes are computed in i32, which does not hold {excess}")
    data = np.array(values, np.int32)
    literal = dense_elements(TensorType(data.shape, I32), data)
    return builder.create(Constant, value=literal).results[0]

"""Local tensors all of whose elements are equal."""

from __future__ import annotations

import numpy as np

from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import Builder
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType


def splat_constant(builder: Builder, local: TensorType, number: object) -> Value[TensorType]:
    """Returns a constant tensor with all elements equal."""
    value = np.broadcast_to(np.array(number).astype(local.element_type.dtype), local.shape)
    literal = dense_elements(local, value)
    return builder.create(Constant, value=literal, results=[local]).results[0]


def spread(builder: Builder, scalar: Value[TensorType], result: TensorType) -> Value[TensorType]:
    """Broadcasts a scalar to the result's shape."""
    if not result.shape:
        return scalar
    return builder.create(
        BroadcastInDim, operand=scalar, broadcast_dimensions=(), results=[result]
    ).results[0]

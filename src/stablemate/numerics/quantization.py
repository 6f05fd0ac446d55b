"""Quantized elements and the floats that they stand for.

Source: StableHLO specification, "Quantization computations".
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from stablemate.numerics.elements import (
    F64,
    I64,
    Array,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)
from stablemate.numerics.rounding import converter, round_float

PARAMETERS_KEPT: Final = 1024


def baseline(element: ElementType) -> ElementType:
    """The element type with default scales and zero points; two that differ in them only agree."""
    if not isinstance(element, QuantizedType):
        return element
    count = len(element.scales)
    return replace(element, scales=(1.0,) * count, zero_points=(0,) * count)


def dequantize(stored: Array, element: QuantizedType) -> Any:
    """The floats that stored values stand for: ``(stored - zero_point) * scale``.

    The difference is formed exactly; it is rounded to the expressed type, and the product again.

    Args:
        stored: Values in the storage type. Of per-axis and sub-channel quantized tensors the shape
            must be the one that the type is for.
        element: Their type.
    """
    wide, scale, zero_point = parameters(element, np.ndim(stored))
    difference = converter(element.storage, wide)(stored) - zero_point
    return converter(wide, element.expressed)(difference) * scale


def quantize(values: Array, element: QuantizedType) -> Any:
    """The stored values that stand for floats.

    ``round_nearest_even(clamp(storage_min, values / scale + zero_point, storage_max))``, all in the
    expressed type; NaN becomes zero.

    Args:
        values: Floats of the expressed type; shapes as for ``dequantize``.
        element: The quantized type.
    """
    wide, scale, zero_point = parameters(element, np.ndim(values))
    express = converter(wide, element.expressed)
    low, high = (
        express(np.asarray(end, wide.dtype)) for end in (element.storage_min, element.storage_max)
    )
    shifted = values / scale + express(zero_point)
    clamped = np.minimum(np.maximum(low, shifted), high)
    return converter(element.expressed, element.storage)(np.rint(clamped))


@lru_cache(PARAMETERS_KEPT)
def parameters(element: QuantizedType, rank: int) -> tuple[IntegerType | FloatType, Array, Array]:
    """What the formulas need for tensors of a rank.

    Returns:
        The type in which stored values and zero points are exact; the scales in the expressed type
        and the zero points in the exact one, shaped so that both broadcast against a tensor.
    """
    wide = I64 if isinstance(element.storage, IntegerType) else F64
    scales = round_float(np.array(element.scales, np.float64), element.expressed)
    zero_points = np.array(element.zero_points, wide.dtype)
    return wide, spread(scales, element, rank), spread(zero_points, element, rank)


def spread(values: Array, element: QuantizedType, rank: int) -> Array:
    """One value per tensor, slice or block, shaped to broadcast against a tensor of a rank."""
    if element.is_per_tensor:
        return values.reshape(())
    if element.is_per_axis:
        d = element.quantization_dimension
        return values.reshape([-1 if i == d else 1 for i in range(rank)])
    blocks = values.reshape(element.block_shape)
    for dimension, size in element.blocks:
        blocks = np.repeat(blocks, size, dimension)
    return blocks

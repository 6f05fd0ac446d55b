"""Dots and convolutions of tensors of 8 bits, whose sums are integers.

Where scales and zero points are known, tensors are those of StableHLO's quantized types, whose
stored values the compiler multiplies.

Source: StableHLO specification, Quantization computations; B. Jacob et al., Quantization and
Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference, 2018, section 2.3.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.uniform_dequantize import UniformDequantize
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.stored_numbers import StoredNumbers
from stablemate.frontends.tensor_functions.tensor import Tensor, emit
from stablemate.numerics.elements import F32, I8, I32, UI8, QuantizedType

FACTORS: Final = 4  # of which instructions sum the products


def note_stored(
    call: Call, result: Tensor, x: Tensor, scale: Tensor, zero_point: Tensor | None, axis: int
) -> None:
    """Notes which stored numbers floats come from, if the scales and zero points are known."""
    stored = stored_numbers(call, x, scale, zero_point, axis)
    if stored is not None and result.element == F32:
        call.stored[result.value] = stored


def stored_numbers(
    call: Call, x: Tensor, scale: Tensor, zero_point: Tensor | None, axis: int
) -> StoredNumbers | None:
    """Stored numbers of 8 bits; None if their scales or zero points are not known."""
    scales = call.array(scale)
    zeros = np.zeros((), np.int64) if zero_point is None else call.array(zero_point)
    if x.element not in (I8, UI8) or scales is None or zeros is None or scales.ndim > 1:
        return None
    factors = scales.reshape(-1).astype(np.float32)
    shifts = np.broadcast_to(zeros.reshape(-1).astype(np.int64), factors.shape)
    if not (np.isfinite(factors) & (factors > 0)).all():
        return None
    return StoredNumbers(x, factors, shifts, x.dimension(axis) if factors.size > 1 else None)


def quantized_operands(
    lhs: StoredNumbers | None, rhs: StoredNumbers | None, dimension: int, depth: object
) -> tuple[Tensor, Tensor] | None:
    """The operands of a product as quantized tensors; None if floats are faster.

    Args:
        lhs: The left operand; its numbers have one scale.
        rhs: The right one; its numbers have no zero point.
        dimension: The dimension of it that may have a scale for each index.
        depth: How many products that are neighbors a sum has.
    """
    if lhs is None or rhs is None or lhs.scales.size > 1 or rhs.zeros.any():
        return None
    if rhs.dimension not in (None, dimension) or rhs.x.element != I8:
        return None
    if not isinstance(depth, int) or depth % FACTORS:
        return None
    return lhs.as_quantized(), rhs.as_quantized()


def summed_neighbors(kernel: Tensor, group: int) -> object:
    """How many products that are neighbors a sum of a convolution has.

    Features of an image are filled up to the next multiple, unless there are groups of them. A
    depthwise convolution has none, and needs none.
    """
    inputs = kernel.shape[1]
    if group > 1 and kernel.shape[:2] == (group, 1):
        return 0
    if group > 1 or not isinstance(inputs, int):
        return inputs
    return -(-inputs // FACTORS) * FACTORS


def sums_element(lhs: Tensor, rhs: Tensor, dimension: int) -> QuantizedType:
    """The element type of sums of products of quantized tensors: integers of 32 bits.

    Args:
        lhs: The left operand.
        rhs: The right operand.
        dimension: The dimension of the result that scales of the right operand belong to.
    """
    left, right = lhs.element, rhs.element
    assert isinstance(left, QuantizedType), "an operand is quantized"
    assert isinstance(right, QuantizedType), "an operand is quantized"
    scales = np.array(right.scales) * left.scales[0]
    return QuantizedType(
        I32, F32, tuple(scales.tolist()), (0,) * scales.size, I32.minimum, I32.maximum,
        None if scales.size == 1 else dimension,
    )  # fmt: skip


def dequantize_uniform(x: Tensor) -> Tensor:
    """The floats that quantized elements represent."""
    return emit(x.graph, UniformDequantize, x.shape, F32, operand=x.value)

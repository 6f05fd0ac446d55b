"""Quantization: floats as integers with a scale and a zero point, and arithmetic on them.

Products of integers are summed in 32 bits and rescaled once.

Source: ONNX, Operator Schemas, QuantizeLinear and DequantizeLinear.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.element_types import element_of
from stablemate.frontends.onnx.operators.convolution import convolve
from stablemate.frontends.onnx.operators.elementwise import convert_elements
from stablemate.frontends.onnx.operators.stored_products import (
    dequantize_uniform,
    note_stored,
    quantized_operands,
    stored_numbers,
    summed_neighbors,
    sums_element,
)
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, scalar, size_tensor
from stablemate.numerics.elements import F32, I8, I32, UI8, ElementType, IntegerType

BIAS: Final = 128  # between bytes with a sign and without


def spread(call: Call, x: Tensor, parameter: Tensor, axis: int, block_size: int) -> Tensor:
    """A scale or zero point for each element: of a tensor, of an axis, or of blocks.

    Args:
        call: The call.
        x: The tensor that is quantized.
        parameter: The scale or zero point.
        axis: The axis that a vector belongs to, or that blocks divide.
        block_size: How many elements a block has; 0 if there are no blocks.
    """
    if is_single(parameter) or (parameter.rank == 1 and not block_size):
        return along(parameter, x, axis)
    if not block_size:
        call.refuse(f"a scale of {parameter.rank} dimensions needs block_size")
    at = x.dimension(axis)
    return m.slice_dimension(m.repeat_elements(parameter, at, block_size), at, 0, x.shape[at])


def is_single(parameter: Tensor) -> bool:
    """Whether a scale or zero point is one for all elements."""
    return parameter.rank == 0 or (parameter.rank == 1 and parameter.shape[0] == 1)


def along(parameter: Tensor, x: Tensor, dimension: int) -> Tensor:
    """A number for all elements of a tensor, or one for each index of a dimension."""
    if is_single(parameter):
        return m.reshape(parameter, ()).broadcast_to(x.shape)
    if parameter.rank == 1:
        return parameter.broadcast(x.shape, [x.dimension(dimension)])
    return parameter.broadcast_to(x.shape)


def rounded_to(x: Tensor, element: ElementType, *, saturates: bool = True) -> Tensor:
    """Floats as the nearest numbers of a narrow type; those beyond it become its limits."""
    if isinstance(element, IntegerType):
        limited = f.clamp(element.minimum, f.round_half_even(x), element.maximum)
        return limited.convert(I32).convert(element)
    return convert_elements(x, element, "up", saturates=saturates)


@lowers("QuantizeLinear")
def quantize_linear(
    call: Call, x: Tensor, scale: Tensor, zero_point: Tensor | None = None, *, axis: int = 1,
    block_size: int = 0, output_dtype: int = 0, saturate: int = 1, precision: int = 0,
) -> Tensor:  # fmt: skip
    """x / scale + zero_point, rounded"""
    element: ElementType = UI8
    if zero_point is not None:
        element = zero_point.element
    elif output_dtype:
        element = element_of(output_dtype, "the result")
    stored = numbers_again(call, x, scale, zero_point, element)
    if stored is not None:
        return stored
    wide = x.convert(F32) if x.is_integer else to_compute_type(x)
    factor = spread(call, x, scale, axis, block_size).convert(wide.element)
    quotient = wide / factor
    if zero_point is None or not isinstance(element, IntegerType):
        return rounded_to(quotient, element, saturates=bool(saturate))
    offset = spread(call, x, zero_point, axis, block_size).convert(wide.element)
    return rounded_to(f.round_half_even(quotient) + offset, element)


def numbers_again(
    call: Call, x: Tensor, scale: Tensor, zero_point: Tensor | None, element: ElementType
) -> Tensor | None:
    """The numbers that floats were dequantized from, if quantization gives these; else None."""
    stored, scales = call.stored.get(x.value), call.array(scale)
    zeros = np.zeros((), np.int64) if zero_point is None else call.array(zero_point)
    if stored is None or scales is None or zeros is None:
        return None
    return stored.x if stored.are_quantized_by(scales, zeros, element) else None


@lowers("DequantizeLinear")
def dequantize_linear(
    call: Call, x: Tensor, scale: Tensor, zero_point: Tensor | None = None, *, axis: int = 1,
    block_size: int = 0, output_dtype: int = 0,
) -> Tensor:  # fmt: skip
    """(x - zero_point) scale"""
    element = element_of(output_dtype, "the result") if output_dtype else scale.element
    factor = to_compute_type(spread(call, x, scale, axis, block_size))
    offset = None
    if zero_point is not None:
        offset = spread(call, x, zero_point, axis, block_size)
    result = (subtract_offset(x, offset, factor.element) * factor).convert(element)
    if not block_size:
        note_stored(call, result, x, scale, zero_point, axis)
    return result


def subtract_offset(x: Tensor, offset: Tensor | None, element: ElementType) -> Tensor:
    """x - offset as floats; it is exact for integers of up to 32 bits before it is rounded."""
    if offset is None or not isinstance(x.element, IntegerType):
        return x.convert(element)
    if x.element.bits > 16:
        return (x - offset).convert(element)
    return x.convert(element) - offset.convert(element)


# products of integers


def difference(x: Tensor, zero_point: Tensor | None, dimension: int) -> Tensor:
    """x - zero_point in 32 bits; a vector of zero points belongs to a dimension."""
    wide = x.convert(I32)
    if zero_point is None:
        return wide
    return wide - along(zero_point.convert(I32), wide, dimension)


@lowers("MatMulInteger")
def matmul_integer(
    call: Call, a: Tensor, b: Tensor, a_zero_point: Tensor | None = None,
    b_zero_point: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """(a - a_zero_point) (b - b_zero_point), in 32 bits"""
    are_bytes = {a.element, b.element} <= {I8, UI8} and min(a.rank, b.rank) > 1
    if are_bytes and (b_zero_point is None or b_zero_point.rank < 2):
        return product_of_bytes(call, a, b, a_zero_point, b_zero_point)
    return c.matmul(difference(a, a_zero_point, -2), difference(b, b_zero_point, -1), I32)


def product_of_bytes(
    call: Call, a: Tensor, b: Tensor, a_zero_point: Tensor | None, b_zero_point: Tensor | None
) -> Tensor:
    """(a - p) (b - q) in 32 bits, of matrices of bytes: a b - p (sum(b) - k q) - q sum(a).

    Args:
        call: The call.
        a: (..., n, k).
        b: (..., k, m).
        a_zero_point: A number, or one for each row of a.
        b_zero_point: A number, or one for each column of b.
    """
    p, q = signed_zero(a, a_zero_point), signed_zero(b, b_zero_point)
    rows, columns = with_sign(a), with_sign(b)
    sums = c.matmul(rows, columns, I32)
    has_shift = not is_zero(call, q)
    if not is_zero(call, p):
        totals = sum_of_bytes(call, columns, columns.rank - 2)
        if has_shift:
            depth = size_tensor(call.graph, b.shape[-2], I32)
            totals = totals - along(q * depth.broadcast_to(q.shape), totals, -1)
        wide = m.expand_dims(totals, totals.rank - 1).broadcast_to(sums.shape)
        sums = sums - wide * along(p, sums, -2)
    if has_shift:
        totals = sum_of_bytes(call, rows, rows.rank - 1)
        wide = m.expand_dims(totals, totals.rank).broadcast_to(sums.shape)
        sums = sums - wide * along(q, sums, -1)
    return sums


def with_sign(x: Tensor) -> Tensor:
    """Bytes with a sign: those without one less 128."""
    return x if x.element == I8 else f.bitcast(x ^ BIAS, I8)


def signed_zero(x: Tensor, zero_point: Tensor | None) -> Tensor:
    """The zero point of bytes with a sign."""
    zero = scalar(x.graph, 0, I32) if zero_point is None else zero_point.convert(I32)
    return zero if x.element == I8 else zero - BIAS


def is_zero(call: Call, zero_point: Tensor) -> bool:
    """Whether a zero point is known to be zero."""
    array = call.array(zero_point)
    return array is not None and not array.any()


def sum_of_bytes(call: Call, x: Tensor, dimension: int) -> Tensor:
    """The sums of bytes along a dimension, in 32 bits."""
    array = call.array(x)
    if array is not None:  # of weights
        return constant(call.graph, array.sum(dimension, dtype=np.int32))
    return r.sum_over(x.convert(I32), [dimension])


@lowers("ConvInteger")
def conv_integer(
    call: Call, x: Tensor, w: Tensor, x_zero_point: Tensor | None = None,
    w_zero_point: Tensor | None = None, *, auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None, group: int = 1,
    kernel_shape: Sequence[int] | None = None, pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of x - x_zero_point with w - w_zero_point, in 32 bits"""
    return convolve(
        call, difference(x, x_zero_point, 1), difference(w, w_zero_point, 0), auto_pad=auto_pad,
        dilations=dilations, group=group, pads=pads, strides=strides, element=I32,
    )  # fmt: skip


def requantize(
    sums: Tensor, factors: Sequence[tuple[Tensor, int]], scale: Tensor, zero_point: Tensor
) -> Tensor:
    """Sums of products as quantized numbers.

    Args:
        sums: The sums.
        factors: The scales of operands; a vector belongs to the dimension beside it.
        scale: The scale of the result.
        zero_point: Its zero point, whose type the result has.
    """
    product = sums.convert(F32)
    for factor, dimension in factors:
        product = product * along(factor.convert(F32), product, dimension)
    quotient = product / along(scale.convert(F32), product, -1)
    offset = along(zero_point.convert(F32), product, -1)
    return rounded_to(f.round_half_even(quotient) + offset, zero_point.element)


@lowers("QLinearMatMul")
def qlinear_matmul(
    call: Call, a: Tensor, a_scale: Tensor, a_zero_point: Tensor, b: Tensor, b_scale: Tensor,
    b_zero_point: Tensor, y_scale: Tensor, y_zero_point: Tensor,
) -> Tensor:  # fmt: skip
    """The product of quantized matrices, quantized"""
    sums = matmul_integer(call, a, b, a_zero_point, b_zero_point)
    return requantize(sums, [(a_scale, -2), (b_scale, -1)], y_scale, y_zero_point)


@lowers("QLinearConv")
def qlinear_conv(
    call: Call, x: Tensor, x_scale: Tensor, x_zero_point: Tensor, w: Tensor, w_scale: Tensor,
    w_zero_point: Tensor, y_scale: Tensor, y_zero_point: Tensor, bias: Tensor | None = None,
    **attributes: Any,
) -> Tensor:  # fmt: skip
    """The convolution of quantized tensors, quantized; bias has the scale of products"""
    stored = quantized_operands(
        stored_numbers(call, x, x_scale, x_zero_point, 1),
        stored_numbers(call, w, w_scale, w_zero_point, 0), 0,
        summed_neighbors(w, attributes.get("group", 1)),
    )  # fmt: skip
    if stored is not None:
        window: dict[str, Any] = {"auto_pad": "NOTSET", "dilations": None, "group": 1, "pads": None,
                  "strides": None, **attributes}  # fmt: skip
        window.pop("kernel_shape", None)
        products = convolve(call, *stored, **window, element=sums_element(*stored, 1))
        floats = dequantize_uniform(products)
        if bias is not None:
            scales = along(x_scale * w_scale, bias, 0)
            floats = floats + (bias.convert(F32) * scales).broadcast(floats.shape, [1])
        quotient = floats / along(y_scale, floats, -1)
        offset = along(y_zero_point.convert(F32), floats, -1)
        return rounded_to(f.round_half_even(quotient) + offset, y_zero_point.element)
    sums = conv_integer(call, x, w, x_zero_point, w_zero_point, **attributes)
    if bias is not None:
        sums = sums + bias.broadcast(sums.shape, [1])
    return requantize(sums, [(x_scale, 1), (w_scale, 1)], y_scale, y_zero_point)

"""Operators of ONNX Runtime's domain com.microsoft on quantized tensors.

Products of integers are summed in 32 bits; other functions are computed in floats.

Source: ONNX Runtime, Contrib Operators; T. Dettmers et al., QLoRA, 2023 (NF4).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import MICROSOFT
from stablemate.frontends.onnx.operators.contributed.general import (
    embed_layer_normalization,
    unpack_bits,
)
from stablemate.frontends.onnx.operators.elementwise import leaky_relu
from stablemate.frontends.onnx.operators.pooling import average_pool, max_pool
from stablemate.frontends.onnx.operators.quantization import (
    along,
    difference,
    matmul_integer,
    qlinear_conv,
    requantize,
    rounded_to,
)
from stablemate.frontends.onnx.operators.recurrent import layer_of, lstm_layer
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import computed_element
from stablemate.frontends.tensor_functions.softmax import softmax_along
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, scalar, size_tensor
from stablemate.numerics.elements import F32, I32, I64, UI8

FIRST_OF_ONE_AXIS: Final = 13  # the version from which a softmax is along one axis alone
# The numbers that 4 bits mean, as floats and as quantiles of the normal distribution.
FP4: Final = (
    0.0, 0.005208333333, 0.66666667, 1.0, 0.33333333, 0.5, 0.16666667, 0.25, -0.0, -0.005208333333,
    -0.66666667, -1.0, -0.33333333, -0.5, -0.16666667, -0.25,
)  # fmt: skip
NF4: Final = (
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
    -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
    0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
    0.7229568362236023, 1.0,
)  # fmt: skip


# products


@lowers("MatMulIntegerToFloat", domain=MICROSOFT)
def matmul_integer_to_float(
    call: Call, a: Tensor, b: Tensor, a_scale: Tensor, b_scale: Tensor,
    a_zero_point: Tensor | None = None, b_zero_point: Tensor | None = None,
    bias: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The product of quantized matrices in floats"""
    sums = matmul_integer(call, a, b, a_zero_point, b_zero_point)
    product = sums.convert(a_scale.element)
    product = product * along(a_scale, product, -2) * along(b_scale, product, -1)
    return product if bias is None else product + bias


@lowers("DynamicQuantizeMatMul", domain=MICROSOFT)
def dynamic_quantize_matmul(
    call: Call, a: Tensor, b: Tensor, b_scale: Tensor, b_zero_point: Tensor | None = None,
    bias: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The product of a matrix, quantized by its range, and a quantized matrix, in floats"""
    numbers, scale, zero = quantized_by_range(a)
    return matmul_integer_to_float(call, numbers, b, scale, b_scale, zero, b_zero_point, bias)


def quantized_by_range(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """A tensor as bytes, their scale and their zero point, which follow from its range."""
    low = f.minimum(r.minimum_over(x), 0)
    high = f.maximum(r.maximum_over(x), 0)
    scale = (high - low) / 255
    safe = f.select(scale.equals(0), 1, scale)
    zero = rounded_to(-low / safe, UI8)
    shifted = f.round_half_even(x / safe.broadcast_to(x.shape)) + zero.convert(F32)
    return rounded_to(shifted, UI8), scale, zero


# elementwise operators


def real(x: Tensor, scale: Tensor, zero_point: Tensor | None) -> Tensor:
    """The floats that quantized numbers mean."""
    return difference(x, zero_point, -1).convert(F32) * m.reshape(scale, ())


def quantize_tensor(x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    """Floats as quantized numbers of one scale and zero point, whose type they have."""
    offset = m.reshape(zero_point, ()).convert(F32)
    return rounded_to(f.round_half_even(x / m.reshape(scale, ())) + offset, zero_point.element)


def zero_of(call: Call, zero_point: Tensor | None, like: Tensor) -> Tensor:
    """A zero point, by default zero."""
    return scalar(call.graph, 0, like.element) if zero_point is None else zero_point


@lowers("QLinearAdd", domain=MICROSOFT)
def qlinear_add(
    call: Call, a: Tensor, a_scale: Tensor, a_zero: Tensor | None, b: Tensor, b_scale: Tensor,
    b_zero: Tensor | None, scale: Tensor, zero_point: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The sum of quantized tensors, quantized"""
    total = real(a, a_scale, a_zero) + real(b, b_scale, b_zero)
    return quantize_tensor(total, scale, zero_of(call, zero_point, a))


@lowers("QLinearMul", domain=MICROSOFT)
def qlinear_mul(
    call: Call, a: Tensor, a_scale: Tensor, a_zero: Tensor | None, b: Tensor, b_scale: Tensor,
    b_zero: Tensor | None, scale: Tensor, zero_point: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The product of quantized tensors, element by element, quantized"""
    product = real(a, a_scale, a_zero) * real(b, b_scale, b_zero)
    return quantize_tensor(product, scale, zero_of(call, zero_point, a))


@lowers("QLinearSigmoid", domain=MICROSOFT)
def qlinear_sigmoid(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor | None, scale: Tensor,
    zero_point: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The logistic function of a quantized tensor, quantized"""
    return quantize_tensor(
        f.logistic(real(x, x_scale, x_zero)), scale, zero_of(call, zero_point, x)
    )


@lowers("QLinearLeakyRelu", domain=MICROSOFT)
def qlinear_leaky_relu(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor | None, scale: Tensor,
    zero_point: Tensor | None = None, *, alpha: float = 0.01,
) -> Tensor:  # fmt: skip
    """A quantized tensor, its negative elements times alpha, quantized"""
    result = leaky_relu(call, real(x, x_scale, x_zero), alpha=alpha)
    return quantize_tensor(result, scale, zero_of(call, zero_point, x))


@lowers("QLinearGlobalAveragePool", domain=MICROSOFT)
def qlinear_global_average_pool(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor, scale: Tensor, zero_point: Tensor, *,
    channels_last: int = 0,
) -> Tensor:  # fmt: skip
    """The means of the channels of a quantized tensor, quantized"""
    dims = list(range(1, x.rank - 1)) if channels_last else list(range(2, x.rank))
    means = r.mean_over(real(x, x_scale, x_zero), dims)
    return m.expand_dims(quantize_tensor(means, scale, zero_point), *dims)


@lowers("QLinearConcat", domain=MICROSOFT)
def qlinear_concat(
    call: Call, scale: Tensor, zero_point: Tensor, *parts: Tensor, axis: int
) -> Tensor:
    """Quantized tensors along a dimension, quantized alike; each has its scale and zero point"""
    tensors = [real(*parts[i : i + 3]) for i in range(0, len(parts), 3)]
    return quantize_tensor(m.concatenate(tensors, tensors[0].dimension(axis)), scale, zero_point)


@lowers("QLinearWhere", domain=MICROSOFT)
def qlinear_where(
    call: Call, condition: Tensor, x: Tensor, x_scale: Tensor, x_zero: Tensor | None, y: Tensor,
    y_scale: Tensor, y_zero: Tensor | None, scale: Tensor, zero_point: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """One or the other quantized tensor, quantized"""
    chosen = f.select(condition, real(x, x_scale, x_zero), real(y, y_scale, y_zero))
    return quantize_tensor(chosen, scale, zero_of(call, zero_point, x))


@lowers("QLinearSoftmax", domain=MICROSOFT)
def qlinear_softmax(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor | None, scale: Tensor,
    zero_point: Tensor, *, axis: int = -1, opset: int,
) -> Tensor:  # fmt: skip
    """The softmax of a quantized tensor, quantized; in old versions over all axes from one on"""
    values, at = real(x, x_scale, x_zero), x.dimension(axis)
    if opset >= FIRST_OF_ONE_AXIS:
        return quantize_tensor(softmax_along(values, at), scale, zero_point)
    rows = m.flatten(values, at)
    return quantize_tensor(m.reshape(softmax_along(rows, at), x.shape), scale, zero_point)


@lowers("QLinearAveragePool", domain=MICROSOFT)
def qlinear_average_pool(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor | None, scale: Tensor,
    zero_point: Tensor | None = None, *, channels_last: int = 0, **attributes: Any,
) -> Tensor:  # fmt: skip
    """The means of windows of a quantized tensor, quantized"""
    values = real(x, x_scale, x_zero)
    means = average_pool(call, channels_second(values, channels_last), **attributes)
    return quantize_tensor(channels_back(means, channels_last), scale, zero_of(call, zero_point, x))


def channels_second(x: Tensor, channels_last: int = 1) -> Tensor:
    """A tensor whose channels are its second dimension, of one that may have them last."""
    return m.move_dimension(x, x.rank - 1, 1) if channels_last else x


def channels_back(x: Tensor, channels_last: int = 1) -> Tensor:
    """A tensor (batch, channels, ...) with channels last, if the operator has them there."""
    return m.move_dimension(x, 1, x.rank - 1) if channels_last else x


@lowers("NhwcMaxPool", domain=MICROSOFT)
def nhwc_max_pool(call: Call, x: Tensor, **attributes: Any) -> Tensor:
    """The maximum of each window; channels are last"""
    result = max_pool(call, channels_second(x), **attributes)
    assert isinstance(result, Tensor), "it has no second output"
    return channels_back(result)


@lowers("QLinearConv", domain=MICROSOFT)
def qlinear_conv_of_channels(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor, w: Tensor, w_scale: Tensor,
    w_zero: Tensor, scale: Tensor, zero_point: Tensor, bias: Tensor | None = None, *,
    channels_last: int = 0, **attributes: object,
) -> Tensor:  # fmt: skip
    """The convolution of quantized tensors, quantized; channels may be last"""
    result = qlinear_conv(
        call, channels_second(x, channels_last), x_scale, x_zero, w, w_scale, w_zero, scale,
        zero_point, bias, **attributes,
    )  # fmt: skip
    return channels_back(result, channels_last)


@lowers("QGemm", domain=MICROSOFT)
def qgemm(
    call: Call, a: Tensor, a_scale: Tensor, a_zero: Tensor, b: Tensor, b_scale: Tensor,
    b_zero: Tensor, bias: Tensor | None = None, scale: Tensor | None = None,
    zero_point: Tensor | None = None, *, alpha: float = 1.0, transA: int = 0, transB: int = 0,
) -> Tensor:  # fmt: skip
    """Alpha times the product of quantized matrices, quantized or in floats"""
    lhs, rhs = difference(a, a_zero, -2), difference(b, b_zero, 0 if transB else 1)
    sums = c.dot_general(lhs, rhs, ([0 if transA else 1], [1 if transB else 0]), element=I32)
    if bias is not None:
        sums = sums + bias.broadcast_to(sums.shape)
    factors = [(a_scale * alpha if alpha != 1 else a_scale, -2), (b_scale, -1)]
    if scale is not None and zero_point is not None:
        return requantize(sums, factors, scale, zero_point)
    product = sums.convert(F32)
    for factor, dimension in factors:
        product = product * along(factor, product, dimension)
    return product


@lowers("DynamicQuantizeLSTM", domain=MICROSOFT)
def dynamic_quantize_lstm(
    call: Call, x: Tensor, w: Tensor, recurrent: Tensor, bias: Tensor | None,
    sequence_lens: Tensor | None, initial_h: Tensor | None, initial_c: Tensor | None,
    peepholes: Tensor | None, w_scale: Tensor, w_zero: Tensor, r_scale: Tensor, r_zero: Tensor, *,
    input_forget: int = 0, **attributes: object,
) -> tuple[Tensor, ...]:  # fmt: skip
    """An LSTM whose weights (directions, inputs, 4 hidden) are quantized.

    Inputs as a whole, and the states of each step, are rounded to 8 bits before they are
    multiplied, as in ONNX Runtime; sums are floats.
    """
    inputs = m.swap_dimensions(real_directions(w, w_scale, w_zero), 1, 2)
    state = m.swap_dimensions(real_directions(recurrent, r_scale, r_zero), 1, 2)
    return lstm_layer(
        layer_of(call, attributes), rounded_to_octets(x), inputs, state, bias, sequence_lens,
        [initial_h, initial_c], peepholes, bool(input_forget), rounded_to_octets,
    )  # fmt: skip


def rounded_to_octets(x: Tensor) -> Tensor:
    """The numbers nearest to those of a tensor that bytes hold, with a scale for all of them."""
    numbers, scale, zero_point = quantized_by_range(x)
    return real(numbers, scale, zero_point)


def real_directions(x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    """The floats of weights with a scale for each direction, or for each of their columns."""
    dims = [0] if scale.rank == 1 else [0, 2]
    centered = x.convert(I32) - zero_point.convert(I32).broadcast(x.shape, dims)
    return centered.convert(F32) * scale.broadcast(x.shape, dims)


@lowers("QEmbedLayerNormalization", domain=MICROSOFT)
def quantized_embed_layer_normalization(
    call: Call, ids: Tensor, segments: Tensor | None, words: Tensor, places: Tensor,
    segment_table: Tensor | None, gamma: Tensor, beta: Tensor, mask: Tensor | None,
    *parameters: Tensor | None, epsilon: float = 1e-12,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The normalized sum of quantized embeddings; scales, then zero points, of tables follow"""
    scales, zero_points = parameters[:5], parameters[5:]

    def values(table: Tensor, number: int) -> Tensor:
        """The floats of a table."""
        scale = scales[number]
        assert scale is not None, "a table has a scale"
        return real(table, scale, zero_points[number])

    own_segments = None if segment_table is None else values(segment_table, 2)
    result, lengths, _ = embed_layer_normalization(
        call, ids, segments, values(words, 0), values(places, 1), own_segments, values(gamma, 3),
        values(beta, 4), mask, epsilon=epsilon,
    )  # fmt: skip
    return result, lengths


# weights in blocks


@lowers("GatherBlockQuantized", domain=MICROSOFT)
def gather_block_quantized(
    call: Call, data: Tensor, indices: Tensor, scales: Tensor, zero_points: Tensor | None = None,
    *, bits: int = 4, block_size: int = 128, gather_axis: int = 0, quantize_axis: int = 1,
) -> Tensor:  # fmt: skip
    """Slices of a tensor of few bits with a scale for each block along an axis, in floats

    A slice at an index outside of the tensor is zero.
    """
    at, blocks_at = data.dimension(gather_axis), data.dimension(quantize_axis)
    is_packed = data.element == UI8
    if is_packed and (at != 0 or (bits < 8 and blocks_at != data.rank - 1)):
        call.refuse("bytes are gathered along the first axis, with blocks along the last one")
    element = computed_element(scales.element)
    wide = indices.convert(I64)
    places = ix.wrap_negative(wide, data.shape[at])
    blocks = places / block_size if at == blocks_at else places
    axis = blocks_at + (indices.rank - 1 if blocks_at > at else 0)
    rows = ix.take(data, places, at)
    numbers = unpack_bits(rows, bits) if is_packed else rows

    def spread(own: Tensor) -> Tensor:
        """Scales or zero points of the elements that are taken, from those of their blocks."""
        if at == blocks_at:
            return own.convert(element)
        repeated = m.repeat_elements(own.convert(element), axis, block_size)
        return m.slice_dimension(repeated, axis, 0, numbers.shape[axis])

    values, factors = numbers.convert(element), ix.take(scales, blocks, at)
    if zero_points is not None:
        stored = ix.take(zero_points, blocks, at)
        if is_packed:
            stored = m.slice_dimension(unpack_bits(stored, bits), axis, 0, factors.shape[axis])
        values = values - spread(stored)
    elif is_packed:
        values = values - (1 << (bits - 1))
    result = (values * spread(factors)).convert(scales.element)
    is_inside = (places >= 0) & (places < size_tensor(call.graph, data.shape[at], I64))
    kept = is_inside.broadcast(result.shape, range(at, at + indices.rank))
    return f.select(kept, result, 0)


@lowers("MatMulBnb4", domain=MICROSOFT)
def matmul_bnb4(
    call: Call, a: Tensor, b: Tensor, absmax: Tensor, *, K: int, N: int, block_size: int,
    quant_type: int, training_mode: int = 0, transB: int = 1,
) -> Tensor:  # fmt: skip
    """A times the transpose of a matrix (N, K) of 4 bits each, with a scale for each block"""
    if not transB:
        call.refuse("a matrix that is not transposed has no translation")
    element = computed_element(a.element)
    table = constant(call.graph, np.array(NF4 if quant_type else FP4, np.float32), F32)
    halves = unpack_bits(m.reshape(b, [b.size, 1]), 4)  # the higher one is the first
    numbers = m.reshape(m.reverse(halves, [1]), [b.size * 2])
    factors = m.slice_dimension(m.repeat_elements(absmax, 0, block_size), 0, 0, N * K)
    values = ix.take(table, m.slice_dimension(numbers, 0, 0, N * K).convert(I32), 0)
    matrix = m.reshape(values.convert(element) * factors.convert(element), [N, K])
    product = c.dot_general(a.convert(element), matrix, ([a.rank - 1], [1]))
    return product.convert(a.element)

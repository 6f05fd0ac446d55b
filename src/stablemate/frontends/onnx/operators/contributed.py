"""Operators of ONNX Runtime's domain com.microsoft, which its optimizers and exporters write.

Source: ONNX Runtime, Contrib Operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.convolution import conv
from stablemate.frontends.onnx.operators.elementwise import gelu, leaky_relu, swish
from stablemate.frontends.onnx.operators.normalization import standardized
from stablemate.frontends.onnx.operators.quantization import along, difference, rounded_to
from stablemate.frontends.onnx.operators.recurrent import ACTIVATIONS
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import computed, computed_element
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar
from stablemate.numerics.elements import F32, I32, I64, UI8

MICROSOFT: Final = "com.microsoft"


# activations


@lowers("BiasGelu", domain=MICROSOFT)
def bias_gelu(call: Call, x: Tensor, bias: Tensor) -> Tensor:
    """Gelu(x + bias)"""
    return gelu(call, x + bias)


@lowers("Gelu", domain=MICROSOFT)
def exact_gelu(call: Call, x: Tensor) -> Tensor:
    """X times the normal distribution function"""
    return gelu(call, x)


@lowers("FastGelu", domain=MICROSOFT)
def fast_gelu(call: Call, x: Tensor, bias: Tensor | None = None) -> Tensor:
    """Gelu(x + bias), approximated by a tangent"""
    return gelu(call, x if bias is None else x + bias, approximate="tanh")


@lowers("QuickGelu", domain=MICROSOFT)
def quick_gelu(call: Call, x: Tensor, *, alpha: float = 1.702) -> Tensor:
    """X sigmoid(alpha x)"""
    return swish(call, x, alpha=alpha)


# normalization


@lowers("SkipLayerNormalization", domain=MICROSOFT)
def skip_layer_normalization(
    call: Call, x: Tensor, skip: Tensor, gamma: Tensor, beta: Tensor | None = None,
    bias: Tensor | None = None, *, epsilon: float = 1e-12,
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """The normalized sum of x, skip and bias over the last dimension; the sum is the last output"""
    total = computed(x) + computed(skip)
    if bias is not None:
        total = total + computed(bias)
    result, mean, inverse = standardized(total, [total.rank - 1], epsilon)
    result = result * computed(gamma)
    if beta is not None:
        result = result + computed(beta)
    kept = [m.expand_dims(value, total.rank - 1) for value in (mean, inverse)]
    return result.convert(x.element), kept[0], kept[1], total.convert(x.element)


def by_root_mean_square(x: Tensor, scale: Tensor, epsilon: float) -> tuple[Tensor, Tensor]:
    """X / sqrt(mean of x^2 + epsilon) * scale over the last dimension, and that inverse."""
    last = [x.rank - 1]
    inverse = f.rsqrt(r.mean_over(f.square(x), last) + epsilon)
    kept = r.keep_dimensions(inverse, x.shape, last)
    return x * kept * computed(scale), kept


@lowers("SkipSimplifiedLayerNormalization", domain=MICROSOFT)
def skip_simplified_layer_normalization(
    call: Call, x: Tensor, skip: Tensor, gamma: Tensor, bias: Tensor | None = None, *,
    epsilon: float = 1e-12,
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """The same by the root of the mean square"""
    total = computed(x) + computed(skip)
    if bias is not None:
        total = total + computed(bias)
    result, inverse = by_root_mean_square(total, gamma, epsilon)
    return result.convert(x.element), None, inverse, total.convert(x.element)


@lowers("SimplifiedLayerNormalization")
def simplified_layer_normalization(
    call: Call, x: Tensor, scale: Tensor, *, axis: int = -1, epsilon: float = 1e-5,
    stash_type: int = 1,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """X / sqrt(mean of x^2 + epsilon) * scale over the last dimension"""
    if x.dimension(axis) != x.rank - 1:
        call.refuse("it is over the last dimension alone")
    result, inverse = by_root_mean_square(computed(x), scale, epsilon)
    return result.convert(x.element), inverse


# products


@lowers("FusedMatMul", domain=MICROSOFT)
def fused_matmul(
    call: Call, a: Tensor, b: Tensor, *, alpha: float = 1.0, transA: int = 0, transB: int = 0,
    transBatchA: int = 0, transBatchB: int = 0,
) -> Tensor:  # fmt: skip
    """Alpha times the product of matrices, which may be transposed"""
    if transBatchA or transBatchB:
        call.refuse("transposed batches have no translation")
    lhs = m.swap_dimensions(a, -2, -1) if transA and a.rank > 1 else a
    rhs = m.swap_dimensions(b, -2, -1) if transB and b.rank > 1 else b
    product = c.matmul(lhs, rhs, computed_element(a.element))
    return (product if alpha == 1 else product * alpha).convert(a.element)


@lowers("FusedConv", domain=MICROSOFT)
def fused_conv(
    call: Call, x: Tensor, w: Tensor, bias: Tensor | None = None, z: Tensor | None = None, *,
    activation: str = "", activation_params: Sequence[float] = (), **attributes: Any,
) -> Tensor:  # fmt: skip
    """A convolution, a summand, and an activation"""
    result = conv(call, x, w, bias, **attributes)
    if z is not None:
        result = result + z
    if not activation:
        return result
    known = ACTIVATIONS.get(activation.lower())
    if known is None:
        call.refuse(f"{activation!r} is no activation")
    stated = dict(zip(known.parameters, activation_params, strict=False))
    return known.function(call, result, **stated)


@lowers("MatMulNBits", domain=MICROSOFT)
def matmul_n_bits(
    call: Call, a: Tensor, b: Tensor, scales: Tensor, zero_points: Tensor | None = None,
    g_idx: Tensor | None = None, bias: Tensor | None = None, *, K: int, N: int, bits: int = 4,
    block_size: int, accuracy_level: int = 0,
) -> Tensor:  # fmt: skip
    """A times the transpose of a matrix (N, K) of few bits, with a scale for each block"""
    if g_idx is not None:
        call.refuse("g_idx has no translation")
    if bits not in (4, 8):
        call.refuse(f"weights of {bits} bits have no translation")
    blocks = -(-K // block_size)
    numbers = unpacked(m.reshape(b, [N, blocks, block_size * bits // 8]), bits)
    element = computed_element(a.element)
    shape = (N, blocks, block_size)
    if zero_points is None:
        offset = scalar(call.graph, 1 << (bits - 1), element).broadcast_to(shape)
    else:
        offset = (
            block_offsets(zero_points, N, blocks, bits).convert(element).broadcast(shape, [0, 1])
        )
    factor = m.reshape(scales, [N, blocks]).convert(element).broadcast(shape, [0, 1])
    weights = (numbers.convert(element) - offset) * factor
    matrix = m.slice_dimension(m.reshape(weights, [N, blocks * block_size]), 1, 0, K)
    product = c.dot_general(a.convert(element), matrix, ([a.rank - 1], [1]))
    if bias is not None:
        product = product + bias.convert(element)
    return product.convert(a.element)


def unpacked(x: Tensor, bits: int) -> Tensor:
    """Numbers of 4 bits, of which bytes hold two along the last dimension, the lower one first."""
    if bits == 8:
        return x
    four = scalar(x.graph, 4, UI8).broadcast_to(x.shape)
    low, high = x & 15, f.shift_right_logical(x, four)
    pairs = m.stack([low, high], x.rank)
    return m.reshape(pairs, [*x.shape[:-1], x.shape[-1] * 2])


def block_offsets(zero_points: Tensor, rows: int, blocks: int, bits: int) -> Tensor:
    """The zero points of the blocks (rows, blocks) of a matrix."""
    if zero_points.element != UI8:
        return m.reshape(zero_points, [rows, blocks])
    packed = m.reshape(zero_points, [rows, -(-blocks * bits // 8)])
    return m.slice_dimension(unpacked(packed, bits), 1, 0, blocks)


@lowers("MatMulIntegerToFloat", domain=MICROSOFT)
def matmul_integer_to_float(
    call: Call, a: Tensor, b: Tensor, a_scale: Tensor, b_scale: Tensor,
    a_zero_point: Tensor | None = None, b_zero_point: Tensor | None = None,
    bias: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The product of quantized matrices in floats"""
    sums = c.matmul(difference(a, a_zero_point, -2), difference(b, b_zero_point, -1), I32)
    product = sums.convert(a_scale.element)
    product = product * along(a_scale, product, -2) * along(b_scale, product, -1)
    return product if bias is None else product + bias


@lowers("DynamicQuantizeMatMul", domain=MICROSOFT)
def dynamic_quantize_matmul(
    call: Call, a: Tensor, b: Tensor, b_scale: Tensor, b_zero_point: Tensor | None = None,
    bias: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The product of a matrix, quantized by its range, and a quantized matrix, in floats"""
    low = f.minimum(r.minimum_over(a), 0)
    high = f.maximum(r.maximum_over(a), 0)
    scale = (high - low) / 255
    safe = f.select(scale.equals(0), 1, scale)
    zero = rounded_to(-low / safe, UI8)
    shifted = f.round_half_even(a / safe.broadcast_to(a.shape)) + zero.convert(F32)
    return matmul_integer_to_float(
        call, rounded_to(shifted, UI8), b, scale, b_scale, zero, b_zero_point, bias
    )


# quantized elementwise operators


def real(x: Tensor, scale: Tensor, zero_point: Tensor | None) -> Tensor:
    """The floats that quantized numbers mean."""
    return difference(x, zero_point, -1).convert(F32) * m.reshape(scale, ())


def quantized(x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    """Floats as quantized numbers."""
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
    return quantized(total, scale, zero_of(call, zero_point, a))


@lowers("QLinearMul", domain=MICROSOFT)
def qlinear_mul(
    call: Call, a: Tensor, a_scale: Tensor, a_zero: Tensor | None, b: Tensor, b_scale: Tensor,
    b_zero: Tensor | None, scale: Tensor, zero_point: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The product of quantized tensors, element by element, quantized"""
    product = real(a, a_scale, a_zero) * real(b, b_scale, b_zero)
    return quantized(product, scale, zero_of(call, zero_point, a))


@lowers("QLinearSigmoid", domain=MICROSOFT)
def qlinear_sigmoid(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor | None, scale: Tensor,
    zero_point: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The logistic function of a quantized tensor, quantized"""
    return quantized(f.logistic(real(x, x_scale, x_zero)), scale, zero_of(call, zero_point, x))


@lowers("QLinearLeakyRelu", domain=MICROSOFT)
def qlinear_leaky_relu(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor | None, scale: Tensor,
    zero_point: Tensor | None = None, *, alpha: float = 0.01,
) -> Tensor:  # fmt: skip
    """A quantized tensor, its negative elements times alpha, quantized"""
    result = leaky_relu(call, real(x, x_scale, x_zero), alpha=alpha)
    return quantized(result, scale, zero_of(call, zero_point, x))


@lowers("QLinearGlobalAveragePool", domain=MICROSOFT)
def qlinear_global_average_pool(
    call: Call, x: Tensor, x_scale: Tensor, x_zero: Tensor, scale: Tensor, zero_point: Tensor, *,
    channels_last: int = 0,
) -> Tensor:  # fmt: skip
    """The means of the channels of a quantized tensor, quantized"""
    dims = list(range(1, x.rank - 1)) if channels_last else list(range(2, x.rank))
    means = r.mean_over(real(x, x_scale, x_zero), dims)
    return m.expand_dims(quantized(means, scale, zero_point), *dims)


@lowers("QLinearConcat", domain=MICROSOFT)
def qlinear_concat(
    call: Call, scale: Tensor, zero_point: Tensor, *parts: Tensor, axis: int
) -> Tensor:
    """Quantized tensors along a dimension, quantized alike; each has its scale and zero point"""
    tensors = [real(*parts[i : i + 3]) for i in range(0, len(parts), 3)]
    return quantized(m.concatenate(tensors, tensors[0].dimension(axis)), scale, zero_point)


# attention


@lowers("RotaryEmbedding", domain=MICROSOFT)
def rotary_embedding(
    call: Call, x: Tensor, position_ids: Tensor, cos_cache: Tensor, sin_cache: Tensor, *,
    interleaved: int = 0, is_packed_batching: int = 0, num_heads: int = 0,
    rotary_embedding_dim: int = 0, scale: float = 1.0,
) -> Tensor:  # fmt: skip
    """Pairs of elements (batch, steps, heads * size) turned by angles that depend on positions"""
    pairs = cos_cache.shape[1]
    heads_first = x.rank == 4
    if heads_first:
        by_head = m.swap_dimensions(x, 1, 2)
    else:
        size = 2 * pairs if not (rotary_embedding_dim and num_heads) else x.shape[2] // num_heads
        by_head = m.reshape(x, [*x.shape[:2], x.shape[2] // size, size])
    batch, steps, heads, size = by_head.shape
    places = position_ids
    if position_ids.rank == 1:
        numbers = m.iota(call.graph, (batch, steps), 1, I64)
        places = numbers + m.reshape(position_ids, ())
    wide = computed(by_head)
    shape = (batch, steps, heads, pairs)
    cos, sin = (
        ix.take(cache, places, 0).convert(wide.element).broadcast(shape, [0, 1, 3])
        for cache in (cos_cache, sin_cache)
    )
    turned = m.slice_dimension(wide, 3, 0, 2 * pairs)
    if interleaved:
        split = m.reshape(turned, [batch, steps, heads, pairs, 2])
        first, second = (m.take_index(split, 4, i) for i in range(2))
    else:
        first, second = m.chunks(turned, 2)
    parts = [first * cos - second * sin, second * cos + first * sin]
    joined = m.reshape(m.stack(parts, 4), turned.shape) if interleaved else m.concatenate(parts, 3)
    result = m.concatenate([joined, m.slice_dimension(wide, 3, 2 * pairs, size)], 3)
    result = result.convert(x.element)
    return m.swap_dimensions(result, 1, 2) if heads_first else m.reshape(result, x.shape)

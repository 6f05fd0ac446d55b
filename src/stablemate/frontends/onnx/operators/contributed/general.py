"""Operators of ONNX Runtime's domain com.microsoft, which its optimizers and exporters write.

Source: ONNX Runtime, Contrib Operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import MICROSOFT
from stablemate.frontends.onnx.operators.constants import range_, trilu
from stablemate.frontends.onnx.operators.contraction import gemm
from stablemate.frontends.onnx.operators.convolution import conv
from stablemate.frontends.onnx.operators.elementwise import gelu, swish
from stablemate.frontends.onnx.operators.images import grid_sample
from stablemate.frontends.onnx.operators.indexing import gather_nd, pad, unique
from stablemate.frontends.onnx.operators.normalization import standardize
from stablemate.frontends.onnx.operators.quantization import (
    dequantize_linear,
    matmul_integer,
    quantize_linear,
)
from stablemate.frontends.onnx.operators.recurrent import ACTIVATIONS
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import linear_algebra as la
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import computed_element, to_compute_type
from stablemate.frontends.tensor_functions.graph import is_empty
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full, scalar
from stablemate.numerics.elements import I32, I64, UI8

PLACES: Final = 3  # positions of a step in an image or film: of time, height and width
HEADS_FIRST: Final = 4  # the rank of inputs (batch, heads, steps, size)
# Operators of the default domain, which this one has, too.
ALIASES: Final[dict[str, Callable[..., object]]] = {
    "DequantizeLinear": dequantize_linear, "GatherND": gather_nd, "GridSample": grid_sample,
    "MatMulInteger16": matmul_integer, "Pad": pad, "QuantizeLinear": quantize_linear,
    "Trilu": trilu,
}  # fmt: skip
for operator, lowering in ALIASES.items():
    lowers(operator, domain=MICROSOFT)(lowering)


@lowers("ExpandDims", domain=MICROSOFT)
def expand_dims(call: Call, x: Tensor, axis: Tensor) -> Tensor:
    """The tensor with a dimension of size 1 at an axis"""
    return m.expand_dims(x, *call.integers(axis, "the axis"))


@lowers("Range", domain=MICROSOFT)
def range_of(call: Call, start: Tensor, limit: Tensor, delta: Tensor | None = None) -> Tensor:
    """Numbers from a start to before a limit, delta apart, by default 1"""
    step = scalar(call.graph, 1, start.element) if delta is None else delta
    return range_(call, start, limit, step)


@lowers("Unique", domain=MICROSOFT)
def unique_in_order(call: Call, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Distinct elements in the order in which they come, which one each is, and how many"""
    elements, _, numbers, counts = unique(call, x, sorted=0)
    return elements, numbers, counts


@lowers("Inverse", domain=MICROSOFT)
def inverse(call: Call, x: Tensor) -> Tensor:
    """The inverses of matrices, the last two dimensions"""
    factors, pivots, _ = la.lu(to_compute_type(x))
    unit = la.identity(call.graph, factors.shape, factors.element)
    rows = la.rows_in_order(unit, la.permutation_of(pivots, factors.shape[-1]))
    half = la.triangular_solve(factors, rows, lower=True, unit_diagonal=True)
    return la.triangular_solve(factors, half, lower=False).convert(x.element)


@lowers("CDist", domain=MICROSOFT)
def cdist(call: Call, a: Tensor, b: Tensor, *, metric: str = "sqeuclidean") -> Tensor:
    """The distances of the rows of two matrices"""
    shape = (a.shape[0], b.shape[0], a.shape[1])
    apart = a.broadcast(shape, [0, 2]) - b.broadcast(shape, [1, 2])
    squares = r.sum_over(f.square(apart), [2])
    return f.sqrt(squares) if metric == "euclidean" else squares


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
    total = to_compute_type(x) + to_compute_type(skip)
    if bias is not None:
        total = total + to_compute_type(bias)
    result, mean, inverse = standardize(total, [total.rank - 1], epsilon)
    result = result * to_compute_type(gamma)
    if beta is not None:
        result = result + to_compute_type(beta)
    kept = [m.expand_dims(value, total.rank - 1) for value in (mean, inverse)]
    return result.convert(x.element), kept[0], kept[1], total.convert(x.element)


def by_root_mean_square(x: Tensor, scale: Tensor, epsilon: float) -> tuple[Tensor, Tensor]:
    """X / sqrt(mean of x^2 + epsilon) * scale over the last dimension, and that inverse."""
    last = [x.rank - 1]
    inverse = f.rsqrt(r.mean_over(f.square(x), last) + epsilon)
    kept = r.keep_dimensions(inverse, x.shape, last)
    return x * kept * to_compute_type(scale), kept


@lowers("SkipSimplifiedLayerNormalization", domain=MICROSOFT)
def skip_simplified_layer_normalization(
    call: Call, x: Tensor, skip: Tensor, gamma: Tensor, bias: Tensor | None = None, *,
    epsilon: float = 1e-12,
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """The same by the root of the mean square"""
    total = to_compute_type(x) + to_compute_type(skip)
    if bias is not None:
        total = total + to_compute_type(bias)
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
    result, inverse = by_root_mean_square(to_compute_type(x), scale, epsilon)
    return result.convert(x.element), inverse


@lowers("EmbedLayerNormalization", domain=MICROSOFT)
def embed_layer_normalization(
    call: Call, ids: Tensor, segments: Tensor | None, words: Tensor, places: Tensor,
    segment_table: Tensor | None, gamma: Tensor, beta: Tensor, mask: Tensor | None = None,
    position_ids: Tensor | None = None, *, epsilon: float = 1e-12, mask_index_type: int = 0,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The normalized sum of the embeddings of words, places and segments; lengths; the sum"""
    total = to_compute_type(ix.take(words, ids, 0))
    if position_ids is None:
        first = m.slice_dimension(places, 0, 0, ids.shape[1])
        own = first.broadcast(total.shape, [1, 2])
    else:
        own = ix.take(places, position_ids, 0).broadcast_to(total.shape)
    total = total + to_compute_type(own)
    if segments is not None and segment_table is not None:
        total = total + to_compute_type(ix.take(segment_table, segments, 0))
    result, _, _ = standardize(total, [2], epsilon)
    result = result * to_compute_type(gamma) + to_compute_type(beta)
    lengths = full(call.graph, ids.shape[:1], 0, I32)
    if mask is not None:
        lengths = r.sum_over(mask.equals(1).convert(I32), [1])
    return result.convert(words.element), lengths, total.convert(words.element)


# products


@lowers("FusedGemm", domain=MICROSOFT)
def fused_gemm(
    call: Call, a: Tensor, b: Tensor, bias: Tensor | None = None, *, activation: str = "",
    activation_alpha: float = 0.0, activation_beta: float = 0.0, activation_gamma: float = 0.0,
    **attributes: Any,
) -> Tensor:  # fmt: skip
    """A product of matrices, a summand, and an activation"""
    result = gemm(call, a, b, bias, **attributes)
    return activate(call, result, activation, [activation_alpha, activation_beta])


def activate(call: Call, x: Tensor, name: str, parameters: Sequence[float]) -> Tensor:
    """An activation by its name; an empty one is none.

    Raises:
        UnsupportedError: There is no such activation.
    """
    if not name:
        return x
    known = ACTIVATIONS.get(name.lower())
    if known is None:
        call.refuse(f"{name!r} is no activation")
    return known.function(call, x, **dict(zip(known.parameters, parameters, strict=False)))


@lowers("FusedMatMul", "TransposeMatMul", domain=MICROSOFT)
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
    return activate(call, result, activation, activation_params)


@lowers("MatMulNBits", domain=MICROSOFT)
def matmul_n_bits(
    call: Call, a: Tensor, b: Tensor, scales: Tensor, zero_points: Tensor | None = None,
    g_idx: Tensor | None = None, bias: Tensor | None = None, *, K: int, N: int, bits: int = 4,
    block_size: int, accuracy_level: int = 0,
) -> Tensor:  # fmt: skip
    """A times the transpose of a matrix (N, K) of few bits, with a scale for each block

    A matrix without elements is zero; ``g_idx`` states the block of each of the K columns.
    """
    if bits not in (2, 4, 8):
        call.refuse(f"weights of {bits} bits have no translation")
    element = computed_element(a.element)
    if is_empty(b.shape):
        product = full(call.graph, (*a.shape[:-1], N), 0, element)
    else:
        matrix = block_matrix(
            b, scales.convert(element), zero_points, g_idx, bits, (N, K), block_size
        )
        product = c.dot_general(a.convert(element), matrix, ([a.rank - 1], [1]))
    if bias is not None:
        product = product + bias.convert(element)
    return product.convert(a.element)


def block_matrix(
    b: Tensor, scales: Tensor, zero_points: Tensor | None, g_idx: Tensor | None, bits: int,
    shape: tuple[int, int], block: int,
) -> Tensor:  # fmt: skip
    """A matrix (rows, columns) of few bits in floats.

    Args:
        b: The numbers, several in a byte.
        scales: A factor for each block of a row.
        zero_points: What is subtracted; by default the number in the middle.
        g_idx: The block of each column; by default blocks are of adjacent columns.
        bits: How many a number has.
        shape: The shape of the matrix.
        block: How many numbers are stored together.
    """
    rows, columns = shape
    blocks = -(-columns // block)
    by_block = (rows, blocks, block)
    numbers = unpack_bits(m.reshape(b, [rows, blocks, block * bits // 8]), bits)
    factors = m.reshape(scales, [rows, blocks])
    if zero_points is None:
        middle = scalar(b.graph, 1 << (bits - 1), scales.element)
        offsets = middle.broadcast_to(factors.shape if g_idx is not None else by_block)
    else:
        offsets = block_offsets(zero_points, rows, blocks, bits).convert(scales.element)
    if g_idx is not None:
        stored = m.reshape(numbers, [rows, blocks * block]).convert(scales.element)
        groups = m.slice_dimension(g_idx, 0, 0, columns)
        own_offsets, own_factors = (ix.take(x, groups, 1) for x in (offsets, factors))
        return (m.slice_dimension(stored, 1, 0, columns) - own_offsets) * own_factors
    if zero_points is not None:
        offsets = offsets.broadcast(by_block, [0, 1])
    weights = (numbers.convert(scales.element) - offsets) * factors.broadcast(by_block, [0, 1])
    return m.slice_dimension(m.reshape(weights, [rows, blocks * block]), 1, 0, columns)


def unpack_bits(x: Tensor, bits: int) -> Tensor:
    """Numbers of few bits; bytes hold several along the last dimension, the lowest first."""
    if bits == 8:
        return x
    parts = [x & ((1 << bits) - 1)]
    for first in range(bits, 8, bits):
        moved = f.shift_right_logical(x, scalar(x.graph, first, UI8).broadcast_to(x.shape))
        parts.append(moved if first + bits == 8 else moved & ((1 << bits) - 1))
    return m.reshape(m.stack(parts, x.rank), [*x.shape[:-1], x.shape[-1] * len(parts)])


def block_offsets(zero_points: Tensor, rows: int, blocks: int, bits: int) -> Tensor:
    """The zero points of the blocks (rows, blocks) of a matrix."""
    if zero_points.element != UI8:
        return m.reshape(zero_points, [rows, blocks])
    packed = m.reshape(zero_points, [rows, -(-blocks * bits // 8)])
    return m.slice_dimension(unpack_bits(packed, bits), 1, 0, blocks)


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
    places = position_ids
    if position_ids.rank == 1:
        numbers = m.iota(call.graph, by_head.shape[:2], 1, I64)
        places = numbers + m.reshape(position_ids, ())
    angles = [ix.take(cache, places, 0) for cache in (cos_cache, sin_cache)]
    result = turned_pairs(by_head, angles[0], angles[1], interleaved=bool(interleaved))
    return m.swap_dimensions(result, 1, 2) if heads_first else m.reshape(result, x.shape)


def turned_pairs(x: Tensor, cos: Tensor, sin: Tensor, *, interleaved: bool) -> Tensor:
    """Pairs of the first elements of heads (batch, steps, heads, size), turned by angles.

    Args:
        x: The elements.
        cos: The cosines of the angles of pairs (batch, steps, pairs).
        sin: Their sines.
        interleaved: Whether elements of a pair are neighbors.
    """
    wide, pairs = to_compute_type(x), cos.shape[-1]
    batch, steps, heads, size = x.shape
    shape = (batch, steps, heads, pairs)
    cos, sin = (angles.convert(wide.element).broadcast(shape, [0, 1, 3]) for angles in (cos, sin))
    turned = m.slice_dimension(wide, 3, 0, 2 * pairs)
    if interleaved:
        split = m.reshape(turned, [batch, steps, heads, pairs, 2])
        first, second = (m.take_index(split, 4, i) for i in range(2))
    else:
        first, second = m.chunks(turned, 2)
    parts = [first * cos - second * sin, second * cos + first * sin]
    joined = m.reshape(m.stack(parts, 4), turned.shape) if interleaved else m.concatenate(parts, 3)
    result = m.concatenate([joined, m.slice_dimension(wide, 3, 2 * pairs, size)], 3)
    return result.convert(x.element)


@lowers("MRotaryEmbedding", domain=MICROSOFT)
def multimodal_rotary_embedding(
    call: Call, x: Tensor, position_ids: Tensor, cos_cache: Tensor, sin_cache: Tensor, *,
    mrope_section: Sequence[int], interleaved: int = 0, is_packed_batching: int = 0,
    mrope_layout: int = 0, num_heads: int = 0, rotary_embedding_dim: int = 0, scale: float = 1.0,
) -> Tensor:  # fmt: skip
    """The same with three positions of a step (3, batch, steps), each for some of the pairs"""
    pairs = cos_cache.shape[1]
    if sum(mrope_section) != pairs or len(mrope_section) != PLACES:
        raise ValueError(f"mrope_section is {list(mrope_section)}, for {pairs} pairs")
    if x.rank == HEADS_FIRST:
        by_head = m.swap_dimensions(x, 1, 2)
    else:
        size = 2 * pairs if not (rotary_embedding_dim and num_heads) else x.shape[2] // num_heads
        by_head = m.reshape(x, [*x.shape[:2], x.shape[2] // size, size])
    streams = place_of_pairs(mrope_section, is_mixed=bool(mrope_layout))
    numbers = constant(call.graph, np.array(streams, np.int64), I64)
    shape = (*by_head.shape[:2], pairs)
    columns = m.iota(call.graph, shape, 2, I64)
    positions = m.transpose(ix.take(position_ids.convert(I64), numbers, 0), (1, 2, 0))
    cos, sin = (ix.take_points(cache, [positions, columns]) for cache in (cos_cache, sin_cache))
    result = turned_pairs(by_head, cos, sin, interleaved=bool(interleaved))
    return m.swap_dimensions(result, 1, 2) if x.rank == HEADS_FIRST else m.reshape(result, x.shape)


def place_of_pairs(sections: Sequence[int], *, is_mixed: bool) -> list[int]:
    """Which of the positions of a step each pair is turned by.

    Args:
        sections: How many pairs each position turns.
        is_mixed: Whether the pairs of the second and third one are every third of the first ones.
    """
    if not is_mixed:
        return [number for number, count in enumerate(sections) for _ in range(count)]
    places = [0] * sum(sections)
    for number, count in enumerate(sections[1:], 1):
        places[number : count * PLACES : PLACES] = [number] * len(
            places[number : count * PLACES : PLACES]
        )
    return places

"""Attention of ONNX Runtime's domain com.microsoft.

Scores are softmax(scale Q K^T + mask); the compiler computes them in tiles.

Source: ONNX Runtime, Contrib Operators; J. Ainslie et al., GQA: Training Generalized Multi-Query
Transformer Models from Multi-Head Checkpoints, 2023.
"""

from __future__ import annotations

from math import inf, sqrt

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.contributed import MICROSOFT, rotary_embedding
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.floating_point import computed
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.softmax import repeat_heads, softmax_along
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar
from stablemate.numerics.elements import I64


def by_heads(x: Tensor, heads: int) -> Tensor:
    """(batch, steps, heads * size) as (batch, heads, steps, size)."""
    size = x.shape[2] // heads
    return m.transpose(m.reshape(x, [*x.shape[:2], heads, size]), (0, 2, 1, 3))


def merged(x: Tensor) -> Tensor:
    """(batch, heads, steps, size) as (batch, steps, heads * size)."""
    batch, heads, steps, size = x.shape
    return m.reshape(m.transpose(x, (0, 2, 1, 3)), [batch, steps, heads * size])


def attend(
    q: Tensor, k: Tensor, v: Tensor, scale: float | None, added: Tensor | None,
    is_seen: Tensor | None,
) -> Tensor:  # fmt: skip
    """Sums of values (batch, heads, keys, size) by the softmax of the scores of queries.

    Args:
        q: The queries.
        k: The keys; a head may serve several of the queries.
        v: The values.
        scale: What scores are multiplied by; by default the inverse root of the size.
        added: What is added to scores.
        is_seen: Which keys a query sees.
    """
    keys, values = repeat_heads(computed(k), q), repeat_heads(computed(v), q)
    wide = computed(q)
    size = q.shape[3]
    assert isinstance(size, int), "heads have a known size"
    scores = c.dot_general(wide, keys, ([3], [3]), ([0, 1], [0, 1])) * (scale or 1 / sqrt(size))
    if added is not None:
        scores = scores + computed(added).broadcast_to(scores.shape)
    if is_seen is not None:
        scores = f.select(is_seen.broadcast_to(scores.shape), scores, -inf)
    weights = softmax_along(scores, 3)
    return c.dot_general(weights, values, ([3], [2]), ([0, 1], [0, 1])).convert(q.element)


def seen_before(
    call: Call, queries: SizeLike, keys: SizeLike, window: SizeLike | None = None
) -> Tensor:
    """Which keys are not after a query (1, 1, queries, keys); the last ones are of one step.

    Args:
        call: The call.
        queries: The number of queries.
        keys: The number of keys.
        window: How many keys, its own included, a query sees; None for all before it.
    """
    shape = (1, 1, queries, keys)
    rows, columns = (m.iota(call.graph, shape, d, I64) for d in (2, 3))
    last = rows + (keys - queries)
    is_seen = columns <= last
    return is_seen if window is None else is_seen & (columns > last - window)


def appended(past: Tensor | None, x: Tensor) -> Tensor:
    """Keys or values behind those of steps before."""
    return x if past is None else m.concatenate([past, x], 2)


def both(one: Tensor | None, other: Tensor | None) -> Tensor | None:
    """Where two masks are true; one that is missing is true."""
    if one is None or other is None:
        return other if one is None else one
    shape = [b if a == 1 else a for a, b in zip(one.shape, other.shape, strict=True)]
    return one.broadcast(shape, range(4)) & other.broadcast(shape, range(4))


def padding_mask(call: Call, mask: Tensor | None, keys: SizeLike) -> Tensor | None:
    """Which keys (batch, 1, 1, keys) are no padding.

    Args:
        call: The call.
        mask: (batch, keys), or the number of keys of each member of the batch.
        keys: The number of keys.
    """
    if mask is None:
        return None
    if mask.rank == 2:
        return m.expand_dims(mask.differs(0), 1, 2)
    if mask.rank != 1:
        call.refuse(f"a mask of {mask.rank} dimensions has no translation")
    shape = (mask.shape[0], 1, 1, keys)
    lengths = mask.convert(I64).broadcast(shape, [0])
    return m.iota(call.graph, shape, 3, I64) < lengths


@lowers("MultiHeadAttention", domain=MICROSOFT)
def multi_head_attention(
    call: Call, query: Tensor, key: Tensor | None = None, value: Tensor | None = None,
    bias: Tensor | None = None, key_padding_mask: Tensor | None = None,
    attention_bias: Tensor | None = None, past_key: Tensor | None = None,
    past_value: Tensor | None = None, *, num_heads: int, scale: float = 0.0,
    unidirectional: int = 0, mask_filter_value: float = -10000.0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Attention of queries, keys and values (batch, steps, heads * size)"""
    if key is None or value is None or query.rank != 3:
        call.refuse("packed queries, keys and values have no translation")
    parts = [query, key, value]
    if bias is not None:
        ends = [query.shape[2], query.shape[2] * 2, bias.shape[0]]
        own = [m.slice_dimension(bias, 0, a, b) for a, b in zip([0, *ends], ends, strict=False)]
        parts = [x + b if x.rank == 3 else x for x, b in zip(parts, own, strict=True)]
    q, k, v = (by_heads(x, num_heads) if x.rank == 3 else x for x in parts)
    k, v = appended(past_key, k), appended(past_value, v)
    is_seen = padding_mask(call, key_padding_mask, k.shape[2])
    if unidirectional:
        is_seen = both(is_seen, seen_before(call, q.shape[2], k.shape[2]))
    return merged(attend(q, k, v, scale, attention_bias, is_seen)), k, v


@lowers("Attention", domain=MICROSOFT)
def attention(
    call: Call, x: Tensor, weights: Tensor, bias: Tensor | None = None,
    mask_index: Tensor | None = None, past: Tensor | None = None,
    attention_bias: Tensor | None = None, *, num_heads: int, unidirectional: int = 0,
    scale: float = 0.0, mask_filter_value: float = -10000.0, do_rotary: int = 0,
    past_present_share_buffer: int = 0, rotary_embedding_dim: int = 0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Attention of an input (batch, steps, inputs) to itself, by weights (inputs, 3 * heads * size)

    Queries, keys and values have the same size.
    """
    if do_rotary:
        call.refuse("do_rotary has no translation")
    products = c.matmul(x, weights)
    if bias is not None:
        products = products + bias
    q, k, v = (by_heads(part, num_heads) for part in m.chunks(products, 3))
    if past is not None:
        k, v = (appended(m.take_index(past, 0, i), part) for i, part in enumerate((k, v)))
    is_seen = padding_mask(call, mask_index, k.shape[2])
    if unidirectional:
        is_seen = both(is_seen, seen_before(call, q.shape[2], k.shape[2]))
    result = merged(attend(q, k, v, scale, attention_bias, is_seen))
    return result, m.stack([k, v], 0)


@lowers("GroupQueryAttention", domain=MICROSOFT)
def group_query_attention(
    call: Call, query: Tensor, key: Tensor, value: Tensor, past_key: Tensor | None = None,
    past_value: Tensor | None = None, seqlens_k: Tensor | None = None,
    total_sequence_length: Tensor | None = None, cos_cache: Tensor | None = None,
    sin_cache: Tensor | None = None, *, num_heads: int, kv_num_heads: int, do_rotary: int = 0,
    rotary_interleaved: int = 0, scale: float = 0.0, local_window_size: int = -1,
    softcap: float = 0.0, smooth_softmax: int = 0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Causal attention of groups of queries to one head of keys and values

    The present keys are those before and the new ones, all of which belong to the sequence.
    """
    if softcap or smooth_softmax:
        call.refuse("softcap and smooth_softmax have no translation")
    if past_key is not None and past_key.shape[2] == 0:
        past_key = past_value = None
    q, k, v = by_heads(query, num_heads), by_heads(key, kv_num_heads), by_heads(value, kv_num_heads)
    if do_rotary and cos_cache is not None and sin_cache is not None:
        before = 0 if past_key is None else past_key.shape[2]
        if not isinstance(before, int):
            call.refuse("the number of steps before must be known")
        start = m.reshape(scalar(call.graph, before, I64), [1])
        q, k = (
            rotary_embedding(
                call, part, start, cos_cache, sin_cache, interleaved=rotary_interleaved
            )
            for part in (q, k)
        )  # fmt: skip
    k, v = appended(past_key, k), appended(past_value, v)
    window = local_window_size if local_window_size > 0 else None
    is_seen = seen_before(call, q.shape[2], k.shape[2], window)
    return merged(attend(q, k, v, scale, None, is_seen)), k, v

"""Attention of ONNX Runtime's domain com.microsoft.

Scores are softmax(scale Q K^T + mask); the compiler computes them in tiles.

Source: ONNX Runtime, Contrib Operators; J. Ainslie et al., GQA: Training Generalized Multi-Query
Transformer Models from Multi-Head Checkpoints, 2023.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import inf, sqrt

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import MICROSOFT
from stablemate.frontends.onnx.operators.contributed.general import rotary_embedding
from stablemate.frontends.onnx.operators.contributed.quantized import matmul_integer_to_float
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.compaction import value_size
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.softmax import repeat_heads, softmax_along
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    constant,
    full,
    same_shape,
    scalar,
    size_tensor,
)
from stablemate.numerics.elements import F32, I64, Array
from stablemate.numerics.size_arithmetic import maximum
from stablemate.numerics.symbolic_sizes import surely_at_most, typical_of


def by_heads(x: Tensor, heads: int) -> Tensor:
    """(batch, steps, heads * size) as (batch, heads, steps, size)."""
    size = x.shape[2] // heads
    return m.transpose(m.reshape(x, [*x.shape[:2], heads, size]), (0, 2, 1, 3))


def merge_heads(x: Tensor) -> Tensor:
    """(batch, heads, steps, size) as (batch, steps, heads * size)."""
    batch, heads, steps, size = x.shape
    return m.reshape(m.transpose(x, (0, 2, 1, 3)), [batch, steps, heads * size])


def attend(
    q: Tensor, k: Tensor, v: Tensor, scale: float | None, added: Tensor | None,
    is_seen: Tensor | None, *, softcap: float = 0.0, sink: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Sums of values (batch, heads, keys, size) by the softmax of the scores of queries.

    Args:
        q: The queries.
        k: The keys; a head may serve several of the queries.
        v: The values.
        scale: What scores are multiplied by; by default the inverse root of the size.
        added: What is added to scores.
        is_seen: Which keys a query sees.
        softcap: What scores are limited to by a tangent; 0 for no limit.
        sink: For each head, the score of a further key whose value is zero.
    """
    keys, values = repeat_heads(to_compute_type(k), q), repeat_heads(to_compute_type(v), q)
    wide = to_compute_type(q)
    size = q.shape[3]
    assert isinstance(size, int), "heads have a known size"
    scores = c.dot_general(wide, keys, ([3], [3]), ([0, 1], [0, 1])) * (scale or 1 / sqrt(size))
    if softcap:
        scores = f.tanh(scores / softcap) * softcap
    if added is not None:
        scores = scores + to_compute_type(added).broadcast_to(scores.shape)
    if is_seen is not None:
        scores = f.select(is_seen.broadcast_to(scores.shape), scores, -inf)
    if sink is not None:
        column = to_compute_type(sink).broadcast((*scores.shape[:3], 1), [1])
        scores = m.concatenate([scores, column], 3)
    weights = m.slice_dimension(softmax_along(scores, 3), 3, 0, keys.shape[2])
    return c.dot_general(weights, values, ([3], [2]), ([0, 1], [0, 1])).convert(q.element)


def seen_before(call: Call, queries: SizeLike, keys: SizeLike) -> Tensor:
    """Which keys are not after a query (1, 1, queries, keys); the last ones are of one step."""
    rows, columns = (m.iota(call.graph, (1, 1, queries, keys), d, I64) for d in (2, 3))
    return columns <= rows + (keys - queries)


def append_steps(past: Tensor | None, x: Tensor) -> Tensor:
    """Keys or values behind those of steps before."""
    return x if past is None else m.concatenate([past, x], 2)


def sum_of(one: Tensor | None, other: Tensor | None) -> Tensor | None:
    """The sum of what is added to scores, each of which may be missing."""
    if one is None or other is None:
        return other if one is None else one
    wide = to_compute_type(one), to_compute_type(other)
    shape = [b if a == 1 else a for a, b in zip(one.shape, other.shape, strict=True)]
    return wide[0].broadcast(shape, range(4)) + wide[1].broadcast(shape, range(4))


def padding_bias(
    call: Call, mask: Tensor | None, batch: SizeLike, keys: SizeLike, hidden: float
) -> Tensor | None:
    """The bias of the scores of keys: ``hidden`` for padding, else 0.

    It is no infinity, since a query that sees only padding has a result, too.

    Args:
        call: The call.
        mask: (batch, keys), (batch, queries, keys), or a list that begins with the end of the keys
            of each member of the batch; as many starts, or starts in packed queries and keys, may
            follow.
        batch: The size of the batch.
        keys: The number of keys.
        hidden: What is added for padding.
    """
    if mask is None:
        return None
    if mask.rank == 1:
        shape = (batch, 1, 1, keys)
        places = m.iota(call.graph, shape, 3, I64)
        bounds = mask.convert(I64)
        is_seen = places < m.slice_dimension(bounds, 0, 0, batch).broadcast(shape, [0])
        if mask.shape[0] == 2 * batch:
            starts = m.slice_dimension(bounds, 0, batch, 2 * batch)
            is_seen = is_seen & (places >= starts.broadcast(shape, [0]))
    elif mask.rank < 4:
        is_seen = m.expand_dims(mask.differs(0), *([1, 2] if mask.rank == 2 else [1]))
    else:
        call.refuse(f"a mask of {mask.rank} dimensions has no translation")
    return f.select(is_seen, scalar(call.graph, 0, F32).broadcast_to(is_seen.shape), hidden)


def packed_parts(x: Tensor, count: int) -> list[Tensor]:
    """Tensors (batch, steps, hidden) of one (batch, steps, heads, count, size)."""
    batch, steps, heads, _, size = x.shape
    return [m.reshape(m.take_index(x, 3, i), [batch, steps, heads * size]) for i in range(count)]


def parts_of_bias(bias: Tensor, query: Tensor) -> list[Tensor]:
    """The biases of queries (batch, steps, hidden), keys and values, side by side."""
    hidden = query.shape[2]
    ends = [0, hidden, hidden * 2, bias.shape[0]]
    return [m.slice_dimension(bias, 0, a, b) for a, b in pairwise(ends)]


@lowers("MultiHeadAttention", domain=MICROSOFT)
def multi_head_attention(
    call: Call, query: Tensor, key: Tensor | None = None, value: Tensor | None = None,
    bias: Tensor | None = None, key_padding_mask: Tensor | None = None,
    attention_bias: Tensor | None = None, past_key: Tensor | None = None,
    past_value: Tensor | None = None, *, num_heads: int, scale: float = 0.0,
    unidirectional: int = 0, mask_filter_value: float = -10000.0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Attention of queries, keys and values (batch, steps, heads * size), which may be packed"""
    if key is None:
        parts = packed_parts(query, 3)
    elif value is None:
        parts = [query, *packed_parts(key, 2)]
    else:
        parts = [query, key, value]
    if bias is not None:
        own = parts_of_bias(bias, parts[0])
        parts = [x + b if x.rank == 3 else x for x, b in zip(parts, own, strict=True)]
    q, k, v = (by_heads(x, num_heads) if x.rank == 3 else x for x in parts)
    k, v = append_steps(past_key, k), append_steps(past_value, v)
    hidden = padding_bias(call, key_padding_mask, k.shape[0], k.shape[2], mask_filter_value)
    is_seen = seen_before(call, q.shape[2], k.shape[2]) if unidirectional else None
    return merge_heads(attend(q, k, v, scale, sum_of(hidden, attention_bias), is_seen)), k, v


@lowers("Attention", domain=MICROSOFT)
def attention(
    call: Call, x: Tensor, weights: Tensor, bias: Tensor | None = None,
    mask_index: Tensor | None = None, past: Tensor | None = None,
    attention_bias: Tensor | None = None, *, num_heads: int, unidirectional: int = 0,
    scale: float = 0.0, mask_filter_value: float = -10000.0, do_rotary: int = 0,
    past_present_share_buffer: int = 0, rotary_embedding_dim: int = 0,
    qkv_hidden_sizes: Sequence[int] = (),
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention of an input (batch, steps, inputs) to itself, by weights (inputs, 3 * heads * size)

    Queries, keys and values have the same size, unless ``qkv_hidden_sizes`` states others.
    """
    if do_rotary:
        call.refuse("do_rotary has no translation")
    products = c.matmul(x, weights)
    if bias is not None:
        products = products + bias
    parts = m.chunks(products, 3)
    if qkv_hidden_sizes:
        ends = [*accumulate(qkv_hidden_sizes)]
        parts = [
            m.slice_dimension(products, 2, a, b) for a, b in zip([0, *ends], ends, strict=False)
        ]
    return self_attention(
        call, parts, num_heads, mask_index, past, attention_bias, scale=scale,
        unidirectional=unidirectional, mask_filter_value=mask_filter_value,
    )  # fmt: skip


def self_attention(
    call: Call, parts: Sequence[Tensor], num_heads: int, mask: Tensor | None,
    past: Tensor | None, added: Tensor | None, *, scale: float, unidirectional: int,
    mask_filter_value: float,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention of queries, keys and values (batch, steps, heads * size), and the keys and values.

    Args:
        call: The call.
        parts: The queries, keys and values.
        num_heads: How many heads they have.
        mask: Which keys are no padding; see ``padding_bias``.
        past: Keys and values of steps before.
        added: What is added to scores.
        scale: What scores are multiplied by.
        unidirectional: Whether queries see no keys after them.
        mask_filter_value: What is added to the scores of padding.
    """
    q, k, v = (by_heads(part, num_heads) for part in parts)
    if past is not None:
        k, v = (append_steps(m.take_index(past, 0, i), part) for i, part in enumerate((k, v)))
    hidden = padding_bias(call, mask, k.shape[0], k.shape[2], mask_filter_value)
    is_seen = seen_before(call, q.shape[2], k.shape[2]) if unidirectional else None
    result = merge_heads(attend(q, k, v, scale, sum_of(hidden, added), is_seen))
    present = m.stack([k, v], 0) if call.wants(1) else k
    return result, present


@lowers("QAttention", domain=MICROSOFT)
def qattention(
    call: Call, x: Tensor, weights: Tensor, bias: Tensor, x_scale: Tensor, w_scale: Tensor,
    mask_index: Tensor | None = None, x_zero: Tensor | None = None, w_zero: Tensor | None = None,
    past: Tensor | None = None, *, num_heads: int, unidirectional: int = 0, scale: float = 0.0,
    mask_filter_value: float = -10000.0, do_rotary: int = 0, past_present_share_buffer: int = 0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Attention of a quantized input to itself, by quantized weights"""
    if do_rotary:
        call.refuse("do_rotary has no translation")
    products = matmul_integer_to_float(call, x, weights, x_scale, w_scale, x_zero, w_zero, bias)
    return self_attention(
        call, m.chunks(products, 3), num_heads, mask_index, past, None, scale=scale,
        unidirectional=unidirectional, mask_filter_value=mask_filter_value,
    )  # fmt: skip


@lowers("GroupQueryAttention", domain=MICROSOFT)
def group_query_attention(
    call: Call, query: Tensor, key: Tensor | None, value: Tensor | None, past_key: Tensor | None,
    past_value: Tensor | None, seqlens_k: Tensor, total_sequence_length: Tensor,
    cos_cache: Tensor | None = None, sin_cache: Tensor | None = None,
    position_ids: Tensor | None = None, attention_bias: Tensor | None = None,
    head_sink: Tensor | None = None, *, num_heads: int, kv_num_heads: int, do_rotary: int = 0,
    rotary_interleaved: int = 0, scale: float = 0.0, local_window_size: int = -1,
    softcap: float = 0.0, smooth_softmax: int = 0, qk_output: int = 0,
    sliding_window_cache: int = 0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Causal attention of groups of queries to one head of keys and values

    Queries, keys and values may be side by side in one tensor. The present keys are as many as the
    longest sequence of the batch has, or as the past ones, which may be a buffer with free places.
    With ``sliding_window_cache`` they are the last ones, at the start of such a buffer.
    """
    if qk_output:
        call.refuse("qk_output has no translation")
    if sliding_window_cache and attention_bias is not None:
        call.refuse("a bias beside sliding_window_cache has no translation")
    q, k, v = split_heads(query, key, value, num_heads, kv_num_heads)
    cache = KeyValueCache.of(call, q, past_key, seqlens_k, total_sequence_length)
    window = WindowCache.of(cache, past_key, local_window_size) if sliding_window_cache else None
    if do_rotary and cos_cache is not None and sin_cache is not None:
        places = cache.positions(call, position_ids)
        q, k = (
            rotary_embedding(
                call, part, places, cos_cache, sin_cache, interleaved=rotary_interleaved
            )
            for part in (q, k)
        )
    cache = cache if window is None else window.all_keys()
    k, v = cache.append(call, past_key, k), cache.append(call, past_value, v)
    is_seen = cache.is_seen(call, local_window_size if local_window_size > 0 else None)
    if smooth_softmax and head_sink is None:
        head_sink = full(call.graph, (num_heads,), 0, F32)
    bias = None if attention_bias is None else cache.pad_keys(attention_bias, 3)
    result = merge_heads(attend(q, k, v, scale, bias, is_seen, softcap=softcap, sink=head_sink))
    if window is not None:
        k, v = window.slide(k), window.slide(v)
    return result, k, v


@lowers("DecoderMaskedMultiHeadAttention", domain=MICROSOFT)
def decoder_masked_attention(
    call: Call, query: Tensor, key: Tensor | None = None, value: Tensor | None = None,
    mask_index: Tensor | None = None, attention_bias: Tensor | None = None,
    past_key: Tensor | None = None, past_value: Tensor | None = None,
    past_sequence_length: Tensor | None = None, beam_width: Tensor | None = None,
    cache_indirection: Tensor | None = None, bias: Tensor | None = None, *, num_heads: int,
    scale: float = 0.0, mask_filter_value: float = -10000.0, past_present_share_buffer: int = 0,
    output_qk: int = 0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Attention of one query, to keys of steps before and its own, or to those of an encoder

    Those of an encoder are (batch, heads, keys, size).
    """
    if cache_indirection is not None or output_qk:
        call.refuse("cache_indirection and output_qk have no translation")
    if past_present_share_buffer and past_sequence_length is not None:
        if key is None or value is None or past_key is None or past_value is None:
            raise ValueError("a buffer of keys and values needs new ones")
        parts = [query, key, value]
        if bias is not None:
            parts = [x + own for x, own in zip(parts, parts_of_bias(bias, query), strict=True)]
        q, k, v = (by_heads(x, num_heads) for x in parts)
        before = m.reshape(past_sequence_length.convert(I64), ())
        k, v = (with_row(old, new, before) for old, new in ((past_key, k), (past_value, v)))
        size = k.shape[2]
        places = m.iota(call.graph, (1, 1, 1, size), 3, I64)
        is_seen = places <= before.broadcast_to(places.shape)
        mask = None if mask_index is None else pad_last(mask_index, size)
        added = None if attention_bias is None else pad_last(attention_bias, size)
        hidden = padding_bias(call, mask, k.shape[0], size, mask_filter_value)
        return merge_heads(attend(q, k, v, scale, sum_of(hidden, added), is_seen)), k, v
    return multi_head_attention(
        call, query, key, value, bias, mask_index, attention_bias, past_key, past_value,
        num_heads=num_heads, scale=scale, mask_filter_value=mask_filter_value,
    )  # fmt: skip


def with_row(x: Tensor, row: Tensor, place: Tensor) -> Tensor:
    """Keys or values (batch, heads, keys, size) with those of a step at a place."""
    is_new = m.iota(x.graph, x.shape, 2, I64).equals(place.broadcast_to(x.shape))
    return f.select(is_new, row.broadcast_to(x.shape), x)


def pad_last(x: Tensor, size: SizeLike) -> Tensor:
    """A tensor with zeros behind the elements of the last dimension, up to a size."""
    rest = [0] * (x.rank - 1)
    return m.pad(x, 0, [0] * x.rank, [*rest, size - x.shape[-1]])


@lowers("SparseAttention", domain=MICROSOFT)
def sparse_attention(
    call: Call, query: Tensor, key: Tensor | None, value: Tensor | None, past_key: Tensor,
    past_value: Tensor, block_row_indices: Tensor, block_col_indices: Tensor,
    total_sequence_length: Tensor, key_total_sequence_lengths: Tensor,
    cos_cache: Tensor | None = None, sin_cache: Tensor | None = None, *, num_heads: int,
    kv_num_heads: int, sparse_block_size: int, do_rotary: int = 0, rotary_interleaved: int = 0,
    scale: float = 0.0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Causal attention to those blocks of keys that lists name for blocks of queries"""
    q, k, v = split_heads(query, key, value, num_heads, kv_num_heads)
    last = key_total_sequence_lengths - 1
    cache = KeyValueCache.of(call, q, past_key, last, total_sequence_length)
    if do_rotary and cos_cache is not None and sin_cache is not None:
        places = cache.places(call)
        q, k = (
            rotary_embedding(
                call, part, places, cos_cache, sin_cache, interleaved=rotary_interleaved
            )
            for part in (q, k)
        )
    k, v = cache.append(call, past_key, k), cache.append(call, past_value, v)
    rows = call.needed_array(block_row_indices, "the blocks that are seen")
    columns = call.needed_array(block_col_indices, "the blocks that are seen")
    blocks = constant(call.graph, seen_blocks(rows, columns))
    shape = (q.shape[0], num_heads, q.shape[2], k.shape[2])
    heads = constant(call.graph, np.arange(num_heads) % len(rows)).broadcast(shape, [1])
    steps = cache.places(call).broadcast(shape, [0, 2])
    keys = m.iota(call.graph, shape, 3, I64)
    points: list[Tensor] = [heads, steps / sparse_block_size, keys / sparse_block_size]
    is_seen = ix.take_points(blocks, points) & (keys <= steps)
    return merge_heads(attend(q, k, v, scale, None, is_seen)), k, v


def seen_blocks(rows: Array, columns: Array) -> Array:
    """Which blocks of keys (layouts, blocks, blocks) blocks of queries see.

    Args:
        rows: Where the list of each block begins and ends, (layouts, blocks + 1).
        columns: The blocks that are seen, (layouts, longest list).
    """
    count = rows.shape[1] - 1
    seen: Array = np.zeros((len(rows), count, count), bool)
    for layout, (starts, blocks) in enumerate(zip(rows, columns, strict=True)):
        for block, (first, end) in enumerate(pairwise(starts.tolist())):
            seen[layout, block, blocks[first:end]] = True
    return seen


def split_heads(
    query: Tensor, key: Tensor | None, value: Tensor | None, heads: int, kv_heads: int
) -> list[Tensor]:
    """Queries, keys and values (batch, heads, steps, size), which may be side by side."""
    parts = [query, key, value]
    if key is None or value is None:
        size = query.shape[2] // (heads + 2 * kv_heads)
        ends = [heads * size, (heads + kv_heads) * size, query.shape[2]]
        pairs = zip([0, *ends], ends, strict=False)
        parts = [m.slice_dimension(query, 2, start, end) for start, end in pairs]
    counts = (heads, kv_heads, kv_heads)
    return [by_heads(x, n) for x, n in zip(parts, counts, strict=True) if x is not None]


@dataclass(frozen=True, slots=True)
class KeyValueCache:
    """Where the new keys and values of the members of a batch go.

    Attributes:
        before: How many keys each member had before (batch); none if the queries are all steps.
        steps: How many are new.
        size: How many the present keys are, free places included.
        is_first: Whether the queries are all steps, a scalar.
    """

    before: Tensor
    steps: SizeLike
    size: SizeLike
    is_first: Tensor

    @staticmethod
    def of(
        call: Call, q: Tensor, past: Tensor | None, last: Tensor, total: Tensor
    ) -> KeyValueCache:
        """The cache of a call, for queries (batch, heads, steps, size).

        Args:
            call: The call.
            q: The queries.
            past: The keys before.
            last: The number of keys of each member of the batch, the new ones included, less one.
            total: The largest of these numbers.
        """
        steps = q.shape[2]
        longest = m.reshape(total, ()).convert(I64)
        is_first = longest.equals(size_tensor(call.graph, steps, I64))
        ends = m.reshape(last, q.shape[:1]).convert(I64) + 1
        before = f.select(is_first.broadcast_to(ends.shape), 0, ends - steps)
        size = cache_size(call, total, 0 if past is None else past.shape[2])
        return KeyValueCache(before, steps, size, is_first)

    def places(self, call: Call) -> Tensor:
        """The steps of the queries (batch, steps)."""
        shape = (*self.before.shape, self.steps)
        return m.iota(call.graph, shape, 1, I64) + self.before.broadcast(shape, [0])

    def positions(self, call: Call, stated: Tensor | None) -> Tensor:
        """The positions of the queries (batch, steps), which the model may state.

        Of those of all steps, it states the first one.
        """
        places = self.places(call)
        if stated is None:
            return places
        first = m.slice_dimensions(stated, [0, 0], [1, 1]).convert(I64)
        from_first = places + m.reshape(first, ())
        shape = places.shape
        stated = stated.convert(I64).broadcast_to(shape)
        return f.select(self.is_first.broadcast_to(shape), from_first, stated)

    def append(self, call: Call, past: Tensor | None, new: Tensor) -> Tensor:
        """Keys or values (batch, heads, keys, size) behind those before; free places are zero."""
        if past is None and same_shape([self.size], [self.steps]):
            return new
        graph, (batch, heads, steps, size) = new.graph, new.shape
        blank = full(graph, (batch, heads, 0, size), 0, new.element)
        buffer = self.pad_keys(blank if past is None else past, 2)
        shape = buffer.shape
        is_kept = m.iota(graph, shape, 2, I64) < self.before.broadcast(shape, [0])
        buffer = f.select(is_kept, buffer, 0)
        rows = (batch, heads, steps)
        places = self.places(call).broadcast(rows, [0, 2])
        points = [m.iota(graph, rows, 0, I64), m.iota(graph, rows, 1, I64), places]
        return ix.put_points(buffer, points, new, ix.replace, unique=True)

    def pad_keys(self, x: Tensor, dimension: int) -> Tensor:
        """A tensor with zeros behind the keys of a dimension, as many as the present ones are."""
        rest = self.size - x.shape[dimension]
        high = [rest if i == dimension else 0 for i in range(x.rank)]
        return m.pad(x, 0, [0] * x.rank, high)

    def is_seen(self, call: Call, window: int | None) -> Tensor:
        """Which keys a query sees (batch, 1, queries, keys).

        Args:
            call: The call.
            window: How many keys, its own included, a query sees; None for all before it.
        """
        shape = (*self.before.shape, 1, self.steps, self.size)
        columns, last = (
            m.iota(call.graph, shape, 3, I64),
            self.places(call).broadcast(shape, [0, 2]),
        )
        is_seen = columns <= last
        return is_seen if window is None else is_seen & (columns > last - window)


@dataclass(frozen=True, slots=True)
class WindowCache:
    """The last keys and values of the members of a batch, in buffers that begin with them.

    Where a buffer is full, as many keys leave it together as it has places beyond a window.

    Attributes:
        cache: How many keys there were before, whether they are kept or not.
        capacity: How many places the buffers have.
        window: How many keys a query sees at most.
    """

    cache: KeyValueCache
    capacity: SizeLike
    window: int

    @staticmethod
    def of(cache: KeyValueCache, past: Tensor | None, window: int) -> WindowCache:
        """The cache of a call with a buffer (batch, heads, places, size) of keys.

        Raises:
            ValueError: There is none, or no window.
        """
        if past is None or window <= 0:
            raise ValueError("sliding_window_cache needs past keys and a local_window_size")
        return WindowCache(cache, past.shape[2], window)

    def resident_count(self, keys: Tensor) -> Tensor:
        """How many of all keys of the members of a batch are kept."""
        capacity = size_tensor(keys.graph, self.capacity, I64).broadcast_to(keys.shape)
        together = capacity - (self.window - 1)
        excess = f.maximum(keys - capacity, 0)
        return keys - together * ((excess + together - 1) / together)

    def all_keys(self) -> KeyValueCache:
        """Where new keys are put behind those that are kept."""
        before = self.resident_count(self.cache.before)
        return replace(self.cache, before=before, size=self.capacity + self.cache.steps)

    def slide(self, x: Tensor) -> Tensor:
        """The buffer afterwards, of keys or values with the new ones behind the old ones."""
        before, after = self.cache.before, self.cache.before + self.cache.steps
        gone = self.resident_count(before) + self.cache.steps - self.resident_count(after)
        rows = (*x.shape[:2], self.capacity)
        places = m.iota(x.graph, rows, 2, I64) + gone.broadcast(rows, [0])
        last = size_tensor(x.graph, x.shape[2], I64) - 1
        points = [m.iota(x.graph, rows, d, I64) for d in (0, 1)]
        return ix.take_points(x, [*points, f.minimum(places, last.broadcast_to(rows))])


def cache_size(call: Call, total: Tensor, past: SizeLike) -> SizeLike:
    """How many keys there are at present: all of the longest sequence, at least the past ones."""
    known = call.known.array(total)
    length = call.graph.size_of(total.value) if known is None else known.item()
    length = value_size(m.reshape(total, ())) if length is None else length
    for one, other in ((length, past), (past, length)):
        if surely_at_most(one, other):
            return other
    assumptions = call.graph.assumptions
    if not assumptions.is_counted(length - past):
        return maximum(length, past)
    typical = max(typical_of(length), typical_of(past))
    return assumptions.result_of("max", (length, past), typical)

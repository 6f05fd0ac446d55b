"""Attention, as the operations that the compiler recognizes and computes in tiles.

Source: PyTorch, torch.nn.functional.scaled_dot_product_attention; T. Dao, FlashAttention-2, 2023,
for the gradient.
"""

from __future__ import annotations

from math import inf

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.contraction import dot_general, matmul
from stablemate.frontends.tensor_functions.random_numbers import uniform
from stablemate.frontends.tensor_functions.softmax import repeat_heads
from stablemate.frontends.tensor_functions.tensor import Tensor, size_tensor
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F32


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of queries (..., q, d) and keys (..., k, d), before the softmax.

    Attributes:
        values: The scores, (..., q, k).
        scale: What products of queries and keys are multiplied by.
    """

    values: Tensor
    scale: Tensor


def scores_of(
    call: Call, query: Tensor, key: Tensor, mask: Tensor | None, scale: float | None, *,
    is_causal: bool,
) -> Scores:  # fmt: skip
    """The scores of queries and keys: scaled products, masked."""
    factor = scale_of(call, query, scale)
    batch = list(range(query.rank - 2))
    dims = ([query.rank - 1], [key.rank - 1])
    values = dot_general(query, key, dims, (batch, batch)) * factor
    if is_causal:
        rows = m.iota(call.graph, values.shape, values.rank - 2, INT64)
        columns = m.iota(call.graph, values.shape, values.rank - 1, INT64)
        values = f.select(columns <= rows, values, -inf)
    if mask is not None:
        is_choice = mask.is_boolean
        chosen = mask.broadcast_to(values.shape) if is_choice else mask
        values = (
            f.select(chosen, values, -inf) if is_choice else values + mask.convert(values.element)
        )
    return Scores(values, factor)


def scale_of(call: Call, query: Tensor, scale: float | None) -> Tensor:
    """The factor of scores: by default 1 divided by the square root of the size of a head."""
    if scale is not None:
        return call.tensor(scale, query.element)
    size = query.shape[-1]
    if isinstance(size, int):
        return call.tensor(1 / size**0.5 if size else 0.0, query.element)
    return f.rsqrt(size_tensor(call.graph, size, query.element))


def softmax_with_lse(scores: Tensor) -> tuple[Tensor, Tensor]:
    """The softmax of rows, and the logarithm of the sum of their exponentials."""
    last = [scores.rank - 1]
    largest = r.maximum_over(scores, last)
    weights = f.exp(scores - r.keep_dimensions(largest, scores.shape, last))
    total = r.sum_over(weights, last)
    return weights / r.keep_dimensions(total, scores.shape, last), f.log(total) + largest


@lowers("_scaled_dot_product_flash_attention_for_cpu")
def flash_attention(
    call: Call, query: Tensor, key: Tensor, value: Tensor, dropout_p: float = 0.0,
    is_causal: bool = False, *, attn_mask: Tensor | None = None, scale: float | None = None,
) -> list[Tensor]:  # fmt: skip
    """softmax(query key^T * scale + mask) value, and the logarithms of the sums of rows."""
    q, k, v = (call.to_compute_type(x) for x in (query, key, value))
    k, v = repeat_heads(k, q), repeat_heads(v, q)
    scores = scores_of(call, q, k, attn_mask, scale, is_causal=is_causal)
    weights, lse = softmax_with_lse(scores.values)
    if attn_mask is not None:
        weights = f.select(all_masked(scores.values), 0, weights)
    weights = drop_out(call, weights, dropout_p)
    kept = call.types[1]
    assert kept is not None
    return [matmul(weights, v).convert(call.element), m.reshape(lse.convert(kept[1]), kept[0])]


def drop_out(call: Call, weights: Tensor, p: float) -> Tensor:
    """Weights that are zero with a probability, the others larger accordingly."""
    if not p:
        return weights
    kept = uniform(call.key(), call.stream, weights.shape, F32) >= p
    return f.select(kept, weights / (1 - p), 0)


@lowers("_scaled_dot_product_flash_attention_for_cpu_backward")
def flash_attention_backward(
    call: Call, grad_out: Tensor, query: Tensor, key: Tensor, value: Tensor, out: Tensor,
    logsumexp: Tensor, dropout_p: float, is_causal: bool, *, attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> list[Tensor]:  # fmt: skip
    """The gradients by queries, keys and values, with the weights computed again."""
    del out, logsumexp
    q, k, v, gradient = (call.to_compute_type(x) for x in (query, key, value, grad_out))
    keys, values = repeat_heads(k, q), repeat_heads(v, q)
    scores = scores_of(call, q, keys, attn_mask, scale, is_causal=is_causal)
    weights, _ = softmax_with_lse(scores.values)
    if attn_mask is not None:
        weights = f.select(all_masked(scores.values), 0, weights)
    last = [weights.rank - 1]
    batch = list(range(weights.rank - 2))
    rows = [weights.rank - 2]
    by_value = dot_general(weights, gradient, (rows, rows), (batch, batch))
    by_weights = dot_general(gradient, values, (last, last), (batch, batch))
    total = r.sum_over(by_weights * weights, last)
    by_scores = weights * (by_weights - r.keep_dimensions(total, weights.shape, last))
    by_scores = by_scores * scores.scale
    by_key = dot_general(by_scores, q, (rows, rows), (batch, batch))
    return [
        matmul(by_scores, keys).convert(query.element),
        sum_heads(by_key, key).convert(key.element),
        sum_heads(by_value, value).convert(value.element),
    ]


def sum_heads(gradient: Tensor, like: Tensor) -> Tensor:
    """The gradient of heads that several queries share: the sum of theirs."""
    if gradient.rank < 3 or gradient.shape[-3] == like.shape[-3]:
        return gradient
    own = like.shape[-3]
    shape = (*gradient.shape[:-3], own, gradient.shape[-3] // own, *gradient.shape[-2:])
    return r.sum_over(m.reshape(gradient, shape), [gradient.rank - 2])


@lowers("_scaled_dot_product_attention_math_for_mps", "_scaled_dot_product_attention_math")
def attention_math(
    call: Call, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None,
    dropout_p: float = 0.0, is_causal: bool = False, dropout_mask: Tensor | None = None, *,
    scale: float | None = None,
) -> list[Tensor]:  # fmt: skip
    """softmax(query key^T * scale + mask) value, and the weights."""
    q, k, v = (call.to_compute_type(x) for x in (query, key, value))
    k, v = repeat_heads(k, q), repeat_heads(v, q)
    scores = scores_of(call, q, k, attn_mask, scale, is_causal=is_causal)
    weights = f.select(all_masked(scores.values), 0, softmax_with_lse(scores.values)[0])
    if dropout_mask is not None:
        weights = weights * dropout_mask.convert(weights.element) / (1 - dropout_p)
    else:
        weights = drop_out(call, weights, dropout_p)
    return [matmul(weights, v).convert(call.element), weights.convert(call.element)]


def all_masked(scores: Tensor) -> Tensor:
    """Where a query sees no key: all its scores are minus infinity."""
    largest = r.maximum_over(scores, [scores.rank - 1])
    return r.keep_dimensions(largest.equals(-inf), scores.shape, [scores.rank - 1])

"""Attention with functions of the scores: ``flex_attention``.

Source: PyTorch, torch.nn.attention.flex_attention; J. Dong et al., Flex Attention, 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log
from typing import Any

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.contraction import matmul
from stablemate.frontends.tensor_functions.softmax import repeat_heads
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.decompositions import decompositions
from stablemate.frontends.torch.fx import GraphModule
from stablemate.frontends.torch.operators.attention import (
    all_masked,
    scores_of,
    softmax_with_lse,
)
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers


@lowers("higher_order.flex_attention")
def flex_attention(
    call: Call, query: Tensor, key: Tensor, value: Tensor, score_mod: GraphModule,
    block_mask: tuple[*tuple[object, ...], GraphModule], scale: float, kernel_options: object,
    score_mod_other_buffers: Sequence[object] = (), mask_mod_other_buffers: Sequence[object] = (),
) -> list[Tensor]:  # fmt: skip
    """softmax(score_mod(query key^T * scale) where mask_mod) value; logarithms to base 2"""
    q, k, v = (call.to_compute_type(x) for x in (query, key, value))
    k, v = (repeat_batches(repeat_heads(x, q), q) for x in (k, v))
    scores = scores_of(call, q, k, None, scale, is_causal=False).values
    (changed,) = apply_to_scores(call, score_mod, [scores], scores, 7, score_mod_other_buffers)
    (mask,) = apply_to_scores(call, block_mask[-1], [], scores, 8, mask_mod_other_buffers)
    scores = f.select(mask.broadcast_to(scores.shape), changed.convert(scores.element), -inf)
    weights, lse = softmax_with_lse(scores)
    weights = f.select(all_masked(scores), 0, weights)
    largest = r.maximum_over(scores, [scores.rank - 1])
    lse = f.select(largest.equals(-inf), -inf, lse)
    return [matmul(weights, v).convert(query.element), lse / log(2), largest / log(2)]


def repeat_batches(x: Tensor, like: Tensor) -> Tensor:
    """Keys or values, repeated for each batch if there is one of them."""
    return x.broadcast_to((like.shape[0], *x.shape[1:]))


def apply_to_scores(
    call: Call, graph: GraphModule, first: Sequence[Tensor], scores: Tensor, place: int,
    buffers: Sequence[object],
) -> list[Tensor]:  # fmt: skip
    """The results of a function of one score for all scores.

    Args:
        call: The call.
        graph: The function.
        first: The scores, if it takes one.
        scores: The scores.
        place: The position of the captured tensors among the arguments.
        buffers: The captured tensors.
    """
    examples = call.examples
    fakes: Sequence[Any] = examples[place] if place < len(examples) else ()
    all_ = pytorch.vectorized_graph(
        graph, pytorch.fake_scores(examples[0], examples[1]), fakes, decompositions(),
        takes_score=bool(first),
    )  # fmt: skip
    places = [m.arange(call.graph, size, INT64) for size in scores.shape]
    return call.subgraph(all_, call.graph, [*first, *places, *buffers])

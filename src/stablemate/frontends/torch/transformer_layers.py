"""Layers of transformers that PyTorch computes by one operator where no gradients are recorded.

Source: PyTorch, torch.nn.TransformerEncoderLayer; A. Vaswani et al., Attention Is All You Need,
2017; R. Xiong et al., On Layer Normalization in the Transformer Architecture, 2020.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from stablemate.frontends.torch import pytorch

Tensor = Any  # torch.Tensor
SQUARE, PADDING = 0, 1  # kinds of masks: of queries and keys, and of the keys of each sequence
VIEWS: Final = {SQUARE: (0, 0), PADDING: (1, 1)}  # dimensions of size 1 that a kind lacks


def encoder_layer(
    src: Tensor, embed_dim: int, num_heads: int, qkv_weight: Tensor, qkv_bias: Tensor,
    proj_weight: Tensor, proj_bias: Tensor, use_gelu: bool, norm_first: bool, eps: float,
    norm_weight_1: Tensor, norm_bias_1: Tensor, norm_weight_2: Tensor, norm_bias_2: Tensor,
    ffn_weight_1: Tensor, ffn_bias_1: Tensor, ffn_weight_2: Tensor, ffn_bias_2: Tensor,
    mask: Tensor | None = None, mask_type: int | None = None,
) -> Tensor:  # fmt: skip
    """Attention to itself and two linear layers, each added to its input and normalized."""
    operator = pytorch.aten_operator
    linear, layer_norm = operator("linear"), operator("layer_norm")
    activation = operator("gelu" if use_gelu else "relu")
    first = partial(layer_norm, normalized_shape=[embed_dim], eps=eps)
    norms = (
        partial(first, weight=norm_weight_1, bias=norm_bias_1),
        partial(first, weight=norm_weight_2, bias=norm_bias_2),
    )

    def attend(x: Tensor) -> Tensor:
        kept = None if mask is None else kept_places(mask, mask_type)
        joined = attention(linear(x, qkv_weight, qkv_bias), num_heads, kept)
        return linear(joined, proj_weight, proj_bias)

    def feed_forward(x: Tensor) -> Tensor:
        return linear(activation(linear(x, ffn_weight_1, ffn_bias_1)), ffn_weight_2, ffn_bias_2)

    result = src
    for block, norm in zip((attend, feed_forward), norms, strict=True):
        result = result + block(norm(result)) if norm_first else norm(result + block(result))
    return result


def attention(projected: Tensor, heads: int, kept: Tensor | None) -> Tensor:
    """Attention of all heads.

    Args:
        projected: Queries, keys and values behind one another, ``(batch, length, 3 * embedding)``.
        heads: The number of heads.
        kept: Which keys a query attends to; None if to all.
    """
    parts = [x.unflatten(-1, (heads, -1)).transpose(1, 2) for x in projected.chunk(3, -1)]
    attended = pytorch.aten_operator("scaled_dot_product_attention")(*parts, kept)
    return attended.transpose(1, 2).flatten(2)


def kept_places(mask: Tensor, mask_type: int | None) -> Tensor:
    """Which keys a query attends to, of a mask that is zero or False there."""
    for dimension in VIEWS.get(SQUARE if mask_type is None else mask_type, ()):
        mask = mask.unsqueeze(dimension)
    return mask == 0


def transformer_decompositions() -> dict[object, Callable[..., Tensor]]:
    """The decompositions of operators of whole layers, by operator."""
    return {pytorch.operator_of("aten::_transformer_encoder_layer_fwd"): encoder_layer}

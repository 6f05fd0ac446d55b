"""Operators of PyTorch that fuse others, decomposed to those.

PyTorch itself has no decomposition of them.

Source: PyTorch, ATen/native/transformers, mkldnn/RNN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.fake_quantization import FAKE_QUANTIZATIONS
from stablemate.frontends.torch.recurrent_layers import gru_layer, lstm_layer
from stablemate.frontends.torch.transformer_layers import kept_places

Tensor = Any  # torch.Tensor
GRU_MODE: Final = 3  # of a layer of oneDNN; 2 is an LSTM
OF_ALL: Final = 2  # the type of masks with an element for each score


def masked_softmax(
    self: Tensor, mask: Tensor, dim: int | None = None, mask_type: int | None = None
) -> Tensor:
    """The softmax of what a mask leaves; rows of which it leaves nothing are NaN."""
    kept = kept_places(mask, OF_ALL if mask_type is None else mask_type)
    hidden = self.masked_fill(~kept, float("-inf"))
    return pytorch.torch_module().softmax(hidden, -1 if dim is None else dim)


def masked_softmax_backward(
    grad_output: Tensor, output: Tensor, mask: Tensor, dim: int | None = None
) -> Tensor:
    """The gradient of a masked softmax, zero where the mask is."""
    product = grad_output * output
    gradient = product - output * product.sum(-1 if dim is None else dim, keepdim=True)
    return gradient.masked_fill(mask.expand(output.shape), 0.0)


def transform_bias_rescale_qkv(
    qkv: Tensor, qkv_bias: Tensor, num_heads: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries divided by the root of the size of a head, keys and values, by heads."""
    batch, length, width = qkv.shape
    parts = (qkv + qkv_bias).view(batch, length, 3, num_heads, width // (3 * num_heads))
    query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
    return query / query.shape[-1] ** 0.5, key, value


def by_heads(x: Tensor, weight: Tensor, bias: Tensor, count: int) -> Tensor:
    """A projection, (batch, heads, length, size of a head)."""
    projected = pytorch.torch_module("torch.nn.functional").linear(x, weight, bias)
    batch, length, width = projected.shape
    return projected.view(batch, length, count, width // count).transpose(1, 2)


def native_multi_head_attention(
    query: Tensor, key: Tensor, value: Tensor, embed_dim: int, num_head: int, qkv_weight: Tensor,
    qkv_bias: Tensor, proj_weight: Tensor, proj_bias: Tensor, mask: Tensor | None = None,
    need_weights: bool = True, average_attn_weights: bool = True, mask_type: int | None = None,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """The projected attention of heads, and its weights if they are asked for."""
    functional = pytorch.torch_module("torch.nn.functional")
    parts = zip((query, key, value), qkv_weight.chunk(3), qkv_bias.chunk(3), strict=True)
    q, k, v = (by_heads(x, weight, bias, num_head) for x, weight, bias in parts)
    weights = None
    if mask is None and not need_weights:
        heads = functional.scaled_dot_product_attention(q, k, v)
    else:
        weights = attention_weights(q, k, mask, mask_type)
        heads = weights @ v
    joined = heads.transpose(1, 2).flatten(2)
    result = functional.linear(joined, proj_weight, proj_bias)
    if not need_weights or weights is None:
        return result, None
    return result, weights.mean(1) if average_attn_weights else weights


def attention_weights(
    query: Tensor, key: Tensor, mask: Tensor | None, mask_type: int | None
) -> Tensor:
    """The softmax of scaled products; a mask hides what it does not have zeros for."""
    torch = pytorch.torch_module()
    scores = (query / query.shape[-1] ** 0.5) @ key.transpose(-2, -1)
    if mask is None:
        return torch.softmax(scores, -1)
    return masked_softmax(scores, mask, -1, mask_type)


def mkldnn_rnn_layer(
    input: Tensor, weight0: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor, hx: Tensor,
    cx: Tensor, reverse: bool, batch_sizes: Sequence[int], mode: int, hidden_size: int,
    num_layers: int, has_biases: bool, bidirectional: bool, batch_first: bool, train: bool,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    """A layer of an LSTM or GRU in one direction, steps first: output and last states."""
    biases = (weight2, weight3) if has_biases else ()
    states = [x.reshape(x.shape[-2:]) for x in ((hx,) if mode == GRU_MODE else (hx, cx))]
    layer = gru_layer if mode == GRU_MODE else lstm_layer
    output, last = layer(input, states, (weight0, weight1), biases, None, reverse=reverse)
    hidden = last[0].reshape(hx.shape)
    cell = last[1].reshape(cx.shape) if len(last) > 1 else hidden
    return output, hidden, cell, input.new_empty(0, dtype=pytorch.torch_module().uint8)


# forms of other operators


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors along a new dimension."""
    return pytorch.torch_module().stack(tensors, dim)


def add_relu(self: Tensor, other: object, alpha: Any = 1) -> Tensor:
    """max(self + alpha other, 0)"""
    return pytorch.torch_module().relu(self + alpha * other)


def linear_backward(
    self: Tensor, grad_output: Tensor, weight: Tensor, output_mask: Sequence[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of a linear layer by its operand, weight and bias."""
    rows, features = grad_output.flatten(0, -2), self.flatten(0, -2)
    return grad_output @ weight, rows.t() @ features, rows.sum(0)


def conv_tbc(self: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """The convolution of (time, batch, channels) with (time, inputs, outputs)."""
    convolve = pytorch.torch_module("torch.nn.functional").conv1d
    result = convolve(self.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad)
    return result.permute(2, 0, 1).contiguous()


def glu_jvp(glu: Tensor, x: Tensor, dx: Tensor, dim: int) -> Tensor:
    """The derivative of glu(x) in the direction dx."""
    gate = x.chunk(2, dim)[1].sigmoid()
    by_value, by_gate = dx.chunk(2, dim)
    return by_value * gate + glu * (1 - gate) * by_gate


def native_norm(self: Tensor, p: object = 2, dim: object = None, keepdim: bool = False,
                dtype: object = None) -> Tensor:  # fmt: skip
    """The p-norm over dimensions, by ``torch.linalg.vector_norm``."""
    norm = pytorch.torch_module("torch.linalg").vector_norm
    return norm(self, 2 if p is None else p, dim or None, keepdim, dtype=dtype)


def power_sum(
    self: Tensor,
    ord: object = 2,
    dim: object = None,
    keepdim: bool = False,
    *,
    dtype: object = None,
) -> Tensor:
    """The sum of powers of absolute values."""
    powers = self.abs().pow(ord)
    return powers.sum(dim, keepdim, dtype=dtype) if dim else powers.sum(dtype=dtype)


def multilabel_margin_loss_forward(
    input: Tensor, target: Tensor, reduction: int
) -> tuple[Tensor, Tensor]:
    """The sum of max(0, 1 - x[label] + x[other]), and which elements are labels.

    PyTorch's decomposition gives a single row a dimension too many, and is wrong before 2.14.
    """
    torch = pytorch.torch_module()
    x, labels = torch.atleast_2d(input), torch.atleast_2d(target)
    count = x.shape[1]
    is_label = (labels == -1).cumsum(1) == 0
    labels = labels.masked_fill(~is_label, 0)
    hits = labels.unsqueeze(1) == torch.arange(count).view(-1, 1)
    is_target = (hits & is_label.unsqueeze(1)).any(-1)
    terms = (1 - x.gather(1, labels).unsqueeze(-1) + x.unsqueeze(1)).clamp_min(0)
    kept = is_label.unsqueeze(-1) & ~is_target.unsqueeze(1)
    loss = terms.masked_fill(~kept, 0).sum((1, 2)) / count
    if reduction == 0 and input.ndim < 2:
        loss = loss.reshape(())
    elif reduction:
        loss = loss.mean() if reduction == 1 else loss.sum()
    return loss, is_target.to(input.dtype).reshape(target.shape)


def weight_int8pack_mm(self: Tensor, mat2: Tensor, scales: Tensor) -> Tensor:
    """self @ mat2^T with a scale for each row of integers."""
    return (self.float() @ mat2.float().t() * scales.float()).to(self.dtype)


def linspace(
    operator: object, start: object, end: object, steps: int, *, dtype: Any = None, **keywords: Any
) -> Tensor:
    """Numbers at equal distances; integers between ends that are rounded towards zero.

    PyTorch's decomposition rounds no ends, and computes integers as floats of 32 bits.
    """
    torch = pytorch.torch_module()
    if dtype is None or dtype.is_floating_point or dtype.is_complex or steps < 2:
        whole: Tensor = pytorch.decomposition_table()[operator](
            start, end, steps, dtype=dtype, **keywords
        )
        return whole
    first, last = (torch.as_tensor(x).to(dtype).to(torch.float64) for x in (start, end))
    places = torch.arange(steps, dtype=torch.float64)
    step = (last - first) / (steps - 1)
    rising, falling = first + step * places, last - step * (steps - 1 - places)
    return torch.where(places < steps // 2, rising, falling).to(dtype)


FUNCTIONS: Final[Mapping[str, Callable[..., object]]] = {
    **FAKE_QUANTIZATIONS,
    "_masked_softmax": masked_softmax,
    "_masked_softmax_backward": masked_softmax_backward,
    "_transform_bias_rescale_qkv": transform_bias_rescale_qkv,
    "_native_multi_head_attention": native_multi_head_attention,
    "mkldnn_rnn_layer": mkldnn_rnn_layer,
    "_stack": stack,
    "_add_relu.Tensor": add_relu,
    "_add_relu.Scalar": add_relu,
    "linear_backward": linear_backward,
    "conv_tbc": conv_tbc,
    "glu_jvp": glu_jvp,
    "native_norm": native_norm,
    "native_norm.ScalarOpt_dim_dtype": native_norm,
    "linalg__powsum": power_sum,
    "_weight_int8pack_mm": weight_int8pack_mm,
    "multilabel_margin_loss_forward": multilabel_margin_loss_forward,
}


LINES: Final = (
    "linspace", "linspace.Tensor_Tensor", "linspace.Tensor_Scalar", "linspace.Scalar_Tensor",
)  # fmt: skip


def fused_decompositions() -> dict[object, Callable[..., object]]:
    """The decompositions of the operators that this version of PyTorch has."""
    known = set(pytorch.operator_names("aten::"))
    table: dict[object, Callable[..., object]] = {
        pytorch.operator_of(f"aten::{name}"): function
        for name, function in FUNCTIONS.items()
        if f"aten::{name}" in known
    }
    lines = [pytorch.operator_of(f"aten::{name}") for name in LINES if f"aten::{name}" in known]
    return table | {operator: partial(linspace, operator) for operator in lines}

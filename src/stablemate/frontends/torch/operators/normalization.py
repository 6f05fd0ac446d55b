"""Normalization and softmax, forward: whole, so that PyTorch traces no decomposition of them.

Source: PyTorch, torch.nn, "Normalization Layers" and "Non-linear Activations".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from typing import Any, Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.softmax import log_softmax_along, softmax_along
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.table import lowers

INVERSE_SQUARE_ROOT_OF_2: Final = 0.5**0.5
SQUARE_ROOT_OF_2_OVER_PI: Final = (2 / pi) ** 0.5


@lowers("_native_batch_norm_legit_no_training")
def batch_norm_inference(
    call: Call, input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor,
    running_var: Tensor, momentum: float, eps: float,
) -> list[Tensor]:  # fmt: skip
    """x * scale + (bias - mean * scale) with scale = weight / sqrt(var + eps), by channels."""
    x, mean = call.to_compute_type(input), call.to_compute_type(running_mean)
    scale = 1 / f.sqrt(call.to_compute_type(running_var) + eps)
    if weight is not None:
        scale = call.to_compute_type(weight) * scale
    shift = -mean * scale
    if bias is not None:
        shift = call.to_compute_type(bias) + shift
    result = x * by_channel(scale, x) + by_channel(shift, x)
    return [result.convert(call.element), *[empty(call, row) for row in call.types[1:]]]


def by_channel(values: Tensor, x: Tensor) -> Tensor:
    """A value for each channel, repeated to the shape of a tensor with channels."""
    return values.convert(x.element).broadcast(x.shape, [1])


def empty(call: Call, row: Any) -> Tensor:
    """A result without elements, in the place of a statistic that is not computed."""
    shape, element = row
    return full(call.graph, shape, 0, element)


@lowers("native_layer_norm")
def layer_norm(
    call: Call, input: Tensor, normalized_shape: Sequence[object], weight: Tensor | None,
    bias: Tensor | None, eps: float,
) -> list[Tensor]:  # fmt: skip
    """(x - mean) / sqrt(var + eps) * weight + bias over the last dimensions, mean and 1 / sqrt."""
    x = call.to_compute_type(input)
    last = [*range(x.rank - len(normalized_shape), x.rank)]
    mean = r.mean_over(x, last)
    centered = x - r.keep_dimensions(mean, x.shape, last)
    inverse_deviation = f.rsqrt(r.mean_over(f.square(centered), last) + eps)
    result = centered * r.keep_dimensions(inverse_deviation, x.shape, last)
    if weight is not None:
        result = result * weight.convert(x.element).broadcast(x.shape, last)
    if bias is not None:
        result = result + bias.convert(x.element).broadcast(x.shape, last)
    statistics = [
        m.reshape(value.convert(row[1]), row[0])
        for value, row in zip((mean, inverse_deviation), call.types[1:], strict=True)
        if row is not None
    ]
    return [result.convert(call.element), *statistics]


@lowers("_softmax")
def softmax(call: Call, self: Tensor, dim: int, *_: object) -> Tensor:
    """exp(x - max x) / the sum of these."""
    x = call.to_compute_type(call.tensor(self) if call.element != self.element else self)
    if not x.rank:
        return full(call.graph, (), 1, call.element)
    return softmax_along(x, dim).convert(call.element)


@lowers("_log_softmax")
def log_softmax(call: Call, self: Tensor, dim: int, *_: object) -> Tensor:
    """x - max x - log of the sum of exp(x - max x)."""
    x = call.to_compute_type(call.tensor(self) if call.element != self.element else self)
    if not x.rank:
        return full(call.graph, (), 0, call.element)
    return log_softmax_along(x, dim).convert(call.element)


@lowers("gelu")
def gelu(call: Call, self: Tensor, *, approximate: str = "none") -> Tensor:
    """x / 2 * (1 + erf(x / sqrt(2))), or its approximation by tanh."""
    x = call.to_compute_type(self)
    if approximate == "tanh":
        inner = (x + x * x * x * 0.044715) * SQUARE_ROOT_OF_2_OVER_PI
        return (x * 0.5 * (f.tanh(inner) + 1)).convert(call.element)
    return (x * 0.5 * (f.erf(x * INVERSE_SQUARE_ROOT_OF_2) + 1)).convert(call.element)

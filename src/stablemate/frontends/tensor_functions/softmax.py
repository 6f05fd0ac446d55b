"""Softmax, and what attention shares around it."""

from __future__ import annotations

from stablemate.frontends.tensor_functions.elementwise import exp, log
from stablemate.frontends.tensor_functions.movement import repeat_elements
from stablemate.frontends.tensor_functions.reductions import (
    keep_dimensions,
    maximum_over,
    sum_over,
)
from stablemate.frontends.tensor_functions.tensor import Tensor


def softmax_along(x: Tensor, dimension: int) -> Tensor:
    """exp(x - max x) / the sum of these, along a dimension."""
    weights, total = exponentials(x, dimension)[1:]
    return weights / keep_dimensions(total, x.shape, [dimension])


def log_softmax_along(x: Tensor, dimension: int) -> Tensor:
    """X - max x - log of the sum of exp(x - max x), along a dimension."""
    shifted, _weights, total = exponentials(x, dimension)
    return shifted - keep_dimensions(log(total), x.shape, [dimension])


def exponentials(x: Tensor, dim: int) -> tuple[Tensor, Tensor, Tensor]:
    """A tensor less its maximum along a dimension, the exponentials, and their sum."""
    dimension = dim % x.rank
    shifted = x - keep_dimensions(maximum_over(x, [dimension]), x.shape, [dimension])
    weights = exp(shifted)
    return shifted, weights, sum_over(weights, [dimension])


def repeat_heads(x: Tensor, like: Tensor) -> Tensor:
    """Keys or values, each head repeated for the queries that share it."""
    if x.rank < 3 or x.shape[-3] == like.shape[-3]:
        return x
    return repeat_elements(x, -3, like.shape[-3] // x.shape[-3])

"""Random numbers: uniform, normal, and of classes.

They come from the key of a run; the attribute ``seed``, which stands for the generator of an
implementation, has no effect.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.element_types import element_like, element_of
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import random_numbers as random
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.softmax import softmax_along
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.numerics.elements import I64, ElementType

FLOAT, INT32 = 1, 6  # the default types of results


def normal_numbers(
    call: Call, shape: Sequence[SizeLike], element: ElementType, mean: float, scale: float
) -> Tensor:
    """Floats of a mean and a standard deviation."""
    return random.normal(call.key(), call.stream, shape, element) * scale + mean


def uniform_numbers(
    call: Call, shape: Sequence[SizeLike], element: ElementType, low: float, high: float
) -> Tensor:
    """Uniformly distributed floats of a shape, between two numbers."""
    return random.uniform(call.key(), call.stream, shape, element) * (high - low) + low


@lowers("RandomNormal")
def random_normal(
    call: Call, *, shape: Sequence[int], dtype: int = FLOAT, mean: float = 0.0,
    scale: float = 1.0, seed: float = 0.0,
) -> Tensor:  # fmt: skip
    """Random numbers of a shape, normally distributed by a mean and a deviation"""
    return normal_numbers(call, shape, element_of(dtype, "the result"), mean, scale)


@lowers("RandomNormalLike")
def random_normal_like(
    call: Call, x: Tensor, *, dtype: int | None = None, mean: float = 0.0, scale: float = 1.0,
    seed: float = 0.0,
) -> Tensor:  # fmt: skip
    """The same in the shape of a tensor"""
    element = element_like(x.element, dtype)
    return normal_numbers(call, x.shape, element, mean, scale)


@lowers("RandomUniform")
def random_uniform(
    call: Call, *, shape: Sequence[int], dtype: int = FLOAT, low: float = 0.0, high: float = 1.0,
    seed: float = 0.0,
) -> Tensor:  # fmt: skip
    """Random numbers of a shape, uniformly distributed between two numbers"""
    return uniform_numbers(call, shape, element_of(dtype, "the result"), low, high)


@lowers("RandomUniformLike")
def random_uniform_like(
    call: Call, x: Tensor, *, dtype: int | None = None, low: float = 0.0, high: float = 1.0,
    seed: float = 0.0,
) -> Tensor:  # fmt: skip
    """The same in the shape of a tensor"""
    element = element_like(x.element, dtype)
    return uniform_numbers(call, x.shape, element, low, high)


@lowers("Multinomial")
def multinomial(
    call: Call, x: Tensor, *, dtype: int = INT32, sample_size: int = 1, seed: float = 0.0
) -> Tensor:
    """Classes by the logarithms (batch, classes) of their probabilities, (batch, samples)"""
    wide = to_compute_type(x)
    batch, classes = wide.shape
    shape = (batch, sample_size, classes)
    ends = cumulative(softmax_along(wide, 1), Add, 1).broadcast(shape, [0, 2])
    draws = random.uniform(call.key(), call.stream, (batch, sample_size), wide.element)
    passed = r.sum_over((draws.broadcast(shape, [0, 1]) >= ends).convert(I64), [2])
    return f.minimum(passed, classes - 1).convert(element_of(dtype, "the result"))

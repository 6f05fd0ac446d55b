"""Steps of optimizers, of the domain ai.onnx.preview.training.

Source: ONNX, Operator Schemas, ai.onnx.preview.training.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.tensor import Tensor, scalar

DOMAIN = "ai.onnx.preview.training"


def columns(tensors: Sequence[Tensor], count: int) -> Iterator[Sequence[Tensor]]:
    """The tensors of each optimized one: it, its gradient, its states."""
    each = len(tensors) // count
    rows = [tensors[i * each : (i + 1) * each] for i in range(count)]
    return zip(*rows, strict=True)


def by_output(results: Sequence[Sequence[Tensor]]) -> tuple[Tensor, ...]:
    """New values of all optimized tensors, then their states."""
    return tuple([tensor for column in zip(*results, strict=True) for tensor in column])


@lowers("Adagrad", domain=DOMAIN)
def adagrad(
    call: Call, rate: Tensor, step: Tensor, *tensors: Tensor, decay_factor: float = 0.0,
    epsilon: float = 1e-6, norm_coefficient: float = 0.0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """A step by the gradient, divided by the root of the sum of its squares"""
    factor = rate / (step.convert(rate.element) * decay_factor + 1)
    results: list[tuple[Tensor, Tensor]] = []
    for x, gradient, squares in columns(tensors, 3):
        regular = x * norm_coefficient + gradient
        total = squares + regular * regular
        results.append((x - factor * regular / (f.sqrt(total) + epsilon), total))
    return by_output(results)


@lowers("Adam", domain=DOMAIN)
def adam(
    call: Call, rate: Tensor, step: Tensor, *tensors: Tensor, alpha: float = 0.9,
    beta: float = 0.999, epsilon: float = 1e-6, norm_coefficient: float = 0.0,
    norm_coefficient_post: float = 0.0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """A step by the mean of gradients, divided by the root of the mean of squares"""
    count = step.convert(rate.element)
    first, second = (
        1 - f.power(scalar(call.graph, base, rate.element), count) for base in (alpha, beta)
    )
    factor = f.select(step > 0, rate * f.sqrt(second) / first, rate)
    results: list[tuple[Tensor, Tensor, Tensor]] = []
    for x, gradient, mean, squares in columns(tensors, 4):
        regular = x * norm_coefficient + gradient
        new_mean = mean * alpha + regular * (1 - alpha)
        new_squares = squares * beta + regular * regular * (1 - beta)
        moved = x - factor * new_mean / (f.sqrt(new_squares) + epsilon)
        results.append((moved * (1 - norm_coefficient_post), new_mean, new_squares))
    return by_output(results)


@lowers("Momentum", domain=DOMAIN)
def momentum(
    call: Call, rate: Tensor, step: Tensor, *tensors: Tensor, alpha: float, beta: float,
    mode: str, norm_coefficient: float,
) -> tuple[Tensor, ...]:  # fmt: skip
    """A step by what is left of former gradients and the new one"""
    weight = f.select(step > 0, scalar(call.graph, beta, rate.element), 1)
    results: list[tuple[Tensor, Tensor]] = []
    for x, gradient, velocity in columns(tensors, 3):
        regular = x * norm_coefficient + gradient
        new = velocity * alpha + weight * regular
        results.append((x - rate * (regular + new * alpha if mode == "nesterov" else new), new))
    return by_output(results)

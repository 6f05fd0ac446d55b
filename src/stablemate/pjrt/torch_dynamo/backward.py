"""Backward operations of PyTorch, as the derivatives of the forward ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stablemate.bridges.frameworks import framework
from stablemate.bridges.jax import NEED


def backward_operations(
    aten: Any, forward: Callable[[Any], Callable[..., Any]]
) -> Mapping[Any, Callable[..., Any]]:
    """The functions of JAX for backward operations.

    Args:
        aten: ``torch.ops.aten``.
        forward: What finds the function of JAX for a forward operation.
    """

    def pooling(target: Any) -> Callable[..., Any]:
        """The gradient of a function of an array and of options, which follow both."""

        def backward(gradient: Any, array: Any, *options: Any) -> Any:
            def run(x: Any) -> Any:
                return forward(target)(x, *options)

            return pulled_back(run, [array], gradient)[0]

        return backward

    def max_pooling(gradient: Any, array: Any, *rest: Any) -> Any:
        return scattered(gradient, array, rest[-1])

    def convolution(
        gradient: Any, array: Any, weight: Any, bias_sizes: Any, stride: Any, padding: Any,
        dilation: Any, transposed: bool, output_padding: Any, groups: int, mask: Sequence[bool],
    ) -> Any:  # fmt: skip
        def run(x: Any, w: Any) -> Any:
            return forward(aten.convolution.default)(
                x, w, None, stride, padding, dilation, transposed, output_padding, groups
            )

        by_array, by_weight = pulled_back(run, [array, weight], gradient)
        axes = tuple(axis for axis in range(gradient.ndim) if axis != 1)
        gradients = (by_array, by_weight, gradient.sum(axes) if mask[2] else None)
        return tuple(value if asked else None for value, asked in zip(gradients, mask, strict=True))

    return {
        aten.convolution_backward.default: convolution,
        aten.max_pool2d_with_indices_backward.default: max_pooling,
        aten.avg_pool2d_backward.default: pooling(aten.avg_pool2d.default),
        aten._adaptive_avg_pool2d_backward.default: pooling(aten._adaptive_avg_pool2d.default),
    }


def pulled_back(run: Callable[..., Any], arguments: Sequence[Any], gradient: Any) -> Any:
    """The gradients of the arguments of a function, from that of its result."""
    _, pull = framework("jax", NEED).vjp(run, *arguments)
    return pull(gradient)


def scattered(gradient: Any, array: Any, indices: Any) -> Any:
    """The gradient of a maximum over windows of the last two axes, by the indices of maxima."""
    numpy = framework("jax.numpy", NEED)
    height, width = array.shape[-2:]
    rows = numpy.zeros((array.size // (height * width), height * width), gradient.dtype)
    numbers = numpy.arange(len(rows))[:, None]
    flat = indices.reshape(len(rows), -1)
    return rows.at[numbers, flat].add(gradient.reshape(len(rows), -1)).reshape(array.shape)

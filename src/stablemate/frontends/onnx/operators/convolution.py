"""Convolutions.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.stored_products import (
    dequantize_uniform,
    quantized_operands,
    summed_neighbors,
    sums_element,
)
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.contraction import (
    ConvolutionWindows,
    channels_first,
    convolution,
    group_outputs,
)
from stablemate.frontends.tensor_functions.floating_point import computed_element
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor

Pads = list[tuple[int, int]]


def window_padding(
    call: Call, shape: Sequence[SizeLike], reach: Sequence[int], strides: Sequence[int],
    pads: Sequence[int] | None, auto_pad: str,
) -> Pads:  # fmt: skip
    """The padding before and after each spatial dimension.

    Args:
        call: The call.
        shape: The spatial sizes.
        reach: How many elements a window spans.
        strides: The distance of two windows.
        pads: The stated padding: all starts, then all ends.
        auto_pad: ``NOTSET``, ``VALID``, ``SAME_UPPER`` or ``SAME_LOWER``.
    """
    rank = len(reach)
    if auto_pad in ("NOTSET", ""):
        stated = list(pads or [0] * (2 * rank))
        return list(zip(stated[:rank], stated[rank:], strict=True))
    if auto_pad == "VALID":
        return [(0, 0)] * rank
    return [
        halves(same_total(call, *row), auto_pad) for row in zip(shape, reach, strides, strict=True)
    ]


def same_total(call: Call, size: SizeLike, reach: int, stride: int) -> int:
    """How much is added so that there are as many windows as strides in a size."""
    if stride == 1:
        return reach - 1
    if not isinstance(size, int):
        call.refuse("SAME padding with strides depends on the size, which is not known")
    return max((-(-size // stride) - 1) * stride + reach - size, 0)


def halves(total: int, auto_pad: str) -> tuple[int, int]:
    """A number in two halves, of which the first or last is the smaller one."""
    small, large = total // 2, total - total // 2
    return (small, large) if auto_pad == "SAME_UPPER" else (large, small)


def reaches(kernel: Sequence[SizeLike], dilations: Sequence[int], call: Call) -> list[int]:
    """How many elements windows span."""
    sizes = [size for size in kernel if isinstance(size, int)]
    if len(sizes) < len(kernel):
        call.refuse("the size of the kernel is not known")
    return [d * (size - 1) + 1 for size, d in zip(sizes, dilations, strict=True)]


def require_kernel(stated: Sequence[int] | None, kernel: Sequence[SizeLike]) -> None:
    """Refuses a stated shape of a kernel that is not that of the weights.

    Raises:
        ValueError: It is another one.
    """
    if not stated:
        return
    known = [own if isinstance(own, int) else n for own, n in zip(kernel, stated, strict=True)]
    if list(stated) != known:
        raise ValueError(f"kernel_shape is {list(stated)}, and the weights have {list(kernel)}")


@lowers("Conv")
def conv(
    call: Call, x: Tensor, w: Tensor, bias: Tensor | None = None, *, auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None, group: int = 1,
    kernel_shape: Sequence[int] | None = None, pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """The convolution of (n, c, ...) with (o, c / group, ...)"""
    require_kernel(kernel_shape, w.shape[2:])
    neighbors = summed_neighbors(w, group)
    stored = quantized_operands(call.stored.get(x.value), call.stored.get(w.value), 0, neighbors)
    lhs, rhs = stored or (x, w)
    element = sums_element(lhs, rhs, 1) if stored else computed_element(x.element)
    result = convolve(
        call, lhs, rhs, auto_pad=auto_pad, dilations=dilations, group=group, pads=pads,
        strides=strides, element=element,
    )  # fmt: skip
    floats = dequantize_uniform(result) if stored else result
    return with_bias(floats, bias).convert(x.element)


def convolve(
    call: Call, x: Tensor, w: Tensor, *, auto_pad: str, dilations: Sequence[int] | None,
    group: int, pads: Sequence[int] | None, strides: Sequence[int] | None, element: Any,
) -> Tensor:  # fmt: skip
    """A convolution with results of an element type."""
    rank = w.rank - 2
    spread, steps = tuple(dilations or (1,) * rank), tuple(strides or (1,) * rank)
    reach = reaches(w.shape[2:], spread, call)
    padding = window_padding(call, x.shape[2:], reach, steps, pads, auto_pad)
    rows = zip(x.shape[2:], padding, reach, steps, strict=True)
    sizes = [(size + low + high - n) // step + 1 for size, (low, high), n, step in rows]
    if any(isinstance(n, int) and n <= 0 for n in sizes):
        raise ValueError(f"windows that span {reach} elements are larger than the padded image")
    window = ConvolutionWindows(steps, tuple(padding), (1,) * rank, spread)
    return convolution(
        x, w, channels_first(rank), window, (x.shape[0], w.shape[0], *sizes),
        feature_groups=group, element=element,
    )  # fmt: skip


def with_bias(x: Tensor, bias: Tensor | None) -> Tensor:
    """A tensor with a number for each channel added."""
    return x if bias is None else x + bias.convert(x.element).broadcast(x.shape, [1])


@lowers("ConvTranspose")
def conv_transpose(
    call: Call, x: Tensor, w: Tensor, bias: Tensor | None = None, *, auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None, group: int = 1,
    kernel_shape: Sequence[int] | None = None, output_padding: Sequence[int] | None = None,
    output_shape: Sequence[int] | None = None, pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """Elements of (n, c, ...) spread by (c, o / group, ...)"""
    require_kernel(kernel_shape, w.shape[2:])
    rank = w.rank - 2
    spread, steps = tuple(dilations or (1,) * rank), tuple(strides or (1,) * rank)
    extra = tuple(output_padding or (0,) * rank)
    if any(n >= max(d, step) for n, d, step in zip(extra, spread, steps, strict=True)):
        raise ValueError(f"output_padding is {list(extra)}, with the strides {list(steps)}")
    if output_shape is not None and min(output_shape) < 1:
        raise ValueError(f"output_shape is {list(output_shape)}")
    reach = reaches(w.shape[2:], spread, call)
    full = [(size - 1) * step + n for size, step, n in zip(x.shape[2:], steps, reach, strict=True)]
    if output_shape is None and auto_pad.startswith("SAME"):
        output_shape = known_sizes(
            call, [size * step for size, step in zip(x.shape[2:], steps, strict=True)]
        )
    if output_shape is None:
        cut = window_padding(call, x.shape[2:], reach, steps, pads, auto_pad)
    else:
        sizes = known_sizes(call, full)
        kind = "SAME_UPPER" if auto_pad == "SAME_UPPER" else "SAME_LOWER"
        wanted = output_shape[-rank:]
        left = [n + more - want for n, more, want in zip(sizes, extra, wanted, strict=True)]
        cut = [halves(n, kind) if n > 0 else (0, n) for n in left]  # or all is added at the end
    rows = list(zip(reach, cut, extra, strict=True))
    padding = tuple([(n - 1 - low, n - 1 - high + more) for n, (low, high), more in rows])
    shape = (x.shape[0], w.shape[1] * group, *[
        size - low - high + more
        for size, (low, high), more in zip(full, cut, extra, strict=True)
    ])  # fmt: skip
    window = ConvolutionWindows((1,) * rank, padding, steps, spread)
    kernel = m.reverse(group_outputs(w, group), range(2, w.rank))
    result = convolution(
        x, kernel, channels_first(rank), window, shape, feature_groups=group,
        element=computed_element(x.element),
    )  # fmt: skip
    return with_bias(result, bias).convert(x.element)


def known_sizes(call: Call, sizes: Sequence[SizeLike]) -> list[int]:
    """Sizes that are numbers; others are refused."""
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(sizes):
        call.refuse("the padding depends on sizes that are not known")
    return known

"""Pooling: maxima, means and norms over windows.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.convolution import reaches, window_padding
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, full, size_tensor
from stablemate.frontends.tensor_functions.windows import (
    Windows,
    first_maxima,
    pad_for_windows,
    window_maxima,
)
from stablemate.ir.core import Operation
from stablemate.numerics.elements import I64

Stated = Sequence[int] | None


def pooling_windows(
    call: Call, x: Tensor, kernel_shape: Sequence[int], *, strides: Stated, pads: Stated,
    dilations: Stated, auto_pad: str, ceil_mode: int,
) -> tuple[Windows, list[tuple[int, int]]]:  # fmt: skip
    """The windows of a pooling operator, and the padding that it states.

    With ``ceil_mode`` a window may reach beyond the padding at the end, but begins before it.
    """
    rank = len(kernel_shape)
    require_windows(kernel_shape, strides, pads)
    spread, steps = tuple(dilations or (1,) * rank), tuple(strides or (1,) * rank)
    reach = reaches(kernel_shape, spread, call)
    padding = window_padding(call, x.shape[2:], reach, steps, pads, auto_pad)
    rows = zip(x.shape[2:], padding, reach, steps, strict=True)
    outputs = [window_count(*row, rounds_up=bool(ceil_mode)) for row in rows]
    low = tuple([before for before, _ in padding])
    return Windows(tuple(kernel_shape), steps, low, spread, tuple(outputs)), padding


def require_windows(kernel_shape: Sequence[int], strides: Stated, pads: Stated) -> None:
    """Refuses windows of no size, or some of which see only padding.

    Raises:
        ValueError: They are so.
    """
    if min(*kernel_shape, *(strides or ()), 1) < 1:
        raise ValueError(f"windows of {list(kernel_shape)} with strides {list(strides or ())}")
    sizes = [*kernel_shape, *kernel_shape]
    if any(pad >= size for pad, size in zip(pads or (), sizes, strict=False)):
        raise ValueError(f"windows of {list(kernel_shape)} with pads {list(pads or ())}")


def window_count(
    size: SizeLike, padding: tuple[int, int], reach: int, stride: int, *, rounds_up: bool
) -> SizeLike:
    """How many windows there are along a dimension.

    As shapes are inferred, the quotient is rounded towards zero: one that is a little too large for
    the tensor counts.
    """
    low, high = padding
    span = size + low + high - reach
    if not rounds_up:
        if span < 0 and span > -stride:
            return 1
        return span // stride + 1
    count = -(-span // stride) + 1
    return count - 1 if (count - 1) * stride >= size + low else count


def reduce_windows(x: Tensor, cls: type[Operation], windows: Windows) -> Tensor:
    """The elements of windows of a padded tensor, combined by an operation."""
    return r.window_reduction(
        x, cls, (1, 1, *windows.sizes), (1, 1, *windows.strides), [(0, 0)] * x.rank,
        (1, 1, *windows.dilations), (*x.shape[:2], *windows.outputs),
    )  # fmt: skip


@lowers("MaxPool")
def max_pool(
    call: Call, x: Tensor, *, kernel_shape: Sequence[int], auto_pad: str = "NOTSET",
    ceil_mode: int = 0, dilations: Stated = None, pads: Stated = None, storage_order: int = 0,
    strides: Stated = None,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """The maximum of each window, and the flat index of its first place"""
    windows, _ = pooling_windows(
        call, x, kernel_shape, strides=strides, pads=pads, dilations=dilations,
        auto_pad=auto_pad, ceil_mode=ceil_mode,
    )  # fmt: skip
    stored = call.stored.get(x.value)
    if stored is not None and stored.dimension is None and not call.wants(1):
        largest = replace(stored, x=window_maxima(stored.x, windows))
        floats = largest.floats()
        call.stored[floats.value] = largest
        return floats
    values = window_maxima(x, windows)
    if not call.wants(1):
        return values
    inside = pad_for_windows(x, windows, r.lowest(x.element))
    places = first_maxima(x, inside, windows, values.shape)
    if storage_order:
        places = column_major(places, x)
    each = prod(x.shape[2:])
    planes = m.iota(call.graph, x.shape[:2], 0, I64) * size_operand(x, x.shape[1]) + m.iota(
        call.graph, x.shape[:2], 1, I64
    )
    offsets = planes * size_operand(x, each)
    return values, places + offsets.broadcast(places.shape, [0, 1])


def size_operand(x: Tensor, size: SizeLike) -> Tensor:
    """A size as an operand."""
    return size_tensor(x.graph, size, I64)


def column_major(places: Tensor, x: Tensor) -> Tensor:
    """Row-major indices in the spatial dimensions of a tensor as column-major ones."""
    columns = ix.coordinates(places, x.shape[2:])
    total = columns[-1]
    for column, size in reversed(list(zip(columns[:-1], x.shape[2:-1], strict=True))):
        total = total * size_operand(x, size) + column
    return total


@lowers("AveragePool")
def average_pool(
    call: Call, x: Tensor, *, kernel_shape: Sequence[int], auto_pad: str = "NOTSET",
    ceil_mode: int = 0, count_include_pad: int = 0, dilations: Stated = None,
    pads: Stated = None, strides: Stated = None,
) -> Tensor:  # fmt: skip
    """The mean of each window"""
    windows, padding = pooling_windows(
        call, x, kernel_shape, strides=strides, pads=pads, dilations=dilations,
        auto_pad=auto_pad, ceil_mode=ceil_mode,
    )  # fmt: skip
    wide = to_compute_type(x)
    total = reduce_windows(pad_for_windows(wide, windows, 0), Add, windows)
    ones = full(call.graph, (1, 1, *x.shape[2:]), 1, wide.element)
    if count_include_pad:
        low, high = zip(*padding, strict=True)
        ones = m.pad(ones, 1, (0, 0, *low), (0, 0, *high))
        inside = Windows(
            windows.sizes, windows.strides, (0,) * windows.rank, windows.dilations,
            windows.outputs,
        )  # fmt: skip
    else:
        inside = windows
    counts = reduce_windows(pad_for_windows(ones, inside, 0), Add, inside)
    return (total / m.reshape(counts, counts.shape[2:]).broadcast_to(total.shape)).convert(
        x.element
    )


@lowers("LpPool")
def lp_pool(
    call: Call, x: Tensor, *, kernel_shape: Sequence[int], auto_pad: str = "NOTSET",
    ceil_mode: int = 0, dilations: Stated = None, p: int = 2, pads: Stated = None,
    strides: Stated = None,
) -> Tensor:  # fmt: skip
    """The norm of each window"""
    windows, _ = pooling_windows(
        call, x, kernel_shape, strides=strides, pads=pads, dilations=dilations,
        auto_pad=auto_pad, ceil_mode=ceil_mode,
    )  # fmt: skip
    powers = pad_for_windows(f.power(abs(to_compute_type(x)), float(p)), windows, 0)
    return f.power(reduce_windows(powers, Add, windows), 1 / p).convert(x.element)


@lowers("GlobalLpPool")
def global_lp_pool(call: Call, x: Tensor, *, p: int = 2) -> Tensor:
    """The norm over all spatial dimensions"""
    dims = range(2, x.rank)
    total = r.sum_over(f.power(abs(to_compute_type(x)), float(p)), dims)
    return m.expand_dims(f.power(total, 1 / p).convert(x.element), *dims)


@lowers("GlobalAveragePool")
def global_average_pool(call: Call, x: Tensor) -> Tensor:
    """The mean over all spatial dimensions"""
    dims = range(2, x.rank)
    return m.expand_dims(r.mean_over(to_compute_type(x), dims).convert(x.element), *dims)


@lowers("GlobalMaxPool")
def global_max_pool(call: Call, x: Tensor) -> Tensor:
    """The maximum over all spatial dimensions"""
    dims = range(2, x.rank)
    return m.expand_dims(r.maximum_over(x, dims), *dims)


@lowers("MaxUnpool")
def max_unpool(
    call: Call, x: Tensor, places: Tensor, output_shape: Tensor | None = None, *,
    kernel_shape: Sequence[int], pads: Stated = None, strides: Stated = None,
) -> Tensor:  # fmt: skip
    """Elements at the places that maxima had, zeros elsewhere"""
    rank = len(kernel_shape)
    require_windows(kernel_shape, strides, None)
    steps, stated = strides or [1] * rank, pads or [0] * (2 * rank)
    own: list[SizeLike] = [
        (size - 1) * step + n - low - high
        for size, step, n, low, high in zip(
            x.shape[2:], steps, kernel_shape, stated[:rank], stated[rank:], strict=True
        )
    ]
    inner = (*x.shape[:2], *own)
    target = full(call.graph, (prod(inner),), 0, x.element)
    flat = m.reshape(places, (places.size,))
    filled = ix.put_points(target, [flat], m.reshape(x, (x.size,)), ix.replace)
    result = m.reshape(filled, inner)
    if output_shape is None:
        return result
    sizes = call.numbers(output_shape, "the shape")
    high = [size - own_size for size, own_size in zip(sizes, inner, strict=True)]
    return m.pad(result, 0, [0] * x.rank, high)

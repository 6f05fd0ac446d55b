"""Pooling: maxima and means over windows, and their gradients.

Source: PyTorch, torch.nn.functional, "Pooling functions".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.contraction import einsum
from stablemate.frontends.tensor_functions.graph import Shape, SizeLike
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    constant,
    full,
    scalar,
    size_tensor,
)
from stablemate.frontends.tensor_functions.windows import (
    Windows,
    first_maxima,
    pad_for_windows,
    window_maxima,
    window_sums,
)
from stablemate.frontends.torch.call import Call, per_dimension
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import BOOLEAN, Array, ElementType

Sizes = Sequence[int]


def windows_of(
    rank: int, outputs: Shape, kernel_size: Sizes, stride: Sizes, padding: Sizes,
    dilation: Sizes = (1,),
) -> Windows:  # fmt: skip
    """The arguments of pooling; one number stands for all dimensions, no strides for the sizes."""
    sizes = per_dimension(kernel_size, rank)
    return Windows(
        sizes, per_dimension(stride or sizes, rank), per_dimension(padding, rank),
        per_dimension(dilation, rank),
        outputs[-rank:],
    )  # fmt: skip


@lowers("max_pool2d_with_indices", "max_pool3d_with_indices", "max_pool1d_with_indices")
def max_pool(
    call: Call, self: Tensor, kernel_size: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes,
    ceil_mode: bool,
) -> list[Tensor]:  # fmt: skip
    """The maximum of each window, and the flat index of its first place."""
    rank = int(call.name.split("max_pool")[1][0])
    windows = windows_of(rank, call.shape, kernel_size, stride, padding, dilation)
    inside = pad_for_windows(self, windows, r.lowest(self.element))
    values = window_maxima(self, windows)
    return [values, first_maxima(self, inside, windows, call.shape)]


@lowers("max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward")
def max_pool_backward(
    call: Call, grad_output: Tensor, self: Tensor, kernel_size: Sizes, stride: Sizes,
    padding: Sizes, dilation: Sizes, ceil_mode: bool, indices: Tensor,
) -> Tensor:  # fmt: skip
    """Gradients added at the places of the maxima."""
    rank = int(call.name.split("max_pool")[1][0])
    return put_flat(call, grad_output, indices, rank)


def put_flat(call: Call, x: Tensor, indices: Tensor, rank: int) -> Tensor:
    """Elements added at flat indices of the last dimensions of the result."""
    leading = len(call.shape) - rank
    rows, size = prod(call.shape[:leading]), prod(call.shape[leading:])
    flat = m.reshape(x, (rows, prod(x.shape[leading:])))
    places = m.reshape(indices, flat.shape).convert(INT64)
    wide = call.to_compute_type(flat)
    target = full(call.graph, (rows, size), 0, wide.element)
    result = ix.put_points(target, ix.places_along(places, 1), wide, ix.add)
    return m.reshape(result.convert(call.element), call.shape)


@lowers("max_unpool2d", "max_unpool3d")
def max_unpool(call: Call, self: Tensor, indices: Tensor, *_: object) -> Tensor:
    """Elements at the places that maxima had, zeros elsewhere."""
    rank = int(call.name.split("max_unpool")[1][0])
    leading = len(call.shape) - rank
    rows, size = prod(call.shape[:leading]), prod(call.shape[leading:])
    flat = m.reshape(self, (rows, prod(self.shape[leading:])))
    places = m.reshape(indices, flat.shape).convert(INT64)
    target = full(call.graph, (rows, size), 0, self.element)
    result = ix.put_points(target, ix.places_along(places, 1), flat, ix.replace)
    return m.reshape(result, call.shape)


@lowers("avg_pool1d", "avg_pool2d", "avg_pool3d")
def avg_pool(
    call: Call, self: Tensor, kernel_size: Sizes, stride: Sizes, padding: Sizes, ceil_mode: bool,
    count_include_pad: bool, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window."""
    rank = int(call.name.split("avg_pool")[1][0])
    windows = windows_of(rank, call.shape, kernel_size, stride, padding)
    x = call.to_compute_type(self)
    total = window_sums(pad_for_windows(x, windows, 0), windows, call.shape)
    divisor = window_counts(x, windows, divisor_override, count_include_pad=count_include_pad)
    return (total / divisor).convert(call.element)


def window_counts(
    x: Tensor, windows: Windows, override: int | None, *, count_include_pad: bool
) -> Tensor | float:
    """By what the sum of each window is divided.

    Windows that reach beyond the padding on the right (``ceil_mode``) count what is before its end.
    """
    if override is not None:
        return float(override)
    sizes = x.shape[-windows.rank :]
    if not all(isinstance(size, int) for size in (*sizes, *windows.outputs)):
        return symbolic_window_counts(x, windows, count_include_pad=count_include_pad)
    counts: Array = np.ones((), x.element.dtype)
    for i, (size, count) in enumerate(zip(sizes, windows.outputs, strict=True)):
        assert isinstance(size, int)
        assert isinstance(count, int)
        starts = np.arange(count) * windows.strides[i] - windows.padding[i]
        ends = np.minimum(starts + windows.sizes[i], size + windows.padding[i])
        if not count_include_pad:
            starts, ends = np.maximum(starts, 0), np.minimum(ends, size)
        counts = counts[..., None] * (ends - starts).astype(x.element.dtype)
    if (counts == counts.reshape(-1)[:1]).all() and counts.size:
        return float(counts.reshape(-1)[0])
    return constant(x.graph, counts)


def symbolic_window_counts(x: Tensor, windows: Windows, *, count_include_pad: bool) -> Tensor:
    """The same for sizes that are symbolic."""
    counts = scalar(x.graph, 1, INT64)
    sizes = x.shape[-windows.rank :]
    for i, (size, count) in enumerate(zip(sizes, windows.outputs, strict=True)):
        low = windows.padding[i]
        length = size_tensor(x.graph, size, INT64)
        starts = m.arange(x.graph, count, INT64) * windows.strides[i] - low
        ends = f.minimum(starts + windows.sizes[i], length + low)
        if not count_include_pad:
            starts, ends = f.maximum(starts, 0), f.minimum(ends, length)
        counts = m.expand_dims(counts, -1) * (ends - starts)
    return counts.convert(x.element)


@lowers("avg_pool2d_backward", "avg_pool3d_backward")
def avg_pool_backward(
    call: Call, grad_output: Tensor, self: Tensor, kernel_size: Sizes, stride: Sizes,
    padding: Sizes, ceil_mode: bool, count_include_pad: bool, divisor_override: int | None,
) -> Tensor:  # fmt: skip
    """The gradient of each mean, divided among the elements of its window."""
    rank = int(call.name.split("avg_pool")[1][0])
    windows = windows_of(rank, grad_output.shape, kernel_size, stride, padding)
    gradient = call.to_compute_type(grad_output)
    wide = self.convert(gradient.element)
    divisor = window_counts(wide, windows, divisor_override, count_include_pad=count_include_pad)
    return spread_sums(gradient / divisor, windows, call.shape).convert(call.element)


def spread_sums(x: Tensor, windows: Windows, shape: Shape) -> Tensor:
    """For each element of a tensor that windows were taken of, the sum over its windows."""
    leading = x.rank - windows.rank
    low: list[SizeLike] = [0] * leading
    high: list[SizeLike] = [0] * leading
    interior = [0] * leading
    for window, stride, pad, rest in zip(
        windows.sizes, windows.strides, windows.padding, windows.high_padding(shape), strict=True
    ):
        low.append(window - 1 - pad)
        high.append(window - 1 - rest)
        interior.append(stride - 1)
    spread = m.pad(x, 0, low, high, interior)
    ones = (1,) * x.rank
    return r.window_reduction(
        spread, Add, (*(1,) * leading, *windows.sizes), ones, [(0, 0)] * x.rank, ones, shape
    )


# adaptive pooling: windows whose sizes follow from the sizes of input and output


def adaptive_bounds(size: int, count: int) -> list[tuple[int, int]]:
    """Where each window begins and ends."""
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


@lowers("_adaptive_avg_pool2d", "_adaptive_avg_pool3d", "adaptive_avg_pool1d")
def adaptive_avg_pool(call: Call, self: Tensor, output_size: Sequence[SizeLike]) -> Tensor:
    """The mean of each window."""
    x = call.to_compute_type(self)
    for i in range(1, len(output_size) + 1):
        x = average_windows(call, x, x.rank - i, call.shape[-i])
    return x.convert(call.element)


def average_windows(call: Call, x: Tensor, dimension: int, count: SizeLike) -> Tensor:
    """The means of windows of one dimension."""
    size = x.shape[dimension]
    if isinstance(size, int) and size == count:
        return x
    if count == 1:
        shape = [1 if i == dimension else n for i, n in enumerate(x.shape)]
        total = m.reshape(r.sum_over(x, [dimension]), shape)
        return total / scalar_of(x, size)
    weights = averaging_matrix(call, size, count, x.element)
    return multiply_dimension(x, weights, dimension)


def scalar_of(x: Tensor, size: SizeLike) -> Tensor | float:
    """A size as a divisor."""
    return float(size) if isinstance(size, int) else size_tensor(x.graph, size, x.element)


def averaging_matrix(call: Call, size: SizeLike, count: SizeLike, element: ElementType) -> Tensor:
    """The matrix (count, size) whose product with a vector has the means of windows."""
    if not isinstance(size, int) or not isinstance(count, int):
        return symbolic_averaging_matrix(call, size, count, element)
    weights = np.zeros((count, size), element.dtype)
    for row, (start, end) in enumerate(adaptive_bounds(size, count)):
        weights[row, start:end] = 1 / (end - start)
    return constant(call.graph, weights)


def symbolic_averaging_matrix(
    call: Call, size: SizeLike, count: SizeLike, element: ElementType
) -> Tensor:
    """The same matrix for sizes that are symbolic."""
    row, column = (m.iota(call.graph, (count, size), i, INT64) for i in range(2))
    start, end = symbolic_bounds(call, row, size, count)
    inside = (column >= start) & (column < end)
    return inside.convert(element) / (end - start).convert(element)


def multiply_dimension(x: Tensor, weights: Tensor, dimension: int) -> Tensor:
    """A dimension of a tensor multiplied by a matrix (result, dimension)."""
    labels = [chr(ord("a") + i) for i in range(x.rank)]
    results = ["z" if i == dimension else label for i, label in enumerate(labels)]
    return einsum(x, "".join(labels), weights, "z" + labels[dimension], "".join(results))


@lowers("_adaptive_avg_pool2d_backward", "_adaptive_avg_pool3d_backward")
def adaptive_avg_pool_backward(call: Call, grad_output: Tensor, self: Tensor) -> Tensor:
    """The gradient of each mean, divided among the elements of its window."""
    rank = 2 if "2d" in call.name else 3
    x = call.to_compute_type(grad_output)
    for i in range(1, rank + 1):
        weights = averaging_matrix(call, call.shape[-i], x.shape[-i], x.element)
        x = multiply_dimension(x, m.swap_dimensions(weights, 0, 1), x.rank - i)
    return x.convert(call.element)


@lowers("adaptive_max_pool2d", "adaptive_max_pool3d")
def adaptive_max_pool(call: Call, self: Tensor, output_size: Sequence[SizeLike]) -> list[Tensor]:
    """The maximum of each window, and the flat index of its first place."""
    rank = len(output_size)
    leading = self.rank - rank
    sizes, counts = self.shape[leading:], call.shape[leading:]
    x, insides, flat = self, call.tensor(True, BOOLEAN), call.tensor(0, INT64)
    for i, (size, count) in enumerate(zip(sizes, counts, strict=True)):
        places, inside = window_places(call, size, count)
        x = ix.take(x, places, leading + 2 * i)
        insides = m.expand_dims(insides, -2, -1) & inside
        flat = m.expand_dims(flat, -2, -1) * call.tensor(size, INT64) + places
    own = [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]
    shape = (*counts, prod(flat.shape[1::2]))
    order = [*range(leading), *[leading + i for i in own]]
    values = m.reshape(m.transpose(x, order), (*x.shape[:leading], *shape))
    inside, numbers = (
        m.reshape(m.transpose(part, own), shape).broadcast_to(values.shape)
        for part in (insides, flat)
    )
    best, at = r.argmax(f.select(inside, values, r.lowest(x.element)), -1, INT64)
    index = ix.take_along(numbers, m.expand_dims(at, -1), -1)
    return [best, m.reshape(index, call.shape)]


def window_places(call: Call, size: SizeLike, count: SizeLike) -> tuple[Tensor, Tensor]:
    """The indices of the elements of each window, (count, largest window), and which are inside."""
    if not isinstance(size, int) or not isinstance(count, int):
        return symbolic_window_places(call, size, count)
    bounds = adaptive_bounds(size, count)
    width = max((end - start for start, end in bounds), default=1)
    places = np.array([[min(start + k, size - 1) for k in range(width)] for start, _ in bounds])
    inside = np.array([[start + k < end for k in range(width)] for start, end in bounds])
    numbers = constant(call.graph, places.reshape(count, width).astype(np.int64))
    return numbers, constant(call.graph, inside.reshape(count, width))


def symbolic_window_places(call: Call, size: SizeLike, count: SizeLike) -> tuple[Tensor, Tensor]:
    """The same for sizes that are symbolic; no window is wider than their quotient and 1."""
    width = -(-size // count) + 1
    row, place = (m.iota(call.graph, (count, width), i, INT64) for i in range(2))
    start, end = symbolic_bounds(call, row, size, count)
    last = call.tensor(size, INT64) - 1
    return f.minimum(start + place, last), start + place < end


def symbolic_bounds(
    call: Call, row: Tensor, size: SizeLike, count: SizeLike
) -> tuple[Tensor, Tensor]:
    """Where the windows of these numbers begin and end."""
    length, windows = (call.tensor(n, INT64) for n in (size, count))
    return row * length / windows, ((row + 1) * length + windows - 1) / windows


@lowers("adaptive_max_pool2d_backward", "adaptive_max_pool3d_backward")
def adaptive_max_pool_backward(
    call: Call, grad_output: Tensor, self: Tensor, indices: Tensor
) -> Tensor:
    """Gradients added at the places of the maxima."""
    return put_flat(call, grad_output, indices, 2 if "2d" in call.name else 3)

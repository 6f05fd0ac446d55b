"""Windows over the last dimensions of tensors, as pooling has them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.elementwise import Add, Maximum
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.graph import Number, Shape, SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, full, size_tensor
from stablemate.numerics.elements import BOOLEAN, I64

Sizes = Sequence[int]


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows over the last dimensions: a number for each of them.

    Attributes:
        sizes: How many elements a window has.
        strides: The distance of two windows.
        padding: How many elements are added before the first one.
        dilations: The distance of two elements of a window.
        outputs: How many windows there are.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    padding: tuple[int, ...]
    dilations: tuple[int, ...]
    outputs: Shape

    @property
    def rank(self) -> int:
        """The number of dimensions that windows move along."""
        return len(self.sizes)

    def high_padding(self, shape: Shape) -> list[SizeLike]:
        """How many elements are added after each of the last dimensions; fewer are taken away."""
        rows = zip(
            shape[-self.rank :], self.outputs, self.sizes, self.strides, self.padding,
            self.dilations, strict=True,
        )  # fmt: skip
        return [
            (count - 1) * stride + dilation * (window - 1) + 1 - size - low
            for size, count, window, stride, low, dilation in rows
        ]


def zeros(count: int) -> list[SizeLike]:
    """So many sizes of zero."""
    return [0] * count


def pad_for_windows(x: Tensor, windows: Windows, value: Number) -> Tensor:
    """A tensor with padding around its last dimensions, so that all windows are inside."""
    leading = x.rank - windows.rank
    low = [*zeros(leading), *windows.padding]
    high = [*zeros(leading), *windows.high_padding(x.shape)]
    return m.pad(x, value, low, high)


def window_maxima(x: Tensor, windows: Windows) -> Tensor:
    """The largest element of each window; padding is less than all numbers."""
    leading = x.rank - windows.rank
    low, high = windows.padding, windows.high_padding(x.shape)
    pairs = zip(low, high, strict=True)
    edges = [(a, b) for a, b in pairs if isinstance(b, int)]
    if len(edges) < windows.rank:
        x, edges = pad_for_windows(x, windows, r.lowest(x.element)), [(0, 0)] * windows.rank
    ones = (1,) * leading
    return r.window_reduction(
        x, Maximum, (*ones, *windows.sizes), (*ones, *windows.strides),
        [*[(0, 0)] * leading, *edges], (*ones, *windows.dilations),
        (*x.shape[:leading], *windows.outputs),
    )  # fmt: skip


def window_elements(x: Tensor, windows: Windows, offset: Sizes) -> Tensor:
    """The element at an offset of each window of a padded tensor."""
    leading = x.rank - windows.rank
    starts: list[SizeLike] = [0] * leading
    limits, strides = list(x.shape[:leading]), [1] * leading
    for i, at in enumerate(offset):
        start = at * windows.dilations[i]
        starts.append(start)
        limits.append(start + (windows.outputs[i] - 1) * windows.strides[i] + 1)
        strides.append(windows.strides[i])
    return m.slice_dimensions(x, starts, limits, strides)


def window_place(x: Tensor, shape: Shape, windows: Windows, offset: Sizes) -> Tensor:
    """The flat index, in the last dimensions of a tensor, of the element at an offset."""
    leading, place = x.rank - windows.rank, None
    for i, at in enumerate(offset):
        index = m.iota(x.graph, shape, leading + i, I64) * windows.strides[i]
        index = index + (at * windows.dilations[i] - windows.padding[i])
        size = x.shape[leading + i]
        place = index if place is None else place * scalar_size(x, size) + index
    assert place is not None
    return place


def scalar_size(x: Tensor, size: SizeLike) -> Tensor | int:
    """A size as an operand."""
    return size if isinstance(size, int) else size_tensor(x.graph, size, I64)


def first_maxima(x: Tensor, inside: Tensor, windows: Windows, shape: Shape) -> Tensor:
    """The flat index of the first maximum of each window; of the last NaN, if there is one."""
    best: Tensor | None = None
    index: Tensor | None = None
    for offset in product(*map(range, windows.sizes)):
        value = window_elements(inside, windows, offset)
        place = window_place(x, shape, windows, offset)
        if best is None or index is None:
            best, index = value, f.maximum(place, 0)
            continue
        is_better = value > best
        if value.is_float:
            is_better = is_better | f.is_nan(value)
        is_better = is_better | (place_is_outside(x, index, windows, shape) & value.equals(best))
        best, index = f.select(is_better, value, best), f.select(is_better, place, index)
    assert index is not None
    return index


def place_is_outside(x: Tensor, index: Tensor, windows: Windows, shape: Shape) -> Tensor:
    """Whether the place found so far is padding; the first windows begin with it."""
    if not any(windows.padding):
        return full(x.graph, shape, False, BOOLEAN)
    return index < 0


def window_sums(x: Tensor, windows: Windows, shape: Shape) -> Tensor:
    """The sums over windows of a padded tensor."""
    leading = (1,) * (x.rank - windows.rank)
    return r.window_reduction(
        x, Add, (*leading, *windows.sizes), (*leading, *windows.strides), [(0, 0)] * x.rank,
        (*leading, *windows.dilations), shape,
    )  # fmt: skip

"""Windows on an array: their geometry, and views of the array.

Source: StableHLO specification, convolution C25, reduce_window C15, select_and_scatter C2.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.lib.stride_tricks import as_strided

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.types import DYNAMIC
from stablemate.numerics.elements import OF_ML_DTYPES, Array


def dilated_size(size: int, dilation: int) -> int:
    """Size of a dimension with ``dilation - 1`` holes between its elements."""
    return size if size in (0, DYNAMIC) else (size - 1) * dilation + 1


@dataclass(frozen=True, slots=True)
class WindowDimensions:
    """Windows along some dimensions of an array; every field has one entry per dimension.

    Attributes:
        sizes: Elements in a window.
        strides: Distance between windows.
        padding: Elements added at the low and the high end; removed where negative.
        base_dilations: Distance between the elements of the array after dilation.
        window_dilations: Distance between the elements of a window.
    """

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]
    base_dilations: tuple[int, ...]
    window_dilations: tuple[int, ...]

    @classmethod
    def of_attributes(
        cls,
        sizes: Sequence[int],
        strides: Sequence[int] | None = None,
        padding: Iterable[tuple[int, int]] | None = None,
        base_dilations: Sequence[int] | None = None,
        window_dilations: Sequence[int] | None = None,
    ) -> WindowDimensions:
        """The windows of attributes; absent or empty ones default to 1, padding to 0."""
        ones = (1,) * len(sizes)
        return cls(
            sizes=tuple(sizes),
            strides=tuple(strides or ones),
            padding=tuple(padding or ()) or ((0, 0),) * len(sizes),
            base_dilations=tuple(base_dilations or ones),
            window_dilations=tuple(window_dilations or ones),
        )

    def padded_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Sizes after dilation and padding; below zero where more is removed than there is."""
        return tuple(
            size if size == DYNAMIC else low + dilated_size(size, dilation) + high
            for size, dilation, (low, high) in zip(
                shape, self.base_dilations, self.padding, strict=True
            )
        )

    def counts(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Number of windows along each dimension; DYNAMIC where a size is."""
        padded = self.padded_shape(shape)
        return tuple(
            DYNAMIC
            if DYNAMIC in (size, window)
            else window_count(extent, dilated_size(window, dilation), stride)
            for size, extent, window, dilation, stride in zip(
                shape, padded, self.sizes, self.window_dilations, self.strides, strict=True
            )
        )

    def pad(self, array: Array, value: object, first: int = 0) -> Array:
        """The dilated and padded array, from dimension ``first`` on; itself if nothing changes."""
        dimensions = slice(first, first + len(self.sizes))
        sizes = array.shape[dimensions]
        padded = tuple(max(0, size) for size in self.padded_shape(sizes))
        if padded == sizes and not any(map(any, self.padding)):
            return array
        shape = (*array.shape[:first], *padded, *array.shape[dimensions.stop :])
        result = np.full(shape, value, array.dtype)
        pairs = [
            padded_positions(size, extent, low, dilation)
            for size, extent, (low, _), dilation in zip(
                sizes, padded, self.padding, self.base_dilations, strict=True
            )
        ]
        leading = (slice(None),) * first
        target = (*leading, *(there for there, _ in pairs))
        result[target] = array[(*leading, *(here for _, here in pairs))]
        return result

    def view(self, padded: Array, counts: Sequence[int], first: int = 0) -> Array:
        """The elements of all windows on a padded array, from dimension ``first`` on; a view.

        Returns:
            The dimensions of the array, the windowed ones replaced by ``(*counts, *sizes)``.
        """
        if padded.dtype.isbuiltin == OF_ML_DTYPES:  # not every layout can be strided
            return self.view(padded.view(f"u{padded.itemsize}"), counts, first).view(padded.dtype)
        last = first + len(self.sizes)
        shape = (*padded.shape[:first], *counts, *self.sizes, *padded.shape[last:])
        if 0 in shape:  # strides may be too large for an array
            return np.zeros(shape, padded.dtype)
        steps = padded.strides[first:last]
        between = (step * stride for step, stride in zip(steps, self.strides, strict=True))
        inside = (
            step * dilation for step, dilation in zip(steps, self.window_dilations, strict=True)
        )
        return as_strided(
            padded,
            shape,
            (*padded.strides[:first], *between, *inside, *padded.strides[last:]),
            writeable=False,
        )

    def dimension(self, d: int) -> WindowDimensions:
        """The windows along one dimension, on an array that is padded already."""
        return WindowDimensions(
            (self.sizes[d],), (self.strides[d],), ((0, 0),), (1,), (self.window_dilations[d],)
        )

    def positions(self) -> Iterator[tuple[int, ...]]:
        """The positions inside a window, in row-major order."""
        return itertools.product(*map(range, self.sizes))

    def at(
        self, padded: Array, counts: Sequence[int], position: Sequence[int], first: int = 0
    ) -> Array:
        """The elements of all windows at one position; a view."""
        starts = (i * dilation for i, dilation in zip(position, self.window_dilations, strict=True))
        parts = tuple(
            slice(start, start + count * stride, stride)
            for start, count, stride in zip(starts, counts, self.strides, strict=True)
        )
        return padded[(slice(None),) * first + parts]

    def meetings(
        self, shape: Sequence[int], counts: Sequence[int]
    ) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...]]]:
        """The elements and the windows that contain them, position by position in row-major order.

        Args:
            shape: Sizes of the array, neither padded nor dilated; padding is excluded.
            counts: Number of windows along each dimension.

        Yields:
            Indices into the array, and equally many into the windows.
        """
        for position in self.positions():
            pairs = [
                valid_range(i * dilation - low, stride, size, count)
                for i, dilation, (low, _), stride, size, count in zip(
                    position,
                    self.window_dilations,
                    self.padding,
                    self.strides,
                    shape,
                    counts,
                    strict=True,
                )
            ]
            yield tuple(elements for elements, _ in pairs), tuple(seen for _, seen in pairs)


def window_count(extent: int, window: int, stride: int) -> int:
    """Counts the windows that fit into an extent at a stride."""
    return 0 if extent <= 0 or window > extent else (extent - window) // stride + 1


def padded_positions(size: int, extent: int, low: int, dilation: int) -> tuple[slice, slice]:
    """The places of a dimension's elements in the padded one, and which of them remain."""
    first = min(size, max(0, -(low // dilation)))  # the first element that is not cut off
    end = max(first, min(size, -((low - extent) // dilation)))  # after the last one
    start = max(0, low + first * dilation)
    return slice(start, start + (end - first) * dilation, dilation), slice(first, end)


def valid_range(offset: int, stride: int, size: int, count: int) -> tuple[slice, slice]:
    """Which elements ``offset + i * stride`` of a dimension exist, and for which i below count."""
    first = min(count, max(0, -(offset // stride)))
    end = max(first, min(count, -((offset - size) // stride)))
    start = max(0, offset + first * stride)
    return slice(start, start + (end - first) * stride, stride), slice(first, end)

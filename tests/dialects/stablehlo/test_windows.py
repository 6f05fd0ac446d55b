"""Windows against a plain enumeration of their elements."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.types import DYNAMIC
from stablemate.numerics.elements import Array

FILL = -1


@st.composite
def windows_on_shapes(draw: st.DrawFn) -> tuple[WindowDimensions, tuple[int, ...]]:
    rank = draw(st.integers(0, 2))

    def numbers(low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(rank))

    padding = tuple(zip(numbers(-4, 4), numbers(-4, 4), strict=True))
    windows = WindowDimensions(numbers(1, 3), numbers(1, 3), padding, numbers(1, 3), numbers(1, 3))
    return windows, numbers(0, 5)


def padded_by_enumeration(array: Array, windows: WindowDimensions) -> Array:
    """The array with every element at its place, if it has one."""
    shape = tuple(max(0, size) for size in windows.padded_shape(array.shape))
    result = np.full(shape, FILL, array.dtype)
    for index in np.ndindex(array.shape):
        place = tuple(
            low + i * dilation
            for i, (low, _), dilation in zip(
                index, windows.padding, windows.base_dilations, strict=True
            )
        )
        if all(0 <= i < size for i, size in zip(place, shape, strict=True)):
            result[place] = array[index]
    return result


@given(windows_on_shapes())
def test_pad_view_and_at_agree_with_enumeration(
    case: tuple[WindowDimensions, tuple[int, ...]],
) -> None:
    windows, shape = case
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    padded = windows.pad(array, FILL)
    assert padded.tolist() == padded_by_enumeration(array, windows).tolist()
    counts = windows.counts(shape)
    view = windows.view(padded, counts)
    assert view.shape == counts + windows.sizes
    for position in windows.positions():
        seen = windows.at(padded, counts, position)
        assert seen.shape == counts
        for index in np.ndindex(counts):
            parts = zip(index, windows.strides, position, windows.window_dilations, strict=True)
            place = tuple(i * stride + j * dilation for i, stride, j, dilation in parts)
            assert seen[index] == padded[place] == view[index + position]


@given(windows_on_shapes())
def test_as_many_windows_as_fit(case: tuple[WindowDimensions, tuple[int, ...]]) -> None:
    windows, shape = case
    extents, counts = windows.padded_shape(shape), windows.counts(shape)
    for d, (extent, count) in enumerate(zip(extents, counts, strict=True)):
        reach = (windows.sizes[d] - 1) * windows.window_dilations[d]
        starts = itertools.takewhile(
            lambda start, last=extent - reach: start < last,
            itertools.count(0, windows.strides[d]),
        )
        assert count == len(list(starts))


@given(windows_on_shapes())
def test_overlaps_are_the_positions_inside_the_array(
    case: tuple[WindowDimensions, tuple[int, ...]],
) -> None:
    dilated, shape = case
    windows = WindowDimensions(
        dilated.sizes,
        dilated.strides,
        dilated.padding,
        (1,) * len(shape),
        dilated.window_dilations,
    )
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    padded, counts = windows.pad(array, FILL), windows.counts(shape)
    meetings = windows.meetings(shape, counts)
    for position, (elements, seen) in zip(windows.positions(), meetings, strict=True):
        picked = np.full(counts, FILL)
        picked[seen] = array[elements]
        assert picked.tolist() == windows.at(padded, counts, position).tolist()


def test_unknown_sizes_give_unknown_counts() -> None:
    windows = WindowDimensions((2, DYNAMIC), (1, 1), ((0, 0), (0, 0)), (1, 1), (1, 1))
    assert windows.counts((DYNAMIC, 5)) == (DYNAMIC, DYNAMIC)
    assert windows.counts((4, 5)) == (3, DYNAMIC)

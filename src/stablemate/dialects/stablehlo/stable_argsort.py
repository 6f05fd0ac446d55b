"""Stable argsort by recognized keys, or by calls of a comparator.

The result is an array of indices along the last dimension, as from ``numpy.argsort``: element i of
the sorted slice is element ``order[..., i]`` of the unsorted one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.computed_keys import computed_key
from stablemate.dialects.stablehlo.reducers import SortKey, is_elementwise
from stablemate.ir.core import Region
from stablemate.ir.definition import RegionFunction
from stablemate.numerics.elements import Array
from stablemate.numerics.total_order import total_order

# Floats that are sorted without conversion to f32.
SORTED_DIRECTLY: Final = frozenset({"bfloat16", "float16", "float32", "float64"})

MAX_SORTED_RANK: Final = 32  # of an array that NumPy sorts, and indexes by arrays


def argsort_by_keys(keys: Sequence[SortKey], columns: Sequence[Array]) -> Array:
    """The stable argsort by several keys, the first of which is the most significant."""
    places: Array | None = None
    for key in reversed(keys):
        values = sort_values(columns[key.operand], key)
        if places is not None:
            values = take_along_last(values, places)
        step = stable_argsort(values, descending=key.descending)
        places = step if places is None else take_along_last(places, step)
    assert places is not None
    return places


def take_along_last(values: Array, places: Array) -> Array:
    """The values at places of the last dimension, each row its own."""
    if not places.size:  # NumPy would count along each of the other dimensions
        return np.empty(places.shape, values.dtype)
    if values.ndim <= MAX_SORTED_RANK:
        return np.take_along_axis(values, places, -1)
    count = math.prod(values.shape[:-1])
    rows = values.reshape(count, values.shape[-1])
    taken = np.take_along_axis(rows, places.reshape(count, places.shape[-1]), -1)
    return taken.reshape(places.shape)


def stable_argsort(values: Array, *, descending: bool) -> Array:
    """The stable argsort of values in NumPy's order, ascending or descending."""
    if not values.size:
        return np.zeros(values.shape, np.int64)
    if values.ndim > MAX_SORTED_RANK:
        rows = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
        return stable_argsort(rows, descending=descending).reshape(values.shape)
    if not descending:
        return np.argsort(values, -1, kind="stable")
    backwards: Array = np.argsort(values[..., ::-1], -1, kind="stable")
    forwards: Array = (values.shape[-1] - 1) - backwards[..., ::-1]
    return forwards


def sort_values(x: Array, key: SortKey) -> Array:
    """The values of a key in a type whose NumPy order is the key's, NaN last.

    With canonical NaNs and zeros that is also the total order. For comparators that do not order
    NaN, the specification leaves the result open if there is one.
    """
    if key.part:
        x = np.real(x) if key.part == "real" else np.imag(x)
    if x.dtype.kind in "bui" or x.dtype.name.startswith(("int", "uint")):
        return x.astype(np.int8) if x.dtype.kind == "V" else x
    if x.dtype.name not in SORTED_DIRECTLY:
        x = x.astype(np.float32)  # exact, and keeps the signs of zeros and NaNs
    if key.total and not key.canonical:
        order: Array = total_order(x)
        return order
    return x.astype(np.float32) if x.dtype.itemsize == 2 else x


def argsort_by_comparator(
    comparator: Region, function: RegionFunction, columns: Sequence[Array]
) -> Array:
    """The argsort of a stable merge sort that calls the comparator.

    If the comparator compares a key computed from each element, the keys are sorted instead. Any
    other elementwise comparator is called on whole arrays, about log(n)^2 times. If it turns out to
    be inconsistent for these values, it is called for pairs, as other comparators are.
    """
    shape = columns[0].shape
    if not columns[0].size:
        return np.zeros(shape, np.int64)
    computed = computed_key(comparator)
    if computed is not None:
        return argsort_by_keys([computed.key], [computed.values(columns)])
    rows = [x.reshape(-1, shape[-1]) for x in columns]
    places: Array | None = None
    if is_elementwise(comparator):
        places = merge_argsort(array_comparator(comparator, function), rows)
    if places is None:
        places = np.empty(rows[0].shape, np.int64)
        for row, place in enumerate(places):
            place[:] = argsort_row(function, [x[row] for x in rows])
    return places.reshape(shape)


def argsort_row(function: RegionFunction, columns: Sequence[Array]) -> list[int]:
    """The argsort of one slice, by one call of the comparator per comparison."""

    def compare(i: int, j: int) -> int:
        pairs = [value for x in columns for value in (x[i], x[j])]
        return -1 if function(*pairs)[0] else 0

    return sorted(range(len(columns[0])), key=cmp_to_key(compare))


ArrayComparator: TypeAlias = Callable[[Sequence[Array], Array, Array], Array]


def array_comparator(comparator: Region, function: RegionFunction) -> ArrayComparator:
    """Compares the elements at some positions with those at others; columns are flat."""
    used = {id(value) for operation in comparator.block.operations for value in operation.operands}
    arguments = [id(argument) in used for argument in comparator.block.arguments]

    def compare(columns: Sequence[Array], left: Array, right: Array) -> Array:
        values = [
            x[position] if arguments[2 * k + side] else x[:1].reshape(())
            for k, x in enumerate(columns)
            for side, position in enumerate((left, right))
        ]
        return np.broadcast_to(function(*values)[0], left.shape)

    return compare


def merge_argsort(compare: ArrayComparator, rows: Sequence[Array]) -> Array | None:
    """The argsort of each row; None if the comparator is inconsistent.

    Bottom-up merge sort. A merge moves all elements at once: the target of each is its rank in its
    own run plus the number of elements of the other run that precede it.
    """
    count, size = rows[0].shape
    columns = [x.reshape(-1) for x in rows]
    position = np.arange(count * size, dtype=np.int64)
    places: Array = position % size
    start = position - places
    width = 1
    while width < size:
        target = merge_targets(compare, columns, position - start, start, width, size)
        if not is_permutation(target):
            return None
        order = np.empty_like(target)
        order[target] = position
        places, columns, width = places[order], [x[order] for x in columns], 2 * width
    return places.reshape(count, size)


def merge_targets(
    compare: ArrayComparator,
    columns: Sequence[Array],
    place: Array,
    start: Array,
    width: int,
    size: int,
) -> Array:
    """Where each element goes when neighboring sorted runs of a width are merged.

    Args:
        compare: The comparator.
        columns: The elements, all rows concatenated.
        place: The position of an element in its row.
        start: The start of its row.
        width: Length of a run; the last one of a row may be shorter.
        size: Length of a row.
    """
    is_right = place // width % 2 == 1
    run = place - place % width
    other = np.where(is_right, run - width, np.minimum(run + width, size))
    low, end = other, np.minimum(np.where(is_right, run, run + 2 * width), size)
    high = end
    while np.any(searching := low < high):
        middle = start + np.where(searching, (low + high) // 2, 0)
        own = start + place
        right, left = np.where(is_right, own, middle), np.where(is_right, middle, own)
        goes_first = (
            compare(columns, right, left) != is_right
        )  # whether the other element goes first
        low = np.where(searching & goes_first, middle - start + 1, low)
        high = np.where(searching & ~goes_first, middle - start, high)
    target: Array = np.where(is_right, start + place - width, start + place) + low - other
    return target


def is_permutation(target: Array) -> bool:
    """Whether every index occurs once."""
    hit = np.zeros(target.shape, np.bool_)
    hit[target] = True
    return bool(hit.all())

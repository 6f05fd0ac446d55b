"""Sequential updates of elements of an array, vectorized where the result is the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.reducers import Combiner
from stablemate.dialects.stablehlo.regions import UFUNCS, ArrayFunction
from stablemate.numerics.elements import (
    F32,
    I8,
    UI8,
    Array,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
)

# Updates an array at positions with values, in order; all of them one-dimensional.
Updater: TypeAlias = Callable[[Array, Array, Array], None]


def updaters_of(
    names: Sequence[Combiner | None], elements: Sequence[ElementType]
) -> Sequence[Updater]:
    """The NumPy updates by these combiners, one per value; empty if one has none."""
    updaters = [updater_of(name, element) for name, element in zip(names, elements, strict=True)]
    return [updater for updater in updaters if updater] if all(updaters) else ()


def updater_of(name: Combiner | None, element: ElementType) -> Updater | None:
    """The NumPy update of elements of a type by a combiner; None if there is none."""
    match name, element:
        case ("x", _):
            return keep
        case ("y", _):
            return overwrite
        case (None, _) | (_, QuantizedType()):
            return None
        case ("maximum" | "minimum", FloatType()):
            update = partial(update_extreme, name == "maximum")
            return update if element.bits >= 16 else partial(update_wider, update, F32)
        case ("add", FloatType() | ComplexType()):
            return partial(update_by, np.add)
        case ("multiply", FloatType()):
            return partial(update_by, np.multiply)
        case (_, ComplexType()):
            return None  # NumPy rounds products in another way
        case (_, IntegerType()):
            update = partial(update_by, UFUNCS[name])
            is_narrow = element.bits < 8 and not element.is_boolean
            wider = UI8 if element.is_unsigned else I8
            return partial(update_wider, update, wider) if is_narrow else update
        case _:
            return None


def keep(array: Array, positions: Array, values: Array) -> None:
    """Leaves the array as it is."""


def overwrite(array: Array, positions: Array, values: Array) -> None:
    """The last value for a position remains."""
    array[positions] = values


def update_by(ufunc: np.ufunc, array: Array, positions: Array, values: Array) -> None:
    """Combines by an operation of NumPy, which rounds each time in the type of the array."""
    ufunc.at(array, positions, values)


def update_wider(
    update: Updater, wider: ElementType, array: Array, positions: Array, values: Array
) -> None:
    """Combines in a wider type with the same result: integers wrap once, at the end."""
    wide = array.astype(wider.dtype)
    update(wide, positions, values.astype(wider.dtype))
    array[...] = wide.astype(array.dtype)


def update_extreme(largest: bool, array: Array, positions: Array, values: Array) -> None:
    """Maximum or minimum of floats: NaN if any is NaN, +0 > -0, unlike NumPy."""
    before = array[positions]
    (np.maximum if largest else np.minimum).at(array, positions, values)
    for candidates in (before, values):
        winners = positions[(candidates == 0) & (np.signbit(candidates) != largest)]
        winners = winners[array[winners] == 0]
        array[winners] = array.dtype.type(0.0 if largest else -0.0)


def update_in_rounds(
    computation: ArrayFunction,
    arrays: Sequence[Array],
    positions: Array,
    values: Sequence[Array],
) -> None:
    """Updates several arrays together: each round applies the next update of every position.

    Args:
        computation: Takes the elements and the values, returns new elements.
        arrays: The arrays to update, one-dimensional.
        positions: The positions to update; one-dimensional.
        values: The values; one array for each updated one, as long as ``positions``.
    """
    order = np.argsort(positions, kind="stable")
    in_order = positions[order]
    is_first = np.ones(in_order.shape, np.bool_)
    is_first[1:] = in_order[1:] != in_order[:-1]
    numbers = np.arange(len(in_order))
    round_number = numbers - np.maximum.accumulate(np.where(is_first, numbers, 0))
    by_round = order[np.argsort(round_number, kind="stable")]
    ends = np.cumsum(np.bincount(round_number))
    for start, end in zip([0, *ends[:-1]], ends, strict=True) if len(round_number) else ():
        chosen = by_round[start:end]
        places = positions[chosen]
        results = computation(*(x[places] for x in arrays), *(x[chosen] for x in values))
        for array, result in zip(arrays, results, strict=True):
            array[places] = result

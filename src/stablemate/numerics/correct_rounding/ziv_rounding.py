"""Ziv's rounding test: which results have an error that may change their rounding.

Source: A. Ziv, "Fast evaluation of elementary mathematical functions with correctly rounded last
bit", 1991.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.numerics.array_limits import broadcast_together
from stablemate.numerics.elements import Array, FloatType, float_info
from stablemate.numerics.rounding import round_float

Function: TypeAlias = Callable[..., Any]  # of arrays or NumPy scalars, elementwise
Test: TypeAlias = Callable[[Array], Any]

WIDE: Final = 53  # bits of the significand of a 64-bit float


def correctly_rounded(
    function: Function,
    exact: Function,
    element: FloatType,
    units: int,
    error: Function | None = None,
) -> Function:
    """A function with 64-bit results as one with results of an element type, correctly rounded.

    Args:
        function: The function; its results are 64-bit floats.
        exact: The same function, rounded to odd 64-bit floats (``odd_doubles``). Called with the
            operands of results that are open.
        element: The type of the results, a narrower one.
        units: The largest error of ``function``, in units in the last place of 64 bits.
        error: A function of the operands: how much results may be off in addition if an operand is
            negative. None: nothing.
    """
    near_tie, smallest = is_near_tie(element, units), smallest_normal(element)

    def of_arrays(*operands: Array) -> Array:
        values = function(*operands)
        rounded = narrow_float64(values, element)
        is_open = near_tie(values)
        sizes = np.abs(rounded if rounded.dtype == np.float32 else values)
        if not sizes.min(initial=np.inf) >= smallest:
            is_open = is_open | is_open_below(values, smallest, units, element)
        if error is not None and any(np.any(operand < 0) for operand in operands):
            is_open = is_open | rounds_to_two(values, error(*operands), element)
        if not is_open.any():
            return rounded
        return narrow_float64(with_exact(values, is_open, exact, operands), element)

    return of_arrays


def with_exact(
    values: Array, is_open: Array, exact: Function, operands: tuple[Array, ...]
) -> Array:
    """The values, with exact ones, rounded to odd, where they are open and all is finite."""
    result = np.array(values)
    spread = broadcast_together(result, *operands)[1:]
    chosen = np.logical_and.reduce([is_open, *map(np.isfinite, (result, *spread))])
    result[chosen] = exact(*(operand[chosen] for operand in spread))
    return result[()]


def is_near_tie(element: FloatType, units: int) -> Test:
    """The test whether results are nearly half way between two normal numbers.

    The bits that the element type lacks show that, within a number of units in the last place.
    """
    lost = WIDE - element.precision
    word: type[np.unsignedinteger[Any]] = np.uint32 if lost <= 32 else np.uint64
    above = word(8 * word().itemsize - lost)
    offset, width = word((1 << (lost - 1)) + units), word(2 * units) << above

    def test(values: Array) -> Any:
        return ((values.view(np.uint64).astype(word) + offset) << above) <= width

    return test


def is_open_below(values: Array, smallest: float, units: int, element: FloatType) -> Array:
    """The test for results below the normal numbers, which are fixed-point numbers."""
    size = np.abs(values)
    is_small = (size < smallest) & (size > 0)
    if not is_small.any():
        return is_small
    return is_small & rounds_to_two(values, size * (units * 2.0 ** (1 - WIDE)), element)


def smallest_normal(element: FloatType) -> float:
    """Returns the smallest positive normal number of an element type."""
    return float(float_info(element.dtype).smallest_normal)


def rounds_to_two(values: Array, errors: Array, element: FloatType) -> Array:
    """Where both ends of an interval around a value round to different numbers."""
    with np.errstate(invalid="ignore"):  # at poles
        ends = [narrow_float64(values + error, element) for error in (-errors, errors)]
    lower, upper = (np.asarray(end).view(f"u{element.dtype.itemsize}") for end in ends)
    return np.asarray(lower != upper)


def narrow_float64(values: Array, element: FloatType) -> Array:
    """64-bit floats, rounded to an element type."""
    if element.name == "f8E8M0FNU":  # has no zero: a zero in f32 becomes NaN
        values = np.where(values.astype(np.float32) == 0, 0, values)
    return round_float(values, element)

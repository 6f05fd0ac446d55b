"""Exact results as 64-bit floats, rounded to odd.

Of the two floats around a number that is none, the odd one lies on the same side of every tie of a
narrower type as the number.

Source: Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using
rounding to odd", 2008.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation, localcontext
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.numerics.double_doubles.arithmetic import DoubleDouble
from stablemate.numerics.elements import Array

DigitsFunction: TypeAlias = Callable[..., Decimal]

DIGITS: Final = 240  # 32-bit floats go down to 1e-45: what cancels leaves more than 100 digits
CONTEXT: Final = Context(prec=DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation])


def by_digits(function: DigitsFunction) -> Callable[..., Array]:
    """A function of numbers in many digits as one of arrays of finite floats."""

    def of_arrays(*operands: Array) -> Array:
        rows = zip(*(np.ravel(x).astype(np.float64).tolist() for x in operands), strict=True)
        with localcontext(CONTEXT):
            return np.array([odd_double(function(*map(Decimal, row))) for row in rows])

    return of_arrays


def odd_double(number: Decimal) -> float:
    """A number as a 64-bit float, rounded to odd."""
    nearest = float(number)
    if not np.isfinite(nearest):
        return nearest
    rest = number - Decimal(nearest)
    return float(towards(np.float64(nearest), np.float64((rest > 0) - (rest < 0))))


def by_double_double(function: Callable[[DoubleDouble], DoubleDouble]) -> Callable[[Array], Array]:
    """A function in double-double arithmetic as one of arrays of finite floats."""

    def of_array(operand: Array) -> Array:
        numbers = function(DoubleDouble.exactly(np.asarray(operand)))
        value = numbers.value
        side = np.sign((numbers - DoubleDouble.exactly(value)).high)
        odd: Array = towards(value, side)
        return odd

    return of_array


def towards(value: Any, side: Any) -> Array:
    """Floats next to exact numbers, rounded to odd.

    Args:
        value: The nearest floats.
        side: 0 where they are exact; otherwise a number with the sign of what they lack.
    """
    is_open: Any = ((value.view(np.int64) & 1) == 0) & (side != 0)
    neighbor: Any = np.nextafter(value, np.copysign(np.inf, side))
    odd: Array = np.array(value)
    np.copyto(odd, neighbor, where=is_open)
    return odd

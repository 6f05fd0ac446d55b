"""Functions of 64-bit floats, computed in double-double arithmetic for the highest accuracy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.numerics.double_doubles import arithmetic as wide
from stablemate.numerics.double_doubles import elementary as wide_math
from stablemate.numerics.double_doubles.arithmetic import DoubleDouble
from stablemate.numerics.elements import Array

Function: TypeAlias = Callable[[Array], Any]
WideFunction: TypeAlias = Callable[[DoubleDouble], DoubleDouble]

# Half and double of it have 0.85 and 1.03 of the speed (cbrt of 2^17 doubles, interpreted, an Intel
# Xeon).
BLOCK: Final = 4096  # elements that are computed at once, so that intermediates stay in the cache
FAR: Final = 2.0**30  # from here on NumPy's argument reduction may be inaccurate


def accurate(function: WideFunction, plain: Function) -> Function:
    """A function of arrays; ``plain`` computes it for infinities, NaN and zeros."""

    def of_array(operand: Array) -> object:
        flat = np.ravel(operand)
        result: Array = np.array(plain(flat))
        for start in range(0, len(flat), BLOCK):
            block, current = flat[start : start + BLOCK], result[start : start + BLOCK]
            is_number = np.isfinite(block) & ~np.isnan(current) & (current != 0)
            numbers = function(DoubleDouble.exactly(np.where(is_number, block, 0.5))).value
            current[:] = np.where(is_number & ~np.isnan(numbers), numbers, current)
        return np.reshape(result, np.shape(operand))

    return of_array


def near_and_far(plain: Function, function: WideFunction) -> Function:
    """A function of angles that is the plain one except for large numbers."""
    far = accurate(function, plain)

    def of_array(operand: Array) -> object:
        is_far = np.abs(operand) >= FAR
        if not np.any(is_far):
            return plain(operand)
        near: Array = plain(operand)
        angles: Array = np.where(is_far, operand, 0.0)
        result: Array = np.where(is_far, far(angles), near)
        return result

    return of_array


def log_plus_one(x: DoubleDouble) -> DoubleDouble:
    """log(1 + x)."""
    is_near = np.abs(x.value) < 0.4
    near = wide_math.log1p(x.where(is_near, 0.0))
    return near.where(is_near, wide_math.log((x + 1.0).where(~is_near, 2.0)))


def tanh(x: DoubleDouble) -> DoubleDouble:
    """``expm1(2x) / (expm1(2x) + 2)``."""
    excess = wide_math.expm1(x * 2.0)
    return excess / (excess + 2.0)


def cbrt(x: DoubleDouble) -> DoubleDouble:
    """Computes the cube root, with the sign of x."""
    root = wide_math.cbrt(abs(x))
    return (-root).where(x.is_negative, root)


def sine(x: DoubleDouble) -> DoubleDouble:
    """The sine of a double-double in radians."""
    return wide_math.sin_cos(x)[0]


def cosine(x: DoubleDouble) -> DoubleDouble:
    """The cosine of a double-double in radians."""
    return wide_math.sin_cos(x)[1]


def tan(x: DoubleDouble) -> DoubleDouble:
    """The tangent of a double-double in radians."""
    sine_of, cosine_of = wide_math.sin_cos(x)
    return sine_of / cosine_of


def logistic(x: DoubleDouble) -> DoubleDouble:
    """``1 / (exp(-x) + 1)``."""
    return 1.0 / (wide_math.exp(-x) + 1.0)


def rsqrt(x: DoubleDouble) -> DoubleDouble:
    """``1 / sqrt(x)``."""
    return 1.0 / wide.sqrt(x)


REAL_FUNCTIONS: Final[Mapping[str, WideFunction]] = {
    "exponential": wide_math.exp,
    "exponential_minus_one": wide_math.expm1,
    **{
        function.__name__: function
        for function in (
            *(cbrt, cosine, wide_math.log, log_plus_one, logistic, rsqrt, sine, wide.sqrt),
            *(tan, tanh),
        )
    },
}

"""Accurate functions, whose modules are imported when one is first called."""

from __future__ import annotations

from functools import cache
from typing import Any

from stablemate.dialects.stablehlo.elementwise_math import Function


def accurate_complex(name: str, plain: Function) -> Function:
    """A function of complex numbers; ``plain`` computes it for infinities and NaN."""

    @cache
    def function() -> Function:
        from stablemate.numerics.double_doubles import complex_functions as module

        return module.accurate(module.COMPLEX_FUNCTIONS[name], plain)

    return defer(function)


def accurate_real(name: str, plain: Function) -> Function:
    """A function of floats; ``plain`` computes it for infinities, NaN and zeros."""

    @cache
    def function() -> Function:
        from stablemate.numerics.double_doubles import real_functions as module

        return module.accurate(module.REAL_FUNCTIONS[name], plain)

    return defer(function)


def exact_real(name: str) -> Function:
    """A function of floats, rounded to odd 64-bit floats."""

    @cache
    def function() -> Function:
        from stablemate.numerics.correct_rounding.odd_doubles import by_double_double
        from stablemate.numerics.double_doubles import real_functions as module

        return by_double_double(module.REAL_FUNCTIONS[name])

    return defer(function)


def exact_by_digits(name: str) -> Function:
    """A function that is computed in many digits, rounded to odd 64-bit floats."""

    @cache
    def function() -> Function:
        from stablemate.numerics.correct_rounding.exact_functions import EXACT

        return EXACT[name]

    return defer(function)


def accurate_if_large(name: str, plain: Function) -> Function:
    """A function of angles that is the plain one except for large numbers."""

    @cache
    def function() -> Function:
        from stablemate.numerics.double_doubles import real_functions as module

        return module.near_and_far(plain, module.REAL_FUNCTIONS[name])

    return defer(function)


def defer(function: Any) -> Function:
    """Calls the function that a function returns."""

    def call(*operands: Any) -> Any:
        return function()(*operands)

    return call

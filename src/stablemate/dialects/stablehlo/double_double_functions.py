"""Functions in double-double arithmetic, whose modules are imported when one is first called."""

from __future__ import annotations

from functools import cache
from typing import Any

from stablemate.dialects.stablehlo.elementwise_math import Function


def accurate_complex(name: str, plain: Function) -> Function:
    """A function of complex numbers; ``plain`` computes it for infinities and NaN."""

    @cache
    def function() -> Function:
        from stablemate.dialects.stablehlo import complex_double_double as module

        return module.accurate(module.COMPLEX_FUNCTIONS[name], plain)

    return deferred(function)


def accurate_real(name: str, plain: Function) -> Function:
    """A function of floats; ``plain`` computes it for infinities, NaN and zeros."""

    @cache
    def function() -> Function:
        from stablemate.dialects.stablehlo import real_double_double as module

        return module.accurate(module.REAL_FUNCTIONS[name], plain)

    return deferred(function)


def nearest_singles(name: str) -> Function:
    """The replacement of results that are nearly half way between two 32-bit floats."""

    @cache
    def function() -> Function:
        from stablemate.dialects.stablehlo import real_double_double as module

        return module.nearest_singles(module.REAL_FUNCTIONS[name])

    return deferred(function)


def accurate_if_large(name: str, plain: Function) -> Function:
    """A function of angles that is the plain one except for large numbers."""

    @cache
    def function() -> Function:
        from stablemate.dialects.stablehlo import real_double_double as module

        return module.near_and_far(plain, module.REAL_FUNCTIONS[name])

    return deferred(function)


def deferred(function: Any) -> Function:
    """Calls the function that a function returns."""

    def call(*operands: Any) -> Any:
        return function()(*operands)

    return call

"""Arithmetic of integers of which some are symbolic sizes, as StableHLO defines it for integers.

Each function takes and gives an ``int``, a ``bool`` or a ``SymbolicSize``; None is the result of
operands for which nothing is known. A sign that bounds do not decide is assumed to be the one that
it has for the typical sizes, but if it depends on a size that only a run knows: of that nothing can
be assumed.

Source: StableHLO specification, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import TypeAlias

from stablemate.numerics.symbolic_sizes import (
    SizeLike,
    SizeValueError,
    SymbolicSize,
    proven_nonnegative,
    whole_part,
)

SizeFunction: TypeAlias = Callable[..., object]


def difference(one: SizeLike, other: SizeLike) -> SizeLike:
    """A size less another one, whose sign is known or may be assumed.

    Raises:
        SizeValueError: The sign depends on a size that only a run knows.
    """
    gap = one - other
    if isinstance(gap, SymbolicSize) and gap.assumptions.is_counted(gap):
        is_decided = proven_nonnegative(gap) or proven_nonnegative(-gap - 1)
        if not is_decided:
            raise SizeValueError(f"the sign of {gap} is needed")
    return gap


def maximum(one: SizeLike, other: SizeLike) -> SizeLike:
    """The larger of two sizes; raises as ``difference``."""
    return one if difference(one, other) >= 0 else other


def minimum(one: SizeLike, other: SizeLike) -> SizeLike:
    """The smaller of two sizes; raises as ``difference``."""
    return one if difference(one, other) <= 0 else other


def clamp(low: SizeLike, number: SizeLike, high: SizeLike) -> SizeLike:
    """``minimum(maximum(number, low), high)``; raises as ``difference``."""
    return minimum(maximum(low, number), high)


def absolute(number: SizeLike) -> SizeLike:
    """The absolute value; raises as ``difference``."""
    return number if difference(number, 0) >= 0 else -number


def sign(number: SizeLike) -> int:
    """1, 0 or -1; raises as ``difference``."""
    return int(difference(number, 0) > 0) - int(number < 0)


def is_negative(number: SizeLike) -> bool:
    """Whether a dividend is negative; one that nothing decides counts something, and is not."""
    if isinstance(number, SymbolicSize) and number.assumptions.is_counted(number):
        return proven_nonnegative(-number - 1)
    return number < 0


def quotient(dividend: SizeLike, divisor: SizeLike) -> SizeLike | None:
    """The quotient, rounded towards zero; None if the divisor is zero, or a size below 1."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        return whole_part(dividend, divisor) if divisor else None
    if not divisor > 0:
        return None
    if isinstance(dividend, int) and abs(dividend) < divisor:
        return 0
    return -(-dividend // divisor) if is_negative(dividend) else dividend // divisor


def remainder(dividend: SizeLike, divisor: SizeLike) -> SizeLike | None:
    """The remainder, which has the sign of the dividend; None as for the quotient."""
    rounded = quotient(dividend, divisor)
    return None if rounded is None else dividend - rounded * divisor


def conjunction(one: object, other: object) -> bool | None:
    """Whether two conditions hold; None for integers."""
    return one and other if isinstance(one, bool) and isinstance(other, bool) else None


def disjunction(one: object, other: object) -> bool | None:
    """Whether one of two conditions holds; None for integers."""
    return one or other if isinstance(one, bool) and isinstance(other, bool) else None


def negation(condition: object) -> bool | None:
    """Whether a condition does not hold; None for integers."""
    return not condition if isinstance(condition, bool) else None


def select(condition: object, on_true: object, on_false: object) -> object:
    """One of two sizes, by a condition."""
    return on_true if condition else on_false


def is_nonzero(number: object) -> bool:
    """Whether a size is not zero."""
    return bool(number)


def truncate(number: SizeLike | float) -> SizeLike | None:
    """A number without its fraction; None of an infinity or NaN."""
    if isinstance(number, float):
        return int(number) if isfinite(number) else None
    return +number

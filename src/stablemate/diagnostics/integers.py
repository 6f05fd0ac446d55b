"""Integers in texts that nobody has checked."""

from __future__ import annotations

from typing import Final

DIGITS: Final = 1000
BEYOND: Final = 10**DIGITS


def integer_of(digits: str) -> int:
    """The integer of decimal digits behind an optional sign.

    Of more digits than ``DIGITS`` it is ``BEYOND`` all bounds, with the sign: converting them takes
    quadratic time, and Python refuses thousands of them with a ``ValueError``.
    """
    if len(digits) <= DIGITS:
        return int(digits)
    return -BEYOND if digits.startswith("-") else BEYOND

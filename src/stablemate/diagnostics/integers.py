"""Integers in untrusted text."""

from __future__ import annotations

from typing import Final

DIGITS: Final = 1000  # fewer than Python converts (4,300), and more than any format has
OUT_OF_RANGE: Final = 10**DIGITS


def parse_integer(digits: str) -> int:
    """The integer of decimal digits after an optional sign.

    With more than ``DIGITS`` digits it is ``OUT_OF_RANGE``, with the sign: converting them takes
    quadratic time, and Python rejects thousands of them with a ``ValueError``.
    """
    if len(digits) <= DIGITS:
        return int(digits)
    return -OUT_OF_RANGE if digits.startswith("-") else OUT_OF_RANGE

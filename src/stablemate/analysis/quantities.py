"""Quantities as people write and read them: times, sizes, bandwidths, rates of arithmetic."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from stablemate.diagnostics.errors import ArgumentValueError

PREFIXES: Final = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
BINARY: Final = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40}
TIMES: Final = {"s": Fraction(1), "ms": Fraction(1, 10**3), "us": Fraction(1, 10**6)} | {
    "µs": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
}
BANDWIDTHS: Final = {
    **{f"{name}B/s": Fraction(size) for name, size in (PREFIXES | BINARY).items()},
    **{f"{name}bit/s": Fraction(size, 8) for name, size in PREFIXES.items()},
}
ARITHMETIC: Final = {f"{name}FLOP/s": Fraction(size) for name, size in PREFIXES.items()}
SIZES: Final = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
MAX_READABLE: Final = 10**15
COUNTS: Final = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
# Of as many digits as a quantity may have: 1e99999999 would be computed for minutes.
NUMBER: Final = re.compile(r"([0-9]{0,30}\.?[0-9]{1,30}(?:[eE][+-]?[0-9]{1,2})?)\s*(.*)")


def quantity(text: str, units: Mapping[str, Fraction], what: str, default: str = "") -> float:
    """A number with a unit, in the base unit.

    Args:
        text: The number and the unit, such as ``5us``.
        units: What each unit is in the base unit.
        what: What it is, for the message.
        default: The unit of a number without one; where it is empty, a unit must stand there.

    Raises:
        ArgumentValueError: It is no such quantity.
    """
    match_ = NUMBER.fullmatch(text.strip())
    unit = (match_[2] or default) if match_ else ""
    if match_ is None or unit not in units:
        names = ", ".join(unit for unit in units if "µ" not in unit)
        message = f"{what} is a number with one of the units {names}, but is {text.strip()!r}"
        raise ArgumentValueError(message)
    return float(Fraction(match_[1]) * units[unit])


def positive(number: float, text: str) -> float:
    """The number, unless it is zero.

    Raises:
        ArgumentValueError: It is zero.
    """
    if number <= 0:
        raise ArgumentValueError(f"{text.strip()!r} is nothing at all: it must be more than 0")
    return number


def time_text(seconds: float) -> str:
    """A time with three digits and the unit that suits it."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def size_text(size: int) -> str:
    """A number of bytes for people."""
    for factor, unit in SIZES:
        if size >= factor:
            return f"{ratio_text(size, factor, '.1f')} {unit}"
    return f"{size} byte{'s' * (size != 1)}"


def number_text(number: int, unit: str = "") -> str:
    """A number for people, with a unit."""
    for factor, prefix in COUNTS:
        if number >= factor:
            return f"{ratio_text(number, factor, '.3g')} {prefix}{unit}"
    return f"{number} {unit}".rstrip()


def ratio_text(number: int, factor: int, form: str) -> str:
    """A number divided by a factor; by its exponent where it is larger than people read."""
    if number < MAX_READABLE * factor:
        return f"{number / factor:{form}}"
    return f"{Decimal(number) / factor:.3g}"


def format_count(number: int, noun: str) -> str:
    """``1 argument``, ``2 arguments``."""
    return f"{number} {noun}{'s' * (number != 1)}"

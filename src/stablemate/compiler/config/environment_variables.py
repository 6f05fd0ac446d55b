"""Reads numeric environment variables."""

from __future__ import annotations

import os
import warnings


def environment_number(variable: str, minimum: int = 0) -> int | None:
    """The number in an environment variable; None if it is not set.

    Text that is not a number, or a number that is too small, is ignored with a warning.
    """
    text = os.environ.get(variable, "").strip()
    if text.isdecimal() and len(text) < 20 and int(text) >= minimum:
        return int(text)
    if text:
        message = f"{variable} is {text!r}, not a whole number of {minimum} or more: it is ignored"
        warnings.warn(message, stacklevel=2)
    return None

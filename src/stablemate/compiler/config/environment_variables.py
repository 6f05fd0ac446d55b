"""Reads numeric environment variables."""

from __future__ import annotations

import os
import warnings


def environment_number(variable: str, least: int = 0) -> int | None:
    """The number that a variable of the environment states; None if it is not set.

    What is no number, or one that is too small, is ignored with a warning.
    """
    text = os.environ.get(variable, "").strip()
    if text.isdecimal() and len(text) < 20 and int(text) >= least:
        return int(text)
    if text:
        message = f"{variable} is {text!r}, not a whole number of {least} or more: it is ignored"
        warnings.warn(message, stacklevel=2)
    return None

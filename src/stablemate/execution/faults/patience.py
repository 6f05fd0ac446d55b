"""How long a rank waits for others, before it ends the job."""

from __future__ import annotations

import os
from typing import Final

from stablemate.diagnostics.errors import ArgumentValueError, EvaluationError

VARIABLE: Final = "STABLEMATE_PEER_TIMEOUT"
DEFAULT: Final = 1800.0  # seconds


class PeerTimeoutError(EvaluationError):
    """Other ranks do not answer."""


def patience() -> float:
    """How many seconds a rank waits without any news.

    Raises:
        ArgumentValueError: The variable is set to something else than a positive number.
    """
    text = os.environ.get(VARIABLE, "")
    try:
        seconds = float(text) if text else DEFAULT
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise ArgumentValueError(f"{VARIABLE} is a positive number of seconds, not {text!r}")
    return seconds


def patience_text() -> str:
    """``for more than 1800 s, the limit that STABLEMATE_PEER_TIMEOUT sets``."""
    return f"for more than {patience():g} s, the limit that {VARIABLE} sets"

"""The program that a command line names."""

from __future__ import annotations

import sys
from pathlib import Path

import stablemate as sm
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    LimitError,
    ParseError,
    UnsupportedError,
)
from stablemate.diagnostics.limits import Limits

STDIN = "-"


def load_program(
    file: str, limits: Limits | None = None, *, read_as: str | None = None, upgrade: bool = True
) -> sm.Module:
    """Reads a program from a file, or from stdin if the file is ``-``.

    Args:
        file: The file.
        limits: Bounds for untrusted input.
        read_as: The format; by default recognised by content.
        upgrade: Whether a portable artifact becomes StableHLO.

    Raises:
        ArgumentValueError: There is no such file, or it cannot be read.
        ParseError: It is not a program, or one that cannot be read: too large, an unknown format.
    """
    try:
        if file == STDIN:
            source, name = sys.stdin.buffer.read(), "<stdin>"
        else:
            source, name = Path(file), None
        return sm.load(source, format=read_as, limits=limits, name=name, upgrade=upgrade)
    except OSError as error:
        raise ArgumentValueError(f"cannot read {file}: {reason(error)}") from error
    except (LimitError, UnsupportedError) as error:
        raise ParseError(error.diagnostics) from error


def reason(error: OSError) -> str:
    """Why a file could not be read or written, in the words of these messages."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]

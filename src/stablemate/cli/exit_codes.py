"""The exit codes of the command line, besides 0."""

from __future__ import annotations

from typing import Final

FINDING: Final = 1
MISUSED: Final = 2
INVALID: Final = 3
FAILED: Final = 4
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

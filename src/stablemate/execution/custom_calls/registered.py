"""The functions that users have registered for targets of custom calls.

This module is apart from the registry, whose targets a program without custom calls does not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stablemate.diagnostics.errors import UnsupportedError

if TYPE_CHECKING:
    from stablemate.execution.custom_calls.call import Target

REGISTERED: Final[dict[str, Target]] = {}  # by target, for the whole process
# Targets whose functions may wait for those that other processes of the grid call.
CONCURRENT: Final[set[str]] = set()


class UnknownTargetError(UnsupportedError):
    """Nothing is known by the name of the target of a custom call."""

"""Which Python function implements which function of the interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.pjrt.interface.structures import BY_NAME, Structure

Implementation = Callable[[Structure], None]
IMPLEMENTATIONS: Final[dict[str, Implementation]] = {}


def implements(name: str) -> Callable[[Implementation], Implementation]:
    """Declares the implementation of a function of the interface.

    It is called with the argument structure, whose fields it reads and fills in; what it raises
    becomes the error that the caller is handed.
    """
    assert name in BY_NAME, name

    def declare(implementation: Implementation) -> Implementation:
        IMPLEMENTATIONS[name] = implementation
        return implementation

    return declare

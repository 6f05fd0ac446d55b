"""Frameworks, imported when they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from stablemate.diagnostics.errors import UnsupportedError


def framework(name: str, need: str) -> Any:
    """A module of a framework.

    Args:
        name: Its name.
        need: What to say if it is not there.

    Raises:
        UnsupportedError: It is not installed, or cannot be imported.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise UnsupportedError(need) from error
    except Exception as error:
        raise UnsupportedError(f"{name} cannot be imported: {error}") from error

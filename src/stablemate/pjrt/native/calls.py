"""Native entries that Python calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import Final

CALL_TYPE: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
CALLS: Final[dict[str, Callable[[int], int | None]]] = {}


def declare(addresses: Mapping[str, int]) -> None:
    """Declares the entries of the library."""
    CALLS.update({name: CALL_TYPE(address) for name, address in addresses.items()})


def native(name: str) -> Callable[[int], int | None]:
    """An entry, which takes the address of its arguments."""
    return CALLS[name]


def settle() -> None:
    """Waits until no program runs in the background; other Python threads run meanwhile."""
    native("settle_background")(0)

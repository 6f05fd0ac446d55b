"""Entries: ``ctypes`` callbacks that run Python implementations on argument structures."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

from stablemate.pjrt.functions import IMPLEMENTATIONS, Implementation
from stablemate.pjrt.interface.structures import Function
from stablemate.pjrt.status import ErrorCode, PjrtError, status_of

ENTRY_TYPE: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


def entry_of(function: Function) -> Callable[[int], int | None]:
    """The callback of a function; the address of its error, or None.

    A caller of an older version has shorter structures: it then works on a full copy, of which the
    caller's part is written back.
    """
    implementation = IMPLEMENTATIONS.get(function.name) or unimplemented(function.name)
    view = function.arguments.from_address
    full = function.size
    is_about_errors = function.name.startswith("Error_")

    def entry(address: int) -> int | None:
        try:
            size = ctypes.c_size_t.from_address(address).value
            if size >= full:
                implementation(view(address))
                return None
            if size < function.least_size:
                reject_size(function, size)
            own = function.arguments()
            ctypes.memmove(ctypes.byref(own), address, size)
            implementation(own)
            ctypes.memmove(address, ctypes.byref(own), size)
        except BaseException as error:
            return None if is_about_errors else status_of(error).address  # else without end
        return None

    return entry


def reject_size(function: Function, size: int) -> None:
    """Rejects an argument structure that lacks fields of the first version.

    Raises:
        PjrtError: Always.
    """
    raise PjrtError(
        ErrorCode.INVALID_ARGUMENT,
        f"PJRT_{function.name}: the arguments have {size} bytes, fewer than the "
        f"{function.least_size} of the oldest jaxlib that stablemate works with (0.6)",
    )


def unimplemented(name: str) -> Implementation:
    """The implementation of a function that there is none of."""

    def implementation(arguments: Any) -> None:
        message = f"stablemate does not implement PJRT_{name}"
        raise PjrtError(ErrorCode.UNIMPLEMENTED, message)

    return implementation

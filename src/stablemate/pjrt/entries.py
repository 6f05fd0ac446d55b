"""Entries: ``ctypes`` callbacks that run Python implementations on argument structures."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

from stablemate.pjrt.functions import IMPLEMENTATIONS, Implementation
from stablemate.pjrt.interface.structures import InterfaceFunction
from stablemate.pjrt.native.library import is_freeing, request_interrupt
from stablemate.pjrt.status import ErrorCode, PjrtError, status_of

# The argument structure, and where the outcome is written.
ENTRY_TYPE: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
SOUND: Final = 1  # the outcome without an error


def entry_of(function: InterfaceFunction) -> Any:
    """The entry of a function of the interface.

    A caller of an older version has shorter structures: the function then works on a full copy, of
    which the caller's part is written back.
    """
    implementation = IMPLEMENTATIONS.get(function.name) or unimplemented_function(function.name)
    view = function.arguments.from_address

    def call(address: int) -> None:
        size = ctypes.c_size_t.from_address(address).value
        if size >= function.size:
            implementation(view(address))
            return
        if size < function.counted_size:
            reject_size(function, size)
        size = max(size, function.least_size)
        own = function.arguments()
        ctypes.memmove(ctypes.byref(own), address, size)
        implementation(own)
        ctypes.memmove(address, ctypes.byref(own), size)

    return report_errors(call, reports=not is_freeing(function.name))


def report_errors(call: Callable[[int], None], *, reports: bool = True) -> object:
    """A callback whose outcome is the error that a call raises, if it reports errors.

    A call that reports none is repeated after an interrupt.
    """

    def entry(address: int, outcome: int) -> None:
        error = SOUND
        try:
            call(address)
        except BaseException as raised:
            if isinstance(raised, KeyboardInterrupt):
                request_interrupt()
                if not reports:
                    return  # native code calls again: jaxlib ends the process on such an error
            if reports:
                error = status_of(raised).address
        ctypes.c_size_t.from_address(outcome).value = error

    return ENTRY_TYPE(entry)


def reject_size(function: InterfaceFunction, size: int) -> None:
    """Rejects an argument structure that lacks fields of the first version.

    Raises:
        PjrtError: Always.
    """
    raise PjrtError(
        ErrorCode.INVALID_ARGUMENT,
        f"PJRT_{function.name}: the arguments have {size} bytes, fewer than the "
        f"{function.counted_size} of the oldest jaxlib that stablemate works with (0.6)",
    )


def unimplemented_function(name: str) -> Implementation:
    """The implementation of a function that there is none of."""

    def implementation(arguments: object) -> None:
        message = f"stablemate does not implement PJRT_{name}"
        raise PjrtError(ErrorCode.UNIMPLEMENTED, message)

    return implementation

"""Errors of the interface: codes, and the objects that carry them to the caller."""

from __future__ import annotations

import traceback
from enum import IntEnum

from stablemate.diagnostics.errors import (
    ArgumentError,
    LimitError,
    ParseError,
    StablemateError,
    UnsupportedError,
    VerifyError,
)
from stablemate.execution.custom_calls.registered import UnknownTargetError
from stablemate.pjrt.functions import implements
from stablemate.pjrt.interface.structures import Structure
from stablemate.pjrt.objects import NativeObject, object_at, release


class ErrorCode(IntEnum):
    """``PJRT_Error_Code``."""

    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class PjrtError(Exception):
    """An error with a code of the interface."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class HostCallbackError(StablemateError):
    """A Python function that a program calls has raised an exception, which is the cause."""

    stage = "callback"

    @property
    def text(self) -> str:
        """The message: XLA's words, and the traceback of the exception."""
        cause: BaseException = self
        while isinstance(cause, StablemateError) and cause.__cause__ is not None:
            cause = cause.__cause__
        lines = traceback.format_exception(cause)
        return f"CpuCallback error calling callback: {''.join(lines)}"


class PjrtStatus(NativeObject):
    """``PJRT_Error``."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__()
        self.code = code
        self.text = message


# The code of an exception: that of the first class here that it belongs to.
CODES: tuple[tuple[type[BaseException], ErrorCode], ...] = (
    (UnknownTargetError, ErrorCode.NOT_FOUND),
    (UnsupportedError, ErrorCode.UNIMPLEMENTED),
    (LimitError, ErrorCode.RESOURCE_EXHAUSTED),
    (MemoryError, ErrorCode.RESOURCE_EXHAUSTED),
    (ParseError, ErrorCode.INVALID_ARGUMENT),
    (VerifyError, ErrorCode.INVALID_ARGUMENT),
    (ArgumentError, ErrorCode.INVALID_ARGUMENT),
    (KeyboardInterrupt, ErrorCode.CANCELLED),
)


def status_of(error: BaseException) -> PjrtStatus:
    """The status that tells the caller of an exception."""
    carried = getattr(error, "status", None)
    if isinstance(carried, PjrtStatus):
        return carried
    if isinstance(error, PjrtError):
        return PjrtStatus(error.code, str(error))
    if isinstance(error, HostCallbackError):
        return PjrtStatus(ErrorCode.INTERNAL, error.text)
    code = next((code for kind, code in CODES if isinstance(error, kind)), ErrorCode.INTERNAL)
    text = str(error)
    if isinstance(error, MemoryError):
        return PjrtStatus(code, f"Out of memory: {text}")
    if isinstance(error, UnknownTargetError):
        target = str(error.diagnostics[0].rule).rpartition("@")[2]
        text = f"No FFI handler registered for {target} on a platform Host: {text}"
    named = isinstance(error, StablemateError)
    return PjrtStatus(code, text if named else f"{type(error).__name__}: {text}")


@implements("Error_Destroy")
def error_destroy(arguments: Structure) -> None:
    """Frees an error and the text of its message."""
    release(arguments.error)


@implements("Error_Message")
def error_message(arguments: Structure) -> None:
    """The message of an error, which lives as long as the error."""
    status = object_at(arguments.error, PjrtStatus)
    arguments.message, arguments.message_size = status.string("message", status.text)


@implements("Error_GetCode")
def error_get_code(arguments: Structure) -> None:
    """The code of an error."""
    arguments.code = object_at(arguments.error, PjrtStatus).code


@implements("Error_ForEachPayload")
def error_for_each_payload(arguments: object) -> None:
    """Calls the caller's visitor for no payload: errors of this client carry none."""

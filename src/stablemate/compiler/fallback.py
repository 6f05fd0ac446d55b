"""Explains why a program is interpreted instead of compiled."""

from __future__ import annotations

import warnings
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import CompileError, StablemateError, UnsupportedError
from stablemate.diagnostics.missing_packages import missing_package
from stablemate.numerics.elements import StorageError

COMPILER_ERROR: Final = "an error of the compiler"


def reason_of(error: Exception) -> Diagnostic:
    """Why a program is interpreted: it cannot be compiled, or the compiler failed.

    A mistake of the compiler does not keep a program from what the interpreter can do; there is a
    warning then.

    Raises:
        StablemateError: The error, if the interpreter would have it, too.
        BaseException: It is what became of one: an interruption inside a lock of Python's.
    """
    cause: BaseException | None = error
    while cause is not None:
        if not isinstance(cause, Exception):
            raise cause
        cause = cause.__context__
    match error:
        case UnsupportedError():
            return error.diagnostics[0]
        case StorageError():  # of a constant that the interpreter rejects if it gets there
            return Diagnostic(str(error))
        case RecursionError():  # of the compiler; what is too deep for the interpreter it refuses
            return Diagnostic("operations are nested too deeply for native code")
        case StablemateError() if not isinstance(error, CompileError):
            raise error
        case _:
            internal = f"{COMPILER_ERROR}: {type(error).__name__}: {error}"
            why = Diagnostic(missing_package(error) or internal)
            warnings.warn(f"{why.message}; the program is interpreted", stacklevel=3)
            return why

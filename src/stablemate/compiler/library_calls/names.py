"""The names of library functions, by which a program knows that it calls any."""

from __future__ import annotations

from typing import Final

from stablemate.execution.custom_calls.registered import REGISTERED

PREFIX: Final = "library:"  # before the names of functions that are not part of the program
OPERATIONS: Final = frozenset({"stablehlo.custom_call", "stablehlo.triangular_solve"})  # that call
LIBRARY_CALLS_VERSION: Final = 10  # of the records in the disk cache


def is_library_function(name: str) -> bool:
    """Whether a function is one of a library, and not of the program."""
    return name.startswith(PREFIX)


def replaced_targets() -> list[str]:
    """The targets of library calls that the user has given functions of his own."""
    if not REGISTERED:
        return []
    from stablemate.compiler.library_calls.targets import TARGETS  # imports LAPACK's routines

    return sorted(name for name in REGISTERED if name in TARGETS)

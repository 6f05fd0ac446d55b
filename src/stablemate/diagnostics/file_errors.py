"""Errors of files that the caller named, as errors of this package."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    FileError,
    LimitError,
    MissingFileError,
    StablemateError,
)

MAX_NAME: Final = 200  # characters of the name of a file in a message


def path_name(path: str | os.PathLike[str]) -> str:
    """The name of a file that a caller passes as a path.

    Raises:
        ArgumentTypeError: It is no path.
    """
    try:
        return os.fsdecode(path)
    except TypeError as error:
        kind = type(path).__name__
        message = f"a file is named by a string or a path, not by an object of {kind}"
        raise ArgumentTypeError(message) from error


@contextmanager
def file_errors(action: str, name: str, notes: Sequence[Diagnostic] = ()) -> Generator[None]:
    """Raises what is raised inside because of a file as an error of this package.

    Args:
        action: What is done with the file: ``read`` or ``write``.
        name: The name of the file, or of the directory that holds it.
        notes: Notes of the error that this cannot be done.

    Raises:
        FileError: The file cannot be read or written; it is an ``OSError`` too.
        LimitError: There is not enough memory.
    """
    try:
        yield
    except (StablemateError, BrokenPipeError):
        raise
    except (OSError, ValueError) as error:  # ValueError: a path with a null byte, a closed file
        raise file_error(action, name, error, notes) from error
    except MemoryError as error:
        message = f"there is not enough memory to {action} {printable_name(name)}"
        raise LimitError(message) from error


def file_error(
    action: str, name: str, error: OSError | ValueError, notes: Sequence[Diagnostic]
) -> FileError:
    """The error of a file that the operating system or Python rejects."""
    if action == "read" and isinstance(error, OSError) and isinstance(error.filename, str):
        name = error.filename  # of the very file of a directory; drafts are nobody's files
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileError
    message = f"cannot {action} {printable_name(name)}: {reason(error)}"
    failure = kind(Diagnostic(message, notes=tuple(notes)))
    if isinstance(error, OSError):
        failure.errno, failure.strerror, failure.filename = error.errno, error.strerror, name
    return failure


def printable_name(name: str) -> str:
    """The name of a file for a message: shortened; quoted if it is empty or not printable."""
    shown = name if name and name.isprintable() else ascii(name)
    return shown if len(shown) <= MAX_NAME else f"{shown[: MAX_NAME - 3]}..."


def reason(error: OSError | ValueError) -> str:
    """The reason why a file could not be read or written."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error).rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]

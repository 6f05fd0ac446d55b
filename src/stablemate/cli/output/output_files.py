"""Writes files atomically."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from stablemate.atomic_files import AtomicFile, Writer, is_special
from stablemate.cli.options import STDOUT as STDOUT
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import reason


class WriteError(OSError):
    """A file could not be written, although the check before had succeeded."""


def check_writable(path: str) -> None:
    """Rejects a path that cannot be written, before its content is computed.

    Raises:
        ArgumentValueError: It is a directory, or the directory it names is missing or closed.
    """
    if path == STDOUT:
        return
    if Path(path).is_dir():
        raise ArgumentValueError(f"cannot write {path}: is a directory")
    changed = Path(path) if is_special(path) else Path(os.path.realpath(path)).parent
    if not changed.exists():
        raise ArgumentValueError(f"cannot write {path}: there is no directory {changed}")
    if not os.access(changed, os.W_OK):
        raise ArgumentValueError(f"cannot write {path}: permission denied")


def write_files(writers: Mapping[str, Writer]) -> None:
    """Writes several files; if one of them fails, none appears.

    A link stays a link, a file keeps its permissions. ``-`` is stdout.

    Raises:
        WriteError: There is no space, or the place has become unwritable.
    """
    drafts: list[AtomicFile] = []
    try:
        for path, write in writers.items():
            with with_reason(path):
                if path == STDOUT:
                    write(sys.stdout.buffer)
                elif is_special(path):
                    with Path(path).open("wb") as stream:
                        write(stream)
                else:
                    drafts.append(AtomicFile(Path(os.path.realpath(path))))
                    write(drafts[-1].stream)
                    drafts[-1].stream.flush()
        for draft in drafts:
            with with_reason(str(draft.target)):
                draft.publish()
    finally:
        for draft in drafts:
            draft.discard()


@contextmanager
def with_reason(path: str) -> Generator[None]:
    """Adds the file to an error of the operating system, except for a closed pipe."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "stdout" if path == STDOUT else path
        raise WriteError(f"cannot write {name}: {reason(error)}") from error

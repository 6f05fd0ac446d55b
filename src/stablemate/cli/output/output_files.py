"""Writes files whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from stablemate.atomic_files import Draft, Writer, is_special
from stablemate.cli.input.programs import reason
from stablemate.cli.options import STDOUT as STDOUT
from stablemate.diagnostics.errors import ArgumentValueError


class WriteError(OSError):
    """A file could not be written, although it looked as if it could."""


def check_writable(path: str) -> None:
    """Refuses a path that cannot be written, before the work that leads to its contents.

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
    """Writes files by their paths; if one of them fails, none appears.

    A link stays a link, a file keeps its permissions. ``-`` is stdout.

    Raises:
        WriteError: There is no space, or the place has become unwritable.
    """
    drafts: list[Draft] = []
    try:
        for path, write in writers.items():
            with explained(path):
                if path == STDOUT:
                    write(sys.stdout.buffer)
                elif is_special(path):
                    with Path(path).open("wb") as stream:
                        write(stream)
                else:
                    drafts.append(Draft(Path(os.path.realpath(path))))
                    write(drafts[-1].stream)
                    drafts[-1].stream.flush()
        for draft in drafts:
            with explained(str(draft.target)):
                draft.publish()
    finally:
        for draft in drafts:
            draft.discard()


@contextmanager
def explained(path: str) -> Generator[None]:
    """Says of which file an error of the system speaks; that a pipe is closed its reader knows."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "stdout" if path == STDOUT else path
        raise WriteError(f"cannot write {name}: {reason(error)}") from error

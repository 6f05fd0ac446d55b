"""Writes files whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, TypeAlias

from stablemate.cli.loading import reason
from stablemate.cli.options import STDOUT as STDOUT
from stablemate.diagnostics.errors import ArgumentValueError

Writer: TypeAlias = Callable[[BinaryIO], object]


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


def is_special(path: str) -> bool:
    """Whether something other than a regular file has this name: a device, a pipe."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def write_files(writers: Mapping[str, Writer]) -> None:
    """Writes files by their paths; if one of them fails, none appears.

    A link stays a link, a file keeps its permissions. ``-`` is stdout.

    Raises:
        WriteError: There is no space, or the place has become unwritable.
    """
    finished: list[tuple[Path, Path]] = []
    try:
        for path, write in writers.items():
            try:
                if path == STDOUT:
                    write(sys.stdout.buffer)
                elif is_special(path):
                    with Path(path).open("wb") as stream:
                        write(stream)
                else:
                    target = Path(os.path.realpath(path))
                    finished.append((temporary_name(target), target))
                    write_new(*finished[-1], write)
            except BrokenPipeError:
                raise
            except OSError as error:
                raise WriteError(f"cannot write {path}: {reason(error)}") from error
        while finished:
            finished[0][0].replace(finished[0][1])
            finished.pop(0)
    finally:
        for temporary, _ in finished:
            temporary.unlink(missing_ok=True)


def temporary_name(target: Path) -> Path:
    """An unused name beside a file, so that renaming is one step."""
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")


def write_new(temporary: Path, target: Path, write: Writer) -> None:
    """Writes a new file with the permissions of the one that it is to replace."""
    with temporary.open("xb") as stream:
        write(stream)
    if target.exists():
        with suppress(PermissionError):  # not the owner
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))

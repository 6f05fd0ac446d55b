"""Atomic files: a file appears with its whole content or not at all.

While it is written a draft has no name, where the system knows such files: a process that is killed
leaves nothing behind. Elsewhere it has a name of its own until it is published.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from stablemate.deferred_signals import deferring_interrupts

Writer: TypeAlias = Callable[[BinaryIO], object]

PREFIX: Final = ".stablemate-"  # of the names of drafts that have one
SUFFIX: Final = ".tmp"
UNNAMED_FILE: Final[int] = getattr(os, "O_TMPFILE", 0)
DESCRIPTORS: Final = "/proc/self/fd"
CHANGES_OPEN_FILES: Final = os.chmod in os.supports_fd


class AtomicFile:
    """A file that is being written.

    Attributes:
        target: What it becomes.
        stream: Takes its contents.
    """

    def __init__(self, target: Path, permissions: int = 0o666) -> None:
        """Begins an empty file.

        Args:
            target: What it becomes when it is published; no link.
            permissions: Those of a new file, before the mask of the process is applied.

        Raises:
            OSError: There is no such directory, or it cannot be written.
        """
        self.target = target
        self.name: Path | None = None
        with deferring_interrupts():  # until somebody owns what was opened
            handle = open_unnamed(target.parent, permissions)
            if handle is None:
                self.name = temporary_name(target)
                handle = os.open(self.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, permissions)
            try:
                self.stream: BinaryIO = os.fdopen(handle, "wb")
            except BaseException:
                os.close(handle)
                self.remove()
                raise

    def publish(self) -> None:
        """Makes the file appear, with the permissions of the one that it replaces.

        Raises:
            OSError: There is no space, or the place cannot be written any longer.
        """
        self.stream.flush()
        is_new = not self.target.exists()
        if not is_new:
            self.take_permissions()
        if self.name is None:
            if is_new and self.link(self.target):
                self.stream.close()
                return
            self.name = temporary_name(self.target)
            self.link(self.name)
        self.stream.close()
        os.replace(self.name, self.target)
        self.name = None

    def link(self, name: Path) -> bool:
        """Gives the file a name; says whether that was free."""
        handle = self.stream.fileno()
        try:  # any descriptor makes Python follow the link
            os.link(f"{DESCRIPTORS}/{handle}", name, src_dir_fd=handle, follow_symlinks=True)
        except FileExistsError:
            return False
        return True

    def take_permissions(self) -> None:
        """Takes the permissions of the file that is replaced."""
        with suppress(PermissionError):  # not the owner
            where = self.stream.fileno() if CHANGES_OPEN_FILES else self.name
            assert where is not None
            os.chmod(where, stat.S_IMODE(self.target.stat().st_mode))

    def discard(self) -> None:
        """Removes what was written, if it was not published."""
        with suppress(OSError):  # of what could not be written before
            self.stream.close()
        self.remove()

    def remove(self) -> None:
        """Removes the name of the draft, if it has one."""
        if self.name is not None:
            self.name.unlink(missing_ok=True)
            self.name = None


def open_unnamed(directory: Path, permissions: int) -> int | None:
    """A new file without a name; None if the system has none there."""
    if not UNNAMED_FILE:
        return None
    try:
        handle = os.open(directory, os.O_WRONLY | UNNAMED_FILE, permissions)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        raise
    except OSError:  # not on this file system; a full disk will say so again
        return None
    if os.path.exists(f"{DESCRIPTORS}/{handle}"):
        return handle
    os.close(handle)
    return None


def temporary_name(target: Path) -> Path:
    """An unused name in the directory of a file, so that renaming is one step."""
    return target.with_name(f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}")


def is_special(path: str | Path) -> bool:
    """Whether something other than a regular file has this name: a device, a pipe."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def write_atomically(path: str | os.PathLike[str], write: Writer) -> None:
    """Writes a file whole or not at all. A link stays a link, a file keeps its permissions.

    Args:
        path: The file. What is not a regular one, such as a pipe, is written to.
        write: Writes the contents.

    Raises:
        OSError: It cannot be written.
    """
    if is_special(Path(path)):
        with Path(path).open("wb") as stream:
            write(stream)
        return
    draft = AtomicFile(Path(os.path.realpath(path)))
    try:
        write(draft.stream)
        draft.publish()
    finally:
        draft.discard()

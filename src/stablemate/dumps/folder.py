"""The files of a dump folder, found and read without leaving it.

A link to a file inside is followed, one that leads out of the folder is not; folders behind links,
pipes and devices are not opened. The number of files, the depth and what is read of a file are
bounded.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import FileError, LimitError
from stablemate.diagnostics.file_errors import file_errors, printable_name
from stablemate.dumps.file_kinds import (
    LINK,
    SAVED_TENSORS,
    SPECIAL,
    TORCH_REPORT,
    UNKNOWN,
    FileName,
    file_name_of,
)

MOST_FILES: Final = 200_000
MOST_LEVELS: Final = 6  # folders inside folders
MOST_BYTES: Final = 1 << 30  # of a file that is read
HEAD_BYTES: Final = 1 << 12  # by which a file without a telling name is recognized
GZIP_BITS: Final = 31  # of zlib: a window of 2^15, with the header of gzip
# What files of PyTorch/XLA begin with, whose names users choose.
HEADS: Final = {
    b"TensorsGraphInfo:": SAVED_TENSORS,
    b"## BEGIN_GRAPH": SAVED_TENSORS,
    b"Compilation Analysis:": TORCH_REPORT,
    b"Execution Analysis:": TORCH_REPORT,
    b"pt-xla-profiler:": TORCH_REPORT,
}


@dataclass(frozen=True, slots=True)
class DumpFile:
    """A file of a dump folder.

    Attributes:
        path: Where it is.
        relative: Its path inside the folder, with slashes.
        name: What its name says.
        size: Its size in bytes.
        modified: When it was last written, in seconds; 0 if it is not a file.
    """

    path: Path
    relative: str
    name: FileName
    size: int
    modified: float

    def read(self, most: int = MOST_BYTES) -> bytes:
        """The content of the file; of one that gzip compressed, what it holds.

        Raises:
            FileError: It cannot be read, or is no file any more.
            LimitError: It holds more bytes.
        """
        with file_errors("read", str(self.path)):
            content = read_regular(self.path, most)
        if self.relative.endswith(".gz"):
            return decompress(content, self.relative, most)
        return content

    def text(self) -> str:
        """The content of the file as text; bytes that are no text become replacement characters.

        Raises:
            FileError: It cannot be read, or is no file any more.
            LimitError: It holds too many bytes.
        """
        return self.read().decode("utf-8", "replace")


def read_regular(path: Path, most: int) -> bytes:
    """The content of a regular file; what has become a link or a pipe is not opened.

    Raises:
        FileError: It is no regular file.
        LimitError: It holds more than ``most`` bytes.
        OSError: It cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FileError(f"cannot read {printable_name(str(path))}: it is no regular file")
        content = stream.read(most + 1)
    if len(content) > most:
        raise LimitError(f"{printable_name(str(path))} is larger than {most} bytes")
    return content


def decompress(content: bytes, name: str, most: int) -> bytes:
    """Decompresses a file of gzip.

    Raises:
        FileError: It is damaged.
        LimitError: It holds more than ``most`` bytes.
    """
    decompressor = zlib.decompressobj(wbits=GZIP_BITS)
    try:
        text = decompressor.decompress(content, most + 1)
    except zlib.error as error:
        raise FileError(f"cannot read {printable_name(name)}: damaged gzip data") from error
    if len(text) > most:
        raise LimitError(f"{printable_name(name)} is larger than {most} bytes")
    if not decompressor.eof:
        raise FileError(f"cannot read {printable_name(name)}: the gzip data ends early")
    return text


def files_in(folder: Path) -> Iterator[DumpFile]:
    """The files of a folder and of the folders in it, in the order of their names.

    Raises:
        FileError: The folder cannot be read.
        LimitError: There are too many files, or folders are nested too deeply.
    """
    root = Path(os.path.realpath(folder))
    stack: list[tuple[Path, str, int]] = [(folder, "", 0)]
    number = 0
    while stack:
        directory, prefix, level = stack.pop()
        if level > MOST_LEVELS:
            raise LimitError(
                f"{printable_name(str(directory))} is nested more than {MOST_LEVELS} folders deep"
            )
        for entry in entries_of(directory):
            number += 1
            if number > MOST_FILES:
                raise LimitError(
                    f"{printable_name(str(folder))} holds more than {MOST_FILES} files"
                )
            if entry.is_dir(follow_symlinks=False):
                stack.append((Path(entry.path), f"{prefix}{entry.name}/", level + 1))
            else:
                yield file_of(entry, f"{prefix}{entry.name}", root)


def entries_of(directory: Path) -> list[os.DirEntry[str]]:
    """The entries of a folder by name.

    Raises:
        FileError: It cannot be read.
    """
    with file_errors("read", str(directory)), os.scandir(directory) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def file_of(entry: os.DirEntry[str], relative: str, root: Path) -> DumpFile:
    """A file that is an entry of a folder.

    Args:
        entry: The entry.
        relative: Its path inside the dump.
        root: The dump, without links in its path.
    """
    path, name = Path(entry.path), name_inside(relative)
    if entry.is_symlink():
        target = Path(os.path.realpath(path))
        if not target.is_relative_to(root) or not target.is_file():
            return DumpFile(path, relative, replace(name, kind=LINK), 0, 0.0)
        path = target
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:  # it was removed meanwhile
        return DumpFile(path, relative, replace(name, kind=SPECIAL), 0, 0.0)
    if not stat.S_ISREG(status.st_mode):
        return DumpFile(path, relative, replace(name, kind=SPECIAL), 0, 0.0)
    if name.kind == UNKNOWN:
        name = name_by_content(path, name)
    return DumpFile(path, relative, name, status.st_size, status.st_mtime)


def name_inside(relative: str) -> FileName:
    """Parses the name of a file; one in the folder of a module of XLA belongs to that module."""
    name = file_name_of(relative.rpartition("/")[2])
    folder = relative.rpartition("/")[0].rpartition("/")[2]
    if name.producer or not folder.startswith("module_"):
        return name
    owner = file_name_of(folder)
    if owner.producer != "XLA":
        return name
    is_program = relative.endswith("/module.mlir")
    return replace(
        owner, kind=name.kind, module=owner.rest, stage="StableHLO" if is_program else ""
    )


def name_by_content(path: Path, name: FileName) -> FileName:
    """Recognizes a file by its beginning if its name says nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return name
    with os.fdopen(descriptor, "rb") as stream:
        head = stream.read(HEAD_BYTES)
    for mark, kind in HEADS.items():
        if mark in head:
            return replace(name, kind=kind, producer="PyTorch/XLA")
    return name

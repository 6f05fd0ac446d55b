"""Disk cache: compiled programs, one file each.

A file is a mark, the digest of what follows, and the content. It is written beside its place and
renamed, so that nobody sees half of one. What is not whole is removed. When all files together grow
too large, those that were not used for longest go. Whatever the system refuses, such as a full or
read-only disk, costs only the cache.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

DIRECTORY_VARIABLE: Final = "STABLEMATE_CACHE_DIR"
SIZE_VARIABLE: Final = "STABLEMATE_CACHE_BYTES"
MARK: Final = b"stablemate-1\n"
DIGEST_BYTES: Final = 32
MOST_BYTES: Final = 1 << 29  # of all files together
MOST_FILE_BYTES: Final = 1 << 26
SUFFIX: Final = ".program"
SOURCES: Final = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the cache.

    Attributes:
        path: Where it is.
        bytes: Its size.
        used: When it was last used, in seconds since 1970.
    """

    path: Path
    bytes: int
    used: float


class Cache:
    """Compiled programs in a directory.

    Attributes:
        directory: Where they are.
        most_bytes: How many bytes they may take together.
    """

    def __init__(self, directory: Path, most_bytes: int = MOST_BYTES) -> None:
        self.directory = directory
        self.most_bytes = most_bytes

    def path(self, key: str) -> Path:
        """The file of a key."""
        return self.directory / f"{key}{SUFFIX}"

    def get(self, key: str) -> bytes | None:
        """What was put under a key; None if there is nothing, or nothing that is whole."""
        path = self.path(key)
        try:
            if not is_private(self.directory):
                return None
            data = path.read_bytes()
        except OSError:
            return None
        start = len(MARK) + DIGEST_BYTES
        content = data[start:]
        if data[:start] != MARK + digest(content):
            remove(path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> bool:
        """Keeps something under a key; says whether that was possible."""
        if len(content) > min(MOST_FILE_BYTES, self.most_bytes):
            return False
        import tempfile  # which brings much along that a reader does not need

        temporary = None
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(self.directory):
                return False
            handle, temporary = tempfile.mkstemp(dir=self.directory, prefix=".")
            with os.fdopen(handle, "wb") as file:
                file.writelines((MARK, digest(content), content))
            os.replace(temporary, self.path(key))
        except OSError:
            if temporary is not None:
                remove(Path(temporary))
            return False
        self.shrink()
        return True

    def entries(self) -> list[Entry]:
        """All files, the one that was not used for longest first."""
        found: list[Entry] = []
        try:
            with os.scandir(self.directory) as files:
                for each in files:
                    with contextlib.suppress(OSError):
                        if each.name.endswith(SUFFIX):
                            stat = each.stat(follow_symlinks=False)
                            found.append(Entry(Path(each.path), stat.st_size, stat.st_mtime))
        except OSError:
            return []
        return sorted(found, key=lambda each: each.used)

    def shrink(self) -> None:
        """Removes what was not used for longest, until the rest is small enough."""
        entries = self.entries()
        total = sum(each.bytes for each in entries)
        for each in entries:
            if total <= self.most_bytes:
                return
            remove(each.path)
            total -= each.bytes

    def clear(self) -> Sequence[Entry]:
        """Removes all files, and says which."""
        entries = self.entries()
        for each in entries:
            remove(each.path)
        return entries


def remove(path: Path) -> None:
    """Removes a file, if that is possible."""
    with contextlib.suppress(OSError):
        path.unlink()


def digest(content: bytes) -> bytes:
    """The digest of a content."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()


def is_private(directory: Path) -> bool:
    """Whether nobody else can write code into a directory that this process would run."""
    if not hasattr(os, "getuid"):
        return True
    stat = directory.stat()
    return stat.st_uid == os.getuid() and not stat.st_mode & 0o022


def cache() -> Cache:
    """The cache of this user."""
    size = os.environ.get(SIZE_VARIABLE, "")
    return Cache(cache_directory(), int(size) if size.isdecimal() else MOST_BYTES)


def cache_directory() -> Path:
    """Where the cache of this user is."""
    stated = os.environ.get(DIRECTORY_VARIABLE)
    if stated:
        return Path(stated)
    if sys.platform == "darwin":
        return home() / "Library" / "Caches" / "stablemate"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home() / "AppData" / "Local") / "stablemate" / "cache"
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else home() / ".cache") / "stablemate"


def home() -> Path:
    """The home of this user, or where temporary files are if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        import tempfile

        return Path(tempfile.gettempdir())


def key_of(*parts: str | bytes) -> str:
    """The key of what depends on these, on this version of the library and on its sources."""
    hashed = blake2b(fingerprint(), digest_size=20)
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        hashed.update(len(content).to_bytes(8, "little"))
        hashed.update(content)
    return hashed.hexdigest()


@lru_cache(maxsize=1)
def fingerprint() -> bytes:
    """What changes when the library does: its version, and the times and sizes of its sources."""
    hashed = blake2b((SOURCES / "__init__.py").read_bytes())
    pending = [str(SOURCES)]
    while pending:
        with os.scandir(pending.pop()) as files:
            for each in sorted(files, key=lambda file: file.name):
                if each.name.endswith(".py"):
                    stat = each.stat()
                    hashed.update(f"{each.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
                elif each.name != "__pycache__" and each.is_dir():
                    pending.append(each.path)
    return hashed.digest()

"""The disk cache of compiled programs, one file each.

A file is a mark, the digest of what follows, and the content. It appears whole or not at all. What
is not whole is removed; so is what another user owns or could have written, and what is no regular
file is not opened to wait for. When all files together grow too large, those that were not used for
longest go. Whatever the system refuses, such as a full or read-only disk, costs only the cache.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from stablemate import atomic_files as drafts
from stablemate.compiler.config.environment_variables import environment_number
from stablemate.deferred_signals import deferring_interrupts

DIRECTORY_VARIABLE: Final = "STABLEMATE_CACHE_DIR"
SIZE_VARIABLE: Final = "STABLEMATE_CACHE_BYTES"
MAGIC: Final = b"stablemate-1\n"
DIGEST_BYTES: Final = 32
MAX_BYTES: Final = 1 << 29  # of all files together
MAX_FILE_BYTES: Final = 1 << 26
SHARDS: Final = 16  # of what may be held: so much may another process put unseen
ABANDONED_SECONDS: Final = 3600.0  # seconds after which nobody writes a draft any longer
SUFFIX: Final = ".program"
NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
NON_BLOCKING: Final[int] = getattr(os, "O_NONBLOCK", 0)  # for the writer of a pipe
SOURCES: Final = Path(__file__).parents[2]


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

    def __init__(self, directory: Path, most_bytes: int = MAX_BYTES) -> None:
        self.directory = directory
        self.most_bytes = most_bytes
        self.room = 0  # bytes that may be put before all files are counted again

    def path(self, key: str) -> Path:
        """The file of a key."""
        return self.directory / f"{key}{SUFFIX}"

    def get(self, key: str) -> bytes | None:
        """What was put under a key; None if there is nothing, or nothing that is whole."""
        path = self.path(key)
        try:
            if not is_private(self.directory):
                return None
            data = read_own_file(path)
        except OSError as error:
            if error.errno == errno.ELOOP:  # a link
                remove(path)
            return None
        start = len(MAGIC) + DIGEST_BYTES
        content = data[start:]
        if data[:start] != MAGIC + digest(content):
            remove(path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> bool:
        """Keeps something under a key; says whether that was possible."""
        if len(content) > min(MAX_FILE_BYTES, self.most_bytes):
            return False
        draft = None
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(self.directory):
                return False
            draft = drafts.AtomicFile(self.path(key), 0o600)
            draft.stream.writelines((MAGIC, digest(content), content))
            draft.publish()
        except OSError:
            return False
        finally:
            if draft is not None:
                draft.discard()
        self.room -= len(MAGIC) + DIGEST_BYTES + len(content)
        if self.room < 0:
            self.shrink()
        return True

    def entries(self) -> list[Entry]:
        """All files, the one that was not used for longest first."""
        entries: list[Entry] = []
        try:
            with os.scandir(self.directory) as files:
                for file in files:
                    with contextlib.suppress(OSError):
                        if file.name.endswith(SUFFIX):
                            of = file.stat(follow_symlinks=False)
                            entries.append(Entry(Path(file.path), of.st_size, of.st_mtime))
        except OSError:
            return []
        return sorted(entries, key=lambda entry: entry.used)

    def shrink(self) -> None:
        """Removes what was not used for longest if there is too much, until a part is free.

        Drafts go, too, whose writers were killed. Counting takes as long as there are files: it is
        done by the first that is put, then each time a part of what the cache holds was put.
        """
        for draft in self.directory.glob(f"{drafts.PREFIX}*{drafts.SUFFIX}"):
            with contextlib.suppress(OSError):
                if draft.stat().st_mtime < time.time() - ABANDONED_SECONDS:
                    remove(draft)
        entries = self.entries()
        total = sum(entry.bytes for entry in entries)
        part = self.most_bytes // SHARDS
        if total > self.most_bytes:
            for entry in entries:
                remove(entry.path)
                total -= entry.bytes
                if total <= self.most_bytes - part:
                    break
        self.room = min(self.most_bytes - total, part)

    def clear(self) -> Sequence[Entry]:
        """Removes all files, and says which."""
        entries = self.entries()
        for entry in entries:
            remove(entry.path)
        return entries


def read_own_file(path: Path) -> bytes:
    """What is in a file that this user wrote, as far as can be seen; nothing of any other.

    Raises:
        OSError: There is none, or it cannot be read.
    """
    most = MAX_FILE_BYTES + len(MAGIC) + DIGEST_BYTES
    with deferring_interrupts():
        file = os.fdopen(os.open(path, os.O_RDONLY | NO_FOLLOW | NON_BLOCKING), "rb")
    with file:
        status = os.fstat(file.fileno())
        is_plain = stat.S_ISREG(status.st_mode) and status.st_size <= most
        return file.read(most) if is_plain and is_own(status) else b""


def remove(path: Path) -> None:
    """Removes a file, if that is possible."""
    with contextlib.suppress(OSError):
        path.unlink()


def digest(content: bytes) -> bytes:
    """The digest of a content."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()


def is_private(directory: Path) -> bool:
    """Whether nobody else can write code into a directory that this process would run."""
    return is_own(directory.stat())


def is_own(status: os.stat_result) -> bool:
    """Whether this user owns a file or directory, and nobody else may write it."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def cache() -> Cache:
    """The cache of this user."""
    limit = environment_number(SIZE_VARIABLE)
    return cache_in(cache_directory(), MAX_BYTES if limit is None else limit)


@lru_cache(maxsize=4)
def cache_in(directory: Path, most_bytes: int) -> Cache:
    """The cache in a directory: one, which knows how much it put there."""
    return Cache(directory, most_bytes)


def cache_directory() -> Path:
    """Where the cache of this user is."""
    directory = os.environ.get(DIRECTORY_VARIABLE)
    if directory:
        return Path(directory)
    if sys.platform == "darwin":
        return home_directory() / "Library" / "Caches" / "stablemate"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (
            (Path(local) if local else home_directory() / "AppData" / "Local")
            / "stablemate"
            / "cache"
        )
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else home_directory() / ".cache") / "stablemate"


def home_directory() -> Path:
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
        content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
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
            for source in sorted(files, key=lambda file: file.name):
                if source.name.endswith(".py"):
                    of = source.stat()
                    hashed.update(f"{source.name} {of.st_size} {of.st_mtime_ns}\n".encode())
                elif source.name != "__pycache__" and source.is_dir():
                    pending.append(source.path)
    return hashed.digest()

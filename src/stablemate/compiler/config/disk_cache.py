"""The disk cache of compiled programs, one file each.

A file consists of a magic number, the digest of the key and the content, and the content. Files are
written atomically. A damaged file is removed, and so is one that holds the content of another key,
whose content cannot be decoded, or that another user owns or could have written; a file that is not
regular is not opened for a blocking read. When all files together grow too large, the least
recently used are removed. If the system rejects an access, for example because the disk is full or
read-only, only the cache is lost.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeVar

from stablemate import atomic_files as drafts
from stablemate.compiler.config.environment_variables import environment_number
from stablemate.deferred_signals import deferring_interrupts

DIRECTORY_VARIABLE: Final = "STABLEMATE_CACHE_DIR"
SIZE_VARIABLE: Final = "STABLEMATE_CACHE_BYTES"
MAGIC: Final = b"stablemate-2\n"
DIGEST_BYTES: Final = 32
MAX_BYTES: Final = 1 << 29  # of all files together
MAX_FILE_BYTES: Final = 1 << 26
SHARDS: Final = 16  # a part of the limit: other processes may write this much between two counts
ABANDONED_SECONDS: Final = 3600.0  # after which an unfinished file is abandoned
SUFFIX: Final = ".program"
NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
NON_BLOCKING: Final[int] = getattr(os, "O_NONBLOCK", 0)  # does not wait for the writer of a pipe
SOURCES: Final = Path(__file__).parents[2]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A file of the cache.

    Attributes:
        path: Its path.
        bytes: Its size.
        used: When it was last used, in seconds since 1970.
    """

    path: Path
    bytes: int
    used: float


class Cache:
    """Compiled programs in a directory.

    Attributes:
        directory: The directory.
        max_bytes: How many bytes the files may take together.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_BYTES) -> None:
        self.directory = directory
        self.max_bytes = max_bytes
        self.bytes_until_eviction = 0  # bytes that may be written before files are counted again

    def path(self, key: str) -> Path:
        """The file of a key."""
        return self.directory / f"{key}{SUFFIX}"

    def get(self, key: str) -> bytes | None:
        """The content that was stored under a key; None if there is none or it is damaged."""
        return self.load(key, bytes)

    def load(self, key: str, decode: Callable[[bytes], T]) -> T | None:
        """The value that was stored under a key; None if there is none or it is damaged.

        Args:
            key: The key.
            decode: Decodes the content; whatever error it raises, the file is damaged.
        """
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
        if data[:start] != MAGIC + digest(key, content):
            remove(path)
            return None
        try:
            value = decode(content)
        except Exception:  # of any kind: the content may be anything
            remove(path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return value

    def put(self, key: str, content: bytes) -> bool:
        """Stores content under a key; returns whether that was possible."""
        if len(content) > min(MAX_FILE_BYTES, self.max_bytes):
            return False
        draft = None
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(self.directory):
                return False
            draft = drafts.AtomicFile(self.path(key), 0o600)
            draft.stream.writelines((MAGIC, digest(key, content), content))
            draft.publish()
        except OSError:
            return False
        finally:
            if draft is not None:
                draft.discard()
        self.bytes_until_eviction -= len(MAGIC) + DIGEST_BYTES + len(content)
        if self.bytes_until_eviction < 0:
            self.evict()
        return True

    def entries(self) -> list[CacheEntry]:
        """All files, the least recently used first."""
        entries: list[CacheEntry] = []
        try:
            with os.scandir(self.directory) as files:
                for file in files:
                    with contextlib.suppress(OSError):
                        if file.name.endswith(SUFFIX):
                            status = file.stat(follow_symlinks=False)
                            entries.append(
                                CacheEntry(Path(file.path), status.st_size, status.st_mtime)
                            )
        except OSError:
            return []
        return sorted(entries, key=lambda entry: entry.used)

    def evict(self) -> None:
        """Removes the least recently used files if there are too many bytes, until a part is free.

        Unfinished files of killed writers are removed too. Counting takes time in proportion to the
        number of files: it is done at the first write, and each time a part of the limit was
        written.
        """
        for draft in self.directory.glob(f"{drafts.PREFIX}*{drafts.SUFFIX}"):
            with contextlib.suppress(OSError):
                if draft.stat().st_mtime < time.time() - ABANDONED_SECONDS:
                    remove(draft)
        entries = self.entries()
        total = sum(entry.bytes for entry in entries)
        free_bytes = self.max_bytes // SHARDS
        if total > self.max_bytes:
            for entry in entries:
                remove(entry.path)
                total -= entry.bytes
                if total <= self.max_bytes - free_bytes:
                    break
        self.bytes_until_eviction = min(self.max_bytes - total, free_bytes)

    def clear(self) -> Sequence[CacheEntry]:
        """Removes all files and returns their entries."""
        entries = self.entries()
        for entry in entries:
            remove(entry.path)
        return entries


def read_own_file(path: Path) -> bytes:
    """The content of a regular file that only this user can have written; empty for any other file.

    Raises:
        OSError: There is no file, or it cannot be read.
    """
    max_bytes = MAX_FILE_BYTES + len(MAGIC) + DIGEST_BYTES
    with deferring_interrupts():
        file = os.fdopen(os.open(path, os.O_RDONLY | NO_FOLLOW | NON_BLOCKING), "rb")
    with file:
        status = os.fstat(file.fileno())
        is_plain = stat.S_ISREG(status.st_mode) and status.st_size <= max_bytes
        return file.read(max_bytes) if is_plain and is_own(status) else b""


def remove(path: Path) -> None:
    """Removes a file if possible."""
    with contextlib.suppress(OSError):
        path.unlink()


def digest(key: str, content: bytes) -> bytes:
    """The digest of a content under a key: a file that is given another name does not match it."""
    hashed = blake2b(with_length(key), digest_size=DIGEST_BYTES)
    hashed.update(content)
    return hashed.digest()


def is_private(directory: Path) -> bool:
    """Whether only this user can write code into a directory that this process would run."""
    return is_own(directory.stat())


def is_own(status: os.stat_result) -> bool:
    """Whether this user owns a file or directory, and no other user may write it."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def cache() -> Cache:
    """The cache of this user."""
    limit = environment_number(SIZE_VARIABLE)
    return cache_in(cache_directory(), MAX_BYTES if limit is None else limit)


@lru_cache(maxsize=4)
def cache_in(directory: Path, max_bytes: int) -> Cache:
    """The cache in a directory: one object, which counts the bytes that it wrote there."""
    return Cache(directory, max_bytes)


def cache_directory() -> Path:
    """The directory of this user's cache."""
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
    """The home directory of this user, or the directory for temporary files if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        import tempfile

        return Path(tempfile.gettempdir())


def key_of(*parts: str | bytes) -> str:
    """The key of content that depends on these parts, on this version and on its sources."""
    hashed = blake2b(fingerprint(), digest_size=20)
    for part in parts:
        hashed.update(with_length(part))
    return hashed.hexdigest()


def with_length(part: str | bytes) -> bytes:
    """The bytes of a part of a key behind their number, so that parts cannot run together."""
    content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
    return len(content).to_bytes(8, "little") + content


@lru_cache(maxsize=1)
def fingerprint() -> bytes:
    """A digest that changes with the library: its version, its sources' times and sizes."""
    hashed = blake2b((SOURCES / "__init__.py").read_bytes())
    pending = [str(SOURCES)]
    while pending:
        with os.scandir(pending.pop()) as files:
            for source in sorted(files, key=lambda file: file.name):
                if source.name.endswith(".py"):
                    status = source.stat()
                    hashed.update(f"{source.name} {status.st_size} {status.st_mtime_ns}\n".encode())
                elif source.name != "__pycache__" and source.is_dir():
                    pending.append(source.path)
    return hashed.digest()

"""The disk cache of compiled programs, one file each; large constants are in a file beside it.

A file consists of a magic number, the digest of the key and the content, and the content. Files are
written atomically. A damaged file is removed, and so is one that holds the content of another key,
whose content cannot be decoded, or that another user owns or could have written; a file that is not
regular is not opened for a blocking read. When all files together grow too large, the least
recently used are removed. If the system rejects an access, for example because the disk is full or
read-only, only the cache is lost.

A file of constants is mapped: processes share its pages, and those that nobody reads stay on disk.
The program knows its size, the time of its last change and its digests: of all bytes, which are
read where that time is another, as in a copy of the directory, and of a sample of them, which finds
what a crash of the system left unwritten.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Final, NamedTuple, TypeVar

import numpy as np

from stablemate import atomic_files as drafts
from stablemate.compiler.config.environment_variables import environment_number
from stablemate.deferred_dataclasses import dataclass
from stablemate.deferred_signals import deferring_interrupts
from stablemate.formats.source_digest import digest_of_content, digest_of_file
from stablemate.numerics.elements import Array

DIRECTORY_VARIABLE: Final = "STABLEMATE_CACHE_DIR"
SIZE_VARIABLE: Final = "STABLEMATE_CACHE_BYTES"
MAGIC: Final = b"stablemate-2\n"
DIGEST_BYTES: Final = 32  # of blake2b
MAX_BYTES: Final = 1 << 32  # of all files together
MAX_FILE_BYTES: Final = 1 << 26  # of one entry, so that it displaces few others
# A file of constants takes at most one part of so many of all, and of what is free.
CONSTANTS_SHARE: Final = 2
SHARDS: Final = 16  # a part of the limit: other processes may write this much between two counts
ABANDONED_SECONDS: Final = 3600.0  # after which an unfinished file is abandoned
SUFFIX: Final = ".program"
CONSTANTS_SUFFIX: Final = ".constants"
ALIGNMENT: Final = 64  # of each constant in its file
SAMPLES: Final = 256  # pieces of a file of constants that are always read
SAMPLE_BYTES: Final = 1 << 8  # of each of them
NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)
NON_BLOCKING: Final[int] = getattr(os, "O_NONBLOCK", 0)  # does not wait for the writer of a pipe
SOURCES: Final = Path(__file__).parents[2]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A file of the cache, with the constants beside it.

    Attributes:
        path: Its path.
        bytes: Its size, and that of the constants.
        used: When it was last used, in seconds since 1970.
    """

    path: Path
    bytes: int
    used: float


class ConstantsRecord(NamedTuple):
    """The entry of a program that identifies the file of its constants.

    Attributes:
        bytes: The size of the file.
        changed: When it was last changed, in nanoseconds since 1970.
        digest: The digest of its content, in hexadecimal digits.
        sample: The digest of a sample of its content.
    """

    bytes: int
    changed: int
    digest: str
    sample: str


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

    def constants_path(self, key: str) -> Path:
        """The file of the constants of a key."""
        return self.path(key).with_suffix(CONSTANTS_SUFFIX)

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
        parts = (MAGIC, digest(key, content), content)
        return self.write(self.path(key), lambda stream: stream.writelines(parts)) is not None

    def put_constants(
        self, key: str, sizes: Sequence[int], constants: Iterable[tuple[int, Array]]
    ) -> ConstantsRecord | None:
        """Stores constants for a program, which is put after them; None if that is not possible.

        Each begins at a multiple of the alignment. If the program is not put, they stay until they
        are what was not used for longest.

        Args:
            key: The key.
            sizes: The bytes of each constant.
            constants: The constants with their numbers, in any order; none is asked for before the
                one before it was written.
        """
        places = [0, *accumulate(aligned_size(size) for size in sizes)]
        size = places[-1]
        if size > self.max_bytes // CONSTANTS_SHARE:
            return None
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if size > shutil.disk_usage(self.directory).free // CONSTANTS_SHARE:
                return None
        except OSError:
            return None

        def write(stream: BinaryIO) -> None:
            for number, constant in constants:
                write_array(stream, places[number], constant)
                del constant  # before the next one is computed
            stream.truncate(size)

        path = self.constants_path(key)
        status = self.write(path, write)
        if status is None:
            return None
        try:
            with open_file(path) as file:
                content = digest_of_file(file).hex()
                sample = digest_of_sample(file, size)
        except OSError:  # somebody removed it
            return None
        return ConstantsRecord(size, status.st_mtime_ns, content, sample)

    def set_aside(self, arrays: Sequence[Array]) -> list[Array] | None:
        """Copies of arrays in a file without a name, mapped; None if that is not possible.

        The file goes with the last of them, or with this process.
        """
        places = [0, *accumulate(aligned_size(array.nbytes) for array in arrays)]
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if places[-1] > shutil.disk_usage(self.directory).free // CONSTANTS_SHARE:
                return None
            with TemporaryFile(dir=self.directory) as file:
                for place, array in zip(places, arrays, strict=False):
                    write_array(file, place, array)
                file.truncate(places[-1])
                memory = np.memmap(file, np.uint8, "r")
        except (OSError, ValueError):  # no space, no directory, or nothing to be mapped
            return None
        return [
            memory[place : place + array.nbytes].view(array.dtype).reshape(array.shape)
            for place, array in zip(places, arrays, strict=False)
        ]

    def constants(self, key: str, record: ConstantsRecord) -> Array:
        """The bytes of the file of constants of a key, mapped.

        Raises:
            OSError: It cannot be read.
            ValueError: It is not the file of this record, and is removed.
        """
        path = self.constants_path(key)
        file = map_file(path, record.bytes)
        is_whole = record.sample == file.sample and (
            record.changed == file.changed
            or record.digest == digest_of_content(file.memory.data).hex()
        )
        if not is_whole:
            remove(path)
            raise ValueError("the constants have changed")
        return file.memory

    def write(self, path: Path, write: Callable[[BinaryIO], None]) -> os.stat_result | None:
        """Writes a file, and makes room for the next one; None if that is not possible."""
        draft = None
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(self.directory):
                return None
            draft = drafts.AtomicFile(path, 0o600)
            write(draft.stream)
            draft.stream.flush()
            status = os.fstat(draft.stream.fileno())
            draft.publish()
        except OSError:
            return None
        finally:
            if draft is not None:
                draft.discard()
        self.bytes_until_eviction -= status.st_size
        if self.bytes_until_eviction < 0:
            self.evict()
        return status

    def entries(self) -> list[CacheEntry]:
        """All programs with their constants, the least recently used first."""
        programs: dict[str, os.stat_result] = {}
        constants: dict[str, os.stat_result] = {}
        found = {SUFFIX: programs, CONSTANTS_SUFFIX: constants}
        try:
            with os.scandir(self.directory) as files:
                for file in files:
                    with contextlib.suppress(OSError):
                        name, suffix = os.path.splitext(file.name)
                        if suffix in found:
                            found[suffix][name] = file.stat(follow_symlinks=False)
        except OSError:
            return []
        entries: list[CacheEntry] = []
        for name in programs | constants:
            program, beside = programs.get(name), constants.get(name)
            sizes = [status.st_size for status in (program, beside) if status is not None]
            used = program or beside
            assert used is not None
            entries.append(CacheEntry(self.path(name), sum(sizes), used.st_mtime))
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
                remove_entry(entry)
                total -= entry.bytes
                if total <= self.max_bytes - free_bytes:
                    break
        self.bytes_until_eviction = min(self.max_bytes - total, free_bytes)

    def clear(self) -> Sequence[CacheEntry]:
        """Removes all files and returns their entries."""
        entries = self.entries()
        for entry in entries:
            remove_entry(entry)
        return entries


def read_own_file(path: Path) -> bytes:
    """The content of a regular file that only this user can have written; empty for any other file.

    Raises:
        OSError: There is no file, or it cannot be read.
    """
    max_bytes = MAX_FILE_BYTES + len(MAGIC) + DIGEST_BYTES
    with open_file(path) as file:
        status = os.fstat(file.fileno())
        is_short = status.st_size <= max_bytes
        return file.read(max_bytes) if is_short and is_own_file(status) else b""


class MappedFile(NamedTuple):
    """A file in memory.

    Attributes:
        memory: Its bytes.
        changed: When it was last changed, in nanoseconds since 1970.
        sample: The digest of a sample of its content.
    """

    memory: Array
    changed: int
    sample: str


def map_file(path: Path, size: int) -> MappedFile:
    """A regular file that only this user can have written.

    Raises:
        OSError: There is no file, or it cannot be read.
        ValueError: It is another file, or of another size.
    """
    with open_file(path) as file:
        status = os.fstat(file.fileno())
        if not is_own_file(status) or status.st_size != size:
            raise ValueError(f"{path} is not the file of {size} bytes that was written")
        sample = digest_of_sample(file, size)
        memory = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    return MappedFile(np.frombuffer(memory, np.uint8), status.st_mtime_ns, sample)


def open_file(path: Path) -> BinaryIO:
    """A file that is read; a link is not followed, the writer of a pipe not waited for."""
    with deferring_interrupts():
        return os.fdopen(os.open(path, os.O_RDONLY | NO_FOLLOW | NON_BLOCKING), "rb")


def is_own_file(status: os.stat_result) -> bool:
    """Whether this is a regular file that only this user can have written."""
    return stat.S_ISREG(status.st_mode) and is_own(status)


def remove(path: Path) -> None:
    """Removes a file if possible."""
    with contextlib.suppress(OSError):
        path.unlink()


def remove_entry(entry: CacheEntry) -> None:
    """Removes a program and its constants if possible."""
    remove(entry.path)
    remove(entry.path.with_suffix(CONSTANTS_SUFFIX))


def digest(key: str, content: bytes) -> bytes:
    """The digest of a content under a key: a file that is given another name does not match it."""
    hashed = blake2b(with_length(key), digest_size=DIGEST_BYTES)
    hashed.update(content)
    return hashed.digest()


def digest_of_sample(file: BinaryIO, size: int) -> str:
    """The digest of pieces at equal distances.

    They are read, and not taken from mapped memory, where systems map whole megabytes around each.
    """
    hashed = blake2b(digest_size=DIGEST_BYTES)
    for start in range(0, size, max(size // SAMPLES, SAMPLE_BYTES)):
        file.seek(start)
        hashed.update(file.read(SAMPLE_BYTES))
    return hashed.hexdigest()


def write_array(file: BinaryIO, place: int, array: Array) -> None:
    """Writes the elements of an array at a place of a file."""
    file.seek(place)
    file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def aligned_size(size: int) -> int:
    """The bytes that a constant takes in its file."""
    return size + -size % ALIGNMENT


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

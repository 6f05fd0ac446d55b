"""Digests of what programs are read from, by which the disk cache knows them.

A large content is cut in pieces, which threads read and digest: a processor digests about as much
in a second as a disk reads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, BinaryIO, Final

from stablemate.processors import usable_processors
from stablemate.worker_threads import WorkerThreads

PIECE_BYTES: Final = 1 << 24
BLOCK_BYTES: Final = (
    1 << 19
)  # are read at a time: the second cache has them until they are digested


def digest_of_content(content: Any) -> bytes:
    """Identifies text or bytes."""
    is_text = isinstance(content, str)
    view = memoryview(content.encode(errors="surrogatepass") if is_text else content)
    return digest_of_pieces(len(view), lambda begin, end: sha256(view[begin:end]).digest())


def digest_of_pieces(size: int, digest_of_piece: Callable[[int, int], bytes]) -> bytes:
    """Identifies a content by the digests of its pieces.

    Args:
        size: The number of bytes of the content.
        digest_of_piece: The digest of the bytes between two places. Several threads call it.

    Raises:
        OSError: A piece cannot be read.
    """
    places = [(b, min(b + PIECE_BYTES, size)) for b in range(0, size, PIECE_BYTES)]
    if len(places) < 2:
        return sha256(digest_of_piece(0, size)).digest()
    with WorkerThreads(min(usable_processors(), len(places))) as workers:
        digests = [workers.submit(digest_of_piece, begin, end) for begin, end in places]
        return sha256(b"".join([digest.result() for digest in digests])).digest()


def read_and_digest(file: BinaryIO) -> tuple[bytes | memoryview[int], bytes]:
    """Reads a regular file, which several threads may do at the same time.

    Args:
        file: The file, of which nothing has been read.

    Returns:
        Its bytes, and what identifies them.

    Raises:
        OSError: It cannot be read, or has become shorter.
    """
    size = os.fstat(file.fileno()).st_size
    if size < PIECE_BYTES or not hasattr(os, "preadv"):
        # Windows has no os.pread either, and no programs that are read again from a file.
        whole = os.pread(file.fileno(), size, 0) if hasattr(os, "pread") else file.read()
        return whole, digest_of_content(whole)
    import numpy as np  # of large files, whose memory is not written before it is read into

    content: memoryview[int] = np.empty(size, np.uint8).data

    def read(begin: int, end: int) -> memoryview[int]:
        block = content[begin:end]
        return block[: os.preadv(file.fileno(), [block], begin)]

    digest = digest_of_blocks(size, read)
    return content.toreadonly(), digest


def digest_of_file(file: BinaryIO) -> bytes:
    """Identifies the content of a regular file, of which little is held in memory.

    Raises:
        OSError: It cannot be read, or has become shorter.
    """
    size = os.fstat(file.fileno()).st_size
    if size < PIECE_BYTES or not hasattr(os, "pread"):
        return digest_of_content(file.read())
    return digest_of_blocks(size, lambda begin, end: os.pread(file.fileno(), end - begin, begin))


def digest_of_blocks(size: int, read: Callable[[int, int], bytes | memoryview[int]]) -> bytes:
    """Identifies the content of a file.

    Args:
        size: The number of its bytes.
        read: Reads bytes between two places, or the first ones of them.

    Raises:
        OSError: It cannot be read, or has become shorter.
    """

    def digest_of_piece(begin: int, end: int) -> bytes:
        digest = sha256()
        while begin < end:
            block = read(begin, min(begin + BLOCK_BYTES, end))
            if not block:
                raise OSError("it has become shorter while it was read")
            digest.update(block)
            begin += len(block)
        return digest.digest()

    return digest_of_pieces(size, digest_of_piece)


def digest_of(contents: Iterable[Any], *options: object) -> bytes:
    """Identifies what a program was read from, and how."""
    hashed = sha256(repr(options).encode())  # many processors have instructions for it
    for content in contents:
        hashed.update(digest_of_content(content))
    return hashed.digest()

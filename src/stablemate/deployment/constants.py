"""The constants of a library: inside it if they are small, else in a file beside it.

The file begins with 64 bytes: a magic text, padded with zeros, and the digest of the rest, by which
a library recognizes its own file. The constants follow, each aligned to 64 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import chain
from typing import Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array

MAGIC: Final = b"stablemate weights 1\n"
HEADER_BYTES: Final = 64  # magic and digest, filled up to a cache line
DIGEST_BYTES: Final = 32  # of the digest behind the magic
ALIGNMENT: Final = 64  # bytes of a cache line, to which constants are aligned
MOST_EMBEDDED_BYTES: Final = 1 << 16  # of all constants together


@dataclass(frozen=True, slots=True)
class ConstantPool:
    """The constants of a program, one after the other.

    Attributes:
        content: What the file of weights contains, or the library.
        offsets: Where each constant of each program begins in it.
    """

    content: bytes
    offsets: Sequence[Sequence[int]]

    @property
    def header(self) -> bytes:
        """The first bytes of the content, by which it is recognized."""
        return self.content[:HEADER_BYTES]

    @property
    def are_embedded(self) -> bool:
        """Whether the library contains them."""
        return len(self.content) <= HEADER_BYTES + MOST_EMBEDDED_BYTES


def laid_out(programs: Sequence[Sequence[Array]]) -> ConstantPool:
    """Lays out the constants of programs; those with the same bytes once."""
    places: dict[bytes, int] = {}
    places_of_arrays: dict[int, int] = {}  # most constants of two programs are the same array
    end = HEADER_BYTES
    for constant in chain.from_iterable(programs):
        if id(constant) in places_of_arrays:
            continue
        part = np.ascontiguousarray(constant).tobytes()
        part += bytes(-len(part) % ALIGNMENT)
        place = places_of_arrays[id(constant)] = places.setdefault(part, end)
        if place == end:
            end += len(part)
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in places:
        digest.update(part)
    header = MAGIC.ljust(HEADER_BYTES - DIGEST_BYTES, b"\0") + digest.digest()
    offsets = [[places_of_arrays[id(constant)] for constant in program] for program in programs]
    return ConstantPool(b"".join([header, *places]), offsets)

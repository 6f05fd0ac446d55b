"""Symbols of objects."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence


def missing(objects: Sequence[bytes]) -> list[str]:
    """The symbols that some objects need, and none of them defines."""
    defined = {name for symbol in objects for name, is_here in symbols(symbol) if is_here}
    return [name for item in objects for name in imported(item) if name not in defined]


def imported(content: bytes) -> Iterator[str]:
    """The symbols that an object needs from elsewhere."""
    return (name for name, is_here in symbols(content) if not is_here)


def symbols(content: bytes) -> Iterator[tuple[str, bool]]:
    """The symbols of an ELF object of 64 bits, little-endian, and whether it defines them."""
    assert content[:6] == b"\x7fELF\x02\x01"
    (table,) = struct.unpack_from("<Q", content, 40)
    size, count = struct.unpack_from("<HH", content, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, table + size * i) for i in range(count)]
    for section in sections:
        _, kind, _, _, offset, length, link, _, _, entry = section
        if kind == 2:  # a symbol table
            names = sections[link][4]
            for place in range(offset + entry, offset + length, entry):  # the first is empty
                name, _, _, home = struct.unpack_from("<IBBH", content, place)
                end = content.index(b"\0", names + name)
                yield content[names + name : end].decode(), home != 0

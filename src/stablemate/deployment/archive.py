"""Static libraries: archives of objects, written without a linker.

The objects of two libraries may define the same names, such as those of kernels. In an archive each
such name gets the name of the library as a prefix, and is hidden, so that shared libraries which
contain the archive do not export it.

Sources: System V ABI, chapters "Object Files" and "Symbol Table"; ``ar(5)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from stablemate.compiler.codegen.linker import GLOBAL, HEADER, NOWHERE, SECTION, SYMBOL, SYMBOLS
from stablemate.numerics.elements import Array

MAGIC: Final = b"!<arch>\n"
HIDDEN: Final = 2  # the visibility of a symbol
MEMBER_HEADER_BYTES: Final = 60  # of the format of ar (ar.h)


class ObjectSymbols(NamedTuple):
    """The symbols of an object.

    Attributes:
        place: Where their table begins in the object.
        rows: Their table.
        names: The name of each.
        strings: The number of the section with the names.
    """

    place: int
    rows: Array
    names: Sequence[bytes]
    strings: int


def symbol_table(content: bytes) -> ObjectSymbols:
    """The symbols of an ELF object of 64 bits."""
    sections = sections_of(content)
    (table,) = sections[sections["kind"] == SYMBOLS]
    place, size = int(table["offset"]), int(table["size"])
    rows = np.frombuffer(content, SYMBOL, size // SYMBOL.itemsize, place)
    strings = sections[table["link"]]
    first = int(strings["offset"])
    text = content[first : first + int(strings["size"])]
    names = [text[start : text.index(b"\0", start)] for start in map(int, rows["name"])]
    return ObjectSymbols(place, rows, names, int(table["link"]))


def sections_of(content: bytes) -> Array:
    """The table of the sections of an object."""
    header = np.frombuffer(content, HEADER, 1)[0]
    return np.frombuffer(content, SECTION, int(header["count"]), int(header["sections"]))


def defined_names(content: bytes) -> Iterator[bytes]:
    """The names that an object defines for others."""
    table = symbol_table(content)
    for row, name in zip(table.rows, table.names, strict=True):
        if row["info"] >> 4 == GLOBAL and row["section"] != NOWHERE:
            yield name


def rename_symbols(content: bytes, names: Mapping[bytes, bytes]) -> bytes:
    """An object whose symbols have other names; renamed symbols are hidden.

    The names are appended in a new section of strings, which begins like the old one.
    """
    if not names:
        return content
    table = symbol_table(content)
    sections = sections_of(content).copy()
    strings = sections[table.strings]
    first = int(strings["offset"])
    text = bytearray(content[first : first + int(strings["size"])])
    rows = table.rows.copy()
    for number, name in enumerate(table.names):
        new = names.get(name)
        if new is not None and rows["info"][number] >> 4 == GLOBAL:
            rows["name"][number] = len(text)
            rows["other"][number] = HIDDEN
            text += new + b"\0"
    sections["offset"][table.strings] = len(content)
    sections["size"][table.strings] = len(text)
    changed = bytearray(content)
    changed[table.place : table.place + rows.nbytes] = rows.tobytes()
    place = int(np.frombuffer(content, HEADER, 1)[0]["sections"])
    changed[place : place + sections.nbytes] = sections.tobytes()
    return bytes(changed + text)


def archive(objects: Sequence[bytes], exported: Sequence[str], name: str) -> bytes:
    """A static library.

    Args:
        objects: Position-independent ELF objects of 64 bits.
        exported: The functions that callers see, which keep their names.
        name: The prefix of all other names.
    """
    kept = {function.encode() for function in exported}
    others = {defined for content in objects for defined in defined_names(content)} - kept
    names = {other: f"{name}__".encode() + other for other in others}
    members = [rename_symbols(content, names) for content in objects]
    symbols = [(defined, number) for number, member in enumerate(members)
               for defined in defined_names(member)]  # fmt: skip
    texts = b"".join(symbol + b"\0" for symbol, _ in symbols)
    index_bytes = 4 + 4 * len(symbols) + len(texts)
    places: list[int] = []
    end = len(MAGIC) + MEMBER_HEADER_BYTES + index_bytes + index_bytes % 2
    for member in members:
        places.append(end)
        end += MEMBER_HEADER_BYTES + len(member) + len(member) % 2
    offsets = [len(symbols), *(places[number] for _, number in symbols)]
    index = np.array(offsets, ">u4").tobytes() + texts
    parts = [MAGIC, archive_member("", index)]
    parts += [archive_member(f"{number}.o", member) for number, member in enumerate(members)]
    return b"".join(parts)


def archive_member(name: str, content: bytes) -> bytes:
    """A member of an archive, without date and owner."""
    header = f"{name + '/':<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(content):<10}`\n"
    return header.encode() + content + b"\n" * (len(content) % 2)

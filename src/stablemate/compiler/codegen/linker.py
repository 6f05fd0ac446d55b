"""Links objects without LLVM, so that a program from the disk cache starts at once.

Objects import nothing and are made for any address, so all that is left to do is to lay their
sections side by side and to fill in the distances between them. That is known for ELF objects of
x86-64; others are left to LLVM.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from stablemate.numerics.elements import Array, DType

# ELF, by the System V ABI (gabi) and its AMD64 supplement.
MAGIC: Final = b"\x7fELF\x02\x01"  # 64 bits, little-endian
X86_64: Final = 62
HEADER: Final = np.dtype([("", "V16"), ("", "V2"), ("machine", "<u2"), ("", "V20"),
                          ("sections", "<u8"), ("", "V10"), ("size", "<u2"), ("count", "<u2"),
                          ("", "<u2")])  # fmt: skip
SECTION: Final = np.dtype([("name", "<u4"), ("kind", "<u4"), ("flags", "<u8"), ("address", "<u8"),
                           ("offset", "<u8"), ("size", "<u8"), ("link", "<u4"), ("info", "<u4"),
                           ("alignment", "<u8"), ("entry", "<u8")])  # fmt: skip
SYMBOL: Final = np.dtype([("name", "<u4"), ("info", "u1"), ("other", "u1"), ("section", "<u2"),
                          ("value", "<u8"), ("size", "<u8")])  # fmt: skip
RELOCATION: Final = np.dtype(
    [("offset", "<u8"), ("kind", "<u4"), ("symbol", "<u4"), ("addend", "<i8")]
)
CONTENT, SYMBOLS, RELOCATIONS = 1, 2, 4  # kinds of sections
WRITTEN, ALLOCATED = 1, 2  # flags of sections: what is written, what is needed at run time
GLOBAL: Final = 1  # the binding of a symbol that others may use
DISTANCES: Final = (2, 4)  # PC32 and PLT32: 32 bits, from where they stand to a symbol
ALIGNMENT: Final = 64  # bytes of a cache line, to which sections are aligned
NOWHERE: Final = 0  # the section of a symbol that another object has
LONGEST: Final = 1 << 8  # bytes of the name of a function


class LinkedCode(NamedTuple):
    """Functions that run at any address.

    Attributes:
        content: Instructions and constants.
        places: Where functions begin, by name.
    """

    content: Array
    places: Mapping[str, int]


def link_objects(objects: Sequence[bytes]) -> LinkedCode | None:
    """The code of objects; None if they are of a kind that is left to LLVM."""
    parts: list[ObjectFile] = []
    places: dict[str, int] = {}
    start = 0
    for content in objects:
        part = ObjectFile(content, start) if content[: len(MAGIC)] == MAGIC else None
        if part is None or not part.is_laid_out():
            return None
        parts.append(part)
        places.update(part.places())
        start += part.content.size
    if not all(part.is_patched(places) for part in parts):
        return None
    return LinkedCode(
        np.concatenate([np.zeros(0, np.uint8), *[part.content for part in parts]]), places
    )


class ObjectFile:
    """Lays out one object.

    Args:
        content: The object.
        start: Where its code begins in that of all.
    """

    def __init__(self, content: bytes, start: int) -> None:
        self.raw = np.frombuffer(content, np.uint8)
        self.start = start
        self.header = self.rows(0, HEADER, 1)[0]
        count = int(self.header["count"])
        self.sections = self.rows(int(self.header["sections"]), SECTION, count)
        self.bases = np.full(1 << 16, -1, np.int64)  # where sections begin; reserved numbers too
        self.content = np.zeros(0, np.uint8)

    def rows(self, offset: int, row: DType, count: int) -> Array:
        """A table of the object."""
        return self.raw[offset : offset + count * row.itemsize].view(row)

    def table(self, section: np.void) -> Array:
        """The table in a section."""
        row = SYMBOL if section["kind"] == SYMBOLS else RELOCATION
        return self.rows(int(section["offset"]), row, int(section["size"]) // row.itemsize)

    def is_laid_out(self) -> bool:
        """Lays out the sections; returns whether all of them are supported."""
        if self.header["machine"] != X86_64:
            return False
        needed = np.flatnonzero(self.sections["flags"] & ALLOCATED)
        is_section = self.sections["kind"] == CONTENT
        is_section &= self.sections["flags"] & WRITTEN == 0
        is_section &= self.sections["alignment"] <= ALIGNMENT
        if not is_section[needed].all():
            return False
        end = 0
        for number in needed:
            self.bases[number] = end
            end += -(-int(self.sections["size"][number]) // ALIGNMENT) * ALIGNMENT
        self.content = np.zeros(end, np.uint8)
        for number in needed:
            base, section = self.bases[number], self.sections[number]
            part = self.rows(int(section["offset"]), np.dtype("u1"), int(section["size"]))
            self.content[base : base + part.size] = part
        return True

    def patches(self) -> Iterator[np.void]:
        """The relocations of the sections that are needed."""
        for section in self.sections:
            if section["kind"] == RELOCATIONS and self.bases[section["info"]] >= 0:
                yield section

    def is_patched(self, others: Mapping[str, int]) -> bool:
        """Applies relocations; returns whether all of them are supported.

        Args:
            others: Where functions begin that objects ask one another for.
        """
        table = next(section for section in self.sections if section["kind"] == SYMBOLS)
        symbols = self.table(table)
        bases = self.bases[symbols["section"]]
        is_defined = bases >= 0
        targets = self.start + bases + symbols["value"].astype(np.int64)
        for i in np.flatnonzero((symbols["section"] == NOWHERE) & (symbols["name"] > 0)):
            place = others.get(self.name(table, symbols[i]))
            if place is not None:
                is_defined[i], targets[i] = True, place
        for section in self.patches():
            patches = self.table(section)
            asked = patches["symbol"]
            if not np.isin(patches["kind"], DISTANCES).all() or not is_defined[asked].all():
                return False
            at = self.bases[section["info"]] + patches["offset"].astype(np.int64)
            distances = targets[asked] + patches["addend"] - (self.start + at)
            displacements = distances.astype("<i4").view(np.uint8).reshape(-1, 4)
            self.content[at[:, None] + np.arange(4)] = displacements
        return True

    def name(self, table: np.void, symbol: np.void) -> str:
        """The name of a symbol."""
        first = int(self.sections[table["link"]]["offset"]) + int(symbol["name"])
        end = first + int(np.argmin(self.raw[first : first + LONGEST]))
        return self.raw[first:end].tobytes().decode()

    def places(self) -> Mapping[str, int]:
        """Where the functions begin that others may use."""
        table = next(section for section in self.sections if section["kind"] == SYMBOLS)
        addresses: dict[str, int] = {}
        for symbol in self.table(table):
            if symbol["info"] >> 4 == GLOBAL and symbol["section"] != NOWHERE:
                base = self.bases[symbol["section"]]
                addresses[self.name(table, symbol)] = int(self.start + base + int(symbol["value"]))
        return addresses

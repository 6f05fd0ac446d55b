"""Bytecode files put together by hand: a module whose one attribute is whatever a test wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from stablemate.formats.bytecode.primitives import varint, varints

BUILTIN, MODULE, NAME = range(3)  # strings
UNKNOWN_LOCATION: Final = varint(15)
MAGIC: Final = b"ML\xefR"


def section(number: int, body: bytes) -> bytes:
    """A section without alignment."""
    return bytes([number]) + varint(len(body)) + body


def attribute(kind: int, *fields: int) -> bytes:
    """An attribute whose fields are varints."""
    return varints((kind, *fields))


@dataclass(frozen=True)
class File:
    """``module attributes {a.b = VALUE} {}``, where VALUE is the fourth attribute.

    Attributes:
        values: The fourth attribute and those behind it, of the builtin dialect.
        types: The types, of the builtin dialect.
        version: Of the format.
        extra: Sections behind all others.
    """

    values: Sequence[bytes] = (attribute(7),)
    types: Sequence[bytes] = ()
    version: int = 6
    producer: bytes = b"by hand"
    names: Sequence[bytes] = (b"builtin", b"module", b"a.b")
    ir: bytes = varints((1 << 1, 0)) + b"\x11" + varints((0, 1, 1 << 1 | 1))
    body: bytes = varints((1, 0, 0))
    extra: Sequence[bytes] = field(default=())

    def but(self, **changes: object) -> File:
        """The same file with changes."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def strings(self) -> bytes:
        """The string section."""
        sizes = [len(name) + 1 for name in reversed(self.names)]
        return varints((len(sizes), *sizes)) + b"".join(name + b"\0" for name in self.names)

    def offsets(self) -> bytes:
        """The section that says where attributes and types stand."""
        attributes = self.attributes()
        out = varints((len(attributes), len(self.types), 0, len(attributes)))
        out += varints(len(attribute) << 1 | 1 for attribute in attributes)
        if self.types:
            out += varints((0, len(self.types)))
            out += varints(len(value_type) << 1 | 1 for value_type in self.types)
        return out

    def attributes(self) -> list[bytes]:
        """Location, dictionary, name, values."""
        return [UNKNOWN_LOCATION, attribute(1, 1, 2, 3), attribute(2, NAME), *self.values]

    def sections(self) -> list[bytes]:
        """All sections."""
        dialects = varints((1, BUILTIN << 1, 1, 0, 1, MODULE << 1 | 1))
        return [
            section(1, dialects),
            section(3, self.offsets()),
            section(2, b"".join((*self.attributes(), *self.types))),
            section(4, self.ir + section(4, self.body)),
            section(0, self.strings()),
            section(8, varint(0)),
            *self.extra,
        ]

    def data(self) -> bytes:
        """The file."""
        head = MAGIC + varint(self.version) + self.producer + b"\0"
        return head + b"".join(self.sections())

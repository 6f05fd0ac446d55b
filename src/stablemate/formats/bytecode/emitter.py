"""Collects the bytes of a file: small ones in one buffer, large ones as views of the original data.

Source: MLIR bytecode format, "Sections", "Alignment".
"""

from __future__ import annotations

from typing import Any, Final

from stablemate.formats.bytecode.container import ALIGNED, PADDING
from stablemate.formats.bytecode.primitives import varint

LARGE: Final = 1 << 16  # bytes; larger data is not copied until the file is assembled


class ByteEmitter:
    """The bytes of a section, or of the file.

    Attributes:
        data: The bytes after the last large part.
        alignment: The alignment that the beginning needs for the aligned data inside.
    """

    __slots__ = ("alignment", "data", "finished", "parts")

    def __init__(self) -> None:
        self.parts: list[object] = []
        self.finished = 0  # bytes in the parts
        self.data = bytearray()
        self.alignment = 1

    @property
    def size(self) -> int:
        """Number of bytes so far."""
        return self.finished + len(self.data)

    def varint(self, value: int) -> None:
        """Appends an unsigned integer of variable length."""
        self.data += varint(value)

    def flagged_varint(self, value: int, flag: bool) -> None:
        """Appends a varint whose lowest bit is a flag."""
        self.data += varint(value << 1 | flag)

    def blob(self, raw: Any) -> None:
        """Appends bytes; large ones are referred to, not copied."""
        if len(raw) < LARGE:
            self.data += raw
            return
        self.parts += (self.data, raw)
        self.finished += len(self.data) + len(raw)
        self.data = bytearray()

    def align(self, alignment: int) -> None:
        """Appends padding up to a multiple of the alignment."""
        if alignment > 1:
            self.data += bytes([PADDING]) * (-self.size % alignment)
            self.alignment = max(self.alignment, alignment)

    def section(self, number: int, body: ByteEmitter) -> None:
        """Appends a section: number, length, alignment and contents."""
        start = len(self.data)
        self.data.append(number)
        self.varint(body.size)
        if body.alignment > 1 and self.size % body.alignment:
            self.data[start] |= ALIGNED
            self.varint(body.alignment)
            self.align(body.alignment)
        self.alignment = max(self.alignment, body.alignment)
        if body.parts:
            self.parts += (self.data, *body.parts)
            self.finished += len(self.data) + body.finished
            self.data = bytearray()
        self.data += body.data

    def buffers(self) -> list[object]:
        """Returns all buffers in order."""
        return [*self.parts, self.data]

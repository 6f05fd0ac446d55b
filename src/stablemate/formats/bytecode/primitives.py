"""Encodes and decodes the numbers of bytecode: prefix varints, zigzag, integers of a known width.

The trailing zero bits of a varint's first byte count the bytes that follow it; a first byte of zero
is followed by eight bytes of value.

Source: MLIR bytecode format, "Fixed-Width Integers", "Variable-Width Integers".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Bytes: TypeAlias = "bytes | memoryview[int]"

MASK: Final = (1 << 64) - 1
LONGEST_VARINT: Final = 9
WORD: Final = 64


def varint_at(data: Bytes, position: int) -> tuple[int, int]:
    """Returns the varint at a position, and the position after it.

    Raises:
        IndexError: The data ends inside the varint.
    """
    first = data[position]
    if first & 1:
        return first >> 1, position + 1
    if first & 2:
        return (first | data[position + 1] << 8) >> 2, position + 2
    size = (first & -first).bit_length() if first else LONGEST_VARINT
    end = position + size
    if end > len(data):
        raise IndexError(position)
    if not first:
        return int.from_bytes(data[position + 1 : end], "little"), end
    return int.from_bytes(data[position:end], "little") >> size, end


def varint(value: int) -> bytes:
    """Encodes a number from 0 to 2^64 - 1 as its shortest varint."""
    if value < 128:
        return ONE_BYTE[value]
    size = (value.bit_length() + 6) // 7
    if size >= LONGEST_VARINT:
        return b"\0" + value.to_bytes(8, "little")
    return ((value << 1 | 1) << (size - 1)).to_bytes(size, "little")


ONE_BYTE: Final = tuple(bytes([2 * value + 1]) for value in range(128))


def zigzag(value: int) -> int:
    """Maps a signed number to an unsigned one: 0, -1, 1, -2 become 0, 1, 2, 3. Wraps at 64 bits."""
    value &= MASK
    return ((value << 1) & MASK) ^ (MASK if value >> 63 else 0)


def unzigzag(value: int) -> int:
    """Returns the signed number that a zigzag number encodes."""
    return (value >> 1) ^ -(value & 1)


def words_of(value: int) -> list[int]:
    """Returns the 64-bit words of a number, lowest first, without leading zero words.

    The list has at least one word.
    """
    words = [value & MASK]
    while value := value >> WORD:
        words.append(value & MASK)
    return words


def varints(values: Iterable[int]) -> bytes:
    """Encodes numbers as consecutive varints."""
    return b"".join(map(varint, values))

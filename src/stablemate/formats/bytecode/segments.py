"""Encodes sizes of operand segments: all of them, or only those that are not zero.

Source: MLIR, DialectBytecodeReader and DialectBytecodeWriter, "sparse array".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.formats.bytecode.entries import EntryDecoder

LAST_SPARSE: Final = 256  # the highest position that the sparse form can express
WIDEST_POSITION: Final = 32  # bits


def read_segments(entry: EntryDecoder, count: int) -> list[int]:
    """Reads the sizes of ``count`` segments; sizes that are absent are zero."""
    sizes = [0] * count
    size_count, is_sparse = divmod(entry.varint(), 2)
    if not is_sparse:
        if size_count > count:
            entry.reject(f"{size_count} sizes of {count} segments")
        for position in range(size_count):
            sizes[position] = entry.varint()
        return sizes
    if not size_count:
        return sizes
    bits = entry.varint()
    if bits > WIDEST_POSITION or size_count > entry.bytes_left():
        entry.reject(f"{size_count} sizes of segments with positions of {bits} bits")
    for _ in range(size_count):
        pair = entry.varint()
        position = pair & ((1 << bits) - 1)
        if position >= count:
            entry.reject(f"the size of segment {position} of {count}")
        sizes[position] = pair >> bits
    return sizes


def encode_segments(sizes: Sequence[int]) -> list[int]:
    """Returns the numbers that encode the sizes.

    The encoding is sparse if at least half of the sizes are zero.
    """
    used = [position for position, size in enumerate(sizes) if size]
    last = used[-1] if used else 0
    if last > LAST_SPARSE or len(used) > len(sizes) // 2:
        return [len(sizes) << 1, *sizes]
    if not used:
        return [1]
    bits = last.bit_length()
    return [len(used) << 1 | 1, bits, *(sizes[position] << bits | position for position in used)]

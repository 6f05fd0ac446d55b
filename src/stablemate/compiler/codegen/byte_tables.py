"""Entries of tables of 256 bytes, four registers of 64, by AVX-512 VBMI.

Source: Intel 64 and IA-32 Architectures Software Developer's Manual, VPERMI2B: it searches two
registers for the lowest seven bits of each byte of an index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

LANES: Final = 16  # codes of a register, each in an ``i32``
REGISTER: Final = 64  # bytes of a table in a register
HALF: Final = 128  # bytes of a table that an instruction searches
SEARCH: Final = "call <64 x i8> @llvm.x86.avx512.vpermi2var.qi.512"
CODES: Final = f"<{LANES} x i32>"
BYTES: Final = f"<{REGISTER} x i8>"

Line = Callable[[str], str]  # adds an instruction, and names its result


def byte_entries(line: Line, table: Sequence[int], codes: str, lanes: int) -> str:
    """The bytes at codes, as integers.

    Args:
        line: Adds an instruction.
        table: The bytes, 256.
        codes: The codes, whose lowest byte counts; an ``i32``, or a vector of them.
        lanes: How many there are, at most 16.
    """
    if lanes == 1:
        codes = line(f"insertelement {CODES} poison, i32 {codes}, i32 0")
    elif lanes < LANES:
        codes = line(resized(codes, lanes, LANES))
    index = line(f"bitcast {CODES} {codes} to {BYTES}")
    halves: list[str] = []
    for begin in range(0, len(table), HALF):
        first, second = (
            register(table[start : start + REGISTER]) for start in (begin, begin + REGISTER)
        )
        found = line(f"{SEARCH}({BYTES} {first}, {BYTES} {index}, {BYTES} {second})")
        halves.append(line(f"bitcast {BYTES} {found} to {CODES}"))
    top = line(f"and {CODES} {codes}, splat (i32 {HALF})")
    is_high = line(f"icmp ne {CODES} {top}, zeroinitializer")
    low, high = halves
    entry = line(f"select <{LANES} x i1> {is_high}, {CODES} {high}, {CODES} {low}")
    entry = line(f"and {CODES} {entry}, splat (i32 255)")
    if lanes == 1:
        return line(f"extractelement {CODES} {entry}, i32 0")
    return entry if lanes == LANES else line(resized(entry, LANES, lanes))


def register(table: Sequence[int]) -> str:
    """Bytes as a constant vector."""
    return f"<{', '.join(f'i8 {byte}' for byte in table)}>"


def resized(vector: str, lanes: int, size: int) -> str:
    """A vector with the first lanes of another one; others repeat the first."""
    order = ", ".join(f"i32 {i if i < lanes else 0}" for i in range(size))
    kind = f"<{lanes} x i32>"
    return f"shufflevector {kind} {vector}, {kind} poison, <{size} x i32> <{order}>"

"""The digest of the constants in a file of weights: XXH64 with seed 0.

A library computes it when an instance is created, so it has to be fast: one core digests more than
5 GB a second. It detects damage; it does not protect from someone who can write the file.

Source: Collet, "xxHash fast digest algorithm", XXH64 algorithm description.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

from stablemate.compiler.codegen.loader import load
from stablemate.compiler.codegen.optimized_object import optimized_object
from stablemate.compiler.config.target import host

PRIMES: Final = (
    11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
    2870177450012600261,
)  # fmt: skip
STRIPE_BYTES: Final = 32  # of XXH64: four words of eight bytes


def rotate_left(result: str, value: str, bits: int) -> str:
    """Rotates a word to the left."""
    return f"  {result} = call i64 @llvm.fshl.i64(i64 {value}, i64 {value}, i64 {bits})\n"


def lane_text(lane: int) -> str:
    """A round: the accumulator of a lane takes up a word of the stripe."""
    return (
        f"  %at{lane} = getelementptr i64, ptr %stripe, i64 {lane}\n"
        f"  %word{lane} = load i64, ptr %at{lane}\n"
        f"  %product{lane} = mul i64 %word{lane}, {PRIMES[1]}\n"
        f"  %sum{lane} = add i64 %v{lane}, %product{lane}\n"
        + rotate_left(f"%turned{lane}", f"%sum{lane}", 31)
        + f"  %next{lane} = mul i64 %turned{lane}, {PRIMES[0]}\n"
    )


def merge_text(lane: int, before: str, after: str) -> str:
    """The digest takes up the accumulator of a lane."""
    return (
        f"  %p{lane} = mul i64 %next{lane}, {PRIMES[1]}\n"
        + rotate_left(f"%r{lane}", f"%p{lane}", 31)
        + f"  %q{lane} = mul i64 %r{lane}, {PRIMES[0]}\n"
        f"  %x{lane} = xor i64 {before}, %q{lane}\n"
        f"  %m{lane} = mul i64 %x{lane}, {PRIMES[0]}\n"
        f"  {after} = add i64 %m{lane}, {PRIMES[3]}\n"
    )


def signed_literal(word: int) -> int:
    """A word as LLVM text writes it."""
    word %= 1 << 64
    return word - (1 << 64) if word >> 63 else word


STARTS: Final = [
    signed_literal(start) for start in (PRIMES[0] + PRIMES[1], PRIMES[1], 0, -PRIMES[0])
]
TEXT: Final = (
    """
; XXH64 of bytes, a positive multiple of 32.
define internal i64 @digest(ptr %begin, i64 %bytes) #0 {
entry:
  br label %stripes
stripes:
  %i = phi i64 [ 0, %entry ], [ %i1, %stripes ]
"""
    + "".join(
        f"  %v{lane} = phi i64 [ {start}, %entry ], [ %next{lane}, %stripes ]\n"
        for lane, start in enumerate(STARTS)
    )
    + "  %stripe = getelementptr i8, ptr %begin, i64 %i\n"
    + "".join(map(lane_text, range(4)))
    + f"""\
  %i1 = add i64 %i, {STRIPE_BYTES}
  %more = icmp ult i64 %i1, %bytes
  br i1 %more, label %stripes, label %merge
merge:
"""
    + "".join(
        rotate_left(f"%part{lane}", f"%next{lane}", bits)
        for lane, bits in enumerate((1, 7, 12, 18))
    )
    + """\
  %part01 = add i64 %part0, %part1
  %part23 = add i64 %part2, %part3
  %merged = add i64 %part01, %part23
"""
    + merge_text(0, "%merged", "%h0")
    + merge_text(1, "%h0", "%h1")
    + merge_text(2, "%h1", "%h2")
    + merge_text(3, "%h2", "%h3")
    + f"""\
  %sized = add i64 %h3, %bytes
  %s0 = lshr i64 %sized, 33
  %a0 = xor i64 %sized, %s0
  %a1 = mul i64 %a0, {PRIMES[1]}
  %s1 = lshr i64 %a1, 29
  %a2 = xor i64 %a1, %s1
  %a3 = mul i64 %a2, {PRIMES[2]}
  %s2 = lshr i64 %a3, 32
  %a4 = xor i64 %a3, %s2
  ret i64 %a4
}}
declare i64 @llvm.fshl.i64(i64, i64, i64)
"""
)
EXPORTED: Final = """
define i64 @digest_of(ptr %begin, i64 %bytes) #0 {
  %digest = call i64 @digest(ptr %begin, i64 %bytes)
  ret i64 %digest
}
"""
FUNCTIONS: Final[list[tuple[object, Callable[[bytes, int], int]]]] = []


def digest(content: bytes) -> int:
    """XXH64 of bytes, whose number is a positive multiple of 32; the same code as in a library."""
    assert content
    assert len(content) % STRIPE_BYTES == 0
    if not FUNCTIONS:
        code = load([optimized_object(TEXT + EXPORTED, host())], ["digest_of"])
        prototype = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint64)
        FUNCTIONS.append((code, prototype(code.addresses["digest_of"])))
    return FUNCTIONS[0][1](content, len(content))

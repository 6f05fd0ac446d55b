"""Modulus and angle of powers of complex numbers, in as many words as the angle takes.

A power ``exp((c + di) log(z))`` next to an axis has a part that is as accurate as what its angle
``c arg(z) + d log(abs(z))`` lacks to a quarter turn. If the angle is large, too, or both terms
cancel, double-double arithmetic does not suffice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from stablemate.compiler.codegen.lane_functions.multiword_integers import BYTES, FUNCTIONS, MOST

LARGEST_FRACTION: Final = 40  # words
CONSTANTS: Final = ("LOG_OF_TWO", "HALF_PI", "TURNS")

# memory: vectors of whether a lane is open, the real and the imaginary part of the base z and of
# the exponent, and log(abs(z)) and arg(z) in two parts each. Where a lane is open, vectors of the
# results replace them: the logarithm of the modulus in two parts, with an exponent of two; the
# angle but for quarter turns, likewise; and how many turns, of which the last two bits count.
LANES: Final = """
define internal void @NAME(ptr %memory, i64 %lanes) #1 {
entry:
  br label %lane
lane:
  %i = phi i64 [ 0, %entry ], [ %next, %after ]
  %first = getelementptr double, ptr %memory, i64 %i
  %which = load double, ptr %first
  %isopen = fcmp une double %which, 0.0
  br i1 %isopen, label %compute, label %after
compute:
  call void @NAME_lane(ptr %first, i64 %lanes)
  br label %after
after:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %lanes
  br i1 %more, label %lane, label %end
end:
  ret void
}
"""

# With 2^e the larger part of z, log(z / 2^e) is refined from y = log(z) - e log(2): with
# g = z / 2^e exp(-y) - 1 it is y + g - g^2 / 2, which triples the correct digits.
LANE: Final = f"""
define internal i64 @NAME_exponent(double %x) #1 {{
  %bits = bitcast double %x to i64
  %moved = lshr i64 %bits, 52
  %field = and i64 %moved, 2047
  %exponent = sub i64 %field, 1023
  ret i64 %exponent
}}

define internal void @NAME_lane(ptr %p0, i64 %stride) #1 {{
entry:
  %z = alloca [{2 * BYTES} x i8], align 8
  %y = alloca [{2 * BYTES} x i8], align 8
  %w = alloca [{2 * BYTES} x i8], align 8
  %g = alloca [{2 * BYTES} x i8], align 8
  %t = alloca [{2 * BYTES} x i8], align 8
  %z2 = getelementptr i8, ptr %z, i64 {BYTES}
  %y2 = getelementptr i8, ptr %y, i64 {BYTES}
  %w2 = getelementptr i8, ptr %w, i64 {BYTES}
  %t2 = getelementptr i8, ptr %t, i64 {BYTES}
  %p1 = getelementptr double, ptr %p0, i64 %stride
  %p2 = getelementptr double, ptr %p1, i64 %stride
  %p3 = getelementptr double, ptr %p2, i64 %stride
  %p4 = getelementptr double, ptr %p3, i64 %stride
  %p5 = getelementptr double, ptr %p4, i64 %stride
  %p6 = getelementptr double, ptr %p5, i64 %stride
  %p7 = getelementptr double, ptr %p6, i64 %stride
  %p8 = getelementptr double, ptr %p7, i64 %stride
  %a = load double, ptr %p1
  %b = load double, ptr %p2
  %c = load double, ptr %p3
  %d = load double, ptr %p4
  %log = load double, ptr %p5
  %logrest = load double, ptr %p6
  %arg = load double, ptr %p7
  %argrest = load double, ptr %p8

  %ct = fmul double %c, %arg
  %dl = fmul double %d, %log
  %ctsize = call double @llvm.fabs.f64(double %ct)
  %dlsize = call double @llvm.fabs.f64(double %dl)
  %size = fadd double %ctsize, %dlsize
  %esize = call i64 @NAME_exponent(double %size)
  %ec = call i64 @NAME_exponent(double %c)
  %ed = call i64 @NAME_exponent(double %d)
  %ea = call i64 @NAME_exponent(double %a)
  %eb = call i64 @NAME_exponent(double %b)
  %e = call i64 @llvm.smax.i64(i64 %ea, i64 %eb)
  %ecd = call i64 @llvm.smax.i64(i64 %ec, i64 %ed)
  %ew = call i64 @llvm.smax.i64(i64 %ecd, i64 0)
  %tiny0 = sub i64 0, %esize
  %tiny = call i64 @llvm.smax.i64(i64 %tiny0, i64 0)
  %digits0 = add i64 %ew, %tiny
  %digits = add i64 %digits0, 257
  %f0 = lshr i64 %digits, 6
  %f = call i64 @llvm.smin.i64(i64 %f0, i64 {LARGEST_FRACTION})
  %upper0 = add i64 %ew, 12
  %upper1 = lshr i64 %upper0, 6
  %upper = add i64 %upper1, 1
  %n = add i64 %f, %upper
  %unused = sub i64 {LARGEST_FRACTION}, %f
  %logoftwo = getelementptr i64, ptr @NAME_LOG_OF_TWO, i64 %unused
  %halfpi = getelementptr i64, ptr @NAME_HALF_PI, i64 %unused
  %turns = getelementptr i64, ptr @NAME_TURNS, i64 %unused

  %down = sub i64 0, %e
  call void @NAME_number(ptr %z, double %a, i64 %down, i64 %n, i64 %f)
  call void @NAME_number(ptr %z2, double %b, i64 %down, i64 %n, i64 %f)
  call void @NAME_number(ptr %w, double %c, i64 0, i64 %n, i64 %f)
  call void @NAME_number(ptr %w2, double %d, i64 0, i64 %n, i64 %f)
  call void @NAME_number(ptr %y, double %log, i64 0, i64 %n, i64 %f)
  call void @NAME_number(ptr %y2, double %arg, i64 0, i64 %n, i64 %f)
  call void @NAME_number(ptr %t, double %logrest, i64 0, i64 %n, i64 %f)
  call void @NAME_number(ptr %t2, double %argrest, i64 0, i64 %n, i64 %f)
  call void @NAME_complex_sum(ptr %y, ptr %y, ptr %t, i64 %n, i64 0)
  %number = sitofp i64 %e to double
  call void @NAME_number(ptr %t, double %number, i64 0, i64 %n, i64 %f)
  call void @NAME_product(ptr %t2, ptr %t, ptr %logoftwo, i64 %n, i64 %f)
  call void @NAME_sum(ptr %y, ptr %y, ptr %t2, i64 %n, i64 -1)
  %needed0 = shl i64 %f, 6
  %needed = sub i64 %needed0, 24
  br label %refine
refine:
  %correct = phi i64 [ 86, %entry ], [ %tripled, %refine ]
  call void @NAME_complex_sum(ptr %t, ptr @NAME_ZERO, ptr %y, i64 %n, i64 -1)
  call void @NAME_complex_exponential(ptr %g, ptr %t, i64 %n, i64 %f)
  call void @NAME_complex_product(ptr %g, ptr %g, ptr %z, i64 %n, i64 %f)
  call void @NAME_number(ptr %t, double 1.0, i64 0, i64 %n, i64 %f)
  call void @NAME_sum(ptr %g, ptr %g, ptr %t, i64 %n, i64 -1)
  call void @NAME_complex_product(ptr %t, ptr %g, ptr %g, i64 %n, i64 %f)
  call void @NAME_complex_quotient(ptr %t, ptr %t, i64 2, i64 %n)
  call void @NAME_complex_sum(ptr %g, ptr %g, ptr %t, i64 %n, i64 -1)
  call void @NAME_complex_sum(ptr %y, ptr %y, ptr %g, i64 %n, i64 0)
  %tripled = mul i64 %correct, 3
  %more = icmp slt i64 %tripled, %needed
  br i1 %more, label %refine, label %multiply
multiply:
  call void @NAME_number(ptr %t, double %number, i64 0, i64 %n, i64 %f)
  call void @NAME_product(ptr %t2, ptr %t, ptr %logoftwo, i64 %n, i64 %f)
  call void @NAME_sum(ptr %y, ptr %y, ptr %t2, i64 %n, i64 0)
  call void @NAME_complex_product(ptr %y, ptr %y, ptr %w, i64 %n, i64 %f)
  call void @NAME_rounded(ptr %p0, i64 %stride, ptr %y, i64 %n, i64 %f)

  call void @NAME_product(ptr %z, ptr %y2, ptr %turns, i64 %n, i64 %f)
  call void @NAME_number(ptr %t, double 0.5, i64 0, i64 %n, i64 %f)
  call void @NAME_sum(ptr %z, ptr %z, ptr %t, i64 %n, i64 0)
  %whole = getelementptr i64, ptr %z, i64 %f
  %quarters = load i64, ptr %whole
  store i64 %quarters, ptr %p6
  br label %word
word:
  %i = phi i64 [ %f, %multiply ], [ %next, %word ]
  %pz = getelementptr i64, ptr %z, i64 %i
  store i64 0, ptr %pz
  %next = add i64 %i, 1
  %inside = icmp ult i64 %next, %n
  br i1 %inside, label %word, label %end
end:
  call void @NAME_sum(ptr %z, ptr %z, ptr %t, i64 %n, i64 -1)
  call void @NAME_product(ptr %y, ptr %z, ptr %halfpi, i64 %n, i64 %f)
  call void @NAME_rounded(ptr %p3, i64 %stride, ptr %y, i64 %n, i64 %f)
  ret void
}}
"""


def complex_power_functions(name: str) -> str:
    """The definition of the function of vectors, and of those that it calls.

    Args:
        name: Its name, with which those of the others begin.
    """
    tables = [words_text(f"NAME_{key}", words) for key, words in constants().items()]
    tables.append(f"@NAME_ZERO = internal constant [{2 * MOST} x i64] zeroinitializer\n")
    return "".join([*tables, *FUNCTIONS, LANE, LANES]).replace("NAME", name)


def words_text(name: str, words: Sequence[int]) -> str:
    """The definition of a table of words."""
    texts = ", ".join(f"i64 {word}" for word in words)
    return f"@{name} = internal constant [{len(words)} x i64] [{texts}]\n"


@lru_cache(maxsize=1)
def constants() -> dict[str, list[int]]:
    """The constants as numbers with ``LARGEST_FRACTION`` words of fraction, zero words above."""
    bits = 64 * LARGEST_FRACTION
    half_pi = 2 * (4 * arctangent(5, bits) - arctangent(239, bits))
    numbers = 2 * area_tangent(3, bits), half_pi, (1 << 2 * bits) // half_pi
    return {key: words_of(number) for key, number in zip(CONSTANTS, numbers, strict=True)}


def words_of(number: int) -> list[int]:
    """The words of a number, the lowest first."""
    return [number >> 64 * i & ((1 << 64) - 1) for i in range(MOST)]


def arctangent(inverse: int, bits: int) -> int:
    """``2^bits atan(1 / inverse)``."""
    return inverse_tangent(inverse, bits, -1)


def area_tangent(inverse: int, bits: int) -> int:
    """``2^bits atanh(1 / inverse)``."""
    return inverse_tangent(inverse, bits, 1)


def inverse_tangent(inverse: int, bits: int, sign: int) -> int:
    """The series of ``atanh(1 / inverse)`` for a sign of 1, of ``atan(1 / inverse)`` for -1."""
    guard = 16
    term, total, k = (1 << bits + guard) // inverse, 0, 0
    while term:
        total += term // (2 * k + 1) * sign**k
        term, k = term // inverse**2, k + 1
    return total >> guard

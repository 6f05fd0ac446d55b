"""Native functions before and after LAPACK's routines for eigenvalues, as LLVM text.

All arguments are addresses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.execution.custom_calls.lapack_routines import RESCALED

BIAS: Final = 1023  # of the exponents of double
MANTISSA_BITS: Final = 52  # of double
# finite(status, numbers, count, otherwise): 0 if all numbers are finite.
FINITE: Final = """
define void @finite_{letter}(ptr %status, ptr %numbers, ptr %count_at, ptr %otherwise_at) #0 {{
  %count = load i64, ptr %count_at
  %otherwise = load i32, ptr %otherwise_at
  %largest = call {type} @largest_{letter}(ptr %numbers, i64 %count)
  %finite = fcmp olt {type} %largest, 0x7FF0000000000000
  %outcome = select i1 %finite, i32 0, i32 %otherwise
  store i32 %outcome, ptr %status
  ret void
}}
"""
# largest(numbers, count): the largest magnitude, that of a NaN if there is one. Magnitudes have the
# order of their bits, whose largest ones are found in vectors.
# multiply(numbers, count, factor)
LOOPS: Final = """
define internal {type} @largest_{letter}(ptr %numbers, i64 %count) #0 {{
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %number ]
  %most = phi i{bits} [ 0, %entry ], [ %more, %number ]
  %is_number = icmp ult i64 %i, %count
  br i1 %is_number, label %number, label %end
number:
  %at = getelementptr i{bits}, ptr %numbers, i64 %i
  %value = load i{bits}, ptr %at
  %size = and i{bits} %value, {magnitude}
  %more = call i{bits} @llvm.umax.i{bits}(i{bits} %size, i{bits} %most)
  %i1 = add i64 %i, 1
  br label %next
end:
  %largest = bitcast i{bits} %most to {type}
  ret {type} %largest
}}

define void @multiply_{letter}(ptr %numbers, ptr %count_at, ptr %factor_at) #0 {{
entry:
  %count = load i64, ptr %count_at
  %factor = load {type}, ptr %factor_at
  %is_one = fcmp oeq {type} %factor, 1.0
  br i1 %is_one, label %done, label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %number ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %number, label %done
number:
  %at = getelementptr {type}, ptr %numbers, i64 %i
  %value = load {type}, ptr %at
  %product = fmul {type} %value, %factor
  store {type} %product, ptr %at
  %i1 = add i64 %i, 1
  br label %next
done:
  ret void
}}

declare i{bits} @llvm.umax.i{bits}(i{bits}, i{bits})
"""
# rescale(numbers, count, inverse): multiplies numbers by a power of two if the largest one is far
# from 1, as ``RESCALED`` has it; the inverse of the factor.
# rescale_triangle(matrix, n, is_upper, inverse): the same for a triangle of a matrix.
RESCALE: Final = """
define internal {type} @factor_{letter}({type} %largest) #0 {{
entry:
  %is_zero = fcmp oeq {type} %largest, 0.0
  %is_not_finite = fcmp ueq {type} %largest, 0x7FF0000000000000
  %is_special = or i1 %is_zero, %is_not_finite
  br i1 %is_special, label %usual, label %grow
usual:
  ret {type} 1.0
grow:
  %up = phi {type} [ 1.0, %entry ], [ %up1, %double ]
  %grown = fmul {type} %largest, %up
  %is_small = fcmp olt {type} %grown, {smallest}
  br i1 %is_small, label %double, label %shrink
double:
  %up1 = fmul {type} %up, {step}
  br label %grow
shrink:
  %factor = phi {type} [ %up, %grow ], [ %down, %halve ]
  %shrunk = fmul {type} %largest, %factor
  %is_large = fcmp ogt {type} %shrunk, {largest}
  br i1 %is_large, label %halve, label %scaled
halve:
  %down = fmul {type} %factor, {inverse_step}
  br label %shrink
scaled:
  ret {type} %factor
}}

define void @rescale_{letter}(ptr %numbers, ptr %count_at, ptr %inverse) #0 {{
  %factor_at = alloca {type}
  %count = load i64, ptr %count_at
  %largest = call {type} @largest_{letter}(ptr %numbers, i64 %count)
  %factor = call {type} @factor_{letter}({type} %largest)
  store {type} %factor, ptr %factor_at
  call void @multiply_{letter}(ptr %numbers, ptr %count_at, ptr %factor_at)
  %reciprocal = fdiv {type} 1.0, %factor
  store {type} %reciprocal, ptr %inverse
  ret void
}}

define void @rescale_triangle_{letter}(ptr %matrix, ptr %n_at, ptr %is_upper, ptr %inverse) #0 {{
entry:
  %factor_at = alloca {type}
  %count_at = alloca i64
  %n = load i64, ptr %n_at
  %upper = load i64, ptr %is_upper
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %row ]
  %most = phi {type} [ 0.0, %entry ], [ %more, %row ]
  %is_row = icmp ult i64 %i, %n
  br i1 %is_row, label %row, label %found
row:
  %at = call ptr @row_of_triangle(ptr %count_at, ptr %matrix, i64 %n, i64 %upper, i64 %i)
  %count = load i64, ptr %count_at
  %largest = call {type} @largest_{letter}(ptr %at, i64 %count)
  %is_larger = fcmp ugt {type} %largest, %most
  %more = select i1 %is_larger, {type} %largest, {type} %most
  %i1 = add i64 %i, 1
  br label %next
found:
  %factor = call {type} @factor_{letter}({type} %most)
  %reciprocal = fdiv {type} 1.0, %factor
  store {type} %factor, ptr %factor_at
  store {type} %reciprocal, ptr %inverse
  %is_one = fcmp oeq {type} %factor, 1.0
  br i1 %is_one, label %done, label %next_product
next_product:
  %k = phi i64 [ 0, %found ], [ %k1, %product ]
  %is_product = icmp ult i64 %k, %n
  br i1 %is_product, label %product, label %done
product:
  %to = call ptr @row_of_triangle(ptr %count_at, ptr %matrix, i64 %n, i64 %upper, i64 %k)
  call void @multiply_{letter}(ptr %to, ptr %count_at, ptr %factor_at)
  %k1 = add i64 %k, 1
  br label %next_product
done:
  ret void
}}

; Where the elements of a triangle begin in a row, and how many there are.
define internal ptr @row_of_triangle(ptr %count_at, ptr %matrix, i64 %n, i64 %upper, i64 %i) #0 {{
  %is_upper = icmp ne i64 %upper, 0
  %first = select i1 %is_upper, i64 %i, i64 0
  %after = add i64 %i, 1
  %end = select i1 %is_upper, i64 %n, i64 %after
  %count = sub i64 %end, %first
  store i64 %count, ptr %count_at
  %start = mul i64 %i, %n
  %place = add i64 %start, %first
  %at = getelementptr {type}, ptr %matrix, i64 %place
  ret ptr %at
}}
"""
# unit_vectors(packed, imaginary, n): the eigenvectors of a real matrix, in column-major order, get
# the length one, and those of complex eigenvalues a largest element that is real, as geev's.
UNIT_VECTORS: Final = """
define void @unit_vectors_{letter}(ptr %packed, ptr %imaginary, ptr %n_at) #0 {{
entry:
  %count_at = alloca i64
  %factor_at = alloca {type}
  %n = load i64, ptr %n_at
  br label %next_column
next_column:
  %j = phi i64 [ 0, %entry ], [ %j1, %end_column ]
  %is_column = icmp ult i64 %j, %n
  br i1 %is_column, label %column, label %done
column:
  %j1 = add i64 %j, 1
  %part_at = getelementptr {type}, ptr %imaginary, i64 %j
  %part = load {type}, ptr %part_at
  %is_first = fcmp ogt {type} %part, 0.0
  %is_second = fcmp olt {type} %part, 0.0
  %shift = zext i1 %is_first to i64
  %count = shl i64 %n, %shift
  %start = mul i64 %j, %n
  %real = getelementptr {type}, ptr %packed, i64 %start
  %other = getelementptr {type}, ptr %real, i64 %n
  br i1 %is_second, label %end_column, label %measure
measure:
  %largest = call {type} @largest_{letter}(ptr %real, i64 %count)
  %reciprocal = fdiv {type} 1.0, %largest
  br label %next_square
next_square:
  %k = phi i64 [ 0, %measure ], [ %k1, %square ]
  %total = phi {type} [ 0.0, %measure ], [ %sum, %square ]
  %is_square = icmp ult i64 %k, %count
  br i1 %is_square, label %square, label %normalize
square:
  %square_at = getelementptr {type}, ptr %real, i64 %k
  %number = load {type}, ptr %square_at
  %scaled = fmul {type} %number, %reciprocal
  store {type} %scaled, ptr %square_at
  %squared = fmul {type} %scaled, %scaled
  %sum = fadd reassoc {type} %total, %squared
  %k1 = add i64 %k, 1
  br label %next_square
normalize:
  %length = call {type} @llvm.sqrt.f{bits}({type} %total)
  %inverse = fdiv {type} 1.0, %length
  store i64 %count, ptr %count_at
  store {type} %inverse, ptr %factor_at
  call void @multiply_{letter}(ptr %real, ptr %count_at, ptr %factor_at)
  br i1 %is_first, label %next_candidate, label %end_column
next_candidate:
  %c = phi i64 [ 0, %normalize ], [ %c1, %candidate ]
  %best = phi i64 [ 0, %normalize ], [ %better, %candidate ]
  %most = phi {type} [ -1.0, %normalize ], [ %greater, %candidate ]
  %is_candidate = icmp ult i64 %c, %n
  br i1 %is_candidate, label %candidate, label %angle
candidate:
  %x_at = getelementptr {type}, ptr %real, i64 %c
  %y_at = getelementptr {type}, ptr %other, i64 %c
  %x = load {type}, ptr %x_at
  %y = load {type}, ptr %y_at
  %xx = fmul {type} %x, %x
  %yy = fmul {type} %y, %y
  %modulus = fadd {type} %xx, %yy
  %is_better = fcmp ogt {type} %modulus, %most
  %better = select i1 %is_better, i64 %c, i64 %best
  %greater = select i1 %is_better, {type} %modulus, {type} %most
  %c1 = add i64 %c, 1
  br label %next_candidate
angle:
  %f_at = getelementptr {type}, ptr %real, i64 %best
  %g_at = getelementptr {type}, ptr %other, i64 %best
  %f = load {type}, ptr %f_at
  %g = load {type}, ptr %g_at
  %root = call {type} @llvm.sqrt.f{bits}({type} %most)
  %absolute = call {type} @llvm.fabs.f{bits}({type} %f)
  %cosine = fdiv {type} %absolute, %root
  %signed = call {type} @llvm.copysign.f{bits}({type} %root, {type} %f)
  %sine = fdiv {type} %g, %signed
  br label %next_rotation
next_rotation:
  %r = phi i64 [ 0, %angle ], [ %r1, %rotation ]
  %is_rotation = icmp ult i64 %r, %n
  br i1 %is_rotation, label %rotation, label %rotated
rotation:
  %a_at = getelementptr {type}, ptr %real, i64 %r
  %b_at = getelementptr {type}, ptr %other, i64 %r
  %a = load {type}, ptr %a_at
  %b = load {type}, ptr %b_at
  %ca = fmul {type} %cosine, %a
  %sb = fmul {type} %sine, %b
  %cb = fmul {type} %cosine, %b
  %sa = fmul {type} %sine, %a
  %a1 = fadd {type} %ca, %sb
  %b1 = fsub {type} %cb, %sa
  store {type} %a1, ptr %a_at
  store {type} %b1, ptr %b_at
  %r1 = add i64 %r, 1
  br label %next_rotation
rotated:
  store {type} 0.0, ptr %g_at
  br label %end_column
end_column:
  br label %next_column
done:
  ret void
}}

declare {type} @llvm.fabs.f{bits}({type})
declare {type} @llvm.sqrt.f{bits}({type})
declare {type} @llvm.copysign.f{bits}({type}, {type})
"""
# Complex eigenvectors, in row-major order, from the form of geev: the real and imaginary part of a
# conjugate pair stand in two columns; the imaginary parts of eigenvalues tell which do.
PAIRS: Final = """
define void @pairs_{letter}(ptr %to, ptr %packed, ptr %imaginary, ptr %n_at) #0 {{
entry:
  %n = load i64, ptr %n_at
  br label %next_column
next_column:
  %j = phi i64 [ 0, %entry ], [ %j1, %end_column ]
  %is_column = icmp ult i64 %j, %n
  br i1 %is_column, label %column, label %done
column:
  %j1 = add i64 %j, 1
  %at = getelementptr {type}, ptr %imaginary, i64 %j
  %part = load {type}, ptr %at
  %is_first = fcmp ogt {type} %part, 0.0
  %is_second = fcmp olt {type} %part, 0.0
  %previous = sub i64 %j, 1
  %real_column = select i1 %is_second, i64 %previous, i64 %j
  %other_column = select i1 %is_first, i64 %j1, i64 %j
  %sign0 = select i1 %is_first, {type} 1.0, {type} 0.0
  %sign = select i1 %is_second, {type} -1.0, {type} %sign0
  %is_pair = or i1 %is_first, %is_second
  %real_start = mul i64 %real_column, %n
  %other_start = mul i64 %other_column, %n
  br label %next_row
next_row:
  %i = phi i64 [ 0, %column ], [ %i1, %row ]
  %is_row = icmp ult i64 %i, %n
  br i1 %is_row, label %row, label %end_column
row:
  %real_place = add i64 %real_start, %i
  %other_place = add i64 %other_start, %i
  %real_at = getelementptr {type}, ptr %packed, i64 %real_place
  %other_at = getelementptr {type}, ptr %packed, i64 %other_place
  %real = load {type}, ptr %real_at
  %other = load {type}, ptr %other_at
  %signed = fmul {type} %other, %sign
  %imaginary_part = select i1 %is_pair, {type} %signed, {type} 0.0
  %to_row = mul i64 %i, %n
  %to_place = add i64 %to_row, %j
  %double = shl i64 %to_place, 1
  %to_real = getelementptr {type}, ptr %to, i64 %double
  %to_imaginary = getelementptr {type}, ptr %to_real, i64 1
  store {type} %real, ptr %to_real
  store {type} %imaginary_part, ptr %to_imaginary
  %i1 = add i64 %i, 1
  br label %next_row
end_column:
  br label %next_column
done:
  ret void
}}
"""


def power_of_two(exponent: int) -> str:
    """A power of two as LLVM's text has it, for any type."""
    return f"0x{(exponent + BIAS) << MANTISSA_BITS:016X}"


FLOATS: Final = {"s": ("float", 32), "d": ("double", 64)}


def text_for(letter: str, text: str) -> str:
    """The LLVM text of functions for an element type."""
    (kind, bits), (limit, step) = FLOATS[letter], RESCALED[letter]
    return text.format(
        letter=letter,
        type=kind,
        bits=bits,
        magnitude=(1 << (bits - 1)) - 1,
        smallest=power_of_two(-limit),
        largest=power_of_two(limit),
        step=power_of_two(step),
        inverse_step=power_of_two(-step),
    )


# The names of functions that are compiled together, with their text.
FUNCTIONS: Final = (
    (("finite",), LOOPS + FINITE),
    (("pairs",), PAIRS),
    (("unit_vectors",), LOOPS + UNIT_VECTORS),
    (("rescale", "rescale_triangle", "multiply"), LOOPS + RESCALE),
)
GROUPS_FOR_EIGENVALUES: Final[Mapping[tuple[str, ...], str]] = {
    tuple([f"{name}_{letter}" for name in names]): text_for(letter, text)
    for names, text in FUNCTIONS
    for letter in FLOATS
}

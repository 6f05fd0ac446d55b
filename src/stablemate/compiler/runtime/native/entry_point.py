"""The native entry point: checks that arrays fit the program, and reads their addresses.

The layout of NumPy's array objects has not changed since its first version. ``can_read_arrays``
checks whether Python has another object layout; then arguments are checked in Python.

The row of an expected operand has eight words: the array type, the element type's descriptor, the
rank, the address of the sizes, a mask and the required flags under it, the address of a list of
words that hold the operand's address, and their number. If the highest bit of the last word is set,
nobody else may hold a reference to the array.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.runtime.native.foreign_layouts import (
    ARRAY_DESCRIPTOR,
    ARRAY_FLAGS,
    ARRAY_RANK,
    ARRAY_SIZES,
    OBJECT_BYTES,
    OBJECT_TYPE,
)

# The words of a row.
(
    ARRAY_TYPE,
    DESCRIPTOR,
    RANK,
    SIZES,
    FLAGS_MASK,
    FLAGS,
    ADDRESS_WORDS,
    LAST_WORD,
) = range(8)
ROW_WORDS: Final = 8
ROW_BIT: Final = (8 * ROW_WORDS).bit_length() - 1
ADDRESS_COUNT_BITS: Final = (1 << 32) - 1  # of the last word: the number of the list's words
EXCLUSIVE: Final = 1 << 62  # nobody else holds a reference to the array
# The words of the entrance.
(
    ARGUMENT_ROWS,
    ARGUMENT_COUNT,
    RESULT_ROWS,
    RESULT_COUNT,
    ITEMS_OFFSET,
    TABLE,
    STATE,
) = range(7)

# gather(operands, rows, count, items) -> the number of leading operands that fit. ``operands`` is a
# tuple whose items begin at byte ``items``; an object begins with a reference count and a type, 16
# bytes.
#
# enter(arguments, results, entrance) -> step: does the same for both, then runs the program from
# the first step. The entrance holds rows and count of the arguments, those of the results, the
# offset of the items of a tuple, the table and the state.
UNFIT, BUSY = -1, -2  # an argument does not fit, a result is in use
TEXT: Final = f"""
define i64 @gather(ptr %operands, ptr %rows, i64 %count, i64 %items) #0 {{
entry:
  %some = icmp ne i64 %count, 0
  br i1 %some, label %next, label %all
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %patched ]
  %item_offset = shl i64 %i, 3
  %item_at0 = getelementptr i8, ptr %operands, i64 %items
  %item_at = getelementptr i8, ptr %item_at0, i64 %item_offset
  %object = load ptr, ptr %item_at
  %row_offset = shl i64 %i, {ROW_BIT}
  %row = getelementptr i8, ptr %rows, i64 %row_offset
  %r1 = getelementptr i64, ptr %row, i64 {DESCRIPTOR}
  %r2 = getelementptr i64, ptr %row, i64 {RANK}
  %r3 = getelementptr i64, ptr %row, i64 {SIZES}
  %r4 = getelementptr i64, ptr %row, i64 {FLAGS_MASK}
  %r5 = getelementptr i64, ptr %row, i64 {FLAGS}
  %r6 = getelementptr i64, ptr %row, i64 {ADDRESS_WORDS}
  %r7 = getelementptr i64, ptr %row, i64 {LAST_WORD}
  %type_at = getelementptr i8, ptr %object, i64 {OBJECT_TYPE}
  %type = load i64, ptr %type_at
  %expected_type = load i64, ptr %row
  %same_type = icmp eq i64 %type, %expected_type
  br i1 %same_type, label %array, label %differs
array:
  %base = getelementptr i8, ptr %object, i64 {OBJECT_BYTES}
  %rank_at = getelementptr i8, ptr %base, i64 {ARRAY_RANK}
  %sizes_at = getelementptr i8, ptr %base, i64 {ARRAY_SIZES}
  %element_at = getelementptr i8, ptr %base, i64 {ARRAY_DESCRIPTOR}
  %flags_at = getelementptr i8, ptr %base, i64 {ARRAY_FLAGS}
  %rank = load i32, ptr %rank_at
  %wide_rank = zext i32 %rank to i64
  %sizes = load ptr, ptr %sizes_at
  %element = load i64, ptr %element_at
  %flags = load i32, ptr %flags_at
  %wide_flags = zext i32 %flags to i64
  %references = load i32, ptr %object
  %expected_element = load i64, ptr %r1
  %expected_rank = load i64, ptr %r2
  %expected_sizes = load ptr, ptr %r3
  %mask = load i64, ptr %r4
  %expected_flags = load i64, ptr %r5
  %patches = load ptr, ptr %r6
  %last = load i64, ptr %r7
  %patch_count = and i64 %last, {ADDRESS_COUNT_BITS}
  %alone = icmp ne i64 %patch_count, %last
  %shared = icmp ne i32 %references, 1
  %unfit = and i1 %alone, %shared
  %fit = xor i1 %unfit, true
  %same_element = icmp eq i64 %element, %expected_element
  %same_rank = icmp eq i64 %wide_rank, %expected_rank
  %masked = and i64 %wide_flags, %mask
  %same_flags = icmp eq i64 %masked, %expected_flags
  %c1 = and i1 %same_element, %same_rank
  %c2 = and i1 %same_flags, %fit
  %c = and i1 %c1, %c2
  br i1 %c, label %dimensions, label %differs
dimensions:
  %d = phi i64 [ 0, %array ], [ %d1, %equal ]
  %more = icmp ult i64 %d, %wide_rank
  br i1 %more, label %compare, label %pointers
compare:
  %size_at = getelementptr i64, ptr %sizes, i64 %d
  %expected_at = getelementptr i64, ptr %expected_sizes, i64 %d
  %size = load i64, ptr %size_at
  %expected_size = load i64, ptr %expected_at
  %same_size = icmp eq i64 %size, %expected_size
  br i1 %same_size, label %equal, label %differs
equal:
  %d1 = add i64 %d, 1
  br label %dimensions
pointers:
  %data = load i64, ptr %base
  br label %patch
patch:
  %p = phi i64 [ 0, %pointers ], [ %p1, %patching ]
  %unpatched = icmp ult i64 %p, %patch_count
  br i1 %unpatched, label %patching, label %patched
patching:
  %patch_at = getelementptr ptr, ptr %patches, i64 %p
  %word = load ptr, ptr %patch_at
  store i64 %data, ptr %word
  %p1 = add i64 %p, 1
  br label %patch
patched:
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %count
  br i1 %again, label %next, label %all
differs:
  ret i64 %i
all:
  ret i64 %count
}}

define i64 @enter(ptr %arguments, ptr %results, ptr %entrance) #0 {{
entry:
  %e1 = getelementptr i64, ptr %entrance, i64 {ARGUMENT_COUNT}
  %e2 = getelementptr i64, ptr %entrance, i64 {RESULT_ROWS}
  %e3 = getelementptr i64, ptr %entrance, i64 {RESULT_COUNT}
  %e4 = getelementptr i64, ptr %entrance, i64 {ITEMS_OFFSET}
  %e5 = getelementptr i64, ptr %entrance, i64 {TABLE}
  %e6 = getelementptr i64, ptr %entrance, i64 {STATE}
  %taken = load ptr, ptr %entrance
  %takes = load i64, ptr %e1
  %made = load ptr, ptr %e2
  %makes = load i64, ptr %e3
  %items = load i64, ptr %e4
  %table = load ptr, ptr %e5
  %state = load ptr, ptr %e6
  %fitting = call i64 @gather(ptr %arguments, ptr %taken, i64 %takes, i64 %items)
  %fit = icmp eq i64 %fitting, %takes
  br i1 %fit, label %second, label %unfit
second:
  %free = call i64 @gather(ptr %results, ptr %made, i64 %makes, i64 %items)
  %usable = icmp eq i64 %free, %makes
  br i1 %usable, label %run, label %busy
run:
  %step = call i64 @walk(ptr %table, i64 0, ptr %state)
  ret i64 %step
unfit:
  ret i64 {UNFIT}
busy:
  ret i64 {BUSY}
}}
"""

"""Kernels that move and combine bytes for collective operations, in LLVM IR.

``copy_pieces`` copies rows of bytes. A reduction kernel combines arrays of one type, one
after another, as ``reduce_in_order`` does, and writes the result to one or several arrays; it is
generated for a number of operands and results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.numerics.elements import DType

# The words of a piece: where to, from where, the bytes of a row, how many rows there are, and how
# far it is from one to the next.
TO, FROM, ROW_BYTES, ROWS, STRIDE, SOURCE_STRIDE = range(6)
PIECE_WORDS: Final = 8
PIECE_BIT: Final = (8 * PIECE_WORDS).bit_length() - 1
REDUCTION_BLOCK: Final = 1 << 16  # bytes that an iteration of a reduction reads of each array
VECTOR_BYTES: Final = 64  # bytes

TEXT: Final = f"""
; An iteration copies a piece, whose words are where to, from where, the bytes of a row, how many
; rows there are, and how far it is from one to the next.
define void @copy_pieces(ptr %pieces, i64 %begin, i64 %end) #0 {{
entry:
  br label %piece
piece:
  %i = phi i64 [ %begin, %entry ], [ %i1, %copied ]
  %offset = shl i64 %i, {PIECE_BIT}
  %at = getelementptr i8, ptr %pieces, i64 %offset
  %p1 = getelementptr i64, ptr %at, i64 {FROM}
  %p2 = getelementptr i64, ptr %at, i64 {ROW_BYTES}
  %p3 = getelementptr i64, ptr %at, i64 {ROWS}
  %p4 = getelementptr i64, ptr %at, i64 {STRIDE}
  %p5 = getelementptr i64, ptr %at, i64 {SOURCE_STRIDE}
  %to = load ptr, ptr %at
  %from = load ptr, ptr %p1
  %bytes = load i64, ptr %p2
  %rows = load i64, ptr %p3
  %step = load i64, ptr %p4
  %source_step = load i64, ptr %p5
  br label %row
row:
  %k = phi i64 [ 0, %piece ], [ %k1, %row ]
  %there = mul i64 %k, %step
  %here = mul i64 %k, %source_step
  %target = getelementptr i8, ptr %to, i64 %there
  %source = getelementptr i8, ptr %from, i64 %here
  call void @copy(ptr %target, ptr %source, i64 %bytes)
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %rows
  br i1 %again, label %row, label %copied
copied:
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %end
  br i1 %more, label %piece, label %done
done:
  ret void
}}
"""

INTEGERS: Final = {"add": "add", "multiply": "mul", "and": "and", "or": "or", "xor": "xor"}
FLOATS: Final = {"add": "fadd", "multiply": "fmul"}
COMPARISONS: Final = {"maximum": "gt", "minimum": "lt"}
FLOAT_TYPES: Final = {4: "float", 8: "double"}


def instructions(name: str, dtype: DType, vector: str) -> Callable[[str, str, str], str]:
    """The instructions that combine two vectors: a function of the names of the result and of both.

    Raises:
        KeyError: There are none.
    """
    if dtype.kind == "f":
        instruction = FLOATS[name]
    elif name in COMPARISONS:
        compare = f"icmp {'s' if dtype.kind == 'i' else 'u'}{COMPARISONS[name]}"
        lanes = f"{vector.split(' x ')[0]} x i1>" if vector.startswith("<") else "i1"
        return lambda to, a, b: (
            f"  {to}c = {compare} {vector} {a}, {b}\n"
            f"  {to} = select {lanes} {to}c, {vector} {a}, {vector} {b}"
        )
    else:
        instruction = INTEGERS[name]
    return lambda to, a, b: f"  {to} = {instruction} {vector} {a}, {b}"


def llvm_type(dtype: DType) -> str:
    """The LLVM type of an element type of C."""
    return FLOAT_TYPES[dtype.itemsize] if dtype.kind == "f" else f"i{8 * dtype.itemsize}"


def reduction_text(function: str, name: str, dtype: DType, count: int, places: int) -> str:
    """The LLVM text of a reduction kernel.

    Its arguments are the number of bytes, the addresses of the results, and those of the operands.

    Raises:
        KeyError: There are no instructions for this combination.
    """
    element = llvm_type(dtype)
    lanes = VECTOR_BYTES // dtype.itemsize
    addresses = "\n".join(
        f"  %at{i} = getelementptr i64, ptr %arguments, i64 {i + 1}\n  %p{i} = load ptr, ptr %at{i}"
        for i in range(places + count)
    )
    wide, narrow = f"<{lanes} x {element}>", element
    return f"""
define void @{function}(ptr %arguments, i64 %begin, i64 %end) #0 {{
entry:
  %bytes = load i64, ptr %arguments
{addresses}
  %first = mul i64 %begin, {REDUCTION_BLOCK}
  %full = mul i64 %end, {REDUCTION_BLOCK}
  %cut = icmp ult i64 %bytes, %full
  %last = select i1 %cut, i64 %bytes, i64 %full
  %size = sub i64 %last, %first
  %whole = and i64 %size, -{VECTOR_BYTES}
  %stop = add i64 %first, %whole
  %some = icmp ult i64 %first, %stop
  br i1 %some, label %wide, label %rest
wide:
  %i = phi i64 [ %first, %entry ], [ %i1, %wide ]
{reduction_body(name, dtype, wide, "%i", "w", count, places)}
  %i1 = add i64 %i, {VECTOR_BYTES}
  %more = icmp ult i64 %i1, %stop
  br i1 %more, label %wide, label %rest
rest:
  %left = icmp ult i64 %stop, %last
  br i1 %left, label %narrow, label %done
narrow:
  %j = phi i64 [ %stop, %rest ], [ %j1, %narrow ]
{reduction_body(name, dtype, narrow, "%j", "n", count, places)}
  %j1 = add i64 %j, {dtype.itemsize}
  %again = icmp ult i64 %j1, %last
  br i1 %again, label %narrow, label %done
done:
  ret void
}}
"""


def reduction_body(
    name: str,
    dtype: DType,
    vector: str,
    at: str,
    prefix: str,
    count: int,
    places: int,
) -> str:
    """The instructions for one vector of each array."""
    combine = instructions(name, dtype, vector)
    lines: list[str] = []
    result = ""
    for k in range(count):
        value = f"%{prefix}{k}"
        lines += [
            f"  {value}p = getelementptr i8, ptr %p{places + k}, i64 {at}",
            f"  {value} = load {vector}, ptr {value}p, align {dtype.itemsize}",
        ]
        if k:
            lines.append(combine(f"{value}c", result, value))
        result = f"{value}c" if k else value
    for k in range(places):
        lines += [
            f"  %{prefix}t{k} = getelementptr i8, ptr %p{k}, i64 {at}",
            f"  store {vector} {result}, ptr %{prefix}t{k}, align {dtype.itemsize}",
        ]
    return "\n".join(lines)

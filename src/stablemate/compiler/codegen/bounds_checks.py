"""Bounds checks: native code that verifies every address before it reads or writes.

A launch hands a checked kernel more than pointers: behind them stand the address of a report and
the extents of the buffers, in elements. What is outside, or not aligned as the code was promised,
is written into the report, and the access goes to spare memory behind it: the code goes on without
a fault until the native loop comes back to Python, which looks at the report first.
"""

from __future__ import annotations

from typing import Final

# The words of a report. The first is the address of the pointers that the launch handed in, which
# says which launch it was; 0 if all is well.
LAUNCHED, BUFFER, INDEX, COUNT, EXTENT, ADDRESS = range(6)
REPORT: Final = 8  # words
REPORT_FIELDS: Final = {
    "BUFFER": BUFFER, "INDEX": INDEX, "COUNT": COUNT, "EXTENT": EXTENT, "ADDRESS": ADDRESS,
    "REPORT": REPORT,
}  # fmt: skip
SPARE: Final = 512  # words behind it that may be read and written instead
MOST_BYTES: Final = 8 * SPARE  # of one access


def text_for(kernel: str, arguments: int) -> str:
    """The function of a kernel that returns the address of elements, or of spare memory.

    Args:
        kernel: The name of the kernel.
        arguments: How many buffers it is handed.
    """
    return TEXT.format(kernel=kernel, report=arguments, extents=arguments + 1, **REPORT_FIELDS)


# place(arguments, buffer, pointer, index, count, bytes, extent) -> pointer: where ``count``
# elements are. An extent that is negative is the one that the launch has handed in.
TEXT: Final = """
define internal ptr @{kernel}_place(ptr %arguments, i64 %buffer, ptr %pointer, i64 %index,
    i64 %count, i64 %bytes, i64 %known) #0 {{
entry:
  %extents = getelementptr i64, ptr %arguments, i64 {extents}
  %extent_at = getelementptr i64, ptr %extents, i64 %buffer
  %asks = icmp slt i64 %known, 0
  br i1 %asks, label %handed, label %check
handed:
  %stated = load i64, ptr %extent_at
  br label %check
check:
  %extent = phi i64 [ %stated, %handed ], [ %known, %entry ]
  %last = sub i64 %extent, %count
  %before = icmp slt i64 %index, 0
  %behind = icmp sgt i64 %index, %last
  %outside = or i1 %before, %behind
  %offset = mul i64 %index, %bytes
  %place = getelementptr i8, ptr %pointer, i64 %offset
  %address = ptrtoint ptr %place to i64
  %mask = sub i64 %bytes, 1
  %rest = and i64 %address, %mask
  %skewed = icmp ne i64 %rest, 0
  %wrong = or i1 %outside, %skewed
  br i1 %wrong, label %report, label %right
right:
  ret ptr %place
report:
  %report_at = getelementptr ptr, ptr %arguments, i64 {report}
  %report_ptr = load ptr, ptr %report_at
  %spare = getelementptr i64, ptr %report_ptr, i64 {REPORT}
  %launch = ptrtoint ptr %arguments to i64
  ; Of several threads the first one writes the report. Python reads it after the launch, which
  ; orders what its chunks wrote; who fails reads nothing, so that monotonic suffices for both, and
  ; seq_cst costs nothing where an error is reported.
  %pair = cmpxchg ptr %report_ptr, i64 0, i64 %launch seq_cst monotonic
  %first = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %first, label %write, label %instead
write:
  %buffer_at = getelementptr i64, ptr %report_ptr, i64 {BUFFER}
  %index_at = getelementptr i64, ptr %report_ptr, i64 {INDEX}
  %count_at = getelementptr i64, ptr %report_ptr, i64 {COUNT}
  %last_at = getelementptr i64, ptr %report_ptr, i64 {EXTENT}
  %address_at = getelementptr i64, ptr %report_ptr, i64 {ADDRESS}
  store i64 %buffer, ptr %buffer_at
  store i64 %index, ptr %index_at
  store i64 %count, ptr %count_at
  store i64 %extent, ptr %last_at
  store i64 %address, ptr %address_at
  br label %instead
instead:
  ret ptr %spare
}}
"""

"""A log of kernels, in LLVM IR: which thread ran which iterations of which kernel when.

A kernel is logged by a record of the step table that runs ``log_kernel`` in its place, with a block
of four words as its arguments: the function, its arguments, the log, and a number that the entries
have. The log begins with a few words, then come the entries, in the order in which kernels ended.
Entries that exceed the capacity are counted and not kept.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.runtime.native.foreign_layouts import (
    NANOSECONDS,
    SECOND,
    TIMESPEC_WORDS,
)
from stablemate.compiler.runtime.native.step_table import COPY_BYTES, COPY_SOURCE

# The words of a block.
LOGGED_FUNCTION, LOGGED_ARGUMENTS, LOG, NUMBER = range(4)
BLOCK_WORDS: Final = 4
# The words at the beginning of a log: how many entries there are or would be, how many there may
# be, clock_gettime and the clock that it reads, and pthread_self.
ENTRY_COUNT, CAPACITY, CLOCK_GETTIME, CLOCK, PTHREAD_SELF = range(5)
HEADER_WORDS: Final = 8
# The words of an entry: the number of the block, iterations, the thread, nanoseconds.
ENTRY_NUMBER, FIRST, END, THREAD, STARTED, STOPPED = range(6)
ENTRY_WORDS: Final = 6

TEXT: Final = f"""
define void @log_kernel(ptr %block, i64 %begin, i64 %end) #0 {{
entry:
  %time = alloca [{TIMESPEC_WORDS} x i64]
  %arguments_at = getelementptr i64, ptr %block, i64 {LOGGED_ARGUMENTS}
  %log_at = getelementptr i64, ptr %block, i64 {LOG}
  %number_at = getelementptr i64, ptr %block, i64 {NUMBER}
  %function = load ptr, ptr %block
  %arguments = load ptr, ptr %arguments_at
  %log = load ptr, ptr %log_at
  %number = load i64, ptr %number_at
  %started = call i64 @log_time(ptr %log, ptr %time)
  call void %function(ptr %arguments, i64 %begin, i64 %end)
  %stopped = call i64 @log_time(ptr %log, ptr %time)
  ; monotonic: the count gives each kernel an entry of its own, and publishes nothing. Who reads the
  ; entries has waited for the kernels.
  %place = atomicrmw add ptr %log, i64 1 monotonic
  %capacity_at = getelementptr i64, ptr %log, i64 {CAPACITY}
  %capacity = load i64, ptr %capacity_at
  %fits = icmp ult i64 %place, %capacity
  br i1 %fits, label %write, label %done
write:
  %self_at = getelementptr i64, ptr %log, i64 {PTHREAD_SELF}
  %self = load ptr, ptr %self_at
  %thread = call i64 %self()
  %offset = mul i64 %place, {ENTRY_WORDS}
  %word = add i64 %offset, {HEADER_WORDS}
  %e0 = getelementptr i64, ptr %log, i64 %word
  %e1 = getelementptr i64, ptr %e0, i64 {FIRST}
  %e2 = getelementptr i64, ptr %e0, i64 {END}
  %e3 = getelementptr i64, ptr %e0, i64 {THREAD}
  %e4 = getelementptr i64, ptr %e0, i64 {STARTED}
  %e5 = getelementptr i64, ptr %e0, i64 {STOPPED}
  store i64 %number, ptr %e0
  store i64 %begin, ptr %e1
  store i64 %end, ptr %e2
  store i64 %thread, ptr %e3
  store i64 %started, ptr %e4
  store i64 %stopped, ptr %e5
  br label %done
done:
  ret void
}}

; Nanoseconds; ``time`` has place for two words.
define internal i64 @log_time(ptr %log, ptr %time) #0 {{
  %clock_at = getelementptr i64, ptr %log, i64 {CLOCK}
  %function_at = getelementptr i64, ptr %log, i64 {CLOCK_GETTIME}
  %clock = load i32, ptr %clock_at
  %function = load ptr, ptr %function_at
  %got = call i32 %function(i32 %clock, ptr %time)
  %fraction_at = getelementptr i64, ptr %time, i64 {NANOSECONDS}
  %seconds = load i64, ptr %time
  %fraction = load i64, ptr %fraction_at
  %scaled = mul i64 %seconds, {SECOND}
  %total = add i64 %scaled, %fraction
  ret i64 %total
}}

; A kernel of one iteration that copies: its arguments are the words of the record of a copy after
; its kind, which calls and exchanges of buffers change.
define void @copy_step(ptr %operands, i64 %begin, i64 %end) #0 {{
  %from_at = getelementptr i64, ptr %operands, i64 {COPY_SOURCE}
  %bytes_at = getelementptr i64, ptr %operands, i64 {COPY_BYTES}
  %to = load ptr, ptr %operands
  %from = load ptr, ptr %from_at
  %bytes = load i64, ptr %bytes_at
  call void @copy(ptr %to, ptr %from, i64 %bytes)
  ret void
}}
"""

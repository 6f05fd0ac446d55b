"""The trace of a library, in LLVM IR: which thread ran which kernel when, written as JSON.

The environment variable ``STABLEMATE_TRACE`` names the file, or a folder, in which each library of
each process has a file of its own. It is read when the first instance is created; without it, the
step loop does nothing for traces. The file is written when the last instance is destroyed and when
the process ends; it appears with its whole content or not at all.

Source: Trace Event Format (Chrome): complete events, metadata events; times in microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from string import Template
from typing import Final

from stablemate.compiler.config.target import Target
from stablemate.compiler.runtime.native.foreign_layouts import (
    AT_FDCWD,
    FILE_TYPE_BITS,
    REGULAR_FILE,
    STATX_BYTES,
    STATX_MODE,
    STATX_TYPE,
)
from stablemate.compiler.runtime.native.kernel_log import (
    CAPACITY,
    CLOCK,
    CLOCK_GETTIME,
    END,
    ENTRY_WORDS,
    FIRST,
    HEADER_WORDS,
    LOG,
    LOGGED_ARGUMENTS,
    NUMBER,
    PTHREAD_SELF,
    STARTED,
    STOPPED,
    THREAD,
)
from stablemate.compiler.runtime.native.step_table import (
    ARGUMENTS,
    BODY_FUNCTION,
    COPY,
    FUNCTION,
    INSTEAD,
    ITERATION_COUNT,
    LAUNCH,
    OTHER_RECORD,
    PARALLEL_LAUNCH,
    RECORD_WORDS,
    REPEATED_LAUNCH,
)
from stablemate.compiler.runtime.native.thread_pool import WORKER_NUMBER
from stablemate.compiler.step_labels import StepLabel
from stablemate.deployment.interface import LibraryProgram
from stablemate.deployment.runtime.data_section import blob, image_offsets, text_bytes
from stablemate.deployment.runtime.library_layouts import (
    LOGGED_STEP_BYTES,
    TRACE_RECORDS,
    type_text,
)

VARIABLE: Final = "STABLEMATE_TRACE"
KEPT_ENTRIES: Final = 1 << 18  # of a log in memory, which holds the last so many launches
KINDS: Final = (LAUNCH, PARALLEL_LAUNCH, REPEATED_LAUNCH, COPY)
UNREAD, OFF, ON = range(3)  # states: the variable was not read; no trace; a trace
FIRST_WORKER: Final = 10_000_000  # numbers of threads of Linux are smaller

# Each has at most one part that is known at run time.
MESSAGES: Final = {
    "trace_variable": VARIABLE,
    "no_trace": f"cannot write the trace that {VARIABLE} names, %s: %m",
    "no_file": f"the trace that {VARIABLE} names, %s, is no regular file",
    "trace_name": f"the name of the trace that {VARIABLE} names is too long: %.200s",
    "trace_lost": "stablemate: cannot write the trace %s: %m\n",
    "trace_in_folder": "%s/$name.%d.json",
    "trace_draft": "%s.%d",
    "trace_mode": "w",
    "trace_head": (
        '{"displayTimeUnit":"ms","traceEvents":[\n{"ph":"M","pid":%d,"name":"process_name",'
        '"args":{"name":"$name"}}'
    ),
    "trace_event": (
        ',\n{"ph":"X","pid":%d,"tid":%lld,"ts":%lld.%03lld,"dur":%lld.%03lld,%s'
        '"iterations":"%lld to %lld"}}'
    ),
    "trace_worker": (
        ',\n{"ph":"M","pid":%d,"tid":%lld,"name":"thread_name","args":{"name":"worker %lld"}}'
    ),
    "trace_tail": ('],\n"otherData":{"producer":"stablemate","dropped_events":%lld}}\n'),
}

TRACE: Final = Template(
    f"""
@trace_state = internal global i64 {UNREAD}  ; 0: the variable was not read; 1: no trace; 2: a trace
@trace_log = internal global ptr null
@trace_owner = internal global i32 0
@trace_written = internal global i64 -1  ; the entries in the file
@trace_path = internal global [4096 x i8] zeroinitializer
@trace_draft = internal global [4160 x i8] zeroinitializer
@worker_number = internal thread_local global i64 0
@thread_number = internal thread_local global i64 0
@trace_end = internal global ptr @write_trace, section ".fini_array", align 8
@llvm.used = appending global [1 x ptr] [ptr @trace_end], section "llvm.metadata"
declare void @log_kernel(ptr, i64, i64)
declare void @copy_step(ptr, i64, i64)
declare ptr @getenv(ptr)
declare ptr @opendir(ptr)
declare i32 @closedir(ptr)
declare ptr @fopen(ptr, ptr)
declare i32 @fclose(ptr)
declare i32 @ferror(ptr)
declare i32 @fprintf(ptr, ptr, ...)
declare i32 @dprintf(i32, ptr, ...)
declare ptr @realpath(ptr, ptr)
declare i32 @statx(i32, ptr, i32, i32, ptr)
declare i32 @rename(ptr, ptr)
declare i32 @unlink(ptr)
declare ptr @calloc(i64, i64)
declare i32 @clock_gettime(i32, ptr)
declare i64 @syscall(i64, ...)

; The number of this thread: of a worker its own, of others that of the system.
define internal i64 @thread_of_trace() #0 {{
entry:
  %worker = load i64, ptr @worker_number
  %is_worker = icmp ne i64 %worker, 0
  br i1 %is_worker, label %own, label %other
own:
  %named = add i64 %worker, {FIRST_WORKER}
  ret i64 %named
other:
  %known = load i64, ptr @thread_number
  %unknown = icmp eq i64 %known, 0
  br i1 %unknown, label %ask, label %done
ask:
  %thread = call i64 (i64, ...) @syscall(i64 $gettid)
  store i64 %thread, ptr @thread_number
  ret i64 %thread
done:
  ret i64 %known
}}

; A worker, which knows its number.
define internal ptr @numbered_work(ptr %arguments) #0 {{
  %number_at = getelementptr i64, ptr %arguments, i64 {WORKER_NUMBER}
  %number = load i64, ptr %number_at
  store i64 %number, ptr @worker_number
  %result = call ptr @work(ptr %arguments)
  ret ptr %result
}}

; Reads the variable, and begins the trace that it asks for; 0 unless that fails.
define internal i32 @begin_trace() #0 {{
entry:
  %resolved = alloca [4096 x i8]  ; PATH_MAX
  %status = alloca [{STATX_BYTES} x i8], align 8  ; struct statx, which is the same on all machines
  %path = call ptr @getenv(ptr @text.trace_variable)
  %none = icmp eq ptr %path, null
  br i1 %none, label %off, label %some
some:
  %first = load i8, ptr %path
  %empty = icmp eq i8 %first, 0
  br i1 %empty, label %off, label %look
off:
  store i64 {OFF}, ptr @trace_state
  ret i32 0
look:
  %process = call i32 @getpid()
  %folder = call ptr @opendir(ptr %path)
  %is_file = icmp eq ptr %folder, null
  br i1 %is_file, label %file, label %in_folder
file:
  %length = call i32 (ptr, i64, ptr, ...) @snprintf(ptr @trace_path, i64 4096, ptr @text.string,
    ptr %path)
  br label %named
in_folder:
  %closed = call i32 @closedir(ptr %folder)
  %long = call i32 (ptr, i64, ptr, ...) @snprintf(ptr @trace_path, i64 4096,
    ptr @text.trace_in_folder, ptr %path, i32 %process)
  br label %named
named:
  %bytes = phi i32 [ %length, %file ], [ %long, %in_folder ]
  %is_long = icmp sge i32 %bytes, 4096
  br i1 %is_long, label %too_long, label %try
too_long:
  %e1 = call i32 @fail(ptr @text.trace_name, ptr %path)
  ret i32 %e1
try:
  ; A link stays a link; what is no regular file would be replaced by one.
  %target = call ptr @realpath(ptr @trace_path, ptr %resolved)
  %is_new = icmp eq ptr %target, null
  br i1 %is_new, label %draft, label %look_again
look_again:
  %copied = call i32 (ptr, i64, ptr, ...) @snprintf(ptr @trace_path, i64 4096, ptr @text.string,
    ptr %resolved)
  call void @llvm.memset.p0.i64(ptr %status, i8 0, i64 {STATX_BYTES}, i1 false)
  %asked = call i32 @statx(i32 {AT_FDCWD}, ptr @trace_path, i32 0, i32 {STATX_TYPE}, ptr %status)
  %mode_at = getelementptr i8, ptr %status, i64 {STATX_MODE}
  %mode = load i16, ptr %mode_at
  %type = and i16 %mode, {FILE_TYPE_BITS}
  %is_regular = icmp eq i16 %type, {REGULAR_FILE}
  br i1 %is_regular, label %draft, label %special
special:
  %e4 = call i32 @fail(ptr @text.no_file, ptr @trace_path)
  ret i32 %e4
draft:
  %drafted = call i32 (ptr, i64, ptr, ...) @snprintf(ptr @trace_draft, i64 4160,
    ptr @text.trace_draft, ptr @trace_path, i32 %process)
  %stream = call ptr @fopen(ptr @trace_draft, ptr @text.trace_mode)
  %closed_file = icmp eq ptr %stream, null
  br i1 %closed_file, label %unwritable, label %remove
unwritable:
  %e2 = call i32 @fail(ptr @text.no_trace, ptr @trace_path)
  ret i32 %e2
remove:
  %ended = call i32 @fclose(ptr %stream)
  %removed = call i32 @unlink(ptr @trace_draft)
  %log = call ptr @calloc(i64 {8 * (HEADER_WORDS + KEPT_ENTRIES * ENTRY_WORDS)}, i64 1)
  %missing = icmp eq ptr %log, null
  br i1 %missing, label %no_memory, label %fill
no_memory:
  %e3 = call i32 @fail(ptr @text.no_memory, ptr null)
  ret i32 %e3
fill:
  %capacity_at = getelementptr i64, ptr %log, i64 {CAPACITY}
  %function_at = getelementptr i64, ptr %log, i64 {CLOCK_GETTIME}
  %clock_at = getelementptr i64, ptr %log, i64 {CLOCK}
  %self_at = getelementptr i64, ptr %log, i64 {PTHREAD_SELF}
  store i64 {KEPT_ENTRIES}, ptr %capacity_at
  store ptr @clock_gettime, ptr %function_at
  store i64 1, ptr %clock_at  ; CLOCK_MONOTONIC
  store ptr @thread_of_trace, ptr %self_at
  store ptr %log, ptr @trace_log
  store i32 %process, ptr @trace_owner
  store i64 {ON}, ptr @trace_state
  ret i32 0
}}

; Lets an instance log its kernels if there is a trace; 0 unless it cannot be begun. The caller has
; the lock.
define internal i32 @trace_instance(ptr %instance, ptr %words) #0 {{
entry:
  %before = load i64, ptr @trace_state
  %unread = icmp eq i64 %before, {UNREAD}
  br i1 %unread, label %begin, label %check
begin:
  %failed = call i32 @begin_trace()
  %broken = icmp ne i32 %failed, 0
  br i1 %broken, label %fail, label %check
fail:
  ret i32 1
check:
  %state = load i64, ptr @trace_state
  %owner = load i32, ptr @trace_owner
  %process = call i32 @getpid()
  %is_on = icmp eq i64 %state, {ON}
  %is_own = icmp eq i32 %owner, %process  ; not the child of a fork
  %traces = and i1 %is_on, %is_own
  br i1 %traces, label %allocate, label %done
allocate:
  %memory = call ptr @aligned(i64 $$trace_bytes)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %no_memory, label %keep
no_memory:
  %e1 = call i32 @fail(ptr @text.no_memory, ptr null)
  ret i32 1
keep:
  %memory_at = getelementptr ptr, ptr %instance, i64 {TRACE_RECORDS}
  store ptr %memory, ptr %memory_at
  %log = load ptr, ptr @trace_log
  br label %next
next:
  %i = phi i64 [ 0, %keep ], [ %i1, %install ]
  %more = icmp ult i64 %i, $$traced
  br i1 %more, label %step, label %done
step:
  %row = getelementptr %traced, ptr @traced, i64 %i
  %kind_at = getelementptr i64, ptr %row, i64 $$traced_kind
  %offset = load i64, ptr %row
  %kind = load i64, ptr %kind_at
  %record = getelementptr i8, ptr %words, i64 %offset
  %other_offset = mul i64 %i, {LOGGED_STEP_BYTES}
  %other = getelementptr i8, ptr %memory, i64 %other_offset
  %block = getelementptr i8, ptr %other, i64 {8 * RECORD_WORDS}
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %record, i64 {8 * RECORD_WORDS}, i1 false)
  %block_arguments = getelementptr i64, ptr %block, i64 {LOGGED_ARGUMENTS}
  %block_log = getelementptr i64, ptr %block, i64 {LOG}
  %block_number = getelementptr i64, ptr %block, i64 {NUMBER}
  store ptr %log, ptr %block_log
  store i64 %i, ptr %block_number
  %is_copy = icmp eq i64 %kind, {COPY}
  br i1 %is_copy, label %copy, label %launch
copy:
  %operands = getelementptr i64, ptr %record, i64 {FUNCTION}
  %o1 = getelementptr i64, ptr %other, i64 {FUNCTION}
  %o2 = getelementptr i64, ptr %other, i64 {ARGUMENTS}
  %o3 = getelementptr i64, ptr %other, i64 {ITERATION_COUNT}
  store ptr @copy_step, ptr %block
  store ptr %operands, ptr %block_arguments
  store i64 {LAUNCH}, ptr %other
  store ptr @log_kernel, ptr %o1
  store ptr %block, ptr %o2
  store i64 1, ptr %o3
  br label %install
launch:
  %repeats = icmp eq i64 %kind, {REPEATED_LAUNCH}
  %word = select i1 %repeats, i64 {BODY_FUNCTION}, i64 {FUNCTION}
  %function_at = getelementptr i64, ptr %other, i64 %word
  %arguments_at = getelementptr i64, ptr %function_at, i64 {ARGUMENTS - FUNCTION}
  %function = load ptr, ptr %function_at
  %arguments = load ptr, ptr %arguments_at
  store ptr %function, ptr %block
  store ptr %arguments, ptr %block_arguments
  store ptr @log_kernel, ptr %function_at
  store ptr %block, ptr %arguments_at
  br label %install
install:
  %instead_at = getelementptr i64, ptr %record, i64 {OTHER_RECORD}
  store ptr %other, ptr %instead_at
  store i64 {INSTEAD}, ptr %record
  %i1 = add i64 %i, 1
  br label %next
done:
  ret i32 0
}}

; Writes the trace, if there is one with more entries than its file.
define internal void @write_trace() #0 {{
entry:
  %state = load i64, ptr @trace_state
  %owner = load i32, ptr @trace_owner
  %process = call i32 @getpid()
  %is_on = icmp eq i64 %state, {ON}
  %is_own = icmp eq i32 %owner, %process
  %traces = and i1 %is_on, %is_own
  br i1 %traces, label %compare, label %done
compare:
  %log = load ptr, ptr @trace_log
  ; acquire: entries are read after their number. They are complete, since the last instance has
  ; waited for its kernels; at the end of the process a kernel may still run, whose entry has no end
  ; yet and is skipped.
  %count = load atomic i64, ptr %log acquire, align 8
  %written = load i64, ptr @trace_written
  %same = icmp eq i64 %count, %written
  br i1 %same, label %done, label %open
open:
  %stream = call ptr @fopen(ptr @trace_draft, ptr @text.trace_mode)
  %none = icmp eq ptr %stream, null
  br i1 %none, label %lost, label %head
lost:
  %said = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @text.trace_lost, ptr @trace_path)
  ret void
head:
  %h = call i32 (ptr, ptr, ...) @fprintf(ptr %stream, ptr @text.trace_head, i32 %process)
  %kept = call i64 @llvm.umin.i64(i64 %count, i64 {KEPT_ENTRIES})
  %dropped = sub i64 %count, %kept
  %rows = getelementptr i64, ptr %log, i64 {HEADER_WORDS}
  br label %next
next:
  %i = phi i64 [ 0, %head ], [ %i1, %after ]
  %last = phi i64 [ 0, %head ], [ %last1, %after ]
  %more = icmp ult i64 %i, %kept
  br i1 %more, label %row, label %worker
row:
  %offset = mul i64 %i, {ENTRY_WORDS}
  %e0 = getelementptr i64, ptr %rows, i64 %offset
  %e1 = getelementptr i64, ptr %e0, i64 {FIRST}
  %e2 = getelementptr i64, ptr %e0, i64 {END}
  %e3 = getelementptr i64, ptr %e0, i64 {THREAD}
  %e4 = getelementptr i64, ptr %e0, i64 {STARTED}
  %e5 = getelementptr i64, ptr %e0, i64 {STOPPED}
  %number = load i64, ptr %e0
  %first = load i64, ptr %e1
  %end = load i64, ptr %e2
  %thread = load i64, ptr %e3
  %started = load i64, ptr %e4
  %stopped = load i64, ptr %e5
  %over = icmp ne i64 %stopped, 0
  br i1 %over, label %event, label %skip
skip:
  br label %after
event:
  %described = getelementptr %traced, ptr @traced, i64 %number
  %text_at = getelementptr i64, ptr %described, i64 $$traced_text
  %text = load ptr, ptr %text_at
  %taken = sub i64 %stopped, %started
  %start_us = udiv i64 %started, 1000
  %start_ns = urem i64 %started, 1000
  %taken_us = udiv i64 %taken, 1000
  %taken_ns = urem i64 %taken, 1000
  %p = call i32 (ptr, ptr, ...) @fprintf(ptr %stream, ptr @text.trace_event, i32 %process,
    i64 %thread, i64 %start_us, i64 %start_ns, i64 %taken_us, i64 %taken_ns, ptr %text, i64 %first,
    i64 %end)
  %worker_of_row = sub i64 %thread, {FIRST_WORKER}
  %is_worker = icmp sgt i64 %worker_of_row, 0
  %candidate = select i1 %is_worker, i64 %worker_of_row, i64 0
  %larger = call i64 @llvm.umax.i64(i64 %candidate, i64 %last)
  br label %after
after:
  %last1 = phi i64 [ %last, %skip ], [ %larger, %event ]
  %i1 = add i64 %i, 1
  br label %next
worker:
  %w = phi i64 [ 1, %next ], [ %w1, %name ]
  %named = icmp ule i64 %w, %last
  br i1 %named, label %name, label %tail
name:
  %worker_thread = add i64 %w, {FIRST_WORKER}
  %q = call i32 (ptr, ptr, ...) @fprintf(ptr %stream, ptr @text.trace_worker, i32 %process,
    i64 %worker_thread, i64 %w)
  %w1 = add i64 %w, 1
  br label %worker
tail:
  %t = call i32 (ptr, ptr, ...) @fprintf(ptr %stream, ptr @text.trace_tail, i64 %dropped)
  %error = call i32 @ferror(ptr %stream)
  %closed = call i32 @fclose(ptr %stream)
  %both = or i32 %error, %closed
  %broken = icmp ne i32 %both, 0
  br i1 %broken, label %discard, label %publish
discard:
  %said1 = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @text.trace_lost, ptr @trace_path)
  %gone = call i32 @unlink(ptr @trace_draft)
  ret void
publish:
  %renamed = call i32 @rename(ptr @trace_draft, ptr @trace_path)
  %refused = icmp ne i32 %renamed, 0
  br i1 %refused, label %discard, label %remember
remember:
  store i64 %count, ptr @trace_written
  br label %done
done:
  ret void
}}
""".replace("$$", "$")
)


def trace_text(
    programs: Sequence[LibraryProgram], numbers: dict[str, object], target: Target
) -> str:
    """The functions of the trace, and the table of the steps that it shows.

    Args:
        programs: The programs of the library.
        numbers: The facts from which texts are generated.
        target: The machine.
    """
    rows = list(traced_steps(programs))
    numbers = numbers | {
        "traced": len(rows),
        "trace_bytes": LOGGED_STEP_BYTES * max(len(rows), 1),
        "gettid": 178 if target.triple.startswith("aarch64") else 186,
    }
    texts = {name: Template(text).substitute(numbers) for name, text in MESSAGES.items()}
    items = [
        f"%traced {{ i64 {offset}, i64 {kind}, ptr @traced.{number} }}"
        for number, (offset, kind, _) in enumerate(rows)
    ] or ["%traced zeroinitializer"]
    return "\n".join([
        *(blob(f"text.{name}", text_bytes(text)) for name, text in texts.items()),
        blob("text.string", text_bytes("%s")),
        type_text("traced"),
        *(blob(f"traced.{n}", text_bytes(event_text(label))) for n, (*_, label) in enumerate(rows)),
        f"@traced = internal constant [{len(items)} x %traced] [{', '.join(items)}]",
        TRACE.substitute(numbers),
    ])  # fmt: skip


def traced_steps(programs: Sequence[LibraryProgram]) -> Iterator[tuple[int, int, StepLabel]]:
    """Launches and copies: where their records are among the images, their kinds, their labels."""
    for program, start in zip(programs, image_offsets(programs), strict=False):
        words = program.image.words[: RECORD_WORDS * program.image.steps]
        for step, kind in enumerate(words[::RECORD_WORDS].tolist()):
            if kind in KINDS:
                yield start + 8 * RECORD_WORDS * step, kind, program.labels[step]


def event_text(label: StepLabel) -> str:
    """The part of an event that does not depend on the run."""
    size = {} if label.bytes is None else {"bytes": label.bytes}
    fields = {"cat": label.track, "name": label.name, "args": {**size, "": ""}}
    return json.dumps(fields, separators=(",", ":"))[1:].removesuffix('"":""}}')

"""Execution in native code, for programs of one device without requests to Python."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.runtime.native.step_table import REASON, TIME_SLICE, TIME_SLICE_OVER
from stablemate.pjrt.native.records import (
    ARGUMENT_ROW,
    INLINE_BYTES,
    LAST_LOOK,
    POLL_TIMER_WORDS,
    RESULT_ROW,
    word,
)

TEXT: Final = f"""
; Writes a word to all places of a row.
define internal void @patch(ptr %places, i64 %count, i64 %value) #0 {{
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %place ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %place, label %end
place:
  %at = getelementptr ptr, ptr %places, i64 %i
  %target = load ptr, ptr %at
  store i64 %value, ptr %target
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}}

; Holds the arguments and writes where they are; how many could be held.
define internal i64 @take(ptr %executable, ptr %buffers) #0 {{
entry:
  %count = call i64 @get.executable.num_arguments(ptr %executable)
  %rows = call ptr @ptr.executable.arguments(ptr %executable)
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %held ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %argument, label %end
argument:
  %at = getelementptr ptr, ptr %buffers, i64 %i
  %buffer = load ptr, ptr %at
  %holds = call i1 @hold(ptr %buffer)
  br i1 %holds, label %held, label %end
held:
  %data = call i64 @get.buffer.data(ptr %buffer)
  %offset = mul i64 %i, {ARGUMENT_ROW}
  %row = getelementptr i64, ptr %rows, i64 %offset
  %places = call ptr @ptr.argument_row.places(ptr %row)
  %place_count = call i64 @get.argument_row.count(ptr %row)
  call void @patch(ptr %places, i64 %place_count, i64 %data)
  %i1 = add i64 %i, 1
  br label %next
end:
  ret i64 %i
}}

; Drops the holds of the first arguments.
define internal void @let_go(ptr %buffers, i64 %count) #0 {{
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %argument ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %argument, label %end
argument:
  %at = getelementptr ptr, ptr %buffers, i64 %i
  %buffer = load ptr, ptr %at
  call void @drop(ptr %buffer)
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}}

; Deletes the results of a run that was interrupted; the caller destroys them.
define internal void @delete_all(ptr %buffers, i64 %count) #0 {{
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %buffer ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %buffer, label %end
buffer:
  %at = getelementptr ptr, ptr %buffers, i64 %i
  %pointer = load ptr, ptr %at
  call void @delete(ptr %pointer)
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}}

; A buffer for a result; null if there is no memory. If it is to have the memory of an argument, it
; has no elements yet.
define internal ptr @new_result(ptr %row, ptr %device, ptr %memory, i1 %adopts) #0 {{
  %bytes = call i64 @get.result_row.bytes(ptr %row)
  %type = call i64 @get.result_row.type(ptr %row)
  %rank = call i64 @get.result_row.rank(ptr %row)
  %sizes = call ptr @ptr.result_row.sizes(ptr %row)
  %offset = call i64 @get.result_row.inline_offset(ptr %row)
  %inline = call i64 @get.result_row.inline_size(ptr %row)
  %layout = call ptr @ptr.result_row.layout(ptr %row)
  %block = call ptr @allocate(i64 %inline)
  %none = icmp eq ptr %block, null
  br i1 %none, label %fail, label %made
made:
  br i1 %adopts, label %later, label %here
here:
  %small = icmp ule i64 %bytes, {INLINE_BYTES}
  br i1 %small, label %inside, label %now
inside:
  %after = getelementptr i8, ptr %block, i64 %offset
  call void @fill(ptr %block, ptr %device, ptr %memory, i64 %type, i64 %rank, ptr %sizes,
    i64 %bytes, ptr %after)
  call void @put.buffer.layout(ptr %block, ptr %layout)
  ret ptr %block
later:
  call void @fill(ptr %block, ptr %device, ptr %memory, i64 %type, i64 %rank, ptr %sizes,
    i64 %bytes, ptr null)
  call void @put.buffer.layout(ptr %block, ptr %layout)
  ret ptr %block
now:
  %elements = call ptr @allocate(i64 %bytes)
  %missing = icmp eq ptr %elements, null
  br i1 %missing, label %undo, label %owned
owned:
  call void @fill(ptr %block, ptr %device, ptr %memory, i64 %type, i64 %rank, ptr %sizes,
    i64 %bytes, ptr %elements)
  call void @put.buffer.owned(ptr %block, ptr %elements)
  call void @put.buffer.layout(ptr %block, ptr %layout)
  ret ptr %block
undo:
  call void @free(ptr %block)
  ret ptr null
fail:
  ret ptr null
}}

; Allocates the results and writes where they are; false if there is no memory. Donated arguments
; are deleted if results get their memory.
define internal i1 @give(ptr %executable, ptr %arguments, ptr %options, ptr %buffers, ptr %device,
    ptr %memory) #0 {{
entry:
  %count = call i64 @get.executable.num_results(ptr %executable)
  %rows = call ptr @ptr.executable.results(ptr %executable)
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %made ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %result, label %all
result:
  %offset = mul i64 %i, {RESULT_ROW}
  %row = getelementptr i64, ptr %rows, i64 %offset
  %adopts = call i1 @can_adopt(ptr %row, ptr %arguments, ptr %options, ptr %memory)
  %buffer = call ptr @new_result(ptr %row, ptr %device, ptr %memory, i1 %adopts)
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %undo, label %made
made:
  %at = getelementptr ptr, ptr %buffers, i64 %i
  store ptr %buffer, ptr %at
  %i1 = add i64 %i, 1
  br label %next
undo:
  %left = phi i64 [ %i, %result ], [ %i, %all ], [ %before, %undone ]
  %over = icmp eq i64 %left, 0
  br i1 %over, label %fail, label %undone
undone:
  %before = sub i64 %left, 1
  %undone_at = getelementptr ptr, ptr %buffers, i64 %before
  %unused = load ptr, ptr %undone_at
  call void @destroy(ptr %unused)
  br label %undo
all:
  %placed = call i1 @place_results(ptr %executable, ptr %arguments, ptr %buffers)
  br i1 %placed, label %good, label %undo
good:
  ret i1 true
fail:
  ret i1 false
}}

; Runs the program to its end, or until a signal handler raises an exception. The result is whether
; it came to its end; otherwise the memory of the program is not as it was.
define internal i1 @run(ptr %executable, i1 %in_background) #0 {{
entry:
  %time = alloca [{POLL_TIMER_WORDS} x i64]
  %last_at = getelementptr i64, ptr %time, i64 {LAST_LOOK}
  store i64 0, ptr %last_at
  %environment = load ptr, ptr @environment
  %walk = call ptr @ptr.environment.walk(ptr %environment)
  %interrupted_at = getelementptr i64, ptr %environment,
    i64 {word("environment", "job_interrupted")}
  %number_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_state")}
  ; monotonic: the number of this program, which the thread in the background has seen before; a
  ; program that runs in its caller's thread does not use it.
  %number = load atomic i64, ptr %number_at monotonic, align 8
  %table = call ptr @ptr.executable.table(ptr %executable)
  %state = call ptr @ptr.executable.state(ptr %executable)
  %slice = call i64 @get.executable.slice(ptr %executable)
  %slice_at = getelementptr i64, ptr %state, i64 {TIME_SLICE}
  %reason_at = getelementptr i64, ptr %state, i64 {REASON}
  br label %walk_on
walk_on:
  %step = phi i64 [ 0, %entry ], [ %stopped, %look ], [ %stopped, %ask ], [ %stopped, %poll ]
  store i64 %slice, ptr %slice_at
  %stopped = call i64 %walk(ptr %table, i64 %step, ptr %state)
  %reason = load i64, ptr %reason_at
  %is_late = icmp eq i64 %reason, {TIME_SLICE_OVER}
  br i1 %is_late, label %late, label %end
late:
  br i1 %in_background, label %look, label %ask
look:
  ; monotonic: the number alone counts, and nothing else is read because of it.
  %interrupted = load atomic i64, ptr %interrupted_at monotonic, align 8
  %goes_on = icmp ne i64 %interrupted, %number
  br i1 %goes_on, label %walk_on, label %give_up
ask:
  %due = call i1 @is_poll_due(ptr %time)
  br i1 %due, label %poll, label %walk_on
poll:
  %raised = call i1 @poll()
  br i1 %raised, label %give_up, label %walk_on
give_up:
  %is_native_at = getelementptr i64, ptr %executable, i64 {word("executable", "is_native")}
  ; monotonic: a caller that reads the word meanwhile looks again once it has claimed the
  ; executable, which this run still has.
  store atomic i64 0, ptr %is_native_at monotonic, align 8
  call void @set.executable.is_stale(ptr %executable, i64 1)
  ret i1 false
end:
  ret i1 true
}}

define ptr @LoadedExecutable_Execute(ptr %a) #0 {{
entry:
  %environment = load ptr, ptr @environment
  %executable = call ptr @ptr.LoadedExecutable_Execute.executable(ptr %a)
  call void @settle()
  %is_native_at = getelementptr i64, ptr %executable, i64 {word("executable", "is_native")}
  ; monotonic: a guess, which is looked at again when the executable is claimed.
  %is_native = load atomic i64, ptr %is_native_at monotonic, align 8
  %native = icmp ne i64 %is_native, 0
  br i1 %native, label %claim, label %python
claim:
  %busy_at = getelementptr i64, ptr %executable, i64 {word("executable", "busy")}
  ; acquire: table, state and rows are seen as the last run left them, which ends with a release of
  ; the word. A failure reads nothing: Python runs the program with memory of its own.
  %exchange = cmpxchg ptr %busy_at, i64 0, i64 1 acquire monotonic
  %claimed = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %claimed, label %look, label %python
look:
  %is_native_still = call i64 @get.executable.is_native(ptr %executable)
  %still = icmp ne i64 %is_native_still, 0
  br i1 %still, label %begin, label %stale
stale:
  ; release, as everywhere; this thread has written nothing since it claimed the executable.
  store atomic i64 0, ptr %busy_at release, align 8
  br label %python
begin:
  %all_arguments = call ptr @ptr.LoadedExecutable_Execute.argument_lists(ptr %a)
  %arguments = load ptr, ptr %all_arguments
  %all_results = call ptr @ptr.LoadedExecutable_Execute.output_lists(ptr %a)
  %results = load ptr, ptr %all_results
  %wanted = call i64 @get.executable.num_arguments(ptr %executable)
  %taken = call i64 @take(ptr %executable, ptr %arguments)
  %all_taken = icmp eq i64 %taken, %wanted
  br i1 %all_taken, label %place, label %fail
place:
  %own_device = call ptr @ptr.executable.device(ptr %executable)
  %asked_device = call ptr @ptr.LoadedExecutable_Execute.execute_device(ptr %a)
  %asked = icmp ne ptr %asked_device, null
  %device = select i1 %asked, ptr %asked_device, ptr %own_device
  %memory = call ptr @ptr.device.memory(ptr %device)
  %options = call ptr @ptr.LoadedExecutable_Execute.options(ptr %a)
  %twice = call i1 @is_passed_twice(ptr %executable, ptr %options, ptr %arguments)
  br i1 %twice, label %fail, label %give
give:
  %given = call i1 @give(ptr %executable, ptr %arguments, ptr %options, ptr %results, ptr %device,
    ptr %memory)
  br i1 %given, label %go, label %fail
fail:
  call void @let_go(ptr %arguments, i64 %taken)
  ; release: the addresses that were written so far come before those of the next claim.
  store atomic i64 0, ptr %busy_at release, align 8
  br label %python
go:
  %events = call ptr @ptr.LoadedExecutable_Execute.device_complete_events(ptr %a)
  %tells = icmp ne ptr %events, null
  %long = call i1 @is_long(ptr %executable)
  br i1 %long, label %prepare, label %at_once
prepare:
  br i1 %tells, label %promise, label %background
promise:
  ; Before the launch: after it this thread alone lets the program begin, and may wait for nothing.
  %new = call ptr @new_event()
  %no_event = icmp eq ptr %new, null
  br i1 %no_event, label %at_once, label %background
background:
  %promised = phi ptr [ null, %prepare ], [ %new, %promise ]
  %launched = call i1 @launch(ptr %executable, ptr %arguments, ptr %results)
  br i1 %launched, label %leave, label %forget
forget:
  call void @free(ptr %promised)
  br label %at_once
leave:
  call void @donate(ptr %executable, ptr %options, ptr %arguments)
  br i1 %tells, label %tell_later, label %begin_background
tell_later:
  %pending = call ptr @await_end(ptr %promised)
  store ptr %pending, ptr %events
  br label %begin_background
begin_background:
  call void @begin_job()
  ret ptr null
at_once:
  %complete = call i1 @timed_run(ptr %executable, i1 false)
  ; release: the next claim sees all that this run has written to the memory of the program.
  store atomic i64 0, ptr %busy_at release, align 8
  call void @donate(ptr %executable, ptr %options, ptr %arguments)
  call void @let_go(ptr %arguments, i64 %taken)
  br i1 %complete, label %over, label %undo
undo:
  %result_count = call i64 @get.executable.num_results(ptr %executable)
  call void @delete_all(ptr %results, i64 %result_count)
  call void @raise_held()
  br label %over
over:
  br i1 %tells, label %tell, label %end
tell:
  %ready = call ptr @ptr.environment.ready(ptr %environment)
  store ptr %ready, ptr %events
  br label %end
end:
  ret ptr null
python:
  %result = call ptr @python.LoadedExecutable_Execute(ptr %a)
  ret ptr %result
}}
"""

"""Runs one program at a time in the background, on a thread that knows nothing of Python.

``job_state`` is 1 from the launch of a program to its end. ``job_waiters`` lists the events that
become ready then; it is CLOSED while no program runs. Whatever looks at elements waits first for
the end of the program.
"""

from __future__ import annotations

from typing import Final

from stablemate.pjrt.native.records import word

CLOSED: Final = 1
PAUSE_MICROSECONDS: Final = 20
LEAST_NANOSECONDS: Final = 1_000_000  # of the last run of a program that runs in the background
MONOTONIC: Final = 1  # CLOCK_MONOTONIC

TEXT: Final = f"""
; Waits until no program runs in the background.
define internal void @settle() #0 {{
entry:
  %environment = load ptr, ptr @environment
  %state_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_state")}
  br label %look
look:
  %state = load atomic i64, ptr %state_at acquire, align 8
  %idle = icmp eq i64 %state, 0
  br i1 %idle, label %end, label %wait
wait:
  %pause = call ptr @ptr.environment.usleep(ptr %environment)
  %slept = call i32 %pause(i32 {PAUSE_MICROSECONDS})
  br label %look
end:
  ret void
}}

define ptr @settle_background(ptr %a) #0 {{
  call void @settle()
  ret ptr null
}}

; An event that becomes ready when the program in the background ends.
define internal ptr @pending_event() #0 {{
entry:
  %environment = load ptr, ptr @environment
  %waiters_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_waiters")}
  %ready = call ptr @ptr.environment.ready(ptr %environment)
  %first = load atomic i64, ptr %waiters_at acquire, align 8
  %idle = icmp eq i64 %first, {CLOSED}
  br i1 %idle, label %over, label %create
create:
  %event = call ptr @new_event()
  %none = icmp eq ptr %event, null
  br i1 %none, label %wait, label %try
wait:
  call void @settle()
  br label %over
try:
  %head = load atomic i64, ptr %waiters_at acquire, align 8
  %closed = icmp eq i64 %head, {CLOSED}
  br i1 %closed, label %late, label %push
push:
  call void @set.event.next(ptr %event, i64 %head)
  %number = ptrtoint ptr %event to i64
  %exchange = cmpxchg ptr %waiters_at, i64 %head, i64 %number acq_rel acquire
  %pushed = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %pushed, label %given, label %try
late:
  call void @free(ptr %event)
  br label %over
given:
  ret ptr %event
over:
  ret ptr %ready
}}

; Runs a program, and notes how long that took unless it is short.
define internal void @timed_run(ptr %executable) #0 {{
  %times = alloca [4 x i64]
  %after_at = getelementptr i64, ptr %times, i64 2
  %short = call i64 @get.executable.is_short(ptr %executable)
  %is_short = icmp ne i64 %short, 0
  br i1 %is_short, label %plain, label %timed
plain:
  call void @run(ptr %executable)
  ret void
timed:
  %environment = load ptr, ptr @environment
  %clock = call ptr @ptr.environment.clock_gettime(ptr %environment)
  %got = call i32 %clock(i32 {MONOTONIC}, ptr %times)
  call void @run(ptr %executable)
  %got1 = call i32 %clock(i32 {MONOTONIC}, ptr %after_at)
  %fraction_at = getelementptr i64, ptr %times, i64 1
  %fraction1_at = getelementptr i64, ptr %times, i64 3
  %seconds = load i64, ptr %times
  %seconds1 = load i64, ptr %after_at
  %fraction = load i64, ptr %fraction_at
  %fraction1 = load i64, ptr %fraction1_at
  %whole = sub i64 %seconds1, %seconds
  %scaled = mul i64 %whole, 1000000000
  %rest = sub i64 %fraction1, %fraction
  %total = add i64 %scaled, %rest
  call void @set.executable.nanoseconds(ptr %executable, i64 %total)
  ret void
}}

; Whether a program runs in the background: its last run was long, and there is a thread for it.
define internal i1 @is_long(ptr %executable) #0 {{
  %environment = load ptr, ptr @environment
  %semaphore = call i64 @get.environment.semaphore(ptr %environment)
  %has_thread = icmp ne i64 %semaphore, 0
  %nanoseconds = call i64 @get.executable.nanoseconds(ptr %executable)
  %was_long = icmp uge i64 %nanoseconds, {LEAST_NANOSECONDS}
  %both = and i1 %has_thread, %was_long
  ret i1 %both
}}

; Copies the pointers to the arguments and the results, which are held, behind one another.
define internal void @note_buffers(ptr %block, ptr %arguments, i64 %count, ptr %results,
    i64 %result_count) #0 {{
entry:
  %bytes = shl i64 %count, 3
  call void @copy(ptr %block, ptr %arguments, i64 %bytes)
  %rest = getelementptr i64, ptr %block, i64 %count
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %result ]
  %more = icmp ult i64 %i, %result_count
  br i1 %more, label %result, label %end
result:
  %from = getelementptr ptr, ptr %results, i64 %i
  %to = getelementptr ptr, ptr %rest, i64 %i
  %buffer = load ptr, ptr %from
  %held = call i1 @hold(ptr %buffer)
  store ptr %buffer, ptr %to
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}}

; Makes a program that is ready to run the one in the background; false if there is no memory.
define internal i1 @launch(ptr %executable, ptr %arguments, ptr %results) #0 {{
entry:
  %environment = load ptr, ptr @environment
  %state_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_state")}
  %waiters_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_waiters")}
  %count = call i64 @get.executable.num_arguments(ptr %executable)
  %result_count = call i64 @get.executable.num_results(ptr %executable)
  %buffers = add i64 %count, %result_count
  %bytes = shl i64 %buffers, 3
  %block = call ptr @allocate(i64 %bytes)
  %none = icmp eq ptr %block, null
  br i1 %none, label %fail, label %claim
claim:
  call void @settle()
  %exchange = cmpxchg ptr %state_at, i64 0, i64 1 acq_rel acquire
  %claimed = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %claimed, label %fill, label %claim
fill:
  call void @note_buffers(ptr %block, ptr %arguments, i64 %count, ptr %results, i64 %result_count)
  call void @put.environment.job_executable(ptr %environment, ptr %executable)
  call void @put.environment.job_block(ptr %environment, ptr %block)
  store atomic i64 0, ptr %waiters_at release, align 8
  ret i1 true
fail:
  ret i1 false
}}

; Lets the thread begin with the program that was launched.
define internal void @begin_job() #0 {{
  %environment = load ptr, ptr @environment
  %semaphore = call ptr @ptr.environment.semaphore(ptr %environment)
  %post = call ptr @ptr.environment.sem_post(ptr %environment)
  %posted = call i32 %post(ptr %semaphore)
  ret void
}}

; Makes all events of a list ready.
define internal void @signal_all(i64 %first) #0 {{
entry:
  br label %next
next:
  %number = phi i64 [ %first, %entry ], [ %following, %event ]
  %more = icmp ne i64 %number, 0
  br i1 %more, label %event, label %end
event:
  %pointer = inttoptr i64 %number to ptr
  %following = call i64 @get.event.next(ptr %pointer)
  call void @signal(ptr %pointer)
  br label %next
end:
  ret void
}}

; The thread. Nobody waits for it any more when it calls back: callbacks may need Python's lock.
; It lets go of the results before, which have no callbacks, so that the next program may have their
; memory if they are donated to it.
define ptr @work_in_background(ptr %semaphore) #0 {{
entry:
  %environment = load ptr, ptr @environment
  %state_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_state")}
  %waiters_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_waiters")}
  %wait = call ptr @ptr.environment.sem_wait(ptr %environment)
  br label %next
next:
  %failed = call i32 %wait(ptr %semaphore)
  %woken = icmp eq i32 %failed, 0
  br i1 %woken, label %job, label %next
job:
  %executable = call ptr @ptr.environment.job_executable(ptr %environment)
  %block = call ptr @ptr.environment.job_block(ptr %environment)
  %count = call i64 @get.executable.num_arguments(ptr %executable)
  %result_count = call i64 @get.executable.num_results(ptr %executable)
  %busy_at = getelementptr i64, ptr %executable, i64 {word("executable", "busy")}
  call void @timed_run(ptr %executable)
  store atomic i64 0, ptr %busy_at release, align 8
  %results = getelementptr ptr, ptr %block, i64 %count
  call void @let_go(ptr %results, i64 %result_count)
  %first = atomicrmw xchg ptr %waiters_at, i64 {CLOSED} acq_rel
  store atomic i64 0, ptr %state_at release, align 8
  call void @signal_all(i64 %first)
  call void @let_go(ptr %block, i64 %count)
  call void @free(ptr %block)
  br label %next
}}
"""
NAMES: Final = ("settle_background", "work_in_background")

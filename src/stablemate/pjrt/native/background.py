"""Runs one program at a time in the background, on a thread that knows nothing of Python.

``job_state`` is the number of a program from its launch to its end, and 0 while none runs; numbers
grow and do not come again. ``job_interrupted`` is the number of the last program that was to end
early. ``job_waiters`` lists the events that become ready at the end; it is CLOSED while no program
runs. Whatever looks at elements waits first for the end of the program.

A job is idle, claimed (it has the state, and its fields are written), begun (the semaphore is
posted), running, or over (the state is 0 again; the thread calls back). Every wait ends, because

* between claim and begin the caller neither waits nor calls back nor allocates: its event exists
  before it claims, and the call holds the arguments that it deletes;
* a program that runs needs no Python, and waits for nothing;
* what the thread calls back for a job that is over may need Python's lock, and the next job may be
  claimed: nobody waits for a job while holding that lock;
* deleters of views may run finalizers of Python, which may wait for a job themselves: the thread
  leaves them to threads of their own.
"""

from __future__ import annotations

import time
from typing import Final

from stablemate.compiler.runtime.native.foreign_layouts import (
    NANOSECONDS,
    SECOND,
    TIMESPEC_WORDS,
)
from stablemate.compiler.runtime.native.step_table import POOL
from stablemate.compiler.runtime.native.thread_pool import RESTED, TICKET, UPPER_HALF
from stablemate.pjrt.native.records import LAST_LOOK, POLL_TIMER_WORDS, size, word

CLOSED: Final = 1
# Shorter pauses see the end of a program sooner, and take more of a core:
# ``python -m benchmarks.jax.calls`` measures calls.
PAUSE_MICROSECONDS: Final = 20
PATIENCE_NANOSECONDS: Final = 100_000  # before the thread sleeps; to wake it takes as long
GRACE_NANOSECONDS: Final = 5_000_000_000  # that a program runs on after Ctrl-C in a wait for it
LEAST_NANOSECONDS: Final = 1_000_000  # of the last run of a program that runs in the background
MONOTONIC: Final[int] = getattr(time, "CLOCK_MONOTONIC", 1)  # its number depends on the system

TEXT: Final = f"""
; Waits for the end of the program in the background. Programs that other threads launch meanwhile
; compute nothing that the caller knows. It looks again and again: on a busy machine a thread that
; sleeps until it is woken waits for time slices of others, as does the next program.
define internal void @settle() #0 {{
entry:
  %environment = load ptr, ptr @environment
  %state_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_state")}
  ; acquire: who reads 0 sees what the program wrote, whose end stores it with release.
  %state = load atomic i64, ptr %state_at acquire, align 8
  %idle = icmp eq i64 %state, 0
  br i1 %idle, label %end, label %wait
wait:
  call void @await_job(ptr %state_at, i64 %state)
  br label %end
end:
  ret void
}}

; Waits until the program of this number has ended. An exception of a signal handler is raised after
; the wait. The program may come to its end for a while, since its results may be all that its
; caller has; the second exception ends it at once, and no program that follows it.
; The caller may hold Python's lock, as that of ``unsafe_buffer_pointer`` does. Others have it
; meanwhile: the thread may call back for the program before, for which it needs the lock, and
; begins with this one afterwards.
define internal void @await_job(ptr %state_at, i64 %number) #0 {{
entry:
  %time = alloca [{POLL_TIMER_WORDS} x i64]
  %last_at = getelementptr i64, ptr %time, i64 {LAST_LOOK}
  store i64 0, ptr %last_at
  %environment = load ptr, ptr @environment
  %interrupted_at = getelementptr i64, ptr %environment,
    i64 {word("environment", "job_interrupted")}
  %pause = call ptr @ptr.environment.usleep(ptr %environment)
  %locked = call ptr @unlock_python(ptr %environment)
  br label %wait
wait:
  %deadline = phi i64 [ 0, %entry ], [ %deadline, %ask ], [ %next_deadline, %interrupt ],
    [ %next_deadline, %polled ]
  %slept = call i32 %pause(i32 {PAUSE_MICROSECONDS})
  ; acquire: who reads another number sees what the program wrote, whose end stores 0 with release
  ; before the next launch, which exchanges it.
  %state = load atomic i64, ptr %state_at acquire, align 8
  %ended = icmp ne i64 %state, %number
  br i1 %ended, label %end, label %ask
ask:
  %due = call i1 @is_poll_due(ptr %time)
  br i1 %due, label %poll, label %wait
poll:
  %raised = call i1 @poll()
  %now = load i64, ptr %last_at
  %has_raised = icmp ne i64 %deadline, 0
  %again = and i1 %raised, %has_raised
  %too_late = icmp uge i64 %now, %deadline
  %late = and i1 %has_raised, %too_late
  %ends = or i1 %again, %late
  %end_of_grace = add i64 %now, {GRACE_NANOSECONDS}
  %is_first = xor i1 %has_raised, true
  %begins = and i1 %raised, %is_first
  %next_deadline = select i1 %begins, i64 %end_of_grace, i64 %deadline
  br i1 %ends, label %interrupt, label %polled
interrupt:
  ; monotonic: the number alone counts, and nothing else is read because of it. The greatest one
  ; stays: the programs before have ended.
  %before = atomicrmw umax ptr %interrupted_at, i64 %number monotonic
  br label %wait
polled:
  br label %wait
end:
  %unlocked = icmp eq ptr %locked, null
  br i1 %unlocked, label %ended_well, label %lock
lock:
  %restore = call ptr @ptr.environment.restore_thread(ptr %environment)
  call void %restore(ptr %locked)
  br label %ended_well
ended_well:
  %interrupted = icmp ne i64 %deadline, 0
  br i1 %interrupted, label %raise, label %over
raise:
  call void @raise_held()
  br label %over
over:
  ret void
}}

; Lets go of Python's lock if this thread holds it. The result is what gets it back, or null.
define internal ptr @unlock_python(ptr %environment) #0 {{
entry:
  %is_initialized = call ptr @ptr.environment.is_initialized(ptr %environment)
  %initialized = call i32 %is_initialized()
  %has_ended = icmp eq i32 %initialized, 0
  br i1 %has_ended, label %no, label %look
look:
  %own_state = call ptr @ptr.environment.thread_state(ptr %environment)
  %current_state = call ptr @ptr.environment.current_state(ptr %environment)
  %own = call ptr %own_state()
  ; Before Python 3.12 that of the thread that holds the lock, whichever it is.
  %current = call ptr %current_state()
  %is_known = icmp ne ptr %own, null
  %same = icmp eq ptr %own, %current
  %holds = and i1 %is_known, %same
  br i1 %holds, label %yes, label %no
yes:
  %save = call ptr @ptr.environment.save_thread(ptr %environment)
  %saved = call ptr %save()
  ret ptr %saved
no:
  ret ptr null
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
  ; acquire: a closed list says that the program has ended, and that what it wrote is seen.
  %first = load atomic i64, ptr %waiters_at acquire, align 8
  %idle = icmp eq i64 %first, {CLOSED}
  br i1 %idle, label %over, label %create
create:
  %event = call ptr @new_event()
  %none = icmp eq ptr %event, null
  br i1 %none, label %wait, label %push
wait:
  call void @settle()
  br label %over
push:
  %pending = call ptr @await_end(ptr %event)
  ret ptr %pending
over:
  %ready = call ptr @ptr.environment.ready(ptr %environment)
  ret ptr %ready
}}

; Makes a new event one that becomes ready when the program in the background ends. The result is
; the event; if no program runs any more, it is freed, and the result is one that is ready.
define internal ptr @await_end(ptr %event) #0 {{
entry:
  %environment = load ptr, ptr @environment
  %waiters_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_waiters")}
  br label %try
try:
  ; acquire: a closed list says that the program has ended, and that what it wrote is seen.
  %head = load atomic i64, ptr %waiters_at acquire, align 8
  %closed = icmp eq i64 %head, {CLOSED}
  br i1 %closed, label %late, label %push
push:
  call void @set.event.next(ptr %event, i64 %head)
  %number = ptrtoint ptr %event to i64
  ; release: the thread that takes the list sees this event and its ``next``; events that others put
  ; before it keep the release sequence. A failure reads the list again.
  %exchange = cmpxchg ptr %waiters_at, i64 %head, i64 %number acq_rel acquire
  %pushed = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %pushed, label %given, label %try
given:
  ret ptr %event
late:
  call void @free(ptr %event)
  %ready = call ptr @ptr.environment.ready(ptr %environment)
  ret ptr %ready
}}

; Runs a program, and notes how long that took unless it is short. Whether it came to its end.
define internal i1 @timed_run(ptr %executable, i1 %in_background) #0 {{
  %times = alloca [{TIMESPEC_WORDS} x i64]
  %short = call i64 @get.executable.is_short(ptr %executable)
  %is_short = icmp ne i64 %short, 0
  br i1 %is_short, label %plain, label %timed
plain:
  %completed = call i1 @run(ptr %executable, i1 %in_background)
  ret i1 %completed
timed:
  %environment = load ptr, ptr @environment
  %clock = call ptr @ptr.environment.clock_gettime(ptr %environment)
  %begun = call i64 @nanoseconds_now(ptr %clock, ptr %times)
  %complete = call i1 @run(ptr %executable, i1 %in_background)
  %ended = call i64 @nanoseconds_now(ptr %clock, ptr %times)
  %total = sub i64 %ended, %begun
  call void @set.executable.nanoseconds(ptr %executable, i64 %total)
  ret i1 %complete
}}

; The time of a clock that never goes back. ``time`` has place for two words.
define internal i64 @nanoseconds_now(ptr %clock, ptr %time) #0 {{
  %got = call i32 %clock(i32 {MONOTONIC}, ptr %time)
  %fraction_at = getelementptr i64, ptr %time, i64 {NANOSECONDS}
  %seconds = load i64, ptr %time
  %fraction = load i64, ptr %fraction_at
  %scaled = mul i64 %seconds, {SECOND}
  %total = add i64 %scaled, %fraction
  ret i64 %total
}}

; Lets the threads of a program's pool sleep, so that those who wait for the program find idle
; processors.
define internal void @rest(ptr %executable) #0 {{
entry:
  %state = call ptr @ptr.executable.state(ptr %executable)
  %pool_at = getelementptr i64, ptr %state, i64 {POOL}
  %pool = load ptr, ptr %pool_at
  %none = icmp eq ptr %pool, null
  br i1 %none, label %end, label %store
store:
  %generation_at = getelementptr i8, ptr %pool, i64 {TICKET + UPPER_HALF}
  %rested_at = getelementptr i8, ptr %pool, i64 {RESTED}
  ; monotonic, both: a hint, of which a worker that misses it spins on and sleeps later.
  %generation = load atomic i32, ptr %generation_at monotonic, align 4
  store atomic i32 %generation, ptr %rested_at monotonic, align 4
  br label %end
end:
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
  br i1 %none, label %fail, label %number
number:
  %count_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_count")}
  ; monotonic: nothing is read because of it.
  %earlier = atomicrmw add ptr %count_at, i64 1 monotonic
  %job = add i64 %earlier, 1
  br label %claim
claim:
  call void @settle()
  ; acquire: the thread has done with the job before, whose fields are written next, and has closed
  ; its list. Of two callers one gets the job; the other one waits again.
  %exchange = cmpxchg ptr %state_at, i64 0, i64 %job acq_rel acquire
  %claimed = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %claimed, label %fill, label %claim
fill:
  call void @note_buffers(ptr %block, ptr %arguments, i64 %count, ptr %results, i64 %result_count)
  call void @put.environment.job_executable(ptr %environment, ptr %executable)
  call void @put.environment.job_block(ptr %environment, ptr %block)
  ; release: who finds the list open finds the fields of the job. The thread itself sees them by the
  ; semaphore, which it waits for.
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

; Calls the deleter of a view on a thread of its own if this is the thread of programs. Whether it
; does.
define internal i1 @delete_apart(ptr %deleter, ptr %data, ptr %argument) #0 {{
entry:
  %identity = alloca i64
  %environment = load ptr, ptr @environment
  %thread_ident = call ptr @ptr.environment.thread_ident(ptr %environment)
  %worker = call i64 @get.environment.worker(ptr %environment)
  %thread = call i64 %thread_ident()
  %is_worker = icmp eq i64 %thread, %worker
  br i1 %is_worker, label %note, label %no
note:
  %waiter = call ptr @allocate(i64 {size("waiter")})
  %none = icmp eq ptr %waiter, null
  br i1 %none, label %no, label %start
start:
  call void @put.waiter.callback(ptr %waiter, ptr %deleter)
  call void @put.waiter.argument(ptr %waiter, ptr %argument)
  call void @put.waiter.before(ptr %waiter, ptr %data)
  %create = call ptr @ptr.environment.pthread_create(ptr %environment)
  %attributes = call ptr @ptr.environment.detached(ptr %environment)
  %failed = call i32 %create(ptr %identity, ptr %attributes, ptr @call_deleter, ptr %waiter)
  %started = icmp eq i32 %failed, 0
  br i1 %started, label %yes, label %forget
forget:
  call void @free(ptr %waiter)
  br label %no
yes:
  ret i1 true
no:
  ret i1 false
}}

define internal ptr @call_deleter(ptr %waiter) #0 {{
  %deleter = call ptr @ptr.waiter.callback(ptr %waiter)
  %data = call ptr @ptr.waiter.before(ptr %waiter)
  %argument = call ptr @ptr.waiter.argument(ptr %waiter)
  call void @free(ptr %waiter)
  call void %deleter(ptr %data, ptr %argument)
  ret ptr null
}}

; The thread. After a program it looks for the next one for a while: loops call one after the other.
; Nobody waits for it any more when it calls back: callbacks may need Python's lock.
; It lets go of the results before, which have no callbacks, so that the next program may have their
; memory if they are donated to it.
define ptr @work_in_background(ptr %semaphore) #0 {{
entry:
  %environment = load ptr, ptr @environment
  %state_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_state")}
  %waiters_at = getelementptr i64, ptr %environment, i64 {word("environment", "job_waiters")}
  %wait = call ptr @ptr.environment.sem_wait(ptr %environment)
  %try_wait = call ptr @ptr.environment.sem_trywait(ptr %environment)
  %yield = call ptr @ptr.environment.sched_yield(ptr %environment)
  %clock = call ptr @ptr.environment.clock_gettime(ptr %environment)
  %time = alloca [{TIMESPEC_WORDS} x i64]
  %thread_ident = call ptr @ptr.environment.thread_ident(ptr %environment)
  %own = call i64 %thread_ident()
  call void @set.environment.worker(ptr %environment, i64 %own)
  br label %sleep
spin:
  %begun = phi i64 [ 0, %over ], [ %since, %patient ]
  %empty = call i32 %try_wait(ptr %semaphore)
  %posted = icmp eq i32 %empty, 0
  br i1 %posted, label %job, label %look
look:
  %yielded = call i32 %yield()
  %now = call i64 @nanoseconds_now(ptr %clock, ptr %time)
  %is_first = icmp eq i64 %begun, 0
  %since = select i1 %is_first, i64 %now, i64 %begun
  %waited = sub i64 %now, %since
  %is_patient = icmp ult i64 %waited, {PATIENCE_NANOSECONDS}
  br i1 %is_patient, label %patient, label %sleep
patient:
  br label %spin
sleep:
  %failed = call i32 %wait(ptr %semaphore)
  %woken = icmp eq i32 %failed, 0
  br i1 %woken, label %job, label %sleep
job:
  %executable = call ptr @ptr.environment.job_executable(ptr %environment)
  %block = call ptr @ptr.environment.job_block(ptr %environment)
  %count = call i64 @get.executable.num_arguments(ptr %executable)
  %result_count = call i64 @get.executable.num_results(ptr %executable)
  %busy_at = getelementptr i64, ptr %executable, i64 {word("executable", "busy")}
  %complete = call i1 @timed_run(ptr %executable, i1 true)
  call void @rest(ptr %executable)
  ; release: who claims the executable next, with acquire, sees its memory as this run left it.
  store atomic i64 0, ptr %busy_at release, align 8
  %results = getelementptr ptr, ptr %block, i64 %count
  br i1 %complete, label %publish, label %undo
undo:
  call void @delete_all(ptr %results, i64 %result_count)
  br label %publish
publish:
  call void @let_go(ptr %results, i64 %result_count)
  ; release: who finds the list closed sees what the program wrote. acquire: the events that were
  ; put in it are seen with their fields.
  %first = atomicrmw xchg ptr %waiters_at, i64 {CLOSED} acq_rel
  ; release: who reads 0 sees what the program wrote, and a closed list: the next launch opens it
  ; after that.
  store atomic i64 0, ptr %state_at release, align 8
  call void @signal_all(i64 %first)
  call void @let_go(ptr %block, i64 %count)
  call void @free(ptr %block)
  br label %over
over:
  br label %spin
}}
"""
NAMES: Final = ("settle_background", "work_in_background")

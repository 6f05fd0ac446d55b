"""The thread pool, in LLVM IR: one job at a time, split into chunks that free threads claim.

A job is a record of the step table. One word, the ticket, determines which chunks may be claimed:
generation (16 bits), threads (8), the end of those that are left (20), the first of them (20). A
thread claims a chunk by replacing the ticket with its successor (compare and exchange), so each
chunk is claimed once. The caller claims the first one like any worker, and never waits for a worker
that has claimed none; workers claim the last one. So the caller has the first part of the elements
of each launch, and two threads find in their caches what they have written. A caller that finds the
pool in use runs its chunks alone. When its time slice is over the caller claims all remaining
chunks without running them, and returns which they are.

Workers spin for a while before they sleep. A caller that expects no other job soon copies the upper
half of the ticket to the word ``RESTED``: workers that see it sleep at once.

Python owns the memory of the pool. Each word has a cache line of its own, so that a thread that
polls one word does not slow down a thread that writes another.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.runtime.native.step_table import (
    ARGUMENTS,
    CHUNK_COUNT,
    CHUNK_SIZE,
    DEADLINE,
    FUNCTION,
    ITERATION_COUNT,
    POOL,
    THREADS,
)

# Byte offsets of the words of the pool.
TICKET, FINISHED, SLEEPERS, JOB, TAKEN, STOPPED, WORKERS, RESTED = (64 * i for i in range(8))
POOL_BYTES: Final = 512
WORKER_POOL, WORKER_NUMBER = range(2)  # the words of a worker's argument
UPPER_HALF: Final = 4  # of the ticket: generation, threads, and the upper bits of the end

# The first bits of the fields of the ticket, after the first chunk that is left.
END_BIT, THREADS_BIT, GENERATION_BIT = 20, 40, 48
MAX_CHUNKS: Final = (1 << (THREADS_BIT - END_BIT)) - 1
MAX_THREADS: Final = (1 << (GENERATION_BIT - THREADS_BIT)) - 1

# Operations of the futex call on memory of one process (linux/futex.h).
FUTEX_WAIT_PRIVATE, FUTEX_WAKE_PRIVATE = 128, 129
ALL_SLEEPERS: Final = (1 << 31) - 1
PAUSES: Final = 400  # before a caller that waits for the last chunk yields its processor

TEXT: Final = f"""
define internal void @run_chunk(ptr %record, i64 %chunk) #0 {{
  %p1 = getelementptr i64, ptr %record, i64 {FUNCTION}
  %p2 = getelementptr i64, ptr %record, i64 {ARGUMENTS}
  %p3 = getelementptr i64, ptr %record, i64 {ITERATION_COUNT}
  %p4 = getelementptr i64, ptr %record, i64 {CHUNK_SIZE}
  %function = load ptr, ptr %p1
  %arguments = load ptr, ptr %p2
  %iterations = load i64, ptr %p3
  %size = load i64, ptr %p4
  %begin = mul i64 %chunk, %size
  %full = add i64 %begin, %size
  %cut = icmp ult i64 %iterations, %full
  %end = select i1 %cut, i64 %iterations, i64 %full
  call void %function(ptr %arguments, i64 %begin, i64 %end)
  ret void
}}

; Runs chunks; returns those that are left, 0 if there are none. Such a range has the first chunk in
; the lower bits and the end above; 0 are all chunks of the record.
define internal i64 @launch(ptr %record, ptr %state, i64 %range) #0 {{
entry:
  %limit_at = getelementptr i64, ptr %state, i64 {DEADLINE}
  %threads_at = getelementptr i64, ptr %state, i64 {THREADS}
  %pool_at = getelementptr i64, ptr %state, i64 {POOL}
  %limit = load i64, ptr %limit_at
  %chunks_at = getelementptr i64, ptr %record, i64 {CHUNK_COUNT}
  %threads = load i64, ptr %threads_at
  %pool = load ptr, ptr %pool_at
  %chunks = load i64, ptr %chunks_at
  %first = and i64 %range, {MAX_CHUNKS}
  %given = lshr i64 %range, {END_BIT}
  %whole = icmp eq i64 %range, 0
  %end = select i1 %whole, i64 %chunks, i64 %given
  %left = sub i64 %end, %first
  %several = icmp ugt i64 %left, 1
  %helped = icmp ugt i64 %threads, 1
  %both = and i1 %several, %helped
  br i1 %both, label %ask, label %alone
ask:
  %taken_at = getelementptr i8, ptr %pool, i64 {TAKEN}
  ; acquire: what the last owner of the pool wrote is seen before this one writes. A failure
  ; reads nothing else.
  %got = cmpxchg ptr %taken_at, i32 0, i32 1 acquire monotonic
  %ours = extractvalue {{ i32, i1 }} %got, 1
  br i1 %ours, label %together, label %alone
together:
  %rest = call i64 @share(ptr %pool, ptr %record, i64 %first, i64 %end, i64 %threads, i64 %limit)
  ; release: the next owner, who takes the word with acquire, sees all that this one wrote.
  store atomic i32 0, ptr %taken_at release, align 4
  ret i64 %rest
alone:
  %i = phi i64 [ %first, %entry ], [ %first, %ask ], [ %i1, %onward ]
  call void @run_chunk(ptr %record, i64 %i)
  %i1 = add i64 %i, 1
  %all = icmp uge i64 %i1, %end
  br i1 %all, label %done, label %onward
onward:
  %late = call i1 @late(i64 %limit)
  br i1 %late, label %stop, label %alone
stop:
  %high = shl i64 %end, {END_BIT}
  %unfinished = or i64 %high, %i1
  ret i64 %unfinished
done:
  ret i64 0
}}

define internal i64 @share(ptr %pool, ptr %record, i64 %first, i64 %end, i64 %threads,
    i64 %limit) #0 {{
entry:
  %finished_at = getelementptr i8, ptr %pool, i64 {FINISHED}
  %sleepers_at = getelementptr i8, ptr %pool, i64 {SLEEPERS}
  %job_at = getelementptr i8, ptr %pool, i64 {JOB}
  ; Plain and monotonic: the exchange of the ticket publishes both. No worker reads the job of the
  ; last ticket any more, since its owner has waited for all chunks that were claimed.
  store ptr %record, ptr %job_at
  store atomic i64 0, ptr %finished_at monotonic, align 8
  %old = load atomic i64, ptr %pool monotonic, align 8
  %generation = lshr i64 %old, {GENERATION_BIT}
  %generation1 = add i64 %generation, 1
  %t1 = shl i64 %generation1, {GENERATION_BIT}
  %t2 = shl i64 %threads, {THREADS_BIT}
  %t3 = shl i64 %end, {END_BIT}
  %t12 = or i64 %t1, %t2
  %t123 = or i64 %t12, %t3
  %ticket = or i64 %t123, %first
  ; seq_cst, here and where a worker counts itself among the sleepers: either this thread sees the
  ; sleeper and wakes it, or the sleeper's futex call sees the new ticket and returns at once.
  %before = atomicrmw xchg ptr %pool, i64 %ticket seq_cst
  %sleepers = load atomic i32, ptr %sleepers_at seq_cst, align 4
  %some = icmp ne i32 %sleepers, 0
  br i1 %some, label %wake, label %drain
wake:
  call void @wake(ptr %pool, i64 {ALL_SLEEPERS})
  br label %drain
drain:
  %late = call i1 @late(i64 %limit)
  br i1 %late, label %close, label %claim
claim:
  %chunk = call i64 @claim(ptr %pool, i64 0)
  %none = icmp slt i64 %chunk, 0
  br i1 %none, label %wait, label %run
run:
  call void @run_chunk(ptr %record, i64 %chunk)
  ; release, as in ``work``: chunks of this thread and of workers are counted in one word, and each
  ; addition keeps the release sequence of those before.
  %d = atomicrmw add ptr %finished_at, i64 1 release
  br label %drain
close:
  ; acquire and acq_rel as in ``claim``: closing takes all chunks that are left. A failure reads the
  ; ticket again.
  %open = load atomic i64, ptr %pool acquire, align 8
  %next = and i64 %open, {MAX_CHUNKS}
  %open_high = lshr i64 %open, {END_BIT}
  %last = and i64 %open_high, {MAX_CHUNKS}
  %rest = sub i64 %last, %next
  %closed = add i64 %open, %rest
  %done = icmp sle i64 %rest, 0
  br i1 %done, label %wait, label %exchange
exchange:
  %pair = cmpxchg ptr %pool, i64 %open, i64 %closed acq_rel monotonic
  %won = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %won, label %leave, label %close
leave:
  %last_high = shl i64 %last, {END_BIT}
  %range = or i64 %last_high, %next
  br label %wait
wait:
  %unfinished = phi i64 [ 0, %claim ], [ 0, %close ], [ %range, %leave ]
  %left = phi i64 [ 0, %claim ], [ 0, %close ], [ %rest, %leave ]
  %all = sub i64 %end, %first
  %count = sub i64 %all, %left
  br label %look
look:
  %k = phi i64 [ 0, %wait ], [ %k1, %pause ], [ 0, %yield ]
  ; acquire: what the chunks wrote is seen. Each adds to this word after its writes, with release.
  %finished = load atomic i64, ptr %finished_at acquire, align 8
  %complete = icmp uge i64 %finished, %count
  br i1 %complete, label %end_of_job, label %pause
pause:
  call void @pause()
  %k1 = add i64 %k, 1
  %patient = icmp ult i64 %k1, {PAUSES}
  br i1 %patient, label %look, label %yield
yield:
  call void @yield()
  br label %look
end_of_job:
  ret i64 %unfinished
}}

; Takes a chunk, the caller the first one, a worker the last one; -1 if there is none for this
; thread.
define internal i64 @claim(ptr %pool, i64 %thread) #0 {{
entry:
  %is_caller = icmp eq i64 %thread, 0
  %change = select i1 %is_caller, i64 1, i64 {-1 << END_BIT}
  br label %look
look:
  ; acquire: the job, and all that was written before the launch, is seen. Claims keep the ticket's
  ; release sequence, so a later claim sees it, too.
  %ticket = load atomic i64, ptr %pool acquire, align 8
  %next = and i64 %ticket, {MAX_CHUNKS}
  %t20 = lshr i64 %ticket, {END_BIT}
  %end = and i64 %t20, {MAX_CHUNKS}
  %t40 = lshr i64 %ticket, {THREADS_BIT}
  %threads = and i64 %t40, {MAX_THREADS}
  %free = icmp ult i64 %next, %end
  %invited = icmp ult i64 %thread, %threads
  %both = and i1 %free, %invited
  br i1 %both, label %take, label %none
take:
  %ticket1 = add i64 %ticket, %change
  ; The ticket has a generation: one of an earlier job is never replaced. acq_rel: what the chunk
  ; reads and writes comes after the claim; a failure is monotonic, as it reads the ticket again.
  %pair = cmpxchg ptr %pool, i64 %ticket, i64 %ticket1 acq_rel monotonic
  %won = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %won, label %got, label %look
got:
  %last = sub i64 %end, 1
  %chunk = select i1 %is_caller, i64 %next, i64 %last
  ret i64 %chunk
none:
  ret i64 -1
}}

; What a worker runs: its argument holds the pool, and its number.
define ptr @work(ptr %arguments) #0 {{
entry:
  %settings = call i64 @round_plainly()
  %number_at = getelementptr i64, ptr %arguments, i64 {WORKER_NUMBER}
  %pool = load ptr, ptr %arguments
  %number = load i64, ptr %number_at
  %high = getelementptr i8, ptr %pool, i64 {UPPER_HALF}
  %finished_at = getelementptr i8, ptr %pool, i64 {FINISHED}
  %sleepers_at = getelementptr i8, ptr %pool, i64 {SLEEPERS}
  %job_at = getelementptr i8, ptr %pool, i64 {JOB}
  %stopped_at = getelementptr i8, ptr %pool, i64 {STOPPED}
  %rested_at = getelementptr i8, ptr %pool, i64 {RESTED}
  br label %wait
wait:
  %last = phi i32 [ 0, %entry ], [ %generation, %drain ]
  %patience = call i64 @patience()
  br label %since
since:
  %begun = call i64 @ticks()
  br label %spin
spin:
  ; acquire: the end sees all that was written before ``stop``.
  %stopped = load atomic i32, ptr %stopped_at acquire, align 4
  %stop = icmp ne i32 %stopped, 0
  br i1 %stop, label %end, label %look
look:
  ; The upper half alone says that there is a new job. acquire: ``claim`` reads the whole ticket
  ; after it, again with acquire, and so sees the job.
  %seen = load atomic i32, ptr %high acquire, align 4
  %generation = lshr i32 %seen, {GENERATION_BIT - 32}
  %new = icmp ne i32 %generation, %last
  br i1 %new, label %drain, label %pause
pause:
  ; monotonic: a hint. Who misses it spins on and sleeps later.
  %rested = load atomic i32, ptr %rested_at monotonic, align 4
  %rest = icmp eq i32 %rested, %seen
  br i1 %rest, label %sleep, label %spin_on
spin_on:
  call void @pause()
  %now = call i64 @ticks()
  %waited = sub i64 %now, %begun
  %patient = icmp ult i64 %waited, %patience
  br i1 %patient, label %spin, label %sleep
sleep:
  ; seq_cst: see ``share``. The futex call sleeps only if the word is still the one that was seen.
  ; That a sleeper has woken may be seen late: then it is woken in vain.
  %up = atomicrmw add ptr %sleepers_at, i32 1 seq_cst
  call void @sleep(ptr %pool, i32 %seen)
  %down = atomicrmw sub ptr %sleepers_at, i32 1 seq_cst
  br label %since
drain:
  %chunk = call i64 @claim(ptr %pool, i64 %number)
  %none = icmp slt i64 %chunk, 0
  br i1 %none, label %wait, label %run
run:
  %record = load ptr, ptr %job_at
  call void @run_chunk(ptr %record, i64 %chunk)
  ; release: the owner sees what the chunk wrote, once it has counted all.
  %d = atomicrmw add ptr %finished_at, i64 1 release
  br label %drain
end:
  ret ptr null
}}

; Tells all workers to end.
define void @stop(ptr %pool) #0 {{
  %stopped_at = getelementptr i8, ptr %pool, i64 {STOPPED}
  ; seq_cst, for both words: who sees the new generation, with acquire, sees this word, too. The
  ; futex call of a worker that has not seen it returns at once, or is ended by the call below.
  store atomic i32 1, ptr %stopped_at seq_cst, align 4
  %old = atomicrmw add ptr %pool, i64 {1 << GENERATION_BIT} seq_cst
  call void @wake(ptr %pool, i64 {ALL_SLEEPERS})
  ret void
}}

define internal void @sleep(ptr %pool, i32 %seen) #0 {{
  %high = getelementptr i8, ptr %pool, i64 {UPPER_HALF}
  %wide = zext i32 %seen to i64
  call void @futex(ptr %high, i64 {FUTEX_WAIT_PRIVATE}, i64 %wide)
  ret void
}}

define internal void @wake(ptr %pool, i64 %count) #0 {{
  %high = getelementptr i8, ptr %pool, i64 {UPPER_HALF}
  call void @futex(ptr %high, i64 {FUTEX_WAKE_PRIVATE}, i64 %count)
  ret void
}}
"""

# Functions that depend on the processor and the system: the clock, a pause, yielding, the futex
# call. Also how long a worker spins for the next job before it sleeps: about half a millisecond.
# Waking it takes a tenth of that, as long as a small launch; between launches programs have serial
# sections, and grids have requests to Python.
X86: Final = """
declare i64 @llvm.readcyclecounter()
define internal i64 @ticks() #0 {
  %t = call i64 @llvm.readcyclecounter()
  ret i64 %t
}
define internal i64 @patience() #0 {
  ret i64 1048576
}
define internal void @pause() #0 {
  call void asm sideeffect "pause", "~{memory}"()
  ret void
}
"""
# Intrinsics and not assembly, which llvmlite assembles for its own processor only.
ARM: Final = """
define internal i64 @ticks() #0 {
  %t = call i64 @llvm.read_volatile_register.i64(metadata !0)
  ret i64 %t
}
define internal i64 @patience() #0 {
  %t = call i64 @llvm.read_register.i64(metadata !1)
  %p = udiv i64 %t, 2000
  ret i64 %p
}
define internal void @pause() #0 {
  call void @llvm.aarch64.isb(i32 15)
  ret void
}
declare i64 @llvm.read_volatile_register.i64(metadata)
declare i64 @llvm.read_register.i64(metadata)
declare void @llvm.aarch64.isb(i32)
!0 = !{!"cntvct_el0"}
!1 = !{!"cntfrq_el0"}
"""
X86_LINUX: Final = """
define internal void @yield() #0 {
  %r = call i64 asm sideeffect "syscall", "={rax},{rax},~{rcx},~{r11},~{memory}"(i64 24)
  ret void
}
define internal void @futex(ptr %word, i64 %operation, i64 %value) #0 {
  %r = call i64 asm sideeffect "syscall",
    "={rax},{rax},{rdi},{rsi},{rdx},{r10},{r8},{r9},~{rcx},~{r11},~{memory}"(i64 202, ptr %word,
    i64 %operation, i64 %value, i64 0, i64 0, i64 0)
  ret void
}
"""
ARM_LINUX: Final = """
define internal void @yield() #0 {
  %r = call i64 asm sideeffect "svc #0", "={x0},{x8},~{memory}"(i64 124)
  ret void
}
define internal void @futex(ptr %word, i64 %operation, i64 %value) #0 {
  %r = call i64 asm sideeffect "svc #0", "={x0},{x8},{x0},{x1},{x2},{x3},{x4},{x5},~{memory}"(
    i64 98, ptr %word, i64 %operation, i64 %value, i64 0, i64 0, i64 0)
  ret void
}
"""
ARM_C_LIBRARY: Final = """
define internal void @yield() #0 {
  %r = call i32 @sched_yield()
  ret void
}
define internal void @futex(ptr %word, i64 %operation, i64 %value) #0 {
  %r = call i64 (i64, ...) @syscall(i64 98, ptr %word, i64 %operation, i64 %value, ptr null,
    ptr null, i64 0)
  ret void
}
declare i32 @sched_yield()
declare i64 @syscall(i64, ...)
"""
WITHOUT_SYSTEM_CALLS: Final = """
define internal void @yield() #0 {
  ret void
}
define internal void @futex(ptr %word, i64 %operation, i64 %value) #0 {
  ret void
}
"""


def platform_text(triple: str, *, has_c_library: bool = False) -> str:
    """The functions that depend on the processor and the system.

    Args:
        triple: Architecture, vendor and system.
        has_c_library: Whether the text is linked with the C library of Linux.
    """
    arm = triple.startswith(("aarch64", "arm64"))
    if "linux" not in triple:
        return (ARM if arm else X86) + WITHOUT_SYSTEM_CALLS
    if arm:
        return ARM + (ARM_C_LIBRARY if has_c_library else ARM_LINUX)
    return X86 + X86_LINUX


def has_threads(triple: str) -> bool:
    """Whether workers can sleep and be woken; otherwise the caller runs all chunks itself."""
    return "linux" in triple and triple.startswith(("x86_64", "aarch64"))

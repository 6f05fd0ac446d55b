"""The native functions of library calls: the kernel that carries them out, and their helpers.

The kernel's arguments are the number of calls, of iterations and of groups, and then a record of
each call: the function, the number of its arguments, the guard, and 16 arguments. A guard or an
argument is an address, an offset, a stride between iterations and a stride between groups.

All arguments of helpers are addresses, as those of LAPACK's routines are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.compiler.library_calls.calls import (
    ARGUMENT_COUNT,
    FIRST_ARGUMENT,
    GROUP_COUNT,
    GROUP_STRIDE,
    GUARD,
    HEADER_WORDS,
    ITERATION_COUNT,
    MAX_ARGUMENTS,
    OFFSET,
    RECORD_WORDS,
    REFERENCE_WORDS,
    STRIDE,
)
from stablemate.compiler.library_calls.eigenvalue_functions import GROUPS_FOR_EIGENVALUES
from stablemate.compiler.library_calls.transposition import ELEMENT_TYPES, transposition

# OpenBLAS divides even matrices of 100 x 100 among threads, which wait for each other actively.
# With the threads of the pool beside them that takes several times as long as one thread alone.
# The number of its threads belongs to the process: the first of concurrent kernels saves it, and
# the last one restores it. In the child of a fork no kernel runs.
ONE_THREAD: Final = """
@thread_counts_lock = internal global i32 0
@thread_counts_users = internal global i64 0
@thread_counts_saved = internal global i32 0
@get_thread_count = internal global ptr null
@set_thread_count = internal global ptr null

define void @set_thread_count_functions(ptr %get, ptr %set) #0 {
  store ptr %get, ptr @get_thread_count
  store ptr %set, ptr @set_thread_count
  ret void
}

define internal void @lock_thread_counts() #0 {
entry:
  br label %attempt
attempt:
  ; acquire: the counts are seen as the last owner of the lock left them. A failure reads nothing,
  ; and tries again.
  %outcome = cmpxchg ptr @thread_counts_lock, i32 0, i32 1 acquire monotonic
  %is_locked = extractvalue { i32, i1 } %outcome, 1
  br i1 %is_locked, label %done, label %attempt
done:
  ret void
}

define internal void @unlock_thread_counts() #0 {
  ; release: the next owner sees the counts, and libraries the number of threads that was set.
  store atomic i32 0, ptr @thread_counts_lock release, align 4
  ret void
}

define void @run_with_one_thread(ptr %arguments, i64 %begin, i64 %end) #0 {
entry:
  %get = load ptr, ptr @get_thread_count
  %set = load ptr, ptr @set_thread_count
  %is_missing = icmp eq ptr %set, null
  br i1 %is_missing, label %run_only, label %before
run_only:
  call void @run(ptr %arguments, i64 %begin, i64 %end)
  ret void
before:
  call void @lock_thread_counts()
  %users = load i64, ptr @thread_counts_users
  %users1 = add i64 %users, 1
  %is_first = icmp eq i64 %users, 0
  br i1 %is_first, label %save, label %begin_run
save:
  %count = call i32 %get()
  store i32 %count, ptr @thread_counts_saved
  call void %set(i32 1)
  br label %begin_run
begin_run:
  store i64 %users1, ptr @thread_counts_users
  call void @unlock_thread_counts()
  call void @run(ptr %arguments, i64 %begin, i64 %end)
  call void @lock_thread_counts()
  %users2 = load i64, ptr @thread_counts_users
  %users3 = sub i64 %users2, 1
  %is_last = icmp eq i64 %users3, 0
  br i1 %is_last, label %restore, label %end_run
restore:
  %saved = load i32, ptr @thread_counts_saved
  call void %set(i32 %saved)
  br label %end_run
end_run:
  store i64 %users3, ptr @thread_counts_users
  call void @unlock_thread_counts()
  ret void
}

define void @reset_thread_count_after_fork() #0 {
entry:
  %users = load i64, ptr @thread_counts_users
  store i64 0, ptr @thread_counts_users
  call void @unlock_thread_counts()
  %is_unused = icmp eq i64 %users, 0
  br i1 %is_unused, label %done, label %restore
restore:
  %set = load ptr, ptr @set_thread_count
  %saved = load i32, ptr @thread_counts_saved
  call void %set(i32 %saved)
  br label %done
done:
  ret void
}
"""
ADDRESS: Final = f"""
; The address that a reference has in an iteration of a group.
define internal ptr @address(ptr %reference, i64 %iteration, i64 %group) alwaysinline #0 {{
  %offset_at = getelementptr i64, ptr %reference, i64 {OFFSET}
  %stride_at = getelementptr i64, ptr %reference, i64 {STRIDE}
  %group_stride_at = getelementptr i64, ptr %reference, i64 {GROUP_STRIDE}
  %base = load ptr, ptr %reference
  %offset = load i64, ptr %offset_at
  %stride = load i64, ptr %stride_at
  %group_stride = load i64, ptr %group_stride_at
  %by_iteration = mul i64 %stride, %iteration
  %by_group = mul i64 %group_stride, %group
  %sum = add i64 %by_iteration, %by_group
  %total = add i64 %sum, %offset
  %address = getelementptr i8, ptr %base, i64 %total
  ret ptr %address
}}
"""
LOADS: Final = "\n".join(
    f"  %at{i} = getelementptr ptr, ptr %list, i64 {i}\n  %a{i} = load ptr, ptr %at{i}"
    for i in range(MAX_ARGUMENTS)
)
PASSED: Final = ", ".join(f"ptr %a{i}" for i in range(MAX_ARGUMENTS))
KERNEL: Final = f"""
define void @run(ptr %arguments, i64 %begin, i64 %end) #0 {{
entry:
  %list = alloca [{MAX_ARGUMENTS} x ptr], align 16
  call void @llvm.memset.p0.i64(ptr %list, i8 0, i64 {8 * MAX_ARGUMENTS}, i1 false)
  %iterations_at = getelementptr i64, ptr %arguments, i64 {ITERATION_COUNT}
  %groups_at = getelementptr i64, ptr %arguments, i64 {GROUP_COUNT}
  %records = getelementptr i64, ptr %arguments, i64 {HEADER_WORDS}
  %calls = load i64, ptr %arguments
  %iterations = load i64, ptr %iterations_at
  %groups = load i64, ptr %groups_at
  br label %next_group
next_group:
  %group = phi i64 [ %begin, %entry ], [ %group1, %end_group ]
  %is_group = icmp ult i64 %group, %end
  br i1 %is_group, label %begin_group, label %done
begin_group:
  %group1 = add i64 %group, 1
  %scaled = mul i64 %group, %iterations
  %first = udiv i64 %scaled, %groups
  %scaled1 = mul i64 %group1, %iterations
  %last = udiv i64 %scaled1, %groups
  br label %next_iteration
next_iteration:
  %i = phi i64 [ %first, %begin_group ], [ %i1, %end_iteration ]
  %is_iteration = icmp ult i64 %i, %last
  br i1 %is_iteration, label %next_call, label %end_group
next_call:
  %c = phi i64 [ 0, %next_iteration ], [ %c1, %end_call ]
  %is_call = icmp ult i64 %c, %calls
  br i1 %is_call, label %begin_call, label %end_iteration
begin_call:
  %c1 = add i64 %c, 1
  %place = mul i64 %c, {RECORD_WORDS}
  %record = getelementptr i64, ptr %records, i64 %place
  %count_at = getelementptr i64, ptr %record, i64 {ARGUMENT_COUNT}
  %guard_at = getelementptr i64, ptr %record, i64 {GUARD}
  %references = getelementptr i64, ptr %record, i64 {FIRST_ARGUMENT}
  %function = load ptr, ptr %record
  %count = load i64, ptr %count_at
  %guard_base = load ptr, ptr %guard_at
  %unguarded = icmp eq ptr %guard_base, null
  br i1 %unguarded, label %next_argument, label %look
look:
  %guard = call ptr @address(ptr %guard_at, i64 %i, i64 %group)
  %status = load i32, ptr %guard
  %passes = icmp eq i32 %status, 0
  br i1 %passes, label %next_argument, label %end_call
next_argument:
  %n = phi i64 [ 0, %begin_call ], [ 0, %look ], [ %n1, %argument ]
  %is_argument = icmp ult i64 %n, %count
  br i1 %is_argument, label %argument, label %perform
argument:
  %n1 = add i64 %n, 1
  %words = mul i64 %n, {REFERENCE_WORDS}
  %reference = getelementptr i64, ptr %references, i64 %words
  %address = call ptr @address(ptr %reference, i64 %i, i64 %group)
  %item = getelementptr ptr, ptr %list, i64 %n
  store ptr %address, ptr %item
  br label %next_argument
perform:
{LOADS}
  call void %function({PASSED})
  br label %end_call
end_call:
  br label %next_call
end_iteration:
  %i1 = add i64 %i, 1
  br label %next_iteration
end_group:
  br label %next_group
done:
  ret void
}}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
TRANSPOSE: Final = """
define void @transpose_{bytes}(ptr %to, ptr %from, ptr %rows_at, ptr %columns_at) #0 {{
  %rows = load i64, ptr %rows_at
  %columns = load i64, ptr %columns_at
  call void @transpose_tiles_{bytes}(ptr %to, i64 %rows, ptr %from, i64 %columns, i64 %rows,
    i64 %columns)
  ret void
}}
"""
MEMORY: Final = """
define void @copy(ptr %to, ptr %from, ptr %bytes_at) #0 {
  %bytes = load i64, ptr %bytes_at
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  ret void
}

; What is left from an address to another one, or as much as an iteration takes of it.
define void @remaining(ptr %count, ptr %here, ptr %end, ptr %most_at) #0 {
  %from = ptrtoint ptr %here to i64
  %to = ptrtoint ptr %end to i64
  %left = sub i64 %to, %from
  %most = load i64, ptr %most_at
  %is_last = icmp ult i64 %left, %most
  %outcome = select i1 %is_last, i64 %left, i64 %most
  store i64 %outcome, ptr %count
  ret void
}

define void @zero(ptr %to, ptr %bytes_at) #0 {
  %bytes = load i64, ptr %bytes_at
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 %bytes, i1 false)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
KERNELS: Final = (
    "run", "run_with_one_thread", "set_thread_count_functions", "reset_thread_count_after_fork",
)  # fmt: skip
# Functions that are compiled together, with their LLVM text; most programs need a few of them.
GROUPS: Final[Mapping[tuple[str, ...], str]] = {
    KERNELS: "\n".join([ADDRESS, KERNEL, ONE_THREAD]),
    ("copy", "remaining", "zero"): MEMORY,
    **{
        (f"transpose_{size}",): transposition(size) + TRANSPOSE.format(bytes=size)
        for size in ELEMENT_TYPES
    },
    **GROUPS_FOR_EIGENVALUES,
}
# Groups whose text is written as it is to run: the usual passes would take four times as long.
SCHEDULED: Final = (KERNELS, ("transpose_4",), ("transpose_8",))
GROUP_OF: Final = {name: group for group in GROUPS for name in group}

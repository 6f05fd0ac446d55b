"""The workers of a library, in LLVM IR: threads that all its instances in a process share."""

from __future__ import annotations

from string import Template
from typing import Final

# join_pool starts workers until there are enough for an instance. Signals are blocked in them: the
# program that uses the library gets its signals in its own threads. A worker never calls the
# program.
WORKERS: Final = Template("""
@pool = internal global [$pool_bytes x i8] zeroinitializer, align 64
@lock = internal global [64 x i8] zeroinitializer, align 64  ; PTHREAD_MUTEX_INITIALIZER
@users = internal global i64 0
@workers = internal global i64 0
@owner = internal global i32 0
@handles = internal global [256 x i64] zeroinitializer
@worker_arguments = internal global [256 x [2 x i64]] zeroinitializer
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_destroy(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @getpid()
declare i32 @sched_getaffinity(i32, i64, ptr)
declare i64 @llvm.ctpop.i64(i64)

; The number of threads of an instance, for the number that was asked for; 0: one for each processor
; that this process may use.
define internal i64 @allowed_threads(i32 %asked) #0 {
entry:
  %mask = alloca [128 x i64]
  %wide = zext i32 %asked to i64
  %default = icmp eq i32 %asked, 0
  br i1 %default, label %count, label %limit
count:
  call void @llvm.memset.p0.i64(ptr %mask, i8 0, i64 1024, i1 false)
  %failed = call i32 @sched_getaffinity(i32 0, i64 1024, ptr %mask)
  br label %word
word:
  %i = phi i64 [ 0, %count ], [ %i1, %word ]
  %sum = phi i64 [ 0, %count ], [ %sum1, %word ]
  %at = getelementptr i64, ptr %mask, i64 %i
  %bits = load i64, ptr %at
  %ones = call i64 @llvm.ctpop.i64(i64 %bits)
  %sum1 = add i64 %sum, %ones
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, 128
  br i1 %more, label %word, label %limit
limit:
  %threads = phi i64 [ %wide, %entry ], [ %sum1, %word ]
  %positive = call i64 @llvm.umax.i64(i64 %threads, i64 1)
  %allowed = call i64 @llvm.umin.i64(i64 %positive, i64 $most_threads)
  ret i64 %allowed
}
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)

; Forgets the workers in the child of a fork: they are threads of the parent.
define internal void @forget_parent() #0 {
entry:
  %process = call i32 @getpid()
  %owner = load i32, ptr @owner
  %own = icmp eq i32 %process, %owner
  br i1 %own, label %end, label %forget
forget:
  call void @llvm.memset.p0.i64(ptr @pool, i8 0, i64 $pool_bytes, i1 false)
  store i64 0, ptr @users
  store i64 0, ptr @workers
  store i32 %process, ptr @owner
  br label %end
end:
  ret void
}

; Begins to use the pool; returns the number of threads of the instance.
define internal i64 @join_pool(i32 %asked) #0 {
entry:
  %threads = call i64 @allowed_threads(i32 %asked)
  %locked = call i32 @pthread_mutex_lock(ptr @lock)
  call void @forget_parent()
  %users = load i64, ptr @users
  %users1 = add i64 %users, 1
  store i64 %users1, ptr @users
  br label %next
next:
  %workers = load i64, ptr @workers
  %number = add i64 %workers, 1
  %more = icmp ult i64 %number, %threads
  br i1 %more, label %start, label %end
start:
  %failed = call i32 @start_worker(i64 %number)
  %good = icmp eq i32 %failed, 0
  br i1 %good, label %started, label %end
started:
  store i64 %number, ptr @workers
  br label %next
end:
  %unlocked = call i32 @pthread_mutex_unlock(ptr @lock)
  ret i64 %threads
}

define internal i32 @start_worker(i64 %number) #0 {
  %attributes = alloca [16 x i64]
  %all = alloca [16 x i64]
  %before = alloca [16 x i64]
  call void @llvm.memset.p0.i64(ptr %all, i8 -1, i64 128, i1 false)
  %handle = getelementptr i64, ptr @handles, i64 %number
  %argument = getelementptr [2 x i64], ptr @worker_arguments, i64 %number
  %number_at = getelementptr i64, ptr %argument, i64 $worker_number
  store ptr @pool, ptr %argument
  store i64 %number, ptr %number_at
  %begun = call i32 @pthread_attr_init(ptr %attributes)
  %sized = call i32 @pthread_attr_setstacksize(ptr %attributes, i64 $stack_bytes)
  %blocked = call i32 @pthread_sigmask(i32 0, ptr %all, ptr %before)
  %failed = call i32 @pthread_create(ptr %handle, ptr %attributes, ptr @numbered_work,
    ptr %argument)
  %restored = call i32 @pthread_sigmask(i32 2, ptr %before, ptr null)
  %ended = call i32 @pthread_attr_destroy(ptr %attributes)
  ret i32 %failed
}

; Ends the use of the pool; the last user ends the workers, and writes the trace.
define internal void @leave_pool() #0 {
entry:
  %locked = call i32 @pthread_mutex_lock(ptr @lock)
  %process = call i32 @getpid()
  %owner = load i32, ptr @owner
  %own = icmp eq i32 %process, %owner
  br i1 %own, label %count, label %end
count:
  %users = load i64, ptr @users
  %some = icmp ne i64 %users, 0
  %users1 = sub i64 %users, 1
  br i1 %some, label %leave, label %end
leave:
  store i64 %users1, ptr @users
  %last = icmp eq i64 %users1, 0
  br i1 %last, label %stop, label %end
stop:
  call void @stop(ptr @pool)
  br label %next
next:
  %workers = load i64, ptr @workers
  %more = icmp ne i64 %workers, 0
  br i1 %more, label %join, label %reset
join:
  %handle_at = getelementptr i64, ptr @handles, i64 %workers
  %handle = load i64, ptr %handle_at
  %joined = call i32 @pthread_join(i64 %handle, ptr null)
  %fewer = sub i64 %workers, 1
  store i64 %fewer, ptr @workers
  br label %next
reset:
  call void @llvm.memset.p0.i64(ptr @pool, i8 0, i64 $pool_bytes, i1 false)
  call void @write_trace()
  br label %end
end:
  %unlocked = call i32 @pthread_mutex_unlock(ptr @lock)
  ret void
}
""")

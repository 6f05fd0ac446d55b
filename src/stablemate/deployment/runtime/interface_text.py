"""The functions that callers of a library see, in LLVM IR, and what they need.

``library_layouts`` has the layouts of an instance, a program and a value.
"""

from __future__ import annotations

from string import Template
from typing import Final

API: Final = Template("""
; Fills in the message of this thread; returns 1.
define internal i32 @fail(ptr %format, ptr %text) #0 {
  %length = call i32 (ptr, i64, ptr, ...) @snprintf(ptr @message, i64 512, ptr %format, ptr %text)
  ret i32 1
}

define ptr @${name}_error() #0 {
  ret ptr @message
}

define i64 @${name}_argument_count() #0 {
  ret i64 $arguments
}

define i64 @${name}_result_count() #0 {
  ret i64 $results
}

define internal ptr @described(i64 %number, i64 %first, i64 %count) #0 {
  %inside = icmp ult i64 %number, %count
  %place = add i64 %number, %first
  %row = getelementptr [$value_size x i8], ptr @values, i64 %place
  %described = select i1 %inside, ptr %row, ptr null
  ret ptr %described
}

define ptr @${name}_argument(i64 %number) #0 {
  %described = call ptr @described(i64 %number, i64 0, i64 $arguments)
  ret ptr %described
}

define ptr @${name}_result(i64 %number) #0 {
  %described = call ptr @described(i64 %number, i64 $arguments, i64 $results)
  ret ptr %described
}

define i32 @${name}_threads(ptr %instance) #0 {
entry:
  %none = icmp eq ptr %instance, null
  br i1 %none, label %no_instance, label %some
no_instance:
  ret i32 0
some:
  %threads_at = getelementptr i64, ptr %instance, i64 $instance_threads
  %threads = load i64, ptr %threads_at
  %narrow = trunc i64 %threads to i32
  ret i32 %narrow
}

; Memory that begins on a cache line; null if there is none.
define internal ptr @aligned(i64 %bytes) #0 {
entry:
  %place = alloca ptr
  %failed = call i32 @posix_memalign(ptr %place, i64 64, i64 %bytes)
  %good = icmp eq i32 %failed, 0
  br i1 %good, label %done, label %none
done:
  %memory = load ptr, ptr %place
  ret ptr %memory
none:
  ret ptr null
}

; Adds a base to words, which a list names.
define internal void @relocate(ptr %words, ptr %list, i64 %count, ptr %base) #0 {
entry:
  %start = ptrtoint ptr %base to i64
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %word ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %word, label %end
word:
  %at = getelementptr i64, ptr %list, i64 %i
  %number = load i64, ptr %at
  %word_at = getelementptr i64, ptr %words, i64 %number
  %offset = load i64, ptr %word_at
  %address = add i64 %offset, %start
  store i64 %address, ptr %word_at
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}

; Writes pointers of a table into words; numbers say which.
define internal void @write_pointers(ptr %words, ptr %list, i64 %count, ptr %numbers, ptr %table)
    #0 {
entry:
  %own = icmp eq ptr %numbers, null
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %word ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %word, label %end
word:
  %at = getelementptr i64, ptr %list, i64 %i
  %place = load i64, ptr %at
  %word_at = getelementptr i64, ptr %words, i64 %place
  %listed_at = getelementptr i64, ptr %numbers, i64 %i
  %number_at = select i1 %own, ptr %word_at, ptr %listed_at
  %number = load i64, ptr %number_at
  %pointer_at = getelementptr ptr, ptr %table, i64 %number
  %pointer = load ptr, ptr %pointer_at
  store ptr %pointer, ptr %word_at
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}

; Copies the image of a program into an instance, and makes addresses of what is relative.
define internal void @load_image(ptr %program, ptr %block, ptr %arena, ptr %constants) #0 {
  %p = load %program, ptr %program
  %image = extractvalue %program %p, $program_image
  %bytes = extractvalue %program %p, $program_image_bytes
  %offset = extractvalue %program %p, $program_offset
  %words = getelementptr i8, ptr %block, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %words, ptr %image, i64 %bytes, i1 false)
  %in_words = extractvalue %program %p, $program_words
  %in_words_count = extractvalue %program %p, $program_word_count
  call void @relocate(ptr %words, ptr %in_words, i64 %in_words_count, ptr %words)
  %in_arena = extractvalue %program %p, $program_arena_words
  %in_arena_count = extractvalue %program %p, $program_arena_word_count
  call void @relocate(ptr %words, ptr %in_arena, i64 %in_arena_count, ptr %arena)
  %in_constants = extractvalue %program %p, $program_constant_words
  %in_constants_count = extractvalue %program %p, $program_constant_word_count
  call void @relocate(ptr %words, ptr %in_constants, i64 %in_constants_count, ptr %constants)
  %of_functions = extractvalue %program %p, $program_function_words
  %of_functions_count = extractvalue %program %p, $program_function_word_count
  %functions = extractvalue %program %p, $program_functions
  call void @write_pointers(ptr %words, ptr %of_functions, i64 %of_functions_count, ptr null,
    ptr %functions)
  ret void
}

define ptr @${name}_create(ptr %weights, i32 %asked) #0 {
entry:
  %missing_feature = call ptr @missing_feature()
  %suitable = icmp eq ptr %missing_feature, null
  br i1 %suitable, label %number, label %unsuitable
unsuitable:
  %unsupported = call i32 @fail(ptr @text.unsuitable, ptr %missing_feature)
  ret ptr null
number:
  %negative = icmp slt i32 %asked, 0
  br i1 %negative, label %refuse, label %allocate
refuse:
  %refused = call i32 @fail(ptr @text.negative_threads, ptr null)
  ret ptr null
allocate:
  %instance = call ptr @aligned(i64 $instance_bytes)
  %none = icmp eq ptr %instance, null
  br i1 %none, label %no_memory, label %inner
inner:
  call void @llvm.memset.p0.i64(ptr %instance, i8 0, i64 $instance_bytes, i1 false)
  %words = call ptr @aligned(i64 $block_bytes)
  store ptr %words, ptr %instance
  %arena = call ptr @aligned(i64 $arena_bytes)
  %arena_at = getelementptr ptr, ptr %instance, i64 $instance_arena
  store ptr %arena, ptr %arena_at
  %no_words = icmp eq ptr %words, null
  %no_arena = icmp eq ptr %arena, null
  %some_missing = or i1 %no_words, %no_arena
  br i1 %some_missing, label %incomplete, label %find
incomplete:
  call void @release(ptr %instance)
  br label %no_memory
no_memory:
  %missing = call i32 @fail(ptr @text.no_memory, ptr null)
  ret ptr null
find:
  %constants = call ptr @${find_constants}(ptr %instance, ptr %weights)
  %no_constants = icmp eq ptr %constants, null
  br i1 %no_constants, label %without, label %load
without:
  call void @release(ptr %instance)
  ret ptr null
load:
  br label %next
next:
  %p = phi i64 [ 0, %load ], [ %p1, %program ]
  %more = icmp ult i64 %p, $programs
  br i1 %more, label %program, label %join
program:
  %row = getelementptr %program, ptr @programs, i64 %p
  call void @load_image(ptr %row, ptr %words, ptr %arena, ptr %constants)
  %p1 = add i64 %p, 1
  br label %next
join:
  %locked = call i32 @pthread_mutex_lock(ptr @lock)
  %untraced = call i32 @trace_instance(ptr %instance, ptr %words)
  %unlocked = call i32 @pthread_mutex_unlock(ptr @lock)
  %traced = icmp eq i32 %untraced, 0
  br i1 %traced, label %start, label %without
start:
  %threads = call i64 @join_pool(i32 %asked)
  %threads_at = getelementptr i64, ptr %instance, i64 $instance_threads
  %slice_at = getelementptr i64, ptr %instance, i64 $instance_state_slice
  %state_threads_at = getelementptr i64, ptr %instance, i64 $instance_state_threads
  %state_pool_at = getelementptr i64, ptr %instance, i64 $instance_state_pool
  store i64 %threads, ptr %threads_at
  store i64 $time_slice, ptr %slice_at
  store i64 %threads, ptr %state_threads_at
  store ptr @pool, ptr %state_pool_at
  ret ptr %instance
}

define internal void @release(ptr %instance) #0 {
entry:
  %words = load ptr, ptr %instance
  %arena_at = getelementptr ptr, ptr %instance, i64 $instance_arena
  %arena = load ptr, ptr %arena_at
  %weights_at = getelementptr ptr, ptr %instance, i64 $instance_weights
  %weights = load ptr, ptr %weights_at
  %records_at = getelementptr ptr, ptr %instance, i64 $instance_trace
  %records = load ptr, ptr %records_at
  %mapped = icmp ne ptr %weights, null
  br i1 %mapped, label %unmap, label %free
unmap:
  %unmapped = call i32 @munmap(ptr %weights, i64 $weights_bytes)
  br label %free
free:
  call void @free(ptr %words)
  call void @free(ptr %arena)
  call void @free(ptr %records)
  call void @free(ptr %instance)
  ret void
}

define void @${name}_destroy(ptr %instance) #0 {
entry:
  %none = icmp eq ptr %instance, null
  br i1 %none, label %end, label %some
some:
  call void @leave_pool()
  call void @release(ptr %instance)
  br label %end
end:
  ret void
}

; Checks the addresses of arguments and results, and stores them; 0 if all are good.
define internal i32 @take(ptr %values, ptr %operands, ptr %arguments, ptr %results) #0 {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %good ]
  %more = icmp ult i64 %i, $operands
  br i1 %more, label %value, label %end
value:
  %is_argument = icmp ult i64 %i, $arguments
  %result = sub i64 %i, $arguments
  %argument_at = getelementptr ptr, ptr %arguments, i64 %i
  %result_at = getelementptr ptr, ptr %results, i64 %result
  %at = select i1 %is_argument, ptr %argument_at, ptr %result_at
  %pointer = load ptr, ptr %at
  %operand_at = getelementptr ptr, ptr %operands, i64 %i
  store ptr %pointer, ptr %operand_at
  %row = getelementptr [$value_size x i8], ptr %values, i64 %i
  %label_at = getelementptr ptr, ptr @labels, i64 %i
  %label = load ptr, ptr %label_at
  %bytes_at = getelementptr i64, ptr %row, i64 $value_bytes
  %alignment_at = getelementptr i64, ptr %row, i64 $value_alignment
  %bytes = load i64, ptr %bytes_at
  %alignment = load i64, ptr %alignment_at
  %null = icmp eq ptr %pointer, null
  %some = icmp ne i64 %bytes, 0
  %missing = and i1 %null, %some
  br i1 %missing, label %no_value, label %look
look:
  %address = ptrtoint ptr %pointer to i64
  %mask = sub i64 %alignment, 1
  %odd = and i64 %address, %mask
  %even = icmp eq i64 %odd, 0
  br i1 %even, label %compare, label %unaligned
compare:
  %before = select i1 %is_argument, i64 0, i64 %i
  %overlaps = call i1 @overlaps(ptr %values, ptr %operands, i64 %before, i64 %address,
    i64 %bytes)
  br i1 %overlaps, label %overlap, label %good
good:
  %i1 = add i64 %i, 1
  br label %next
no_value:
  %e1 = call i32 @fail(ptr @text.null, ptr %label)
  ret i32 %e1
unaligned:
  %e2 = call i32 @fail(ptr @text.unaligned, ptr %label)
  ret i32 %e2
overlap:
  %e3 = call i32 @fail(ptr @text.overlap, ptr %label)
  ret i32 %e3
end:
  ret i32 0
}

; Whether bytes overlap the memory of one of the first values.
define internal i1 @overlaps(ptr %values, ptr %operands, i64 %count, i64 %begin,
    i64 %bytes) #0 {
entry:
  %end = add i64 %begin, %bytes
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %value ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %value, label %none
value:
  %at = getelementptr i64, ptr %operands, i64 %i
  %other = load i64, ptr %at
  %row = getelementptr [$value_size x i8], ptr %values, i64 %i
  %size_at = getelementptr i64, ptr %row, i64 $value_bytes
  %size = load i64, ptr %size_at
  %other_end = add i64 %other, %size
  %low = icmp ugt i64 %begin, %other
  %first = select i1 %low, i64 %begin, i64 %other
  %high = icmp ult i64 %end, %other_end
  %last = select i1 %high, i64 %end, i64 %other_end
  %shared = icmp ult i64 %first, %last
  %i1 = add i64 %i, 1
  br i1 %shared, label %some, label %next
some:
  ret i1 true
none:
  ret i1 false
}

define i32 @${name}_call(ptr %instance, ptr %arguments, ptr %results) #0 {
  %last = getelementptr %program, ptr @programs, i64 $last_program
  %status = call i32 @call_program(ptr %last, ptr %instance, ptr %arguments, ptr %results)
  ret i32 %status
}

define internal i32 @call_program(ptr %row, ptr %instance, ptr %arguments, ptr %results) #0 {
entry:
  %none = icmp eq ptr %instance, null
  br i1 %none, label %no_instance, label %lists
no_instance:
  %e1 = call i32 @fail(ptr @text.no_instance, ptr null)
  ret i32 %e1
lists:
  %no_arguments = icmp eq ptr %arguments, null
  %no_results = icmp eq ptr %results, null
  %unread = and i1 %no_arguments, $has_arguments
  %unwritten = and i1 %no_results, $has_results
  %missing = or i1 %unread, %unwritten
  br i1 %missing, label %no_list, label %claim
no_list:
  %e2 = call i32 @fail(ptr @text.no_list, ptr null)
  ret i32 %e2
claim:
  %busy_at = getelementptr i64, ptr %instance, i64 $instance_busy
  ; acquire: the images and the arena are seen as the last call left them, possibly in another
  ; thread. A failure reads nothing but an error.
  %exchange = cmpxchg ptr %busy_at, i64 0, i64 1 acquire monotonic
  %claimed = extractvalue { i64, i1 } %exchange, 1
  br i1 %claimed, label %bind, label %busy
busy:
  %e3 = call i32 @fail(ptr @text.busy, ptr null)
  ret i32 %e3
bind:
  %p = load %program, ptr %row
  %offset = extractvalue %program %p, $program_offset
  %block = load ptr, ptr %instance
  %words = getelementptr i8, ptr %block, i64 %offset
  %operands = getelementptr i8, ptr %block, i64 $images_bytes
  %values = extractvalue %program %p, $program_values
  %wrong = call i32 @take(ptr %values, ptr %operands, ptr %arguments, ptr %results)
  %good = icmp eq i32 %wrong, 0
  br i1 %good, label %run, label %end
run:
  %of_operands = extractvalue %program %p, $program_operand_words
  %of_operands_count = extractvalue %program %p, $program_operand_word_count
  %operand_numbers = extractvalue %program %p, $program_operand_numbers
  call void @write_pointers(ptr %words, ptr %of_operands, i64 %of_operands_count,
    ptr %operand_numbers, ptr %operands)
  %state = getelementptr i64, ptr %instance, i64 $instance_state
  %step = call i64 @walk(ptr %words, i64 0, ptr %state)
  %reason_at = getelementptr i64, ptr %state, i64 $state_reason
  %reason = load i64, ptr %reason_at
  %complete = icmp eq i64 %reason, $reached_request
  br i1 %complete, label %end, label %incomplete
incomplete:
  %e4 = call i32 @fail(ptr @text.incomplete, ptr null)
  br label %end
end:
  %status = phi i32 [ %wrong, %bind ], [ 0, %run ], [ %e4, %incomplete ]
  ; release: the next call sees all that this one has written to the instance.
  store atomic i64 0, ptr %busy_at release, align 8
  ret i32 %status
}
""")

# Beside them in a library whose arguments have an open number of rows: a program for each batch.
BATCH_API: Final = Template("""
define i64 @${name}_most_batch() #0 {
  ret i64 $programs
}

; The program of a batch; null if there is none.
define internal ptr @program_of(i64 %batch) #0 {
  %number = sub i64 %batch, 1
  %inside = icmp ult i64 %number, $programs
  %row = getelementptr %program, ptr @programs, i64 %number
  %program = select i1 %inside, ptr %row, ptr null
  ret ptr %program
}

define i32 @${name}_call_batch(ptr %instance, i64 %batch, ptr %arguments, ptr %results) #0 {
entry:
  %row = call ptr @program_of(i64 %batch)
  %none = icmp eq ptr %row, null
  br i1 %none, label %unknown, label %some
unknown:
  %number = inttoptr i64 %batch to ptr
  %error = call i32 @fail(ptr @text.batch, ptr %number)
  ret i32 %error
some:
  %status = call i32 @call_program(ptr %row, ptr %instance, ptr %arguments, ptr %results)
  ret i32 %status
}

define internal ptr @described_in(i64 %batch, i64 %number, i64 %first, i64 %count) #0 {
entry:
  %row = call ptr @program_of(i64 %batch)
  %none = icmp eq ptr %row, null
  %outside = icmp uge i64 %number, %count
  %missing = or i1 %none, %outside
  br i1 %missing, label %unknown, label %some
unknown:
  ret ptr null
some:
  %p = load %program, ptr %row
  %values = extractvalue %program %p, $program_values
  %place = add i64 %number, %first
  %described = getelementptr [$value_size x i8], ptr %values, i64 %place
  ret ptr %described
}

define ptr @${name}_batch_argument(i64 %batch, i64 %number) #0 {
  %described = call ptr @described_in(i64 %batch, i64 %number, i64 0, i64 $arguments)
  ret ptr %described
}

define ptr @${name}_batch_result(i64 %batch, i64 %number) #0 {
  %described = call ptr @described_in(i64 %batch, i64 %number, i64 $arguments, i64 $results)
  ret ptr %described
}
""")

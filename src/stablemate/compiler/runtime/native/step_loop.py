"""The native loop that interprets the steps of a plan; see ``step_table`` for the records.

The loop returns at a record that leaves, when its time slice is over, and when a count exceeds its
limit. It is called again with the step that it returned, or, after a request, with the next one.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.runtime.native.step_table import (
    BACK_EDGE,
    BRANCH,
    CHUNK,
    COPY,
    COPY_BLOCK_BYTES,
    COPY_BYTES,
    COPY_SOURCE,
    COUNTED_BRANCH,
    DEADLINE,
    EXCHANGE,
    INSTEAD,
    ITERATION_LIMIT,
    ITERATIONS,
    JUMP,
    LAUNCH,
    OTHER_RECORD,
    PARALLEL_LAUNCH,
    REACHED_REQUEST,
    REASON,
    RECORD_WORDS,
    REPEATED_LAUNCH,
    SHORTCUT,
    STEP,
    SWITCH,
    TIME_SLICE,
    TIME_SLICE_OVER,
    WALK_WORDS,
    WALKED_STATE,
)

# The clock is read after so many iterations of a loop, and after so many launches of a loop of one
# launch: reading it takes as long as a tiny launch.
UNTIMED_ITERATIONS: Final = 16
UNTIMED_LAUNCHES: Final = 256
COPY_BLOCK_BIT: Final = COPY_BLOCK_BYTES.bit_length() - 1
RECORD_BIT: Final = (8 * RECORD_WORDS).bit_length() - 1
WALK_BIT: Final = (8 * WALK_WORDS).bit_length() - 1
# Where the words of a record are, after its kind; ``step_table`` names those of each kind.
OPERANDS: Final = "\n  ".join(
    f"%p{n} = getelementptr i64, ptr %record, i64 {n}" for n in range(1, 6)
)

# walk_table(table, step, state) -> step
TEXT: Final = f"""
define internal i64 @walk_table(ptr %table, i64 %first, ptr %state) #0 {{
entry:
  %limit_at = getelementptr i64, ptr %state, i64 {DEADLINE}
  %slice_at = getelementptr i64, ptr %state, i64 {TIME_SLICE}
  %chunk_at = getelementptr i64, ptr %state, i64 {CHUNK}
  %reason_at = getelementptr i64, ptr %state, i64 {REASON}
  %counted_at = getelementptr i64, ptr %state, i64 {ITERATIONS}
  %begun = call i64 @ticks()
  %slice = load i64, ptr %slice_at
  %limit = add i64 %begun, %slice
  store i64 %limit, ptr %limit_at
  br label %step
step:
  %n = phi i64 [ %first, %entry ], [ %next, %launch ], [ %next, %copy ], [ %target, %jump ],
    [ %chosen, %branch ], [ %picked, %switch ], [ %repeated, %back_edge ], [ %next, %finished ],
    [ %exit, %ended ], [ %body, %counting ], [ %next, %exchange ], [ %next, %shortcut ],
    [ %repeated, %timed ], [ %loop, %enough ], [ %loop, %no_more ]
  %offset = shl i64 %n, {RECORD_BIT}
  %own_record = getelementptr i8, ptr %table, i64 %offset
  %next = add i64 %n, 1
  br label %dispatch
dispatch:
  %record = phi ptr [ %own_record, %step ], [ %other_record, %instead ]
  %kind = load i64, ptr %record
  {OPERANDS}
  switch i64 %kind, label %leave [ i64 {LAUNCH}, label %launch
    i64 {COPY}, label %copy
    i64 {JUMP}, label %jump
    i64 {BRANCH}, label %branch
    i64 {SWITCH}, label %switch
    i64 {BACK_EDGE}, label %back_edge
    i64 {PARALLEL_LAUNCH}, label %parallel
    i64 {COUNTED_BRANCH}, label %counted_branch
    i64 {EXCHANGE}, label %exchange
    i64 {SHORTCUT}, label %shortcut
    i64 {REPEATED_LAUNCH}, label %repeated_launch
    i64 {INSTEAD}, label %instead ]
instead:
  ; acquire: the address is read after the kind. Another thread may have just written the kind, and
  ; before it the address of a record that lives as long as the program. A fence, so that all other
  ; steps read their kind by a plain load.
  fence acquire
  %instead_at = getelementptr i64, ptr %record, i64 {OTHER_RECORD}
  %other_record = load ptr, ptr %instead_at
  br label %dispatch
launch:
  %function = load ptr, ptr %p1
  %arguments = load ptr, ptr %p2
  %iterations = load i64, ptr %p3
  call void %function(ptr %arguments, i64 0, i64 %iterations)
  br label %step
parallel:
  %begin = load i64, ptr %chunk_at
  store i64 0, ptr %chunk_at
  %stopped = call i64 @launch(ptr %record, ptr %state, i64 %begin)
  %done = icmp eq i64 %stopped, 0
  br i1 %done, label %finished, label %unfinished
finished:
  %late1 = call i1 @late(i64 %limit)
  br i1 %late1, label %late_next, label %step
unfinished:
  store i64 %stopped, ptr %chunk_at
  store i64 {TIME_SLICE_OVER}, ptr %reason_at
  ret i64 %n
late_next:
  store i64 {TIME_SLICE_OVER}, ptr %reason_at
  ret i64 %next
copy:
  %to = load ptr, ptr %p1
  %from = load ptr, ptr %p2
  %bytes = load i64, ptr %p3
  call void @copy(ptr %to, ptr %from, i64 %bytes)
  br label %step
exchange:
  %ones = load ptr, ptr %p1
  %one_count = load i64, ptr %p2
  %others = load ptr, ptr %p3
  %other_count = load i64, ptr %p4
  %one_at = load ptr, ptr %ones
  %other_at = load ptr, ptr %others
  %one = load i64, ptr %one_at
  %other = load i64, ptr %other_at
  call void @write(ptr %ones, i64 %one_count, i64 %other)
  call void @write(ptr %others, i64 %other_count, i64 %one)
  br label %step
shortcut:
  %way = load ptr, ptr %p1
  %way_argument = load ptr, ptr %p2
  %passed = call i64 %way(ptr %way_argument)
  %through = icmp eq i64 %passed, 1
  br i1 %through, label %step, label %leave
jump:
  %target = load i64, ptr %p1
  br label %step
back_edge:
  %repeated = load i64, ptr %p1
  %counted1 = load i64, ptr %counted_at
  %counted2 = add i64 %counted1, 1
  store i64 %counted2, ptr %counted_at
  %sixteenth = and i64 %counted2, {UNTIMED_ITERATIONS - 1}
  %untimed = icmp ne i64 %sixteenth, 0
  br i1 %untimed, label %step, label %timed
timed:
  %late2 = call i1 @late(i64 %limit)
  br i1 %late2, label %late_repeat, label %step
late_repeat:
  store i64 {TIME_SLICE_OVER}, ptr %reason_at
  ret i64 %repeated
repeated_launch:
  %loop = load i64, ptr %p1
  %going_at = load ptr, ptr %p2
  %body_function = load ptr, ptr %p3
  %body_arguments = load ptr, ptr %p4
  %body_iterations = load i64, ptr %p5
  br label %test
test:
  %turn = phi i64 [ 0, %repeated_launch ], [ %turn1, %turn_body ]
  %going = load i8, ptr %going_at
  %goes = icmp ne i8 %going, 0
  br i1 %goes, label %turn_body, label %no_more
turn_body:
  call void %body_function(ptr %body_arguments, i64 0, i64 %body_iterations)
  %turn1 = add i64 %turn, 1
  %many = icmp uge i64 %turn1, {UNTIMED_LAUNCHES}
  br i1 %many, label %enough, label %test
enough:
  %late3 = call i1 @late(i64 %limit)
  br i1 %late3, label %late_loop, label %step
late_loop:
  store i64 {TIME_SLICE_OVER}, ptr %reason_at
  ret i64 %loop
no_more:
  br label %step
branch:
  %byte_at = load ptr, ptr %p1
  %byte = load i8, ptr %byte_at
  %true = icmp ne i8 %byte, 0
  %when_false = load i64, ptr %p2
  %when_true = load i64, ptr %p3
  %chosen = select i1 %true, i64 %when_true, i64 %when_false
  br label %step
counted_branch:
  %byte_at2 = load ptr, ptr %p1
  %byte2 = load i8, ptr %byte_at2
  %more = icmp ne i8 %byte2, 0
  br i1 %more, label %counting, label %ended
ended:
  %exit = load i64, ptr %p2
  store i64 0, ptr %p4
  br label %step
counting:
  %body = load i64, ptr %p3
  %count = load i64, ptr %p4
  %left = load i64, ptr %p5
  %count1 = add i64 %count, 1
  store i64 %count1, ptr %p4
  %spent = icmp ugt i64 %count1, %left
  br i1 %spent, label %too_many, label %step
too_many:
  store i64 {ITERATION_LIMIT}, ptr %reason_at
  ret i64 %n
switch:
  %index_at = load ptr, ptr %p1
  %index = load i32, ptr %index_at
  %targets = load ptr, ptr %p2
  %last = load i64, ptr %p3
  %wide = sext i32 %index to i64
  %inside = icmp ult i64 %wide, %last
  %place = select i1 %inside, i64 %wide, i64 %last
  %place_at = getelementptr i64, ptr %targets, i64 %place
  %picked = load i64, ptr %place_at
  br label %step
leave:
  store i64 {REACHED_REQUEST}, ptr %reason_at
  ret i64 %n
}}

define internal i1 @late(i64 %limit) #0 {{
  %now = call i64 @ticks()
  %late = icmp ugt i64 %now, %limit
  ret i1 %late
}}

; Writes a word to all places of a list that is not empty.
define internal void @write(ptr %places, i64 %count, i64 %word) #0 {{
entry:
  br label %place
place:
  %i = phi i64 [ 0, %entry ], [ %i1, %place ]
  %at = getelementptr ptr, ptr %places, i64 %i
  %place_at = load ptr, ptr %at
  store i64 %word, ptr %place_at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %place, label %end
end:
  ret void
}}

define internal void @copy(ptr %to, ptr %from, i64 %bytes) #0 {{
begin:
  %same = icmp eq ptr %to, %from
  br i1 %same, label %end, label %entry
entry:
  %wide = and i64 %bytes, -64
  %some = icmp ne i64 %wide, 0
  br i1 %some, label %vectors, label %rest
vectors:
  %i = phi i64 [ 0, %entry ], [ %i1, %vectors ]
  %pf = getelementptr i8, ptr %from, i64 %i
  %pt = getelementptr i8, ptr %to, i64 %i
  %v = load <64 x i8>, ptr %pf, align 1
  store <64 x i8> %v, ptr %pt, align 1
  %i1 = add i64 %i, 64
  %more = icmp ult i64 %i1, %wide
  br i1 %more, label %vectors, label %rest
rest:
  %left = icmp ult i64 %wide, %bytes
  br i1 %left, label %bytewise, label %end
bytewise:
  %j = phi i64 [ %wide, %rest ], [ %j1, %bytewise ]
  %qf = getelementptr i8, ptr %from, i64 %j
  %qt = getelementptr i8, ptr %to, i64 %j
  %b = load i8, ptr %qf
  ; Volatile, so that LLVM does not make the loop a call of memcpy, which the object does not
  ; import; it orders nothing among threads.
  store volatile i8 %b, ptr %qt
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %bytes
  br i1 %again, label %bytewise, label %end
end:
  ret void
}}

; Walks, each with a table and a state: from the step that the state holds to the one that it holds
; then.
define void @walk_each(ptr %walks, i64 %begin, i64 %end) #0 {{
entry:
  br label %walk
walk:
  %i = phi i64 [ %begin, %entry ], [ %i1, %walk ]
  %offset = shl i64 %i, {WALK_BIT}
  %at = getelementptr i8, ptr %walks, i64 %offset
  %state_at = getelementptr i64, ptr %at, i64 {WALKED_STATE}
  %table = load ptr, ptr %at
  %state = load ptr, ptr %state_at
  %step_at = getelementptr i64, ptr %state, i64 {STEP}
  %first = load i64, ptr %step_at
  %step = call i64 @walk(ptr %table, i64 %first, ptr %state)
  store i64 %step, ptr %step_at
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %end
  br i1 %more, label %walk, label %done
done:
  ret void
}}

; Runs a record that is not part of a table; chunks that are not begun in time are left out.
define void @together(ptr %record, ptr %state) #0 {{
  %slice_at = getelementptr i64, ptr %state, i64 {TIME_SLICE}
  %slice = load i64, ptr %slice_at
  %begun = call i64 @ticks()
  %limit = add i64 %begun, %slice
  store i64 %limit, ptr %state
  %rest = call i64 @launch(ptr %record, ptr %state, i64 0)
  ret void
}}

; A kernel that copies blocks: its arguments are target, source, and bytes.
define void @copy_blocks(ptr %arguments, i64 %begin, i64 %end) #0 {{
  %from_at = getelementptr i64, ptr %arguments, i64 {COPY_SOURCE}
  %bytes_at = getelementptr i64, ptr %arguments, i64 {COPY_BYTES}
  %to = load ptr, ptr %arguments
  %from = load ptr, ptr %from_at
  %bytes = load i64, ptr %bytes_at
  %first = shl i64 %begin, {COPY_BLOCK_BIT}
  %full = shl i64 %end, {COPY_BLOCK_BIT}
  %cut = icmp ult i64 %bytes, %full
  %last = select i1 %cut, i64 %bytes, i64 %full
  %size = sub i64 %last, %first
  %target = getelementptr i8, ptr %to, i64 %first
  %source = getelementptr i8, ptr %from, i64 %first
  call void @copy(ptr %target, ptr %source, i64 %size)
  ret void
}}
"""

"""The native loop that walks the table of a plan; compiled once.

A record has eight words: kind, function, arguments, iterations, target, other target, count, free.
"""

from __future__ import annotations

from typing import Final

RECORD: Final = 8  # words
LAUNCH, COPY, JUMP, BRANCH, CHOOSE, LEAVE, REPEAT = range(7)

# walk(table, step, state) -> step: runs until a record that leaves, and returns its number. An
# iteration of a loop counts down the first word of the state, and leaves when it reaches zero; it
# leaves, too, when the clock is past the second word.
TEXT: Final = """
define void @copy(ptr %to, ptr %from, i64 %bytes) #0 {
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
  store volatile i8 %b, ptr %qt
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %bytes
  br i1 %again, label %bytewise, label %end
end:
  ret void
}

define i64 @walk(ptr %table, i64 %first, ptr %state) #0 {
entry:
  %limit = getelementptr i64, ptr %state, i64 1
  br label %step
step:
  %n = phi i64 [ %first, %entry ], [ %next, %launch ], [ %next, %copy ], [ %target, %jump ],
    [ %chosen, %branch ], [ %picked, %choose ], [ %target2, %counted ]
  %offset = shl i64 %n, 6
  %record = getelementptr i8, ptr %table, i64 %offset
  %next = add i64 %n, 1
  %kind = load i64, ptr %record
  %p1 = getelementptr i64, ptr %record, i64 1
  %p2 = getelementptr i64, ptr %record, i64 2
  %p3 = getelementptr i64, ptr %record, i64 3
  %p4 = getelementptr i64, ptr %record, i64 4
  %p5 = getelementptr i64, ptr %record, i64 5
  switch i64 %kind, label %leave [ i64 0, label %launch
    i64 1, label %copy
    i64 2, label %jump
    i64 3, label %branch
    i64 4, label %choose
    i64 6, label %repeat ]
launch:
  %function = load ptr, ptr %p1
  %arguments = load ptr, ptr %p2
  %iterations = load i64, ptr %p3
  call void %function(ptr %arguments, i64 0, i64 %iterations)
  br label %step
copy:
  %to = load ptr, ptr %p1
  %from = load ptr, ptr %p2
  %bytes = load i64, ptr %p3
  call void @copy(ptr %to, ptr %from, i64 %bytes)
  br label %step
jump:
  %target = load i64, ptr %p4
  br label %step
branch:
  %byte_at = load ptr, ptr %p1
  %byte = load i8, ptr %byte_at
  %true = icmp ne i8 %byte, 0
  %when_false = load i64, ptr %p4
  %when_true = load i64, ptr %p5
  %chosen = select i1 %true, i64 %when_true, i64 %when_false
  br label %step
choose:
  %index_at = load ptr, ptr %p1
  %index = load i32, ptr %index_at
  %last = load i64, ptr %p3
  %targets = load ptr, ptr %p2
  %wide = sext i32 %index to i64
  %inside = icmp ult i64 %wide, %last
  %place = select i1 %inside, i64 %wide, i64 %last
  %place_at = getelementptr i64, ptr %targets, i64 %place
  %picked = load i64, ptr %place_at
  br label %step
repeat:
  %target2 = load i64, ptr %p4
  %left = load i64, ptr %state
  %less = sub i64 %left, 1
  store i64 %less, ptr %state
  %spent = icmp eq i64 %less, 0
  br i1 %spent, label %leave, label %timed
timed:
  %now = call i64 @llvm.readcyclecounter()
  %end = load i64, ptr %limit
  %late = icmp ugt i64 %now, %end
  br i1 %late, label %leave, label %counted
counted:
  br label %step
leave:
  ret i64 %n
}
"""

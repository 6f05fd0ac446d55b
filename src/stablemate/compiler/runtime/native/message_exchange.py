"""Exchange programs among ranks, in LLVM IR: messages are sent and received in native code.

MPI's functions are called by their addresses. A program is a head of eight words, then steps of
eight words each:

    end
    call     kernel  arguments  iterations
    start    function  count  transfers                              starts messages
    await    function  transfer  status                              polls until a message is done
    add      place  number
    store    place  number

The head contains the current step, the address of a gate that is open at zero, how often to poll
for messages, after how many polls to yield the core, and room for a flag. A program that has polled
often enough returns, and continues when it is called again.
"""

from __future__ import annotations

from typing import Final

STEP_WORDS: Final = 8  # of the head, and of a step
STEP_BIT: Final = (8 * STEP_WORDS).bit_length() - 1
# The words of the head.
CURRENT_STEP, GATE, POLLS, PATIENCE, FLAG = range(5)
# The words of a step.
KIND, FIRST_OPERAND, SECOND_OPERAND, THIRD_OPERAND = range(4)
END, CALL, START, AWAIT, ADD, STORE = range(6)
IN_PROGRESS, DONE, FAILED = 0, 1, -1  # results of ``carry``

TEXT: Final = f"""
define i64 @carry(ptr %program) #0 {{
entry:
  %settings = call i64 @round_plainly()
  %done = call i64 @carry_steps(ptr %program)
  call void @round_as(i64 %settings)
  ret i64 %done
}}

; What the walk calls at a request: nothing is begun while the gate is closed.
define i64 @carry_at_once(ptr %program) #0 {{
entry:
  %gate_word = getelementptr i64, ptr %program, i64 {GATE}
  %gate_at = load ptr, ptr %gate_word
  ; Volatile, not atomic: Python opens and closes the gate between two walks, and nothing else is
  ; ordered by it.
  %gate = load volatile i64, ptr %gate_at
  %open = icmp eq i64 %gate, 0
  br i1 %open, label %go, label %leave
go:
  %done = call i64 @carry_steps(ptr %program)
  ret i64 %done
leave:
  ret i64 {IN_PROGRESS}
}}

define internal i64 @carry_steps(ptr %program) #0 {{
entry:
  %looks_at = getelementptr i64, ptr %program, i64 {POLLS}
  %patience_at = getelementptr i64, ptr %program, i64 {PATIENCE}
  %flag_at = getelementptr i64, ptr %program, i64 {FLAG}
  %most = load i64, ptr %looks_at
  %patience = load i64, ptr %patience_at
  %first = load i64, ptr %program
  br label %step
step:
  %n = phi i64 [ %first, %entry ], [ %n1, %next ]
  %place = add i64 %n, 1
  %offset = shl i64 %place, {STEP_BIT}
  %record = getelementptr i8, ptr %program, i64 %offset
  %r1 = getelementptr i64, ptr %record, i64 {FIRST_OPERAND}
  %r2 = getelementptr i64, ptr %record, i64 {SECOND_OPERAND}
  %r3 = getelementptr i64, ptr %record, i64 {THIRD_OPERAND}
  %kind = load i64, ptr %record
  %a = load ptr, ptr %r1
  %b = load i64, ptr %r2
  %pb = load ptr, ptr %r2
  %c = load i64, ptr %r3
  %pc = load ptr, ptr %r3
  %count = trunc i64 %b to i32
  switch i64 %kind, label %end [ i64 {CALL}, label %call
    i64 {START}, label %start
    i64 {AWAIT}, label %await
    i64 {ADD}, label %add
    i64 {STORE}, label %store ]
call:
  call void %a(ptr %pb, i64 0, i64 %c)
  br label %next
start:
  %begun = call i32 %a(i32 %count, ptr %pc)
  %started = icmp eq i32 %begun, 0
  br i1 %started, label %next, label %failed
await:
  %k = phi i64 [ 0, %step ], [ %k1, %again ]
  %looked = call i32 %a(ptr %pb, ptr %flag_at, ptr %pc)
  %well = icmp eq i32 %looked, 0
  br i1 %well, label %seen, label %failed
seen:
  %flag = load i32, ptr %flag_at
  %there = icmp ne i32 %flag, 0
  br i1 %there, label %next, label %absent
absent:
  %k1 = add i64 %k, 1
  %enough = icmp uge i64 %k1, %most
  br i1 %enough, label %under_way, label %impatient
impatient:
  %long = icmp ugt i64 %k1, %patience
  br i1 %long, label %yield, label %again
yield:
  call void @yield()
  br label %again
again:
  br label %await
add:
  %old = load i64, ptr %a
  %new = add i64 %old, %b
  store i64 %new, ptr %a
  br label %next
store:
  store i64 %b, ptr %a
  br label %next
next:
  %n1 = add i64 %n, 1
  br label %step
end:
  store i64 0, ptr %program
  ret i64 {DONE}
under_way:
  store i64 %n, ptr %program
  ret i64 {IN_PROGRESS}
failed:
  store i64 %n, ptr %program
  ret i64 {FAILED}
}}
"""

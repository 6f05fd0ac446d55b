"""Donation in native code: donated arguments are deleted, and results get their memory."""

from __future__ import annotations

from typing import Final

from stablemate.pjrt.native.records import RESULT_ROW, word

HOLDS_OF_CALL: Final = 2  # of an argument that nobody reads but the call: its own, and the call's

TEXT: Final = f"""
; Whether an argument is one that the caller wants to keep.
define internal i1 @is_kept(ptr %options, i64 %argument) #0 {{
entry:
  %kept = call ptr @ptr.ExecuteOptions.non_donatable_input_indices(ptr %options)
  %count = call i64 @get.ExecuteOptions.num_non_donatable_input_indices(ptr %options)
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %other ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %look, label %no
look:
  %at = getelementptr i64, ptr %kept, i64 %i
  %index = load i64, ptr %at
  %same = icmp eq i64 %index, %argument
  br i1 %same, label %yes, label %other
other:
  %i1 = add i64 %i, 1
  br label %next
yes:
  ret i1 true
no:
  ret i1 false
}}

; Deletes the arguments that are donated.
define internal void @donate(ptr %executable, ptr %options, ptr %buffers) #0 {{
entry:
  %count = call i64 @get.executable.num_arguments(ptr %executable)
  %donated = call ptr @ptr.executable.donated(ptr %executable)
  %none = icmp eq ptr %donated, null
  br i1 %none, label %end, label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %after ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %argument, label %end
argument:
  %flag_at = getelementptr i8, ptr %donated, i64 %i
  %flag = load i8, ptr %flag_at
  %is_donated = icmp ne i8 %flag, 0
  br i1 %is_donated, label %look, label %after
look:
  %kept = call i1 @is_kept(ptr %options, i64 %i)
  br i1 %kept, label %after, label %give_away
give_away:
  %at = getelementptr ptr, ptr %buffers, i64 %i
  %buffer = load ptr, ptr %at
  call void @delete(ptr %buffer)
  br label %after
after:
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}}

; Whether a donated argument is passed a second time; Python has the error.
define internal i1 @is_passed_twice(ptr %executable, ptr %options, ptr %buffers) #0 {{
entry:
  %count = call i64 @get.executable.num_arguments(ptr %executable)
  %donated = call ptr @ptr.executable.donated(ptr %executable)
  %none = icmp eq ptr %donated, null
  br i1 %none, label %no, label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %after ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %argument, label %no
argument:
  %flag_at = getelementptr i8, ptr %donated, i64 %i
  %flag = load i8, ptr %flag_at
  %is_donated = icmp ne i8 %flag, 0
  br i1 %is_donated, label %held, label %after
held:
  %at = getelementptr ptr, ptr %buffers, i64 %i
  %buffer = load ptr, ptr %at
  %holds_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "holds")}
  ; acquire as everywhere; the holds of this call are its own thread's, which it sees in any case,
  ; and those of others only make it search in vain.
  %holds = load atomic i64, ptr %holds_at acquire, align 8
  %several = icmp sgt i64 %holds, {HOLDS_OF_CALL}
  br i1 %several, label %look, label %after
look:
  %kept = call i1 @is_kept(ptr %options, i64 %i)
  br i1 %kept, label %after, label %search
search:
  %j = phi i64 [ 0, %look ], [ %j1, %compare ]
  %left = icmp ult i64 %j, %count
  br i1 %left, label %compare, label %after
compare:
  %other_at = getelementptr ptr, ptr %buffers, i64 %j
  %other = load ptr, ptr %other_at
  %same = icmp eq ptr %other, %buffer
  %different_place = icmp ne i64 %i, %j
  %again = and i1 %same, %different_place
  %j1 = add i64 %j, 1
  br i1 %again, label %yes, label %search
after:
  %i1 = add i64 %i, 1
  br label %next
yes:
  ret i1 true
no:
  ret i1 false
}}

; Leaves the buffer whose record the elements of another one follow.
define internal void @return_loan(ptr %data, ptr %lender) #0 {{
  call void @leave_buffer(ptr %lender)
  ret void
}}

; Whether the elements of a buffer may become those of a result: they are a block of their own, or
; follow this record or that of a lender.
define internal i1 @can_give(ptr %buffer) #0 {{
entry:
  %owned = call i64 @get.buffer.owned(ptr %buffer)
  %owns = icmp ne i64 %owned, 0
  br i1 %owns, label %yes, label %look
look:
  %on_delete = call ptr @ptr.buffer.on_delete(ptr %buffer)
  %borrows = icmp eq ptr %on_delete, @return_loan
  br i1 %borrows, label %yes, label %compare
compare:
  %data = call ptr @ptr.buffer.data(ptr %buffer)
  %rank = call i64 @get.buffer.rank(ptr %buffer)
  %offset = call i64 @inline_offset(i64 %rank)
  %after = getelementptr i8, ptr %buffer, i64 %offset
  %follows = icmp eq ptr %data, %after
  %done = call ptr @ptr.buffer.done(ptr %buffer)
  %is_done = icmp eq ptr %done, null
  %is_unseen = icmp eq ptr %on_delete, null
  %is_silent = and i1 %is_done, %is_unseen
  %gives = and i1 %follows, %is_silent
  ret i1 %gives
yes:
  ret i1 true
}}

; Whether a result may get the memory of an argument: it is donated, in the same memory, and nobody
; but this call reads it.
define internal i1 @can_adopt(ptr %row, ptr %arguments, ptr %options, ptr %memory) #0 {{
entry:
  %number = call i64 @get.result_row.donor(ptr %row)
  %none = icmp eq i64 %number, 0
  br i1 %none, label %no, label %look
look:
  %index = sub i64 %number, 1
  %at = getelementptr ptr, ptr %arguments, i64 %index
  %buffer = load ptr, ptr %at
  %owns = call i1 @can_give(ptr %buffer)
  %holds_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "holds")}
  ; acquire as everywhere; a guess, as others may take or drop holds: the exchange in ``adopt``
  ; decides.
  %holds = load atomic i64, ptr %holds_at acquire, align 8
  %alone = icmp eq i64 %holds, {HOLDS_OF_CALL}
  %own_memory = call ptr @ptr.buffer.memory(ptr %buffer)
  %same = icmp eq ptr %own_memory, %memory
  %first = and i1 %owns, %alone
  %both = and i1 %first, %same
  br i1 %both, label %ask, label %no
ask:
  %kept = call i1 @is_kept(ptr %options, i64 %index)
  %free = xor i1 %kept, true
  ret i1 %free
no:
  ret i1 false
}}

; Deletes an argument and gives its memory to a result; new memory if somebody has begun to read it
; in the meantime. The holds of the argument stay zero, so that nobody can hold it again. False if
; there is no memory.
define internal i1 @adopt(ptr %buffer, ptr %donor) #0 {{
entry:
  call void @delete(ptr %donor)
  %holds_at = getelementptr i64, ptr %donor, i64 {word("buffer", "holds")}
  ; acquire: all who read the elements have let go of them, with release, before the program
  ; overwrites them. A failure says that one has not.
  %exchange = cmpxchg ptr %holds_at, i64 1, i64 0 acq_rel acquire
  %alone = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %alone, label %take, label %allocate
take:
  %given = call ptr @ptr.buffer.owned(ptr %donor)
  %given_data = call ptr @ptr.buffer.data(ptr %donor)
  call void @put.buffer.owned(ptr %donor, ptr null)
  %owns = icmp ne ptr %given, null
  br i1 %owns, label %place, label %borrow
borrow:
  %on_delete = call ptr @ptr.buffer.on_delete(ptr %donor)
  %passes_on = icmp eq ptr %on_delete, @return_loan
  %given_lender = call ptr @ptr.buffer.on_delete_argument(ptr %donor)
  %lender = select i1 %passes_on, ptr %given_lender, ptr %donor
  %lends = xor i1 %passes_on, true
  %user = zext i1 %lends to i64
  %users_at = getelementptr i64, ptr %lender, i64 {word("buffer", "users")}
  ; As in ``hold``: the addition must only not get lost.
  %users = atomicrmw add ptr %users_at, i64 %user acq_rel
  call void @put.buffer.on_delete(ptr %donor, ptr null)
  call void @put.buffer.on_delete(ptr %buffer, ptr @return_loan)
  call void @put.buffer.on_delete_argument(ptr %buffer, ptr %lender)
  br label %place
allocate:
  %bytes = call i64 @get.buffer.bytes(ptr %buffer)
  %new = call ptr @allocate(i64 %bytes)
  %none = icmp eq ptr %new, null
  br i1 %none, label %fail, label %place
place:
  %block = phi ptr [ %given, %take ], [ null, %borrow ], [ %new, %allocate ]
  %data = phi ptr [ %given_data, %take ], [ %given_data, %borrow ], [ %new, %allocate ]
  call void @put.buffer.owned(ptr %buffer, ptr %block)
  call void @put.buffer.data(ptr %buffer, ptr %data)
  ret i1 true
fail:
  ret i1 false
}}

; Writes where the results are, after those without elements have got the memory of their donors.
define internal i1 @place_results(ptr %executable, ptr %arguments, ptr %buffers) #0 {{
entry:
  %count = call i64 @get.executable.num_results(ptr %executable)
  %rows = call ptr @ptr.executable.results(ptr %executable)
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %place ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %result, label %all
result:
  %offset = mul i64 %i, {RESULT_ROW}
  %row = getelementptr i64, ptr %rows, i64 %offset
  %at = getelementptr ptr, ptr %buffers, i64 %i
  %buffer = load ptr, ptr %at
  %elements = call ptr @ptr.buffer.data(ptr %buffer)
  %missing = icmp eq ptr %elements, null
  br i1 %missing, label %adopting, label %place
adopting:
  %number = call i64 @get.result_row.donor(ptr %row)
  %index = sub i64 %number, 1
  %donor_at = getelementptr ptr, ptr %arguments, i64 %index
  %donor = load ptr, ptr %donor_at
  %adopted = call i1 @adopt(ptr %buffer, ptr %donor)
  br i1 %adopted, label %place, label %fail
place:
  %data = call i64 @get.buffer.data(ptr %buffer)
  %places = call ptr @ptr.result_row.places(ptr %row)
  %place_count = call i64 @get.result_row.count(ptr %row)
  call void @patch(ptr %places, i64 %place_count, i64 %data)
  %i1 = add i64 %i, 1
  br label %next
all:
  ret i1 true
fail:
  ret i1 false
}}
"""

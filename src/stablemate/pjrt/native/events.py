"""Events in native code: ready ones, and those that are ready when a buffer is freed."""

from __future__ import annotations

from typing import Final

from stablemate.pjrt.native.records import CLOSED, EVENT_BYTES, PENDING, READY, size, word

# An event with an error is Python's: everything about it is asked there.
TEXT: Final = f"""
; Makes an event ready, and calls whoever waits for it, in the order in which they came.
define internal void @signal(ptr %event) #0 {{
entry:
  %state_at = getelementptr i64, ptr %event, i64 {word("event", "state")}
  ; release: who sees that the event is ready sees what was to be done before.
  store atomic i64 {READY}, ptr %state_at release, align 8
  %waiters_at = getelementptr i64, ptr %event, i64 {word("event", "waiters")}
  ; release: so does who comes too late to wait. acquire: waiters are seen with their callbacks.
  %last = atomicrmw xchg ptr %waiters_at, i64 {CLOSED} acq_rel
  br label %reverse
reverse:
  %left = phi i64 [ %last, %entry ], [ %earlier, %turn ]
  %turned = phi i64 [ 0, %entry ], [ %left, %turn ]
  %is_first = icmp eq i64 %left, 0
  br i1 %is_first, label %look, label %turn
turn:
  %waiter = inttoptr i64 %left to ptr
  %earlier = call i64 @get.waiter.before(ptr %waiter)
  call void @set.waiter.before(ptr %waiter, i64 %turned)
  br label %reverse
look:
  %next = phi i64 [ %turned, %reverse ], [ %following, %notify ]
  %over = icmp eq i64 %next, 0
  br i1 %over, label %end, label %notify
notify:
  %notified = inttoptr i64 %next to ptr
  %following = call i64 @get.waiter.before(ptr %notified)
  %callback = call ptr @ptr.waiter.callback(ptr %notified)
  %argument = call ptr @ptr.waiter.argument(ptr %notified)
  call void @free(ptr %notified)
  call void %callback(ptr null, ptr %argument)
  br label %look
end:
  call void @leave_event(ptr %event)
  ret void
}}

; Drops a hold of an event, and frees it with the last one; those of no hold live for ever.
define internal void @leave_event(ptr %event) #0 {{
  %holds_at = getelementptr i64, ptr %event, i64 {word("event", "holds")}
  ; monotonic: an event lives for ever or never, so that each number but zero says the same.
  %holds = load atomic i64, ptr %holds_at monotonic, align 8
  %lives = icmp eq i64 %holds, 0
  br i1 %lives, label %end, label %drop
drop:
  ; release: this holder's accesses come before the event is freed; acquire: the last one, who frees
  ; it, comes after those of all others.
  %before = atomicrmw sub ptr %holds_at, i64 1 acq_rel
  %last = icmp eq i64 %before, 1
  br i1 %last, label %free, label %end
free:
  call void @free(ptr %event)
  br label %end
end:
  ret void
}}

; An event that is not ready, with one hold for its buffer and one for the caller; null if there is
; no memory.
define internal ptr @new_event() #0 {{
  %event = call ptr @allocate(i64 {EVENT_BYTES})
  %none = icmp eq ptr %event, null
  br i1 %none, label %end, label %fill
fill:
  call void @set.event.zero(ptr %event, i64 0)
  call void @set.event.state(ptr %event, i64 {PENDING})
  call void @set.event.error(ptr %event, i64 0)
  call void @set.event.waiters(ptr %event, i64 0)
  call void @set.event.holds(ptr %event, i64 2)
  br label %end
end:
  ret ptr %event
}}

define ptr @Event_Destroy(ptr %a) #0 {{
  %event = call ptr @ptr.Event_Destroy.event(ptr %a)
  %error = call i64 @get.event.error(ptr %event)
  %fails = icmp ne i64 %error, 0
  br i1 %fails, label %python, label %native
native:
  call void @leave_event(ptr %event)
  ret ptr null
python:
  %result = call ptr @python.Event_Destroy(ptr %a)
  ret ptr %result
}}

; Callers destroy errors that are none, too; the error of calls after the end of Python stays.
define ptr @Error_Destroy(ptr %a) #0 {{
  %environment = load ptr, ptr @environment
  %ended = call ptr @ptr.environment.ended(ptr %environment)
  %error = call ptr @ptr.Error_Destroy.error(ptr %a)
  %none = icmp eq ptr %error, null
  %stays = icmp eq ptr %error, %ended
  %nothing = or i1 %none, %stays
  br i1 %nothing, label %end, label %python
end:
  ret ptr null
python:
  %result = call ptr @python.Error_Destroy(ptr %a)
  ret ptr %result
}}

define ptr @Error_Message(ptr %a) #0 {{
  %environment = load ptr, ptr @environment
  %ended = call ptr @ptr.environment.ended(ptr %environment)
  %error = call ptr @ptr.Error_Message.error(ptr %a)
  %is_over = icmp eq ptr %error, %ended
  br i1 %is_over, label %native, label %python
native:
  %text = call ptr @ptr.environment.ended_text(ptr %environment)
  %size = call i64 @get.environment.ended_size(ptr %environment)
  call void @put.Error_Message.message(ptr %a, ptr %text)
  call void @set.Error_Message.message_size(ptr %a, i64 %size)
  ret ptr null
python:
  %result = call ptr @python.Error_Message(ptr %a)
  ret ptr %result
}}

define ptr @Error_GetCode(ptr %a) #0 {{
  %environment = load ptr, ptr @environment
  %ended = call ptr @ptr.environment.ended(ptr %environment)
  %error = call ptr @ptr.Error_GetCode.error(ptr %a)
  %is_over = icmp eq ptr %error, %ended
  br i1 %is_over, label %native, label %python
native:
  %code = call i64 @get.environment.ended_code(ptr %environment)
  call void @set.Error_GetCode.code(ptr %a, i64 %code)
  ret ptr null
python:
  %result = call ptr @python.Error_GetCode(ptr %a)
  ret ptr %result
}}

define ptr @Event_IsReady(ptr %a) #0 {{
  %event = call ptr @ptr.Event_IsReady.event(ptr %a)
  %state_at = getelementptr i64, ptr %event, i64 {word("event", "state")}
  ; acquire: if it is ready, the caller sees what ``signal`` announces.
  %state = load atomic i64, ptr %state_at acquire, align 8
  %ready = icmp eq i64 %state, {READY}
  %value = zext i1 %ready to i64
  call void @set.Event_IsReady.is_ready(ptr %a, i64 %value)
  ret ptr null
}}

define ptr @Event_Error(ptr %a) #0 {{
  %event = call ptr @ptr.Event_Error.event(ptr %a)
  %error = call i64 @get.event.error(ptr %event)
  %fails = icmp ne i64 %error, 0
  br i1 %fails, label %python, label %native
native:
  ret ptr null
python:
  %result = call ptr @python.Event_Error(ptr %a)
  ret ptr %result
}}

define ptr @Event_Await(ptr %a) #0 {{
  %event = call ptr @ptr.Event_Await.event(ptr %a)
  %error = call i64 @get.event.error(ptr %event)
  %state_at = getelementptr i64, ptr %event, i64 {word("event", "state")}
  ; acquire: if it is ready, the caller sees what ``signal`` announces.
  %state = load atomic i64, ptr %state_at acquire, align 8
  %ready = icmp eq i64 %state, {READY}
  %sound = icmp eq i64 %error, 0
  %over = and i1 %ready, %sound
  br i1 %over, label %native, label %python
native:
  ret ptr null
python:
  %result = call ptr @python.Event_Await(ptr %a)
  ret ptr %result
}}

define ptr @Event_OnReady(ptr %a) #0 {{
  %event = call ptr @ptr.Event_OnReady.event(ptr %a)
  %callback = call ptr @ptr.Event_OnReady.callback(ptr %a)
  %argument = call ptr @ptr.Event_OnReady.user_arg(ptr %a)
  %state_at = getelementptr i64, ptr %event, i64 {word("event", "state")}
  %error = call i64 @get.event.error(ptr %event)
  %fails = icmp ne i64 %error, 0
  br i1 %fails, label %python, label %look
look:
  ; acquire: if it is ready, the callback sees what ``signal`` announces.
  %state = load atomic i64, ptr %state_at acquire, align 8
  %ready = icmp eq i64 %state, {READY}
  br i1 %ready, label %now, label %later
later:
  %waiter = call ptr @allocate(i64 {size("waiter")})
  %none = icmp eq ptr %waiter, null
  br i1 %none, label %python, label %fill
fill:
  call void @put.waiter.callback(ptr %waiter, ptr %callback)
  call void @put.waiter.argument(ptr %waiter, ptr %argument)
  %number = ptrtoint ptr %waiter to i64
  %waiters_at = getelementptr i64, ptr %event, i64 {word("event", "waiters")}
  br label %push
push:
  ; acquire: if it is closed, the callback sees what ``signal`` announces.
  %last = load atomic i64, ptr %waiters_at acquire, align 8
  %closed = icmp eq i64 %last, {CLOSED}
  br i1 %closed, label %late, label %link
link:
  call void @set.waiter.before(ptr %waiter, i64 %last)
  ; release: ``signal`` sees the waiter with its callback; acquire: those before it, too.
  %exchange = cmpxchg ptr %waiters_at, i64 %last, i64 %number acq_rel acquire
  %waits = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %waits, label %end, label %push
late:
  call void @free(ptr %waiter)
  br label %now
now:
  call void %callback(ptr null, ptr %argument)
  br label %end
end:
  ret ptr null
python:
  %result = call ptr @python.Event_OnReady(ptr %a)
  ret ptr %result
}}
"""

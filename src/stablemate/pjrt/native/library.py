"""The native library: all entries of ``PJRT_Api``, compiled once per machine and kept on disk."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Mapping, Sequence
from threading import main_thread
from typing import Any, Final

from stablemate.compiler.codegen.loader import Loaded, loaded_by_llvm
from stablemate.compiler.codegen.optimized_object import optimized_object
from stablemate.compiler.config.target import host
from stablemate.pjrt.interface.structures import BY_NAME
from stablemate.pjrt.native import background, buffers, donation, events, execution, layouts
from stablemate.pjrt.native.accessors import accessors
from stablemate.pjrt.native.records import (
    EXCEPTION_TRACEBACK,
    EXCEPTION_VALUE,
    EXCEPTION_WORDS,
    LAST_LOOK,
    RECORDS,
    word,
)

POLL_NANOSECONDS: Final = 50_000_000  # between two looks at signals
LARGE_BLOCK: Final = 1 << 23  # bytes; larger blocks ask for huge pages
HUGE_PAGE: Final = 1 << 21  # bytes of a huge page of x86-64 and AArch64
MADV_HUGEPAGE: Final = 14  # <sys/mman.h> of Linux

# Python code may not begin while an exception is on its way, and jaxlib destroys arrays then: the
# exception is put aside. Python can be called as long as the interpreter is initialized: in all
# handlers of atexit, and in threads until the last of them has returned. After that nothing is
# done; what should have been done is an error, but for what only frees.
# Calls of threads that Python does not know are counted: jaxlib joins its threads when a client is
# destroyed, while it holds Python's lock.
# An entry writes 1 or the address of an error where it is told; it writes nothing if a signal
# handler raised before its first line, as Ctrl-C does: it is called again, and the interrupt is
# raised once more after it, for the Python code that called jaxlib. What signal handlers raise
# before an entry is held until it is left: Python would write it to stderr as an exception that a
# callback could not raise.
BASE: Final = f"""
@environment = internal global ptr null

define void @bind(ptr %environment) #0 {{
  store ptr %environment, ptr @environment
  ret void
}}

define internal ptr @python(ptr %a, i64 %slot) #0 {{
  %environment = load ptr, ptr @environment
  %entries = call ptr @ptr.environment.entries(ptr %environment)
  %is_initialized = call ptr @ptr.environment.is_initialized(ptr %environment)
  %thread_state = call ptr @ptr.environment.thread_state(ptr %environment)
  %foreign_at = getelementptr i64, ptr %environment, i64 {word("environment", "foreign_calls")}
  %initialized = call i32 %is_initialized()
  %has_ended = icmp eq i32 %initialized, 0
  br i1 %has_ended, label %end, label %call
call:
  %known_state = call ptr %thread_state()
  %is_foreign = icmp eq ptr %known_state, null
  %counted = zext i1 %is_foreign to i64
  ; seq_cst: the call is counted before this thread asks for Python's lock. Who awaits the end of
  ; such calls looks several times, and reads nothing else because of the count: release and acquire
  ; would do, and cost as much beside the lock.
  %others = atomicrmw add ptr %foreign_at, i64 %counted seq_cst
  %type = alloca ptr
  %value = alloca ptr
  %traceback = alloca ptr
  %outcome = alloca i64
  %ensure = call ptr @ptr.environment.ensure(ptr %environment)
  %fetch = call ptr @ptr.environment.fetch(ptr %environment)
  %restore = call ptr @ptr.environment.restore(ptr %environment)
  %leave = call ptr @ptr.environment.leave(ptr %environment)
  %state = call i32 %ensure()
  call void %fetch(ptr %type, ptr %value, ptr %traceback)
  %entry_at = getelementptr ptr, ptr %entries, i64 %slot
  %entry = load ptr, ptr %entry_at
  %interrupted_at = getelementptr i64, ptr %environment, i64 {word("environment", "interrupted")}
  %raised = call i1 @poll()
  %outer = call i64 @get.environment.holds_exceptions(ptr %environment)
  %main_thread = call i64 @get.environment.main_thread(ptr %environment)
  %thread_ident = call ptr @ptr.environment.thread_ident(ptr %environment)
  %thread = call i64 %thread_ident()
  %is_main = icmp eq i64 %thread, %main_thread
  br i1 %is_main, label %hold, label %try
hold:
  call void @set.environment.holds_exceptions(ptr %environment, i64 1)
  br label %try
try:
  store i64 0, ptr %outcome
  call void %entry(ptr %a, ptr %outcome)
  %error = load i64, ptr %outcome
  %broken = icmp eq i64 %error, 0
  br i1 %broken, label %again, label %done
again:
  store i64 1, ptr %interrupted_at
  br label %try
done:
  %interrupted = load i64, ptr %interrupted_at
  store i64 0, ptr %interrupted_at
  %asks = icmp ne i64 %interrupted, 0
  br i1 %asks, label %interrupt, label %leaving
interrupt:
  %set_interrupt = call ptr @ptr.environment.interrupt(ptr %environment)
  call void %set_interrupt()
  br label %leaving
leaving:
  br i1 %is_main, label %release, label %left
release:
  call void @set.environment.holds_exceptions(ptr %environment, i64 %outer)
  %held = call ptr @ptr.environment.held_exception(ptr %environment)
  %none_held = icmp eq ptr %held, null
  br i1 %none_held, label %left, label %raise
raise:
  call void @raise_held()
  br label %left
left:
  %old_type = load ptr, ptr %type
  %old_value = load ptr, ptr %value
  %old_traceback = load ptr, ptr %traceback
  call void %restore(ptr %old_type, ptr %old_value, ptr %old_traceback)
  call void %leave(i32 %state)
  ; seq_cst, as above: the call is counted until this thread has let go of the lock.
  %remaining = atomicrmw sub ptr %foreign_at, i64 %counted seq_cst
  %sound = icmp eq i64 %error, 1
  %number = select i1 %sound, i64 0, i64 %error
  %result = inttoptr i64 %number to ptr
  ret ptr %result
end:
  %error_of_end = call ptr @ptr.environment.ended(ptr %environment)
  ret ptr %error_of_end
}}

; Lets Python's signal handlers run if this is the main thread. Whether one raises an exception, as
; that of Ctrl-C does; it is held until ``raise_held``.
define internal i1 @poll() #0 {{
entry:
  %pending = alloca [{EXCEPTION_WORDS} x ptr]
  %exception = alloca [{EXCEPTION_WORDS} x ptr]
  %value = getelementptr ptr, ptr %pending, i64 {EXCEPTION_VALUE}
  %traceback = getelementptr ptr, ptr %pending, i64 {EXCEPTION_TRACEBACK}
  %environment = load ptr, ptr @environment
  %main_thread = call i64 @get.environment.main_thread(ptr %environment)
  %thread_ident = call ptr @ptr.environment.thread_ident(ptr %environment)
  %is_initialized = call ptr @ptr.environment.is_initialized(ptr %environment)
  %thread = call i64 %thread_ident()
  %initialized = call i32 %is_initialized()
  %is_main = icmp eq i64 %thread, %main_thread
  %lives = icmp ne i32 %initialized, 0
  %both = and i1 %is_main, %lives
  br i1 %both, label %call, label %no
no:
  ret i1 false
call:
  %ensure = call ptr @ptr.environment.ensure(ptr %environment)
  %fetch = call ptr @ptr.environment.fetch(ptr %environment)
  %restore = call ptr @ptr.environment.restore(ptr %environment)
  %leave = call ptr @ptr.environment.leave(ptr %environment)
  %check = call ptr @ptr.environment.check_signals(ptr %environment)
  %state = call i32 %ensure()
  call void %fetch(ptr %pending, ptr %value, ptr %traceback)
  %came = call i32 %check()
  %raised = icmp ne i32 %came, 0
  br i1 %raised, label %take, label %leaving
take:
  %raised_value = getelementptr ptr, ptr %exception, i64 {EXCEPTION_VALUE}
  %raised_traceback = getelementptr ptr, ptr %exception, i64 {EXCEPTION_TRACEBACK}
  call void %fetch(ptr %exception, ptr %raised_value, ptr %raised_traceback)
  call void @drop_held(ptr %environment)
  %held = getelementptr i64, ptr %environment, i64 {word("environment", "held_exception")}
  call void @copy(ptr %held, ptr %exception, i64 {8 * EXCEPTION_WORDS})
  br label %leaving
leaving:
  %old_type = load ptr, ptr %pending
  %old_value = load ptr, ptr %value
  %old_traceback = load ptr, ptr %traceback
  call void %restore(ptr %old_type, ptr %old_value, ptr %old_traceback)
  call void %leave(i32 %state)
  ret i1 %raised
}}

; Makes the exception that is held the one that is on its way.
define internal void @restore_held(ptr %environment) #0 {{
  %restore = call ptr @ptr.environment.restore(ptr %environment)
  %type = call ptr @ptr.environment.held_exception(ptr %environment)
  %value = call ptr @ptr.environment.held_value(ptr %environment)
  %traceback = call ptr @ptr.environment.held_traceback(ptr %environment)
  call void @put.environment.held_exception(ptr %environment, ptr null)
  call void @put.environment.held_value(ptr %environment, ptr null)
  call void @put.environment.held_traceback(ptr %environment, ptr null)
  call void %restore(ptr %type, ptr %value, ptr %traceback)
  ret void
}}

; Forgets the exception that is held.
define internal void @drop_held(ptr %environment) #0 {{
  %clear = call ptr @ptr.environment.clear_exception(ptr %environment)
  call void @restore_held(ptr %environment)
  call void %clear()
  ret void
}}

; What Python calls in the main thread as soon as it runs its code again.
define internal i32 @raise_now(ptr %environment) #0 {{
  %type = call ptr @ptr.environment.held_exception(ptr %environment)
  %holds = call i64 @get.environment.holds_exceptions(ptr %environment)
  %none = icmp eq ptr %type, null
  %is_held = icmp ne i64 %holds, 0
  %waits = or i1 %none, %is_held
  br i1 %waits, label %end, label %raise
raise:
  call void @restore_held(ptr %environment)
  ret i32 -1
end:
  ret i32 0
}}

; Lets Python raise the exception that is held when native code has returned.
define internal void @raise_held() #0 {{
  %environment = load ptr, ptr @environment
  %add = call ptr @ptr.environment.add_pending_call(ptr %environment)
  %added = call i32 %add(ptr @raise_now, ptr %environment)
  ret void
}}

; Whether it is time for another look at signals; ``time`` holds two words for the clock and the
; time of the last look.
define internal i1 @is_poll_due(ptr %time) #0 {{
  %environment = load ptr, ptr @environment
  %clock = call ptr @ptr.environment.clock_gettime(ptr %environment)
  %last_at = getelementptr i64, ptr %time, i64 {LAST_LOOK}
  %last = load i64, ptr %last_at
  %now = call i64 @nanoseconds_now(ptr %clock, ptr %time)
  %passed = sub i64 %now, %last
  %due = icmp uge i64 %passed, {POLL_NANOSECONDS}
  br i1 %due, label %yes, label %no
yes:
  store i64 %now, ptr %last_at
  ret i1 true
no:
  ret i1 false
}}

; Calls Python to free something; the system frees it when Python has ended.
define internal ptr @python_free(ptr %a, i64 %slot) #0 {{
  %environment = load ptr, ptr @environment
  %ended = call ptr @ptr.environment.ended(ptr %environment)
  %error = call ptr @python(ptr %a, i64 %slot)
  %is_over = icmp eq ptr %error, %ended
  %result = select i1 %is_over, ptr null, ptr %error
  ret ptr %result
}}

; Memory on a cache line; null if there is none. Large blocks ask the system for huge pages: to
; provide pages of the usual size takes longer than to write their elements.
define internal ptr @allocate(i64 %bytes) #0 {{
entry:
  %environment = load ptr, ptr @environment
  %function = call ptr @ptr.environment.aligned_alloc(ptr %environment)
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %more = add i64 %some, 63
  %lines = and i64 %more, -64
  %is_large = icmp uge i64 %lines, {LARGE_BLOCK}
  br i1 %is_large, label %large, label %plain
plain:
  %block = call ptr %function(i64 64, i64 %lines)
  ret ptr %block
large:
  %advise = call ptr @ptr.environment.madvise(ptr %environment)
  %can_advise = icmp ne ptr %advise, null
  br i1 %can_advise, label %huge, label %plain
huge:
  %aligned = call ptr %function(i64 {HUGE_PAGE}, i64 %lines)
  %none = icmp eq ptr %aligned, null
  br i1 %none, label %end, label %advised
advised:
  %pages = and i64 %lines, -{HUGE_PAGE}
  %ignored = call i32 %advise(ptr %aligned, i64 %pages, i32 {MADV_HUGEPAGE})
  br label %end
end:
  ret ptr %aligned
}}

declare i64 @llvm.umax.i64(i64, i64)

define internal void @free(ptr %block) #0 {{
  %environment = load ptr, ptr @environment
  %function = call ptr @ptr.environment.free(ptr %environment)
  call void %function(ptr %block)
  ret void
}}

define internal void @copy(ptr %to, ptr %from, i64 %bytes) #0 {{
  %environment = load ptr, ptr @environment
  %function = call ptr @ptr.environment.memcpy(ptr %environment)
  call ptr %function(ptr %to, ptr %from, i64 %bytes)
  ret void
}}
"""
# Entries of extensions, whose slots follow those of the interface.
EXTENSION_ENTRIES: Final = (
    "Layouts_PJRT_Executable_GetOutputLayouts_Args",
    "Layouts_PJRT_Executable_GetParameterLayouts_Args",
    "Shardings_Executable_parameters",
    "Shardings_Executable_outputs",
)
PROFILER_ENTRIES: Final = (
    "Profiler_Create",
    "Profiler_Destroy",
    "Profiler_Start",
    "Profiler_Stop",
    "Profiler_CollectData",
)
FREEING: Final = ("_Destroy", "_Delete")  # how names of functions end that only free something
# News of other processes, which jaxlib tells on a thread: an error would end the process.
NEWS: Final = "Client_UpdateGlobalProcessInfo"
LONGEST_WAIT: Final = 60.0  # seconds until the end of calls at the end of the interpreter
PAUSE: Final = 0.001
QUIET_PAUSES: Final = 8  # without a call, after which none is expected
INLINED: Final = "attributes #8 = { alwaysinline nounwind }\n"


def text() -> str:
    """The LLVM text of the library."""
    texts = [background.TEXT, donation.TEXT, execution.TEXT, layouts.TEXT]
    hot = "\n".join([events.TEXT, buffers.text(), *texts])
    stubs: list[str] = []
    for name, function in BY_NAME.items():
        caller = "python_free" if is_freeing(name) else "python"
        stubs.append(
            f"define internal ptr @python.{name}(ptr %a) #8 {{\n"
            f"  %error = call ptr @{caller}(ptr %a, i64 {function.slot})\n  ret ptr %error\n}}"
        )
        if f"define ptr @{name}(" not in hot:
            stubs.append(
                f"define ptr @{name}(ptr %a) #0 {{\n"
                f"  %error = call ptr @python.{name}(ptr %a)\n  ret ptr %error\n}}"
            )
    for slot, name in enumerate((*EXTENSION_ENTRIES, *PROFILER_ENTRIES), len(BY_NAME)):
        stubs.append(
            f"define ptr @{name}(ptr %a) #0 {{\n"
            f"  %error = call ptr @python(ptr %a, i64 {slot})\n  ret ptr %error\n}}"
        )
    functions = "\n".join([BASE, hot, *stubs])
    return "\n".join([functions, *accessors(functions), INLINED])


def is_freeing(name: str) -> bool:
    """Whether a function does nothing after the end of Python, rather than report an error.

    It only frees something, describes an error, or tells what nothing depends on.
    """
    return name.startswith("Error_") or name.endswith(FREEING) or name == NEWS


def load_library() -> Loaded:
    """The library in this process, not yet bound to an environment."""
    target = host()
    own = [*layouts.NAMES, *background.NAMES, *buffers.NAMES, "bind"]
    names = [*BY_NAME, *EXTENSION_ENTRIES, *PROFILER_ENTRIES, *own]
    return loaded_by_llvm([optimized_object(text(), target)], names)


class Environment:
    """The addresses of the process that native code uses.

    Attributes:
        words: The record.
    """

    def __init__(self, library: Loaded, fields: Mapping[str, int], entries: Sequence[int]) -> None:
        """Binds the library.

        Args:
            library: The library.
            fields: Addresses by the record's names, except those that are the same everywhere.
            entries: The Python entries by slot.
        """
        system, python = ctypes.CDLL(None), ctypes.pythonapi
        self.entries = (ctypes.c_void_p * len(entries))(*entries)
        functions = {
            "aligned_alloc": system.aligned_alloc,
            "free": system.free,
            "memcpy": system.memcpy,
            "ensure": python.PyGILState_Ensure,
            "fetch": python.PyErr_Fetch,
            "restore": python.PyErr_Restore,
            "leave": python.PyGILState_Release,
            "interrupt": python.PyErr_SetInterrupt,
            "check_signals": python.PyErr_CheckSignals,
            "add_pending_call": python.Py_AddPendingCall,
            "clear_exception": python.PyErr_Clear,
            "thread_ident": python.PyThread_get_thread_ident,
            "is_initialized": python.Py_IsInitialized,
            "thread_state": python.PyGILState_GetThisThreadState,
            "current_state": current_state(python),
            "save_thread": python.PyEval_SaveThread,
            "restore_thread": python.PyEval_RestoreThread,
            "usleep": system.usleep,
            "clock_gettime": system.clock_gettime,
            "sem_post": system.sem_post,
            "sem_wait": system.sem_wait,
            "sem_trywait": system.sem_trywait,
            "sched_yield": system.sched_yield,
        }
        if sys.platform == "linux":  # other systems have no such advice
            functions["madvise"] = system.madvise
        addresses = {name: address_of(function) for name, function in functions.items()}
        addresses["job_waiters"] = background.CLOSED
        addresses["main_thread"] = main_thread().ident or 0
        addresses |= {"entries": ctypes.addressof(self.entries), **fields}
        names = RECORDS["environment"]
        self.words = (ctypes.c_uint64 * len(names))(*[addresses.get(name, 0) for name in names])
        BOUND.append(self)
        bind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.addresses["bind"])
        bind(ctypes.addressof(self.words))

    def interrupt_background(self) -> None:
        """Ends the program that runs in the background, if there is one."""
        number = self.words[word("environment", "job_state")]
        self.words[word("environment", "job_interrupted")] = number

    def await_foreign_calls(self) -> None:
        """Waits until threads that Python does not know make no calls of Python.

        Such a thread makes several calls, one soon after the other.
        """
        deadline, quiet = time.monotonic() + LONGEST_WAIT, 0
        while quiet < QUIET_PAUSES and time.monotonic() < deadline:
            time.sleep(PAUSE)
            quiet = 0 if self.words[word("environment", "foreign_calls")] else quiet + 1


def current_state(python: Any) -> Any:
    """The function that gives the state of the thread that holds Python's lock, without a check."""
    if sys.version_info >= (3, 13):
        return python.PyThreadState_GetUnchecked
    return getattr(python, "_PyThreadState_UncheckedGet")  # noqa: B009  # its name until then


BOUND: Final[list[Environment]] = []


def request_interrupt() -> None:
    """Raises Ctrl-C once more when native code has left Python."""
    for environment in BOUND:
        environment.words[word("environment", "interrupted")] = 1


def address_of(function: Any) -> int:
    """Where a function of ``ctypes`` is."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0

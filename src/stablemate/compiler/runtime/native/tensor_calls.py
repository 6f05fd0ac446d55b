"""The native entry point for tensors of other frameworks: a list of arguments, new results.

Each tensor is described by a function of the framework's DLPack exchange API; its sizes and strides
are compared with those that the program expects, and its address is written into the words that
hold it. A function of the framework allocates the results. What does not fit is left to a function
in Python, the fallback, which gets the list.

Source: DLPack 1.3, the C exchange API (``DLPackExchangeAPI``, ``DLTensor``); Python, the C API.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

from stablemate.compiler.runtime.native.foreign_layouts import (
    HOST_DEVICE,
    OBJECT_BYTES,
    TENSOR_BYTES,
    TENSOR_DEVICE,
    TENSOR_OFFSET,
    TENSOR_RANK,
    TENSOR_SIZES,
    TENSOR_STRIDES,
)
from stablemate.compiler.runtime.native.step_table import REACHED_REQUEST, REASON

# The words of a row: the position in the list, or the tuple of arguments of the allocation; rank;
# addresses of the sizes, the strides and the words that hold the operand's address; how many words
# these are. If the rank is HELD, the item of the list is the object whose address follows, and is
# not read. The donor of a result is the position in the list, plus one, of the argument that the
# result is written over; 0 if it is allocated.
POSITION, RANK, SIZES, STRIDES, ADDRESS_WORDS, ADDRESS_COUNT, DONOR = range(7)
ROW_WORDS: Final = 8
ROW_BIT: Final = (8 * ROW_WORDS).bit_length() - 1
HELD: Final = -1

# Words of the record that a call reads, by name; a NumPy array holds them.
WORDS: Final = (
    "length", "arguments", "argument_rows", "results", "result_rows",
    "table", "state", "is_busy", "is_short", "workers",
    "fallback", "resume", "allocate", "describe",
)  # fmt: skip
# Functions of Python, whose addresses follow.
FUNCTIONS: Final = (
    "PyList_Size", "PyList_GetItem", "PyList_New", "PyList_SetItem", "PyList_SetSlice",
    "PyObject_Call", "PyObject_CallOneArg", "PyErr_Clear", "PyLong_FromSsize_t", "Py_DecRef",
    "Py_IncRef",
    "PyEval_SaveThread", "PyEval_RestoreThread",
)  # fmt: skip
OFFSETS: Final = {name: 8 * i for i, name in enumerate((*WORDS, *FUNCTIONS))}
RECORD_BYTES: Final = 8 * len(OFFSETS)
ONE_ARGUMENT: Final = 0x0008  # METH_O
UNSTARTED: Final = -1  # the reason in the state: the pool's workers do not run, nothing has begun


def getters() -> str:
    """LLVM functions that read the words of the record."""
    return "\n".join(
        f"""
define internal ptr @record.{name}(ptr %record) #0 {{
  %at = getelementptr i8, ptr %record, i64 {offset}
  %word = load ptr, ptr %at
  ret ptr %word
}}"""
        for name, offset in OFFSETS.items()
    )


def function_addresses() -> list[int]:
    """The addresses of the functions of Python that calls use."""
    address = ctypes.c_void_p
    return [ctypes.cast(getattr(ctypes.pythonapi, name), address).value or 0 for name in FUNCTIONS]


def builtin_function(method: int, record: object) -> Any:
    """A builtin function of Python.

    Args:
        method: The address of its definition, which outlives it.
        record: The object that the native function gets before its argument.
    """
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype = ctypes.py_object
    create.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return create(method, record, None)


# bind_tensor(record, row, object) -> 0 if the tensor fits the row; its address is stored.
# call_tensors(array, list) -> list: a builtin function with one argument. The array is NumPy's;
# ``can_read_arrays`` checks its layout.
TEXT: Final = (
    getters()
    + f"""
define internal i64 @bind_tensor(ptr %record, ptr %row, ptr %object) #0 {{
entry:
  %tensor = alloca [{TENSOR_BYTES // 8} x i64], align 16
  %r1 = getelementptr i64, ptr %row, i64 {RANK}
  %r2 = getelementptr i64, ptr %row, i64 {SIZES}
  %expected_rank = load i64, ptr %r1
  %expected_sizes = load ptr, ptr %r2
  %is_held = icmp slt i64 %expected_rank, 0
  br i1 %is_held, label %identify, label %read
identify:
  %is_same = icmp eq ptr %object, %expected_sizes
  br i1 %is_same, label %fit, label %unfit
read:
  %describe = call ptr @record.describe(ptr %record)
  %failed = call i32 %describe(ptr %object, ptr %tensor)
  %described = icmp eq i32 %failed, 0
  br i1 %described, label %located, label %unfit
located:
  %device_at = getelementptr i8, ptr %tensor, i64 {TENSOR_DEVICE}
  %rank_at = getelementptr i8, ptr %tensor, i64 {TENSOR_RANK}
  %sizes_at = getelementptr i8, ptr %tensor, i64 {TENSOR_SIZES}
  %strides_at = getelementptr i8, ptr %tensor, i64 {TENSOR_STRIDES}
  %start_at = getelementptr i8, ptr %tensor, i64 {TENSOR_OFFSET}
  %r3 = getelementptr i64, ptr %row, i64 {STRIDES}
  %r4 = getelementptr i64, ptr %row, i64 {ADDRESS_WORDS}
  %r5 = getelementptr i64, ptr %row, i64 {ADDRESS_COUNT}
  %device = load i32, ptr %device_at
  %rank = load i32, ptr %rank_at
  %wide_rank = zext i32 %rank to i64
  %sizes = load ptr, ptr %sizes_at
  %strides = load ptr, ptr %strides_at
  %expected_strides = load ptr, ptr %r3
  %is_host = icmp eq i32 %device, {HOST_DEVICE}
  %same_rank = icmp eq i64 %wide_rank, %expected_rank
  %fits = and i1 %is_host, %same_rank
  br i1 %fits, label %dimension, label %unfit
dimension:
  %d = phi i64 [ 0, %located ], [ %d1, %equal ]
  %more = icmp ult i64 %d, %wide_rank
  br i1 %more, label %compare, label %address
compare:
  %size_at = getelementptr i64, ptr %sizes, i64 %d
  %expected_size_at = getelementptr i64, ptr %expected_sizes, i64 %d
  %stride_at = getelementptr i64, ptr %strides, i64 %d
  %expected_stride_at = getelementptr i64, ptr %expected_strides, i64 %d
  %size = load i64, ptr %size_at
  %expected_size = load i64, ptr %expected_size_at
  %stride = load i64, ptr %stride_at
  %expected_stride = load i64, ptr %expected_stride_at
  %same_size = icmp eq i64 %size, %expected_size
  %same_stride = icmp eq i64 %stride, %expected_stride
  %is_single = icmp ule i64 %size, 1
  %is_in_place = or i1 %same_stride, %is_single
  %same = and i1 %same_size, %is_in_place
  br i1 %same, label %equal, label %unfit
equal:
  %d1 = add i64 %d, 1
  br label %dimension
address:
  %first = load i64, ptr %tensor
  %start = load i64, ptr %start_at
  %data = add i64 %first, %start
  %words = load ptr, ptr %r4
  %count = load i64, ptr %r5
  br label %next_word
next_word:
  %p = phi i64 [ 0, %address ], [ %p1, %write ]
  %unwritten = icmp ult i64 %p, %count
  br i1 %unwritten, label %write, label %fit
write:
  %word_at = getelementptr ptr, ptr %words, i64 %p
  %word = load ptr, ptr %word_at
  store i64 %data, ptr %word
  %p1 = add i64 %p, 1
  br label %next_word
fit:
  ret i64 0
unfit:
  ret i64 1
}}

define internal i64 @bind_arguments(ptr %record, ptr %list) #0 {{
entry:
  %item = call ptr @record.PyList_GetItem(ptr %record)
  %rows = call ptr @record.argument_rows(ptr %record)
  %last = call ptr @record.arguments(ptr %record)
  %count = ptrtoint ptr %last to i64
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %bind ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %bind, label %all
bind:
  %offset = shl i64 %i, {ROW_BIT}
  %row = getelementptr i8, ptr %rows, i64 %offset
  %position = load i64, ptr %row
  %object = call ptr %item(ptr %list, i64 %position)
  %unfit = call i64 @bind_tensor(ptr %record, ptr %row, ptr %object)
  %i1 = add i64 %i, 1
  %fits = icmp eq i64 %unfit, 0
  br i1 %fits, label %next, label %differs
differs:
  ret i64 1
all:
  ret i64 0
}}

; The list of results, newly allocated or written over arguments; null if that failed.
define internal ptr @allocate_results(ptr %record, ptr %given) #0 {{
entry:
  %item = call ptr @record.PyList_GetItem(ptr %record)
  %keep = call ptr @record.Py_IncRef(ptr %record)
  %new = call ptr @record.PyList_New(ptr %record)
  %put = call ptr @record.PyList_SetItem(ptr %record)
  %call = call ptr @record.PyObject_Call(ptr %record)
  %drop = call ptr @record.Py_DecRef(ptr %record)
  %allocate = call ptr @record.allocate(ptr %record)
  %rows = call ptr @record.result_rows(ptr %record)
  %last = call ptr @record.results(ptr %record)
  %count = ptrtoint ptr %last to i64
  %list = call ptr %new(i64 %count)
  %none = icmp eq ptr %list, null
  br i1 %none, label %failed, label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %bind ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %create, label %all
create:
  %offset = shl i64 %i, {ROW_BIT}
  %row = getelementptr i8, ptr %rows, i64 %offset
  %donor_at = getelementptr i64, ptr %row, i64 {DONOR}
  %donor = load i64, ptr %donor_at
  %is_own = icmp eq i64 %donor, 0
  br i1 %is_own, label %allocation, label %overwritten
overwritten:
  %position = sub i64 %donor, 1
  %argument = call ptr %item(ptr %given, i64 %position)
  call void %keep(ptr %argument)
  br label %bind
allocation:
  %form = load ptr, ptr %row
  %allocated = call ptr %call(ptr %allocate, ptr %form, ptr null)
  %no_tensor = icmp eq ptr %allocated, null
  br i1 %no_tensor, label %release, label %bind
bind:
  %tensor = phi ptr [ %argument, %overwritten ], [ %allocated, %allocation ]
  %stored = call i32 %put(ptr %list, i64 %i, ptr %tensor)
  %unfit = call i64 @bind_tensor(ptr %record, ptr %row, ptr %tensor)
  %i1 = add i64 %i, 1
  %fits = icmp eq i64 %unfit, 0
  br i1 %fits, label %next, label %release
release:
  call void %drop(ptr %list)
  br label %failed
failed:
  ret ptr null
all:
  ret ptr %list
}}

; Runs the program; 0 if it raised an error.
define internal i64 @run_tensors(ptr %record) #0 {{
entry:
  %table = call ptr @record.table(ptr %record)
  %state = call ptr @record.state(ptr %record)
  %short = call ptr @record.is_short(ptr %record)
  %workers_at = call ptr @record.workers(ptr %record)
  %is_short = icmp ne ptr %short, null
  br i1 %is_short, label %holding, label %check_workers
holding:
  %short_step = call i64 @walk(ptr %table, i64 0, ptr %state)
  br label %ran
check_workers:
  %is_shared = icmp ne ptr %workers_at, null
  br i1 %is_shared, label %look, label %release
look:
  %workers = load i8, ptr %workers_at
  %started = icmp ne i8 %workers, 0
  br i1 %started, label %release, label %unstarted
unstarted:
  %unstarted_at = getelementptr i64, ptr %state, i64 {REASON}
  store i64 {UNSTARTED}, ptr %unstarted_at
  br label %ran
release:
  %save = call ptr @record.PyEval_SaveThread(ptr %record)
  %restore = call ptr @record.PyEval_RestoreThread(ptr %record)
  %thread = call ptr %save()
  %long_step = call i64 @walk(ptr %table, i64 0, ptr %state)
  call void %restore(ptr %thread)
  br label %ran
ran:
  %step = phi i64 [ %short_step, %holding ], [ %long_step, %release ], [ 0, %unstarted ]
  %reason_at = getelementptr i64, ptr %state, i64 {REASON}
  %reason = load i64, ptr %reason_at
  %ended = icmp eq i64 %reason, {REACHED_REQUEST}
  br i1 %ended, label %done, label %resume
resume:
  %call = call ptr @record.PyObject_CallOneArg(ptr %record)
  %integer = call ptr @record.PyLong_FromSsize_t(ptr %record)
  %drop = call ptr @record.Py_DecRef(ptr %record)
  %continuation = call ptr @record.resume(ptr %record)
  %number = call ptr %integer(i64 %step)
  %answer = call ptr %call(ptr %continuation, ptr %number)
  call void %drop(ptr %number)
  %raised = icmp eq ptr %answer, null
  br i1 %raised, label %failed, label %finished
finished:
  call void %drop(ptr %answer)
  br label %done
failed:
  ret i64 0
done:
  ret i64 1
}}

define ptr @call_tensors(ptr %array, ptr %list) #0 {{
entry:
  %record_at = getelementptr i8, ptr %array, i64 {OBJECT_BYTES}
  %record = load ptr, ptr %record_at
  %clear = call ptr @record.PyErr_Clear(ptr %record)
  %size = call ptr @record.PyList_Size(ptr %record)
  %slice = call ptr @record.PyList_SetSlice(ptr %record)
  %drop = call ptr @record.Py_DecRef(ptr %record)
  %length = call ptr @record.length(ptr %record)
  %expected = ptrtoint ptr %length to i64
  %busy_at = getelementptr i8, ptr %record, i64 {OFFSETS["is_busy"]}
  %busy = load i64, ptr %busy_at
  %given = call i64 %size(ptr %list)
  %complete = icmp eq i64 %given, %expected
  %idle = icmp eq i64 %busy, 0
  %ready = and i1 %complete, %idle
  br i1 %ready, label %bind, label %fallback
bind:
  store i64 1, ptr %busy_at
  %unfit = call i64 @bind_arguments(ptr %record, ptr %list)
  %fits = icmp eq i64 %unfit, 0
  br i1 %fits, label %allocate, label %release
allocate:
  %results = call ptr @allocate_results(ptr %record, ptr %list)
  %none = icmp eq ptr %results, null
  br i1 %none, label %release, label %run
run:
  %ran = call i64 @run_tensors(ptr %record)
  store i64 0, ptr %busy_at
  %succeeded = icmp ne i64 %ran, 0
  br i1 %succeeded, label %empty, label %failed
empty:
  %emptied = call i32 %slice(ptr %list, i64 0, i64 %given, ptr null)
  ret ptr %results
failed:
  call void %drop(ptr %results)
  ret ptr null
release:
  store i64 0, ptr %busy_at
  br label %fallback
fallback:
  call void %clear()
  %call = call ptr @record.PyObject_CallOneArg(ptr %record)
  %other = call ptr @record.fallback(ptr %record)
  %answer = call ptr %call(ptr %other, ptr %list)
  ret ptr %answer
}}
"""
)

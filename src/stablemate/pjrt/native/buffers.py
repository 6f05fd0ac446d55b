"""Buffers in native code: their fields, their life, and copies from and to the host."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from stablemate.pjrt.interface.element_types import BOOLEAN, NUMBERS
from stablemate.pjrt.native.records import (
    BUFFER_BYTES,
    COPIED_BYTES,
    DELETED,
    INCOMPLETE,
    word,
)

# The first PJRT_HostBufferSemantics with which the host leaves shared elements as they are.
IMMUTABLE_ZERO_COPY: Final = 2
SHARED_ALIGNMENT: Final = 16  # bytes, of elements that are shared

# Functions that copy fields of an object into their arguments.
FIELDS: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    "Buffer_ElementType": ("buffer", "buffer", {"type": "type"}),
    "Buffer_Dimensions": ("buffer", "buffer", {"dims": "sizes", "num_dims": "rank"}),
    "Buffer_UnpaddedDimensions": (
        "buffer", "buffer", {"unpadded_dims": "sizes", "num_dims": "rank"},
    ),
    "Buffer_OnDeviceSizeInBytes": ("buffer", "buffer", {"on_device_size_in_bytes": "bytes"}),
    "Buffer_Device": ("buffer", "buffer", {"device": "device"}),
    "Buffer_Memory": ("buffer", "buffer", {"memory": "memory"}),
    "Memory_Kind": ("memory", "memory", {"kind": "kind", "kind_size": "kind_size"}),
    "Device_LocalHardwareId": ("device", "device", {"local_hardware_id": "local_id"}),
    "Executable_NumReplicas": ("executable", "executable", {"num_replicas": "num_replicas"}),
    "Executable_NumPartitions": ("executable", "executable", {"num_partitions": "num_partitions"}),
    "Executable_NumOutputs": ("executable", "executable", {"num_outputs": "num_results"}),
}  # fmt: skip
# Functions of a buffer that is complete and not deleted, and what they do with it.
LIVING: Final[Mapping[str, str]] = {
    "Buffer_ReadyEvent": """
  %event = call ptr @pending_event()
  call void @put.Buffer_ReadyEvent.event(ptr %a, ptr %event)""",
    "Buffer_UnsafePointer": """
  call void @settle()
  %data = call i64 @get.buffer.data(ptr %buffer)
  call void @set.Buffer_UnsafePointer.buffer_pointer(ptr %a, i64 %data)""",
    "Buffer_OpaqueDeviceMemoryDataPointer": """
  call void @settle()
  %data = call i64 @get.buffer.data(ptr %buffer)
  call void @set.Buffer_OpaqueDeviceMemoryDataPointer.device_memory_ptr(ptr %a, i64 %data)""",
}

LIFE: Final = f"""
; Holds the elements of a buffer; false if it is deleted or incomplete.
define internal i1 @hold(ptr %buffer) #0 {{
entry:
  %holds_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "holds")}
  %deleted_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "deleted")}
  ; acquire: after a transfer, which stores 0 with release, its elements are seen.
  %deleted = load atomic i64, ptr %deleted_at acquire, align 8
  %dead = icmp ne i64 %deleted, 0
  br i1 %dead, label %no, label %look
look:
  ; acquire, as the exchange below, which decides: the count is its first guess.
  %holds = load atomic i64, ptr %holds_at acquire, align 8
  br label %try
try:
  %seen = phi i64 [ %holds, %look ], [ %now, %more ]
  %freed = icmp sle i64 %seen, 0
  br i1 %freed, label %no, label %more
more:
  %next = add i64 %seen, 1
  ; acquire: elements are read after they are held; that they are freed or overwritten after the
  ; reads is up to ``drop_elements``. A failure is the next guess.
  %exchange = cmpxchg ptr %holds_at, i64 %seen, i64 %next acq_rel acquire
  %now = extractvalue {{ i64, i1 }} %exchange, 0
  %held = extractvalue {{ i64, i1 }} %exchange, 1
  br i1 %held, label %yes, label %try
yes:
  %users_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "users")}
  ; The use of the caller keeps the record meanwhile: the addition must only not get lost, which
  ; every strength ensures.
  %users = atomicrmw add ptr %users_at, i64 1 acq_rel
  ret i1 true
no:
  ret i1 false
}}

; Frees the record when nobody uses it any more.
define internal void @leave_buffer(ptr %buffer) #0 {{
  %users_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "users")}
  ; release: this user's accesses to the record come before it is freed; acquire: the last one, who
  ; frees it, comes after those of all others.
  %before = atomicrmw sub ptr %users_at, i64 1 acq_rel
  %last = icmp eq i64 %before, 1
  br i1 %last, label %free, label %end
free:
  call void @free(ptr %buffer)
  br label %end
end:
  ret void
}}

; Drops the hold of a reader.
define internal void @drop(ptr %buffer) #0 {{
  call void @drop_elements(ptr %buffer)
  call void @leave_buffer(ptr %buffer)
  ret void
}}

; Drops a hold, and frees the elements with the last one.
define internal void @drop_elements(ptr %buffer) #0 {{
  %holds_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "holds")}
  ; release: this reader has read the elements before they are freed, or given to a result; acquire:
  ; the last one, who frees them, comes after all others.
  %before = atomicrmw sub ptr %holds_at, i64 1 acq_rel
  %last = icmp eq i64 %before, 1
  br i1 %last, label %owned, label %end
owned:
  %block = call ptr @ptr.buffer.owned(ptr %buffer)
  %owns = icmp ne ptr %block, null
  br i1 %owns, label %free, label %shared
free:
  call void @free(ptr %block)
  br label %shared
shared:
  %event = call ptr @ptr.buffer.done(ptr %buffer)
  %shares = icmp ne ptr %event, null
  br i1 %shares, label %done, label %viewed
done:
  call void @signal(ptr %event)
  br label %viewed
viewed:
  %on_delete = call ptr @ptr.buffer.on_delete(ptr %buffer)
  %views = icmp ne ptr %on_delete, null
  br i1 %views, label %notify, label %end
notify:
  %data = call ptr @ptr.buffer.data(ptr %buffer)
  %argument = call ptr @ptr.buffer.on_delete_argument(ptr %buffer)
  %lent = icmp eq ptr %on_delete, @return_loan
  br i1 %lent, label %here, label %look
look:
  %apart = call i1 @delete_apart(ptr %on_delete, ptr %data, ptr %argument)
  br i1 %apart, label %end, label %here
here:
  call void %on_delete(ptr %data, ptr %argument)
  br label %end
end:
  ret void
}}

; Deletes a buffer once; its elements are freed when nobody reads them any more.
define internal void @delete(ptr %buffer) #0 {{
  %deleted_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "deleted")}
  ; One exchange, so that of several callers one alone drops the buffer's own hold. acq_rel: after a
  ; transfer has ended, its elements are written before they are freed; what follows is ordered by
  ; the count of holds.
  %before = atomicrmw xchg ptr %deleted_at, i64 {DELETED} acq_rel
  %again = icmp eq i64 %before, {DELETED}
  br i1 %again, label %end, label %drop
drop:
  call void @drop_elements(ptr %buffer)
  br label %end
end:
  ret void
}}

define ptr @Buffer_IsDeleted(ptr %a) #0 {{
  %buffer = call ptr @ptr.Buffer_IsDeleted.buffer(ptr %a)
  %deleted_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "deleted")}
  ; acquire, as in ``hold``; the caller learns the state alone.
  %state = load atomic i64, ptr %deleted_at acquire, align 8
  %deleted = icmp eq i64 %state, {DELETED}
  %value = zext i1 %deleted to i64
  call void @set.Buffer_IsDeleted.is_deleted(ptr %a, i64 %value)
  ret ptr null
}}

; The elements that were on their way are there.
define ptr @complete_transfer(ptr %buffer) #0 {{
  %deleted_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "deleted")}
  ; release: who holds the buffer then sees its elements. A failure, as the buffer was deleted
  ; meanwhile, leaves it deleted.
  %exchange = cmpxchg ptr %deleted_at, i64 {INCOMPLETE}, i64 0 acq_rel acquire
  ret ptr null
}}

define ptr @Buffer_Delete(ptr %a) #0 {{
  %buffer = call ptr @ptr.Buffer_Delete.buffer(ptr %a)
  call void @delete(ptr %buffer)
  ret ptr null
}}

define internal void @destroy(ptr %buffer) #0 {{
  call void @delete(ptr %buffer)
  call void @leave_buffer(ptr %buffer)
  ret void
}}

define ptr @Buffer_Destroy(ptr %a) #0 {{
  %buffer = call ptr @ptr.Buffer_Destroy.buffer(ptr %a)
  call void @destroy(ptr %buffer)
  ret ptr null
}}

define ptr @Buffer_IncreaseExternalReferenceCount(ptr %a) #0 {{
  %buffer = call ptr @ptr.Buffer_IncreaseExternalReferenceCount.buffer(ptr %a)
  %held = call i1 @hold(ptr %buffer)
  br i1 %held, label %end, label %python
end:
  ret ptr null
python:
  %result = call ptr @python.Buffer_IncreaseExternalReferenceCount(ptr %a)
  ret ptr %result
}}

define ptr @Buffer_DecreaseExternalReferenceCount(ptr %a) #0 {{
  %buffer = call ptr @ptr.Buffer_DecreaseExternalReferenceCount.buffer(ptr %a)
  call void @drop(ptr %buffer)
  ret ptr null
}}

define ptr @Buffer_IsOnCpu(ptr %a) #0 {{
  call void @set.Buffer_IsOnCpu.is_on_cpu(ptr %a, i64 1)
  ret ptr null
}}

; No size is dynamic.
define ptr @Buffer_DynamicDimensionIndices(ptr %a) #0 {{
  %environment = load ptr, ptr @environment
  %anything = call ptr @ptr.environment.ready(ptr %environment)
  call void @put.Buffer_DynamicDimensionIndices.dynamic_dim_indices(ptr %a, ptr %anything)
  call void @set.Buffer_DynamicDimensionIndices.num_dynamic_dims(ptr %a, i64 0)
  ret ptr null
}}

define ptr @Buffer_ToHostBuffer(ptr %a) #0 {{
  %environment = load ptr, ptr @environment
  %buffer = call ptr @ptr.Buffer_ToHostBuffer.src(ptr %a)
  %target = call ptr @ptr.Buffer_ToHostBuffer.dst(ptr %a)
  %layout = call ptr @ptr.Buffer_ToHostBuffer.host_layout(ptr %a)
  %asks = icmp eq ptr %target, null
  %is_laid_out = icmp ne ptr %layout, null
  %unusual = or i1 %asks, %is_laid_out
  br i1 %unusual, label %python, label %try
try:
  call void @settle()
  %held = call i1 @hold(ptr %buffer)
  br i1 %held, label %copy, label %python
copy:
  %data = call ptr @ptr.buffer.data(ptr %buffer)
  %bytes = call i64 @get.buffer.bytes(ptr %buffer)
  call void @copy(ptr %target, ptr %data, i64 %bytes)
  call void @drop(ptr %buffer)
  %event = call ptr @ptr.environment.ready(ptr %environment)
  call void @put.Buffer_ToHostBuffer.event(ptr %a, ptr %event)
  ret ptr null
python:
  %result = call ptr @python.Buffer_ToHostBuffer(ptr %a)
  ret ptr %result
}}
"""

# Fills in a new buffer; ``sizes`` are copied behind the record.
NEW: Final = f"""
define internal void @fill(ptr %buffer, ptr %device, ptr %memory, i64 %type, i64 %rank, ptr %sizes,
    i64 %bytes, ptr %data) #0 {{
  %own = getelementptr i8, ptr %buffer, i64 {BUFFER_BYTES}
  call void @set.buffer.zero(ptr %buffer, i64 0)
  call void @put.buffer.data(ptr %buffer, ptr %data)
  call void @set.buffer.bytes(ptr %buffer, i64 %bytes)
  call void @put.buffer.device(ptr %buffer, ptr %device)
  call void @put.buffer.memory(ptr %buffer, ptr %memory)
  call void @set.buffer.type(ptr %buffer, i64 %type)
  call void @set.buffer.rank(ptr %buffer, i64 %rank)
  call void @put.buffer.sizes(ptr %buffer, ptr %own)
  call void @set.buffer.deleted(ptr %buffer, i64 0)
  call void @set.buffer.holds(ptr %buffer, i64 1)
  call void @set.buffer.users(ptr %buffer, i64 1)
  call void @put.buffer.owned(ptr %buffer, ptr null)
  call void @put.buffer.done(ptr %buffer, ptr null)
  call void @put.buffer.on_delete(ptr %buffer, ptr null)
  call void @put.buffer.layout(ptr %buffer, ptr null)
  br label %next
next:
  %i = phi i64 [ 0, %0 ], [ %i1, %size ]
  %more = icmp ult i64 %i, %rank
  br i1 %more, label %size, label %end
size:
  %from = getelementptr i64, ptr %sizes, i64 %i
  %to = getelementptr i64, ptr %own, i64 %i
  %value = load i64, ptr %from
  store i64 %value, ptr %to
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}}

; Where elements begin that follow a record and its sizes.
define internal i64 @inline_offset(i64 %rank) #8 {{
  %sizes = shl i64 %rank, 3
  %end = add i64 %sizes, {BUFFER_BYTES + 63}
  %offset = and i64 %end, -64
  ret i64 %offset
}}
"""

# A dense array is copied, or shared if it is large and the host promises not to change it;
# everything else is left to Python.
FROM_HOST: Final = f"""
; Makes each byte 0 or 1: the host may have other ones, which are true.
define internal void @make_booleans(ptr %bytes, i64 %count) #0 {{
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %each ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %each, label %end
each:
  %at = getelementptr i8, ptr %bytes, i64 %i
  %byte = load i8, ptr %at
  %is_true = icmp ne i8 %byte, 0
  %boolean = zext i1 %is_true to i8
  store i8 %boolean, ptr %at
  %i1 = add i64 %i, 1
  br label %next
end:
  ret void
}}

define ptr @Client_BufferFromHostBuffer(ptr %a) #0 {{
entry:
  %environment = load ptr, ptr @environment
  %type = call i64 @get.Client_BufferFromHostBuffer.type(ptr %a)
  %item_sizes = call ptr @ptr.environment.item_sizes(ptr %environment)
  %item_at = getelementptr i64, ptr %item_sizes, i64 %type
  %item = load i64, ptr %item_at
  %sizes = call ptr @ptr.Client_BufferFromHostBuffer.dims(ptr %a)
  %rank = call i64 @get.Client_BufferFromHostBuffer.num_dims(ptr %a)
  %strides = call ptr @ptr.Client_BufferFromHostBuffer.byte_strides(ptr %a)
  %stride_count = call i64 @get.Client_BufferFromHostBuffer.num_byte_strides(ptr %a)
  %is_dense = icmp eq i64 %stride_count, 0
  %unknown = icmp eq i64 %item, 0
  %layout = call ptr @ptr.Client_BufferFromHostBuffer.device_layout(ptr %a)
  %is_laid_out = icmp ne ptr %layout, null
  %unusual = or i1 %unknown, %is_laid_out
  br i1 %unusual, label %python, label %next
next:
  %left = phi i64 [ %rank, %entry ], [ %dimension, %fits ]
  %bytes = phi i64 [ %item, %entry ], [ %more_bytes, %fits ]
  %known = icmp eq i64 %left, 0
  br i1 %known, label %place, label %look
look:
  %dimension = sub i64 %left, 1
  %size_at = getelementptr i64, ptr %sizes, i64 %dimension
  %size = load i64, ptr %size_at
  br i1 %is_dense, label %fits, label %strided
strided:
  %stride_at = getelementptr i64, ptr %strides, i64 %dimension
  %stride = load i64, ptr %stride_at
  %follows = icmp eq i64 %stride, %bytes
  %single = icmp eq i64 %size, 1
  %ordered = or i1 %follows, %single
  br i1 %ordered, label %fits, label %python
fits:
  %more_bytes = mul i64 %bytes, %size
  br label %next
place:
  %given_memory = call ptr @ptr.Client_BufferFromHostBuffer.memory(ptr %a)
  %given_device = call ptr @ptr.Client_BufferFromHostBuffer.device(ptr %a)
  %by_memory = icmp ne ptr %given_memory, null
  br i1 %by_memory, label %in_memory, label %on_device
in_memory:
  %its_device = call ptr @ptr.memory.device(ptr %given_memory)
  br label %placed
on_device:
  %its_memory = call ptr @ptr.device.memory(ptr %given_device)
  br label %placed
placed:
  %device = phi ptr [ %its_device, %in_memory ], [ %given_device, %on_device ]
  %memory = phi ptr [ %given_memory, %in_memory ], [ %its_memory, %on_device ]
  %data = call ptr @ptr.Client_BufferFromHostBuffer.data(ptr %a)
  %offset = call i64 @inline_offset(i64 %rank)
  %semantics = call i64 @get.Client_BufferFromHostBuffer.host_buffer_semantics(ptr %a)
  %promised = icmp uge i64 %semantics, {IMMUTABLE_ZERO_COPY}
  %large = icmp uge i64 %bytes, {COPIED_BYTES}
  %number = ptrtoint ptr %data to i64
  %rest = and i64 %number, {SHARED_ALIGNMENT - 1}
  %aligned = icmp eq i64 %rest, 0
  %worthwhile = and i1 %promised, %large
  %shared = and i1 %worthwhile, %aligned
  br i1 %shared, label %share, label %copy
share:
  %event = call ptr @new_event()
  %no_event = icmp eq ptr %event, null
  br i1 %no_event, label %python, label %record
record:
  %view = call ptr @allocate(i64 %offset)
  %no_view = icmp eq ptr %view, null
  br i1 %no_view, label %drop_event, label %view_filled
drop_event:
  call void @free(ptr %event)
  br label %python
view_filled:
  call void @fill(ptr %view, ptr %device, ptr %memory, i64 %type, i64 %rank, ptr %sizes,
    i64 %bytes, ptr %data)
  call void @put.buffer.done(ptr %view, ptr %event)
  call void @put.Client_BufferFromHostBuffer.done_with_host_buffer(ptr %a, ptr %event)
  call void @put.Client_BufferFromHostBuffer.buffer(ptr %a, ptr %view)
  ret ptr null
copy:
  %total = add i64 %offset, %bytes
  %block = call ptr @allocate(i64 %total)
  %no_block = icmp eq ptr %block, null
  br i1 %no_block, label %python, label %copy_filled
copy_filled:
  %elements = getelementptr i8, ptr %block, i64 %offset
  call void @fill(ptr %block, ptr %device, ptr %memory, i64 %type, i64 %rank, ptr %sizes,
    i64 %bytes, ptr %elements)
  call void @copy(ptr %elements, ptr %data, i64 %bytes)
  %is_boolean = icmp eq i64 %type, {NUMBERS[BOOLEAN]}
  br i1 %is_boolean, label %canonical, label %copied
canonical:
  call void @make_booleans(ptr %elements, i64 %bytes)
  br label %copied
copied:
  %ready = call ptr @ptr.environment.ready(ptr %environment)
  call void @put.Client_BufferFromHostBuffer.done_with_host_buffer(ptr %a, ptr %ready)
  call void @put.Client_BufferFromHostBuffer.buffer(ptr %a, ptr %block)
  ret ptr null
python:
  %result = call ptr @python.Client_BufferFromHostBuffer(ptr %a)
  ret ptr %result
}}
"""


def field_functions() -> Iterator[str]:
    """The functions that only copy fields."""
    for name, (argument, record, fields) in FIELDS.items():
        copies = "\n".join(
            f"  %{target} = call i64 @get.{record}.{source}(ptr %object)\n"
            f"  call void @set.{name}.{target}(ptr %a, i64 %{target})"
            for target, source in fields.items()
        )
        yield f"""
define ptr @{name}(ptr %a) #0 {{
  %object = call ptr @ptr.{name}.{argument}(ptr %a)
{copies}
  ret ptr null
}}"""


def living_functions() -> Iterator[str]:
    """The functions of buffers with elements; Python waits for these, or has the error."""
    for name, body in LIVING.items():
        yield f"""
define ptr @{name}(ptr %a) #0 {{
  %environment = load ptr, ptr @environment
  %buffer = call ptr @ptr.{name}.buffer(ptr %a)
  %deleted_at = getelementptr i64, ptr %buffer, i64 {word("buffer", "deleted")}
  ; acquire: after a transfer, which stores 0 with release, the caller sees its elements.
  %deleted = load atomic i64, ptr %deleted_at acquire, align 8
  %lives = icmp eq i64 %deleted, 0
  br i1 %lives, label %native, label %python
native:{body}
  ret ptr null
python:
  %result = call ptr @python.{name}(ptr %a)
  ret ptr %result
}}"""


def text() -> str:
    """The LLVM text of everything about buffers."""
    return "\n".join([LIFE, NEW, FROM_HOST, *field_functions(), *living_functions()])


NAMES: Final = ("complete_transfer",)

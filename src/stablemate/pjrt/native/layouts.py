"""The layouts extension in native code; there is one row-major layout for each rank."""

from __future__ import annotations

from typing import Final

MAXIMUM_RANK: Final = 64  # dimensions of an array of NumPy
# Layouts are records of Python's with the text of the layout behind the first word.
NAMES: Final = (
    "Layouts_MemoryLayout_Destroy",
    "Layouts_MemoryLayout_Serialize",
    "Layouts_PJRT_Client_GetDefaultLayout",
    "Layouts_PJRT_Buffer_MemoryLayout",
)
TEXT: Final = """
define internal ptr @layout(i64 %rank) #8 {
  %environment = load ptr, ptr @environment
  %layouts = call ptr @ptr.environment.layouts(ptr %environment)
  %at = getelementptr ptr, ptr %layouts, i64 %rank
  %layout = load ptr, ptr %at
  ret ptr %layout
}

define ptr @Layouts_MemoryLayout_Destroy(ptr %a) #0 {
  ret ptr null
}

define internal void @keep_layout(ptr %layout) #0 {
  ret void
}

define ptr @Layouts_MemoryLayout_Serialize(ptr %a) #0 {
  %layout = call ptr @ptr.Layouts_MemoryLayout_Serialize_Args.layout(ptr %a)
  %text = call ptr @ptr.layout.text(ptr %layout)
  %size = call i64 @get.layout.text_size(ptr %layout)
  call void @put.Layouts_MemoryLayout_Serialize_Args.serialized_bytes(ptr %a, ptr %text)
  call void @set.Layouts_MemoryLayout_Serialize_Args.serialized_bytes_size(ptr %a, i64 %size)
  call void @put.Layouts_MemoryLayout_Serialize_Args.serialized_layout(ptr %a, ptr %layout)
  call void @put.Layouts_MemoryLayout_Serialize_Args.serialized_layout_deleter(ptr %a,
    ptr @keep_layout)
  ret ptr null
}

define ptr @Layouts_PJRT_Client_GetDefaultLayout(ptr %a) #0 {
  %rank = call i64 @get.Layouts_PJRT_Client_GetDefaultLayout_Args.num_dims(ptr %a)
  %layout = call ptr @layout(i64 %rank)
  call void @put.Layouts_PJRT_Client_GetDefaultLayout_Args.layout(ptr %a, ptr %layout)
  ret ptr null
}

define ptr @Layouts_PJRT_Buffer_MemoryLayout(ptr %a) #0 {
  %buffer = call ptr @ptr.Layouts_PJRT_Buffer_MemoryLayout_Args.buffer(ptr %a)
  %rank = call i64 @get.buffer.rank(ptr %buffer)
  %row_major = call ptr @layout(i64 %rank)
  %own = call ptr @ptr.buffer.layout(ptr %buffer)
  %has_own = icmp ne ptr %own, null
  %layout = select i1 %has_own, ptr %own, ptr %row_major
  call void @put.Layouts_PJRT_Buffer_MemoryLayout_Args.layout(ptr %a, ptr %layout)
  ret ptr null
}
"""

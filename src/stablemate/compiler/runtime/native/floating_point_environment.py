"""Sets the floating-point environment: round to nearest, keep denormals, raise no traps.

Each thread has its own floating-point settings. Libraries that were compiled with fast math change
them when they are loaded, and new threads inherit them: results would depend on the thread that
computes them. The settings of the caller are saved and restored around native code.
"""

from __future__ import annotations

from typing import Final

WALK: Final = """
; The walk through a table, with plain settings of floats.
define i64 @walk(ptr %table, i64 %first, ptr %state) #0 {
  %settings = call i64 @round_plainly()
  %step = call i64 @walk_table(ptr %table, i64 %first, ptr %state)
  call void @round_as(i64 %settings)
  ret i64 %step
}
"""

# round_plainly() -> the previous settings; round_as(settings) restores them.
# The lowest six bits are status flags; 8064: all traps are masked, all other bits are 0.
X86: Final = """
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define internal i64 @round_plainly() #0 {
  %word = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %word)
  %settings = load i32, ptr %word
  %wide = zext i32 %settings to i64
  %what = and i32 %settings, -64
  %plain = icmp eq i32 %what, 8064
  br i1 %plain, label %end, label %change
change:
  store i32 8064, ptr %word
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  br label %end
end:
  ret i64 %wide
}
define internal void @round_as(i64 %wide) #0 {
  %word = alloca i32
  %settings = trunc i64 %wide to i32
  %what = and i32 %settings, -64
  %plain = icmp eq i32 %what, 8064
  br i1 %plain, label %end, label %change
change:
  store i32 %settings, ptr %word
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  br label %end
end:
  ret void
}
"""
ARM: Final = """
declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)
define internal i64 @round_plainly() #0 {
  %settings = call i64 @llvm.aarch64.get.fpcr()
  %plain = icmp eq i64 %settings, 0
  br i1 %plain, label %end, label %change
change:
  call void @llvm.aarch64.set.fpcr(i64 0)
  br label %end
end:
  ret i64 %settings
}
define internal void @round_as(i64 %settings) #0 {
  %plain = icmp eq i64 %settings, 0
  br i1 %plain, label %end, label %change
change:
  call void @llvm.aarch64.set.fpcr(i64 %settings)
  br label %end
end:
  ret void
}
"""


def text_for(triple: str) -> str:
    """The LLVM text that saves, sets and restores the settings of a processor."""
    return WALK + (ARM if triple.startswith(("aarch64", "arm64")) else X86)

"""Functions that let the processor replace subnormal results by zeros, for the time of a call.

Eigenvalue iterations drive elements to zero through subnormal numbers, whose arithmetic takes over
100 cycles an operation on many processors. XLA's CPU client never keeps subnormal numbers. Operands
that are subnormal keep their values here: LAPACK scales matrices whose elements are that small.

Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3 (MXCSR);
Arm Architecture Reference Manual, FPCR.
"""

from __future__ import annotations

from typing import Final

# Bit 15 of MXCSR flushes results to zero.
X86: Final = """
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define void @flush_subnormals(ptr %saved) #0 {
  %changed = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %saved)
  %settings = load i32, ptr %saved
  %flushing = or i32 %settings, 32768
  store i32 %flushing, ptr %changed
  call void @llvm.x86.sse.ldmxcsr(ptr %changed)
  ret void
}
define void @restore_subnormals(ptr %saved) #0 {
  call void @llvm.x86.sse.ldmxcsr(ptr %saved)
  ret void
}
"""
# Of other processors the settings stay: bit 24 of Arm's FPCR flushes operands, too.
UNCHANGED: Final = """
define void @flush_subnormals(ptr %saved) #0 {
  ret void
}
define void @restore_subnormals(ptr %saved) #0 {
  ret void
}
"""
NAMES: Final = ("flush_subnormals", "restore_subnormals")


def text_for(triple: str) -> str:
    """The LLVM text of ``flush_subnormals`` and ``restore_subnormals``.

    Both take the address of an i32, where the settings are saved in between.
    """
    return X86 if triple.startswith("x86_64") else UNCHANGED

"""Generates code: loops to LLVM IR, LLVM IR to objects, objects into the process.

A kernel comes in; the address of a native function comes out. The text of LLVM IR is written here
and in `runtime.native` only.
"""

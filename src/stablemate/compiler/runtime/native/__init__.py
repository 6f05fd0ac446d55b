"""Holds the native part of the runtime, written in LLVM IR.

The step loop that interprets a plan, the thread pool, the entry that checks arguments, and the
exchange of messages among ranks. All of it is one object, compiled once per process.
"""

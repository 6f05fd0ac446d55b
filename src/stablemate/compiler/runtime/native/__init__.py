"""Holds the native part of the runtime, written in LLVM IR.

The step loop that runs a plan, the thread pool, the entry point that checks arguments, and the
exchange of messages among ranks are one object, compiled once per process.
"""

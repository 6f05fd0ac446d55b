"""The hot path in LLVM: execution, buffers and events without Python and without its lock.

In go the records that Python fills in (executables, devices, the environment); out come entries of
``PJRT_Api``. What native code does not know it hands to the Python entry of the same function.
"""

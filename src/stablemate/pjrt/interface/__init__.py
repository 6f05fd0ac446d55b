"""The PJRT C API as declared data: its functions, structures, element types and error codes.

In goes the table of the header's functions and fields; out come ``ctypes`` structures with the
header's offsets. Nothing here knows of JAX or of programs.
"""

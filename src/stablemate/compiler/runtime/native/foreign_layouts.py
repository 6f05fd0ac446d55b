"""The layouts of structures that others define, as native code reads them on 64-bit systems.

Offsets are in bytes, but for those of a ``timespec``, both of whose fields are words.
"""

from __future__ import annotations

from typing import Final

# A Python object with its lock: its count of references, then its type (CPython, ``_object`` in
# Include/object.h).
OBJECT_TYPE: Final = 8
OBJECT_BYTES: Final = 16

# What follows in a NumPy array (``PyArrayObject_fields`` in numpy/ndarraytypes.h): the address of
# the elements, the rank as an i32, the addresses of sizes and strides, the array that it is a view
# of, the element type's descriptor, and the flags as an i32. Offsets are from the address of the
# elements, which lies where other objects have their contents.
ARRAY_RANK, ARRAY_SIZES, ARRAY_STRIDES, ARRAY_BASE, ARRAY_DESCRIPTOR, ARRAY_FLAGS = range(8, 56, 8)
# Flags of an array (numpy/ndarraytypes.h).
C_CONTIGUOUS, F_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400

# A tensor of DLPack (``DLTensor`` in dlpack.h): the address of its data, the type and the number of
# its device as two i32, the rank as an i32, the element type, the addresses of sizes and strides,
# and where the first element is behind the data.
TENSOR_DEVICE, TENSOR_RANK, TENSOR_SIZES, TENSOR_STRIDES, TENSOR_OFFSET = range(8, 48, 8)
TENSOR_BYTES: Final = 48
HOST_DEVICE: Final = 1  # kDLCPU

# The words of a ``timespec`` (time.h): seconds, and what is left of them.
NANOSECONDS: Final = 1
TIMESPEC_WORDS: Final = 2
SECOND: Final = 1_000_000_000  # nanoseconds

# What ``statx`` tells about a file (linux/stat.h): its type and mode are an i16.
STATX_MODE: Final = 28
STATX_BYTES: Final = 256
AT_FDCWD: Final = -100  # a relative path begins at the working directory (fcntl.h)
STATX_TYPE: Final = 1  # asks for the type of the file
# The bits of a mode that are the type of the file, and that of a regular one, as numbers of i16.
FILE_TYPE_BITS, REGULAR_FILE = -0x1000, -0x8000

"""Objects that live as long as the process: native code and native threads refer to them.

Python frees the objects of modules when the interpreter ends. Threads of the system, and the
destructors of libraries that hold addresses of ours, run on after that.
"""

from __future__ import annotations

import ctypes
from typing import TypeVar

T = TypeVar("T")


def immortalize(value: T) -> T:
    """Returns an object after it has got a reference that is never dropped."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))
    return value

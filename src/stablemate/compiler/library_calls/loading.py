"""Finds the native functions that library calls name."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.codegen.optimized_object import optimized_object
from stablemate.compiler.config.target import host
from stablemate.compiler.library_calls.calls import PREFIX
from stablemate.compiler.library_calls.native_functions import NAMES, library_text
from stablemate.diagnostics.errors import CompileError
from stablemate.fork_safety import Lock

LOADED: Final[list[Loaded]] = []
LOADING: Final = Lock()
GET_NAME: Any = ctypes.pythonapi.PyCapsule_GetName
GET_NAME.restype, GET_NAME.argtypes = ctypes.c_char_p, [ctypes.py_object]
GET_POINTER: Any = ctypes.pythonapi.PyCapsule_GetPointer
GET_POINTER.restype, GET_POINTER.argtypes = (
    ctypes.c_void_p,
    [ctypes.py_object, ctypes.c_char_p],
)


def is_library_function(name: str) -> bool:
    """Whether a function is one of a library, and not of the program."""
    return name.startswith(PREFIX)


def with_library_functions(code: Loaded, names: Iterable[str]) -> Loaded:
    """The functions of a program with those of libraries that it calls.

    Args:
        code: The functions of the program.
        names: The names of all functions.

    Raises:
        CompileError: A library does not have a function.
    """
    wanted = [name for name in names if is_library_function(name)]
    if not wanted:
        return code
    own = own_functions().addresses
    addresses = {
        name: own.get(name.removeprefix(PREFIX)) or routine_address(name.removeprefix(PREFIX))
        for name in wanted
    }
    return Loaded({**code.addresses, **addresses}, code)


def own_functions() -> Loaded:
    """The kernel and the helpers, compiled once per process."""
    with LOADING:
        if not LOADED:
            LOADED.append(load([optimized_object(library_text(), host())], NAMES))
    return LOADED[0]


@lru_cache(maxsize=512)
def routine_address(name: str) -> int:
    """The address of a routine of BLAS or LAPACK.

    Raises:
        CompileError: SciPy does not have it.
    """
    address = find_routine(name)
    if address is None:
        raise CompileError(f"the installed SciPy has no routine {name}, which this program calls")
    return address


def find_routine(name: str) -> int | None:
    """The address of a routine that SciPy exports to Cython; None if it has none."""
    for module in ("cython_lapack", "cython_blas"):
        capsule = import_module(f"scipy.linalg.{module}").__pyx_capi__.get(name)
        if capsule is not None:
            return int(GET_POINTER(capsule, GET_NAME(capsule)))
    return None

"""Finds the native functions that library calls name."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from importlib.machinery import ExtensionFileLoader, PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any, Final

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.codegen.optimized_object import (
    optimized_object,
    register_object,
)
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.library_calls.names import PREFIX, is_library_function
from stablemate.compiler.library_calls.native_functions import (
    GROUP_OF,
    GROUPS,
    KERNELS,
    SCHEDULED,
)
from stablemate.compiler.library_calls.subnormal_results import NAMES as SUBNORMAL_NAMES
from stablemate.compiler.library_calls.subnormal_results import text_for
from stablemate.diagnostics.errors import CompileError
from stablemate.fork_safety import fork_safe_lock
from stablemate.ir.garbage_collection import without_garbage_collection

# Where wheels of SciPy have OpenBLAS, relative to its package: Linux and Windows, macOS.
OPENBLAS_FILES: Final = ("../scipy.libs/*openblas*", ".dylibs/*openblas*")
PACKAGE: Final = "scipy.linalg"
# What names of functions begin with that are compiled alone: by tiles, and of small matrices.
BLOCKED: Final = "blocked_"
COMPACT: Final = "compact_"
THREAD_COUNT_FUNCTIONS: Final = (
    "scipy_openblas_get_num_threads",
    "scipy_openblas_set_num_threads",
)
LOADED: Final[dict[tuple[str, ...], Loaded]] = {}
LOADING: Final = fork_safe_lock()
GET_NAME = ctypes.pythonapi.PyCapsule_GetName
GET_NAME.restype, GET_NAME.argtypes = ctypes.c_char_p, [ctypes.py_object]
GET_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
GET_POINTER.restype, GET_POINTER.argtypes = (
    ctypes.c_void_p,
    [ctypes.py_object, ctypes.c_char_p],
)


def with_library_functions(code: Loaded, names: Iterable[str]) -> Loaded:
    """The functions of a program with those of libraries that it calls.

    Args:
        code: The functions of the program.
        names: The names of all functions.

    Raises:
        CompileError: A library does not have a function.
    """
    functions = [name for name in names if is_library_function(name)]
    addresses = {name: function_address(name.removeprefix(PREFIX)) for name in functions}
    return Loaded({**code.addresses, **addresses}, code)


def function_address(name: str) -> int:
    """The address of a library function.

    Raises:
        CompileError: The installed SciPy does not have it.
    """
    group = group_of(name)
    return routine_address(name) if group is None else functions_of(group).addresses[name]


def group_of(name: str) -> tuple[str, ...] | None:
    """The functions that one of our own is compiled with; None if it is one of SciPy's."""
    if name in SUBNORMAL_NAMES:
        return SUBNORMAL_NAMES
    return (name,) if name.startswith((BLOCKED, COMPACT)) else GROUP_OF.get(name)


def functions_of(group: tuple[str, ...]) -> Loaded:
    """Functions of our own, compiled once per process, when a program needs the first of them."""
    if group in LOADED:
        return LOADED[group]
    with without_garbage_collection(), LOADING:
        if group not in LOADED:
            loaded = load([object_of(group, host())], group)
            if group == KERNELS:
                set_thread_count_functions(loaded)
            LOADED[group] = loaded
    return LOADED[group]


def object_of(group: tuple[str, ...], target: Target) -> bytes:
    """The object of functions that are compiled together.

    Tiles are those that calls were planned for: of this machine, whatever the target is.
    """
    (name, *_) = group
    if name.startswith(BLOCKED):
        from stablemate.compiler.library_calls.blocked.functions import blocked_text

        return register_object(blocked_text(name, host()), target)
    if name.startswith(COMPACT):  # imported here, because few programs have small matrices
        from stablemate.compiler.library_calls.compact.functions import compact_text

        return register_object(compact_text(name), target)
    if group == SUBNORMAL_NAMES:
        return register_object(text_for(target.triple), target)
    compiled = register_object if group in SCHEDULED else optimized_object
    return compiled(GROUPS[group], target)


def set_thread_count_functions(functions: Loaded) -> None:
    """Tells the kernels how the number of OpenBLAS's threads is read and set."""
    addresses = thread_count_functions()
    if addresses is not None:
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        prototype(functions.addresses["set_thread_count_functions"])(*addresses)
        if hasattr(os, "register_at_fork"):
            reset = ctypes.CFUNCTYPE(None)(functions.addresses["reset_thread_count_after_fork"])
            os.register_at_fork(after_in_child=reset)


def thread_count_functions() -> tuple[int, int] | None:
    """The functions of the OpenBLAS in SciPy's wheel that read and set its number of threads.

    None if SciPy uses another library, as builds of distributions do.
    """
    package = scipy_package()
    for pattern in OPENBLAS_FILES:
        for path in sorted(package.glob(pattern)):
            library = ctypes.CDLL(str(path))
            if all(hasattr(library, name) for name in THREAD_COUNT_FUNCTIONS):
                get, set_ = (address_of(library[name]) for name in THREAD_COUNT_FUNCTIONS)
                return get, set_
    return None


def address_of(function: Any) -> int:
    """The address of a function of a shared library."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


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
        capsule = scipy_linalg_module(module).__pyx_capi__.get(name)
        if capsule is not None:
            return int(GET_POINTER(capsule, GET_NAME(capsule)))
    return None


@lru_cache(maxsize=2)
def scipy_linalg_module(name: str) -> Any:
    """A module of ``scipy.linalg`` with C functions, without the package itself if possible.

    The package imports dozens of modules, which takes longer than compiling a small program. The
    module is not left in ``sys.modules``: a later import of the package finds it as it expects.
    """
    full_name = f"{PACKAGE}.{name}"
    if PACKAGE not in sys.modules and sys.platform != "win32":  # Windows finds libraries by SciPy
        spec = PathFinder.find_spec(full_name, [str(scipy_package() / "linalg")])
        if spec is not None and isinstance(spec.loader, ExtensionFileLoader):
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            sys.modules.pop(full_name, None)
            return module
    return import_module(full_name)


def scipy_package() -> Path:
    """Returns the directory of the installed SciPy, where its libraries lie."""
    return Path(import_module("scipy").__path__[0])

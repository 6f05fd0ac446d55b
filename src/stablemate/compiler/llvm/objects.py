"""LLVM text to objects."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Final

from stablemate.compiler.llvm.target import Target

FEW_KERNELS: Final = 10  # of fewer one module is made
MOST_MODULES: Final = 4


def assembled(text: str, target: Target) -> bytes:
    """The object of a module of LLVM text; no passes run but those of the code generator."""
    return bytes(target.machine().emit_object(parsed(text, target)))


def assembly(text: str, target: Target) -> str:
    """The same as assembly text."""
    return str(target.machine().emit_assembly(parsed(text, target)))


def parsed(text: str, target: Target) -> Any:
    """A module of LLVM text, in a context of its own."""
    import llvmlite.binding as llvm

    attributes = (
        f'attributes #0 = {{ nounwind "target-cpu"="{target.cpu}" '
        f'"target-features"="{target.features}" "prefer-vector-width"="512" }}\n'
    )
    head = f'target datalayout = "{target.data_layout}"\ntarget triple = "{target.triple}"\n'
    return llvm.parse_assembly(head + text + attributes, llvm.create_context())


def all_assembled(texts: Sequence[str], target: Target) -> list[bytes]:
    """The objects of kernels; of many kernels several, made at the same time."""
    count = min(os.cpu_count() or 1, MOST_MODULES, len(texts) // FEW_KERNELS + 1)
    emit = concurrent_emission()
    if count == 1 or emit is None:
        return [assembled("\n".join(texts), target)]
    modules = [parsed("\n".join(each), target) for each in shares(texts, count)]
    machines = [target.machine() for _ in modules]
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(emit, machines, modules))


def shares(texts: Sequence[str], count: int) -> list[list[str]]:
    """The texts in so many parts of about the same length."""
    parts: list[list[str]] = [[] for _ in range(count)]
    sizes = [0] * count
    for text in sorted(texts, key=len, reverse=True):
        least = sizes.index(min(sizes))
        parts[least].append(text)
        sizes[least] += len(text)
    return [each for each in parts if each]


@lru_cache(maxsize=1)
def concurrent_emission() -> Callable[[Any, Any], bytes] | None:
    """Makes an object of a module, beside other threads that do; None if that is not possible.

    LLVM lets threads work at the same time whose modules stand in contexts of their own. llvmlite
    takes a lock around every call; this calls the same library by a handle that takes none.
    """
    try:
        from llvmlite.binding import ffi

        library = ctypes.CDLL(ffi.lib._name, handle=ffi.lib._handle)
        emit, start, size, dispose = (
            getattr(library, f"LLVMPY_{name}")
            for name in (
                "TargetMachineEmitToMemory",
                "GetBufferStart",
                "GetBufferSize",
                "DisposeMemoryBuffer",
            )
        )
    except (ImportError, AttributeError, OSError):
        return None
    emit.restype = start.restype = ctypes.c_void_p
    size.restype = ctypes.c_size_t

    def emitted(machine: Any, module: Any) -> bytes:
        error = ctypes.c_char_p()
        buffer = emit(machine, module, 1, ctypes.byref(error))
        if not buffer:
            raise RuntimeError((error.value or b"no object").decode())
        held = ctypes.c_void_p(buffer)
        try:
            return ctypes.string_at(start(held), size(held))
        finally:
            dispose(held)

    return emitted

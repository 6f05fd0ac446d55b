"""Loads objects into the process."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from stablemate.compiler.codegen.linker import LinkedCode, link_objects
from stablemate.compiler.config.target import initialize_llvm

if TYPE_CHECKING:
    from llvmlite.binding import LLJIT, JITLibraryBuilder

NUMBERS: Final = itertools.count()


class Loaded:
    """Functions in the process; their code lives as long as this does.

    Attributes:
        addresses: Where functions are, by name.
    """

    def __init__(self, addresses: Mapping[str, int], keeper: object) -> None:
        self.addresses = addresses
        self.keeper = keeper


def load(objects: Sequence[bytes], names: Sequence[str]) -> Loaded:
    """Loads object files into the process.

    Args:
        objects: They need no symbols but one another's.
        names: The functions that are called from outside.
    """
    code = link_objects(objects)
    return loaded_by_llvm(objects, names) if code is None else place_code(code)


def place_code(code: LinkedCode) -> Loaded:
    """Copies code into memory of its own, which is then made executable and read-only."""
    size = max(code.content.size, 1)
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    view = np.frombuffer(memory, np.uint8)
    view[: code.content.size] = code.content
    start: int = view.ctypes.data
    system = ctypes.CDLL(None, use_errno=True)
    protection = mmap.PROT_READ | mmap.PROT_EXEC
    if system.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(size), protection):
        raise OSError(ctypes.get_errno(), "memory cannot be made executable")
    return Loaded({name: start + place for name, place in code.places.items()}, memory)


@lru_cache(maxsize=1)
def linker() -> LLJIT:
    """LLVM's linker: JITLink, as LLVM has it by itself, but for objects of Windows.

    The older one ends the process where the system gives it memory that lies too far apart.
    """
    import llvmlite.binding as llvm

    initialize_llvm()
    return llvm.create_lljit_compiler(use_jit_link=sys.platform != "win32", suppress_errors=False)


def library() -> JITLibraryBuilder:
    """The library that LLVM links objects into; it resolves no symbols of the process."""
    import llvmlite.binding as llvm

    return llvm.JITLibraryBuilder()


def loaded_by_llvm(objects: Sequence[bytes], names: Sequence[str]) -> Loaded:
    """As ``load``, for objects of any kind."""
    jit = library()
    for content in objects:
        jit.add_object_img(content)
    for name in names:
        jit.export_symbol(name)
    tracker = jit.link(linker(), f"stablemate-{next(NUMBERS)}")
    return Loaded({name: tracker[name] for name in names}, tracker)

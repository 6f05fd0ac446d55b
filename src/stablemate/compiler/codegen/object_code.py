"""Assembles LLVM IR to objects."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from stablemate.compiler.codegen.instructions import BRIEF, USUAL
from stablemate.compiler.config.target import Target

if TYPE_CHECKING:
    from llvmlite.binding import TargetMachine

ENOUGH: Final = 16_000  # characters of a module: fifteen milliseconds of LLVM, one to begin
FIRST: Final = 4_000  # characters of the first module: nothing else is made so long
MOST_THREADS: Final = 4
IDLE_GENERATORS: Final[dict[Target, list[TargetMachine]]] = {}


@contextmanager
def code_generator(target: Target) -> Generator[TargetMachine]:
    """LLVM's code generator for one thread at a time.

    A generator that has worked before has its tables of the processor; a new one makes them, which
    takes as long as a small kernel.
    """
    idle = IDLE_GENERATORS.setdefault(target, [])
    try:
        machine = idle.pop()
    except IndexError:
        machine = target.machine()
    yield machine
    if len(idle) < MOST_THREADS:
        idle.append(machine)  # not after an error


def assemble(text: str, target: Target) -> bytes:
    """The object of a module of LLVM text; no passes run but those of the code generator."""
    module, emit = parsed(text, target), concurrent_emission()
    with code_generator(target) as machine:
        return bytes(machine.emit_object(module)) if emit is None else emit(machine, module)


def assembly(text: str, target: Target) -> str:
    """The same as assembly text."""
    return str(target.machine().emit_assembly(parsed(text, target)))


def parsed(text: str, target: Target) -> Any:
    """A module of LLVM text, in a context of its own."""
    import llvmlite.binding as llvm

    return llvm.parse_assembly(with_target(text, target), llvm.create_context())


def with_target(text: str, target: Target, more: str = "") -> str:
    """A module of LLVM text with the triple and the attributes of the machine.

    Args:
        text: Functions.
        target: The machine.
        more: Further attributes of all functions, each behind a space.
    """
    machine = (
        f'nounwind{more} "target-cpu"="{target.cpu}" "target-features"="{target.features}" '
        '"prefer-vector-width"="512"'
    )
    attributes = "".join(
        f"attributes {name} = {{ {machine}{attribute_text} }}\n"
        for name, attribute_text in ((USUAL, ""), (BRIEF, " noinline optnone"))
    )
    head = f'target datalayout = "{target.data_layout}"\ntarget triple = "{target.triple}"\n'
    return head + text + attributes


class Assembler:
    """Makes objects of texts in threads of its own, while more texts are written."""

    def __init__(self, target: Target, enough: int = ENOUGH) -> None:
        """Starts with an empty queue.

        Args:
            target: The machine.
            enough: How many characters of text begin an object; the first ones are smaller.
        """
        self.target = target
        self.enough = enough
        self.threads = ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS))
        self.objects_: list[Future[bytes]] = []
        self.texts: dict[str, str] = {}  # of the next object
        self.uses: dict[str, str] = {}  # declarations of what it calls

    def __enter__(self) -> Assembler:
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.shutdown(cancel_futures=True)

    def do(self, work: Callable[[], object]) -> None:
        """Does something else in these threads."""
        self.threads.submit(work)

    def add(self, name: str, text: str, uses: Mapping[str, str]) -> None:
        """Adds a function.

        Args:
            name: Its name.
            text: Its definition.
            uses: Declarations of functions that it calls, which may be in other objects.
        """
        self.texts[name] = text
        self.uses.update(uses)
        if sum(map(len, self.texts.values())) >= min(FIRST << len(self.objects_), self.enough):
            self.begin()

    def begin(self) -> None:
        """Begins an object of the texts that have been added."""
        if self.texts:
            declared = [text for name, text in self.uses.items() if name not in self.texts]
            text = "\n".join([*declared, *self.texts.values()])
            self.objects_.append(self.threads.submit(assemble, text, self.target))
            self.texts, self.uses = {}, {}

    def objects(self) -> list[bytes]:
        """All objects."""
        self.begin()
        return [future.result() for future in self.objects_]


@lru_cache(maxsize=1)
def concurrent_emission() -> Callable[[Any, Any], bytes] | None:
    """Emits an object file of a module, concurrently with other threads; None if it cannot.

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
        pointer = ctypes.c_void_p(buffer)
        try:
            return ctypes.string_at(start(pointer), size(pointer))
        finally:
            dispose(pointer)

    return emitted

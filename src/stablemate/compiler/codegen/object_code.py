"""Assembles LLVM IR to objects."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from stablemate.compiler.codegen.instructions import BRIEF, USUAL
from stablemate.compiler.config.target import Target
from stablemate.worker_threads import WorkerThreads

if TYPE_CHECKING:
    from llvmlite.binding import TargetMachine

# ``python -m benchmarks.compile_times`` measures what these trade (benchmarks/results).
ENOUGH: Final = 16_000  # characters of a module: fifteen milliseconds of LLVM, one to begin
FIRST: Final = 4_000  # characters of the first module: nothing else is made so long
MOST_THREADS: Final = 4  # that compile modules; each keeps a code generator
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
    compile_text = concurrent_compiler()
    with code_generator(target) as machine:
        if compile_text is not None:
            return compile_text(machine, with_target(text, target))
        with llvm_module(text, target) as module:
            return bytes(machine.emit_object(module))


def assembly(text: str, target: Target) -> str:
    """The same as assembly text."""
    with llvm_module(text, target) as module:
        return str(target.machine().emit_assembly(module))


@contextmanager
def llvm_module(text: str, target: Target) -> Generator[object]:
    """A module of LLVM text, in a context of its own.

    The module is freed before the context: the garbage collector may free them in any order, and
    ends the process if it frees the context first.
    """
    import llvmlite.binding as llvm

    whole = with_target(text, target)
    with llvm.create_context() as context, llvm.parse_assembly(whole, context) as module:
        yield module


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
        self.threads = WorkerThreads(min(os.cpu_count() or 1, MOST_THREADS))
        self.objects_: list[Future[bytes]] = []
        self.texts: dict[str, str] = {}  # of the next object
        self.uses: dict[str, str] = {}  # declarations of what it calls

    def __enter__(self) -> Assembler:
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.close()

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
        """Waits for all threads and returns their object files in order."""
        self.begin()
        return [future.result() for future in self.objects_]


class ConcurrentCompiler:
    """Compiles LLVM text to objects, concurrently with other threads.

    LLVM lets threads work at the same time whose modules stand in contexts of their own. llvmlite
    takes a lock around every call, and gives up Python's lock for each: a thread that computes in
    Python keeps that for up to 5 ms whenever another one wants it back. This calls the same library
    by two handles: one gives up Python's lock, for parsing and emitting, the other one does not,
    for what takes microseconds.
    """

    def __init__(self) -> None:
        """Looks the functions up.

        Raises:
            ImportError: There is no llvmlite.
            AttributeError: Its library has other functions.
            OSError: Its library is not loaded as one.
        """
        from llvmlite.binding import ffi

        name, handle = ffi.lib._name, ffi.lib._handle
        long, brief = ctypes.CDLL(name, handle=handle), ctypes.PyDLL(name, handle=handle)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self.parse = function(long, "ParseAssembly", pointer, pointer, ctypes.c_char_p, pointer)
        self.emit = function(
            long, "TargetMachineEmitToMemory", pointer, pointer, pointer, ctypes.c_int, pointer
        )
        self.new_context = function(brief, "ContextCreate", pointer)
        self.dispose_context = function(brief, "ContextDispose", None, pointer)
        self.dispose_module = function(brief, "DisposeModule", None, pointer)
        self.buffer_start = function(brief, "GetBufferStart", pointer, pointer)
        self.buffer_size = function(brief, "GetBufferSize", size, pointer)
        self.dispose_buffer = function(brief, "DisposeMemoryBuffer", None, pointer)

    def __call__(self, machine: object, text: str) -> bytes:
        """The object of a module.

        Args:
            machine: LLVM's code generator, which no other thread uses.
            text: The module.

        Raises:
            RuntimeError: LLVM rejects the module.
        """
        error = ctypes.c_char_p()
        context = self.new_context()
        try:
            module = self.parse(context, text.encode(), ctypes.byref(error))
            if not module:
                raise RuntimeError((error.value or b"no module").decode())
            try:
                return self.emit_object(machine, module)
            finally:
                self.dispose_module(module)
        finally:
            self.dispose_context(context)

    def emit_object(self, machine: object, module: int) -> bytes:
        """The object of a module in memory."""
        error = ctypes.c_char_p()
        buffer = self.emit(machine, module, 1, ctypes.byref(error))
        if not buffer:
            raise RuntimeError((error.value or b"no object").decode())
        try:
            return ctypes.string_at(self.buffer_start(buffer), self.buffer_size(buffer))
        finally:
            self.dispose_buffer(buffer)


def function(
    library: ctypes.CDLL, name: str, result: object, *parameters: object
) -> Callable[..., Any]:
    """A function of llvmlite's library."""
    found: Callable[..., object] = getattr(library, f"LLVMPY_{name}")
    setattr(found, "restype", result)  # noqa: B010
    setattr(found, "argtypes", parameters)  # noqa: B010
    return found


@lru_cache(maxsize=1)
def concurrent_compiler() -> ConcurrentCompiler | None:
    """Compiles texts in several threads at the same time; None if llvmlite does not allow it."""
    try:
        return ConcurrentCompiler()
    except (ImportError, AttributeError, OSError):
        return None

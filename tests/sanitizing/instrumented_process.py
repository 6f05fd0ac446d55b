"""In a process with a sanitizer's library: programs whose native code it looks at.

``python -m tests.sanitizing`` starts it. Launches are cut into as many chunks as they have
iterations, so that small programs are work for several threads too.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import Lock
from types import ModuleType
from typing import Any, Final

from stablemate.compiler.codegen import loader as loading
from stablemate.compiler.codegen import object_code as objects
from stablemate.compiler.codegen import optimized_object as optimizing
from stablemate.compiler.config.target import Target
from tests.compiler.child_processes import Child
from tests.properties.generation.native import CUT
from tests.sanitizing.sanitizers import END, NAMED, SANITIZERS, Sanitizer, opt
from tests.sanitizing.workloads import RIGHT, WRONG, ProgramSeeds, Work

DESCRIPTION: Final = """Runs programs whose native code calls a sanitizer of LLVM's, and prints how
many there were and what was reported. The exit code is 1 if anything was, or if the process ended
before it was done; 2 if the machine lacks what is needed."""

MEMORY_FUNCTIONS: Final = ("memset", "memcpy", "memmove")  # which ThreadSanitizer replaces


def main() -> int:
    """Runs what the command line asks for."""
    options = parsed()
    for module, name, value in (*CUT, *replaced(SANITIZERS[options.kind])):
        assert hasattr(module, name), f"{module.__name__} has no {name} to replace"
        setattr(module, name, value)
    programs = ProgramSeeds(options.seed, options.first, options.programs)
    for name in options.works:
        work = {**RIGHT, **WRONG}[name](programs)
        count = done(islice(work, 0, None, options.share), options.seconds)
        print(f"{name}: {count}", flush=True)
    print(END)
    return 0


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizing", description=DESCRIPTION)
    parser.add_argument("kind", choices=[*SANITIZERS])
    parser.add_argument("works", nargs="*", default=[*RIGHT], help=f"of {[*RIGHT, *WRONG]}")
    parser.add_argument("--programs", type=int, default=500, help="how many are drawn")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--seed", default="0", help="which are drawn")
    parser.add_argument("--share", type=int, default=1, help="of so many one is run")
    parser.add_argument("--seconds", type=float, default=600.0, help="the most for each work")
    return parser.parse_args()


def done(work: Work, seconds: float) -> int:
    """How many were run in this time."""
    end, count = time.monotonic() + seconds, 0
    for name, run in work:
        if time.monotonic() > end:
            break
        print(f"{NAMED}{name}", file=sys.stderr, flush=True)
        run()
        count += 1
    return count


def replaced(sanitizer: Sanitizer) -> Iterator[tuple[ModuleType, str, Any]]:
    """What is to be replaced: where, its name, by what."""
    llvm_module = instrumented(sanitizer)
    yield objects, "llvm_module", llvm_module
    yield objects, "concurrent_compiler", no_concurrent_compiler
    yield optimizing, "llvm_module", llvm_module
    yield loading, "link_objects", left_to_llvm
    yield loading, "library", library


def instrumented(sanitizer: Sanitizer) -> Callable[[str, Target], Any]:
    """Makes modules of LLVM text that call a sanitizer.

    Another process runs LLVM's passes, which starts before this one has threads: ThreadSanitizer
    does not bear forks beside threads.
    """
    import llvmlite.binding as llvm

    del os.environ["LD_PRELOAD"]
    child, lock = Child(), Lock()
    child.start()

    @contextmanager
    def llvm_module(text: str, target: Target) -> Generator[Any]:
        whole = objects.with_target(text, target, f" {sanitizer.attribute}")
        with lock:
            ask_result = child.ask(changed, whole, sanitizer.passes)
        with llvm.create_context() as context, llvm.parse_assembly(ask_result, context) as module:
            yield module

    return llvm_module


def changed(text: str, passes: Sequence[str]) -> str:
    """What passes of LLVM make of a module."""
    command = [str(opt()), "-S", *passes]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def no_concurrent_compiler() -> None:
    """What compiles texts that no sanitizer has seen."""


def left_to_llvm(_: Sequence[bytes]) -> None:
    """What our own linker makes of objects: it knows nothing of other libraries."""


def library() -> Any:
    """What LLVM links objects into: it knows of the whole process, and so of the sanitizer."""
    import llvmlite.binding as llvm

    builder: Any = llvm.JITLibraryBuilder().add_current_process()
    process: Any = ctypes.CDLL(None)
    for name in MEMORY_FUNCTIONS:
        if not hasattr(process, f"__tsan_{name}"):  # as in GCC's library
            address = ctypes.cast(process[name], ctypes.c_void_p).value
            builder = builder.import_symbol(f"__tsan_{name}", address)
    return builder


if __name__ == "__main__":
    sys.exit(main())

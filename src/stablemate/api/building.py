"""Native libraries of programs: ``sm.build``."""

from __future__ import annotations

import os
from pathlib import Path

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.loading import module_of
from stablemate.api.module import Module
from stablemate.deployment.library import NativeLibrary, build_library
from stablemate.deployment.processors import target_of
from stablemate.diagnostics.file_errors import path_name
from stablemate.formats.recognition import Readable


def build(
    source: Readable | Module, directory: str | os.PathLike[str], *,
    entry: str | None = None, name: str | None = None, static: bool = False,
    target: str | None = None, cpu: str | None = None, batch: int | None = None,
) -> NativeLibrary:  # fmt: skip
    """Builds a shared or static library that runs a function without Python.

    ::

        sm.build(sm.load("model.mlir"), "model")

    The directory gets ``libmodel.so``, the C header ``model.h``, the constants ``model.weights``
    unless they are small, and an example in C, C++, Rust and Python. Results have the same bits as
    those of ``compile``. A C compiler links a shared library: ``$CC``, or ``cc``, or
    ``aarch64-linux-gnu-gcc`` and the like for another system, or the one in ``ziglang``.

    Args:
        source: The program, in any format that ``load`` reads. Shapes are static, or their open
            sizes are the batch.
        directory: Takes the files; it is created if it does not exist.
        entry: The function; by default ``main``, or the only one.
        name: The prefix of functions and files; by default the name of the directory. Characters
            that C does not allow become ``_``.
        static: Whether the library is static, ``libmodel.a``; it is made without a C compiler.
        target: The architecture and system, ``aarch64-linux-gnu``; by default this machine's.
        cpu: The oldest processor on which it runs: ``x86-64-v3``, ``neoverse-n1``, ``native``, ...
            By default this machine's processor, or with ``target`` the baseline of its
            architecture.
        batch: The largest batch of a program with open sizes, which are all the same number; by
            default the bound in its types. The library takes each batch from 1 on.

    Raises:
        ArgumentValueError: The target or the processor is unknown, or the batch does not go with
            the types.
        VerifyError: The program is not valid.
        UnsupportedError: The program needs Python at run time (custom calls, host transfers,
            collectives, LAPACK), has sizes that nothing bounds or that depend on data, or is not
            compiled; or there is no C compiler.
        CompileError: The linker fails.
        FileError: The directory cannot be written.
    """
    place = Path(path_name(directory))
    machine = target_of(target, cpu)
    executable = module_of(source).compiled(DEFAULT_BACKEND, entry, None, None, target=machine)
    return build_library(executable, place, name, static=static, most_batch=batch)

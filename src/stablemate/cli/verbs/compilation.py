"""Compiles programs for the command line."""

from __future__ import annotations

from pathlib import Path

import stablemate as sm
from stablemate.cli.input.programs import load_program
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.executable import Executable


def emit_stage(file: str, stage: str, entry: str | None, attention: bool | None = None) -> str:
    """The output of a stage of the compiler, as text.

    Raises:
        UnsupportedError: The program is not compiled.
    """
    return compile_function(load_program(file), entry, attention=attention).emit(stage)


def emit_page(file: str, entry: str | None, attention: bool | None = None) -> str:
    """The page of all stages of the compiler.

    Raises:
        UnsupportedError: The program is not compiled.
    """
    from stablemate.explorer.stages.page import stages_page  # here, because few ask for it

    executable = compile_function(load_program(file), entry, attention=attention)
    return stages_page(executable, Path(file).name)


def compile_function(
    module: sm.Module, entry: str | None, threads: int | None = None,
    attention: bool | None = None,
) -> Executable:  # fmt: skip
    """A function as native code.

    Raises:
        UnsupportedError: It is not compiled.
    """
    with progress("compiling"):
        executable = sm.compile(
            module, backend="cpu", entry=entry, threads=threads, attention=attention
        )
    if executable.fallback is not None:
        raise UnsupportedError([executable.fallback])
    return executable

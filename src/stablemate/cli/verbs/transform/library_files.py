"""Builds the library of a program for the command line, and lists its files."""

from __future__ import annotations

import stablemate as sm
from stablemate.analysis.quantities import size_text
from stablemate.cli.input.programs import load_program, reason
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.errors import ArgumentValueError


def build_files(file: str, directory: str, entry: str | None, name: str | None) -> list[str]:
    """Builds the library; returns a line for each of its files.

    Raises:
        ArgumentValueError: The directory cannot be written.
        UnsupportedError: The program needs Python at run time, or there is no C compiler.
    """
    module = load_program(file)
    try:
        with progress("building"):
            library = sm.build(module, directory, entry=entry, name=name)
    except OSError as error:
        raise ArgumentValueError(f"cannot write {directory}: {reason(error)}") from error
    return [f"{path}: {size_text(path.stat().st_size)}" for path in library.files]

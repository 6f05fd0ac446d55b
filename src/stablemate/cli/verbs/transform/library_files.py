"""Builds the library of a program for the command line, and lists its files."""

from __future__ import annotations

from typing import TypedDict, Unpack

import stablemate as sm
from stablemate.analysis.quantities import size_text
from stablemate.cli.input.programs import load_program
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import reason


class BuildOptions(TypedDict):
    """The options of ``sm.build``."""

    entry: str | None
    name: str | None
    static: bool
    target: str | None
    cpu: str | None


def build_files(file: str, directory: str, **options: Unpack[BuildOptions]) -> list[str]:
    """Builds the library; returns a line for each of its files.

    Raises:
        ArgumentValueError: The directory cannot be written, or an option is unknown.
        UnsupportedError: The program needs Python at run time, or there is no C compiler.
    """
    module = load_program(file)
    try:
        with progress("building"):
            library = sm.build(module, directory, **options)
    except OSError as error:
        raise ArgumentValueError(f"cannot write {directory}: {reason(error)}") from error
    return [f"{path}: {size_text(path.stat().st_size)}" for path in library.files]

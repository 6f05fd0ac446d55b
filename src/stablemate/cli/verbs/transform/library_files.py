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
    batch: int | None


def build_files(
    file: str, directory: str, types: str | None, **options: Unpack[BuildOptions]
) -> list[str]:
    """Builds the library; returns a line for each of its files.

    Args:
        file: The program.
        directory: Takes the files.
        types: Types of the arguments, which make shapes static; None leaves the declared ones.
        options: Those of ``sm.build``.

    Raises:
        ArgumentValueError: The directory cannot be written, an option is unknown, or a type is not
            one that its argument can have.
        UnsupportedError: The program needs Python at run time, or there is no C compiler.
    """
    module = load_program(file)
    if types is not None:
        module = module.refine(types)
    try:
        with progress("building"):
            library = sm.build(module, directory, **options)
    except OSError as error:
        raise ArgumentValueError(f"cannot write {directory}: {reason(error)}") from error
    return [f"{path}: {size_text(path.stat().st_size)}" for path in library.files]

"""Converts programs between formats."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, Final

import stablemate as sm
from stablemate.api.conversion import (
    OPTION_FORMATS,
    ConversionRequest,
    endings_text,
    format_of_name,
)
from stablemate.cli.input.programs import load_program
from stablemate.cli.output.losses import losses_on_stderr
from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentError, UnsupportedError

TEXTS: Final = ("text", "generic", "hlo")
# How options of the API are spelled here.
SPELLINGS: Final = {"mixed=True": "--mixed", "expand=True": "--expand"}


def implied_format(output: str, target: str | None, bytecode_version: int | None) -> str | None:
    """The format implied by a file name or by options; None if there is none."""
    if named := format_of_name(output):
        return named
    if target is not None:
        return "artifact"
    if bytecode_version is not None:
        return "bytecode"
    return "text" if output == STDOUT else None


def unclear(output: str) -> str:
    """The message that a file name implies no format."""
    note = " .bc may be either of them:" if output.lower().endswith(".bc") else ""
    return (
        f"what is {output}?{note} say --to=bytecode or --to=artifact, or let it end in one of "
        f"{endings_text()}"
    )


def conflict_of(request: ConversionRequest, output: str) -> str:
    """Why options and format conflict; empty if they do not."""
    if option := request.misplaced_option():
        formats, name = " or ".join(OPTION_FORMATS[option]), option.replace("_", "-")
        return f"--{name} is for {formats}, but {request.to} is to be written"
    if output == STDOUT and request.to not in TEXTS and sys.stdout.isatty():
        return f"{request.to} is binary: redirect stdout to a file, or name one"
    return ""


def convert(file: str, output: str, request: ConversionRequest, **options: Any) -> None:
    """Writes a program in another format.

    Args:
        file: The program.
        output: Where it is written to.
        request: The format.
        **options: How it is read, as ``load_program`` takes them.
    """
    check_writable(output)
    with progress(f"converting {file}"):
        module = load_program(file, **options)
        if request.to != "generic":
            module.verify()
        with losses_on_stderr():
            data = write_program(module, request)
    write_files({output: lambda stream: stream.write(data)})


def write_program(module: sm.Module, request: ConversionRequest) -> bytes:
    """The program in a format; hints of errors name options of the command line.

    Raises:
        ArgumentError: There is no such version, or the program has never been in that container.
        UnsupportedError: The format, in that version, cannot say what the program says.
    """
    try:
        return module.encoded(request)
    except (ArgumentError, UnsupportedError) as error:
        raise type(error)(
            [with_cli_names(diagnostic) for diagnostic in error.diagnostics]
        ) from error


def with_cli_names(diagnostic: Diagnostic) -> Diagnostic:
    """A diagnostic that names options as the command line does."""
    message = diagnostic.message
    for name, spelling in SPELLINGS.items():
        message = message.replace(name, spelling)
    notes = tuple(with_cli_names(note) for note in diagnostic.notes)
    return replace(diagnostic, message=message, notes=notes)

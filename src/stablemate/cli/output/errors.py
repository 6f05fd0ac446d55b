"""Reports errors, and chooses the exit code."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from contextlib import suppress

import click

from stablemate.cli.exit_codes import FAILED, INVALID, MISUSED
from stablemate.diagnostics.codes import cited_codes
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentError,
    ParseError,
    StablemateError,
    VerifyError,
)
from stablemate.diagnostics.file_errors import reason
from stablemate.diagnostics.missing_packages import missing_package


def report(error: Exception, *, debug: bool, color: bool) -> None:
    """Reports an error on stderr, with the traceback if requested."""
    with suppress(OSError):  # stderr may be full, or closed: the exit code is what is left
        if debug:
            traceback.print_exception(error)
        lines = message_lines(error)
        click.echo(lines.render(color=color), err=True, color=color)
        for line in explain_hints(lines.diagnostics):
            click.echo(line, err=True)


def exit_code(error: Exception) -> int:
    """The exit code of an error."""
    match error:
        case ArgumentError():
            return MISUSED
        case ImportError() if missing_package(error):
            return MISUSED
        case StablemateError() if needs_package(error):
            return MISUSED
        case ParseError() | VerifyError():
            return INVALID
        case _:
            return FAILED


def needs_package(error: StablemateError) -> bool:
    """Whether an error says which package is to be installed; mpi4py raises a RuntimeError."""
    cause = error.__cause__
    return isinstance(cause, ImportError | RuntimeError) and "pip install" in str(error)


def message_lines(error: Exception) -> StablemateError:
    """The error as the user reads it."""
    match error:
        case StablemateError():
            return error
        case MemoryError():
            return StablemateError(f"out of memory: {error}" if str(error) else "out of memory")
        case OSError():
            name = f"{error.filename}: " if error.filename is not None else ""
            return StablemateError(f"{name}{reason(error)}")
        case ModuleNotFoundError() if need := missing_package(error):
            return StablemateError(need)
        case _:
            note = Diagnostic("this is a bug in stablemate; --debug shows the traceback")
            message = f"internal error: {type(error).__name__}: {error}"
            return StablemateError(Diagnostic(message, notes=(note,)))


def explain_hints(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """The commands that explain the rules named by diagnostics."""
    return [
        f"see: stablemate explain {code}"
        for code in cited_codes(diagnostic.rule for diagnostic in diagnostics)
    ]

"""Runs the debugger interactively or with scripted commands."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import click

from stablemate.api.inspection.debugging import PROMPT, ask_user, debug
from stablemate.cli.input.programs import STDIN
from stablemate.cli.verbs.execute.observed_run import prepare_run
from stablemate.cli.verbs.execute.session import RunCommandOptions
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import reason


def run(options: RunCommandOptions, commands: Sequence[str]) -> int:
    """Debugs a program as the options specify; returns the exit code."""
    lines = list(script_commands(commands))
    module, entry, arguments, how = prepare_run(options)
    del how["threads"]
    pending = iter(lines)
    is_terminal = sys.stdin.isatty() and options.file != STDIN

    def read() -> str | None:
        text = next(pending, None)
        if text is None and options.file == STDIN:
            return None
        if text is None and is_terminal:
            return ask_user()
        if text is None:
            line = sys.stdin.readline()
            text = line.rstrip("\n") if line else None
        if text is not None:
            click.echo(f"{PROMPT}{text}")
        return text

    if is_terminal:
        with suppress(ImportError):
            import_module("readline")  # lines can be edited from here on
    debug(module, *arguments, read=read, write=click.echo, entry=entry, **how)
    return 0


def script_commands(commands: Sequence[str]) -> Iterator[str]:
    """The commands of the options, including those in files.

    Raises:
        ArgumentValueError: A file cannot be read.
    """
    for command in commands:
        if not command.startswith("@"):
            yield command
            continue
        try:
            yield from Path(command[1:]).read_text().splitlines()
        except OSError as error:
            raise ArgumentValueError(f"cannot read {command[1:]}: {reason(error)}") from error

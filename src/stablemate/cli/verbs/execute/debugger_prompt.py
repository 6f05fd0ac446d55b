"""The debugger on the command line: who reads what the user says."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import click

from stablemate.api.debugging import PROMPT, asked, debug
from stablemate.cli.input.programs import STDIN, reason
from stablemate.cli.verbs.execute.observed_run import prepared
from stablemate.cli.verbs.execute.session import Options
from stablemate.diagnostics.errors import ArgumentValueError


def run(options: Options, commands: Sequence[str]) -> int:
    """Debugs a program as the options say; returns the exit code."""
    said = list(scripted(commands))
    module, entry, arguments, how = prepared(options)
    del how["threads"]
    pending = iter(said)
    is_terminal = sys.stdin.isatty() and options.file != STDIN

    def read() -> str | None:
        text = next(pending, None)
        if text is None and options.file == STDIN:
            return None
        if text is None and is_terminal:
            return asked()
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


def scripted(commands: Sequence[str]) -> Iterator[str]:
    """The commands that options say, those in files too.

    Raises:
        ArgumentValueError: A file cannot be read.
    """
    for each in commands:
        if not each.startswith("@"):
            yield each
            continue
        try:
            yield from Path(each[1:]).read_text().splitlines()
        except OSError as error:
            raise ArgumentValueError(f"cannot read {each[1:]}: {reason(error)}") from error

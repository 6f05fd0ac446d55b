"""Reduces programs, and prints progress."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import click

from stablemate.analysis.quantities import format_count
from stablemate.atomic_files import Writer
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.input.programs import STDIN
from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
from stablemate.cli.verbs.execute.run_options import RunCommandOptions
from stablemate.cli.verbs.execute.session import given_arguments, program_of_options
from stablemate.debugging.commands import INPUTS, CommandCheck, text_of, write_inputs
from stablemate.debugging.reduction import ReducedProgram, reduce
from stablemate.diagnostics.errors import ArgumentValueError

UNNAMED: Final = "reduced.mlir"


def run_reduction(
    options: RunCommandOptions,
    command: str,
    match: str | None,
    timeout: float | None,
    output: str | None,
) -> None:
    """Reduces the program that the options name, writes the result, and reports it.

    Raises:
        ArgumentError: An argument is missing or wrong, or a file cannot be written.
    """
    if not command.strip():
        raise ArgumentValueError("the command of --check is empty")
    if match is not None:
        try:
            re.compile(match)
        except re.error as error:
            raise ArgumentValueError(f"--match {match!r} is no expression: {error}") from error
    module = program_of_options(options)
    path = output or reduced_path(options.file)
    inputs_path = str(Path(path).with_suffix(".npz"))
    for target in (path, inputs_path) if path != STDOUT else ():
        check_writable(target)
    arguments: Sequence[object] = ()
    if options.inputs or options.random_seed is not None or INPUTS in command:
        function = module.entry(options.entry)
        (arguments,) = given_arguments(options, module, function, InputReader(options.limits))
    with CommandCheck(command, match, timeout) as check:
        reduction = reduce(module, check, *arguments, report=progress_reporter(options, check))
    text = text_of(reduction.module).encode("utf-8", "surrogateescape")
    writers: dict[str, Writer] = {path: lambda file: file.write(text)}
    if reduction.arguments and path != STDOUT:
        writers[inputs_path] = partial(write_inputs, reduction.arguments)
    write_files(writers)
    show(reduction, path, inputs_path if inputs_path in writers else None, options)
    if match is None and check.expected is not None and check.expected.status == 0:
        click.echo("note: the command exits with 0, with the whole program as with this", err=True)


def reduced_path(path: str) -> str:
    """The default path of the reduced program: in the current directory."""
    return UNNAMED if path == STDIN else f"{Path(path).name.partition('.')[0]}.{UNNAMED}"


def progress_reporter(options: RunCommandOptions, check: CommandCheck) -> Callable[[str], None]:
    """Reports progress on a terminal, first the outcome of the command with the whole program."""
    is_silent = options.output_format == "json" or not sys.stderr.isatty()
    messages: list[str] = []

    def say(text: str) -> None:
        if not messages:
            messages.append(f"with the whole program the command {check.expected}")
            click.echo(messages[0], err=True)
        click.echo(text, err=True)

    return (lambda _: None) if is_silent else say


def show(
    reduction: ReducedProgram, path: str, inputs_path: str | None, options: RunCommandOptions
) -> None:
    """Reports the result, on stdout unless the program was written there."""
    if options.output_format == "json":
        document = {
            "program": path,
            "inputs": inputs_path,
            "operations": reduction.operations,
            "operations_before": reduction.before,
            "checked": reduction.tried,
        }
        click.echo(json.dumps(document), err=path == STDOUT)
        return
    files = path if inputs_path is None else f"{path}, {inputs_path}"
    click.echo(
        f"{format_count(reduction.operations, 'operation')} of {reduction.before}, "
        f"after {format_count(reduction.tried, 'check')}: {files}",
        err=path == STDOUT,
    )

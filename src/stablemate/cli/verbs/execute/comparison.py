"""Runs comparisons and bisections, and prints them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

import stablemate as sm
from stablemate.analysis.tolerance import Tolerance
from stablemate.analysis.tracing.files import INDEX
from stablemate.atomic_files import Writer
from stablemate.cli.input.arguments import InputReader
from stablemate.cli.input.programs import load_program
from stablemate.cli.options import color_for
from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
from stablemate.cli.output.progress import progress
from stablemate.cli.output.tables import tables_text
from stablemate.cli.verbs.execute.session import (
    RunCommandOptions,
    given_arguments,
    program_of_options,
)
from stablemate.debugging.bisection import bisect
from stablemate.debugging.commands import text_of, write_inputs
from stablemate.debugging.comparison import compare
from stablemate.debugging.traces import compare_traces
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import reason

TRACES = (".json", ".npz")


def run_comparison(
    options: RunCommandOptions, other: str | None, against: str, tolerance: Tolerance | None, *,
    steps: bool, listed: int,
) -> int:  # fmt: skip
    """Runs the comparison that the options name, and prints it; returns the exit code.

    Raises:
        ArgumentError: An argument is missing or wrong.
    """
    if is_trace(options.file):
        if other is None:
            raise ArgumentValueError(f"{options.file} is a trace: with which one is it compared?")
        first, second = (loaded_trace(path) for path in (options.file, other))
        traces = compare_traces(first, second, tolerance)
        shown = json.dumps(traces.to_json()) if is_json(options) else tables_text(traces.tables())
        click.echo(shown)
        return 0 if traces.matches else 1
    module, arguments = program_of(options)
    second_program = None if other is None else load_program(other, options.limits)
    with progress("running both"):
        comparison = compare(
            module, *arguments, other=second_program, backend=options.backend or "cpu",
            against=against, tolerance=tolerance, steps=steps, order=options.order,
        )  # fmt: skip
    shown = (
        json.dumps(comparison.to_json())
        if is_json(options)
        else tables_text(comparison.tables(listed))
    )
    click.echo(shown, color=color_for(sys.stdout))
    return 0 if comparison.matches and comparison.first is None else 1


def run_bisection(
    options: RunCommandOptions, other: str | None, output: str | None, tolerance: Tolerance | None
) -> int:
    """Searches for the first diverging operation, and prints it; returns the exit code.

    Raises:
        ArgumentError: An argument is missing or wrong, or a file cannot be written.
    """
    inputs_path = "" if output is None else str(Path(output).with_suffix(".npz"))
    for path in (output, inputs_path) if output not in (None, STDOUT) else ():
        check_writable(str(path))
    module, arguments = program_of(options)
    second = None if other is None else load_program(other, options.limits)
    with progress("bisecting"):
        bisection = bisect(
            module, *arguments, other=second, backend=options.backend or "cpu",
            tolerance=tolerance, order=options.order,
        )  # fmt: skip
    if output is not None and bisection.module is not None:
        text = text_of(bisection.module).encode("utf-8", "surrogateescape")
        writers: dict[str, Writer] = {output: lambda file: file.write(text)}
        if output != STDOUT:
            writers[inputs_path] = partial(write_inputs, bisection.arguments)
        write_files(writers)
    to_stderr = output == STDOUT
    shown = json.dumps(bisection.to_json()) if is_json(options) else tables_text(bisection.tables())
    click.echo(shown, err=to_stderr)
    return 1 if bisection.results_differ else 0


def program_of(options: RunCommandOptions) -> tuple[sm.Module, Sequence[object]]:
    """The program that the options name, and its arguments.

    Raises:
        ArgumentError: An argument is missing or wrong.
    """
    module = program_of_options(options)
    module.verify_executable()
    function = module.entry(options.entry)
    (arguments,) = given_arguments(options, module, function, InputReader(options.limits))
    return module, arguments


def loaded_trace(path: str) -> sm.Trace:
    """A saved trace.

    Raises:
        ArgumentValueError: It cannot be read, or is none.
    """
    try:
        return sm.load_trace(path)
    except OSError as error:
        name = error.filename or path
        raise ArgumentValueError(f"cannot read {name}: {reason(error)}") from error


def is_trace(path: str) -> bool:
    """Whether a path is that of a trace; a folder without an index may be a dump."""
    place = Path(path)
    return (place / INDEX).is_file() if place.is_dir() else path.endswith(TRACES)


def is_json(options: RunCommandOptions) -> bool:
    """Whether JSON is asked for."""
    return options.output_format == "json"

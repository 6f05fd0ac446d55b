"""Runs traces, and prints them as a table or JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from stablemate.analysis.tracing.text import (
    COLUMNS,
    NUMBERS,
    is_alarming,
    rows_of,
    several_processes,
    summary_of,
    title_of,
)
from stablemate.analysis.tracing.trace import RunTrace
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.inspection.tracing import trace
from stablemate.api.module import HloModule, Module
from stablemate.cli.exit_codes import FAILED
from stablemate.cli.output.output_files import check_writable
from stablemate.cli.output.progress import progress
from stablemate.cli.output.tables import grid_lines, wide
from stablemate.cli.verbs.execute.observed_run import prepare_run
from stablemate.cli.verbs.execute.run_options import RunCommandOptions
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError

TRACED: Final = ("stablehlo.", "chlo.")
WIDE: Final = 200  # columns of a table that goes to no terminal


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """Selects the events that are traced; see the help of ``stablemate trace``."""

    operations: Sequence[str]
    functions: Sequence[str]
    lines: Sequence[str]
    locations: Sequence[str]
    where: str | None
    keep: str | None
    save: str | None
    limit: int

    @property
    def filters(self) -> str:
        """The filtering options, as they were passed."""
        options_by_name = {
            "op": self.operations, "function": self.functions, "line": self.lines,
            "location": self.locations, "where": [self.where] if self.where else [],
        }  # fmt: skip
        return " ".join(
            f"--{name}={value!r}" for name, own in options_by_name.items() for value in own
        )


def names_in(module: Module) -> str:
    """The names that patterns of a trace can match: operations and functions of the program."""
    if isinstance(module, HloModule):
        module = Module(module.ir)
    walked = [operation.name for operation in module.ir.operation.walk()]
    operations = ", ".join(sorted({name for name in walked if name.startswith(TRACED)}))
    return f"there are {operations} in {', '.join(module.functions)}"


def check_directory(path: str) -> None:
    """Rejects a path where no directory can be created, before its content is computed.

    Raises:
        ArgumentValueError: It is a file, or is below one.
    """
    near = next(
        directory
        for directory in (Path(path), *Path(path).absolute().parents)
        if directory.exists()
    )
    if not near.is_dir():
        raise ArgumentValueError(f"cannot write {path}: {near} is a file")
    if not os.access(near, os.W_OK):
        raise ArgumentValueError(f"cannot write {path}: permission denied")


def run(options: RunCommandOptions, chosen: TraceOptions) -> int:
    """Traces a program as the options specify; returns the exit code."""
    directory = chosen.save
    if directory is not None and directory.endswith((".npz", ".json")):
        check_writable(directory)
        directory = None
    if directory is not None:
        check_directory(directory)
    module, entry, arguments, how = prepare_run(options)
    with progress(f"running {entry}"):
        recorded = trace(
            module,
            *arguments,
            operations=chosen.operations,
            functions=chosen.functions,
            lines=chosen.lines,
            locations=chosen.locations,
            where=chosen.where,
            keep=chosen.keep or False,
            limit=chosen.limit,
            directory=directory,
            entry=entry,
            backend=options.backend or DEFAULT_BACKEND,
            **how,
        )
    if chosen.save is not None and directory is None:
        recorded.save(chosen.save)
    show(recorded, options)
    if not recorded.events and recorded.failure is None and chosen.filters:
        click.echo(f"note: nothing passed {chosen.filters}; {names_in(module)}", err=True)
    return 0 if recorded.failure is None else FAILED


def show(recorded: RunTrace, options: RunCommandOptions) -> None:
    """Prints a trace on stdout, and its failure on stderr."""
    if options.output_format == "json":
        click.echo(json.dumps(recorded.to_json(), allow_nan=False))
    else:
        click.echo(table_text(recorded, options.print_limit))
    if recorded.failure is not None:
        click.echo(recorded.failure.message, err=True)


def table_text(recorded: RunTrace, shown: int) -> str:
    """A trace as a table for the terminal."""
    events = recorded.events[:shown]
    with_processes = several_processes(events)
    rows, styles = list[tuple[str, ...]](), list[str]()
    for event in events:
        for row in rows_of(event, processes=with_processes):
            rows.append(row)
            styles.append("red" if is_alarming(event) else "")
    are_words = [i not in NUMBERS for i in range(len(COLUMNS))]
    lines = grid_lines(COLUMNS, are_words, rows, wide(WIDE), styles)
    return "\n".join([title_of(recorded), *lines, *summary_of(recorded, shown)])

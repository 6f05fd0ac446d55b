"""Traces on the command line: a table, or JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
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
from stablemate.analysis.tracing.trace import Trace
from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.module import HloModule, Module
from stablemate.api.tracing import trace
from stablemate.cli.exit_codes import FAILED
from stablemate.cli.output.output_files import check_writable
from stablemate.cli.output.progress import progress
from stablemate.cli.output.tables import grid_lines, wide
from stablemate.cli.verbs.execute.observed_run import prepared
from stablemate.cli.verbs.execute.run_options import Options
from stablemate.diagnostics.errors import ArgumentValueError

TRACED: Final = ("stablehlo.", "chlo.")
WIDE: Final = 200  # columns of a table that goes to no terminal


@dataclass(frozen=True, slots=True)
class Tracing:
    """What is traced, as the help of ``stablemate trace`` explains it."""

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
        """The options that leave events out, as they were given."""
        given = {
            "op": self.operations, "function": self.functions, "line": self.lines,
            "location": self.locations, "where": [self.where] if self.where else [],
        }  # fmt: skip
        return " ".join(f"--{name}={each!r}" for name, own in given.items() for each in own)


def names_in(module: Module) -> str:
    """What patterns of a trace could have named: the operations of a program, its functions."""
    if isinstance(module, HloModule):
        module = module.to_stablehlo()
    walked = [each.name for each in module.ir.operation.walk()]
    operations = ", ".join(sorted({each for each in walked if each.startswith(TRACED)}))
    return f"there are {operations} in {', '.join(module.functions)}"


def check_directory(path: str) -> None:
    """Refuses a path where no directory can be made, before the work that leads to its contents.

    Raises:
        ArgumentValueError: It is a file, or is below one.
    """
    near = next(each for each in (Path(path), *Path(path).absolute().parents) if each.exists())
    if not near.is_dir():
        raise ArgumentValueError(f"cannot write {path}: {near} is a file")
    if not os.access(near, os.W_OK):
        raise ArgumentValueError(f"cannot write {path}: permission denied")


def run(options: Options, chosen: Tracing) -> int:
    """Traces a program as the options say; returns the exit code."""
    directory = chosen.save
    if directory is not None and directory.endswith((".npz", ".json")):
        check_writable(directory)
        directory = None
    if directory is not None:
        check_directory(directory)
    module, entry, arguments, how = prepared(options)
    with progress(f"running {entry}"):
        found = trace(
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
        found.save(chosen.save)
    show(found, options)
    if not found.events and found.failure is None and chosen.filters:
        click.echo(f"note: nothing passed {chosen.filters}; {names_in(module)}", err=True)
    return 0 if found.failure is None else FAILED


def show(found: Trace, options: Options) -> None:
    """Prints a trace on stdout, and on stderr how it failed."""
    if options.output_format == "json":
        click.echo(json.dumps(found.to_json(), allow_nan=False))
    else:
        click.echo(table_text(found, options.print_limit))
    if found.failure is not None:
        click.echo(found.failure.message, err=True)


def table_text(found: Trace, shown: int) -> str:
    """A trace as a table for the terminal."""
    events = found.events[:shown]
    with_processes = several_processes(events)
    rows, styles = list[tuple[str, ...]](), list[str]()
    for event in events:
        for row in rows_of(event, processes=with_processes):
            rows.append(row)
            styles.append("red" if is_alarming(event) else "")
    are_words = [i not in NUMBERS for i in range(len(COLUMNS))]
    lines = grid_lines(COLUMNS, are_words, rows, wide(WIDE), styles)
    return "\n".join([title_of(found), *lines, *summary_of(found, shown)])

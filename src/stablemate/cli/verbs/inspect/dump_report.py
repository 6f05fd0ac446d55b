"""Prints what a compiler dumped, as tables or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import click

from stablemate.analysis.quantities import format_count
from stablemate.cli.exit_codes import FINDING, INVALID
from stablemate.cli.options import color_for
from stablemate.cli.output.output_files import STDOUT, check_writable, write_files
from stablemate.cli.output.page_server import serve
from stablemate.cli.output.progress import progress
from stablemate.cli.output.tables import tables_text
from stablemate.diagnostics.errors import ParseError, VerifyError
from stablemate.dumps.comparison import dump_difference
from stablemate.dumps.dump import load_dump
from stablemate.dumps.figures import ModuleFigures
from stablemate.dumps.page import dump_page
from stablemate.dumps.reports import (
    DumpQuestion,
    all_figures,
    dump_json,
    dump_tables,
    ignore,
    overview_json,
)
from stablemate.dumps.tables import overview_tables


def show_dump(
    folder: str, module: str | None, first: str | None, second: str | None, *, passes: bool,
    listed: int, no_cost: bool, output_format: str,
) -> int:  # fmt: skip
    """Prints the answer to a question about a dump; returns the exit code.

    Raises:
        ArgumentValueError: There is no dump, module or stage.
        FileError: The folder cannot be read.
    """
    question = DumpQuestion(module, first, second, passes, listed, not no_cost)
    with progress(f"reading {folder}"):
        dump = load_dump(folder)
        figures = all_figures(dump, question.with_cost) if module is None else []
        if output_format == "json":
            shown = json.dumps(dump_json(dump, question, figures), indent=2)
        else:
            shown = tables_text(dump_tables(dump, question, figures))
    click.echo(shown, color=color_for(sys.stdout))
    return exit_code(figures)


def show_overview(folder: str, output_format: str, listed: int) -> int:
    """Prints the modules of a dump and what they take; returns the exit code.

    Raises:
        ArgumentValueError: There is no dump.
        FileError: The folder cannot be read.
    """
    with progress(f"reading {folder}"):
        dump = load_dump(folder)
        figures = all_figures(dump)
        if output_format == "json":
            shown = json.dumps(overview_json(dump, figures), indent=2)
        else:
            shown = tables_text(overview_tables(dump, figures, listed))
    click.echo(shown, color=color_for(sys.stdout))
    return exit_code(figures)


def exit_code(figures: Sequence[ModuleFigures]) -> int:
    """The exit code: INVALID if the program of a module cannot be read."""
    broken = any(isinstance(row.failure, ParseError | VerifyError) for row in figures)
    return INVALID if broken else 0


def show_difference(a: str, b: str, output_format: str, *, quiet: bool, listed: int) -> int:
    """Prints the difference of two dumps; returns the exit code.

    Raises:
        ArgumentValueError: There is no dump.
        FileError: A folder cannot be read.
    """
    with progress(f"comparing {a} and {b}"):
        difference = dump_difference(load_dump(a), load_dump(b))
    if not quiet:
        if output_format == "json":
            shown = json.dumps(difference.to_json(), indent=2)
        else:
            shown = tables_text(difference.tables(listed))
        click.echo(shown, color=color_for(sys.stdout))
    return FINDING if difference else 0


def show_page(folder: str, output: str | None, *, in_browser: bool) -> None:
    """Writes the page of a dump, or shows it in the browser.

    Raises:
        ArgumentValueError: There is no dump, or the page cannot be written.
        FileError: The folder cannot be read.
    """
    if output is not None:
        check_writable(output)
    with progress(f"reading {folder}"):
        dump = load_dump(folder)
        page = dump_page(dump, all_figures(dump), ignore)
    if in_browser:
        serve(page, str(dump.folder))
        return
    assert output is not None
    write_files({output: lambda stream: stream.write(page.encode())})
    if output != STDOUT:
        modules = format_count(len(dump.modules), "module")
        click.echo(f"{output}: {modules}, {len(page.encode()) / 1e6:.1f} MB", err=True)

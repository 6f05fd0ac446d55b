"""Profiles for the command line: a table, or JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from io import StringIO
from shutil import get_terminal_size
from typing import Any, Final

import stablemate as sm
from stablemate.analysis.profile import Profile, Row
from stablemate.cli.compilation import compiled
from stablemate.cli.inputs import InputReader
from stablemate.cli.options import colour_for
from stablemate.cli.progress import progress
from stablemate.cli.report import duration_text
from stablemate.cli.run_options import Options
from stablemate.cli.session import counted, given_arguments, loaded

GIGA: Final = 1e9
COLUMNS: Final = ("ms", "share", "turns", "GB/s", "GFLOP/s", "kernel", "operations")
WIDE: Final = 160  # columns of a table that goes to no terminal


def shown(options: Options, runs: int) -> str:
    """The profile that the options ask for, as text.

    Raises:
        UnsupportedError: The program is not compiled.
        ArgumentError: An argument is missing, superfluous, of another type, or cannot be read.
    """
    module = loaded(options)
    function = module.entry(options.entry)
    (arguments,) = given_arguments(options, module, function, InputReader(options.limits))
    executable = compiled(module, function.name, options.threads)
    with progress(f"running {function.name}"):
        found = sm.profile(executable, *arguments, runs=runs, seed=options.seed)
    return json_text(found) if options.output_format == "json" else table_text(found)


def table_text(profile: Profile) -> str:
    """The profile as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in COLUMNS[:-2]:
        table.add_column(name, justify="right", no_wrap=True)
    for name in COLUMNS[-2:]:
        table.add_column(name, overflow="fold")
    for row in profile.rows:
        table.add_row(*cells(row, profile.seconds))
    is_terminal = sys.stdout.isatty()
    text = StringIO()
    Console(
        file=text,
        width=get_terminal_size().columns if is_terminal else WIDE,
        force_terminal=colour_for(sys.stdout),
        highlight=False,
    ).print(table)
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    return "\n".join([*lines, "", *summary(profile)])


def summary(profile: Profile) -> list[str]:
    """What stands below the table."""
    peaks = profile.peaks
    memory, floats = peaks.bytes_per_second / GIGA, peaks.flops_per_second / GIGA
    whole, parts = duration_text(profile.run_seconds), duration_text(profile.seconds)
    return [
        f"A run takes {whole}, its parts one by one {parts}.",
        f"With {counted(peaks.threads, 'thread')} this machine moves at most {memory:.3g} GB/s to "
        f"and from memory and does at most {floats:.3g} GFLOP/s on 32-bit floats.",
    ]


def cells(row: Row, total: float) -> tuple[str, ...]:
    """A row of the table."""
    share = row.seconds / total if total else 0.0
    return (
        f"{row.seconds * 1e3:.4f}",
        f"{share:.1%}",
        f"{row.turns:g}",
        f"{row.bytes_per_second / GIGA:.1f}" if row.bytes else "",
        f"{row.flops_per_second / GIGA:.1f}" if row.flops else "",
        row.what,
        " ".join(map(str, row.operations)),
    )


def json_text(profile: Profile) -> str:
    """The profile as JSON."""
    document: dict[str, Any] = {
        "runs": profile.runs,
        "run_seconds": profile.run_seconds,
        "seconds": profile.seconds,
        "peaks": asdict(profile.peaks),
        "rows": [
            asdict(each)
            | {
                "bytes_per_second": each.bytes_per_second,
                "flops_per_second": each.flops_per_second,
            }
            for each in profile.rows
        ],
    }
    return json.dumps(document, indent=2)

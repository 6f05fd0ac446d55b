"""Formats tables for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import zip_longest
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

from stablemate.analysis.tables import TextTable
from stablemate.cli.options import color_for

if TYPE_CHECKING:
    from rich.console import Console

WIDE: Final = 160  # columns of a table that goes to no terminal
NARROW: Final = 16  # columns to which words are folded at most
GAP: Final = 2  # columns between two of a table


def tables_text(tables: Iterable[TextTable]) -> str:
    """Tables with an empty line between them."""
    return "\n\n".join("\n".join(table_lines(table)) for table in tables)


def table_lines(table: TextTable) -> Iterator[str]:
    """The lines of a table: its title, its rows, its notes."""
    from rich.text import Text

    if table.title:
        yield from lines_of(Text(table.title, style="bold"), wide())
    if table.columns:
        names = [column.strip() for column in table.columns]
        yield from grid_lines(names, table.are_words, table.rows, wide())
    for note in table.notes:
        yield from lines_of(Text(note), wide())


def wide(otherwise: int = WIDE) -> int:
    """The width of tables: that of the terminal, if they are written to one."""
    return get_terminal_size().columns if sys.stdout.isatty() else otherwise


def grid_lines(
    names: Sequence[str], are_words: Sequence[bool], rows: Iterable[Sequence[str]], width: int,
    styles: Sequence[str] = (),
) -> Iterator[str]:  # fmt: skip
    """The lines of rows below their column names.

    Words are folded where they do not fit; numbers never are. So a table may be wider than it is
    to be: a terminal that breaks lines shows more than one that leaves out digits.

    Args:
        names: Of the columns.
        are_words: Which columns hold words, and not numbers.
        rows: What stands in them.
        width: How wide it is to be.
        styles: Of the first rows.
    """
    from rich.table import Table as Shown
    from rich.text import Text

    rows = list(rows)
    if sum(widths(names, rows)) + GAP * len(names) > width:
        names = ["\n".join(name.split(" ")) for name in names]
    full = widths(names, rows)
    least = [min(n, NARROW) if words else n for n, words in zip(full, are_words, strict=True)]
    shown = Shown(box=None, pad_edge=False)
    for name, is_words, n in zip(names, are_words, least, strict=True):
        shown.add_column(
            name,
            justify="left" if is_words else "right",
            no_wrap=not is_words,
            overflow="fold",
            min_width=n,
        )
    for row, style in zip_longest(rows, styles[: len(rows)], fillvalue=""):
        shown.add_row(*map(Text, row), style=style)
    yield from lines_of(shown, max(width, sum(least) + GAP * len(least)))


def widths(names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The widths of columns whose cells are not wrapped."""
    return [
        max(len(line) for text in column for line in text.split("\n"))
        for column in zip(names, *rows, strict=True)
    ]


def lines_of(what: object, width: int) -> Iterator[str]:
    """The lines of an object that rich prints, at a width."""
    text = StringIO()
    console_of(text, width).print(what)
    yield from (line.rstrip() for line in text.getvalue().splitlines())


def console_of(text: StringIO, width: int) -> Console:
    """A rich console that prints to text; in color if stdout is."""
    from rich.console import Console

    color = color_for(sys.stdout)
    return Console(
        file=text, width=width, force_terminal=color, no_color=not color, highlight=False
    )

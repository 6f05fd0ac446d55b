"""Tables as text: as wide as the terminal, or as wide as they are."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from shutil import get_terminal_size
from typing import Final

from stablemate.analysis.tables import Table
from stablemate.cli.options import colour_for

WIDE: Final = 160  # columns of a table that goes to no terminal


def tables_text(tables: Iterable[Table]) -> str:
    """Tables with an empty line between them."""
    return "\n\n".join("\n".join(table_lines(each)) for each in tables)


def table_lines(table: Table) -> Iterator[str]:
    """The lines of a table: its title, its rows, what stands below."""
    from rich.console import Console
    from rich.table import Table as Shown
    from rich.text import Text

    text = StringIO()
    console = Console(
        file=text,
        width=get_terminal_size().columns if sys.stdout.isatty() else WIDE,
        force_terminal=colour_for(sys.stdout),
        highlight=False,
    )
    if table.title:
        console.print(Text(table.title, style="bold"))
    if table.columns:
        shown = Shown(box=None, pad_edge=False)
        for name, is_words in zip(table.columns, table.are_words, strict=True):
            shown.add_column(
                name.strip(),
                justify="left" if is_words else "right",
                no_wrap=not is_words,
                overflow="fold",
            )
        for row in table.rows:
            shown.add_row(*map(Text, row))
        console.print(shown)
    for note in table.notes:
        console.print(Text(note))
    yield from (line.rstrip() for line in text.getvalue().splitlines())

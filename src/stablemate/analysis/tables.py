"""Tables: what results show of themselves, in a terminal as on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of text with names above them.

    Attributes:
        title: What they are about; empty where that is plain.
        columns: The names; one that ends in a space is that of words, others are of numbers.
        rows: The cells of each row.
        notes: Sentences below.
    """

    title: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    notes: Sequence[str] = ()

    @property
    def are_words(self) -> Sequence[bool]:
        """Of each column, whether it holds words: they begin where it begins."""
        return [column.endswith(" ") for column in self.columns]


def text_of(tables: Iterable[TextTable]) -> str:
    """The tables as text, as wide as they are."""
    return "\n\n".join("\n".join(text_lines(table)) for table in tables)


def text_lines(table: TextTable) -> Iterator[str]:
    """A table as lines of text."""
    if table.title:
        yield table.title
    if table.columns:
        rows = [[column.strip() for column in table.columns], *table.rows]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = zip(row, widths, table.are_words, strict=True)
            yield "  ".join(c.ljust(w) if left else c.rjust(w) for c, w, left in cells).rstrip()
    yield from table.notes


def html_of(tables: Iterable[TextTable]) -> str:
    """The tables as HTML, for notebooks."""
    return "\n".join(line for table in tables for line in html_lines(table))


def html_lines(table: TextTable) -> Iterator[str]:
    """A table as lines of HTML."""
    if table.title:
        yield f"<h4>{escape(table.title)}</h4>"
    if table.columns:
        yield "<table>"
        names = "".join(f"<th>{escape(column.strip())}</th>" for column in table.columns)
        yield f"<thead><tr>{names}</tr></thead>"
        yield "<tbody>"
        for row in table.rows:
            yield f"<tr>{html_cells(row, table.are_words)}</tr>"
        yield "</tbody></table>"
    yield from (f"<p>{escape(note)}</p>" for note in table.notes)


def html_cells(row: Sequence[str], are_words: Sequence[bool]) -> str:
    """The cells of a row as HTML."""
    return "".join(
        f'<td style="text-align:{"left" if words else "right"}">{escape(cell)}</td>'
        for cell, words in zip(row, are_words, strict=True)
    )

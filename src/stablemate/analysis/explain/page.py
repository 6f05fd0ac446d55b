"""Explanations: pages that print themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from textwrap import wrap
from typing import Final, Literal

from stablemate.deferred_dataclasses import dataclass

WIDTH: Final = 100
Kind = Literal[
    "operation",
    "rule",
    "code",
    "attribute",
    "type",
    "shape",
    "opcode",
    "pass",
    "concept",
    "index",
]


@dataclass(frozen=True, slots=True)
class DescriptionRow:
    """A name and its description."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PageSection:
    """A part of a page.

    Attributes:
        title: What it is about.
        rows: What it says, each of one thing.
        text: What it says as a whole, paragraphs or verbatim lines.
        verbatim: Whether line breaks count.
    """

    title: str
    rows: tuple[DescriptionRow, ...] = ()
    text: str = ""
    verbatim: bool = False

    def lines(self) -> Iterator[str]:
        """Renders the section as indented text for a terminal."""
        yield ""
        yield self.title
        if self.verbatim:
            yield from (f"  {line}".rstrip() for line in self.text.splitlines())
        elif self.text:
            for paragraph in self.text.split("\n\n"):
                yield from wrap_paragraph(paragraph, "  ", "  ")
        width = min(max((len(row.name) for row in self.rows), default=0), 28)
        for row in self.rows:
            head = f"  {row.name:<{width}}  "
            yield from wrap_paragraph(row.text, head, " " * len(f"  {'':<{width}}  "))


@dataclass(frozen=True, slots=True)
class Explanation:
    """A page.

    Attributes:
        subject: What it is about, by its full name or code.
        kind: What that is.
        summary: What it means, in a sentence.
        sections: The rest.
        related: Other subjects.
        source: Where the specification speaks of it.
    """

    subject: str
    kind: Kind
    summary: str
    sections: tuple[PageSection, ...] = ()
    related: tuple[str, ...] = ()
    source: str = ""

    def lines(self) -> Iterator[str]:
        """The page as text; titles are at the left margin."""
        yield f"{self.subject} ({self.kind})"
        yield ""
        yield from wrap_paragraph(self.summary, "  ", "  ")
        for section in self.sections:
            yield from section.lines()
        if self.related:
            yield ""
            yield "See"
            yield from wrap_paragraph(", ".join(self.related), "  ", "  ")
        if self.source:
            yield ""
            yield "Source"
            yield f"  {self.source}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_json(self) -> dict[str, object]:
        """The page as an object."""
        return {"schema": 1, **asdict(self)}

    def section(self, title: str) -> PageSection:
        """The section of a title.

        Raises:
            KeyError: There is none.
        """
        for section in self.sections:
            if section.title == title:
                return section
        raise KeyError(title)

    def _repr_html_(self) -> str:
        parts = [f"<h3>{escape(self.subject)}</h3><p>{escape(self.summary)}</p>"]
        for section in self.sections:
            parts.append(f"<h4>{escape(section.title)}</h4>")
            if section.text:
                tag = "pre" if section.verbatim else "p"
                parts.append(f"<{tag}>{escape(section.text)}</{tag}>")
            rows = "".join(
                f"<tr><td><code>{escape(row.name)}</code></td><td>{escape(row.text)}</td></tr>"
                for row in section.rows
            )
            parts.append(f"<table>{rows}</table>" if rows else "")
        if self.related:
            parts.append(f"<p>See {escape(', '.join(self.related))}</p>")
        return "".join(parts)


def wrap_paragraph(text: str, first: str, rest: str) -> list[str]:
    """Wraps a paragraph; ``first`` and ``rest`` indent its first and its other lines."""
    lines = wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [first.rstrip()]

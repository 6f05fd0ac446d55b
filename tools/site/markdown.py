"""Explanations and tables as Markdown, in the dialect that MyST reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection

SPECIAL: Final = re.compile(r"([\\*_\[\]<>|#{}$~^])")
QUOTED: Final = re.compile(r"(`[^`]*`)")
LABEL: Final = re.compile(r"([IC]\d+): ")
# Sections whose rows are named after subjects with pages.
SUBJECTS: Final = ("Attributes", "On operations", "Operations")
# Sections whose rows are formulas or names, and those that are programs.
CODE: Final = ("Rules", "Elsewhere", "Values")
LANGUAGES: Final = {"Example": "mlir", "For example": "mlir"}

Link = Callable[[str], str | None]


def prose(text: str) -> str:
    """A text in which nothing but backticks means anything."""
    parts = QUOTED.split(" ".join(text.split()))
    return "".join(
        part if place % 2 else SPECIAL.sub(r"\\\1", part) for place, part in enumerate(parts)
    )


def code(text: str) -> str:
    """A text as code, in a line or in a cell."""
    plain = " ".join(text.split()).replace("|", "\\|")
    return f"`{plain}`" if "`" not in plain else f"`` {plain} ``"


def fence(text: str, language: str) -> list[str]:
    """A text whose line breaks count."""
    return [f"```{language}", text.rstrip("\n"), "```", ""]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of cells that are Markdown already."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines, ""]


def linked(name: str, link: Link) -> str:
    """A name as code, and as a link if it has a page."""
    target = link(name)
    return code(name) if target is None else f"[{code(name)}]({target})"


def page(explanation: Explanation, link: Link, level: int = 1) -> Iterator[str]:
    """An explanation, line by line.

    Args:
        explanation: What it says.
        link: Where a name that it mentions has a page; None if it has none.
        level: That of its title.
    """
    yield f"{'#' * level} {prose(explanation.subject)}"
    yield ""
    yield prose(explanation.summary)
    yield ""
    for item in explanation.sections:
        yield from section(item, link, level + 1)
    related = [linked(item, link) for item in explanation.related if "/" not in item]
    if related:
        yield f"See {', '.join(related)}."
        yield ""
    if explanation.source and level == 1:
        yield f"Source: <{explanation.source}>"
        yield ""


def section(part: PageSection, link: Link, level: int) -> Iterator[str]:
    """A part of an explanation; below the second level its title is no heading."""
    yield f"{'#' * level} {prose(part.title)}" if level == 2 else f"**{prose(part.title)}**"
    yield ""
    if part.verbatim:
        yield from fence(part.text, LANGUAGES.get(part.title, "text"))
    elif part.text:
        yield from (f"{prose(paragraph)}\n" for paragraph in part.text.split("\n\n"))
    if part.rows:
        yield from rows(part, link)


def rows(part: PageSection, link: Link) -> Iterator[str]:
    """The rows of a section: name, number in the specification if one has it, text."""
    if part.title == "Values":
        yield ", ".join(code(row.name) for row in part.rows)
        yield ""
        return
    if part.title == "Rules":
        yield from table(("", ""), rules(part))
        return
    split = [labeled(row) for row in part.rows]
    numbered = any(label for label, _ in split)
    head = ("", "", "") if numbered else ("", "")
    shown = code if part.title in CODE else prose
    name = partial(linked, link=link) if part.title in SUBJECTS else code
    cells_of = [
        (name(row.name), *([label] * numbered), shown(text))
        for row, (label, text) in zip(part.rows, split, strict=True)
    ]
    yield from table(head, cells_of)


def rules(part: PageSection) -> Iterator[tuple[str, str]]:
    """Rules by their labels; the first of each label has a place that links can name."""
    placed: set[str] = set()
    for row in part.rows:
        new = row.name not in placed
        placed.add(row.name)
        yield (f"[{row.name}]{{#{anchor(row.name)}}}" if new else row.name), code(row.text)


def labeled(row: DescriptionRow) -> tuple[str, str]:
    """The number that the specification gives what is in a row, and the rest of its text."""
    match_ = LABEL.match(row.text)
    return (match_.group(1), row.text[match_.end() :]) if match_ else ("", row.text)


def anchor(label: str) -> str:
    """The name of a place in a page."""
    return re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")

"""Pages of results: those that are kept while they are measured, and tables between marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path


def table_lines(page: Path, name: str) -> list[str]:
    """The lines of the table between the marks of a name, ``<!-- table:NAME -->``, in a page."""
    found = between_marks(name).search(page.read_text())
    assert found is not None, f"{page} has no table {name}"
    return found[0].splitlines()


def write_table(page: Path, name: str, lines: Iterable[str]) -> None:
    """Writes the table between the marks of a name in a page."""
    content, table = page.read_text(), "".join(f"{line}\n" for line in lines)
    written, count = between_marks(name).subn(lambda _: table, content)
    assert count, f"{page} has no table {name}"
    page.write_text(written)


def between_marks(name: str) -> re.Pattern[str]:
    """What stands between the marks of a name."""
    return re.compile(rf"(?<=<!-- table:{name} -->\n).*?(?=<!-- /table:{name} -->)", re.DOTALL)


def print_and_keep(lines: Iterable[str], page: Path | None) -> None:
    """Prints lines as they come, and keeps those that there are in a page, if one is given."""
    kept: list[str] = []
    for line in lines:
        kept.append(line)
        print(line, flush=True)
        if page:
            page.write_text("\n".join(kept) + "\n")

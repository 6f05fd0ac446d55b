"""Pages of passes, from the table of passes and what their files say."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.transforms.passes import PASSES, Pass, PassOption

EXAMPLES = {
    "flag": "",
    "names": "a,b",
    "number": "4",
    "text": "x",
    "types": "'tensor<4xf32>'",
    "version": "1.9.0",
}


def names() -> Iterator[str]:
    """The names that have a page."""
    yield from PASSES


def pass_page(asked: str) -> Explanation | None:
    """The page of a pass, by its name with or without hyphens in front; None if it is none."""
    row = PASSES.get(asked.removeprefix("--"))
    if row is None:
        return None
    sections = [PageSection("What it does", text=meaning(row))]
    if row.options:
        sections.append(PageSection("Options", tuple(map(option_row, row.options))))
    if row.aliases:
        sections.append(PageSection("Other names", text=", ".join(row.aliases)))
    sections.append(PageSection("Example", text=example(row), verbatim=True))
    return Explanation(row.name, "pass", row.sentence, tuple(sections))


def meaning(row: Pass) -> str:
    """The description of a pass in its file, without its source; else the default sentence."""
    file = row.home.partition(":")[0]
    text = import_module(f"stablemate.transforms.{file}").__doc__ or row.sentence
    named = f"{row.name}: "
    paragraphs = [
        part.strip().removeprefix(named)
        for part in text.split("\n\n")
        if not part.strip().startswith("Source:")
    ]
    return "\n\n".join(paragraphs).replace("``", "`")


def option_row(option: PassOption) -> DescriptionRow:
    """An option, with what it takes."""
    presence = "; required" if option.required else ""
    return DescriptionRow(option.name, f"{option.meaning} ({option.kind}{presence})")


def example(row: Pass) -> str:
    """A command line that runs a pass."""
    needed = ",".join(
        f"{option.name}={EXAMPLES[option.kind]}" for option in row.options if option.required
    )
    return f"stablemate opt model.mlir --{row.name}{'=' if needed else ''}{needed}"

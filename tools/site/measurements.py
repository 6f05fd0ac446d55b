"""Pages of measurements: the files of ``benchmarks/results``, which stay where they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tools.spec_labels import ROOT

RESULTS: Final = ROOT / "benchmarks" / "results"


def files() -> Iterator[tuple[str, str]]:
    """A page for each file, and one that lists them."""
    sorted_value = sorted(RESULTS.glob("*.md"))
    names = [path.stem for path in sorted_value]
    yield "benchmarks.md", "\n".join(index(names))
    for entry in sorted_value:
        include = f"```{{include}} ../../../benchmarks/results/{entry.name}\n```\n"
        title = "" if entry.read_text().startswith("# ") else f"# {spoken(entry.stem)}\n\n"
        yield f"benchmarks/{entry.stem}.md", title + include


def index(names: list[str]) -> Iterator[str]:
    """All measurements."""
    yield from ("# Benchmarks", "")
    yield "The results of all benchmarks; `benchmarks/` has the programs that measured them. "
    yield "[Performance](../performance.md) is the summary."
    yield from ("", "```{toctree}", ":maxdepth: 1", "")
    yield from (f"benchmarks/{name}" for name in names)
    yield "```"


def spoken(name: str) -> str:
    """The name of a file as a title."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]

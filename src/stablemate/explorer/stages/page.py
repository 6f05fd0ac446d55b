"""The page of the stages: their lines side by side, and a script that links them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stablemate.diagnostics.visible import visible
from stablemate.execution.executable import Executable
from stablemate.explorer.page import asset, html_page
from stablemate.explorer.stages.links import StageLine, linked_stages

TITLES: Final = {
    "module": "Module",
    "fusion": "Fusion",
    "nest": "Loop nests",
    "plan": "Plan",
    "llvm": "LLVM IR",
    "asm": "Assembly",
}
LENGTH: Final = 400  # characters of a line that are shown
MOST: Final = 20_000  # lines of a stage that are shown


def stages_page(executable: Executable, title: str) -> str:
    """The page of a compiled program: one text that needs nothing else.

    Raises:
        UnsupportedError: The program is not compiled.
    """
    return html_page(
        visible(title),
        theme() + asset("stages/page.css"),
        asset("stages/page.html"),
        stages_document(linked_stages(executable), title),
        asset("stages/page.js"),
    )


def theme() -> str:
    """The colors of the explorer's page."""
    return asset("page.css").partition("* {")[0]


def stages_document(stages: Mapping[str, Sequence[StageLine]], title: str) -> dict[str, object]:
    """The data of the page.

    ``kernels``: their names. ``stages``: ``name`` and ``title``; ``lines``: the text, numbers of
    kernels, of operations and of statements of each line; ``hidden``: how many lines were left out.
    """
    names = list(dict.fromkeys(name for name in kernels_in(stages)))
    numbers = {name: number for number, name in enumerate(names)}
    return {
        "title": visible(title),
        "kernels": names,
        "stages": [
            {
                "name": stage,
                "title": TITLES[stage],
                "hidden": max(0, len(lines) - MOST),
                "lines": [
                    [
                        abbreviate_line(line.text),
                        [numbers[kernel] for kernel in line.kernels],
                        list(line.operations),
                        list(line.statements),
                    ]
                    for line in lines[:MOST]
                ],
            }
            for stage, lines in stages.items()
        ],
    }


def kernels_in(stages: Mapping[str, Sequence[StageLine]]) -> list[str]:
    """The kernels in the order in which the plan launches them."""
    return [name for line in stages["plan"] for name in line.kernels]


def abbreviate_line(text: str) -> str:
    """A line without what would steer a reader's screen, cut when long."""
    text = text.expandtabs(4)
    cut = text if len(text) <= LENGTH else f"{text[:LENGTH]} … {len(text):,} characters"
    return visible(cut)

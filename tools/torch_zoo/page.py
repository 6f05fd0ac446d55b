"""The page of the documentation that shows what came of models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tools.torch_zoo.cases import CASES, Outcome
from tools.torch_zoo.rows import LIBRARIES

TITLES: Final = {
    "compile static forward": "forward",
    "compile static train": "training step",
    "compile dynamic forward": "forward, sizes vary",
    "compile dynamic train": "training step, sizes vary",
    "export static": "`from_torch`",
    "export dynamic": "`from_torch`, batch varies",
    "generate": "`generate`",
    "generate static cache": "`generate`, static cache",
}
EXCLUDED: Final = ("pytorch", "random")
HEAD: Final = """# Models of PyTorch's libraries

Models with random weights and small sizes, compared with PyTorch. Each cell says how many models
agree, of those for which the case was run and which PyTorch itself can trace: forward with
`torch.no_grad()`, and one step of gradient descent (the loss, all gradients, all parameters and
buffers after it), by `torch.compile(model, backend="stablemate")`; the program of
`sm.from_torch(model, ...)`, run with NumPy; greedy `generate` with the model's forward compiled,
whose tokens must be the same. Where sizes vary, one program runs two batch sizes. A case that the
logs do not have is not counted: the zoo has more models and cases than are listed here.

A result agrees if it differs from PyTorch's of float64 by at most 8 times as much as PyTorch's own
of float32 does, and a few units in the last place of the largest element. Where that does not
suffice, PyTorch's own error is the largest of seven runs, six of them with parameters and inputs
that differ in the last place: elements at the corner of a ReLU, or at the border of two experts,
come out on either side of it. Where one of these is hit in one run alone, the compiled model runs
in float64, where it is not: it must agree with PyTorch's to 2^-24 of the largest element.

The programs run as native code, some in the interpreter (`--backend`), with one thread.
`python -m tools.torch_models` runs the cases, and `--table` adds its logs to this page: a cell that
counts more models than the logs have stays, but for models that failed and ran again.
"""
FAULTS, OWN = "What differs or fails", "What PyTorch itself does not trace, or what is random"
COUNTS: Final = re.compile(r"(\d+) / (\d+)")
NAMES: Final = re.compile(r"^\* (\w+) \(\d+\): (.*)$", re.MULTILINE)
ITEM: Final = re.compile(r"^\* (\w+), (.*?), (.*?): (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class EarlierPage:
    """What a page says already.

    Attributes:
        counts: How many models passed, of all, by case and library.
        names: The models of each library.
        items: The lines of what did not pass, by library, model and title of the case.
    """

    counts: Mapping[tuple[str, str], tuple[int, int]] = field(
        default_factory=dict[tuple[str, str], tuple[int, int]]
    )
    names: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    items: Mapping[tuple[str, str, str], str] = field(
        default_factory=dict[tuple[str, str, str], str]
    )


def read_page(text: str) -> EarlierPage:
    """What a page says."""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for case, title in TITLES.items():
        line = next((row for row in text.splitlines() if row.startswith(f"| {title} |")), "")
        for library, cell in zip(LIBRARIES, line.split("|")[2:-1], strict=False):
            if match := COUNTS.search(cell):
                counts[case, library] = int(match[1]), int(match[2])
    names = {library: line.split(", ") for library, line in NAMES.findall(text)}
    items = {(m[1], m[2], m[3]): m[0] for m in ITEM.finditer(text)}
    return EarlierPage(counts, names, items)


def page(outcomes: Sequence[Outcome], earlier: EarlierPage | None = None) -> str:
    """The page of outcomes, added to what an earlier one says."""
    earlier = earlier or EarlierPage()
    ordered = sorted(outcomes, key=lambda o: (LIBRARIES.index(o.library), o.model))
    parts = [HEAD, *counts_table(ordered, earlier), "", "## Models", ""]
    parts += model_lines(ordered, earlier)
    items = kept_items(ordered, earlier)
    for title, is_own in ((FAULTS, False), (OWN, True)):
        lines = sorted(line for line in items if is_excluded(line) == is_own)
        if lines:
            lines.sort(key=lambda line: LIBRARIES.index(line[2:].split(",")[0]))
            parts += ["", f"## {title}", "", *lines]
    return "\n".join(parts) + "\n"


def kept_items(outcomes: Sequence[Outcome], earlier: EarlierPage) -> list[str]:
    """The lines of what did not pass, of these outcomes and of models that did not run again."""
    items = dict(earlier.items)
    for o in outcomes:
        items.pop((o.library, o.model, TITLES[o.case]), None)
    return [*items.values(), *[outcome_line(o) for o in outcomes if o.verdict != "passed"]]


def is_excluded(line: str) -> bool:
    """Whether a line is of what counts for nobody."""
    match = ITEM.match(line)
    assert match is not None
    return match[4].partition(":")[0] in EXCLUDED


def cell_of(
    case: str, library: str, outcomes: Sequence[Outcome], earlier: EarlierPage
) -> tuple[int, int]:
    """How many models passed, of all: of the logs, or of the page if it counts more."""
    counted = [o for o in outcomes if (o.case, o.library) == (case, library)]
    counted = [o for o in counted if o.verdict not in EXCLUDED]
    passed = sum(o.verdict == "passed" for o in counted)
    before, all_before = earlier.counts.get((case, library), (0, 0))
    if len(counted) >= all_before:
        return passed, len(counted)
    repaired = [
        earlier.items[key]
        for o in counted
        if o.verdict == "passed" and (key := (library, o.model, TITLES[case])) in earlier.items
    ]
    uncounted = sum(map(is_excluded, repaired))
    return before + len(repaired), all_before + uncounted


def counts_table(outcomes: Sequence[Outcome], earlier: EarlierPage) -> list[str]:
    """A row a case, a column a library: how many passed, of all."""
    lines = [
        f"| | {' | '.join(LIBRARIES)} |",
        f"|---|{'---|' * len(LIBRARIES)}",
    ]
    for case in CASES:
        cells = []
        for library in LIBRARIES:
            passed, everything = cell_of(case, library, outcomes, earlier)
            cells.append(f"{passed} / {everything}" if everything else "")
        lines.append(f"| {TITLES[case]} | {' | '.join(cells)} |")
    return lines


def model_lines(outcomes: Sequence[Outcome], earlier: EarlierPage) -> list[str]:
    """The names of the models of each library that were run."""
    lines = []
    for library in LIBRARIES:
        before = earlier.names.get(library, ())
        names = sorted({*before, *[o.model for o in outcomes if o.library == library]})
        if names:
            lines.append(f"* {library} ({len(names)}): {', '.join(names)}")
    return lines


def outcome_line(outcome: Outcome) -> str:
    """An item for an outcome that is not that everything agrees."""
    message, _, _ = outcome.message.partition(' File "')  # without places on this machine
    message = message.replace("|", "\\|").replace("<", "\\<")[:240]
    text = f"* {outcome.library}, {outcome.model}, {TITLES[outcome.case]}: {outcome.verdict}"
    return f"{text}: {message}" if message else text

"""The page of the documentation that shows what came of models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tools.torch_zoo.cases import Outcome
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
`python -m tools.torch_models` runs the cases, and `--table` adds its logs to this page; of a case
that the page has already, the outcome in the logs counts.
"""
FAULTS, OWN = "What differs or fails", "What PyTorch itself does not trace, or what is random"
MODELS: Final = "## Models"
GROUP: Final = re.compile(r"^\* (\w+); (.*?) \(\d+\): (.*)$", re.MULTILINE)
ITEM: Final = re.compile(r"^\* (\w+), (.*?), (.*?): (.*)$", re.MULTILINE)
Key = tuple[str, str, str]  # a library, a model, the title of a case
Lines = Mapping[Key, str | None]  # what a page says of each case that did not pass; None of others


def read_page(text: str) -> dict[Key, str | None]:
    """The cases that a page counts, and its lines of those that did not pass.

    Raises:
        ValueError: It was made when pages did not say which models a cell counts.
    """
    if not GROUP.search(text):
        raise ValueError("the page does not say which models it counts; delete it, and run all")
    lines: dict[Key, str | None] = {
        (library, name, title): None
        for library, titles, names in GROUP.findall(text)
        for name in names.split(", ")
        for title in titles.split("; ")
    }
    return lines | {(m[1], m[2], m[3]): m[0] for m in ITEM.finditer(text)}


def page(outcomes: Sequence[Outcome], earlier: Lines | None = None) -> str:
    """The page of outcomes, added to what an earlier one says."""
    found: Lines = {(o.library, o.model, TITLES[o.case]): outcome_line(o) for o in outcomes}
    lines = {**(earlier or {}), **found}
    parts = [HEAD, *counts_table(lines), "", MODELS, ""]
    parts += ["Models whose cases in the table are the same stand in one line.", ""]
    parts += model_lines(lines)
    faults = sorted([line for line in lines.values() if line is not None], key=library_order)
    for title, is_own in ((FAULTS, False), (OWN, True)):
        chosen = [line for line in faults if is_excluded(line) == is_own]
        if chosen:
            parts += ["", f"## {title}", "", *chosen]
    return "\n".join(parts) + "\n"


def library_order(line: str) -> tuple[int, str]:
    """Where the line of an outcome stands among others."""
    return LIBRARIES.index(line[2:].split(",")[0]), line


def is_excluded(line: str) -> bool:
    """Whether a line is of what counts for nobody."""
    match = ITEM.match(line)
    assert match is not None
    return match[4].partition(":")[0] in EXCLUDED


def counts_table(lines: Lines) -> list[str]:
    """A row a case, a column a library: how many passed, of all."""
    rows = [f"| | {' | '.join(LIBRARIES)} |", f"|---|{'---|' * len(LIBRARIES)}"]
    for title in TITLES.values():
        cells = []
        for library in LIBRARIES:
            own = [line for key, line in lines.items() if (key[0], key[2]) == (library, title)]
            passed = own.count(None)
            counted = passed + sum(not is_excluded(line) for line in own if line is not None)
            cells.append(f"{passed} / {counted}" if counted else "")
        rows.append(f"| {title} | {' | '.join(cells)} |")
    return rows


def model_lines(lines: Lines) -> list[str]:
    """The names of models by library and by the cases that were run."""
    titles: dict[tuple[str, str], set[str]] = {}
    for library, name, title in lines:
        titles.setdefault((library, name), set()).add(title)
    groups: dict[tuple[str, str], list[str]] = {}
    for (library, name), own in sorted(titles.items()):
        cases = "; ".join(title for title in TITLES.values() if title in own)
        groups.setdefault((library, cases), []).append(name)
    ordered = sorted(groups.items(), key=lambda row: (LIBRARIES.index(row[0][0]), row[1]))
    return [f"* {library}; {cases} ({len(n)}): {', '.join(n)}" for (library, cases), n in ordered]


def outcome_line(outcome: Outcome) -> str | None:
    """An item for an outcome that is not that everything agrees; None if it is."""
    if outcome.verdict == "passed":
        return None
    message, _, _ = outcome.message.partition(' File "')  # without places on this machine
    message = message.replace("|", "\\|").replace("<", "\\<")[:240]
    text = f"* {outcome.library}, {outcome.model}, {TITLES[outcome.case]}: {outcome.verdict}"
    return f"{text}: {message}" if message else text

"""The page of the documentation that shows what came of models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
`python -m tools.torch_models` runs the cases, and `--table` writes this page from its logs.
"""


def page(outcomes: Sequence[Outcome]) -> str:
    """The page."""
    ordered = sorted(outcomes, key=lambda o: (LIBRARIES.index(o.library), o.model))
    parts = [HEAD, *counts_table(ordered), "", "## Models", "", *model_lines(ordered)]
    faults = [o for o in ordered if o.verdict not in ("passed", *EXCLUDED)]
    own = [o for o in ordered if o.verdict in EXCLUDED]
    if faults:
        parts += ["", "## What differs or fails", "", *[outcome_line(o) for o in faults]]
    if own:
        parts += [
            "", "## What PyTorch itself does not trace, or what is random", "",
            *[outcome_line(o) for o in own],
        ]  # fmt: skip
    return "\n".join(parts) + "\n"


def counts_table(outcomes: Sequence[Outcome]) -> list[str]:
    """A row a case, a column a library: how many passed, of all."""
    counts: Counter[tuple[str, str, bool]] = Counter(
        (o.case, o.library, o.verdict == "passed") for o in outcomes if o.verdict not in EXCLUDED
    )
    lines = [
        f"| | {' | '.join(LIBRARIES)} |",
        f"|---|{'---|' * len(LIBRARIES)}",
    ]
    for case in CASES:
        cells = []
        for library in LIBRARIES:
            passed, rest = (counts[case, library, flag] for flag in (True, False))
            cells.append(f"{passed} / {passed + rest}" if passed + rest else "")
        lines.append(f"| {TITLES[case]} | {' | '.join(cells)} |")
    return lines


def model_lines(outcomes: Sequence[Outcome]) -> list[str]:
    """The names of the models of each library that were run."""
    lines = []
    for library in LIBRARIES:
        names = sorted({o.model for o in outcomes if o.library == library})
        if names:
            lines.append(f"* {library} ({len(names)}): {', '.join(names)}")
    return lines


def outcome_line(outcome: Outcome) -> str:
    """An item for an outcome that is not that everything agrees."""
    message, _, _ = outcome.message.partition(' File "')  # without places on this machine
    message = message.replace("|", "\\|").replace("<", "\\<")[:240]
    text = f"* {outcome.library}, {outcome.model}, {TITLES[outcome.case]}: {outcome.verdict}"
    return f"{text}: {message}" if message else text

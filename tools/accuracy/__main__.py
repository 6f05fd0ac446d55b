"""Writes docs/accuracy.md: the largest errors found, by function and element type.

``python -m tools.accuracy`` measures for several minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from tools.accuracy.functions import COMPLEX_TYPES, REAL_TYPES, Case, cases
from tools.spec_labels import ROOT

PAGE: Final = ROOT / "docs" / "accuracy.md"
COLUMNS: Final = (*REAL_TYPES, *COMPLEX_TYPES)
INTRODUCTION: Final = """\
# Accuracy

How far results of the interpreter are from the exact ones, at most: in units in the last place of the element type, of complex numbers in each part. Measured by `python -m tools.accuracy` against
[mpmath](https://mpmath.org) with as many digits as it takes, at points that are hard: zeros, branch cuts and poles and their neighbours, multiples of pi, the ends of the range, where results
overflow and underflow, denormals, the circle of absolute value 1, and numbers drawn at random. A NaN or an infinity for a number, or a zero with the wrong sign, would be *wrong*. 0.5 is a result that is rounded correctly.

* A denormal result is counted in units of the smallest denormal.
* `HIGHEST` is `result_accuracy` with `mode = HIGHEST`; where there is no such row, the default is the highest. A tolerance that no row is within is an error before anything runs.
* Below zero `lgamma` and `digamma` have zeros between poles; there an error counts as that of a result of 1. `zeta` and `polygamma` are measured for positive arguments.
* 64-bit floats are computed by NumPy, whose functions differ between processors by fractions of a unit; `HIGHEST` and complex numbers of 64-bit parts are computed in twice the precision and do not.
* Special values are those of C11, Annex G, where it has them.
* [Histograms](accuracy-histograms.md) count how many results are how far off, at all numbers of a type or a sample, beside XLA and NumPy.
"""


def measured(case: Case) -> float:
    """The largest error at the hard points."""
    error = float(max(case.errors(case.points())))
    print(f"{case}: {error:.3f}", file=sys.stderr, flush=True)
    return error


def rows() -> Iterator[tuple[str, dict[str, float]]]:
    """A line for each function, with its errors by element type."""
    found: dict[str, dict[str, float]] = {}
    for case in cases():
        title = f"`{case.dialect}.{case.name}`" + ", HIGHEST" * case.highest
        found.setdefault(title, {})[case.element] = measured(case)
    yield from found.items()


def page() -> str:
    """The page."""
    lines = [INTRODUCTION, f"| function | {' | '.join(f'`{name}`' for name in COLUMNS)} |"]
    lines.append("|---" * (len(COLUMNS) + 1) + "|")
    for title, errors in rows():
        texts = [text_of(errors.get(name)) for name in COLUMNS]
        lines.append(f"| {title} | {' | '.join(texts)} |")
    return "\n".join(lines) + "\n"


def text_of(error: float | None) -> str:
    """An error, as it stands in the table."""
    if error is None:
        return ""
    return "wrong" if error == float("inf") else f"{error:.2f}"


if __name__ == "__main__":
    PAGE.write_text(page())

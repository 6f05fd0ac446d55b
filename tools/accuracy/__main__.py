"""Writes docs/accuracy.md: the largest errors found, by function and element type.

``python -m tools.accuracy`` measures for several minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from stablemate.cli.output.progress import progress
from stablemate.diagnostics.progress import with_progress
from tools.accuracy.functions import COMPLEX_TYPES, REAL_TYPES, Case, cases
from tools.spec_labels import ROOT

PAGE: Final = ROOT / "docs" / "accuracy.md"
SECTION: Final = "## Subnormal operands"  # of the page; tools.accuracy.subnormals writes it
COLUMNS: Final = (*REAL_TYPES, *COMPLEX_TYPES)
INTRODUCTION: Final = """\
# Accuracy

The largest errors of the interpreter's results, in units in the last place of the element type; for complex numbers, of each part. `python -m tools.accuracy` measures them against
[mpmath](https://mpmath.org), with as many digits as needed, at hard points: zeros, branch cuts, poles and their neighbors, multiples of pi, the limits of the range where results
overflow and underflow, denormals, the circle of absolute value 1, and random numbers. An error of 0.5 means that results are correctly rounded. A NaN or an infinity where the result is a number, or a zero with the wrong sign, would be
shown as *wrong*.

* The error of a denormal result is in units of the smallest denormal.
* `HIGHEST` is `result_accuracy` with `mode = HIGHEST`. Functions without a `HIGHEST` row have no more accurate version than the default. A tolerance that no row satisfies is an error before anything runs.
* For negative arguments, `lgamma` and `digamma` have zeros between their poles; there, errors are in units of a result of 1. `zeta` and `polygamma` are measured for positive arguments.
* NumPy computes 64-bit floats, and its functions differ between processors by fractions of a unit. `HIGHEST`, and complex numbers with 64-bit parts, are computed in twice the precision and do not differ.
* Functions of `f32` and of narrower floats are correctly rounded, for all operands: they are computed in 64 bits, and the few results that are too close to the middle between two numbers again, in
  double-double arithmetic or in 240 decimal digits. Ties are rounded to even. Parts of `complex<f32>` are computed in 64 bits or more and rounded; their error is at most 0.5 + 2^-27.
* Special values of complex functions are those of C23, Annex G, where it defines them, and signs of zeros those of the reference interpreter; [conformance](conformance.md) lists the exceptions. XLA has NaN in both parts of
  `exponential` and `exponential_minus_one` if the real part is infinite and the imaginary part is infinite or NaN, and loses the sign of an imaginary part of -0.
* Samples of 65,536 numbers of each binade found no error above 1.2 for `f64` in `acos`, `acosh`, `asin`, `asinh`, `atanh`, `cosh`, `logistic` and `sinh`. In samples of `complex<f64>` the largest error of `acos`, `acosh`, `asin`, `asinh`, `atan` and `atanh` is 1.3, and 1.9 where a result is nearly denormal.
* Powers of `complex<f64>` are within 0.7 units. Those with an angle `c arg(x) + d log(abs(x))`, for the exponent `c + di`, that is large, or so near to quarter turns that a part is below about 2^-35 of the
  modulus, are computed in 390 decimal digits.
* [Histograms](accuracy-histograms.md) count results by the size of their errors, at all numbers of a type or at a sample, for stablemate, XLA and NumPy.
"""


def measured(case: Case) -> float:
    """The largest error at the hard points."""
    error = float(max(case.errors(case.points())))
    print(f"{case}: {error:.3f}", file=sys.stderr, flush=True)
    return error


def rows() -> Iterator[tuple[str, dict[str, float]]]:
    """A line for each function, with its errors by element type."""
    by_key: dict[str, dict[str, float]] = {}
    for case in with_progress([*cases()], "case"):
        title = f"`{case.dialect}.{case.name}`" + ", HIGHEST" * case.highest
        by_key.setdefault(title, {})[case.element] = measured(case)
    yield from by_key.items()


def page() -> str:
    """The page, but for the section of another command."""
    lines = [INTRODUCTION, f"| function | {' | '.join(f'`{name}`' for name in COLUMNS)} |"]
    lines.append("|---" * (len(COLUMNS) + 1) + "|")
    with progress("measuring"):
        measured_rows = [*rows()]
    for title, errors in measured_rows:
        texts = [text_of(errors.get(name)) for name in COLUMNS]
        lines.append(f"| {title} | {' | '.join(texts)} |")
    return "\n".join(lines) + "\n"


def text_of(error: float | None) -> str:
    """An error, as it stands in the table."""
    if error is None:
        return ""
    return "wrong" if error == float("inf") else f"{error:.2f}"


if __name__ == "__main__":
    _, heading, kept = PAGE.read_text().partition(SECTION)
    PAGE.write_text(page() + "\n" + heading + kept)

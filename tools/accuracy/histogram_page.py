"""Writes docs/accuracy-histograms.md from what sweeps and samples noted.

``python -m tools.accuracy.histogram_page``; ``tools.accuracy.sweep`` and ``tools.accuracy.samples``
say how it was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tools.accuracy.exact import CHLO
from tools.accuracy.functions import COMPLEX_TYPES, element_of
from tools.accuracy.histograms import ENDS, Histogram
from tools.accuracy.peers import PEERS
from tools.accuracy.samples import NAMES, NARROW
from tools.accuracy.state import STATE, done
from tools.spec_labels import ROOT

PAGE: Final = ROOT / "docs" / "accuracy-histograms.md"
WIDE: Final = ("f32", "f64", "f16", "bf16", *COMPLEX_TYPES)
OURS: Final = ("native", "interpreted")
TITLES: Final = dict(
    zip(PEERS, ("stablemate, native", "stablemate, interpreter", "XLA", "NumPy"), strict=True)
)
LARGE: Final = 1000.0
INTRODUCTION: Final = """\
# Histograms of errors

How many results of each function are how far from the exact ones, in units in the last place: here, in XLA (CPU, through JAX) and in NumPy (SciPy where only it has the function). [Accuracy](accuracy.md)
has the largest errors at hard points; this page counts at all numbers of a type, at every so many, or at a sample.

* A column counts results that are at most so far off, and farther than the column before says. 0.5 is a result that is rounded correctly. *more* is beyond 8 units, and so is an infinity for a
  number that is none. *wrong* is NaN for a number, a number for NaN, a number for a pole, a zero with the wrong sign.
* *inputs* are bit patterns, NaN and infinities among them. Of `f32` 4294967296 are all there are, about 70400000 every 61st, about 4200000 every 1021st. Of types of 16 bits and fewer functions of one
  operand see all inputs, of types of 8 bits and fewer those of two operands all pairs. Others are drawn at random, seed 20261122: any bit patterns, numbers of moderate size, hard points.
* `polygamma` is measured for whole orders from 0 to 99 and positive arguments, `zeta` for exponents above 1 and positive arguments. Below zero `lgamma` and `digamma` have zeros between poles; there
  an error counts as that of a result of 1.
* The reference is NumPy's and SciPy's `f64` for types of 32 bits and fewer, the 80 bits of `long double` for `f64`; where there is none, for complex numbers and some functions of `f64`, mpmath, at some
  hundred hard points. What SciPy alone has is this reference itself, rounded, in types of 32 bits and fewer.
* Of complex numbers the error is that of the worse part; a part that is zero has the sign that its neighbourhood gives it.
* XLA's code for CPUs takes denormal numbers as zero, and gives zero for them: most of its large errors, and its zeros and infinities that are wrong, stem from that.
* Native code was measured on a processor with AVX-512 and fused multiplication; where all of a function runs in the interpreter there is no native row.

`python -m tools.accuracy.sweep --stride N --peer P` and `python -m tools.accuracy.samples` count, go on where they were left, and note what they find in `tools/accuracy/histograms.json`;
`python -m tools.accuracy.histogram_page` writes this page. `tests/properties/test_histograms.py` counts a sample in every run, and fails where an error is larger than here.
"""


def page(known: Mapping[str, Any]) -> str:
    """The page."""
    lines = [INTRODUCTION]
    for element in WIDE:
        rows = list(wide_rows(known, element))
        if rows:
            titles = ("function", "by", "inputs", *map(str, ENDS), "more", "wrong", "largest", "at")
            lines += [f"## `{element}`", "", *table(titles, rows), ""]
    lines += ["## Narrow types", "", narrow_text(known), ""]
    titles = ("function", *(f"`{name}`" for name in NARROW))
    lines += table(titles, list(narrow_rows(known)))
    return "\n".join(lines) + "\n"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table."""
    return [f"| {' | '.join(row)} |" for row in (titles, ["---"] * len(titles), *rows)]


def wide_rows(known: Mapping[str, Any], element: str) -> Iterator[list[str]]:
    """A row for each function and peer."""
    for name in NAMES:
        for peer in PEERS:
            entry = known.get(f"{name} {element} {peer}")
            if entry is not None:
                found = Histogram.of(entry)
                counts = [str(count or "") for count in found.counts]
                largest = [number(largest_finite(found)), place(found, element)]
                yield [titled(name), TITLES[peer], str(found.total), *counts, *largest]


def narrow_rows(known: Mapping[str, Any]) -> Iterator[list[str]]:
    """The largest error of each function and narrow type, of native code or the interpreter."""
    for name in NAMES:
        found = [ours(known, name, element) for element in NARROW]
        yield [titled(name), *("" if each is None else number(each.largest) for each in found)]


def narrow_text(known: Mapping[str, Any]) -> str:
    """How many inputs there are of narrow types, and how many results are not rounded right."""
    found = [ours(known, name, element) for name in NAMES for element in NARROW]
    total = sum(each.total for each in found if each is not None)
    others = sum(sum(each.counts[1:]) for each in found if each is not None)
    return (
        f"The largest errors of native code or the interpreter, whichever is worse, at all inputs "
        f"or all pairs: {total} results, of which {others} are not rounded correctly. `f8E8M0FNU` "
        "has neither zero nor sign: NaN and its smallest number both stand for what is too small."
    )


def ours(known: Mapping[str, Any], name: str, element: str) -> Histogram | None:
    """What native code and the interpreter give, together."""
    entries = [known.get(f"{name} {element} {peer}") for peer in OURS]
    found = [Histogram.of(entry) for entry in entries if entry is not None]
    return max(found, key=lambda each: each.largest, default=None)


def titled(name: str) -> str:
    """The name of an operation."""
    return f"`{'chlo' if name in CHLO else 'stablehlo'}.{name}`"


def largest_finite(found: Histogram) -> float:
    """The largest error of a result that is not wrong; infinite if only wrong ones are known."""
    return max((error for error, _ in found.worst if np.isfinite(error)), default=np.inf)


def place(found: Histogram, element: str) -> str:
    """The operands of the worst result."""
    if not found.worst:
        return ""
    dtype = np.dtype(element_of(element).dtype)
    if dtype.kind == "c":
        return ""
    bits = np.array(found.worst[0][1], f"u{dtype.itemsize}")
    return ", ".join(f"{float(each):.9g}" for each in bits.view(dtype))


def number(error: float) -> str:
    """An error, as it stands in a table."""
    if np.isinf(error):
        return "wrong"
    return f"{error:.3f}" if error < LARGE else f"{error:.1e}"


if __name__ == "__main__":
    PAGE.write_text(page(done(STATE)))

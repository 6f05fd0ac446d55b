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

For each function, the number of results by the size of their error in units in the last place, for stablemate, XLA (CPU, through JAX) and NumPy (or SciPy, if only SciPy has the function). [Accuracy](accuracy.md)
has the largest errors at hard points; this page counts results at all numbers of a type, at every n-th number, or at a sample.

* A column counts the results whose error is at most the number in its heading, and greater than the number in the heading before. An error of 0.5 means that a result is correctly rounded. *more* counts errors above 8 units,
  and infinities where the result is a number. *wrong* counts NaN for a number, a number for NaN, a number for a pole, and a zero with the wrong sign.
* *inputs* is the number of bit patterns, including NaN and infinities. For `f32`, 4294967296 means all of them, and about 4200000 means every 1021st. For types of 16 bits and fewer, functions of one
  operand are evaluated at all inputs; for types of 8 bits and fewer, functions of two operands are evaluated at all pairs. Other inputs are drawn at random with seed 20261122: arbitrary bit patterns, numbers of moderate size, hard points.
* `polygamma` is measured for integer orders from 0 to 99 and positive arguments, `zeta` for exponents above 1 and positive arguments. For negative arguments, `lgamma` and `digamma` have zeros between their poles; there,
  errors are in units of a result of 1.
* The reference for types of 32 bits and fewer is `f64` of NumPy and SciPy; for `f64` it is the 80-bit `long double`. Where neither exists, for complex numbers and some functions of `f64`, the reference is mpmath, at some
  thousand hard points. For functions that only SciPy has, in types of 32 bits and fewer, SciPy's rows are this reference itself, rounded.
* For complex numbers, the error is that of the worse part. A part that is zero is expected to have the sign that its neighborhood gives it, or for `exponential_minus_one`, `log_plus_one`,
  `logistic` and `rsqrt` any sign.
* XLA's CPU code treats denormal numbers as zero and returns zero for them. This causes most of its large errors, and its wrong zeros and infinities.
* `f32` results at all floats: the reference is not computed where the nearest float follows from the ends of a range in which the function is monotonic, or from the operand being tiny.
* Native code was measured on a processor with AVX-512 and fused multiply-add; `logistic`, `power` and `tanh` of `f32` on one with AVX2 and fused multiply-add, which rounds the same operations. There is no native row if the interpreter computes the whole function.

`python -m tools.accuracy.sweep --stride N --peer P` and `python -m tools.accuracy.samples` count results, resume where they stopped, and store the counts in `tools/accuracy/histograms.json`.
`python -m tools.accuracy.histogram_page` writes this page. `tests/properties/test_histograms.py` evaluates a sample in every run, and fails if an error is larger than on this page.
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
                value = Histogram.of(entry)
                counts = [str(count or "") for count in value.counts]
                largest = [number(largest_finite(value)), place(value, element)]
                yield [titled(name), TITLES[peer], str(value.total), *counts, *largest]


def narrow_rows(known: Mapping[str, Any]) -> Iterator[list[str]]:
    """The largest error of each function and narrow type, of native code or the interpreter."""
    for name in NAMES:
        collected = [ours(known, name, element) for element in NARROW]
        yield [titled(name), *("" if item is None else number(item.largest) for item in collected)]


def narrow_text(known: Mapping[str, Any]) -> str:
    """The number of results for narrow types, and how many are not correctly rounded."""
    collected = [ours(known, name, element) for name in NAMES for element in NARROW]
    total = sum(item.total for item in collected if item is not None)
    others = sum(sum(item.counts[1:]) for item in collected if item is not None)
    return (
        f"The largest errors of native code or the interpreter, whichever is worse, at all inputs "
        f"or all pairs: {total} results, of which {others} are not rounded correctly. `f8E8M0FNU` "
        "has neither zero nor sign: results that are too small may be NaN or its smallest number."
    )


def ours(known: Mapping[str, Any], name: str, element: str) -> Histogram | None:
    """What native code and the interpreter give, together."""
    entries = [known.get(f"{name} {element} {peer}") for peer in OURS]
    collected = [Histogram.of(entry) for entry in entries if entry is not None]
    return max(collected, key=lambda item: item.largest, default=None)


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
    return ", ".join(f"{float(bit):.9g}" for bit in bits.view(dtype))


def number(error: float) -> str:
    """An error, as it stands in a table."""
    if np.isinf(error):
        return "wrong"
    return f"{error:.3f}" if error < LARGE else f"{error:.1e}"


if __name__ == "__main__":
    PAGE.write_text(page(done(STATE)))

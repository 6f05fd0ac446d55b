"""Counts how far off results are, of types that are not swept as ``f32`` is.

Functions are applied to all numbers of 16 bits and fewer, and to all pairs of 8 bits and fewer;
otherwise to numbers drawn at random, with the hard points of ``points``.

``python -m tools.accuracy.samples`` notes what it finds, as ``tools.accuracy.sweep`` does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.numerics.elements import Array
from tools.accuracy.exact import CHLO
from tools.accuracy.functions import BINARY, COMPLEX_TYPES, POINTS, REAL_ONLY, Case
from tools.accuracy.histograms import Histogram, errors_of_function
from tools.accuracy.measure import Format
from tools.accuracy.peers import PEERS, Measured
from tools.accuracy.reference import PLAIN, SPECIAL, reference_of
from tools.accuracy.state import STATE, note

DRAWN: Final = 1 << 18
PAIRS: Final = 40_000  # a parameter of the points of two operands
# Of what only mpmath computes, ten points each.
EXACT: Final = {"f64": 400, "complex<f64>": 400, "complex<f32>": 250}
SEED: Final = 20261122
NARROW: Final = (
    *("f8E5M2", "f8E4M3", "f8E4M3FN", "f8E3M4", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ"),
    *("f8E8M0FNU", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"),
)
TYPES: Final = ("f64", "f32", "f16", "bf16", *NARROW, *COMPLEX_TYPES)
NAMES: Final = (*PLAIN, *SPECIAL)
SWEPT: Final = "f32"  # of one operand


def case_of(name: str, element: str) -> Case:
    """The function of a type, as it is measured against mpmath."""
    return Case("chlo" if name in CHLO else "stablehlo", name, element)


def needs_mpmath(measured: Measured) -> bool:
    """Whether no array of a higher precision has the function."""
    is_complex = measured.dtype.kind == "c"
    return is_complex or (measured.dtype == np.float64 and measured.name not in PLAIN)


def all_bits(dtype: np.dtype[Any], count: int) -> list[Array]:
    """All numbers of a type, or all pairs."""
    bits = np.arange(1 << ml_dtypes.finfo(dtype).bits, dtype=f"u{dtype.itemsize}").view(dtype)
    if count == 1:
        return [bits]
    return [bit.ravel() for bit in np.meshgrid(bits, bits, indexing="ij")]


# Where functions of two operands are defined.
DOMAINS: Final[dict[str, Callable[[Array, Array], Array]]] = {
    "polygamma": lambda n, x: np.asarray((n >= 0) & (n < 100) & (n == np.floor(n)) & (x > 0)),
    "zeta": lambda x, q: np.asarray((x > 1) & (q > 0) & np.isfinite(x)),
}


def operands_of(measured: Measured) -> list[Array]:
    """What the function is applied to: all of it is in its domain, if it has two operands."""
    candidates_result = candidates(measured)
    if measured.name not in DOMAINS:
        return candidates_result
    with np.errstate(all="ignore"):
        inside = DOMAINS[measured.name](*(item.astype(np.float64) for item in candidates_result))
    return [item[inside] for item in candidates_result]


def candidates(measured: Measured) -> list[Array]:
    """What the function might be applied to."""
    dtype, count = measured.dtype, measured.operands
    case = case_of(measured.name, measured.element)
    if needs_mpmath(measured):
        return list(case.points(EXACT[measured.element], SEED))
    if count * dtype.itemsize <= 2:
        return all_bits(dtype, count)
    if count == 2:
        return list(case.points(PAIRS, SEED))
    generator = np.random.default_rng(SEED)
    anything = generator.integers(0, 256, DRAWN * dtype.itemsize, np.uint8).view(dtype)
    near = generator.choice([-1, 1], DRAWN) * np.exp2(generator.uniform(-12, 7, DRAWN))
    hard = [] if measured.name in POINTS else [case.points(1000, SEED)[0]]
    return [np.concatenate([anything, near.astype(dtype), *hard])]


def histogram_of(name: str, element: str, peer: str) -> Histogram | None:
    """The errors of a function of a type; None if the peer does not have it."""
    operands = operands_of(Measured(name, element, 0))
    measured = Measured(name, element, len(operands[0]))
    function = getattr(measured, peer)
    if function is None:
        return None
    results = np.asarray(function(*operands))
    histogram = Histogram()
    histogram.add(errors_of(measured, results, operands), operands)
    return histogram


def errors_of(measured: Measured, results: Array, operands: Sequence[Array]) -> Array:
    """How far off results are."""
    if needs_mpmath(measured):
        case = case_of(measured.name, measured.element)
        zip_result = zip(results, *operands, strict=True)
        return np.array([case.error(result, point) for result, *point in zip_result])
    wide = np.longdouble if measured.dtype == np.float64 else np.float64
    exact = reference_of(measured.name, wide)(*operands)
    return errors_of_function(measured.name, results, exact, operands, Format(measured.dtype))


def is_sampled(name: str, element: str) -> bool:
    """Whether there is the function of the type, and no sweep of it."""
    if element in COMPLEX_TYPES:
        return name not in REAL_ONLY
    return element != SWEPT or name in BINARY


def main(arguments: Sequence[str]) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.accuracy.samples")
    parser.add_argument("types", nargs="*", default=TYPES, help=", ".join(TYPES))
    parser.add_argument("--peers", nargs="*", default=PEERS, choices=PEERS)
    parser.add_argument("--state", type=Path, default=STATE)
    options = parser.parse_args(arguments)
    for element in options.types:
        for name in NAMES:
            for peer in options.peers if is_sampled(name, element) else ():
                histogram = histogram_of(name, element, peer)
                if histogram is not None:
                    note(options.state, f"{name} {element} {peer}", histogram.document())
                    print(name, element, peer, histogram.largest, histogram.counts, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

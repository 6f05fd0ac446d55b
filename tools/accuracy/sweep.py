"""Applies functions to floats of all bits, and counts how far off results are.

``python -m tools.accuracy.sweep sine tanh`` goes through all 2^32 floats of 32 bits, in native
code of ours; ``--stride=61`` through every 61st; ``--peer=xla`` through XLA. What was done is
noted, and need not be done again; ``python -m tools.accuracy.histogram_page`` makes the page of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np

from stablemate.numerics.elements import Array
from tools.accuracy.functions import BINARY
from tools.accuracy.histograms import Histogram, errors_of_function
from tools.accuracy.measure import Format
from tools.accuracy.peers import PEERS, Measured
from tools.accuracy.reference import PLAIN, SPECIAL, reference_of
from tools.accuracy.state import STATE, done, note

SIZE: Final = 1 << 16  # floats at a time
CHUNKS: Final = 1 << 8  # of them between two notes of what was done
ODD: Final = frozenset(
    {
        *("sine", "tan", "tanh", "cbrt", "asin", "asinh", "atan", "atanh", "sinh", "erf"),
        *("erf_inv", "bessel_i1e"),
    }
)
EVEN: Final = frozenset({"cosine", "cosh", "square"})
UNARY: Final = tuple(name for name in (*PLAIN, *SPECIAL) if name not in BINARY)
SIGN: Final = np.uint32(1 << 31)
EXAMINED: Final = 61  # every so many results that are rounded correctly get their errors computed


class Sweep:
    """A function of ``f32``, at floats of all bits or every so many.

    Of a function that is odd or even the reference is computed for positive floats only.
    """

    def __init__(self, name: str, peer: str = "native", stride: int = 1) -> None:
        """Begins with nothing.

        Args:
            name: The operation.
            peer: One of ``PEERS``.
            stride: From how many floats one is taken.
        """
        self.name = name
        self.peer: Any = getattr(Measured(name, "f32", SIZE), peer)
        self.stride = stride
        self.form = Format(np.float32)
        self.reference = reference_of(name, np.float64)
        self.is_odd = name in ODD
        self.is_mirrored = name in ODD or name in EVEN
        self.end = 1 << (31 if self.is_mirrored else 32)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.end // (SIZE * CHUNKS * self.stride))

    def block(self, number: int) -> Histogram:
        """The errors of a block."""
        histogram = Histogram()
        for chunk in range(number * CHUNKS, (number + 1) * CHUNKS):
            first = chunk * SIZE * self.stride
            bits = np.arange(first, min(first + SIZE * self.stride, self.end), self.stride)
            if bits.size:
                self.add(histogram, bits.astype(np.uint32))
        return histogram

    def add(self, histogram: Histogram, bits: Array) -> None:
        """Adds floats of these bits; with their opposites, if the function is odd or even."""
        operand = bits.view(np.float32)
        exact = self.reference(operand)
        self.count(histogram, operand, self.results(operand), exact)
        if self.is_mirrored:
            opposite = (bits | SIGN).view(np.float32)
            turned = -exact if self.is_odd else exact
            self.count(histogram, opposite, self.results(opposite), turned)

    def count(self, histogram: Histogram, operand: Array, results: Array, exact: Array) -> None:
        """Counts results: errors are computed of those that are not the nearest floats, and some.

        A result that is the rounded reference is off by half a unit at most, but for the error of
        the reference.
        """
        with np.errstate(all="ignore"):
            nearest = exact.astype(np.float32)
        is_other = nearest.view(np.uint32) != results.view(np.uint32)
        is_other[::EXAMINED] = True
        chosen = np.flatnonzero(is_other)
        chosen = chosen[~(np.isnan(results[chosen]) & np.isnan(nearest[chosen]))]
        operand, results, exact = operand[chosen], results[chosen], exact[chosen]
        off = errors_of_function(self.name, results, exact, [operand], self.form)
        histogram.counts[0] += results.size - chosen.size
        histogram.add(off, [operand])

    def results(self, operand: Array) -> Array:
        """What the peer gives."""
        if operand.size == SIZE:
            return np.asarray(self.peer(operand))
        return np.asarray(self.peer(np.resize(operand, SIZE)))[: operand.size]


def is_complete(entry: Mapping[str, Any]) -> bool:
    """Whether all blocks of a sweep were done."""
    return bool(entry["blocks"] == entry.get("of"))


def swept(name: str, peer: str, stride: int, state: Path) -> None:
    """Goes on with a sweep where it was left."""
    key = f"{name} f32 {peer}"
    entry = done(state).get(key, {})
    if entry and entry["stride"] < stride and is_complete(entry):
        return
    if entry.get("stride") != stride:
        entry = {"stride": stride, "blocks": 0, **Histogram().document()}
    sweep = Sweep(name, peer, stride)
    if sweep.peer is None:
        return
    histogram = Histogram.of(entry)
    start = process_time()
    for number in range(entry["blocks"], sweep.blocks):
        histogram = histogram.joined(sweep.block(number))
        by_key = {"stride": stride, "blocks": number + 1, "of": sweep.blocks}
        entry = {**by_key, **histogram.document()}
        if number % 8 == 7 or number + 1 == sweep.blocks:
            note(state, key, entry)
    seconds = process_time() - start
    print(
        f"{key} 1/{stride}: {histogram.largest:.4f} {histogram.counts} {seconds:.0f} s", flush=True
    )


def main(arguments: Sequence[str]) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.accuracy.sweep")
    parser.add_argument("names", nargs="*", default=UNARY, help=", ".join(UNARY))
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--peer", choices=PEERS, default="native")
    parser.add_argument("--state", type=Path, default=STATE)
    options = parser.parse_args(arguments)
    for name in options.names:
        swept(name, options.peer, options.stride, options.state)


if __name__ == "__main__":
    main(sys.argv[1:])

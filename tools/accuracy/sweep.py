"""Applies functions to floats of all bits, and counts how far off results are.

``python -m tools.accuracy.sweep sine tanh`` goes through all 2^32 floats of 32 bits, in native
code of ours; ``--stride=61`` through every 61st; ``--peer=xla`` through XLA; ``--machine=sse2`` in
native code for processors without FMA. What was done is noted, and need not be done again;
``python -m tools.accuracy.histogram_page`` makes the page of it.
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
from tests.machines import MACHINES, restrict_to
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
# Functions that rise or fall on all positive and on all negative numbers that they are defined for.
MONOTONIC: Final = frozenset(
    {
        *("cbrt", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic"),
        *("rsqrt", "sqrt", "tanh", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh"),
        *("sinh", "square", "erf", "erf_inv", "erfc"),
    }
)
# Below these magnitudes the nearest float is the operand: x differs by less than 2^-25 x.
UNCHANGED: Final = {
    **dict.fromkeys(("sine", "tan", "tanh", "asin", "asinh", "atan", "atanh", "sinh"), 2.0**-12),
    **dict.fromkeys(("exponential_minus_one", "log_plus_one"), 2.0**-25),
}
UNARY: Final = tuple(name for name in (*PLAIN, *SPECIAL) if name not in BINARY)
SIGN: Final = np.uint32(1 << 31)
EXAMINED: Final = 61  # every so many results that are rounded correctly get their errors computed


class Sweep:
    """A function of ``f32``, at floats of all bits or every so many.

    Of a function that is odd or even the reference is computed for positive floats only; where the
    nearest float follows from the ends of a range, it is not computed.
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
        known = self.known(operand)
        exact = None if known is not None else self.reference(operand)
        self.count(histogram, operand, self.results(operand), exact, known)
        if self.is_mirrored:
            opposite = (bits | SIGN).view(np.float32)
            if self.is_odd:
                known, exact = (None if part is None else -part for part in (known, exact))
            self.count(histogram, opposite, self.results(opposite), exact, known)

    def known(self, operand: Array) -> Array | None:
        """The nearest floats, where they follow without the reference: one, or the operands.

        The operands are in the order of their bits.
        """
        ends = operand[[0, -1]]
        if np.signbit(ends[0]) != np.signbit(ends[1]):
            return None
        if abs(ends[1]) < UNCHANGED.get(self.name, 0.0):
            return operand
        if self.name not in MONOTONIC or np.isnan(ends[0]) != np.isnan(ends[1]):
            return None
        with np.errstate(all="ignore"):
            first, last = self.reference(ends).astype(np.float32)
        same = first == last and (first != 0 or np.signbit(first) == np.signbit(last))
        return np.full_like(operand, first) if same or np.isnan([first, last]).all() else None

    def count(
        self,
        histogram: Histogram,
        operand: Array,
        results: Array,
        exact: Array | None,
        nearest: Array | None = None,
    ) -> None:
        """Counts results: errors are computed of those that are not the nearest floats, and some.

        A result that is the rounded reference is off by half a unit at most, but for the error of
        the reference.
        """
        if nearest is None:
            assert exact is not None
            with np.errstate(all="ignore"):
                nearest = exact.astype(np.float32)
        is_other = nearest.view(np.uint32) != results.view(np.uint32)
        is_other[:: EXAMINED if exact is not None else SIZE] = True
        chosen = np.flatnonzero(is_other)
        chosen = chosen[~(np.isnan(results[chosen]) & np.isnan(nearest[chosen]))]
        operand, results = operand[chosen], results[chosen]
        exact = self.reference(operand) if exact is None else exact[chosen]
        off = errors_of_function(self.name, results, exact, [operand], self.form)
        histogram.counts[0] += is_other.size - chosen.size
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
    parser.add_argument(
        "--machine", choices=MACHINES, help="compile for it; --state is needed, too"
    )
    options = parser.parse_args(arguments)
    if options.machine:
        if options.state == STATE:
            parser.error("--machine needs a --state of its own")
        restrict_to(options.machine)
    for name in options.names:
        swept(name, options.peer, options.stride, options.state)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measures small programs on both clients of one process.

    JAX_PLATFORMS=stablemate,cpu python -m benchmarks.breadth --output=FILE

Both clients take turns; a row has the median time of a call on each.
The table has the ratio of XLA's time to ours, and ends with the geometric mean
and with the programs below 0.95.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, Final

import stablemate.pjrt

stablemate.pjrt.initialize()

import jax  # noqa: E402
import numpy as np  # noqa: E402

from benchmarks.breadth import contraction, elementwise, movement, reduction  # noqa: E402
from benchmarks.breadth.program import Program  # noqa: E402

AREAS: Final = (elementwise, reduction, movement, contraction)
PLATFORMS: Final = ("stablemate", "cpu")
ROUNDS: Final = 7
TARGET: Final = 0.95
TOLERANCE: Final = 1e-3  # of the largest absolute value of a result
HEADER: Final = "| program | stablemate, us | XLA, us | ratio | results |\n|---|--:|--:|--:|---|"


@dataclass(frozen=True)
class Row:
    """The median times of a program in seconds, and whether the results agree."""

    name: str
    ours: float
    theirs: float
    agrees: bool

    @property
    def ratio(self) -> float:
        """XLA's time over ours."""
        return self.theirs / self.ours

    def __str__(self) -> str:
        times = f"{self.ours * 1e6:.1f} | {self.theirs * 1e6:.1f} | {self.ratio:.2f}"
        return f"| {self.name} | {times} | {'agree' if self.agrees else 'differ'} |"


def compiled(program: Program, platform: str) -> Callable[[], Any]:
    """A call of a program on a platform, its arguments already there."""
    placed = jax.device_put(program.arguments, jax.devices(platform)[0])
    executable = jax.jit(program.function).lower(*placed).compile()
    return lambda: executable(*placed)


def seconds(call: Callable[[], Any], count: int) -> float:
    """The time of a call, in a series of calls that each wait for their results."""
    begun = time.perf_counter()
    for _ in range(count):
        jax.block_until_ready(call())
    return (time.perf_counter() - begun) / count


def agree(ours: Any, theirs: Any) -> bool:
    """Whether all results are equal up to the tolerance."""
    pairs = zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True)
    return all(close(np.asarray(a), np.asarray(b)) for a, b in pairs)


def close(a: Any, b: Any) -> bool:
    """Whether two arrays are equal up to the tolerance; integers are equal."""
    if a.dtype.kind not in "fc":
        return np.array_equal(a, b)
    finite = np.abs(b[np.isfinite(b)])
    scale = float(finite.max()) if finite.size else 1.0
    return np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE * scale, equal_nan=True)


def measured(program: Program, round_seconds: float) -> Row:
    """The row of a program."""
    calls = [compiled(program, platform) for platform in PLATFORMS]
    agrees = agree(*(call() for call in calls))
    counts = [max(1, min(1000, int(round_seconds / seconds(call, 2)))) for call in calls]
    rounds = [[seconds(*pair) for pair in zip(calls, counts, strict=True)] for _ in range(ROUNDS)]
    ours, theirs = (median(column) for column in zip(*rounds, strict=True))
    return Row(program.name, ours, theirs, agrees)


def summary(rows: list[Row]) -> Iterator[str]:
    """The lines below the table."""
    ratios = [row.ratio for row in rows]
    yield f"{len(rows)} programs, geometric mean {geometric_mean(ratios):.2f}."
    slow = sorted((row for row in rows if row.ratio < TARGET), key=lambda row: row.ratio)
    names = ", ".join(f"{row.name} ({row.ratio:.2f})" for row in slow)
    yield f"\nBelow {TARGET} ({len(slow)}): {names or 'none'}."
    differing = ", ".join(row.name for row in rows if not row.agrees)
    yield f"\nResults that differ: {differing or 'none'}."


def main() -> None:
    """Prints the table, and keeps it."""
    parser = argparse.ArgumentParser(prog="benchmarks.breadth", description=__doc__)
    parser.add_argument("words", nargs="*", help="only programs whose name has one of the words")
    parser.add_argument("--output", type=Path, help="the file that keeps the table")
    parser.add_argument("--round", type=float, default=0.02, help="seconds of a round")
    options = parser.parse_args()
    rows: list[Row] = []
    print(HEADER, flush=True)
    for program in (program for area in AREAS for program in area.programs()):
        if not options.words or any(word in program.name for word in options.words):
            rows.append(measured(program, options.round))
            print(rows[-1], flush=True)
    end = "\n".join(summary(rows))
    print(f"\n{end}")
    if options.output:
        table = "\n".join(map(str, rows))
        title = "# Breadth: small programs on stablemate and on XLA's CPU client"
        options.output.write_text(f"{title}\n\n{end}\n\n{HEADER}\n{table}\n")


if __name__ == "__main__":
    main()

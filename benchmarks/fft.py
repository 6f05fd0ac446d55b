"""Measures Fourier transforms on both clients of one process.

    JAX_PLATFORMS=stablemate,cpu python -m benchmarks.fft --output=FILE

Both clients take turns; a row has the median time of a call on each, and the error of our result
relative to NumPy's transform in f64. `--sizes=rows,one,wide,2-d,3-d` selects parts of the table.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, Final

from benchmarks.breadth.__main__ import PLATFORMS, TARGET, compiled, jax, seconds
from benchmarks.breadth.program import Program

import numpy as np  # isort: skip
import jax.numpy as jnp  # isort: skip

ROUNDS: Final = 5
ELEMENTS: Final = 1 << 16  # of all rows of a transform of one dimension together
POWERS: Final = [1 << k for k in range(1, 13)]
MIXED: Final = [
    6,
    12,
    15,
    24,
    45,
    60,
    96,
    100,
    120,
    225,
    360,
    480,
    500,
    729,
    1000,
    1200,
    2187,
    3000,
]
PRIMES: Final = [3, 5, 7, 11, 13, 17, 19, 23, 31, 61, 97, 101, 127, 251, 509, 1009, 2003, 4093]
OTHERS: Final = [34, 51, 94, 202, 289, 323, 961, 1334, 2018, 3599, 4087]  # of larger primes
LENGTHS: Final = sorted({*POWERS, *MIXED, *PRIMES, *OTHERS})
PLANES: Final = [
    (8, 64, 64),
    (4, 128, 128),
    (1, 256, 256),
    (1, 512, 512),
    (1, 480, 640),
    (1, 100, 100),
]
VOLUMES: Final = [
    (1, 16, 16, 16),
    (1, 32, 32, 32),
    (1, 64, 64, 64),
    (1, 30, 40, 50),
    (1, 128, 128, 64),
]
HEADER: Final = (
    "| transform | shape | stablemate, us | XLA, us | ratio | error |\n|---|---|--:|--:|--:|--:|"
)


@dataclass(frozen=True)
class Case:
    """A transform of the last dimensions of an array."""

    name: str
    function: Callable[[Any], Any]
    reference: Callable[[Any], Any]
    shape: tuple[int, ...]
    dtype: str

    def argument(self) -> Any:
        """Normal numbers."""
        rng = np.random.default_rng(0)
        x = rng.standard_normal(self.shape)
        if np.dtype(self.dtype).kind == "c":
            x = x + 1j * rng.standard_normal(self.shape)
        return x.astype(self.dtype)


@dataclass(frozen=True)
class Row:
    """The median times of a case in seconds, and the error of our result."""

    case: Case
    ours: float
    theirs: float
    error: float

    @property
    def ratio(self) -> float:
        """XLA's time over ours."""
        return self.theirs / self.ours

    def __str__(self) -> str:
        shape = " x ".join(map(str, self.case.shape))
        times = f"{self.ours * 1e6:.1f} | {self.theirs * 1e6:.1f} | {self.ratio:.2f}"
        return f"| {self.case.name} | {shape} | {times} | {self.error:.1e} |"


def case(name: str, shape: tuple[int, ...], dtype: str, dimensions: int = 1) -> Case:
    """A transform of ``jnp.fft`` of the last dimensions."""
    axes = tuple(range(-dimensions, 0))
    ours, numpys = getattr(jnp.fft, f"{name}n"), getattr(np.fft, f"{name}n")
    title = name if dimensions == 1 else f"{name}{dimensions}"
    return Case(
        f"{title}, {dtype}",
        lambda x: ours(x, axes=axes),
        lambda x: numpys(x.astype(np.promote_types(x.dtype, np.float64)), axes=axes),
        shape,
        dtype,
    )


def cases(sizes: set[str], lengths: list[int]) -> Iterator[Case]:
    """The rows of the table."""
    for n in lengths:
        if "rows" in sizes:
            yield case("fft", (ELEMENTS // n, n), "complex64")
            yield case("rfft", (ELEMENTS // n, n), "float32")
        if "one" in sizes:
            yield case("fft", (n,), "complex64")
        if "wide" in sizes:
            yield case("fft", (ELEMENTS // n, n), "complex128")
    for dimensions, shapes in ((2, PLANES), (3, VOLUMES)):
        if f"{dimensions}-d" in sizes:
            for shape in shapes:
                yield case("fft", shape, "complex64", dimensions)
                yield case("rfft", shape, "float32", dimensions)


def measured(one: Case, round_seconds: float) -> Row:
    """The row of a case."""
    x = one.argument()
    calls = [compiled(Program(one.name, one.function, (x,)), platform) for platform in PLATFORMS]
    expected: Any = one.reference(x)
    value: Any = np.asarray(calls[0]())
    error = float(np.abs(value - expected).max() / np.sqrt(np.mean(np.abs(expected) ** 2)))
    calls[1]()
    counts = [max(1, min(1000, int(round_seconds / seconds(call, 2)))) for call in calls]
    rounds = [[seconds(*pair) for pair in zip(calls, counts, strict=True)] for _ in range(ROUNDS)]
    ours, theirs = (median(column) for column in zip(*rounds, strict=True))
    return Row(one, ours, theirs, error)


def summary(rows: list[Row]) -> Iterator[str]:
    """The lines above the table."""
    mean = geometric_mean([row.ratio for row in rows])
    yield f"{len(rows)} transforms, geometric mean {mean:.2f}."
    slow = sorted((row for row in rows if row.ratio < TARGET), key=lambda row: row.ratio)
    names = ", ".join(
        f"{r.case.name} {'x'.join(map(str, r.case.shape))}: {r.ratio:.2f}" for r in slow
    )
    yield f"\nBelow {TARGET} ({len(slow)}): {names or 'none'}."


def main() -> None:
    """Prints the table, and keeps it."""
    parser = argparse.ArgumentParser(prog="benchmarks.fft", description=__doc__)
    parser.add_argument("--sizes", default="rows,one,2-d,3-d", help="parts of the table")
    parser.add_argument("--lengths", help="lengths instead of those of the table, e.g. 8,17")
    parser.add_argument("--output", type=Path, help="the file that keeps the table")
    parser.add_argument("--round", type=float, default=0.005, help="seconds of a round")
    options = parser.parse_args()
    sizes = set(options.sizes.split(","))
    jax.config.update("jax_enable_x64", "wide" in sizes)
    lengths = LENGTHS if options.lengths is None else [int(n) for n in options.lengths.split(",")]
    rows: list[Row] = []
    print(HEADER, flush=True)
    for one in cases(sizes, lengths):
        rows.append(measured(one, options.round))
        print(rows[-1], flush=True)
    end = "\n".join(summary(rows))
    print(f"\n{end}")
    if options.output:
        table = "\n".join(map(str, rows))
        title = "# Fourier transforms on stablemate and on XLA's CPU client"
        options.output.write_text(f"{title}\n\n{end}\n\n{HEADER}\n{table}\n")


if __name__ == "__main__":
    main()

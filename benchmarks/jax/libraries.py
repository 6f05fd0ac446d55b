"""Programs of real libraries on stablemate and on XLA's CPU client: first calls and loops.

    python -m benchmarks.jax.libraries --output=benchmarks/results/jax_libraries.md [NAME...]

A first call traces, compiles and runs; it is timed in processes of their own, of either platform in
turn, with an empty cache. Loops are timed in one process, on either platform in turn: what else the
machine does then concerns both. All times are medians, and the ratio of loops is that of the times
that follow one another. ``--processor`` prints the processor time of first calls instead, which a
busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, Final

from benchmarks.jax.programs import PROGRAMS

PLATFORMS: Final = ("stablemate", "cpu")
SECONDS: Final = 12.0  # that the loops of a program may take
FEWEST, MOST = 7, 200  # loops
COLUMNS: Final = (
    "program", "first: stablemate s", "xla s", "ratio", "loop: stablemate ms", "xla ms", "ratio",
)  # fmt: skip


def timed(loop: Callable[[], Any]) -> float:
    """The seconds that a loop takes until its results are there."""
    import jax

    begun = time.perf_counter()
    jax.block_until_ready(loop())
    return time.perf_counter() - begun


def prepared(name: str) -> Callable[[], Any]:
    """The loop of a program."""
    loop: Callable[[], Any] = import_module(f"benchmarks.jax.programs.{name}").program()
    return loop


def first_call(name: str) -> tuple[float, float]:
    """The seconds of a first call on the platform of this process, and those of all its threads.

    The client is there before.
    """
    import jax

    jax.block_until_ready(jax.jit(lambda x: x + 1)(1.0))
    loop = prepared(name)
    begun = time.process_time()
    return timed(loop), time.process_time() - begun


def loops(name: str) -> list[list[float]]:
    """The seconds of loops on both platforms, in turn."""
    import jax

    devices = [jax.devices(platform)[0] for platform in PLATFORMS]
    prepared_loops: list[Callable[[], Any]] = []
    for device in devices:
        with jax.default_device(device):
            prepared_loops.append(prepared(name))
            timed(prepared_loops[-1])
    times: list[list[float]] = []
    begun = time.perf_counter()
    while len(times) < FEWEST or (time.perf_counter() - begun < SECONDS and len(times) < MOST):
        row: list[float] = []
        for device, loop in zip(devices, prepared_loops, strict=True):
            with jax.default_device(device):
                row.append(timed(loop))
        times.append(row)
    return times


MEASUREMENTS: Final[dict[str, Callable[[str], Any]]] = {"first": first_call, "loops": loops}


def measured(what: str, name: str, platforms: str) -> Any:
    """What a process measures."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"JAX_PLATFORMS": platforms, "STABLEMATE_CACHE_DIR": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the imports of a user find bytecode
        run = subprocess.run(
            [sys.executable, "-m", "benchmarks.jax.libraries", "--measure", what, name],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if run.returncode:
        raise SystemExit(f"{name} on {platforms}: {run.stderr[-3000:]}")
    return json.loads(run.stdout.splitlines()[-1])


def row(name: str, rounds: int) -> tuple[str, float, float]:
    """The line of a program, and how many times as fast stablemate is: first call and loop."""
    calls = [[measured("first", name, platform) for platform in PLATFORMS] for _ in range(rounds)]
    first = [median(seconds for seconds, _ in column) for column in zip(*calls, strict=True)]
    times: list[list[float]] = measured("loops", name, ",".join(PLATFORMS))
    loop = [1000 * median(column) for column in zip(*times, strict=True)]
    ratios = first[1] / first[0], median(other / own for own, other in times)
    cells = [
        PROGRAMS[name], f"{first[0]:.2f}", f"{first[1]:.2f}", f"{ratios[0]:.2f}",
        f"{loop[0]:.2f}", f"{loop[1]:.2f}", f"{ratios[1]:.2f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |", *ratios


def processor_row(name: str, rounds: int) -> tuple[str, float]:
    """The line of a program's first call by processor time, and the ratio."""
    calls = [[measured("first", name, platform) for platform in PLATFORMS] for _ in range(rounds)]
    own, other = (min(worked for _, worked in column) for column in zip(*calls, strict=True))
    return f"| {PROGRAMS[name]} | {own:.2f} | {other:.2f} | {other / own:.2f} |", other / own


def processor_times(names: Sequence[str], rounds: int, output: Path | None) -> None:
    """Prints the table of processor times, and stores it."""
    lines = [
        "# Processor time of first calls of JAX's libraries", "",
        "| program | stablemate s | xla s | ratio |", "| --- | --- | --- | --- |",
    ]  # fmt: skip
    ratios: list[float] = []
    for name in names:
        line, ratio = processor_row(name, rounds)
        ratios.append(ratio)
        lines.append(line)
        print(line, flush=True)
    lines.append(f"| geometric mean | | | {geometric_mean(ratios):.2f} |")
    print(lines[-1])
    if output:
        output.write_text("\n".join(lines) + "\n")


def main() -> None:
    """Prints the table, and stores it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="programs; all without")
    parser.add_argument("--measure", choices=MEASUREMENTS, help="measure in this process")
    parser.add_argument("--rounds", type=int, default=3, help="first calls on each platform")
    parser.add_argument("--output", type=Path, help="where the table is stored")
    parser.add_argument("--processor", action="store_true", help="first calls by processor time")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(MEASUREMENTS[options.measure](*options.names)))
        return
    if options.processor:
        processor_times(options.names or list(PROGRAMS), options.rounds, options.output)
        return
    lines = [
        "# JAX's libraries on stablemate and on XLA's CPU client", "",
        f"| {' | '.join(COLUMNS)} |", "| --- " * len(COLUMNS) + "|",
    ]  # fmt: skip
    print(*lines, sep="\n", flush=True)
    ratios: list[tuple[float, float]] = []
    for name in options.names or PROGRAMS:
        line, first, loop = row(name, options.rounds)
        ratios.append((first, loop))
        lines.append(line)
        print(line, flush=True)
    means = [geometric_mean(column) for column in zip(*ratios, strict=True)]
    lines.append(f"| geometric mean | | | {means[0]:.2f} | | | {means[1]:.2f} |")
    print(lines[-1])
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

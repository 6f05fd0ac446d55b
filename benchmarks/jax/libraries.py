"""Programs of real libraries on stablemate and on XLA's CPU client: loops and first calls.

    python -m benchmarks.jax.libraries --output=benchmarks/results/jax_libraries.md [NAME...]

Each program runs in processes of its own, of either platform in turn, with an empty cache. The
first call traces, compiles and runs; a loop is timed after that, and the medians of all are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, Final

from benchmarks.jax.programs import PROGRAMS

PLATFORMS: Final = ("stablemate", "cpu")
SECONDS: Final = 2.0  # that loops of one process may take
HEADER: Final = (
    "| program | first: stablemate s | xla s | ratio | loop: stablemate ms | xla ms | ratio |"
)


def measure(name: str) -> None:
    """Prints the first call and the median loop of a program on the platform of this process."""
    import jax

    jax.block_until_ready(jax.jit(lambda x: x + 1)(1.0))  # the client is there
    loop = import_module(f"benchmarks.jax.programs.{name}").program()
    times: list[float] = []
    while len(times) < 3 or (sum(times[1:]) < SECONDS and len(times) < 100):
        begun = time.perf_counter()
        result: Any = jax.block_until_ready(loop())
        times.append(time.perf_counter() - begun)
    checks = [float(abs(leaf).mean()) for leaf in jax.tree.leaves(result)[:1]]
    print(json.dumps({"first": times[0], "loop": median(times[1:]), "checks": checks}))


def measured(name: str, platform: str) -> dict[str, Any]:
    """What a process measures."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"JAX_PLATFORMS": platform, "STABLEMATE_CACHE_DIR": cache}
        run = subprocess.run(
            [sys.executable, "-m", __spec__.name if __spec__ else "", "--measure", name],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if run.returncode:
        raise SystemExit(f"{name} on {platform}: {run.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def row(name: str, rounds: int) -> tuple[str, float, float]:
    """The line of a program, and how many times as fast stablemate is: first call and loop."""
    found: dict[str, list[dict[str, Any]]] = {platform: [] for platform in PLATFORMS}
    for _ in range(rounds):
        for platform in PLATFORMS:
            found[platform].append(measured(name, platform))
    first, loop = (
        [median([run[what] for run in found[platform]]) for platform in PLATFORMS]
        for what in ("first", "loop")
    )
    ratios = first[1] / first[0], loop[1] / loop[0]
    cells = [
        PROGRAMS[name], f"{first[0]:.2f}", f"{first[1]:.2f}", f"{ratios[0]:.2f}",
        f"{1000 * loop[0]:.2f}", f"{1000 * loop[1]:.2f}", f"{ratios[1]:.2f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |", *ratios


def main() -> None:
    """Prints the table, and stores it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="programs; all without")
    parser.add_argument("--measure", help="measure one program in this process")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each platform")
    parser.add_argument("--output", type=Path, help="where the table is stored")
    options = parser.parse_args()
    if options.measure:
        measure(options.measure)
        return
    lines = [
        "# JAX's libraries on stablemate and on XLA's CPU client",
        "",
        HEADER,
        "| --- " * 7 + "|",
    ]
    print(*lines, sep="\n", flush=True)
    ratios: list[tuple[float, float]] = []
    for name in options.names or PROGRAMS:
        line, *pair = row(name, options.rounds)
        lines.append(line)
        ratios.append((pair[0], pair[1]))
        print(line, flush=True)
    first, loop = (geometric_mean(column) for column in zip(*ratios, strict=True))
    lines.append(f"| geometric mean | | | {first:.2f} | | | {loop:.2f} |")
    print(lines[-1])
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

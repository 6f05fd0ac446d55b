"""Simulated grids beside XLA's fake devices, on programs of ``shard_map``.

    python -m benchmarks.grids [--devices 2,4] [--programs a,b] [--rounds N] [--md FILE]

JAX runs a program on as many fake devices (``XLA_FLAGS=--xla_force_host_platform_device_count=N``)
as it has, with the pieces of arguments placed on them before. Here what ``jax.export`` wrote of it
runs in lock-step, compiled: ``one call`` stands for all devices (``exe(*arguments)``), ``a grid``
has a process for each of them, which take whole arguments and give whole results (``sm.run_grid``).

Each side has a process of its own and they are timed in turn, round after round; milliseconds,
medians of the rounds. ``XLA / one call`` is above 1 where this project is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

ROOT: Final = pathlib.Path(__file__).resolve().parents[1]
SIDES: Final = ("xla", "one call", "a grid")
COLUMNS: Final = (
    "program", "devices", *(f"{side} ms" for side in SIDES), "XLA / one call", "XLA / a grid",
    *(f"{side}: first ms" for side in SIDES), "difference",
)  # fmt: skip
FLAG: Final = "--xla_force_host_platform_device_count"


class Side:
    """The process of one side on one program."""

    def __init__(self, side: str, name: str, devices: int, folder: pathlib.Path) -> None:
        """Starts it, and waits until it has run once."""
        self.times: list[float] = []
        self.result = folder / f"{side}.npz"
        environment = {**os.environ, "XLA_FLAGS": f"{FLAG}={devices}", "JAX_PLATFORMS": "cpu"}
        command = [sys.executable, "-m", "benchmarks.grids", "--side", side]
        self.process = subprocess.Popen(
            [*command, name, str(devices), str(folder), str(self.result)],
            cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.first = self.answer()

    def answer(self) -> float:
        """The next number that it writes."""
        assert self.process.stdout is not None
        return float(json.loads(self.process.stdout.readline()))

    def sample(self, seconds: float) -> None:
        """Lets it run for some seconds, and keeps the median time."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        self.times.append(self.answer())

    def close(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.communicate()


def runner(side: str, name: str, devices: int, folder: pathlib.Path) -> Callable[[], Any]:
    """What runs a program once, to its end."""
    if side == "xla":
        import jax

        from benchmarks.grid_programs import PROGRAMS

        program = PROGRAMS[name]()
        function, placed = program.jitted, program.placed()
        return lambda: jax.block_until_ready(function(*placed))
    import stablemate as sm

    with np.load(folder / "arguments.npz") as stored:
        arguments = tuple(stored[file] for file in stored.files)
    module = sm.load(folder / "program.mlir")
    if side == "a grid":
        return lambda: sm.run_grid(module, arguments, partitions=devices)[0]
    executable = sm.compile(module)
    return lambda: executable(*arguments)


def leaves(value: Any) -> list[Any]:
    """The arrays in what a program gave."""
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    return [np.asarray(value)]


def serve(side: str, name: str, devices: int, folder: pathlib.Path, result: str) -> None:
    """Runs once; then answers every line of seconds with the median time of a run."""
    start = time.perf_counter()
    run = runner(side, name, devices, folder)
    completed = run()
    print(json.dumps(time.perf_counter() - start), flush=True)
    np.savez(result, *leaves(completed))
    del completed
    for line in sys.stdin:
        times: list[float] = []
        run()
        end = time.perf_counter() + float(line)
        while len(times) < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        print(json.dumps(statistics.median(times)), flush=True)


def export(name: str, devices: int, folder: pathlib.Path) -> None:
    """Lets JAX write the program, for so many devices."""
    environment = {**os.environ, "XLA_FLAGS": f"{FLAG}={devices}", "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-m", "benchmarks.grid_programs", name, str(folder)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def difference(one: pathlib.Path, other: pathlib.Path) -> float:
    """Largest difference of results, relative to the largest value."""
    worst = 0.0
    with np.load(one) as expected, np.load(other) as actual:
        for name in expected.files:
            x, y = expected[name].astype(np.float64), actual[name]
            worst = max(worst, float(np.abs(x - y).max() / (np.abs(x).max() or 1)))
    return worst


def row(name: str, devices: int, rounds: int, budget: float) -> str:
    """The line of a program."""
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        export(name, devices, folder)
        sides = {side: Side(side, name, devices, folder) for side in SIDES}
        for _ in range(rounds):
            for side in sides.values():
                side.sample(budget)
                time.sleep(0.05)  # lets spinning threads go to sleep
        worst = max(difference(sides["xla"].result, sides[side].result) for side in SIDES[1:])
        for side in sides.values():
            side.close()
    times = [statistics.median(side.times) * 1e3 for side in sides.values()]
    cells = [
        name, str(devices), *(f"{time:.3g}" for time in times),
        *(f"{times[0] / time:.2f}" for time in times[1:]),
        *(f"{side.first * 1e3:.0f}" for side in sides.values()), f"{worst:.0e}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Runs the command line."""
    if sys.argv[1:2] == ["--side"]:
        side, name, devices, folder, result = sys.argv[2:]
        serve(side, name, int(devices), pathlib.Path(folder), result)
        return
    parser = argparse.ArgumentParser(description="Simulated grids beside XLA's fake devices.")
    parser.add_argument("--devices", default="2,4")
    parser.add_argument("--programs", default=",".join(NAMES))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--budget", type=float, default=0.3, help="seconds per round and side")
    parser.add_argument("--md", type=pathlib.Path, help="also write the table here")
    options = parser.parse_args()
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
    print("\n".join(lines), flush=True)
    for name in options.programs.split(","):
        for devices in map(int, options.devices.split(",")):
            lines.append(row(name, devices, options.rounds, options.budget))
            print(lines[-1], flush=True)
    if options.md:
        options.md.write_text("\n".join(lines) + "\n")


NAMES: Final = (
    "data_parallel_mlp", "tensor_parallel_gpt", "ring_all_to_all",
    "small_mlp", "small_gpt", "small_ring",
)  # fmt: skip

if __name__ == "__main__":
    main()

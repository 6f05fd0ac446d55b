"""Compare two revisions: the time of the benchmark programs in each, in turns.

    python -m benchmarks.revisions DIR OLD NEW [--rounds 7] [NAME ...]

DIR is what ``export_models.py`` wrote; OLD and NEW are work trees (``git worktree add``). Every
round starts a process for each revision, the first one in turn, and takes the median of its calls.
The table has the smallest median of all rounds; above 1, the new revision is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import stablemate as sm
from tests.programs.program import load_program, programs

ROOT: Final = Path(__file__).parents[1]
BUDGET: Final = 0.7  # seconds of calls in a round
FEWEST: Final = 3
HEAD: Final = "| program | before, ms | now, ms | before / now |\n|---|---|---|---|"


def measured(directory: Path, name: str) -> float:
    """The median time of a call in this process, in seconds."""
    text, arguments = load_program(name, directory)
    executable = sm.compile(sm.load(text))
    for _ in range(2):
        executable(*arguments)
    durations: list[float] = []
    end = perf_counter() + BUDGET
    while len(durations) < FEWEST or perf_counter() < end:
        start = perf_counter()
        executable(*arguments)
        durations.append(perf_counter() - start)
    return median(durations)


def measured_in(tree: Path, directory: Path, name: str, cache: Path) -> float:
    """The median time of a call in a process that imports the package from a work tree."""
    environment = dict(
        os.environ,
        PYTHONPATH=os.pathsep.join([str(tree / "src"), str(ROOT)]),
        STABLEMATE_CACHE_DIR=str(cache),
    )
    command = [sys.executable, "-m", "benchmarks.revisions", "--one", str(directory), name]
    output = subprocess.run(
        command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return float(json.loads(output))


def compared(trees: Sequence[Path], directory: Path, name: str, rounds: int) -> str:
    """A row of the table."""
    times: Mapping[Path, list[float]] = {tree: [] for tree in trees}
    with tempfile.TemporaryDirectory() as caches:
        for number in range(rounds):
            for tree in trees[:: 1 if number % 2 else -1]:
                cache = Path(caches, str(trees.index(tree)))
                times[tree].append(measured_in(tree, directory, name, cache))
    before, now = (1e3 * min(times[tree]) for tree in trees)
    return f"| {name} | {before:.3f} | {now:.3f} | {before / now:.2f} |"


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.revisions")
    parser.add_argument("directory", type=Path)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    print(HEAD)
    trees = [arguments.old.resolve(), arguments.new.resolve()]
    directory = arguments.directory.resolve()
    for name in arguments.names or programs(directory):
        print(compared(trees, directory, name, arguments.rounds), flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--one", directory, name]:
            print(json.dumps(measured(Path(directory), name)))
        case _:
            main()

"""Grids of generated programs: ``python -m tests.execution.campaign --programs 1000 --seed 7``.

Each program runs in lock-step, interpreted and as native code, natively several times with other
arguments: what processes have exchanged once they exchange again by themselves. It runs within a
program that starts the grid, and every second one in the upstream interpreter, if its sums have the
same bits in any order, and no two of its operations share a channel. Program I of seed N is drawn
from ``N:I``.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections import Counter
from typing import Any, Final

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from tests.execution.generated import generated
from tests.execution.grids import Case, bits
from tests.oracle.client import Oracle

COLLECTIVE: Final = re.compile(r'"stablehlo\.(?:all_|collective_|reduce_scatter)')
CHANNEL: Final = re.compile(r"channel_handle<handle = (\d+)")
CALLS: Final = (0, 1, 2, 1)  # which arguments each call has
SHARE: Final = 2  # of so many programs one is given to the upstream interpreter


def difference(seed: str, most: int, oracle: Oracle | None, counts: Counter[str]) -> str:
    """How the results of a program differ; empty if they do not."""
    case, with_arguments = generated(seed, most)
    grid = case.grid
    module = sm.load(case.text)
    module.verify()
    interpreted = module.executable("work", backend="interpreter")
    compiled = module.executable("work", backend="cpu")
    assert isinstance(compiled, CompiledExecutable), compiled.fallback
    expected: list[Any] = []
    for number in CALLS:
        collected = [(argument,) for argument in with_arguments(number).arguments]
        wanted = [bits(item) for item in interpreted.run_grid(collected, grid)]
        expected = expected or wanted
        if [bits(item) for item in compiled.run_grid(collected, grid)] != wanted:
            return f"native code differs with arguments {number}:\n{case.text}"
        counts["calls"] += 1
    counts["rounds"] += bool(compiled.native_mover.replayed_exchanges.launches_by_key)
    results = module.run(*case.arguments, backend="interpreter")
    within = results if isinstance(results, tuple) else (results,)
    if [bits(item) for item in within] != expected:
        return f"a grid within a program differs:\n{case.text}"
    if oracle is not None and is_exact(case) and meets_once(case):
        counts["upstream"] += 1
        theirs = oracle.reference(case.text, *case.arguments)
        if [bits(result) for result in theirs] != expected:
            return f"the upstream interpreter differs:\n{case.text}"
    return ""


def is_exact(case: Case) -> bool:
    """Whether sums have the same bits in any order: of integers, or there are none."""
    return "stablehlo.add %a" not in case.text or case.operand.rsplit("x", 1)[-1][0] in "iu"


def meets_once(case: Case) -> bool:
    """Whether no two meetings share a channel, of which the upstream interpreter confuses two."""
    channels = CHANNEL.findall(case.text)
    own = [channel for channel in channels if channel != "0"]
    others = len(COLLECTIVE.findall(case.text)) - len(own)
    return "stablehlo.while" not in case.text and others <= 1


def main() -> int:
    """Runs the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.execution.campaign")
    parser.add_argument("--programs", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="which programs")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most time to take")
    arguments = parser.parse_args()
    counts, value, end = Counter[str](), 0, time.monotonic() + 60 * arguments.minutes
    most = len(os.sched_getaffinity(0))  # of processes that the upstream interpreter can run
    with Oracle() as oracle:
        for number in range(arguments.first, arguments.first + arguments.programs):
            if time.monotonic() > end:
                break
            seed, asked = f"{arguments.seed}:{number}", number % SHARE == 0
            wrong = difference(seed, most if asked else 8, oracle if asked else None, counts)
            counts["programs"] += 1
            if wrong:
                value += 1
                print(f"program {number}, {wrong}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()) + f", {value} differences")
    return 1 if value else 0


if __name__ == "__main__":
    sys.exit(main())

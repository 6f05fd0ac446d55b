"""Damaged inputs by the hundred thousand: ``python -m tests.fuzzing.mutations``.

Every input follows from reader, seed and number: ``--reader text --seed 7 --first 1234 --inputs 1``
is one of them again, and ``--show`` prints it. They are read in a child process with bounded
memory, a bound on processor time for each, and warnings as errors; what ends the child is a
finding as well. Of each sort of finding one is cut down and kept in ``--keep``; the exit code is 1
if there is any.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from tests.fuzzing.child_process import Bounds, Finding, run_in_child
from tests.fuzzing.readers import READERS
from tests.fuzzing.shrinking import shrunk

EVERY = 30.0  # seconds between lines of progress


def main() -> int:
    """Runs the campaign that the command line asks for."""
    arguments = parsed()
    names = list(READERS) if arguments.reader == "all" else arguments.reader.split(",")
    if arguments.show:
        sys.stdout.buffer.write(READERS[names[0]].input(arguments.seed, arguments.first))
        return 0
    by_kind: dict[str, Finding] = {}
    value = arguments.seconds / len(names)
    for name in names:
        numbers = range(arguments.first, arguments.first + arguments.inputs)
        campaign(name, arguments.seed, numbers, Bounds(seconds=value), by_kind)
    for kind, finding in by_kind.items():
        report(kind, finding, arguments.keep)
    return 1 if by_kind else 0


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.mutations")
    parser.add_argument("--reader", default="all", help=f"of {', '.join(READERS)}; by commas")
    parser.add_argument("--inputs", type=int, default=10_000, help="how many for each reader")
    parser.add_argument("--seconds", type=float, default=60.0, help="the most time to take")
    parser.add_argument("--seed", type=int, default=0, help="which inputs")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--keep", type=Path, help="a directory for what was found")
    parser.add_argument("--show", action="store_true", help="print the first input, do no more")
    return parser.parse_args()


def campaign(
    name: str, seed: int, numbers: range, bounds: Bounds, by_kind: dict[str, Finding]
) -> Counter[str]:
    """Examines inputs of one reader until there are enough, or the time is up."""
    outcomes: Counter[str] = Counter()
    start, next_number = time.monotonic(), numbers.start
    while next_number < numbers.stop and time.monotonic() - start < bounds.seconds:
        left = Bounds(bounds.seconds - (time.monotonic() - start))
        rest = range(next_number, numbers.stop)
        next_number, counts, findings = run_in_child(name, seed, rest, left)
        outcomes.update(counts)
        for finding in findings:
            outcomes["found"] += finding.kind.startswith("ended")  # the others are counted there
            if finding.kind not in by_kind:
                by_kind[finding.kind] = finding
                print(f"{name} {finding.number}: {finding.kind}", file=sys.stderr, flush=True)
    took = time.monotonic() - start
    summary = {"reader": name, "seed": seed, "inputs": next_number - numbers.start, **outcomes}
    print(json.dumps({**summary, "seconds": round(took)}), flush=True)
    return outcomes


def report(kind: str, finding: Finding, keep: Path | None) -> None:
    """Prints a finding, cut down if it can be seen again."""
    data = READERS[finding.reader].input(finding.seed, finding.number)
    small = shrunk(finding, data)
    print(f"\n{finding.reader} --seed {finding.seed} --first {finding.number}: {kind}")
    print(finding.trace)
    print(repr(small[:2000]))
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{finding.reader}-{finding.seed}-{finding.number}.bin").write_bytes(small)


if __name__ == "__main__":
    sys.exit(main())

"""A long comparison: ``python -m tests.properties.campaign --programs 20000 --seed 7``.

Every program runs in the interpreter; the other executors, formats and ways to run it take their
turns, a batch of programs each (``--thorough``: all of them, every batch). What was done is added
to a file (``--ledger``), which says how often, with which seeds, and what no program had so far.

Programs follow from the seed and their number, so that ``--seed N --first I --programs 1`` is
program I of seed N again. Differences are printed as they are found, each cut down to one
operation; the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from tests.oracle.client import Oracle
from tests.properties.generation.campaign_log import record
from tests.properties.generation.choices import Seeded
from tests.properties.generation.comparison import EXECUTORS, QUICK, Comparison
from tests.properties.generation.findings import Report
from tests.properties.generation.programs import FAMILIES, Program, generate
from tests.properties.generation.verifier_agreement import Verdicts, mutated

BATCH = 16
PRINTED = 3  # differences of one kind
EVERY = 30.0  # seconds between lines of progress


def main() -> int:
    """Runs the campaign that the command line asks for."""
    arguments = parsed()
    with Oracle(xla_flags=QUICK) as oracle:
        report = compared(oracle, arguments)
    if arguments.ledger:
        record(arguments.ledger, report, arguments.seed, arguments.first)
    print(summary(report), file=sys.stderr)
    return 1 if report.findings else 0


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.campaign")
    parser.add_argument("--programs", type=int, default=20_000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="which programs")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most time to take")
    parser.add_argument("--executors", nargs="*", choices=EXECUTORS, default=EXECUTORS)
    parser.add_argument("--family", choices=[*FAMILIES], default="", help="what they are about")
    parser.add_argument("--thorough", action="store_true", help="all executors for every program")
    parser.add_argument("--ledger", type=Path, help="the file in which programs are counted")
    return parser.parse_args()


def compared(oracle: Oracle, arguments: argparse.Namespace) -> Report:
    """Compares batch after batch until there are enough, or the time is up."""
    comparison, verdicts = Comparison(oracle, arguments.executors), Verdicts(oracle)
    verdicts.findings = comparison.report.findings
    start = shown = time.monotonic()
    printed: Counter[str] = Counter()
    last = arguments.first + arguments.programs
    for first in range(arguments.first, last, BATCH):
        numbers = range(first, min(first + BATCH, last))
        len_result = len(comparison.report.findings)
        comparison.turn = None if arguments.thorough else first // BATCH
        comparison.compare([program(arguments, number) for number in numbers])
        judged = "xla" in arguments.executors and comparison.is_due(4, 2)
        for number in numbers if judged else ():
            verdicts.compare(mutated(Seeded(f"{arguments.seed}:{number}:changed")))
        for finding in comparison.report.findings[len_result:]:
            printed[finding.kind] += 1
            if printed[finding.kind] <= PRINTED:
                print(f"programs {first} to {numbers[-1]}: {finding}\n", flush=True)
        now = time.monotonic()
        if now - shown > EVERY:
            shown = now
            print(f"{numbers[-1] + 1 - arguments.first} programs", file=sys.stderr, flush=True)
        if now - start > 60 * arguments.minutes:
            break
    return comparison.report


def program(arguments: argparse.Namespace, number: int) -> Program:
    """A program by its number."""
    choices = Seeded(f"{arguments.seed}:{number}")
    return generate(choices, arguments.family, prefix=f"g{number}")


def summary(report: Report) -> str:
    """How much was compared, and with what outcome."""
    lines = [f"{report.programs} programs, {len(report.findings)} differences"]
    lines += [f"  {n} programs: {who}" for who, n in report.ran.most_common()]
    lines += [f"  {n} modules: {how}" for how, n in report.variants.most_common()]
    for executor in EXECUTORS:
        counts = {name: n for (who, name), n in report.compared.items() if who == executor}
        left = {why: n for (who, why), n in report.left_out.most_common() if who == executor}
        refused = sum(n for (who, _), n in report.refused.items() if who == executor)
        lines.append(
            f"{executor}: {sum(counts.values())} results of {len(counts)} operations compared; "
            f"{sum(left.values())} operations left out; {refused} programs refused"
        )
        lines += [f"  left out {n}: {why}" for why, n in left.items()]
    lines += [f"  refused {n}: {who}: {why}" for (who, why), n in report.refused.most_common()]
    lines += [f"  unconfirmed {n}: {' '.join(key)}" for key, n in report.unconfirmed.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

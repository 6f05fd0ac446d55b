"""A long comparison of HLO texts with XLA: ``python -m tests.properties.hlo_parity.campaign``.

What is changed follows from the seed. Of each sort of difference the shortest text is shown; the
exit code is 1 if there are any that ``listed`` does not list. ``--values`` compares results too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Iterator

from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.hlo_parity.changes import changed, changed_text
from tests.properties.hlo_parity.comparison import HloParity, sort_of
from tests.properties.hlo_parity.difference import Difference
from tests.properties.hlo_parity.specimens import specimens
from tests.properties.hlo_parity.structural import structural
from tests.properties.hlo_parity.values import HloValues

BATCH = 2000


def main() -> int:
    """Compares until there are enough, or the time is up."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.hlo_parity.campaign")
    parser.add_argument("--texts", type=int, default=100_000, help="how many texts")
    parser.add_argument("--seed", type=int, default=0, help="which changes")
    parser.add_argument("--values", type=int, default=0, help="how many programs are run")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most time to take")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    with Oracle() as oracle:
        parity = HloParity(oracle)
        for texts in batches(arguments.texts, arguments.seed):
            parity.compare(texts)
            if time.monotonic() > end:
                break
        results = HloValues(oracle)
        for number in range(arguments.values):
            results.compare(structural(Seeded(f"{arguments.seed}:values:{number}")))
            if time.monotonic() > end:
                break
    for line in results.differences:
        print(line, end="\n\n")
    for count, difference in shortest(parity.differences):
        print(f"{count} times {difference}", end="\n\n")
    print(dict(parity.outcomes), dict(results.outcomes), file=sys.stderr)
    return 1 if parity.differences or results.differences else 0


def batches(count: int, seed: int) -> Iterator[list[str]]:
    """So many texts: instructions and whole modules, changed."""
    yield list(specimens())
    for first in range(0, count, BATCH):
        draws = [Seeded(f"{seed}:{i}") for i in range(first, min(first + BATCH, count))]
        yield [mutated_text(draw) for draw in draws]


def mutated_text(choices: Seeded) -> str:
    """A changed text."""
    if choices.chance(35):
        return changed_text(choices, choices.of(specimens()))
    return changed(choices)


def shortest(differences: list[Difference]) -> list[tuple[int, Difference]]:
    """Of each sort of difference how many there are, and the one with the shortest text."""
    sorts: defaultdict[tuple[str, ...], list[Difference]] = defaultdict(list)
    for difference in differences:
        sorts[sort_of(difference)].append(difference)
    collected = [(len(sort), min(sort, key=lambda one: len(one.text))) for sort in sorts.values()]
    return sorted(collected, key=lambda pair: (pair[1].kind, -pair[0]))


if __name__ == "__main__":
    sys.exit(main())

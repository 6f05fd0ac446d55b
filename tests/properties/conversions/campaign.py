"""Conversions beside jaxlib's: ``python -m tests.properties.conversions.campaign``.

The programs follow from the seed. Of each sort of difference the shortest is shown; the exit code
is 1 if there are any that ``listed`` does not list.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from tests.oracle.client import Oracle
from tests.properties.conversions.comparison import Conversions
from tests.properties.conversions.hlo_programs import hlo_program
from tests.properties.conversions.mlir_programs import mlir_program
from tests.properties.generation.choices import Seeded


def main() -> int:
    """Compares so many programs of each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.conversions.campaign")
    parser.add_argument("--programs", type=int, default=1000, help="how many programs of a kind")
    parser.add_argument("--seed", type=int, default=0, help="which programs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    arguments = parser.parse_args()
    with Oracle() as oracle:
        conversions = compared(oracle, arguments.programs, arguments.seed, arguments.first)
    for count, difference in shortest(conversions.differences):
        print(f"{count} times {difference}", end="\n\n")
    print(dict(sorted(conversions.outcomes.items())), file=sys.stderr)
    return 1 if conversions.differences else 0


def compared(oracle: Oracle, programs: int, seed: int, first: int = 0) -> Conversions:
    """The comparison of so many programs of each kind."""
    conversions = Conversions(oracle)
    for number in range(first, first + programs):
        conversions.from_mlir(mlir_program(Seeded(f"{seed}:mlir:{number}")))
        conversions.from_hlo(hlo_program(Seeded(f"{seed}:hlo:{number}")))
    return conversions


def shortest(differences: Sequence[str]) -> list[tuple[int, str]]:
    """Of each sort of difference how many there are, and the one with the shortest program."""
    sorts: dict[str, list[str]] = {}
    for difference in differences:
        head = difference.partition("\n")[0].partition(":")[0]
        sorts.setdefault(re.sub(r"'t\d+'", "", head), []).append(difference)
    return [(len(sort), min(sort, key=len)) for sort in sorts.values()]


if __name__ == "__main__":
    sys.exit(main())

"""A long comparison of changed programs: ``python -m tests.properties.parity.campaign``.

What is changed follows from the seed. Of each sort of difference the shortest text is shown; the
exit code is 1 if there are any that docs/conformance.toml does not list.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator

from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.parity.changes import changed
from tests.properties.parity.comparison import Difference, Parity
from tests.properties.parity.forms import module
from tests.properties.parity.openings import opened
from tests.properties.parity.regions import with_types_of_its_own
from tests.properties.parity.specimens import specimens
from tests.properties.parity.structures import restructured
from tests.properties.parity.texts import functions, with_another_token

VARYING = re.compile(r"%\w+|\d+|<.*?>+|'[^']*'|\"[^\"]*\"")


def main() -> int:
    """Compares until there are enough, or the time is up."""
    arguments = parsed()
    end = time.monotonic() + 60 * arguments.minutes
    with Oracle() as oracle:
        parity = Parity(oracle)
        sizes = (arguments.programs, arguments.tokens, arguments.forms, arguments.structures)
        for texts in batches(*sizes, arguments.regions, seed=arguments.seed, only=arguments.only):
            parity.compare(texts)
            if time.monotonic() > end:
                break
    for difference in shortest(parity.differences):
        print(difference, end="\n\n")
    print(dict(parity.outcomes), file=sys.stderr)
    return 1 if parity.differences else 0


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.parity.campaign")
    parser.add_argument("--programs", type=int, default=1000, help="changed programs by operation")
    parser.add_argument("--tokens", type=int, default=50_000, help="functions with another token")
    parser.add_argument("--forms", type=int, default=20_000, help="modules from the grammar")
    parser.add_argument("--structures", type=int, default=20_000, help="texts of other structure")
    parser.add_argument("--regions", type=int, default=20_000, help="operations of mixed types")
    parser.add_argument("--seed", type=int, default=0, help="which changes")
    parser.add_argument("--only", default="", help="operations whose names begin so")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most time to take")
    return parser.parse_args()


def batches(
    programs: int,
    tokens: int,
    forms: int,
    structures: int = 0,
    regions: int = 0,
    *,
    seed: int,
    only: str = "",
) -> Iterator[list[str]]:
    """Changed texts: so many of each operation, some with open sizes, then with another token.

    Then come modules of all forms of attributes and types, some of them with another token, texts
    with another structure, and operations whose parts have types of their own.
    """
    for name, items in specimens().items():
        if name.startswith(only):
            draws = [Seeded(f"{seed}:{name}:{i}") for i in range(programs)]
            yield [changed(draw, draw.of(items)).text() for draw in draws]
            yield [opened(draw, draw.of(items)).text() for draw in draws[::4]]
    draws = [Seeded(f"{seed}:{i}") for i in range(tokens)]
    for first in range(0, tokens, 1000):
        part = draws[first : first + 1000]
        yield [with_another_token(draw, draw.of(functions())) for draw in part]
    for first in range(0, forms, 500):
        yield [form(Seeded(f"{seed}:form:{first + i}")) for i in range(min(500, forms - first))]
    for first in range(0, structures, 500):
        part = range(first, min(first + 500, structures))
        draws = [Seeded(f"{seed}:structure:{number}") for number in part]
        yield [restructured(draw, draw.of(functions())) for draw in draws]
    for first in range(0, regions, 500):
        part = range(first, min(first + 500, regions))
        yield [with_types_of_its_own(Seeded(f"{seed}:region:{number}")) for number in part]


def form(draw: Seeded) -> str:
    """A module from the grammar; one in six with another token."""
    text = module(draw)
    return with_another_token(draw, text) if draw.chance(17) else text


def shortest(differences: list[Difference]) -> list[Difference]:
    """Of each sort of difference the one with the shortest text."""
    sorts: defaultdict[tuple[str, ...], list[Difference]] = defaultdict(list)
    for difference in differences:
        partitioned = difference.ours.partition("\n")[0].partition("error: ")[2] or difference.ours
        sorts[
            difference.kind, VARYING.sub("_", partitioned), VARYING.sub("_", difference.theirs)
        ].append(difference)
    return [min(sort, key=lambda item: len(item.text)) for sort in sorts.values()]


if __name__ == "__main__":
    sys.exit(main())

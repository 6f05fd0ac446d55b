"""Sums and folds in the interpreter and the reference interpreter, compared in all bits.

``python -m tests.properties.reference_order.campaign --programs 20000 --seed 1`` prints programs
that differ, a count for each operation, and exits with 1 if there is a difference. ``--native``
compares native code with the interpreter instead, where the body is neither associative nor
commutative.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import stablemate as sm
from stablemate.numerics.elements import Array
from tests.oracle.client import Oracle, OracleAborted, OracleCannot, OracleRejected
from tests.properties.generation.tolerances import differs
from tests.properties.reference_order.programs import Case, case

SHOWN = 5  # differences


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a comparison found.

    Attributes:
        case: The program.
        verdict: ``equal``, ``differs``, or why there is nothing to compare.
        detail: The numbers that differ, or an error.
    """

    case: Case
    verdict: str
    detail: str = ""


def interpreted(each: Case) -> list[Array]:
    """The results of the interpreter."""
    return results_of(each, "interpreter")


def results_of(each: Case, backend: str) -> list[Array]:
    """The results of a back end."""
    results: Any = sm.run(each.text, *each.arguments, backend=backend)
    return [np.asarray(x) for x in (results if each.has_several else (results,))]


def compared(each: Case, oracle: Oracle) -> Outcome:
    """The interpreter compared with the reference."""
    try:
        theirs = oracle.reference(each.text, *each.arguments)
    except (OracleAborted, OracleCannot, OracleRejected) as error:
        return Outcome(each, "unsupported", str(error))
    for ours, other in zip(interpreted(each), theirs, strict=True):
        wrong = differs(ours, other)
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            return Outcome(each, "differs", f"at {place}: {ours[place]!r} from {other[place]!r}")
    return Outcome(each, "equal")


def compared_with_native(each: Case) -> Outcome:
    """The interpreter compared with native code, if the body is no monoid."""
    if not each.is_ordered:
        return Outcome(each, "monoid")
    for ours, other in zip(interpreted(each), results_of(each, "cpu"), strict=True):
        wrong = differs(ours, other)
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            return Outcome(each, "differs", f"at {place}: {ours[place]!r}, native {other[place]!r}")
    return Outcome(each, "equal")


def outcomes(seed: int, first: int, programs: int, oracle: Oracle) -> Iterator[Outcome]:
    """The outcomes of so many programs."""
    return (compared(case(seed, i), oracle) for i in range(first, first + programs))


def main() -> int:
    """Compares, and prints what differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.reference_order.campaign")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--native", action="store_true", help="compare native code instead")
    arguments = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    shown = 0
    with Oracle() as oracle:
        compare = compared_with_native if arguments.native else partial(compared, oracle=oracle)
        for number in range(arguments.first, arguments.first + arguments.programs):
            outcome = compare(case(arguments.seed, number))
            counts[outcome.case.name, outcome.verdict] += 1
            if outcome.verdict not in ("equal", "monoid") and shown < SHOWN:
                shown += 1
                print(number, outcome.verdict, outcome.detail, outcome.case.text, sep="\n")
    for (name, verdict), count in sorted(counts.items()):
        print(f"{name:20} {verdict:12} {count}", file=sys.stderr)
    return int(any(verdict == "differs" for _, verdict in counts))


if __name__ == "__main__":
    raise SystemExit(main())

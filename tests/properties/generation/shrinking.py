"""Shrinks the decisions behind a program: fewer and smaller ones while it still fails.

Hypothesis could do that as well, but it would run whole batches of programs for every attempt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tests.oracle.client import Oracle
from tests.properties.generation.choices import Replayed
from tests.properties.generation.comparison import OTHERS, Comparison
from tests.properties.generation.findings import Finding
from tests.properties.generation.programs import Program, generate

SECONDS: Final = 60.0


def smallest(
    oracle: Oracle,
    programs: Sequence[Program],
    family: str,
    executors: Sequence[str] = OTHERS,
) -> Finding | None:
    """The first difference in a batch, in a program made small; None if it needs the batch."""
    for program in programs:
        findings_result = findings(oracle, program, executors)
        if not findings_result:
            continue
        kind = findings_result[0].kind

        def of_kind(decisions: Sequence[int], kind: str = kind) -> list[Finding]:
            again = generate(Replayed(decisions), family)
            return [
                finding for finding in findings(oracle, again, executors) if finding.kind == kind
            ]

        return (of_kind(shrunk(program.decisions, of_kind)) or findings_result)[0]
    return None


def findings(oracle: Oracle, program: Program, executors: Sequence[str]) -> list[Finding]:
    """The differences of one program."""
    comparison = Comparison(oracle, executors)
    comparison.compare([program])
    return comparison.report.findings


def shrunk(decisions: Sequence[int], fails: Callable[[Sequence[int]], object]) -> list[int]:
    """The smallest decisions found, within a minute, with which a program still fails."""
    best, end = list(decisions), time.monotonic() + SECONDS
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for candidate in smaller(best):
            if time.monotonic() > end:
                return best
            if candidate != best and fails(candidate):
                best, is_smaller = candidate, True
                break
    return best


def smaller(decisions: Sequence[int]) -> Iterator[list[int]]:
    """Shorter lists, then lists with smaller numbers."""
    size = len(decisions)
    while size:
        for start in range(0, len(decisions), size):
            yield [*decisions[:start], *decisions[start + size :]]
        size //= 2
    for place, decision in enumerate(decisions):
        for lower in sorted({0, decision // 2, decision - 1}):
            if 0 <= lower < decision:
                yield [*decisions[:place], lower, *decisions[place + 1 :]]

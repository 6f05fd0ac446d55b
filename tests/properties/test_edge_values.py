"""Elementwise operations on every pair of numbers of 8 bits and less: all say the same.

``python -m tests.properties.edge_values`` takes all types, conversions and
comparisons, and asks XLA too.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from tests.oracle.client import Oracle
from tests.properties.edge_values import (
    Case,
    cases,
    comparison_types,
    differences,
    run_here,
    run_there,
)

# Of these types every operation is asked, of the others the conversions among them; the upstream
# interpreter has no total order.
TYPES: Final = ("i4", "f8E4M3FN")
CONVERTED: Final = frozenset({"i1", "i2", "ui4", "i32", "f8E5M2", "f16"})
# The upstream interpreter's process ends where an integer is divided by zero.
TRAPS: Final = ("divide", "remainder")


def chosen() -> list[Case]:
    """What there is time for in every run."""
    collected: list[Case] = []
    for case in cases():
        name, kind, other, *details = case.name.split()
        if name == "convert":
            if {kind, other} <= CONVERTED:
                collected.append(case)
        elif kind in TYPES and details in ([], ["LT", comparison_types(kind)[0]]):
            collected.append(case)
    return collected


@pytest.mark.parametrize("case", chosen(), ids=lambda entry: entry.name)
def test_interpreter_native_code_and_reference_agree(case: Case, oracle: Oracle) -> None:
    here = run_here(case)
    who = "XLA" if case.name.startswith(TRAPS) and "f8" not in case.name else "reference"
    ask = {"XLA": oracle.xla, "reference": oracle.reference}[who]
    (theirs,) = ask(case.text, *case.operands)
    assert list(differences(case, here | {who: theirs})) == []


def test_all_four_are_asked(oracle: Oracle) -> None:
    counts: Counter[str] = Counter()
    first_match = next(case for case in cases() if case.name == "multiply i4 i4")
    answers = run_here(first_match) | run_there(oracle, first_match, counts)
    assert list(answers) == ["interpreter", "native code", "reference", "XLA"]
    assert list(differences(first_match, answers)) == []

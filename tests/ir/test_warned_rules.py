"""Each rule that is only a warning has a program whose values are upstream's, or a reason for none.

A new rule must be in one of both: see ``warned_programs.mlir`` and ``warned_rules.toml``.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from stablemate.ir.dialect import DIALECTS
from stablemate.ir.type_rules import CHECKED_IN_TEXT, WARNED_TYPES
from stablemate.ir.verification.upstream_leniency import rules_of
from tests.ir.test_warned_programs import PROGRAMS
from tests.oracle.client import Oracle
from tests.properties.parity.warned_values import (
    BACKENDS,
    arguments_of,
    equal,
    executed,
    upstream,
    warnings,
)

HERE: Final = Path(__file__).parent
# Programs with warnings that run here and not in jaxlib.
RUN_HERE: Final = (HERE / "warned_programs_here.mlir").read_text().split("// -----\n")
ENTRIES: Final = tomllib.loads((HERE / "warned_rules.toml").read_text())["rules"]


def warned_rules() -> set[str]:
    """All rules that are only warnings, of operations and of types."""
    of_operations = {rule for dialect in DIALECTS for rule in rules_of(dialect)}
    return of_operations | WARNED_TYPES | CHECKED_IN_TEXT


def rules_in(texts: tuple[str, ...] | list[str]) -> set[str]:
    """The rules that programs break."""
    return {rule for text in texts for rule in warnings(text)}


def listed(rule: str) -> list[str]:
    """The patterns of the table that a rule matches."""
    return [name for entry in ENTRIES for name in entry["names"] if fnmatchcase(rule, name)]


def test_each_rule_has_a_program_or_a_reason() -> None:
    with_program = rules_in(list(PROGRAMS)) | rules_in(RUN_HERE)
    without = {rule for rule in warned_rules() - with_program if not listed(rule)}
    assert without == set()


def test_no_rule_has_both() -> None:
    with_program = rules_in(list(PROGRAMS)) | rules_in(RUN_HERE)
    assert {rule: names for rule in with_program if (names := listed(rule))} == {}


def test_the_table_has_no_rule_twice_and_none_that_does_not_exist() -> None:
    counts = Counter(name for rule in warned_rules() for name in listed(rule))
    assert {rule for rule in warned_rules() if len(listed(rule)) > 1} == set()
    unused = [entry for entry in ENTRIES if not any(counts[name] for name in entry["names"])]
    assert unused == []
    assert all(entry["why"].strip() for entry in ENTRIES)


@pytest.mark.parametrize("text", RUN_HERE)
def test_programs_that_only_run_here(text: str, oracle: Oracle) -> None:
    """Of the two backends, none is the other's source; jaxlib accepts and does not run them."""
    assert warnings(text)
    reading = oracle.readings([text])[0]
    assert reading is not None
    assert reading[0] == ""
    arguments = arguments_of(sm.load(text), text)
    assert arguments is not None
    interpreted, native = (executed(text, arguments, backend) for backend in BACKENDS)
    assert not isinstance(interpreted, str), interpreted
    assert not isinstance(native, str), native
    assert equal(interpreted, native)


@pytest.mark.standard
@pytest.mark.parametrize("text", RUN_HERE)
def test_jaxlib_does_not_run_them(text: str, oracle: Oracle) -> None:
    """If one runs in a newer jaxlib, it belongs to ``warned_programs.mlir``."""
    arguments = arguments_of(sm.load(text), text)
    assert arguments is not None
    assert [upstream(oracle, name, text, arguments) for name in ("xla", "reference")] == [None] * 2

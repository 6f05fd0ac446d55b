"""docs/conformance.md is what the code says, and leaves nothing out."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

import stablemate as sm
from stablemate.dialects.registry import OPERATIONS
from tests.oracle.client import Oracle, OracleAborted
from tools import coverage, spec_labels
from tools.conformance import PAGE, WORDS, exception_rules, page

ROOT: Final = Path(__file__).parents[1]

DIFFERENCES: Final[dict[str, list[dict[str, Any]]]] = tomllib.loads(WORDS.read_text())
NEWER: Final = ("collective_reduce", "has_dynamic_root")  # than the oracle

SPECIFICATION: Final = """
**Quantized element types** represent integers.

* (C1) `type(storage_min) = storage_type`.

### convolution

| Label | Name  | Type   | Constraints        |
|-------|-------|--------|--------------------|
| (I1)  | `lhs` | tensor | (C1), (C3-4), (C9) |

* If something:
  * (C1) `a = b`.
  * (C3) `c` where (C7) is cited in words.
"""


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run: python -m tools.conformance"


def test_every_label_is_checked_and_has_a_failing_test() -> None:
    assert list(coverage.holes(exception_rules())) == []


@pytest.mark.parametrize("test", exception_rules().values())
def test_an_exception_has_a_test_of_its_own(test: str) -> None:
    path, _, name = test.partition("::")
    assert f"def {name}(" in (ROOT / path).read_text()


def test_an_exception_is_one() -> None:
    tested = coverage.test_files().labels
    assert not [rule for rule in exception_rules() if rule in tested]


@pytest.mark.parametrize("name", [n for n in OPERATIONS if n.startswith(("stablehlo.", "chlo."))])
def test_operation_has_examples_refused_programs_and_values(name: str) -> None:
    files = coverage.test_files()
    assert files.examples_of(name)
    if name.startswith("stablehlo.") and name != "stablehlo.return":
        assert files.refusals_of(name)
        assert coverage.is_computed_by(OPERATIONS[name]) != "structure"


def test_no_labels_are_made_up() -> None:
    for section in coverage.sections().values():
        if section.subject in OPERATIONS:
            kinds = "IC" if section.inputs else "C"  # the inputs of `not` have no numbers
            labels = coverage.checks(section)
            claimed = {label for label in labels if label[0] in kinds and label[1:].isdigit()}
            assert (section.name, claimed - {*section.labels}) == (section.name, set())


def test_labels_are_read_from_the_text() -> None:
    sections_read = spec_labels.sections(iter(SPECIFICATION.splitlines(keepends=True)))
    assert spec_labels.written(sections_read) == (
        "{\n"
        '"Quantized element types": {"inputs": {}, "constraints": ["C1"], "undefined": []},\n'
        '"convolution": {"inputs": {"I1": "lhs"}, "constraints": ["C1", "C3"], '
        '"undefined": ["C4", "C9"]}\n'
        "}\n"
    )


def takes(oracle: Oracle, text: str) -> bool:
    """Whether the oracle's verifier takes a program; one that ends it is not refused."""
    try:
        return not oracle.diagnostics(text)
    except OracleAborted:
        return True


@pytest.mark.standard
def test_rules_that_the_oracle_does_not_have_are_listed(oracle: Oracle) -> None:
    listed, rejected = (
        {rule for kind in kinds for entry in DIFFERENCES[kind] for rule in entry["rules"]}
        for kinds in (("warning", "stricter"), ("stricter",))
    )
    labels_of_conformance: set[str] = set()
    for case in coverage.refused_programs():
        if any(word in case for word in NEWER):
            continue
        if takes(oracle, case):
            labels_of_conformance.update(coverage.EXPECTED.findall(case))
            assert {diagnostic.rule for diagnostic in errors_of(case)} <= rejected
        else:
            assert errors_of(case)
    assert labels_of_conformance == listed


def errors_of(text: str) -> list[sm.Diagnostic]:
    """The errors of a program; warnings are left out."""
    try:
        diagnostics = sm.load(text).diagnostics()
    except sm.StablemateError as error:
        return list(error.diagnostics)
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]


@pytest.mark.parametrize(
    "program",
    [difference["program"] for difference in DIFFERENCES["looser"] if "program" in difference],
)
def test_what_the_oracle_refuses_is_taken(program: str, oracle: Oracle) -> None:
    assert sm.load(program).diagnostics() == []
    assert not takes(oracle, program)

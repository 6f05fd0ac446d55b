"""docs/artifacts.md is complete, and its rows are what both serializers still write."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.oracle.client import Oracle
from tests.properties.artifact_bytes import VERSIONS
from tests.properties.artifact_table import (
    EXCEPTIONS,
    PAGE,
    Table,
    exact_text,
    expected_versions,
    operations,
    shown,
    span_of,
    texts_of,
    types_and_attributes,
    written_programs,
)

UNEQUAL = ("differ", "only here", "only upstream")


def rows() -> Mapping[str, Mapping[str, str]]:
    """The rows of the page by their names, each by the names of its columns."""
    found: dict[str, dict[str, str]] = {}
    columns: list[str] = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] in ("operation", "type or attribute"):
            columns = cells
        elif line.startswith("| `"):
            found[cells[0].strip("`")] = dict(zip(columns, cells, strict=True))
    return found


def test_the_page_has_every_operation_type_and_attribute() -> None:
    expected = {*operations(), *map(shown, types_and_attributes())}
    assert set(rows()) == expected


def test_nothing_on_the_page_differs() -> None:
    wrong = [name for name, row in rows().items() if any(row[column] != "0" for column in UNEQUAL)]
    assert wrong == []


def test_both_write_each_operation_in_every_version_that_has_it() -> None:
    for name, row in rows().items():
        if name in EXCEPTIONS:
            assert row["versions"] == EXCEPTIONS[name]
        elif name in operations():
            assert row["versions"] == span_of(expected_versions(name)), name
        else:
            assert row["versions"].endswith(VERSIONS[-1]), name


@pytest.mark.standard
@pytest.mark.parametrize("name", ["stablehlo.all_gather", "stablehlo.compare", "stablehlo.tan"])
def test_artifacts_of_an_operation_are_equal_in_all_versions(name: str, oracle: Oracle) -> None:
    table = Table(oracle)
    table.compare(texts_of(name)[0])
    assert table.differences == []
    assert table.rows[name].versions == expected_versions(name)
    assert table.rows[name].outcomes["equal"] == len(expected_versions(name))
    assert table.read == {"equal": 1}


@pytest.mark.standard
def test_artifacts_of_types_and_attributes_are_equal(oracle: Oracle) -> None:
    table = Table(oracle)
    for text in [*written_programs()][::6]:
        table.compare(exact_text(text))
    assert table.differences == []
    assert table.total.outcomes["equal"] > 100

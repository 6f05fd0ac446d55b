"""``stablemate check --format=sarif``: the fields that SARIF 2.1.0 requires, and what they say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from stablemate.cli.verbs.inspect.sarif import semantic_version, uri_of
from tests.cli.test_check import BITCAST, INVALID

Invoke = Callable[..., Result]


def log_of(stablemate: Invoke, *arguments: object, code: int = 3) -> dict[str, Any]:
    """The log, after the checks that every log has to pass."""
    done = stablemate("check", "--format=sarif", "-q", *arguments)
    assert done.exit_code == code, done.output
    log: dict[str, Any] = json.loads(done.stdout)
    assert log["version"] == "2.1.0"  # 3.13.2
    (run,) = log["runs"]  # 3.13.4
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "stablemate"  # 3.19.8
    assert len({rule["id"] for rule in rules}) == len(rules)  # 3.19.23: unique
    for result in run["results"]:
        assert result["message"]["text"]  # 3.27.11
        assert result["level"] in ("none", "note", "warning", "error")  # 3.27.10
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]  # 3.27.6
    return log


def test_an_error_with_its_place(program: Callable[..., Path], stablemate: Invoke) -> None:
    file = program(INVALID, "invalid.mlir")
    (result,) = log_of(stablemate, file)["runs"][0]["results"]
    assert result["ruleId"] == "stablehlo.concatenate/C4"
    assert result["message"]["text"] == (
        "0 <= dimension < rank(inputs[0]) (dimension = 3, rank = 1)"
    )
    assert result["level"] == "error"
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": file.as_uri()},
        # "stablehlo.concatenate" has 21 characters; the end is the column after the last (3.30.8)
        "region": {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 29},
    }


@pytest.mark.parametrize(
    ("options", "level", "code"), [([], "warning", 0), (["--strict"], "error", 3)]
)
def test_levels(
    options: list[str], level: str, code: int, program: Callable[[str], Path], stablemate: Invoke
) -> None:
    log = log_of(stablemate, program(BITCAST), *options, code=code)
    assert [result["level"] for result in log["runs"][0]["results"]] == [level]


def test_a_rule_of_several_results_is_one_rule(
    program: Callable[..., Path], stablemate: Invoke
) -> None:
    files = [program(INVALID, f"{name}.mlir") for name in "ab"]
    (run,) = log_of(stablemate, *files)["runs"]
    assert len(run["results"]) == 2
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == "0 <= dimension < rank(inputs[0])"
    assert rule["help"]["text"] == (
        "0 <= dimension < rank(inputs[0])\nstablemate explain stablehlo.concatenate/C4"
    )
    assert rule["helpUri"] == "https://openxla.org/stablehlo/spec#concatenate"


def test_valid_and_unreadable_files(add: Path, tmp_path: Path, stablemate: Invoke) -> None:
    assert log_of(stablemate, add, code=0)["runs"][0]["results"] == []
    (result,) = log_of(stablemate, tmp_path / "none.mlir", code=2)["runs"][0]["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]


def test_a_place_in_a_binary_file_is_an_offset(tmp_path: Path, stablemate: Invoke) -> None:
    file = tmp_path / "cut.mlirbc"
    file.write_bytes(b"ML\xefR\x06")
    (result,) = log_of(stablemate, file)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["byteOffset"] >= 0


def test_addresses_and_versions() -> None:
    assert uri_of("a dir/x#1.mlir") == "a%20dir/x%231.mlir"
    assert uri_of("/a b/x.mlir") == "file:///a%20b/x.mlir"
    assert uri_of("-") == "stdin"
    assert semantic_version("0.2.0") == "0.2.0"
    assert semantic_version("0.2.1.dev3+g1a2b") == "0.2.1"
    assert semantic_version("0.1.dev5") == "0.1.0"

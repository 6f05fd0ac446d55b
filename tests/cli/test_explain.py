"""``stablemate explain``."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


def test_an_operation_with_an_example_that_is_run(stablemate: Invoke) -> None:
    done = stablemate("explain", "add")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("stablehlo.add (operation)\n\n  ")
    assert "\nRules\n  C1  " in done.stdout
    assert "\nResult\n  2x2xint32 = [[ 6 8] [10 12]]\n" in done.stdout
    assert "  HLO                 add\n" in done.stdout
    assert "\x1b[1mRules" in stablemate("explain", "add", "--color=always").stdout


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["dot_general", "C12"], "stablehlo.dot_general/C12 (rule)"),
        (["stablehlo.concatenate/C4"], "stablehlo.concatenate/C4 (rule)"),
        (["bounded", "dimension"], "bounded dimension (type)"),
        (["#stablehlo.gather"], "#stablehlo.gather (attribute)"),
        (["limits.nesting"], "limits.nesting (code)"),
    ],
)
def test_other_pages(stablemate: Invoke, words: list[str], title: str) -> None:
    done = stablemate("explain", *words)
    assert done.exit_code == 0
    assert done.stdout.startswith(title + "\n")


def test_a_page_for_machines(stablemate: Invoke) -> None:
    page = json.loads(stablemate("explain", "f8E4M3FN", "--format=json").stdout)
    assert (page["schema"], page["kind"], page["subject"]) == (1, "type", "f8E4M3FN")


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("consine", "did you mean cosine?"),
        ("dot_genral", "did you mean dot_general?"),
        ("f8e4", "did you mean f8E4M3 or f8E3M4?"),
        ("xyzzy", "stablemate explain without a subject lists all pages"),
    ],
)
def test_a_name_without_a_page(asked: str, near: str, stablemate: Invoke) -> None:
    """Suggestions are near, and no two of them are the same page."""
    done = stablemate("explain", asked)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"error: there is no page about {asked!r}; {near}\n"


def test_the_formula_of_a_rule_that_results_follow(stablemate: Invoke) -> None:
    assert stablemate("explain", "dot_general", "C12").stdout.startswith(
        "stablehlo.dot_general/C12 (rule)\n\n"
        "  shape(result) = dim(lhs, lhs_batching_dimensions) + dim(lhs, lhs_result_dimensions) + "
        "dim(rhs,\n  rhs_result_dimensions)\n"
    )


def test_the_index(stablemate: Invoke) -> None:
    done = stablemate("explain")
    assert done.exit_code == 0
    assert done.stdout.startswith("index (index)\n\n  Whatever is named here has a page; ")
    assert "\nOperations of StableHLO\n  abs, add, after_all, " in done.stdout
    assert len(done.stdout.splitlines()) < 50
    group = stablemate("explain", "index", "sdy").stdout
    assert "\nOperations of Shardy\n  all_gather, all_reduce, " in group

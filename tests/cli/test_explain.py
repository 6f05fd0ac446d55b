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
    assert "\x1b[1mRules" in stablemate("explain", "add", "--colour=always").stdout


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


def test_a_name_without_a_page(stablemate: Invoke) -> None:
    done = stablemate("explain", "consine")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: there is no page about 'consine'; did you mean cosine or container or sine?\n"
    )
    assert stablemate("explain").exit_code == 2

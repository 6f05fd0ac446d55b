"""``stablemate nan``: message, JSON, exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.analysis.test_find_nan import PLANTED
from tests.cli.terminal import in_terminal
from tests.execution.test_observers import FAILING

Invoke = Callable[..., Result]


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_finding_has_exit_code_1(
    backend: str, program: Callable[[str], Path], stablemate: Invoke
) -> None:
    path = program(PLANTED)
    arguments = ("--input=[9 3.5 9 9]", "--input=6", f"--backend={backend}")
    done = stablemate("nan", path, *arguments)
    assert done.exit_code == 1, done.output
    assert done.stdout.startswith(f"{path}:3:8: error: stablehlo.log: the first NaN\n")
    assert "note: in @main > while body[3] > @f" in done.stdout
    document = json.loads(stablemate("nan", path, *arguments, "--format=json").stdout)
    finding = document["finding"]
    assert (finding["kind"], finding["born"], finding["index"]) == ("nan", True, [1])
    assert finding["operation"]["line"] == 3
    assert finding["path"] == "@main > while body[3] > @f"


def test_no_finding_has_exit_code_0(program: Callable[[str], Path], stablemate: Invoke) -> None:
    done = stablemate("nan", program(PLANTED), "--input=9", "--input=6")
    assert (done.exit_code, done.stdout) == (0, "no NaN or infinity\n")


def test_a_failing_run_has_exit_code_4(program: Callable[[str], Path], stablemate: Invoke) -> None:
    done = stablemate("nan", program(FAILING), "--input=1")
    assert done.exit_code == 4


def test_colors_are_for_terminals(program: Callable[[str], Path]) -> None:
    arguments = ("nan", str(program(PLANTED)), "--input=nan", "--input=1")
    code, text = in_terminal(*arguments)
    assert code == 1
    assert "\x1b[1;31merror" in text
    code, text = in_terminal(*arguments, environment={"NO_COLOR": "1"})
    assert "\x1b[1" not in text

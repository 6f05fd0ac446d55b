"""``stablemate trace``: the table, JSON, files, filters; in a terminal and without colors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import stablemate as sm
from tests.cli.terminal import in_terminal
from tests.execution.test_observers import FAILING, LOOP

Invoke = Callable[..., Result]
ARGUMENTS = ("--input=2xf32=[2 3]", "--input=i32=2")


def test_the_table_has_a_row_a_result(program: Callable[[str], Path], stablemate: Invoke) -> None:
    done = stablemate("trace", program(LOOP), *ARGUMENTS, "--op=mul*")
    assert done.exit_code == 0, done.output
    title, head, *rows = done.stdout.splitlines()
    assert title == "main: 2 events, by cpu"
    assert head.split() == ["where", "operation", "type", "min", "max", "mean", "std", "notes"]
    assert rows[1].split("  ")[0] == "@main > while body[1]"
    assert "stablehlo.multiply:11" in rows[1]
    assert rows[1].split()[-4:] == ["16", "81", "48.5", "32.5"]


def test_json_and_files(program: Callable[[str], Path], stablemate: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    done = stablemate(
        "trace", program(LOOP), *ARGUMENTS, "--backend=interpreter", "--where=max > 50",
        "--keep=*", f"--save={path}", "--format=json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert [event["occurrence"] for event in document["events"]] == [1, 0]
    loaded = sm.load_trace(path)
    assert loaded.backend == "interpreter"
    array = loaded[0].results[0].array
    assert array is not None
    assert array.tolist() == [16.0, 81.0]


def test_a_run_that_fails_prints_the_trace_up_to_there(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    done = stablemate("trace", program(FAILING), "--input=2xf32=1")
    assert done.exit_code == 4
    assert "stablehlo.negate" in done.stdout
    assert "the run failed in @main > while body[0]" in done.stdout
    assert "check.expect_eq_const" in done.stderr


def test_mistakes_are_misuse(program: Callable[[str], Path], stablemate: Invoke) -> None:
    assert stablemate("trace", program(LOOP), *ARGUMENTS, "--where=max >").exit_code == 2
    assert stablemate("trace", program(LOOP)).exit_code == 2
    assert stablemate("trace", program("what")).exit_code == 3


@pytest.mark.standard
def test_colors_are_for_terminals(program: Callable[[str], Path]) -> None:
    arguments = ("trace", str(program(LOOP)), "--input=2xf32=[inf 3]", "--input=i32=1")
    code, text = in_terminal(*arguments)
    assert code == 0
    assert "\x1b[31m" in text
    code, text = in_terminal(*arguments, environment={"NO_COLOR": "1"})
    assert code == 0
    assert "\x1b[3" not in text
    assert "1 inf" in text

"""The debugger: stepping, stopping, looking; what it says is what stands in the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from tests.analysis.test_find_nan import PLANTED
from tests.execution.test_observers import DECOMPOSED, FAILING, SUM


def debugged(text: str, *arguments: Any, commands: str, **options: Any) -> tuple[list[str], Any]:
    """What the debugger writes when it is told this, a command on each line; and what it gives."""
    pending = iter(commands.splitlines())
    lines: list[str] = []

    def write(text: str) -> None:
        lines.extend(text.splitlines())

    module = sm.load(text, name="p.mlir")
    debug_result = sm.debug(
        module, *arguments, read=lambda: next(pending, None), write=write, **options
    )
    return lines, debug_result


def planted(commands: str) -> list[str]:
    """The same for a program whose loop runs four times; x is [9, 4.5, 9, 9]."""
    x = np.array([9, 4.5, 9, 9], np.float32)
    return debugged(PLANTED, x, np.int32(4), commands=commands)[0]


def test_steps_go_into_loops_and_calls() -> None:
    lines = planted("step 5\nstep\n\nquit")
    assert lines == [
        "@main begins",
        "@main > while body[0] > @f: stablehlo.log at p.mlir:3:8",
        "  %0: tensor<4xf32> [1.2528, 2.0794]",
        "@main > while body[0]: func.call at p.mlir:19:10",
        "  %u: tensor<4xf32> [1.2528, 2.0794]",
        "@main > while condition[1]: stablehlo.compare at p.mlir:14:10",
        "  %p: tensor<i1> = True",
    ]


def test_next_stays_in_its_block_and_finish_leaves_it() -> None:
    lines = planted("next\nnext\nquit")
    assert lines[1:4] == [
        "@main: stablehlo.negate at p.mlir:11:13",
        "  %unused: tensor<4xf32> 4 NaN",
        "@main: stablehlo.while at p.mlir:12:10",
    ]
    lines = planted("break log\ncontinue\nfinish\nfinish\nquit")
    paths = [line for line in lines if line.startswith("@main")]
    assert paths[1:] == [
        "@main > while body[0] > @f: stablehlo.log at p.mlir:3:8",
        "@main > while body[0]: func.call at p.mlir:19:10",
        "@main > while body[1] > @f: stablehlo.log at p.mlir:3:8",
    ]


@pytest.mark.parametrize(
    ("breakpoint_text", "iterations"),
    [
        ("3", [0, 1, 2, 3]),
        ("log", [0, 1, 2, 3]),
        ("stablehlo.l*", [0, 1, 2, 3]),
        ("log if iteration == 2", [2]),
        ("3 if min < 1 and max > 0", [1, 2, 3]),
        ("log if occurrence >= 2", [2, 3]),
        ("%b if %b < 3 and %j > 1", [1, 2, 3]),
        ("if min == 40.0", []),
    ],
)
def test_breakpoints(breakpoint_text: str, iterations: list[int]) -> None:
    """After n iterations the least element is 4.5 - n, its logarithm 1.25, 0.92, 0.41, -0.69."""
    lines = planted(f"break {breakpoint_text}\n" + "continue\n" * 5)
    stops = [line for line in lines if line.startswith("@main > while body")]
    assert [int(line.partition("body[")[2][0]) for line in stops] == iterations
    assert lines[-1] == "the run has ended"


def test_values_are_printed_by_their_names_in_the_text() -> None:
    lines = planted("break 3 if iteration == 1\nc\nprint %x\nup\np %b[1:3]\np c[0]\np %a\np %n\nq")
    line = lines[lines.index("@main > while body[1]") - 2 :]
    assert line == [
        "%x: tensor<4xf32>",
        "[7.  2.5 7.  7. ]",
        "@main > while body[1]",
        "%b: tensor<2xf32>",
        "[2.5 7. ]",
        "%c: tensor<f32>",
        "1.0",
        "%a: tensor<4xf32>",
        "[8.  3.5 8.  8. ]",
        "%n: tensor<i32>",
        "4",
    ]


def test_where_list_and_statistics() -> None:
    lines = planted("b 3\nc\nwhere\nlist\nstats %x\nup\nlist 2\nstats\nq")
    assert "* 0 @f p.mlir:19:10, after %0 = stablehlo.log at p.mlir:3:8" in lines
    assert "  1 while body[0] p.mlir:12:10" in lines
    assert "  2 @main p.mlir:6:1" in lines
    (marked,) = [line for line in lines if line.startswith(">   3")]
    assert "stablehlo.log %x" in marked
    assert any(line.startswith("count 4, nans 0") and "min 3.5, max 8.0" in line for line in lines)
    assert "%j: tensor<i32> = 1" in lines


def test_mistakes_are_said_and_nothing_is_lost() -> None:
    commands = (
        "foo\nbreak\nbreak 999\nbreak add if max >\nprint\nprint %zz\nstep x\ndelete 7\nup\nc"
    )
    lines = planted(commands)
    assert lines[1:-1] == [
        "no command is called 'foo'; help lists them",
        "break where? At a line, an operation (add, dot*, %x), or if ...",
        "no operation is at '999'",
        "'max >' is no condition: write such as 'max > 1e3'",
        "print what? A value such as %x, or %x[0, 1:3]",
        "nothing that has been computed here is called %zz",
        "how often is 'x'?",
        "no breakpoint has the number 7",
        "there is no block around",
    ]
    assert lines[-1] == "the run has ended"


def test_it_gives_the_results_unless_it_is_quit() -> None:
    x = np.array([9, 9, 9, 9], np.float32)
    _, told_result = debugged(PLANTED, x, np.int32(2), commands="continue")
    np.testing.assert_allclose(told_result, np.log(np.full(4, 7.0)), rtol=1e-6)
    assert debugged(PLANTED, x, np.int32(2), commands="quit")[1] is None
    assert debugged(PLANTED, x, np.int32(2), commands="")[1] is None


def test_a_run_that_fails_can_be_looked_at() -> None:
    lines: list[str] = []
    pending = iter(["continue", "print %b", "where", "step", "quit"])
    with pytest.raises(sm.EvaluationError):
        sm.debug(
            sm.load(FAILING), np.ones(2, np.float32),
            read=lambda: next(pending, None), write=lambda text: lines.extend(text.splitlines()),
        )  # fmt: skip
    assert "in @main > while body[0]; where, print, list and quit still work" in lines
    assert lines[lines.index("%b: tensor<2xf32>") + 1] == "[-2. -2.]"
    assert lines[-1] == "the run has failed: it cannot go on"


def test_what_is_legalized_is_one_operation() -> None:
    lines, _ = debugged(DECOMPOSED, np.array([0, 2], np.float32), commands="step\nstep\nq")
    assert [line.partition(": ")[2].partition(" at")[0] for line in lines[1::2]] == [
        "chlo.square",
        "chlo.sinh",
    ]


def test_processes_are_told_apart() -> None:
    arguments = [np.float32(1), np.float32(2)]
    lines, told_result = debugged(SUM, arguments, grid=(2, 1), commands="break 8\nc\nc\nc")
    assert told_result == [4.0, 5.0]
    stops = [line.partition(":")[0] for line in lines if "main: stablehlo.add at" in line]
    assert sorted(stops) == ["(1,0) @main", "@main"]

"""``stablemate dbg``: through a pipe, with commands of options, in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from tests.analysis.test_find_nan import PLANTED
from tests.cli.terminal import in_terminal
from tests.execution.test_observers import FAILING

Invoke = Callable[..., Result]
ARGUMENTS = ("--input=[9 4.5 9 9]", "--input=4")


def test_commands_come_through_a_pipe(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program(PLANTED)
    done = stablemate("dbg", path, *ARGUMENTS, stdin="b log if min < 0\ncontinue\np %x[1]\n")
    assert done.exit_code == 0, done.output
    assert "(dbg) continue\nbreakpoint 1: log if min < 0\n" in done.stdout
    assert f"@main > while body[3] > @f: stablehlo.log at {path}:3:8" in done.stdout
    assert done.stdout.endswith("(dbg) p %x[1]\n%x: tensor<f32>\n0.5\n")


def test_commands_come_from_options_and_files(
    program: Callable[[str], Path], stablemate: Invoke, tmp_path: Path
) -> None:
    script = tmp_path / "script"
    script.write_text("continue\nprint %b\n")
    done = stablemate("dbg", program(PLANTED), *ARGUMENTS, "-x", "break 18", "-x", f"@{script}")
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("(dbg) print %b\n%b: tensor<4xf32>\n[8.  3.5 8.  8. ]\n")
    assert stablemate("dbg", program(PLANTED), *ARGUMENTS, "-x", "@no").exit_code == 2


def test_a_run_that_fails_has_exit_code_4(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    done = stablemate("dbg", program(FAILING), "--input=1", "-x", "continue", "-x", "print %b")
    assert done.exit_code == 4
    assert "[-2. -2.]" in done.stdout


def test_in_a_terminal_it_asks(program: Callable[[str], Path]) -> None:
    arguments = ("dbg", str(program(PLANTED)), *ARGUMENTS)
    code, text = in_terminal(*arguments, typed="break log\ncontinue\nwhere\nquit\n")
    assert code == 0, text
    assert "(dbg) " in text
    assert "while body[0]" in text


def test_only_the_interpreter_is_debugged(
    program: Callable[[str], Path], stablemate: Invoke
) -> None:
    done = stablemate("dbg", program(PLANTED), *ARGUMENTS, "--backend=cpu")
    assert done.exit_code == 2

"""Progress: what is said, where it is shown, and who reports steps."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

import click
import numpy as np
import pytest
from click.testing import CliRunner

import stablemate as sm
from stablemate.cli import main
from stablemate.cli.output import progress as module
from stablemate.cli.output.progress import ProgressDisplay, duration, progress
from stablemate.diagnostics.progress import WorkStep, listen_to, report_step, with_progress
from tests.cli.terminal import in_terminal


class TwoPictures(Event):
    """An event that is set while the second picture is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = iter([False, False, True])

    def wait(self, timeout: float | None = None) -> bool:
        return next(self.answers)


def test_it_is_drawn_and_erased(capsys: pytest.CaptureFixture[str]) -> None:
    ProgressDisplay("running main").show(TwoPictures())
    written = capsys.readouterr().err
    assert written == "\r\x1b[K| running main, 0 s\r\x1b[K/ running main, 0 s\r\x1b[K"


def test_what_is_printed_meanwhile_has_the_screen_to_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    display = ProgressDisplay("checking")

    class Printing(TwoPictures):
        """The event of ``show``; something is printed while the first picture is on the screen."""

        def wait(self, timeout: float | None = None) -> bool:
            if display.is_drawn:
                with display.aside():
                    print("found", file=sys.stderr)
            return super().wait(timeout)

    display.show(Printing())
    first, second, _ = capsys.readouterr().err.split("found\n")
    assert first == "\r\x1b[K| checking, 0 s\r\x1b[K"
    assert second == "\r\x1b[K/ checking, 0 s\r\x1b[K"


def test_it_says_what_is_done_of_what(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    display = ProgressDisplay("bisecting")
    display.note(WorkStep("step", 1, 9, is_estimate=True))
    assert display.text(102) == "bisecting: step 1 of about 9, 2 s"
    display.note(WorkStep("step", 3, 9, is_estimate=True))
    assert display.text(105) == "bisecting: step 3 of about 9, 5 s, about 14 s left"
    display.note(WorkStep("kernel", 1, 4))
    assert display.text(1000) == "bisecting: kernel 1 of 4, 15 min"
    assert [duration(119.4), duration(120)] == ["119 s", "2 min"]


def test_steps_reach_who_listens() -> None:
    steps: list[str] = []
    with listen_to(lambda step: steps.append(str(step))):
        assert list(with_progress("ab", "file")) == ["a", "b"]
        report_step("step", 2, 3, is_estimate=True)
    report_step("step", 3, 3)
    assert steps == ["file 1 of 2", "file 2 of 2", "step 2 of about 3"]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A terminal, and what is shown in it."""
    shown: list[str] = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(ProgressDisplay, "show", lambda self, done: shown.append(self.what))
    return shown


def test_it_is_shown_in_terminals_alone(
    terminal: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def work() -> None:
        with progress("working"):
            pass

    work()
    assert terminal == ["working"]
    monkeypatch.setenv("TERM", "dumb")
    work()
    monkeypatch.setenv("TERM", "xterm")
    with click.Context(click.Command("x")) as context:
        context.params["output_format"] = "json"
        work()
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    work()
    assert terminal == ["working"]


def steps_of(work: Callable[[], object]) -> list[str]:
    """The steps that some work reports."""
    steps: list[str] = []
    with listen_to(lambda step: steps.append(str(step))):
        work()
    return steps


def test_the_compiler_reports_kernels() -> None:
    program = sm.parse("""func.func @main(%x: tensor<5x7xf32>) -> (tensor<5xf32>, tensor<7xf32>) {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
      %1 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0]
        : (tensor<5x7xf32>, tensor<f32>) -> tensor<7xf32>
      return %0, %1 : tensor<5xf32>, tensor<7xf32>
    }""")
    steps = steps_of(lambda: sm.compile(program).emit("llvm"))
    assert steps[:2] == ["kernel 1 of 2", "kernel 2 of 2"]


def test_bisection_reports_steps() -> None:
    lines = [f"  %{i + 1} = stablehlo.negate %{i} : tensor<2xf32>" for i in range(8)]
    text = "\n".join(["func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {", *lines])
    a = f"{text}\n  return %8 : tensor<2xf32>\n}}"
    b = a.replace("%5 = stablehlo.negate", "%5 = stablehlo.abs")
    x = np.array([1, 2], np.float32)
    steps = steps_of(lambda: sm.bisect(sm.parse(a), x, other=sm.parse(b)))
    assert [step for step in steps if step.startswith("step")] == [
        "step 1 of about 3", "step 2 of about 3", "step 3 of about 3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [
        (["check", "{}"], ["file 1 of 3", "file 2 of 3", "file 3 of 3"]),
        (["fingerprint", "{}/a.mlir", "{}/b.mlir"], ["file 1 of 2", "file 2 of 2"]),
        (["fmt", "--check", "{}/a.mlir", "{}/b.mlir"], ["file 1 of 2", "file 2 of 2"]),
        (["dump", "{}"], ["module 1 of 3", "module 2 of 3", "module 3 of 3"]),
        (
            ["run", "{}/a.mlir", "--input=1", "--repeat=2", "--backend=interpreter"],
            ["repetition 1 of 2", "repetition 2 of 2"],
        ),
        (["run", "{}/a.mlir", "--input=1", "--backend=interpreter"], []),
    ],
)
def test_commands_report_what_they_count(
    arguments: list[str], steps: list[str], tmp_path: Path
) -> None:
    for name in "abc":
        text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
        (tmp_path / f"{name}.mlir").write_text(text)
    words = [word.format(tmp_path) for word in arguments]
    assert steps_of(lambda: CliRunner().invoke(main, words)) == steps


@pytest.mark.standard
def test_a_long_run_shows_it_in_a_terminal(tmp_path: Path) -> None:
    program = tmp_path / "long.mlir"
    program.write_text("""
func.func @main(%n: tensor<i32>, %x: tensor<300x300xf64>) -> tensor<300x300xf64> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %z, %y = %x) : tensor<i32>, tensor<300x300xf64>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.tanh %y : tensor<300x300xf64>
    stablehlo.return %j, %t : tensor<i32>, tensor<300x300xf64>
  }
  return %r#1 : tensor<300x300xf64>
}""")
    arguments = ["run", str(program), "--input=40000", "--input=random:0", "--backend=interpreter"]
    code, said = in_terminal(*arguments)
    assert code == 0
    assert re.search(r"\r\x1b\[K. running main, \d+ s", said), said
    code, said = in_terminal(*arguments, "--format=json")
    assert (code, "running" in said) == (0, False)

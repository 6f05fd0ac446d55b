"""``stablemate reduce``: commands end with the reduced program as they do with the whole one."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import stablemate as sm
from tests.cli.conftest import Invoke

PROGRAM = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xbf16>) -> (tensor<4x8xf32>, tensor<8x8xbf16>) {
  %0 = stablehlo.tanh %x : tensor<4x8xf32>
  %1 = stablehlo.add %0, %x : tensor<4x8xf32>
  %2 = stablehlo.exponential %1 : tensor<4x8xf32>
  %3 = stablehlo.exponential %w : tensor<8x8xbf16>
  %4 = stablehlo.multiply %3, %w : tensor<8x8xbf16>
  return %2, %4 : tensor<4x8xf32>, tensor<8x8xbf16>
}
"""
PYTHON = shlex.quote(sys.executable)
RUN = f"{PYTHON} -m stablemate run --backend=interpreter"


@pytest.fixture
def faulty(program: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program; the working directory is its own."""
    path = program(PROGRAM)
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("PYTHONPATH", str(Path(sm.__file__).parents[1]))
    return path


def test_a_command_that_finds_something(stablemate: Invoke, faulty: Path) -> None:
    completed = stablemate("reduce", faulty, "--check", "! grep -q multiply {}", "-o", "small.mlir")
    assert completed.exit_code == 0, completed.output
    assert completed.stdout.startswith("1 operation of 5, after ")
    text = (faulty.parent / "small.mlir").read_text()
    assert text.count("stablehlo.") == 1
    assert "loc(" not in text
    assert not (faulty.parent / "small.npz").exists()


@pytest.mark.standard
def test_inputs_come_along(stablemate: Invoke, faulty: Path) -> None:
    """The reduced program and its inputs are what ``run`` takes."""
    command = f"{RUN} {{}} {{inputs}} >/dev/null && grep -q multiply {{}}"
    completed = stablemate("reduce", faulty, "--check", command, "--random-seed=3", "--format=json")
    assert completed.exit_code == 0, completed.output
    report = json.loads(completed.stdout)
    assert report["program"] == "program.reduced.mlir"
    assert report["inputs"] == "program.reduced.npz"
    assert (report["operations"], report["operations_before"]) == (1, 5)
    with np.load("program.reduced.npz") as arrays:
        inputs = [f"--input=@program.reduced.npz:{name}" for name in arrays]
    assert len(inputs) == 2
    assert stablemate("run", report["program"], *inputs).exit_code == 0


def test_what_the_output_says(stablemate: Invoke, faulty: Path) -> None:
    command = "cat {}; exit 3"
    completed = stablemate(
        "reduce", faulty, "--check", command, "--match", r"exponential %\w+ : .*bf16"
    )
    assert completed.exit_code == 0, completed.output
    assert Path("program.reduced.mlir").read_text().count("stablehlo.") == 1


def test_a_signal_and_a_command_that_does_not_end(stablemate: Invoke, faulty: Path) -> None:
    killed = "if grep -q tanh {}; then kill -ABRT $$; fi"
    assert stablemate("reduce", faulty, "--check", killed).exit_code == 0
    assert "tanh" in Path("program.reduced.mlir").read_text()
    endless = "if grep -q add {}; then sleep 100; fi"
    completed = stablemate("reduce", faulty, "--check", endless, "--timeout=1")
    assert completed.exit_code == 0, completed.output
    assert "stablehlo.add" in Path("program.reduced.mlir").read_text()


def test_the_program_may_go_to_stdout(stablemate: Invoke, faulty: Path) -> None:
    completed = stablemate("reduce", faulty, "--check", "grep -q tanh", "-o", "-")
    assert "stablehlo.tanh" in completed.stdout
    assert completed.stderr.startswith("1 operation of 5")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--check", ""], "the command of --check is empty"),
        (["--check", "echo {inputs}"], "argument 0 (%arg0) of main is missing"),
        (["--check", "true", "--match", "x"], "the output of the command does not match 'x'"),
        (["--check", "true", "-o", "missing/x.mlir"], "there is no directory"),
    ],
)
def test_wrong_usage(stablemate: Invoke, faulty: Path, arguments: list[str], message: str) -> None:
    completed = stablemate("reduce", faulty, *arguments)
    assert completed.exit_code == 2
    assert message in completed.stderr

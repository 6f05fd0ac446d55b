"""``stablemate run`` of several files: a program for each process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tests.cli.conftest import Invoke
from tests.execution.test_multiple_programs import FIRST, SECOND

LAUNCHER: Final = Path(sys.executable).parent / "mpiexec"
INPUTS: Final = ("--input=[1 2]", "--input=[1 2]", "--input=10")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The programs of two processes."""
    places = [tmp_path / "a.mlir", tmp_path / "b.mlir"]
    for place, text in zip(places, (FIRST, SECOND), strict=True):
        place.write_text(text)
    return list(map(str, places))


@pytest.mark.parametrize("grid", [(), ("--grid=1x2",)])
def test_inputs_and_results_are_those_of_one_program_after_the_other(
    stablemate: Invoke, files: list[str], grid: tuple[str, ...]
) -> None:
    result = stablemate("run", *files, *grid, *INPUTS)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "process (0,0):\n2xf32=21 32\nprocess (0,1):\n2xf32=21 32\n2xf32=11 22\n"
    )


def test_ranks_of_mpi_run_programs_of_their_own(files: list[str], tmp_path: Path) -> None:
    command = [str(LAUNCHER), "-n", "2", sys.executable, "-m", "stablemate", "run", *files]
    command += ["--grid=1x2", f"--output=@{tmp_path}/y.{{process}}.npy", *INPUTS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    for i in range(2):
        np.testing.assert_array_equal(np.load(tmp_path / f"y.{i}.npy"), [21, 32])


def test_programs_that_do_not_meet_are_named_with_their_files(
    stablemate: Invoke, files: list[str]
) -> None:
    Path(files[1]).write_text(SECOND.replace("add %a, %b", "maximum %a, %b", 1))
    result = stablemate("run", *files, *INPUTS)
    assert result.exit_code == 4
    assert "(0,0) waits at all_reduce" in result.stderr
    assert "a.mlir:3:8" in result.stderr
    assert "b.mlir:6:8" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--grid=1x3"], "2 programs for a grid 1x3: one for each process, or for each partition"),
        (["--gather"], "several programs have no --gather"),
        (["--input=1"] * 4, "3 values in all processes, but 4 are given"),
    ],
)
def test_what_does_not_fit_is_refused(
    stablemate: Invoke, files: list[str], options: list[str], message: str
) -> None:
    result = stablemate("run", *files, *options)
    assert result.exit_code == 2
    assert message in result.stderr

"""Grids of MPI ranks: the bits of lock-step, and an end where nothing can go on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final
from uuid import uuid4

import numpy as np
import pytest

ROOT: Final = Path(__file__).parents[2]
LIMIT: Final = 300  # seconds
LAUNCHER: Final = Path(sys.executable).parent / "mpiexec"


def launched(ranks: int, *command: str) -> subprocess.CompletedProcess[str]:
    """A job of so many ranks, run to its end."""
    return subprocess.run(
        [str(LAUNCHER), "-n", str(ranks), sys.executable, *command],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        cwd=ROOT,
        check=False,
    )


@pytest.mark.parametrize(("ranks", "per_rank"), [(2, 1), (4, 1), (2, 2)])
@pytest.mark.parametrize("what", ["collectives", "large", "orders", "failures", "peers", "beside"])
def test_ranks_do_as_lockstep_does(ranks: int, per_rank: int, what: str) -> None:
    done = launched(ranks, "-m", "tests.execution.ranks", str(per_rank), what)
    replace_result = done.stdout.replace("\n", "")  # of ranks that speak at the same time
    assert (done.returncode, replace_result) == (0, "ok" * ranks), done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [2, 3])
def test_processes_may_be_on_any_ranks(ranks: int) -> None:
    done = launched(ranks, "-m", "tests.execution.ranks", "1", "placements")
    outcome = done.stdout.replace("\n", "")
    assert (done.returncode, outcome) == (0, "ok" * ranks), done.stdout + done.stderr


def test_a_smaller_grid_is_rejected() -> None:
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    program = (
        "import stablemate as sm\n"
        f"try: sm.run_grid('''{text}\n''', (1.0,), replicas=1, carrier='mpi')\n"
        "except sm.ArgumentError as error: print(error)"
    )
    done = launched(2, "-c", program)
    assert done.stdout.count("a grid 1x1 has 1 processes, but there are 2 ranks") == 2


SUMMED: Final = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""


def test_the_command_line_runs_a_grid_of_ranks(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(SUMMED)
    inputs = [np.array([1, 2, 3], np.float32), np.array([10, 20, 30], np.float32)]
    for i, array in enumerate(inputs):
        np.save(tmp_path / f"x.{i}.npy", array)
    arguments = [
        *("-m", "stablemate", "run", "--grid=2x1", "--backend=interpreter"),
        str(tmp_path / "m.mlir"),
        f"--input=@{tmp_path}/x.{{process}}.npy",
        f"--output=@{tmp_path}/y.{{replica}}.npy",
    ]
    done = launched(2, *arguments)
    assert done.returncode == 0, done.stderr
    for i in range(2):
        np.testing.assert_array_equal(np.load(tmp_path / f"y.{i}.npy"), inputs[0] + inputs[1])


def test_a_rank_that_fails_before_it_runs_ends_the_job(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(SUMMED)
    np.save(tmp_path / "x.0.npy", np.zeros(3, np.float32))
    arguments = [
        *("-m", "stablemate", "run", "--grid=2x1", "--backend=interpreter"),
        str(tmp_path / "m.mlir"),
        f"--input=@{tmp_path}/x.{{process}}.npy",
    ]
    done = launched(2, *arguments)
    assert done.returncode != 0
    assert "rank 1: error: cannot read" in done.stderr


ENDS: Final = {
    "killed": ["rank 1 was killed; its last operation: all_reduce (<text>:2:8)"],
    "killed early": ["rank 1 was killed; its last operation: none"],
    "raises": [
        "rank 1: Traceback",
        "stablehlo.custom_call @unlucky: the target raised RuntimeError: bad luck",
        "in process (1,0)",
    ],
    "refuses": ["rank 1: Traceback", "<text>:7:8: error: stablehlo.custom_call: no luck today"],
    "raises early": ["rank 1: Traceback", "RuntimeError: bad luck"],
    "leaves": [
        "process (1,0) does not run: its program has come to its end",
        "(0,0) waits at all_reduce (<text>:2:8) for",
    ],
}


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("how", ENDS)
def test_a_rank_that_fails_ends_the_job(ranks: int, how: str) -> None:
    mark = f"mark-{uuid4()}"
    done = launched(ranks, "-m", "tests.execution.failing_job", how, "cpu", mark)
    assert done.returncode != 0
    assert "no end" not in done.stdout
    assert [end for end in ENDS[how] if end not in done.stderr] == [], done.stderr
    assert processes_with(mark) == []


@pytest.mark.standard
@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("how", ["stopped", "stopped early"])
def test_a_rank_that_is_stopped_is_named_and_the_job_goes_on(how: str, backend: str) -> None:
    done = launched(2, "-m", "tests.execution.failing_job", how, backend)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("no end") == 2
    operation = "none" if how == "stopped early" else re.escape("all_reduce (<text>:2:8)")
    message = (
        rf"rank 1 \(process (\d+)\) has been stopped for 10 s; its last operation: {operation}; "
        r"the job waits for it: continue it with kill -CONT \1\n"
    )
    assert re.fullmatch(message, done.stderr), done.stderr


def processes_with(mark: str) -> list[str]:
    """The processes that still run and have a word in their commands."""
    collected: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has just ended
            continue
        if mark in command:
            collected.append(command)
    return collected

"""``stablemate run --grid``: a program as all processes of a grid."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Invoke

SUM = """
func.func @main(%x: tensor<2xf32>, %y: tensor<f32>) -> (tensor<2xf32>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.replica_id : tensor<ui32>
  return %0, %1 : tensor<2xf32>, tensor<ui32>
}
"""
INPUTS = ("--input=[1 2]", "--input=0", "--input=[10 20]", "--input=1")


@pytest.fixture
def sums(program: Callable[[str], Path]) -> Path:
    """The program."""
    return program(SUM)


def test_inputs_and_results_are_those_of_one_process_after_the_other(
    stablemate: Invoke, sums: Path
) -> None:
    result = stablemate("run", sums, "--grid=2x1", *INPUTS)
    assert (result.exit_code, result.stdout) == (
        0,
        "process (0,0):\n2xf32=11 22\nui32=0\nprocess (1,0):\n2xf32=11 22\nui32=1\n",
    )


def test_inputs_of_one_process_are_those_of_all(stablemate: Invoke, sums: Path) -> None:
    result = stablemate("run", sums, "--grid=2x1", "--input=[1 2]", "--input=0")
    assert result.stdout.count("2xf32=2 4\n") == 2


def test_inputs_that_are_made_up_differ(stablemate: Invoke, sums: Path) -> None:
    first = stablemate("run", sums, "--grid=2x1", "--random-seed=0")
    second = stablemate("run", sums, "--grid=2x1", "--random-seed=0", "--input=random:0")
    assert first.exit_code == second.exit_code == 0
    assert first.stdout != second.stdout


def test_expected_values_of_one_process_are_those_of_all(stablemate: Invoke, sums: Path) -> None:
    result = stablemate(
        "run", sums, "--grid=2x1", *INPUTS, "--expected=[11 22]", "--expected=1", "--ulp=0"
    )
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "process (0,0):",
        "result 0: matches",
        "result 1: 1 of 1 elements differ, at most 1 ulp, 1 absolute, 1 relative",
        *result.stdout.splitlines()[3:5],
        "process (1,0):",
        "result 0: matches",
        "result 1: matches",
    ]


def test_outputs_are_written(stablemate: Invoke, sums: Path, tmp_path: Path) -> None:
    places = [tmp_path / f"{i}.npy" for i in range(4)]
    outputs = [f"--output=@{place}" for place in places]
    result = stablemate("run", sums, "--grid=2x1", *INPUTS, *outputs)
    assert (result.exit_code, result.stdout) == (0, "")
    assert [np.load(place).tolist() for place in places] == [[11, 22], 0, [11, 22], 1]


def test_json_says_whose_result_it_is(stablemate: Invoke, sums: Path) -> None:
    result = stablemate("run", sums, "--grid=2x1", *INPUTS, "--format=json")
    entries = json.loads(result.stdout)["results"]
    assert [entry["process"] for entry in entries] == [[0, 0], [0, 0], [1, 0], [1, 0]]
    assert [entry["data"] for entry in entries] == [[11, 22], 0, [11, 22], 1]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--grid=2", "expected replicas and partitions such as 2x4, not '2'"),
        ("--grid=0x1", "not '0x1'"),
    ],
)
def test_what_does_not_fit_is_refused(
    stablemate: Invoke, sums: Path, option: str, message: str
) -> None:
    result = stablemate("run", sums, option, *INPUTS)
    assert result.exit_code == 2
    assert message in result.stderr


def test_too_many_inputs(stablemate: Invoke, sums: Path) -> None:
    result = stablemate("run", sums, "--grid=2x1", *INPUTS, "--input=1")
    assert result.exit_code == 2
    assert "main takes 2 arguments, not 5 in each of 2 processes" in result.stderr


def test_a_deadlock_says_who_waits_where(
    stablemate: Invoke, program: Callable[[str], Path]
) -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %i = stablehlo.replica_id : tensor<ui32>
  %p = stablehlo.convert %i : (tensor<ui32>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %1 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[0, 1]> : tensor<2xi64>}>
      : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    path = program(text)
    result = stablemate("run", path, "--grid=2x1", "--input=1")
    assert result.exit_code == 4
    assert f"note: (0,0) waits at cross-replica-sum ({path}:7:10) for (1,0)" in result.stderr
    assert "note: (1,0) has ended" in result.stderr


def test_probes_are_written(
    stablemate: Invoke, program: Callable[[str], Path], tmp_path: Path
) -> None:
    text = """func.func @main(%x: tensor<f32>) {
  %0 = interpreter.probe %x, probe_id = "x" : tensor<f32>
  return
}
"""
    for grid, records in (((), 1), (("--grid=1x2",), 2)):
        place = tmp_path / f"probes{records}"
        result = stablemate("run", program(text), "--input=3", f"--probe-dir={place}", *grid)
        assert (result.exit_code, result.stderr) == (0, "")
        assert len((place / "index.csv").read_text().splitlines()) == records
        assert np.load(place / "probe1.npy") == 3

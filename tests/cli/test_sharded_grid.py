"""``stablemate run --grid`` with shardings: inputs given once are cut, results are gathered."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from tests.cli.conftest import Invoke
from tests.test_sharing import DUMP, GLOBAL, X

LAUNCHER: Final = Path(sys.executable).parent / "mpiexec"


@pytest.fixture
def model(program: Callable[[str], Path]) -> Path:
    """A program of global tensors for four devices; its argument lies beside it."""
    path = program(GLOBAL)
    np.save(path.parent / "x.npy", X)
    for device in range(4):
        row, column = divmod(device, 2)
        piece = X[row * 2 : row * 2 + 2, column * 3 : column * 3 + 3]
        np.save(path.parent / f"x.{device}.npy", piece)
    return path


@pytest.mark.parametrize("input_file", ["x.npy", "x.{process}.npy", "x.{partition}.npy"])
@pytest.mark.parametrize("carrier", ["lockstep", "mpi"])
def test_whole_arrays_and_pieces_are_taken_and_given(
    model: Path, input_file: str, carrier: str
) -> None:
    place = model.parent
    launcher = [str(LAUNCHER), "-n", "4"] if carrier == "mpi" else []
    command = [*launcher, sys.executable, "-m", "stablemate", "run", str(model), "--grid=1x4"]
    command += [f"--input=@{place}/{input_file}", "--backend=interpreter"]
    pieces = [f"--output=@{place}/t.{{process}}.npy", f"--output=@{place}/s.{{partition}}.npy"]
    whole = ["--gather", f"--output=@{place}/t.npy", f"--output=@{place}/s.npy"]
    for outputs in (pieces, whole):
        done = subprocess.run([*command, *outputs], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    np.testing.assert_array_equal(np.load(place / "t.npy"), X.T)
    np.testing.assert_array_equal(np.load(place / "s.npy"), X.sum(0))
    for device in range(4):
        row, column = divmod(device, 2)
        transposed = X.T[column * 3 : column * 3 + 3, row * 2 : row * 2 + 2]
        np.testing.assert_array_equal(np.load(place / f"t.{device}.npy"), transposed)
        total = X.sum(0)[column * 3 : column * 3 + 3]
        np.testing.assert_array_equal(np.load(place / f"s.{device}.npy"), total)


def test_gathered_results_are_those_of_each_replica(stablemate: Invoke, model: Path) -> None:
    x = f"--input=@{model.parent}/x.npy"
    result = stablemate("run", model, "--grid=2x4", "--gather", x)
    assert result.exit_code == 0, result.stderr
    headings = [line for line in result.stdout.splitlines() if line.startswith("process")]
    assert headings == ["process (0,0):", "process (1,0):"]
    assert result.stdout.count("36.0") + result.stdout.count("36") >= 2  # the first column's sum


def test_made_up_arguments_are_those_of_one_device(stablemate: Invoke, model: Path) -> None:
    """Whole arrays are drawn, then cut."""
    place = model.parent
    outputs = [f"--output=@{place}/{name}.npy" for name in "ab"]
    assert stablemate("run", model, "--random-seed=3", *outputs).exit_code == 0
    expected = [f"--expected=@{place}/{name}.npy" for name in "ab"]
    options = ["--random-seed=3", "--grid=1x4", "--gather", "--rtol=1e-6"]
    assert stablemate("run", model, *options, *expected).exit_code == 0


def test_a_dump_of_xla_takes_whole_arrays(
    stablemate: Invoke, program: Callable[[str], Path]
) -> None:
    summed = DUMP.replace(
        "ROOT %add = f32[2,3]{1,0} add(%p, %p)",
        "ROOT %permuted = f32[2,3]{1,0} collective-permute(%p), channel_id=1, "
        "source_target_pairs={{0,1},{1,0},{2,3},{3,2}}",
    )
    path = program(summed)
    np.save(path.parent / "x.npy", X)
    output = f"--output=@{path.parent}/y.{{process}}.npy"
    result = stablemate("run", path, "--grid=1x4", f"--input=@{path.parent}/x.npy", output)
    assert result.exit_code == 0, result.stderr
    np.testing.assert_array_equal(np.load(path.parent / "y.0.npy"), X[:2, 3:])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gather"], "--gather needs a grid: --grid=RxP is missing"),
        (["--gather", "--grid=1x2"], "the results have no shardings"),
    ],
)
def test_what_cannot_be_gathered_is_refused(
    stablemate: Invoke, program: Callable[[str], Path], options: list[str], message: str
) -> None:
    text = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }"
    result = stablemate("run", program(text), "--input=1", *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_info_says_which_grid_a_program_is_made_for(stablemate: Invoke, model: Path) -> None:
    text = stablemate("info", model).stdout
    assert (
        "grid 1x4 (1 replica of 4 partitions), annotated: run --grid=1x4\n"
        '  mesh @mesh "x"=2, "y"=2\n'
    ) in text
    path = model.parent / "device.mlir"
    path.write_text(stablemate("opt", "--sdy-partition", model).stdout)
    grid = json.loads(stablemate("info", path, "--format=json").stdout)["grid"]
    assert grid == {
        "replicas": 1,
        "partitions": 4,
        "kind": "of one device",
        "meshes": {"mesh": {"x": 2, "y": 2}},
        "collectives": [
            {"operation": "stablehlo.all_reduce", "number": 1, "groups": [[0, 2], [1, 3]]}
        ],
    }


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("", "grid 4x1 (4 replicas of 1 partition), of one device: run --grid=4x1"),
        (
            ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
            "use_global_device_ids",
            "grid 1x4 (1 replica of 4 partitions), of one device: run --grid=1x4",
        ),
    ],
)
def test_info_finds_the_grid_in_groups_where_it_is_not_stated(
    stablemate: Invoke, program: Callable[[str], Path], attributes: str, expected: str
) -> None:
    groups = "replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>"
    text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {{
      %0 = "stablehlo.all_gather"(%x) <{{all_gather_dim = 0 : i64, {groups}{attributes}}}>
        : (tensor<2xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }}"""
    shown = stablemate("info", program(text)).stdout
    assert f"{expected}\n  1 all_gather in 2 groups of 2: [0, 3] [1, 2]\n" in shown


# As jax.export writes it for an abstract mesh: beside a mesh, one partition states nothing.
MANUAL: Final = """
module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=16]>
  func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>]
        out_shardings=[<@mesh, [{}]>] manual_axes={"a", "b"} (%y: tensor<2xf32>) {
      %1 = "stablehlo.all_reduce"(%y) <{
        replica_groups = #stablehlo.replica_group_mesh_axes<
          mesh = @mesh, axes = [#stablehlo.axis_ref<name = "b">]>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids
      }> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      sdy.return %1 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


def test_info_and_cost_name_the_same_grid_beside_an_abstract_mesh(
    stablemate: Invoke, program: Callable[[str], Path]
) -> None:
    path = program(MANUAL)
    shown = stablemate("info", path).stdout
    assert "grid 1x32 (1 replica of 32 partitions), manual: run --grid=1x32\n" in shown
    groups = "[0, 1, 2, 3, 4, 5, ..., 15] [16, 17, 18, 19, 20, 21, ..., 31]"
    assert f"  1 all_reduce in 2 groups of 16: {groups}\n" in shown
    cost = json.loads(stablemate("cost", path, "--format=json", "--no-plan").stdout)
    assert cost["grid"] == [1, 32]

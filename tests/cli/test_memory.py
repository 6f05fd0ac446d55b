"""A run that needs more memory than there is, or than it may use, is rejected before it starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

# Two arguments and a result of 4 * ROWS * 1000 bytes.
ADD = """func.func @main(
    %a: tensor<ROWSx1000xf32>, %b: tensor<ROWSx1000xf32>
) -> tensor<ROWSx1000xf32> {
  %0 = stablehlo.add %a, %b : tensor<ROWSx1000xf32>
  return %0 : tensor<ROWSx1000xf32>
}
"""
# The first product, a local value, takes 4 MB.
LOCAL = """func.func @main(%a: tensor<100x1000xf32>, %b: tensor<1000x100xf32>) -> tensor<f32> {
  %0 = stablehlo.dot %b, %a : (tensor<1000x100xf32>, tensor<100x1000xf32>) -> tensor<1000x1000xf32>
  %1 = stablehlo.dot %0, %0
    : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %2 = stablehlo.slice %1 [0:1, 0:1] : (tensor<1000x1000xf32>) -> tensor<1x1xf32>
  %3 = stablehlo.reshape %2 : (tensor<1x1xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
"""


@pytest.fixture
def add(tmp_path: Path) -> Path:
    """A file whose program needs 1.2 TB."""
    path = tmp_path / "add.mlir"
    path.write_text(ADD.replace("ROWS", "100000000"))
    return path


def test_more_than_the_machine_has_is_rejected(add: Path, stablemate: Invoke) -> None:
    done = stablemate("run", str(add), "--random-seed=0", "--limit-tensor-bytes=1000000GiB")
    assert done.exit_code == 4
    assert "limits.memory: the arguments and results of main need 1490.1 GiB" in done.stderr
    assert "GiB are available" in done.stderr or "MiB are available" in done.stderr
    assert "note: argument 0 (%arg0) of main takes 372.5 GiB: tensor<" in done.stderr
    assert "note: drawing random elements takes 745.1 GiB for a while" in done.stderr
    assert "--limit-memory=BYTES" in done.stderr


def test_other_commands_reject_it_too(add: Path, stablemate: Invoke) -> None:
    done = stablemate("nan", str(add), "--random-seed=0")
    assert done.exit_code == 4
    assert "limits.memory" in done.stderr
    assert "--limit-memory" not in done.stderr  # this command has no such option


def test_a_limit_holds_for_arguments_and_results(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "add.mlir"
    path.write_text(ADD.replace("ROWS", "3"))
    command = ("run", str(path), "--random-seed=0", "--print-limit=1")
    assert stablemate(*command, "--limit-memory=48000").exit_code == 0
    done = stablemate(*command, "--limit-memory=47999")
    assert done.exit_code == 4
    assert "need 46.9 KiB of memory, but the limit is 46.9 KiB" in done.stderr
    assert "bytes = 48000, limit = 47999" in done.stderr


def test_a_limit_holds_for_all_processes(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "add.mlir"
    path.write_text(ADD.replace("ROWS", "3"))
    command = ("run", str(path), "--random-seed=0", "--grid=2x1", "--print-limit=1")
    assert "bytes = 72000" in stablemate(*command, "--limit-memory=1000").stderr
    several = ("run", str(path), str(path), "--random-seed=0", "--limit-memory=1000")
    assert "bytes = 72000" in stablemate(*several).stderr


def test_a_limit_holds_for_values_on_the_way(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "local.mlir"
    path.write_text(LOCAL)
    done = stablemate("run", str(path), "--random-seed=0", "--limit-memory=2000000")
    assert done.exit_code == 4
    assert "values on the way to the results need" in done.stderr
    assert stablemate("run", str(path), "--random-seed=0", "--limit-memory=1GiB").exit_code == 0

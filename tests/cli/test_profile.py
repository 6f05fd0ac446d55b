"""``stablemate profile``: the table and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Invoke = Callable[..., Result]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text("""
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
""")
    return path


def test_the_table_has_a_row_a_kernel(program: Path, stablemate: Invoke) -> None:
    done = stablemate("profile", program, "--input=1", "--threads=1", "--runs=1")
    assert done.exit_code == 0, done.output
    head, row, _, *rest = done.stdout.splitlines()
    names = ["ms", "share", "turns", "GB/s", "GFLOP/s", "kernel", "operations"]
    assert head.split() == names
    assert row.endswith("stablehlo.add:3")
    assert "A run takes " in rest[0]
    assert "With 1 thread this machine moves at most " in rest[1]


def test_json_has_everything(program: Path, stablemate: Invoke) -> None:
    done = stablemate("profile", program, "--random-seed=0", "--format=json", "--runs=2")
    document = json.loads(done.stdout)
    (row,) = document["rows"]
    assert document["runs"] == 2
    assert row["operations"] == [{"name": "stablehlo.add", "line": 3}]
    assert (row["turns"], row["bytes"], row["flops"]) == (1, 64, 8)
    assert document["peaks"].keys() == {"threads", "bytes_per_second", "flops_per_second"}


def test_a_missing_argument_is_said(program: Path, stablemate: Invoke) -> None:
    done = stablemate("profile", program)
    assert done.exit_code == 2
    assert "argument 0" in done.stderr

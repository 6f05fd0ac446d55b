"""The stored programs: complete, up to date, and accepted by the upstream implementations."""

import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from tests.oracle.client import Oracle
from tests.programs.program import DIRECTORY, load_program, programs

ROOT = DIRECTORY.parents[1]


def test_programs_are_listed_by_name() -> None:
    names = programs()
    assert names == sorted(names)
    assert {"mlp_b1", "gpt_bf16", "stencil"} <= set(names)


def test_arguments_are_the_same_each_time() -> None:
    _, first = load_program("gnn")
    _, second = load_program("gnn")
    assert [a.tobytes() for a in first] == [a.tobytes() for a in second]


def test_arguments_follow_their_records(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.mlir").write_text("module {}")
    (tmp_path / "a.json").write_text("""{"seed": 3, "args": [
      {"shape": [2, 3], "dtype": "bfloat16", "fill": "normal", "scale": 10.0},
      {"shape": [100], "dtype": "uint32", "fill": "randint", "bound": 4}]}""")
    text, (normal, integers) = load_program("a", tmp_path)
    assert text == "module {}"
    assert (normal.shape, normal.dtype) == ((2, 3), ml_dtypes.bfloat16)
    generator = np.random.default_rng(3)
    expected = generator.standard_normal((2, 3), dtype=np.float32) * 10
    assert (normal == expected.astype(ml_dtypes.bfloat16)).all()
    assert integers.dtype == np.uint32
    assert set(integers.tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize("name", programs())
def test_xla_runs_every_program(oracle: Oracle, name: str) -> None:
    text, arrays = load_program(name)
    results = oracle.xla(text, *arrays)
    assert results
    assert all(np.isfinite(result.astype(np.float64)).all() for result in results)


@pytest.mark.nightly
def test_programs_are_what_the_exporter_writes(tmp_path: pathlib.Path) -> None:
    exporter = ROOT / "benchmarks" / "export_models.py"
    command = [sys.executable, str(exporter), "--small", str(tmp_path)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert programs(tmp_path) == programs()
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (DIRECTORY / path.name).read_bytes(), path.name

"""Assertions about programs, and the plugin of pytest in a run of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.testing import assert_programs_equal, assert_results_match

PROGRAM: Final = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.tanh %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
RENAMED: Final = PROGRAM.replace("%0", "%y").replace("%x", "%a")
OTHER: Final = PROGRAM.replace("tanh", "sine")
SUITE: Final = '''
import ml_dtypes
import numpy as np
import pytest
import stablemate as sm
from stablemate.testing import plugin

{fixtures}
PROGRAM = """{program}"""

def test_program(golden):
    golden(sm.load(PROGRAM))

@pytest.mark.parametrize("n", [1, 2])
def test_arrays(golden, n):
    golden((np.arange(3, dtype=ml_dtypes.bfloat16) * n, np.float32(1.5)), "values")

def test_one(golden):
    golden(np.float64([{value}]), rtol=0.1)
'''


def test_programs() -> None:
    assert_programs_equal(PROGRAM, RENAMED)
    assert_programs_equal(sm.load(PROGRAM).to_bytecode(), RENAMED)
    with pytest.raises(AssertionError, match=r"the programs differ[\s\S]*stablehlo\.sine"):
        assert_programs_equal(OTHER, PROGRAM)


def test_results() -> None:
    x = np.float32([0.1, 1, 2])
    assert_results_match(PROGRAM, RENAMED, x, ulp=0)
    assert_results_match(PROGRAM, OTHER, 0 * x)
    with pytest.raises(AssertionError, match=r"the results differ[\s\S]*They diverge first at"):
        assert_results_match(OTHER, PROGRAM, x)
    assert_results_match(OTHER, PROGRAM, x, atol=10)


def run(directory: Path, program: str, value: float, *options: str) -> tuple[int, str]:
    """Runs tests that use golden files; the exit code, and what was printed."""
    loads = "-p", "stablemate.testing.plugin"
    (directory / "test_golden.py").write_text(
        SUITE.format(program=program, value=value, fixtures="")
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    completed = subprocess.run(
        [*command, "--help"], capture_output=True, text=True, check=True, cwd=directory
    )
    if "--update-golden" not in completed.stdout:  # the package is not installed, only found
        command += loads
    done = subprocess.run(
        [*command, *options, str(directory)], capture_output=True, text=True, check=False,
        cwd=directory,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.standard
def test_golden_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(sm.__file__).parents[1]))
    code, completed = run(tmp_path, PROGRAM, 1.0)
    assert code == 1
    assert "pytest --update-golden writes it" in completed
    assert run(tmp_path, PROGRAM, 1.0, "--update-golden")[0] == 0
    names = sorted(path.name for path in (tmp_path / "golden").iterdir())
    assert names == [
        "test_arrays-1.values.npz", "test_arrays-2.values.npz", "test_one.npz",
        "test_program.mlir",
    ]  # fmt: skip
    assert run(tmp_path, RENAMED, 1.05)[0] == 0
    code, completed = run(tmp_path, OTHER, 1.5)
    assert code == 1
    assert "the programs differ" in completed
    assert "other values than in" in completed
    assert "1 of 1 differ" in completed

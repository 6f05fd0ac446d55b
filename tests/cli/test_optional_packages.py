"""What needs an optional package that is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Invoke

FFT: Final = """
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [4]
    : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
"""
ABS: Final = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
NATIVE: Final = "native code needs llvmlite: pip install llvmlite"
SCIPY: Final = "error: Fourier transforms and linear algebra need SciPy: pip install scipy\n"


@pytest.mark.parametrize("verb", ["compare --against=xla", "bisect --backend=xla"])
def test_xla_without_jaxlib_is_misuse_and_no_finding(
    verb: str, stablemate: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        return None

    monkeypatch.setattr("stablemate.bridges.xla.find_spec", missing)
    name, option = verb.split()
    result = stablemate(name, "examples/mlp.mlir", option, "--input=random:0")
    assert result.exit_code == 2
    assert "XLA needs jaxlib" in result.output


def without(package: str, arguments: list[str], cache: Path) -> subprocess.CompletedProcess[str]:
    """The command line in a process that cannot import a package."""
    script = f"import sys; sys.modules[{package!r}] = None; from stablemate.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "STABLEMATE_CACHE_DIR": str(cache)}, timeout=60,
    )  # fmt: skip


@pytest.mark.standard
def test_without_llvmlite_programs_are_interpreted_and_not_built(tmp_path: Path) -> None:
    program = tmp_path / "a.mlir"
    program.write_text(ABS)
    done = without("llvmlite", ["run", str(program), "--input=[1, -2, 3, -4]"], tmp_path)
    assert (done.returncode, done.stdout) == (0, "4xf32=1 2 3 4\n")
    assert done.stderr == f"warning: {NATIVE}; the program is interpreted\n"
    done = without("llvmlite", ["build", str(program), "-o", str(tmp_path / "out")], tmp_path)
    assert (done.returncode, done.stderr) == (2, f"error: {NATIVE}\n")


@pytest.mark.standard
def test_without_mpi4py_processes_by_messages_are_misuse(tmp_path: Path) -> None:
    program = tmp_path / "a.mlir"
    program.write_text(ABS)
    arguments = ["run", str(program), "--random-seed=0", "--carrier=mpi", "--grid=2x1"]
    done = without("mpi4py", arguments, tmp_path)
    assert done.returncode == 2
    assert "MPI needs mpi4py: pip install mpi4py mpich" in done.stderr


@pytest.mark.standard
def test_without_an_mpi_library_processes_by_messages_are_misuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "a.mlir"
    program.write_text(ABS)
    monkeypatch.setenv("MPI4PY_LIBMPI", str(tmp_path / "libmpi.so"))
    arguments = ["run", str(program), "--random-seed=0", "--carrier=mpi", "--grid=2x1"]
    done = without("torch", arguments, tmp_path)
    assert done.returncode == 2
    assert "error: mpi4py: cannot load MPI library; pip install" in done.stderr
    assert "bug in stablemate" not in done.stderr


@pytest.mark.standard
def test_without_scipy_the_error_says_what_to_install(tmp_path: Path) -> None:
    program = tmp_path / "fft.mlir"
    program.write_text(FFT)
    arguments = ["run", str(program), "--backend=interpreter", "--random-seed=0"]
    done = without("scipy", arguments, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", SCIPY)
    assert without("scipy", ["check", str(program)], tmp_path).returncode == 0


@pytest.mark.standard
@pytest.mark.parametrize("call", ["module.run", "sm.compile(module)"])
def test_without_scipy_the_error_of_python_says_what_to_install(call: str) -> None:
    script = (
        "import sys; sys.modules['scipy'] = sys.modules['llvmlite'] = None\n"
        "import numpy as np, stablemate as sm\n"
        f"module = sm.load({FFT!r}, format='mlir')\n"
        f"{call}(np.ones(4, np.complex64))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {SCIPY[7:-1]}"

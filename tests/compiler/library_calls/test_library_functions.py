"""How functions of LAPACK are found in SciPy."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

from stablemate.compiler.library_calls.subnormal_results import text_for

SCRIPT: Final = '''
import sys

import numpy as np

import stablemate as sm

PROGRAM = """func.func @main(%a: tensor<40x40xcomplex<f64>>) -> tensor<40x40xcomplex<f64>> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<40x40xcomplex<f64>>
  return %0 : tensor<40x40xcomplex<f64>>
}"""
matrix = (np.eye(40) * 3 + np.ones((40, 40))).astype(np.complex128)
executable = sm.compile(sm.load(PROGRAM), backend="cpu")
assert executable.fallback is None, executable.fallback
factor = np.tril(executable(matrix))
np.testing.assert_allclose(factor @ factor.T, matrix, rtol=1e-12)
assert "scipy.linalg" not in sys.modules

import scipy.linalg
import scipy.linalg.cython_lapack

assert "zpotrf" in scipy.linalg.cython_lapack.__pyx_capi__
np.testing.assert_allclose(scipy.linalg.cholesky(matrix, lower=True), factor, rtol=1e-12)
np.testing.assert_allclose(np.tril(executable(matrix)), factor)
'''


@pytest.mark.standard
@pytest.mark.skipif(sys.platform == "win32", reason="SciPy finds its libraries in __init__ there")
def test_routines_are_found_without_the_package_and_leave_it_usable() -> None:
    """A program that factorizes does not import ``scipy.linalg``, which works all the same."""
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)


@pytest.mark.parametrize("triple", ["aarch64-apple-darwin", "riscv64-unknown-linux-gnu"])
def test_settings_for_subnormal_results_stay_on_other_processors(triple: str) -> None:
    assert "@llvm.x86" in text_for("x86_64-unknown-linux-gnu")
    assert "call" not in text_for(triple)

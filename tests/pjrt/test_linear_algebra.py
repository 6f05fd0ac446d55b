"""Linear algebra without Python: what it computes, and that it is native."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMPARISON = Path(__file__).with_name("linear_algebra.py")
HEAD = """
import stablemate.pjrt; stablemate.pjrt.initialize()
import jax, jax.numpy as jnp, numpy as np
from stablemate.execution.custom_calls import invocation
def fails(*_): raise AssertionError("Python was asked")
invocation.called = fails
"""
PROGRAMS = {
    "batches": """
a = np.random.default_rng(0).standard_normal((500, 3, 3)).astype(np.float32)
b = np.ones((500, 3, 1), np.float32)
np.testing.assert_allclose(jnp.linalg.solve(a, b), np.linalg.solve(a, b), rtol=2e-3)
""",
    "loops": """
def step(carry, _):
    factor = jnp.linalg.cholesky(carry)
    return carry + factor @ factor.T, factor[0, 0]
_, firsts = jax.jit(lambda a: jax.lax.scan(step, a, None, length=6))(jnp.eye(3))
np.testing.assert_allclose(firsts, np.sqrt(2.0 ** np.arange(6)), rtol=1e-6)
""",
    "branches": """
f = jax.jit(lambda x, a: jax.lax.cond(x > 0, jnp.linalg.inv, lambda a: a, a))
np.testing.assert_allclose(f(1, 2 * jnp.eye(4)), np.eye(4) / 2)
np.testing.assert_allclose(f(-1, 2 * jnp.eye(4)), np.eye(4) * 2)
""",
    "failures": """
assert np.isnan(np.diagonal(jnp.linalg.cholesky(-jnp.eye(3)))).all()
assert np.isnan(jnp.linalg.eigvals(jnp.full((3, 3), jnp.inf))).all()
assert np.isnan(jnp.linalg.svd(jnp.full((3, 3), jnp.nan), compute_uv=False)).all()
""",
}


def run(*command: str, platforms: str = "stablemate") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env=os.environ | {"JAX_PLATFORMS": platforms}, capture_output=True, text=True, timeout=600,
    )  # fmt: skip


def test_python_is_not_asked() -> None:
    programs = "".join(f"print({name!r}){program}" for name, program in PROGRAMS.items())
    done = run("-c", HEAD + programs)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


def test_results_are_those_of_xla() -> None:
    done = run(str(COMPARISON), platforms="stablemate,cpu")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


@pytest.mark.nightly
def test_results_of_more_shapes_are_those_of_xla() -> None:
    done = run(str(COMPARISON), "all", platforms="stablemate,cpu")
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]

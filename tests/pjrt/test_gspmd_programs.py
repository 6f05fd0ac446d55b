"""Programs that JAX lowers in GSPMD's form compute on stablemate what they do on XLA."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

import pytest

PROGRAM: Final = """
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_use_shardy_partitioner", False)

def body(a):
    return lax.psum(a, "y") * 2 + lax.axis_index("x")

def nested(a):
    mesh = jax.sharding.get_abstract_mesh()
    inner = jax.shard_map(
        lambda b: lax.psum(b, "x"), mesh=mesh, in_specs=P("x"), out_specs=P(), axis_names={"x"}
    )
    return inner(a) * 2

def results(platform, order):
    mesh = Mesh(np.array(jax.devices(platform))[order].reshape(2, 4), ("x", "y"))
    on = lambda *spec: NamedSharding(mesh, P(*spec))
    mapped = lambda f, ins, out, **more: jax.shard_map(f, mesh=mesh, in_specs=ins, out_specs=out, **more)
    whole = mapped(body, P("x", "y"), P("x"))
    partial = mapped(lambda a: lax.psum(a, "y") * 2, P(None, "y"), P(), axis_names={"y"})
    functions = [
        jax.jit(whole),
        jax.jit(lambda a: (a * 2, a.sum(0)), in_shardings=on("x", "y"), out_shardings=(on("y"), on("x"))),
        jax.jit(lambda a: lax.with_sharding_constraint(a @ a.T, on("y", "x")), in_shardings=on("x")),
        jax.jit(partial, in_shardings=on("x")),
        jax.jit(mapped(nested, P(None, "y"), P(None, "y"), axis_names={"y"})),
        jax.jit(lambda a: jax.jit(whole)(a) + jnp.sin(a[:, :4]), in_shardings=on("y"), out_shardings=on("x")),
    ]
    x = np.arange(128, dtype=np.float32).reshape(8, 16)
    return [np.asarray(leaf) for function in functions for leaf in jax.tree.leaves(function(x))]

for order in [*range(8)], [*range(8)][::-1], [0, 2, 4, 6, 1, 3, 5, 7]:
    for ours, theirs in zip(results("stablemate", order), results("cpu", order), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
"""  # noqa: E501 a program


@pytest.mark.standard
def test_programs_in_the_form_of_gspmd() -> None:
    environment = {"JAX_PLATFORMS": "stablemate,cpu", "STABLEMATE_DEVICES": "8"}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | environment | {"JAX_NUM_CPU_DEVICES": "8"},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]

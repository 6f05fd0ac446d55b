"""Shardings of results and of arguments are those that XLA's CPU client propagates to them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAD = """
import stablemate.pjrt; stablemate.pjrt.initialize()
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

def meshes():
    for platform in ("stablemate", "cpu"):
        devices = np.array(jax.devices(platform)[:8])
        yield Mesh(devices.reshape(4, 2), ("x", "y"))

def put(mesh, shape, *spec):
    values = np.random.default_rng(0).random(shape).astype(np.float32)
    return jax.device_put(values, NamedSharding(mesh, P(*spec)))

def compare(name, function, *arguments):
    rows = []
    for mesh in meshes():
        placed = [put(mesh, *argument) for argument in arguments]
        with mesh:
            results = jax.tree.leaves(jax.jit(function)(*placed))
        rows.append([(result.sharding.spec, np.asarray(result)) for result in results])
    for (own, values), (theirs, expected) in zip(*rows, strict=True):
        assert own == theirs, (name, own, theirs)
        np.testing.assert_allclose(values, expected, rtol=2e-4, atol=2e-4, err_msg=name)

S = (16, 16)
SPECS = [("x",), (None, "x"), ("x", "y"), ("y", "x"), (("x", "y"),), (None, "y")]
"""
PROGRAMS = {
    "one operand": """
functions = dict(
    reverse=lambda v: v[::-1], roll=lambda v: jnp.roll(v, 1, 0), pad=lambda v: jnp.pad(v, 4),
    merge=lambda v: v.reshape(-1), split=lambda v: v.reshape(4, 4, 16),
    regroup=lambda v: v.reshape(32, 8), sort=lambda v: jnp.sort(v, 1), row=lambda v: v[3],
    cumsum=lambda v: jnp.cumsum(v, 0), scatter=lambda v: v.at[:, 2].add(1.0),
    concatenate=lambda v: jnp.concatenate([v, v], 1), top_k=lambda v: lax.top_k(v, 4),
    product=lambda v: v @ v.T, gradient=jax.grad(lambda v: jnp.tanh(v @ v).sum()),
    fft=lambda v: jnp.abs(jnp.fft.fft(v)), gather=lambda v: v[np.array([1, 3, 5, 7])],
    convolution=lambda v: lax.conv(v[None, None], jnp.ones((1, 1, 3, 3)), (1, 1), "SAME"),
    scan=lambda v: lax.scan(lambda c, u: (jnp.tanh(c + u), c * u), v[0], v),
    cond=lambda v: lax.cond(v[0, 0] > 0.5, lambda u: u + 1, lambda u: u.T, v),
    calls=lambda v: jax.jit(jnp.sin)(v) + jax.jit(jnp.sin)(v.T), softmax=jax.nn.softmax,
)
for i, (name, function) in enumerate(functions.items()):
    for spec in (SPECS[i % 6], SPECS[(i + 2) % 6]):
        compare(f"{name} {spec}", function, (S, *spec))
""",
    "operands that disagree": """
functions = dict(
    multiply=lambda a, b: a * b.T, product=lambda a, b: a @ b, bias=lambda a, b: a + b[0],
    select=lambda a, b: jnp.where(a > b, a, b), attention=lambda a, b: jax.nn.softmax(a @ b.T) @ b,
    layers=lambda a, b: jnp.tanh(a @ b) @ b.T, outer=lambda a, b: jnp.einsum("ij,kj->ikj", a, b),
)
for i, (name, function) in enumerate(functions.items()):
    for j in range(0, 36, 5):
        one, other = SPECS[(i + j) % 6], SPECS[(i + j // 6) % 6]
        compare(f"{name} {one} {other}", function, (S, *one), (S, *other))
""",
    "constraints and manual computations": """
def constrained(*spec):
    return lambda v: lax.with_sharding_constraint(v * 2, P(*spec)).T + 1
for spec in (("y",), (P.UNCONSTRAINED, "y"), (None, ("y", "x"))):
    compare(f"constraint {spec}", constrained(*spec), (S, "x"))
def loop(v):
    return lax.scan(lambda c, _: (lax.with_sharding_constraint(c * 2, P("y")), c), v, length=3)
compare("constraint in a loop", loop, (S, "x", "y"))
def loop_that_calls(v):
    repeated = jax.jit(lambda c: lax.with_sharding_constraint(c, P("y")) * 2)
    again = lambda i, c: lax.with_sharding_constraint(repeated(c), P("x")) + i
    return lax.fori_loop(0, 3, again, v)
compare("constraints in a function that a loop calls", loop_that_calls, (S, "x", "y"))
for mesh in meshes():
    def partly(v):
        body = lambda u: lax.psum(u, "x") * 2
        return jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P(), axis_names={"x"})(v)
    result = jax.jit(partly)(put(mesh, S, "x", "y"))
    assert result.sharding.spec == P(None, "y"), result.sharding
""",
    "values that a loop keeps": """
def rows(a, w):
    kept = lax.scan(lambda c, u: (jnp.tanh(c @ u), c), a, w)[1]
    products = jax.vmap(lambda r: r.T @ r)(kept)
    return kept, lax.with_sharding_constraint(products, P(None, "x"))
for spec in ("x", "y"):
    compare(f"rows {spec}", rows, (S, spec), ((3, *S), None, "x"))
""",
    "groups": """
from jax.experimental.shard_alike import shard_alike
functions = {
    "iota": lambda v: shard_alike(v[0], jnp.arange(16.0))[1] * 2,
    "copies of a constant": lambda v: [a * 2 for a in shard_alike(v, jnp.zeros(S))],
    "computed": lambda v: [a * 2 for a in shard_alike(v * 3, jnp.sin(jnp.cumsum(jnp.ones(S), 0)))],
    "in a loop": lambda v: lax.scan(
        lambda c, _: (sum(shard_alike(c, jnp.ones_like(c))), c.sum()), v, length=3
    ),
}
for name, function in functions.items():
    for spec in (("x",), (None, "y"), ("y", "x")):
        compare(f"{name} {spec}", function, (S, *spec))
""",
    "shardings inside a program": """
seen = []
for mesh in meshes():
    rows = []
    def inspected(v):
        jax.debug.inspect_array_sharding(v, callback=lambda s: rows.append(s.spec))
        return v
    def function(v):
        inspected(v.T); inspected(v @ v.T)
        body = lambda u: inspected(u) * 2
        w = jax.shard_map(body, mesh=mesh, in_specs=P("x"), out_specs=P("x"))(v)
        return lax.scan(lambda c, _: (inspected(c) + 1, None), w, length=3)[0]
    with jax.set_mesh(mesh):
        jax.jit(function)(put(mesh, S, "x", "y"))
    seen.append(rows)
own, theirs = (sorted(map(str, rows)) for rows in seen)
assert own == theirs and len(own) == 4, seen
def broken(sharding):
    raise LookupError("no sharding is expected")
try:
    ask = jax.jit(lambda v: jax.debug.inspect_array_sharding(v, callback=broken))
    ask(put(next(meshes()), S, "x"))
except jax.errors.JaxRuntimeError as error:
    assert "LookupError: no sharding is expected" in str(error)
else:
    raise AssertionError("the callback was not called")
""",
    "arguments without a sharding": """
inputs = []
for mesh in meshes():
    function = jax.jit(lambda a, b, c: jnp.tanh(a @ b) @ c)
    w = np.ones((16, 32), np.float32)
    with jax.default_device(mesh.devices.flat[0]):
        compiled = function.lower(put(mesh, S, "x", "y"), w, w.T).compile()
    inputs.append([sharding.spec for sharding in compiled.input_shardings[0]])
assert inputs[0] == inputs[1], inputs
""",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.standard) for name in PROGRAMS]
)
def test_program(name: str) -> None:
    environment = {"JAX_PLATFORMS": "stablemate,cpu", "STABLEMATE_DEVICES": "8"}
    run = subprocess.run(
        [sys.executable, "-c", HEAD + PROGRAMS[name]],
        env=os.environ | environment | {"JAX_NUM_CPU_DEVICES": "8"},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]

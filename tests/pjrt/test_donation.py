"""Donated arguments: their memory is that of results, and nobody sees it change."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAD = """
import stablemate.pjrt; stablemate.pjrt.initialize()
import jax, jax.numpy as jnp, numpy as np
from jax import lax
def donating(f, *values, donate=0):
    arguments = [jnp.array(value) for value in values]
    expected = jax.tree.map(np.asarray, jax.jit(f)(*arguments))
    pointers = [argument.unsafe_buffer_pointer() for argument in arguments]
    results = jax.tree.leaves(jax.jit(f, donate_argnums=donate)(*arguments))
    for own, other in zip(results, jax.tree.leaves(expected), strict=True):
        np.testing.assert_array_equal(own, other)
    donated = (donate,) if isinstance(donate, int) else donate
    assert all(arguments[number].is_deleted() for number in donated)
    own = [result.unsafe_buffer_pointer() for result in results]
    return [(i, own.index(pointer)) for i, pointer in enumerate(pointers) if pointer in own]
x = np.random.default_rng(0).random(8192, np.float32)
square = x.reshape(64, 128)[:, :64].copy()
"""
PROGRAMS = {
    "elementwise operations": """
assert donating(lambda v: v + 1, x) == [(0, 0)]
assert donating(lambda v: v + 1, x.astype(jnp.bfloat16)) == [(0, 0)]
assert donating(lambda p, m, g: (p - 0.1 * (0.9 * m + g), 0.9 * m + g), x, x + 1, x + 2,
                donate=(0, 1)) == [(0, 0), (1, 1)]
assert donating(lambda v, w: v + w, x, x + 1, donate=1) == [(1, 0)]
""",
    "updates and loops": """
assert donating(lambda v, i: v.at[i].add(2.0), x, 3) == [(0, 0)]
assert donating(lambda v: lax.fori_loop(0, 50, lambda i, c: c * 1.1 + i, v), x) == [(0, 0)]
assert donating(lambda v, w: (w, v), x, x + 1, donate=(0, 1))
""",
    "small arrays": """
assert donating(lambda v: v + 1, x[0]) == [(0, 0)]
assert donating(lambda v, w: v + w, x[0], x[1], donate=1) == [(1, 0)]
assert donating(lambda v, w: (v * 2, w + 1), x[:64], x[0], donate=(0, 1)) == [(0, 0), (1, 1)]
donating(lambda v: v[::-1] + 1, x[:64])
step = jax.jit(lambda v, w: (v + w, w * 1), donate_argnums=(0, 1))
v, w = jnp.array(x[:256]), jnp.ones(256)
places, kept = [v.unsafe_buffer_pointer(), w.unsafe_buffer_pointer()], []
for i in range(100):
    given = v, w
    v, w = step(v, w)
    assert all(one.is_deleted() for one in given)
    kept.extend(given if i % 7 == 0 else ())  # their records live on
    assert [v.unsafe_buffer_pointer(), w.unsafe_buffer_pointer()] == places
    others = [jnp.array(x[:256]) * i for _ in range(3)]  # that would take freed memory
w.delete()
del kept, given, w
others = [jnp.array(x[:256]) * i for i in range(9)]
np.testing.assert_allclose(v, x[:256] + 100, rtol=1e-5)
seen = np.asarray(v)
step(v, jnp.ones(256))
np.testing.assert_allclose(seen, x[:256] + 100, rtol=1e-5)
""",
    "arguments that are read elsewhere": """
for f in (lambda v: v[::-1] + 1, lambda v: jnp.roll(v, 1) * 2, jnp.sort, jax.nn.softmax):
    donating(f, x)
for f in (lambda v: v.T + v, lambda v: v @ v, jnp.linalg.inv, lambda v: jnp.flip(v, 1)):
    donating(f, square)
for first in (0.25, 0.75):
    start = np.full_like(x, first)
    donating(lambda v: lax.cond(v[0] > 0.5, lambda w: w[::-1], lambda w: w * 2, v), start)
donating(lambda v, w: (v @ w, w + 1), square, square + 1, donate=(0, 1))
""",
    "readers keep the elements": """
step = jax.jit(lambda v: v + 1, donate_argnums=0)
v = jnp.array(x)
view = np.asarray(v)
w = step(v)
np.testing.assert_array_equal(view, x)
np.testing.assert_array_equal(w, x + 1)
v = jnp.array(x)
both = jax.jit(lambda v, w: v + w, donate_argnums=0)
try:
    both(v, v)
except jax.errors.JaxRuntimeError as error:
    assert "the same call to Execute()" in str(error)
else:
    raise AssertionError("the buffer was donated and read")
np.testing.assert_array_equal(step(jnp.array(x)), x + 1)
host = x.copy()
np.testing.assert_array_equal(step(jax.device_put(host)), x + 1)
np.testing.assert_array_equal(host, x)
""",
    "programs in the background": """
v = jnp.zeros(3_000_000)
step = jax.jit(lambda v: jnp.sin(v) + 1, donate_argnums=0)
for _ in range(6):
    v = step(v)
v.block_until_ready()
pointer = v.unsafe_buffer_pointer()
for _ in range(10):
    v = step(v)
assert v.unsafe_buffer_pointer() == pointer
plain = jax.jit(lambda v: jnp.sin(v) + 1)
w = jnp.zeros(3)
for _ in range(16):
    w = plain(w)
np.testing.assert_allclose(v[:3], w, rtol=1e-6)
""",
    "the analysis of memory": """
compiled = jax.jit(lambda v: v + 1, donate_argnums=0).lower(x).compile()
assert compiled.memory_analysis().alias_size_in_bytes == x.nbytes
scalar = jax.jit(lambda v: v + 1, donate_argnums=0).lower(x[0]).compile()
assert scalar.memory_analysis().alias_size_in_bytes == 4
assert jax.jit(lambda v: v + 1).lower(x).compile().memory_analysis().alias_size_in_bytes == 0
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", HEAD + PROGRAMS[name]],
        env=os.environ | {"JAX_PLATFORMS": "stablemate", "STABLEMATE_DEVICES": "1"},
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]

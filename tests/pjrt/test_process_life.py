"""The life of a process: threads, forks, interrupts, its end, and memory that is not there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAD = """
import faulthandler; faulthandler.enable()
import stablemate.pjrt; stablemate.pjrt.initialize()
import os, signal, tempfile, threading, time
import jax, jax.numpy as jnp, numpy as np
"""
PROGRAMS = {
    "one process": """
def refused(call):
    try:
        jax.block_until_ready(call())
    except jax.errors.JaxRuntimeError as error:
        assert str(error).startswith("RESOURCE_EXHAUSTED"), error
    else:
        raise AssertionError
large = jnp.ones(1 << 21)
refused(lambda: jax.jit(lambda v: jnp.outer(v, v) + 1)(large))  # a result
refused(lambda: jax.jit(lambda v: jnp.sort(jnp.outer(v, v)).sum())(large))  # values on the way
refused(lambda: jax.device_put(np.broadcast_to(np.float32(1), (1 << 22, 1 << 20))))
assert float(jnp.ones(3).sum()) == 3

with tempfile.TemporaryDirectory() as directory, jax.profiler.trace(directory):
    jax.jit(lambda v: v + 1)(jnp.ones(8)).block_until_ready()

f = jax.jit(lambda v: jnp.sin(v) @ v)
x = jnp.ones((64, 64))
expected, differences = np.asarray(f(x)), []
def call():
    for i in range(200):
        if not np.array_equal(f(x), expected):
            differences.append(i)
threads = [threading.Thread(target=call) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not differences

loop = jax.jit(lambda v: jax.lax.fori_loop(0, 10**5, lambda i, a: a + jnp.sin(a), v))
compiled, ticks, over = loop.lower(jnp.ones(1000)).compile(), 0, threading.Event()
def tick():
    global ticks
    while not over.wait(0.001):
        ticks += 1
ticker = threading.Thread(target=tick)
ticker.start()
compiled(jnp.ones(1000)).block_until_ready()
over.set()
ticker.join()
assert ticks > 5  # other threads run on

threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
end = time.monotonic() + 60
try:
    while time.monotonic() < end:
        compiled(jnp.ones(1000)).block_until_ready()
except KeyboardInterrupt:
    pass
else:
    raise AssertionError
assert float(jnp.ones(3).sum()) == 3
""",
    "cycles of objects": """
import gc
def cycles(function, value):
    gc.collect()
    try:
        jax.jit(function)(value).block_until_ready()
        gc.set_debug(gc.DEBUG_SAVEALL)
        return gc.collect()
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
scalar = jnp.zeros([])
for i in range(3):  # as JAX's tests of reference cycles ask
    assert cycles(lambda x: x.sum() + i, scalar) == 0
gc.disable()
cycles(lambda x: x.sum() + 4, scalar)
assert not gc.isenabled()
""",
    "numbers of programs": """
from stablemate.pjrt.native.calls import settle
from stablemate.pjrt.native.library import BOUND
from stablemate.pjrt.native.records import word
f = jax.jit(lambda v: jax.lax.fori_loop(0, 300_000, lambda i, a: a + jnp.sin(a), v))
x = jnp.ones(1000)
expected, words = np.asarray(f(x)), BOUND[0].words
names = ("state", "interrupted", "count")
state, ended, count = (word("environment", f"job_{name}") for name in names)
assert words[state] == 0

words[state] = 1 << 40
following = threading.Timer(0.3, lambda: words.__setitem__(state, (1 << 40) + 1))
following.start()
settle()  # waits for that program, not for the one that follows it
assert words[state] == (1 << 40) + 1
words[state] = 0

for other in (-1, 1):  # who ends another program does not end this one
    y, number = f(x), words[count]
    words[ended] = number + other
    assert words[state] == number
    np.testing.assert_array_equal(y, expected)
y = f(x)
words[ended] = words[state]
try:
    np.asarray(y)
except (RuntimeError, ValueError):
    pass
else:
    raise AssertionError
np.testing.assert_array_equal(f(x), expected)
""",
    "fork": """
f = jax.jit(lambda v: (v @ v).sum())
x = jnp.ones((600, 600))
assert float(f(x)) == 600**3
child = os.fork()
if child == 0:
    os._exit(0 if float(f(x)) == 600**3 else 1)
assert os.waitpid(child, 0)[1] == 0
""",
    "exit during a compilation": """
def compile():
    jax.jit(lambda v: sum(jnp.sin(v * i) @ v for i in range(60))).lower(jnp.ones((9, 9))).compile()
ended = threading.Event()
def press():  # again and again: Python drops an interrupt that reaches a finalizer
    while not ended.wait(0.7):
        os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
try:
    while True:
        jax.clear_caches()
        compile()
except (KeyboardInterrupt, jax.errors.JaxRuntimeError):
    ended.set()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_process(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HEAD + PROGRAMS[name]],
        env=os.environ | {"JAX_PLATFORMS": "stablemate"}, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]

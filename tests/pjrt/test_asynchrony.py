"""Long programs run in the background; results are waited for where they are needed."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import faulthandler; faulthandler.enable()
import stablemate.pjrt; stablemate.pjrt.initialize()
import os, random, threading, time
import jax, jax.numpy as jnp, numpy as np

def iterated(count, **options):
    step = lambda i, a: a + jnp.sin(a)
    return jax.jit(lambda v: jax.lax.fori_loop(0, count, step, v), **options)

x = jnp.ones(1000)
long, shorter, donating = iterated(300_000), iterated(2_000), iterated(2_000, donate_argnums=0)
add = jax.jit(lambda a, b: a + b)
expected, doubled = np.asarray(shorter(x)), np.asarray(shorter(x)) * 2
donating(x + 0)
long(x).block_until_ready()  # its time decides where it runs from now on

begun = time.perf_counter()
y = long(x)
returned = time.perf_counter() - begun
y.block_until_ready()
over = time.perf_counter() - begun
assert returned < over / 2, (returned, over)

one_by_one = in_turn = x
for _ in range(5):
    one_by_one = shorter(one_by_one).block_until_ready()
for _ in range(5):
    in_turn = shorter(in_turn)
np.testing.assert_array_equal(in_turn, one_by_one)

def used(y, way):
    if way == 0: return np.array_equal(y, expected)
    if way == 1: return np.array_equal(add(y, y), doubled)
    if way == 2: return np.array_equal(np.from_dlpack(y), expected)
    if way == 3: return y.block_until_ready().is_ready()
    if way == 4: return y.delete() is None and y.is_deleted()
    if way == 5: return np.array_equal(jnp.array(y, copy=True), expected)
    given = x + 0
    result = donating(given)
    return given.is_deleted() and np.array_equal(result, expected)

wrong = []
def work(seed):
    draw = random.Random(seed)
    for _ in range(40):
        way = draw.randrange(7)
        if not used(shorter(x), way):
            wrong.append(way)
threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not wrong, wrong

y = long(x)
child = os.fork()  # waits for what runs
if child == 0:
    os._exit(0 if np.array_equal(shorter(x), expected) else 1)
assert os.waitpid(child, 0)[1] == 0
kept = long(x)  # runs when the interpreter ends
"""


def check(program: str) -> None:
    """Runs a program in a process of its own, which has to end well."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=os.environ | {"JAX_PLATFORMS": "stablemate"}, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def test_long_programs_run_in_the_background() -> None:
    check(PROGRAM)


# Job 1 has a view of NumPy's memory, whose deleter needs Python's lock when the job is over. Job 2
# is launched meanwhile. A thread that holds the lock, which it does not give away by itself, waits
# for job 2: the thread that runs jobs begins with it after the deleter.
WAITER_WITH_LOCK = """
import faulthandler; faulthandler.dump_traceback_later(60, exit=True)
import stablemate.pjrt; stablemate.pjrt.initialize()
import sys, threading
import jax, jax.numpy as jnp, numpy as np
from stablemate.pjrt.native.library import BOUND
from stablemate.pjrt.native.records import word

step = lambda i, a: a + jnp.sin(a)
long = jax.jit(lambda v: jax.lax.fori_loop(0, 100_000, step, v))
x = jnp.ones(1000)
y = long(x).block_until_ready()

def view():
    block = np.ones(1040, np.float32)
    start = -block.ctypes.data // 4 % 16  # aligned, so that the memory is shared
    return jax.dlpack.from_dlpack(block[start : start + 1000])

long(view()).block_until_ready()
launched, count = BOUND[0].words, word("environment", "job_count")
begun, is_spinning, pointers = launched[count], threading.Event(), []

def wait():
    is_spinning.set()
    while launched[count] < begun + 2:
        pass
    pointers.append(y.unsafe_buffer_pointer())

def launch():
    long(view())
    sys.setswitchinterval(1000)
    long(x)

threads = [threading.Thread(target=wait), threading.Thread(target=launch)]
threads[0].start()
is_spinning.wait()
threads[1].start()
for thread in threads: thread.join()
assert pointers
"""


def test_who_waits_for_a_program_lets_others_have_the_lock_of_python() -> None:
    check(WAITER_WITH_LOCK)


# The deleter of NumPy's memory runs a finalizer of Python, which waits for a program of its own.
FINALIZER_THAT_WAITS = """
import faulthandler; faulthandler.dump_traceback_later(60, exit=True)
import stablemate.pjrt; stablemate.pjrt.initialize()
import threading, weakref
import jax, jax.numpy as jnp, numpy as np

step = lambda i, a: a + jnp.sin(a)
long = jax.jit(lambda v: jax.lax.fori_loop(0, 10_000, step, v))
x = jnp.ones(1000)
expected = np.asarray(long(x))
is_over, results = threading.Event(), []

def call():
    results.append(np.asarray(long(x)))
    is_over.set()

def view(finalizer):
    block = np.ones(1040, np.float32)
    weakref.finalize(block, finalizer)
    start = -block.ctypes.data // 4 % 16  # aligned, so that the memory is shared
    return jax.dlpack.from_dlpack(block[start : start + 1000])

long(view(lambda: None)).block_until_ready()  # its time decides where it runs from now on
result = long(view(call))  # the program alone has the view
assert is_over.wait(50)
np.testing.assert_array_equal(results[0], expected)
np.testing.assert_array_equal(result, expected)
"""


def test_finalizers_of_arguments_may_wait_for_programs() -> None:
    check(FINALIZER_THAT_WAITS)

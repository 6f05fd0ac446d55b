"""Native code among forks, signals, many threads, sub-interpreters and at the end of a process.

Each test is a process of its own. It says ``fine``, or what went wrong.
"""

from __future__ import annotations

import importlib.util
import os
import signal
from pathlib import Path

import pytest

from tests.compiler.runtime.test_runtime import in_child

WITH_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
WITH_TIMERS = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
NAMES_OF_INTERPRETERS = ("_interpreters", "_xxsubinterpreters")

HELPERS = """
def small(size):
    return compiled(LARGE.replace(str(SIZE), str(size)))

def is_right(program, size, times=1):
    values = np.full(size, size % 7 + 1, np.float32)
    right = expected(values, values)
    return all(np.array_equal(program(values, values), right) for _ in range(times))

executable = compiled(LARGE)
lhs, rhs = operands()
right = expected(lhs, rhs)

def whole():
    return np.array_equal(executable(lhs, rhs), right)
"""


def fine(program: str, threads: int = 3, cache: Path | None = None) -> None:
    """Checks that a process ends well."""
    end = '\nprint("fine")\n'
    environment = {"STABLEMATE_THREADS": str(threads)}
    if cache is not None:
        environment["STABLEMATE_CACHE_DIR"] = str(cache)
    done = in_child(HELPERS + program + end, **environment)
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr


@WITH_FORK
@pytest.mark.parametrize("is_cached", [False, True])
def test_children_of_forks_call_and_compile_whatever_threads_were_doing(
    tmp_path: Path, is_cached: bool
) -> None:
    # With nothing in the cache the compiler is imported and busy in another thread.
    cache = None if is_cached else tmp_path
    program = """
over = False

def calling():
    while not over:
        whole()

def compiling():
    size = 2000
    while not over:
        size += 1
        small(size)

jobs = (calling, calling, compiling)
threads = [threading.Thread(target=each, daemon=True) for each in jobs]
for each in threads:
    each.start()
for number in range(8):
    time.sleep(0.01 * number)
    child = os.fork()
    if child == 0:
        signal.alarm(200)  # behind a lock that stays closed
        size = 1000 + number
        os._exit(0 if whole() and is_right(small(size), size) else 1)
    assert os.waitpid(child, 0)[1] == 0, number
assert whole()
over = True
for each in threads:
    each.join()
"""
    fine(program, cache=cache)


@WITH_FORK
def test_a_pool_of_forked_processes_computes() -> None:
    fine("""
import multiprocessing
assert whole()

def work(number):
    return whole() and is_right(small(1000 + number), 1000 + number)

with multiprocessing.get_context("fork").Pool(3) as pool:
    assert all(pool.map(work, range(12)))
""")


@pytest.mark.standard
def test_sixteen_callers_compile_and_call_programs_of_their_own() -> None:
    fine("""
wrong = []

def call(number):
    for size in range(1000 + 3 * number, 1003 + 3 * number):
        if not is_right(small(size), size, times=50):
            wrong.append(size)

threads = [threading.Thread(target=call, args=(number,)) for number in range(16)]
for each in threads:
    each.start()
for each in threads:
    each.join()
assert not wrong, wrong
""")


@WITH_TIMERS
def test_handlers_of_signals_run_programs_while_programs_run() -> None:
    fine("""
few, seen = small(40), []

def handle(number, frame):
    seen.append(is_right(few, 40) and (len(seen) % 8 > 0 or whole()))

for number in (signal.SIGALRM, signal.SIGCHLD, signal.SIGUSR1):
    signal.signal(number, handle)
signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
for turn in range(40):
    child = subprocess.Popen([sys.executable, "-c", ""]) if turn % 16 == 3 else None
    assert whole()
    os.kill(os.getpid(), signal.SIGUSR1)
    assert whole()
    if child:
        child.wait()
signal.setitimer(signal.ITIMER_REAL, 0)
assert len(seen) > 20 and all(seen), seen
""")


@WITH_TIMERS
def test_a_handler_that_raises_ends_the_run_and_nothing_else() -> None:
    # Python ignores what a handler raises in a weak reference's callback, and NumPy in array_equal:
    # the timer goes off again.
    fine("""
class Late(Exception):
    pass

def handle(number, frame):
    raise Late

signal.signal(signal.SIGALRM, handle)
endless = compiled(ENDLESS)
for number in range(10):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.03, 1)
        if number % 2:
            endless(np.int32(0))
        while True:
            whole()
    except Late:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert whole()
""")


@pytest.mark.standard
def test_the_process_ends_while_loops_grids_and_compilers_run() -> None:
    fine("""
SUM = '''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}'''
endless = compiled(ENDLESS)

def calling():
    while True:
        whole()

def compiling():
    for size in range(2000, 100000):
        small(size)

def meeting():
    while True:
        sm.run_grid(SUM, [np.ones(4, np.float32)] * 2, 2, backend="cpu")

for work in (calling, compiling, meeting, lambda: endless(np.int32(0))):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.5)
""")


@pytest.mark.skipif(
    not any(map(importlib.util.find_spec, NAMES_OF_INTERPRETERS)),
    reason="Python has no sub-interpreters",
)
def test_sub_interpreters_are_refused() -> None:
    fine("""
import importlib.util
names = ("_interpreters", "_xxsubinterpreters")
interpreters = __import__(next(each for each in names if importlib.util.find_spec(each)))
code = f'''
import sys
sys.path[:] = {sys.path!r}
try:
    import stablemate
except ImportError as error:
    said = str(error)
else:
    said = "it was imported"
assert "this is a sub-interpreter" in said, said
'''
other = interpreters.create()
failed = interpreters.run_string(other, code)  # raises in Python 3.11
assert failed is None, failed
interpreters.destroy(other)
assert whole()
""")

"""The native loop and the thread pool: the same results for any number of threads, at any time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import Request
from stablemate.compiler.runtime.native.step_table import PARALLEL_LAUNCH, RECORD_WORDS

SOURCE = Path(sm.__file__).parent.parent
SIZE = 1 << 19  # elements: several chunks
LARGE = f"""func.func @main(%a: tensor<{SIZE}xf32>, %b: tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32> {{
  %0 = stablehlo.add %a, %b : tensor<{SIZE}xf32>
  %1 = stablehlo.sqrt %0 : tensor<{SIZE}xf32>
  %2 = stablehlo.divide %1, %b : tensor<{SIZE}xf32>
  return %2 : tensor<{SIZE}xf32>
}}"""
ENDLESS = """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%x = %a) : tensor<i32> cond {
    stablehlo.return %true : tensor<i1>
  } do {
    %1 = stablehlo.add %x, %one : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}"""
NESTED = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32> cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2:2 = stablehlo.while(%j = %zero, %t = %s) : tensor<i32>, tensor<i32> cond {
      %3 = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %4 = stablehlo.add %j, %one : tensor<i32>
      %5 = stablehlo.add %t, %j : tensor<i32>
      stablehlo.return %4, %5 : tensor<i32>, tensor<i32>
    }
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6, %2#1 : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}"""


def compiled(text: str, **options: Any) -> CompiledExecutable:
    """A program as native code."""
    executable = sm.compile(sm.load(text), backend="cpu", **options)
    assert isinstance(executable, CompiledExecutable), executable.fallback
    return executable


def operands(seed: int = 0) -> tuple[Any, Any]:
    """What ``LARGE`` takes."""
    random = np.random.default_rng(seed)
    lhs, rhs = random.random((2, SIZE), np.float32) + 1
    return lhs, rhs


def expected(lhs: Any, rhs: Any) -> Any:
    """What ``LARGE`` gives; each operation is rounded once, here and there."""
    return np.sqrt(lhs + rhs) / rhs


def chunks_of(executable: CompiledExecutable) -> list[int]:
    """The numbers of chunks of the launches that are cut."""
    image = executable.program.image
    records = image.words[: RECORD_WORDS * image.steps].reshape(-1, RECORD_WORDS)
    return [int(record[5]) for record in records if record[0] == PARALLEL_LAUNCH]


def test_results_and_chunks_do_not_depend_on_threads() -> None:
    lhs, rhs = operands()
    one, two = compiled(LARGE, threads=1), compiled(LARGE, threads=2)
    assert chunks_of(one) == chunks_of(two)
    assert chunks_of(one)[0] > 1
    for executable in (one, two):
        np.testing.assert_array_equal(executable(lhs, rhs), expected(lhs, rhs))


def test_threads_are_bounded_by_the_pool() -> None:
    executable = compiled(LARGE, threads=1000)
    assert executable.threads == executable.runtime.pool.size
    assert compiled(LARGE, threads=1).threads == 1
    with pytest.raises(sm.ArgumentError, match="at least one thread"):
        compiled(LARGE, threads=0)


def test_sixteen_callers_get_their_own_results() -> None:
    executable = compiled(LARGE)
    wrong: list[int] = []

    def call(seed: int) -> None:
        lhs, rhs = operands(seed)
        for _ in range(5):
            if not np.array_equal(executable(lhs, rhs), expected(lhs, rhs)):
                wrong.append(seed)

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_sixteen_callers_of_a_brief_program_get_their_own_results() -> None:
    executable = compiled(LARGE.replace(str(SIZE), "40"))
    wrong: list[int] = []

    def call(seed: int) -> None:
        lhs, rhs = (operand[:40].copy() for operand in operands(seed))
        kept = [executable(lhs, rhs) for _ in range(200)]
        if not all(np.array_equal(item, expected(lhs, rhs)) for item in kept):
            wrong.append(seed)

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_large_copies_are_whole() -> None:
    size = (1 << 18) + 13
    text = f"""func.func @main(%a: tensor<{size}xf32>) -> tensor<{size}xf32> {{
      return %a : tensor<{size}xf32>
    }}"""
    array = np.random.default_rng(0).random(size, np.float32)
    np.testing.assert_array_equal(compiled(text)(array), array)


def in_child(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a Python program that has ``LARGE`` and what stands here at hand."""
    preamble = (
        "from tests.compiler.runtime.test_runtime import *\nimport os, signal, threading, time\n"
        # who starts the tests in the background may have it ignored
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    )
    path = os.pathsep.join([str(SOURCE), str(Path(__file__).parents[3])])
    return subprocess.run(
        [sys.executable, "-c", preamble + program, *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


SETTINGS = """
import ctypes, ctypes.util
libm = ctypes.CDLL(ctypes.util.find_library("m"))
UPWARD = {"x86_64": 0x800, "aarch64": 0x400000}[os.uname().machine]
"""
ONE_STEP = """func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


@pytest.mark.skipif(sys.platform != "linux", reason="numbers of rounding modes are Linux's")
@pytest.mark.parametrize("size", [4, SIZE])
def test_settings_of_the_caller_change_no_result(size: int) -> None:
    done = in_child(
        SETTINGS
        + """
size = int(sys.argv[1])
text = ONE_STEP.replace("tensor<4x", f"tensor<{size}x")
one, little = np.ones(size, np.float32), np.full(size, 1e-10, np.float32)
assert libm.fesetround(UPWARD) == 0  # workers inherit it
for threads in (1, 2):
    executable = compiled(text, threads=threads)
    assert np.array_equal(executable(one, little), one), threads
    assert np.array_equal(executable(one, little), one), threads
    assert libm.fegetround() == UPWARD
assert np.any(one[:4] + little[:4] != one[:4])
print("right")
""",
        str(size),
    )
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_child_of_a_fork_starts_its_own_workers() -> None:
    done = in_child(
        """
executable = compiled(LARGE)
lhs, rhs = operands()
right = expected(lhs, rhs)
assert np.array_equal(executable(lhs, rhs), right)
pool = executable.runtime.pool
assert pool.workers == pool.size - 1
child = os.fork()
if child == 0:
    fine = pool.workers == 0 and np.array_equal(executable(lhs, rhs), right)
    os._exit(0 if fine and pool.workers == pool.size - 1 else 1)
assert os.waitpid(child, 0)[1] == 0
assert np.array_equal(executable(lhs, rhs), right)
print("fine")
""",
        STABLEMATE_THREADS="2",
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr


def test_the_process_ends_while_threads_compute() -> None:
    done = in_child(
        """
executable = compiled(LARGE)
lhs, rhs = operands()
def call():
    while True:
        executable(lhs, rhs)
for _ in range(3):
    threading.Thread(target=call, daemon=True).start()
time.sleep(0.2)
print("fine")
""",
        STABLEMATE_THREADS="3",
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr


@pytest.mark.standard
def test_the_environment_bounds_the_pool() -> None:
    program = """
executable = compiled(LARGE)
lhs, rhs = operands()
assert np.array_equal(executable(lhs, rhs), expected(lhs, rhs))
print(executable.threads, executable.runtime.pool.workers)
"""
    assert in_child(program, STABLEMATE_THREADS="1").stdout == "1 0\n"
    assert in_child(program, STABLEMATE_THREADS="5").stdout == "5 4\n"
    unclear = in_child(program, STABLEMATE_THREADS="few").stderr
    assert "STABLEMATE_THREADS is 'few', not a whole number of 1 or more: it is ignored" in unclear
    assert in_child(program, STABLEMATE_THREADS="5", STABLEMATE_PIN="0").stdout == "5 4\n"


@pytest.mark.parametrize("endless", ["ENDLESS", "LARGE"])
def test_an_interrupt_stops_a_running_program(endless: str) -> None:
    done = in_child(
        f"""
executable = compiled({endless})
arguments = operands() if {endless} is LARGE else (np.int32(0),)
executable.instance()
try:
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    while True:
        executable(*arguments)
except KeyboardInterrupt:
    print("stopped")
if {endless} is LARGE:
    assert np.array_equal(executable(*arguments), expected(*arguments))
"""
    )
    assert (done.returncode, done.stdout) == (0, "stopped\n"), done.stderr


def test_a_launch_goes_on_where_time_interrupted_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from stablemate.compiler.runtime import signal_polling as pace

    lhs, rhs = operands()
    seen: list[int] = []
    monkeypatch.setattr(pace.TickClock, "read", lambda self, ticks: seen.append(ticks))
    for threads in (1, 2):
        executable = compiled(LARGE, threads=threads)
        monkeypatch.setattr(pace.CLOCK, "ticks", 1 << 12)
        seen.clear()
        np.testing.assert_array_equal(executable(lhs, rhs), expected(lhs, rhs))
        assert seen


@pytest.mark.parametrize("limit", [0, 1, 7, 1000])
def test_a_loop_that_runs_too_long_is_the_interpreters_error(limit: int) -> None:
    module = sm.load(ENDLESS)
    messages: list[str] = []
    for backend in ("interpreter", "cpu"):
        with pytest.raises(sm.StablemateError) as caught:
            module.run(np.int32(0), backend=backend, max_iterations=limit)
        messages.append(f"{type(caught.value).__name__}: {caught.value}")
    assert messages[0] == messages[1]


@pytest.mark.parametrize("limit", [None, 0, 3, 4, 5, 16])
def test_iterations_are_counted_from_each_entry_of_a_loop(limit: int | None) -> None:
    module = sm.load(NESTED)
    for size in (0, 1, 4):
        collected: list[Any] = []
        for backend in ("interpreter", "cpu"):
            try:
                collected.append(
                    int(module.run(np.int32(size), backend=backend, max_iterations=limit))
                )
            except sm.StablemateError as error:
                collected.append(str(error))
        assert collected[0] == collected[1]


def test_requests_fail_as_they_do_in_the_interpreter() -> None:
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>
      return %a : tensor<2xf32>
    }"""
    executable = compiled(text)
    assert any(isinstance(step, Request) for step in executable.plan.steps)
    right = np.array([1, 2], np.float32)
    np.testing.assert_array_equal(executable(right), right)
    messages: list[str] = []
    for run in (executable, sm.load(text).run):
        with pytest.raises(sm.EvaluationError) as caught:
            run(right + 1)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    np.testing.assert_array_equal(executable(right), right)

"""Threads that compile, call, clear caches and raise in callbacks, and end in every order.

``python -m tests.reliability.threads --seconds 3600 --seed 1``: each program runs in a child
process, and draws its threads, handlers, actions and its end at random. An exit by a signal, a
hang, a wrong value or an exception that no action expects is a finding, which is printed with the
number that repeats it: ``--first I --programs 1``. ``--platform cpu`` runs the same programs on
XLA's client.

Python ends daemon threads where they are, and frames of jaxlib that such an end unwinds use Python
without its lock: with XLA's client, more than half of such programs crash. A crash of a thread
without a frame of Python is therefore none of ours in a program with daemon threads, or whose wait
for the others Ctrl-C has ended; it is counted.

JAX drops constants of a trace in ``weakref.finalize`` handlers, all of which Python calls as it
ends. What a daemon thread traces then lacks a constant, and JAX raises ``KeyError: Var(...)``, with
XLA's client too (``test_a_trace_loses_its_constants_as_with_xla``); it is counted.

Most children are forked from this process, which has imported JAX but asked it for nothing; every
fifth is a new process, whose first handlers are older than the import of JAX.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Seconds, after which a program hangs; a machine with much else to do needs more.
PATIENCE: Final = float(os.environ.get("PATIENCE", "120"))
PAUSE: Final = 0.01  # seconds between two looks at a child
FRESH: Final = 5  # one in so many programs runs in a process of its own
UNWINDING: Final = "threads that crash while they are unwound"
LOST: Final = "traces that lose constants as Python ends"
IN_JAX: Final = (UNWINDING, LOST)  # what XLA's client shows too
# Either faulthandler shows such a thread, or the C library says that something caught its end.
UNWOUND: Final = re.compile(
    r"hread 0x\w+ \(most recent call first\):\n  <no Python frame>|FATAL: exception not rethrown"
)
HEAD: Final = """
import faulthandler; faulthandler.enable()
import atexit, gc, logging, os, signal, sys, threading, time, traceback, weakref
logging.disable()
gc.set_threshold(int(os.environ.get("COLLECTION_THRESHOLD", gc.get_threshold()[0])))
main = threading.main_thread()
def attempt(name, number):
    try:
        ACTIONS[name](number)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if lacks_constant(error):
            print("LOST", name, flush=True)
        elif not INTERRUPTS or "KeyboardInterrupt" not in str(error) and not is_interrupted(error):
            print("BAD", name, "".join(traceback.format_exception(error)), flush=True)
def is_interrupted(error):
    return "deleted" in str(error) or isinstance(error.__context__, KeyboardInterrupt)
def lacks_constant(error):
    has_ended = threading.current_thread().daemon and not main.is_alive()
    return has_ended and isinstance(error, KeyError) and str(error).startswith("Var(")
class Owner: pass
owners = []
"""
# Actions take a number, so that some programs are new and others are compiled already.
ACTIONS: Final = """
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
def expect(value, wanted):
    if not np.allclose(np.asarray(value), wanted):
        raise AssertionError(f"{np.asarray(value)} instead of {wanted}")
shape = jax.ShapeDtypeStruct((4,), np.float32)
ones = np.ones(4, np.float32)
add = jax.jit(lambda v, k: v + k)
host = jax.jit(lambda v, k: jax.pure_callback(lambda a, b: np.asarray(a) + b, shape, v, k))
def broken(a): raise ValueError("boom")
raising = jax.jit(lambda v: jax.pure_callback(broken, shape, v))
sides = jax.jit(lambda v: io_callback(lambda a: np.asarray(a) * 2, shape, v, ordered=True))
loop = jax.jit(lambda v: jax.lax.fori_loop(0, 3000, lambda i, a: jnp.cos(a), v))
def printing(v):
    jax.debug.callback(lambda a: None, v[0])
    return v * 3
printing = jax.jit(printing)
def call(k): expect(add(ones, np.float32(k)), 1 + k)
def compile(k): expect(jax.jit(lambda v: jnp.flip(v) * k + k)(ones), 2 * k)
def callback(k): expect(host(ones, np.float32(k)), 1 + k)
def new_callback(k):
    f = jax.jit(lambda v: jax.pure_callback(lambda a: np.asarray(a) * k, shape, v))
    expect(f(ones), k)
def io(k): expect(sides(ones), 2)
def debug(k): expect(printing(ones), 3)
def raises(k):
    try: raising(ones).block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        if "boom" not in str(error): raise
    else: raise AssertionError("no exception")
def transfer(k): expect(jax.device_put(np.full(1000 * k, k, np.float32))[-1], k)
def delete(k):
    x = jnp.full(1 << 15, k, np.float32)
    y = x + 1
    x.delete()
    expect(y[0], k + 1)
def long(k): expect(loop(jnp.ones(500))[0], 0.739085)
def start(k): loop(jnp.full(500, k, np.float32))
def clear(k): jax.clear_caches()
def gradient(k): expect(jax.grad(lambda v: (v ** 2).sum() * k)(ones), 2 * k)
def lower(k): jax.jit(lambda v: v @ v.T * k).lower(jnp.ones((k + 1, 4))).compile()
names = "call compile callback new_callback io debug raises transfer delete long start clear"
ACTIONS = {name: globals()[name] for name in (names + " gradient lower").split()}
"""
OWN_ACTIONS: Final = """
import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
text = '''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %k = stablehlo.constant dense<NUMBER.0> : tensor<4xf32>
  %0 = stablehlo.add %a, %k : tensor<4xf32>
  return %0 : tensor<4xf32>
}'''
def sm_compile(k):
    executable = sm.compile(sm.load(text.replace("NUMBER", str(k))), backend="cpu")
    if not isinstance(executable, CompiledExecutable): raise AssertionError("it is interpreted")
    expect(executable(ones), 1 + k)
def sm_run(k): expect(sm.run(text.replace("NUMBER", str(k)), ones, backend="interpreter"), 1 + k)
def sm_jit(k): expect(sm.jit(lambda v: jnp.sin(v) * k)(ones), np.sin(1) * k)
grid = '''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %k = stablehlo.constant dense<NUMBER.0> : tensor<4xf32>
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %k : tensor<4xf32>
  return %1 : tensor<4xf32>
}'''
def sm_grid(k):
    for backend in ("cpu", "interpreter"):
        results = sm.run_grid(
            grid.replace("NUMBER", str(k)), [(ones,), (ones,), (ones * k,)], replicas=3,
            backend=backend,
        )
        for result in results: expect(result, (2 + k) * k)
ACTIONS |= {"sm_compile": sm_compile, "sm_run": sm_run, "sm_jit": sm_jit, "sm_grid": sm_grid}
"""
JAX_NAMES: Final = (
    "call", "compile", "callback", "new_callback", "io", "debug", "raises", "transfer", "delete",
    "long", "start", "clear", "gradient", "lower",
)  # fmt: skip
OWN_NAMES: Final = ("sm_compile", "sm_run", "sm_jit", "sm_grid")
# When a thread or a handler acts; ``ACT`` is a call of ``act`` with its own actions.
MOMENTS: Final = {
    "thread": "threading.Thread(target=lambda: ACT).start()\n",
    "daemon": "threading.Thread(target=lambda: ACT, daemon=True).start()\n",
    "after main": "threading.Thread(target=lambda: (main.join(), ACT)).start()\n",
    "exiting": "threading.Thread(target=lambda: (ACT, sys.exit())).start()\n",
    "main": "ACT\n",
    "atexit": "atexit.register(lambda: ACT)\n",
    "finalize": "owners.append(Owner()); weakref.finalize(owners[-1], lambda: ACT)\n",
    "threading atexit": "threading._register_atexit(lambda: ACT)\n",
    "signal": "signal.signal(signal.SIGUSR1, lambda *_: ACT); signal.raise_signal(signal.SIGUSR1)\n",  # noqa: E501
    "excepthook": "sys.excepthook = lambda *_: ACT\n",
}
EARLY: Final = ("atexit", "finalize", "threading atexit")  # may be registered before the import
THREADS: Final = ("thread", "daemon", "after main", "exiting")
# What works in the child of a fork: no thread of jaxlib's is there to compile a program of JAX.
FORKED: Final = ("call", "callback", "raises", "io", "debug", "sm_compile", "sm_run", "sm_grid")
ACT: Final = """
def act(*pairs):
    for name, number, pause in pairs:
        attempt(name, number)
        time.sleep(pause)
"""
# How the main thread ends, and the exit code.
ENDS: Final = {
    "return": ("", 0),
    "exit": ("sys.exit(3)", 3),
    "error": ("sys.stderr = open(os.devnull, 'w'); raise ValueError", 1),
    "os exit": ("os._exit(4)", 4),
    "interrupt": ("", 0),
    "fork": ("FORK", 0),
}
FORK: Final = """
for name in "call callback raises io debug".split(): attempt(name, 1)
child = os.fork()
if child == 0:
    ACT
    os._exit(0)  # no handler: most of them compile
status = os.waitpid(child, 0)[1]
if status: print("BAD fork", status, flush=True)
"""
# Ctrl-C after a time; what it interrupts in the main thread ends there.
INTERRUPT: Final = """
def press():
    time.sleep(DELAY)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A program of a child process.

    Attributes:
        text: The program.
        code: Its exit code.
        is_interrupted: Whether Ctrl-C reaches it, which may end it anywhere.
        has_daemons: Whether it has daemon threads.
        is_fresh: Whether it runs in a process of its own.
    """

    text: str
    code: int
    is_interrupted: bool
    has_daemons: bool
    is_fresh: bool


def program(seed: int, number: int, *, own: bool, ends: Sequence[str] = tuple(ENDS)) -> Program:
    """A program.

    Args:
        seed: The seed of the campaign.
        number: Which program of it.
        own: Whether it calls stablemate directly too.
        ends: How it may end.
    """
    drawn = random.Random(f"{seed} {number}")
    end = drawn.choice(ends)
    names = JAX_NAMES + OWN_NAMES if own else JAX_NAMES
    code, status = ENDS[end]
    moments = [name for name in MOMENTS if end != "fork" or name not in THREADS]
    has_daemons = False
    early: list[str] = []
    late: list[str] = []
    for _ in range(drawn.randint(1, 5)):
        moment = drawn.choice(moments)
        has_daemons |= moment == "daemon"
        where = early if moment in EARLY and drawn.random() < 0.5 else late
        where.append(MOMENTS[moment].replace("ACT", actions(drawn, names)))
    parts = [HEAD, f"INTERRUPTS = {end == 'interrupt'}\n", ACT, *early, ACTIONS]
    if own:
        parts.append(OWN_ACTIONS)
    if end == "interrupt":
        parts.append(INTERRUPT.replace("DELAY", f"{drawn.uniform(0, 3):.3f}"))
    parts += late
    forked_names = [name for name in names if name in FORKED]
    parts.append(code.replace("FORK", FORK.replace("ACT", actions(drawn, forked_names))))
    return Program("".join(parts), status, end == "interrupt", has_daemons, number % FRESH == 0)


def actions(drawn: random.Random, names: Sequence[str]) -> str:
    """A call that runs some actions one after the other."""
    pairs = [
        (drawn.choice(names), drawn.randint(1, 6), drawn.choice((0, 0, 0.001, 0.01)))
        for _ in range(drawn.randint(1, 8))
    ]
    return f"act({', '.join(map(str, pairs))})"


class ChildProgram(Exception):
    """The text that a forked child runs, once it has left the frames of the campaign."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a child ended; a hang has no code."""

    code: int | None
    output: str


def run(child: Program) -> Outcome:
    """Runs a program in a child process."""
    with tempfile.TemporaryFile("w+") as output:
        descriptor = output.fileno()
        if child.is_fresh:
            command = [sys.executable, "-W", "ignore", "-c", child.text]
            process = subprocess.Popen(
                command, stdout=descriptor, stderr=descriptor, process_group=0
            ).pid
        else:
            process = forked(child.text, descriptor)
        code = awaited(process)
        output.seek(0)
        return Outcome(code, output.read())


def forked(text: str, output: int) -> int:
    """A forked child that runs a program as if it were its main module.

    Raises:
        ChildProgram: This is the child.
    """
    process = os.fork()
    if process:
        return process
    os.setpgid(0, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    raise ChildProgram(text)


def awaited(process: int) -> int | None:
    """The exit code of a child, negative if it is a signal; None if it had to be killed."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(PAUSE)
    os.kill(process, signal.SIGABRT)  # faulthandler writes where all threads are
    os.waitpid(process, 0)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)  # its own children
    return None


def fault(child: Program, outcome: Outcome) -> str | None:
    """What is wrong with an outcome; None if nothing is."""
    if outcome.code is None:
        return "hang"
    if child.is_interrupted and outcome.code in (*range(0, 256), -signal.SIGINT):
        return None
    bad = next((line for line in outcome.output.splitlines() if line.startswith("BAD ")), None)
    if bad is not None:
        return bad
    if outcome.code < 0:
        ends_threads = child.has_daemons or child.is_interrupted
        is_unwound = ends_threads and UNWOUND.search(outcome.output)
        return UNWINDING if is_unwound else signal.Signals(-outcome.code).name
    if outcome.code != child.code:
        return f"exit code {outcome.code}, not {child.code}"
    if "LOST " in outcome.output:
        return LOST
    return "output" if outcome.output.strip() else None


def findings(
    seed: int, numbers: Iterator[int], *, own: bool, ends: Sequence[str] = tuple(ENDS)
) -> Iterator[tuple[int, str | None, str]]:
    """Runs programs: the number of each, what is wrong with it, and what it has written."""
    for number in numbers:
        child = program(seed, number, own=own, ends=ends)
        outcome = run(child)
        yield number, fault(child, outcome), outcome.output


def numbers_until(first: int, programs: int, seconds: float) -> Iterator[int]:
    """The numbers of programs, as many as there are or as the time allows."""
    deadline = time.monotonic() + seconds
    for number in range(first, first + programs):
        if time.monotonic() > deadline:
            return
        yield number


def main() -> int:
    """Runs programs and prints what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--programs", type=int, default=1 << 30)
    parser.add_argument("--platform", default="stablemate")
    parser.add_argument("--ends", default=",".join(ENDS))
    parser.add_argument("--threshold", type=int, help="of Python's collector; 10 collects often")
    parser.add_argument("--keep", type=Path, help="a directory for programs with findings")
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = options.platform
    if options.threshold is not None:
        os.environ["COLLECTION_THRESHOLD"] = str(options.threshold)
    own = options.platform == "stablemate"
    import_ahead(own=own)
    counter: Counter[str] = Counter()
    numbers = numbers_until(options.first, options.programs, options.seconds)
    ends = options.ends.split(",")
    for number, wrong, output in findings(options.seed, numbers, own=own, ends=ends):
        counter["programs"] += 1
        if wrong is None or wrong in IN_JAX:
            counter.update([wrong] if wrong else [])
            continue
        counter["findings"] += 1
        print(f"--first {number} --programs 1 --seed {options.seed}: {wrong}\n{output}", flush=True)
        if options.keep is not None:
            options.keep.mkdir(exist_ok=True)
            text = program(options.seed, number, own=own, ends=ends).text
            (options.keep / f"{options.seed}_{number}.py").write_text(text)
    print(json.dumps({"seed": options.seed, "platform": options.platform, **counter}))
    return 1 if counter["findings"] else 0


def import_ahead(*, own: bool) -> None:
    """Imports what forked children need, without asking JAX for anything."""
    import warnings

    import jax.experimental  # noqa: F401

    warnings.simplefilter("ignore")
    if own:
        import stablemate.pjrt.capsule
        import stablemate.pjrt.plugin  # noqa: F401


def run_as_main(text: str) -> None:
    """Runs a text as the main module of this process."""
    sys.argv = ["program"]
    namespace = sys.modules["__main__"].__dict__
    for name in [name for name in namespace if not name.startswith("__")]:
        del namespace[name]
    exec(compile(text, "program", "exec"), namespace)


if __name__ == "__main__":
    try:
        CODE = main()
    except ChildProgram as CHILD:
        TEXT = str(CHILD)
    else:
        sys.exit(CODE)
    run_as_main(TEXT)

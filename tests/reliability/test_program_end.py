"""The end of a program: handlers, threads and children work as with XLA's client, and end.

``python -m tests.reliability.threads`` draws programs like these at random.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.reliability.threads import (
    ACT,
    ACTIONS,
    EARLY,
    FORKED,
    HEAD,
    JAX_NAMES,
    MOMENTS,
    OWN_ACTIONS,
    OWN_NAMES,
)

pytestmark = [
    pytest.mark.standard,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork"),
]
ROOT: Final = Path(__file__).parents[2]
ALL: Final = f"act({', '.join(str((name, 2, 0)) for name in JAX_NAMES + OWN_NAMES)})"
JAX_CALLS: Final = f"act({', '.join(str((name, 2, 0)) for name in JAX_NAMES)})"
FORKED_CALLS: Final = f"act({', '.join(str((name, 2, 0)) for name in FORKED)})"
HEADS: Final = HEAD + "INTERRUPTS = False\n" + ACT
IN_CHILD: Final = "child = os.fork()\nif child == 0:\n    {}\n"
AWAIT_CHILD: Final = "assert os.waitpid(child, 0)[1] == 0\n"
CHILDREN: Final = {
    "child of a fork": IN_CHILD.format("ACT; sys.exit()") + AWAIT_CHILD,
    "handler in a child": IN_CHILD.format("atexit.register(lambda: ACT); sys.exit()") + AWAIT_CHILD,
    "thread in a child": IN_CHILD.format(
        "threading.Thread(target=lambda: (main.join(), ACT)).start(); sys.exit()"
    )
    + AWAIT_CHILD,
    "child of a handler": f"def late():\n    {IN_CHILD}    {AWAIT_CHILD}".format(
        "    ACT; os._exit(0)"
    ).replace("\nif", "\n    if")
    + "atexit.register(late)\n",
    "multiprocessing": (
        "import multiprocessing\n"
        "child = multiprocessing.get_context('fork').Process(target=lambda: ACT)\n"
        "child.start(); child.join(); assert child.exitcode == 0\n"
    ),
    "os exit": "ACT\nos._exit(0)\n",
}
LATE: Final = MOMENTS | CHILDREN
# Daemon threads and the excepthook run nothing to its end.
COMPLETE: Final = sorted(LATE.keys() - {"daemon", "excepthook"})


def run(text: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of JAX on this platform, which writes warnings."""
    return subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=300, check=False,
        env=os.environ | {"JAX_PLATFORMS": "stablemate", "PYTHONWARNINGS": WARNINGS} | variables,
    )  # fmt: skip


WARNINGS: Final = "default,ignore::RuntimeWarning,ignore::DeprecationWarning"  # JAX's, of forks


def check(text: str, expected: str = "") -> None:
    """Checks that a program exits with 0 and writes what it should."""
    done = run(text)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


@pytest.mark.parametrize("use", ["first", "later"])
@pytest.mark.parametrize("moment", COMPLETE)
def test_everything_works(moment: str, use: str) -> None:
    """All actions run in a moment, which are the first of the process or not."""
    is_late_child = use == "later" and moment in CHILDREN
    calls = FORKED_CALLS if is_late_child else ALL
    before = f"{calls}\n" if use == "later" else ""
    marked = LATE[moment].replace("ACT", f"({calls}, print('done', flush=True))")
    check(HEADS + ACTIONS + OWN_ACTIONS + before + marked, "done\n")


@pytest.mark.parametrize("use", ["first", "later"])
@pytest.mark.parametrize("moment", EARLY)
def test_everything_works_in_handlers_that_are_older_than_the_import(moment: str, use: str) -> None:
    before = f"{ALL}\n" if use == "later" else ""
    marked = MOMENTS[moment].replace("ACT", f"({ALL}, print('done', flush=True))")
    check(HEADS + marked + ACTIONS + OWN_ACTIONS + before, "done\n")


@pytest.mark.parametrize(
    "moment",
    [
        "threading.Thread(target=lambda: (main.join(), late())).start()",
        "atexit.register(late)",
        "threading._register_atexit(late)",
    ],
)
def test_jax_is_imported_at_the_end(moment: str) -> None:
    source = f"SOURCE = {ACTIONS + OWN_ACTIONS!r}\n"
    late = f"def late():\n    exec(SOURCE, globals())\n    {ALL}\n    print('done')\n"
    check(HEADS + source + late + moment, "done\n")


DOORS: Final = """
import atexit, os, sys, tempfile, threading
main = threading.main_thread()
TEXT = '''func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}'''
def late():
    import jax.numpy as jnp, numpy as np, stablemate as sm
    ones = np.ones(4, np.float32)
    place = tempfile.mkdtemp() + "/"
    m = sm.parse(TEXT)
    doors = {
        "run": lambda: sm.run(m, ones),
        "interpreter": lambda: sm.run(m, ones, backend="interpreter"),
        "check": lambda: sm.compile(m, check=True)(ones),
        "threads": lambda: sm.compile(m, threads=2)(ones),
        "grid": lambda: sm.run_grid(m, [(ones,), (ones,)], replicas=2),
        "hlo": lambda: m.to_hlo().run(ones),
        "artifact": lambda: sm.load(m.to_artifact("1.0.0")).run(ones),
        "jit": lambda: sm.jit(lambda v: jnp.sin(v) * 3)(ones),
        "from_jax": lambda: sm.from_jax(jnp.sin, ones).run(ones),
        "trace": lambda: sm.trace(m, ones).save(place + "trace"),
        "find_nan": lambda: sm.find_nan(m, ones),
        "profile": lambda: sm.profile(sm.compile(m), ones),
        "compare": lambda: sm.compare(m, ones, against="xla"),
        "bisect": lambda: sm.bisect(m, ones),
        "reduce": lambda: sm.reduce(m, lambda _: True),
        "cost": lambda: sm.cost(m),
        "view": lambda: sm.view(m).save(place + "page.html"),
        "build": lambda: sm.build(m, place + "library", static=True),
        "save": lambda: sm.save(m, place + "m.mlirbc"),
        "load": lambda: sm.load(place + "m.mlirbc").run(ones),
        "opt": lambda: sm.opt(m, ["cse"]),
    }
    for name, door in doors.items():
        try: door()
        except BaseException as error: print(name, repr(error), flush=True)
    print("done", flush=True)
"""


@pytest.mark.parametrize(
    "moment",
    ["threading.Thread(target=lambda: (main.join(), late())).start()", "atexit.register(late)"],
)
def test_every_door_is_used_first_after_the_main_thread(moment: str, tmp_path: Path) -> None:
    done = run(DOORS + moment, STABLEMATE_CACHE_DIR=str(tmp_path), TMPDIR=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


XLA_ENDS: Final = """
import numpy as np, stablemate as sm
from stablemate.bridges import xla
m = sm.parse("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {return %a : tensor<2xf32>}")
ones = np.ones(2, np.float32)
xla.run_in_xla(m, [ones])
xla.worker().process.kill()
try: xla.run_in_xla(m, [ones])
except sm.EvaluationError as error: print(error)
print(*xla.run_in_xla(m, [ones]))
xla.worker().process.kill()
"""


def test_a_process_of_xla_that_ends_is_replaced_and_leaves_no_warning() -> None:
    check(XLA_ENDS, "XLA ended by SIGKILL on this program\n[1. 1.]\n")


LAST: Final = """
class Last:
    def __del__(self, values=jnp.ones(4), write=os.write):
        values.delete()
        write(1, b"deleted" if values.is_deleted() else b"alive")
"""
OWNERS: Final = {
    "the main module": "last = Last()",
    "a cycle": "last = Last(); last.last = last",
    "another module": "sys.kept = Last()",
}


@pytest.mark.parametrize("owner", OWNERS)
def test_objects_are_finalized_while_modules_are_torn_down(owner: str) -> None:
    """As with XLA, functions of Python that programs call keep no object alive."""
    check(HEADS + ACTIONS + f"{JAX_CALLS}\n" + LAST + OWNERS[owner], "deleted")


EXECUTABLE: Final = "executable = sm.compile(sm.load(text.replace('NUMBER', '3')))\n"
DAEMONS: Final = """
FIRST
def endless():
    while True: ACT
for _ in range(3): threading.Thread(target=endless, daemon=True).start()
time.sleep(PAUSE)
"""


ENDLESS: Final = ("sm_compile(2)", "sm_run(2)", "executable(ones)")


@pytest.mark.parametrize("pause", [0.05, 0.4, 1.5])
@pytest.mark.parametrize("act", ENDLESS)
def test_daemon_threads_do_not_delay_or_break_the_end(act: str, pause: float) -> None:
    """Calls of JAX may abort there in jaxlib's own code, with XLA's client too."""
    text = DAEMONS.replace("FIRST", act).replace("ACT", act).replace("PAUSE", str(pause))
    check(HEADS + ACTIONS + OWN_ACTIONS + EXECUTABLE + text)


LOST_CONSTANT: Final = """
import atexit, threading, time
atexit.register(time.sleep, 2)  # older than the handler of weakref.finalize: runs after it
import jax, numpy as np
main = threading.main_thread()
def square(v):
    squares = v ** 2
    main.join()
    time.sleep(0.5)
    return squares.sum()
def work():
    try: print(jax.grad(square)(np.ones(2, np.float32)), flush=True)
    except KeyError: print("KeyError", flush=True)
jax.grad(lambda v: (v ** 2).sum())(np.ones(2, np.float32))
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


def test_a_trace_loses_its_constants_as_with_xla() -> None:
    """Python finalizes the constants of JAX's traces when it ends, which a daemon thread sees."""
    with_xla = run(LOST_CONSTANT, JAX_PLATFORMS="cpu").stdout
    assert with_xla in ("KeyError\n", "[2. 2.]\n")
    assert run(LOST_CONSTANT).stdout == with_xla


PRESS: Final = """
import jax, jax.numpy as jnp, os, signal, sys, threading
loop = jax.jit(lambda v: jax.lax.while_loop(
    lambda a: a[1] < 30000, lambda a: (jnp.sin(a[0]), a[1] + a[2], a[2]), v))
endless, finite = [(jnp.ones(1000), jnp.int32(0), jnp.int32(step)) for step in (0, 1)]
def press(seconds): threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
"""


def test_ctrl_c_ends_an_endless_loop_where_it_is_called() -> None:
    """The exception comes from the call, and the next call works."""
    text = """
press(1)
try: loop(endless)
except KeyboardInterrupt: print("interrupted")
print(int(loop(finite)[1]), int(loop(finite)[1]))
"""
    check(PRESS + text, "interrupted\n30000 30000\n")


def test_exceptions_of_signal_handlers_end_a_loop() -> None:
    text = """
def handle(*_): raise TimeoutError("too late")
signal.signal(signal.SIGALRM, handle)
signal.alarm(1)
try: loop(endless)
except TimeoutError as error: print(error)
print(int(loop(finite)[1]))
"""
    check(PRESS + text, "too late\n30000\n")


def test_ctrl_c_keeps_results_that_are_on_their_way() -> None:
    """A program in the background comes to its end: its results may be all that there is."""
    text = """
slow = (jnp.ones(100000), *finite[1:])
for _ in range(2): loop(slow)[1].block_until_ready()
press(0.2)
result = loop(slow)
try: print(int(result[1]), "came before Ctrl-C")
except KeyboardInterrupt: print(int(result[1]))
"""
    check(PRESS + text, "30000\n")


@pytest.mark.parametrize("wait", ["block_until_ready()", "item()"])
def test_ctrl_c_ends_a_process_that_waits_for_an_endless_loop(wait: str) -> None:
    text = f"""
for _ in range(2): loop(finite)[1].block_until_ready()
result = loop(endless)
press(1)
result[1].{wait}
"""
    done = run(PRESS + text)
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith("KeyboardInterrupt"), done.stderr


def test_ctrl_c_abandons_a_compilation_without_a_warning(tmp_path: Path) -> None:
    text = """
from stablemate.pjrt.abandoned_compilations import WATCH
import time
compiled = jax.jit(lambda v: sum(jnp.sin(v * i) @ v for i in range(1500))).lower(jnp.ones((9, 9)))
press(1)
try: compiled.compile()
except KeyboardInterrupt: pass
while WATCH.waiting or WATCH.is_watching: time.sleep(0.01)
print("abandoned")
"""
    done = run(PRESS + text, STABLEMATE_CACHE_DIR=str(tmp_path), PYTHONWARNINGS="error")
    assert (done.returncode, done.stdout, done.stderr) == (0, "abandoned\n", "")
    programs = [path for path in tmp_path.iterdir() if path.suffix == ".program"]
    assert all(path.stat().st_size < 1 << 19 for path in programs)


def test_a_run_keeps_its_callbacks_while_caches_are_cleared() -> None:
    text = """
import time
sys.setswitchinterval(1e-4)
host = jax.jit(lambda v: jax.pure_callback(lambda a: np.asarray(a) * 2, shape, v))
deadline = time.monotonic() + 6
def work():
    while time.monotonic() < deadline: expect(host(ones), 2)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
while time.monotonic() < deadline:
    time.sleep(0.001)
    jax.clear_caches()
"""
    check("import sys, threading\n" + ACTIONS + text)


@pytest.mark.parametrize("seed", range(2))
def test_threads_that_end_in_every_order(seed: int) -> None:
    """A short form of the campaign."""
    command = ["-m", "tests.reliability.threads", "--programs", "8", "--seed", str(seed)]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=900, check=False,
        cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout

"""Compiled functions of PyTorch at the end of a process, and Ctrl-C while they run.

PyTorch itself compiles nothing for the first time after the main thread has returned, and nothing
in handlers that are older than its import, with its own backends either.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

pytestmark = pytest.mark.standard
END = """
import atexit, threading, weakref, torch, stablemate
def act(name):
    values = torch.arange(4.0, requires_grad=True)
    program = torch.compile(lambda v: (v**2).sum() * len(name), backend="stablemate")
    program(values).backward()
    assert torch.equal(values.grad, 2 * values.detach() * len(name)), values.grad
    print(name, flush=True)
class Owner: pass
owner = Owner()
act("a")
atexit.register(act, "late handler")
weakref.finalize(owner, act, "finalizer")
threading._register_atexit(act, "handler of threads")
main = threading.main_thread()
threading.Thread(target=lambda: (main.join(), act("thread after the main thread"))).start()
"""
LOOP = """
import os, signal, threading, torch, stablemate
from torch._higher_order_ops.while_loop import while_loop
def repeat(values, limit):
    return while_loop(lambda v: v.sum() < limit, lambda v: (torch.cos(v),), (values,))
program = torch.compile(lambda v, limit: repeat(v, limit)[0], backend="stablemate")
ones = torch.ones(4)
never = torch.tensor(-1.0)
assert torch.equal(program(ones, never), ones)
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try: program(ones, torch.tensor(1e9))
except KeyboardInterrupt: print("interrupted")
assert torch.equal(program(ones, never), ones)
print("works")
"""


def lines(text: str) -> list[str]:
    """The lines that a program writes."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", text],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_programs_are_compiled_at_the_end_of_a_process() -> None:
    moments = ["finalizer", "handler of threads", "late handler", "thread after the main thread"]
    first, *others = lines(END)
    assert (first, sorted(others)) == ("a", moments)


def test_ctrl_c_ends_an_endless_loop() -> None:
    assert lines(LOOP) == ["interrupted", "works"]

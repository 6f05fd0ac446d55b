"""Ctrl-C at any time: what comes next works, and nothing is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from stablemate.compiler.fallback import reason_of

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timer")


def test_whatever_is_interrupted_works_afterwards() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.reliability.interrupted", "--rounds", "100"],
        capture_output=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert sum(document[name] for name in document if name.startswith("interrupted ")) > 20
    wrong = {name: n for name, n in document.items() if name.startswith("wrong ") and n}
    left = {name: n for name, n in document.items() if name.endswith(" left") and n > 0}
    assert (wrong, left) == ({}, {})


def test_an_interruption_that_ends_as_another_error_is_one() -> None:
    try:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")
    except RuntimeError as error:
        with pytest.raises(KeyboardInterrupt):
            reason_of(error)


LOOP: Final = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.while(%x = %a) : tensor<4xf32> cond {
    %p = stablehlo.constant dense<GOES> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    BODY
    stablehlo.return %y : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}"""
BODIES: Final = {
    "cosine": "%y = stablehlo.cosine %x : tensor<4xf32>",
    "all_reduce": """%y = "stablehlo.all_reduce"(%x) ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %s = stablehlo.maximum %b, %c : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>""",
}
DOORS: Final = {
    "run": "sm.run(text, ones, backend='{}')",
    "grid": "sm.run_grid(text, [(ones,), (ones,)], replicas=2, backend='{}')",
    "trace": "sm.trace(text, ones, backend='{}')",
    "find_nan": "sm.find_nan(text, ones, backend='{}')",
}
PRESS: Final = """
import os, signal, sys, threading, numpy as np, stablemate as sm
endless = {!r}
ones = np.ones(4, np.float32)
def call(text): return {}
call(endless.replace("GOES", "false"))
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try: call(endless.replace("GOES", "true"))
except KeyboardInterrupt: print("interrupted")
call(endless.replace("GOES", "false"))
print("works")
"""


@pytest.mark.standard
@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize(
    ("door", "body"), [*((door, "cosine") for door in DOORS), ("grid", "all_reduce")]
)
def test_ctrl_c_ends_an_endless_loop(door: str, body: str, backend: str) -> None:
    """The exception comes from the call, and the next call works."""
    text = PRESS.format(LOOP.replace("BODY", BODIES[body]), DOORS[door].format(backend))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\nworks\n", "")


# A program that takes seconds to compile on any processor.
LARGE: Final = """
import os, signal, sys, threading, stablemate as sm
lines = [
    f"  %s{i + 1} = stablehlo.sine %d{i} : tensor<9x9xf32>\\n"
    f"  %d{i + 1} = stablehlo.dot %s{i + 1}, %d0 : "
    "(tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>\\n"
    for i in range(12000)
]
module = sm.load(
    "func.func @main(%d0: tensor<9x9xf32>) -> tensor<9x9xf32> {\\n" + "".join(lines)
    + "  return %d12000 : tensor<9x9xf32>\\n}"
)
try:
    threading.Timer(DELAY, os.kill, (os.getpid(), signal.SIGINT)).start()
    sm.compile(module, backend="cpu")
except KeyboardInterrupt: print("interrupted")
"""


@pytest.mark.standard
@pytest.mark.parametrize("delay", [0, 0.2, 0.8, 1.6])
def test_ctrl_c_abandons_a_compilation_in_every_stage(tmp_path: Path, delay: float) -> None:
    """No warning is written, and nothing of the program is kept."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LARGE.replace("DELAY", str(delay))],
        capture_output=True, text=True, timeout=240, check=False,
        env=os.environ | {"STABLEMATE_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")
    assert all(path.stat().st_size < 1 << 16 for path in tmp_path.iterdir())


@pytest.mark.parametrize("seed", range(3))
def test_a_command_ends_with_130_and_leaves_no_file(tmp_path: Path, seed: int) -> None:
    program = tmp_path / "loop.mlir"
    program.write_text(
        "func.func @main(%i: tensor<i64>) -> tensor<i64> {\n"
        "  %0 = stablehlo.while(%x = %i) : tensor<i64> cond {\n"
        "    %p = stablehlo.constant dense<true> : tensor<i1>\n"
        "    stablehlo.return %p : tensor<i1>\n  } do {\n"
        "    %y = stablehlo.add %x, %x : tensor<i64>\n"
        "    stablehlo.return %y : tensor<i64>\n  }\n"
        "  return %0 : tensor<i64>\n}\n"
    )
    started = (
        "import runpy; print('started', flush=True); "
        "runpy.run_module('stablemate', run_name='__main__', alter_sys=True)"
    )
    command = [sys.executable, "-c", started, "run", str(program), "--input=1"]
    place = tmp_path / "out"
    place.mkdir()
    with subprocess.Popen(
        [*command, f"--output=@{place / 'y.npy'}", "--debug"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "STABLEMATE_CACHE_DIR": str(tmp_path / "cache")},
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"started\n"  # Ctrl-C has its handler
            time.sleep(random.Random(seed).uniform(0, 4))
            process.send_signal(signal.SIGINT)
            _, communicate_result = process.communicate(timeout=120)
        finally:
            process.kill()  # the loop has no end
    assert process.returncode in (130, -signal.SIGINT), communicate_result.decode()
    assert list(place.iterdir()) == []
    assert not list(tmp_path.rglob(".stablemate-*"))

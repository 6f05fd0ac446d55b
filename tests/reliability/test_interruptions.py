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

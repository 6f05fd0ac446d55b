"""Calls and compilations by the thousand leave nothing behind; results have the same bits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.long_runs import growth

linux = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system has no /proc")
LAUNCHER = Path(sys.executable).parent / "mpiexec"


@linux
def test_nothing_grows() -> None:
    reported = printed_by("tests.reliability.long_runs", "--calls", "20000", "--compiles", "20")
    assert reported["grown"] == []
    assert [call["done"] for call in reported["calls"]] == [2000, 18000]
    assert [row["done"] for row in reported["compiles"]] == [2, 18]


def test_what_grows_is_named() -> None:
    before = {"threads": 2, "files": 6, "objects": 10, "bytes": 1000}
    after = {"threads": 2, "files": 7, "objects": 20, "bytes": 1 << 30}
    assert list(growth({"calls": [before, before]})) == []
    assert list(growth({"calls": [before, after]})) == [
        "calls: files 6 -> 7",
        "calls: bytes 1000 -> 1073741824",
    ]


@pytest.mark.standard
def test_bits_are_the_same_on_every_run_thread_count_and_carrier(tmp_path: Path) -> None:
    """Compiled anew, from the cache, by one thread and several, in one process and by ranks."""
    runs = [
        printed_by("tests.reliability.same_bits", "--threads", threads, cache=tmp_path)
        for threads in ("1", "2", "1")
    ]
    runs.append(
        printed_by("tests.reliability.same_bits", "--threads", "2", cache=tmp_path / "another")
    )
    assert len(runs[0]) >= 3
    for run in runs[1:]:
        assert run == runs[0]
    launch = [str(LAUNCHER), "-n", "2"]
    ranks = printed_by("tests.reliability.same_bits", "--mpi", launch=launch, cache=tmp_path)
    assert ranks == {name: run for name, run in runs[0].items() if name.startswith("grid")}


def printed_by(
    module: str, *options: str, launch: list[str] | None = None, cache: Path | None = None
) -> dict[str, Any]:
    """What a command prints."""
    done = subprocess.run(
        [*(launch or []), sys.executable, "-m", module, *options],
        capture_output=True,
        check=False,
        env={**os.environ, **({"STABLEMATE_CACHE_DIR": str(cache)} if cache else {})},
    )
    assert done.returncode == 0, done.stderr.decode()
    document: dict[str, Any] = json.loads(done.stdout)
    return document

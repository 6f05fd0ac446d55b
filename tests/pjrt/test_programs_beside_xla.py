"""Values, shardings and errors of programs are those of XLA's CPU client."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ALL = pytest.param([], marks=pytest.mark.standard)


@pytest.mark.parametrize("names", [["layers_of_fsdp_in_a_scan"], ALL])
def test_outcomes_are_those_of_xla(names: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, Path(__file__).with_name("programs_beside_xla.py"), *names],
        capture_output=True, text=True, timeout=900,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]

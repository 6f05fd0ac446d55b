"""Programs of shard_map as ranks of MPI: the bits of lock-step, compiled and interpreted."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import stablemate as sm
from tests.execution.test_mpi import launched
from tests.sharded.programs import NAMES, exported
from tests.sharded.ranks import all_bits


def in_lockstep(name: str, backend: str) -> tuple[Any, ...]:
    """A program with what lock-step gives for it."""
    program = exported()[name]
    results = sm.run_grid(
        program.text, tuple(program.inputs), partitions=program.devices, backend=backend
    )
    return name, backend, program.text, program.inputs, list(map(all_bits, results))


@pytest.mark.standard
@pytest.mark.parametrize("ranks", [2, 4, pytest.param(8, marks=pytest.mark.nightly)])
def test_ranks_have_the_bits_of_lockstep(ranks: int, tmp_path: Path) -> None:
    names = [name for name in NAMES if exported()[name].devices == ranks]
    assert len(names) > 5
    programs = [in_lockstep(name, item) for name in names for item in ("interpreter", "cpu")]
    (tmp_path / "programs").write_bytes(pickle.dumps(programs))
    done = launched(ranks, "-m", "tests.sharded.ranks", str(tmp_path / "programs"))
    replace_result = done.stdout.replace("\n", "")  # of ranks that speak at the same time
    assert (done.returncode, replace_result) == (0, "ok" * ranks), done.stdout + done.stderr

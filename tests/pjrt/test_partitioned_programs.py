"""The programs of one table, partitioned, compute what XLA's partitioned programs compute."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "jax-partitioning.md"


def table(*words: str) -> subprocess.CompletedProcess[str]:
    """The rows whose names contain one of some words."""
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.jax.partitioning", *words],
        cwd=ROOT, capture_output=True, text=True, timeout=900,
    )  # fmt: skip


def above(line: str) -> list[str]:
    """The numbers of collective operations and bytes of a row that are above XLA's."""
    return [cell for cell in line.split("|")[3:7] if "**" in cell]


def explained() -> set[str]:
    """The programs that need more memory than XLA's, of which the page says why."""
    _, _, reasons = PAGE.read_text().partition("| more than XLA | why |\n| --- | --- |\n")
    return {line.split("|")[1].strip() for line in reasons.splitlines()}


@pytest.mark.standard
def test_programs_need_no_more_messages_than_xla() -> None:
    run = table()
    assert run.returncode == 0, run.stderr[-3000:]
    rows = run.stdout.splitlines()[2:]
    assert len(rows) >= 100
    assert not [line for line in rows if above(line)]
    large = {line.split("|")[1].strip() for line in rows if "**" in line.split("|")[7]}
    assert large <= explained()


def test_a_roll_sends_one_row() -> None:
    run = table("roll")
    assert run.returncode == 0, run.stderr[-3000:]
    (row,) = run.stdout.splitlines()[2:]
    cells = [cell.strip() for cell in row.split("|")[1:]]
    assert cells[2:6] == ["1", "1", "32", "32"]

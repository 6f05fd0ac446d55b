"""Disk full, read-only, out of memory, Ctrl-C and kill -9 at every call that writing makes."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

# Between the name beside its place and the place: two calls, when a file is replaced.
WINDOW = 2


@pytest.fixture(scope="module")
def report() -> dict[str, list[list[str]]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.reliability.writes"],
        capture_output=True,
        check=True,
        timeout=300,
    )
    document: dict[str, list[list[str]]] = json.loads(done.stdout)
    return document


@pytest.mark.standard
def test_every_write_is_disturbed_everywhere(report: dict[str, list[list[str]]]) -> None:
    points = {name.split()[0]: len(wrong) for name, wrong in report.items()}
    assert points["new_file"] >= 10
    assert points["several_files"] > 3 * 8
    assert points["cached"] >= 12


def test_nothing_is_lost_and_nothing_is_half_written(report: dict[str, list[list[str]]]) -> None:
    wrong = {name: [e for item in item for e in item] for name, item in report.items()}
    assert [n for n, item in wrong.items() if any(not e.startswith("left: ") for e in item)] == []


def test_nothing_is_left_behind(report: dict[str, list[list[str]]]) -> None:
    left = {name: sum(map(bool, item)) for name, item in report.items()}
    assert {name for name, count in left.items() if count} <= {
        "several_files killed",
        "replaced_file killed",
        "cached_again killed",
    }
    assert max(left.values()) <= WINDOW

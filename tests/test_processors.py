"""How many processors a process may use, on systems with and without affinity masks and quotas."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stablemate import processors


def test_systems_without_an_affinity_mask_count_all_processors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert processors.usable_processors() == 7


def test_an_affinity_mask_limits_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert processors.usable_processors() == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [("200000 100000", 2), ("150000 100000", 2), ("max 100000", 0), ("", 0)],
)
def test_a_quota_is_rounded_up_to_whole_processors(
    text: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(text)
    monkeypatch.setattr(processors, "CPU_QUOTA", file)
    assert processors.cpu_quota() == expected


def test_without_control_groups_there_is_no_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processors, "CPU_QUOTA", tmp_path / "missing")
    assert processors.cpu_quota() == 0

"""``stablemate cache`` and ``stablemate run --backend=cpu``."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.compiler.blocking_programs import WAITING


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    path = tmp_path / "cache"
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(path))
    return path


def test_compiled_programs_are_counted_and_removed(
    stablemate: Invoke, add: Path, directory: Path
) -> None:
    assert stablemate("cache").stdout.startswith(f"{directory}: 0 programs, 0 bytes of at most ")
    inputs = ["--input=2x3xf32=[1 2 3][4 5 6]", "--input=1.5"]
    done = stablemate("run", "--backend=cpu", "--threads=1", *inputs, add)
    assert "[2.5 3.5 4.5]" in done.stdout, done.output
    assert not done.stderr
    facts = json.loads(stablemate("cache", "info", "--format=json").stdout)
    assert facts["programs"] >= 1
    assert facts["directory"] == str(directory)
    cleared = stablemate("cache", "clear")
    assert cleared.stdout == (
        f"{directory}: removed {facts['programs']} programs, {facts['bytes']} bytes\n"
    )
    assert json.loads(stablemate("cache", "--format=json").stdout)["programs"] == 0


def test_checked_code_is_another_program(stablemate: Invoke, add: Path) -> None:
    counts: list[int] = []
    for options in ([], ["--check-memory"], ["--check-memory"]):
        done = stablemate("run", *options, "--input=2x3xf32=[1 2 3][4 5 6]", "--input=1.5", add)
        assert "[2.5 3.5 4.5]" in done.stdout, done.output
        counts.append(json.loads(stablemate("cache", "--format=json").stdout)["programs"])
    assert counts[0] < counts[1] == counts[2]


def test_what_is_not_compiled_is_said(stablemate: Invoke, program: Callable[[str], Path]) -> None:
    path = program(WAITING)
    done = stablemate("run", "--backend=cpu", path, "--input=1")
    assert done.exit_code == 0
    assert done.stderr.startswith("not compiled, the interpreter runs it: ")
    assert not stablemate("run", path, "--input=1").stderr

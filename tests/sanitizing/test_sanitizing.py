"""Native code with LLVM's sanitizers in it: what is wrong is reported, what is right is not.

``python -m tests.sanitizing`` is the long form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from tests.sanitizing.sanitizers import SANITIZERS, Outcome, lacking, repeats, run

RIGHT: Final = {
    "thread": ("callers", "pjrt", "generated", "grids", "--programs=6", "--seed=1"),
    "address": (
        "examples",
        "generated",
        "networks",
        "linear-algebra",
        "--share=100",
        "--programs=600",
        "--seed=1",
    ),
}  # fmt: skip
WRONG: Final = {"thread": "weakened", "address": "outside"}
REPORTS: Final = {"thread": "data race", "address": "heap-buffer-overflow"}
REPORT: Final = """WARNING: ThreadSanitizer: data race (pid=1)
  {first} of size 8 at 0x7b00 by main thread:
    #0 <null> <null> (0x7f01)

  {second} of size 4 at 0x7b04 by thread T9:
    #0 <null> <null> (0x7f02)

  Location is heap block of size 8 at 0x7b00 allocated by main thread:
"""


@pytest.fixture(params=[*SANITIZERS])
def kind(request: pytest.FixtureRequest) -> str:
    """A sanitizer that this machine has."""
    name: str = request.param
    why = lacking(name)
    if why:
        pytest.skip(why)
    return name


def outcome(kind: str, arguments: Sequence[str]) -> Outcome:
    """What came of a process, of which something was run in any case."""
    completed = run(kind, [kind, *arguments])
    assert "# " in completed.errors, completed.errors
    return completed


@pytest.mark.standard
def test_right_programs_are_not_reported(kind: str) -> None:
    report = outcome(kind, RIGHT[kind])
    assert not report.reports, report.reports[0]
    assert report.is_whole, report.errors


def test_wrong_ones_are(kind: str) -> None:
    report = outcome(kind, [WRONG[kind]])
    assert any(REPORTS[kind] in report for report in report.reports), report.errors


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Write", "Previous write", True),
        ("Read", "Previous write", False),
        ("Write", "Previous read", False),
        ("Atomic write", "Previous write", False),
    ],
)
def test_only_what_two_threads_wrote_is_left_out(first: str, second: str, expected: bool) -> None:
    assert repeats(REPORT.format(first=first, second=second)) == expected

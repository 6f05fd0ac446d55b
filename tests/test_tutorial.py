"""The tutorial runs as it stands."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"


def test_the_tutorial_runs_as_it_stands() -> None:
    found = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert found.attempted > 30
    assert found.failed == 0

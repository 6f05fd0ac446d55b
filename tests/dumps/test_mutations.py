"""A few mutated dump folders."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.dumps.mutations import look_at, mutated_dump


@pytest.mark.parametrize("seed", range(3))
def test_damaged_folders_are_shown_or_refused(seed: int, tmp_path: Path) -> None:
    look_at(mutated_dump(tmp_path / "dump", random.Random(seed)), passes=True)

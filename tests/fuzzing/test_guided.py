"""Inputs guided by coverage: a short campaign on the reader that begins with the fewest files."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.fuzzing.readers import READERS

ROOT: Final = Path(__file__).parents[2]
READER: Final = "arrays"
INPUTS: Final = 2000
HAS_GUIDE: Final = importlib.util.find_spec("atheris") is not None


@pytest.mark.standard
@pytest.mark.skipif(not HAS_GUIDE, reason="atheris has no wheel for this system")
def test_guided_inputs_are_read_or_refused(tmp_path: Path) -> None:
    corpus, keep = tmp_path / "corpus", tmp_path / "found"
    options = ["--inputs", str(INPUTS), "--corpus", str(corpus), "--keep", str(keep)]
    command = [sys.executable, "-m", "tests.fuzzing.guided", READER, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    row = json.loads(done.stdout)
    assert row["inputs"] == INPUTS
    assert row["refused"] + row["read"] == INPUTS
    assert row["corpus"] > len(READERS[READER].seeds())  # some reached what no seed had reached
    assert not keep.exists()

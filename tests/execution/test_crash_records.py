"""The monitor of the ranks of a node writes where the launcher of the job writes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stablemate.execution.faults.crash_records import launcher_errors


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_is_written_to_a_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher, written = tmp_path / "mpiexec", tmp_path / "errors.txt"
    launcher.symlink_to("/bin/sh")
    program = "echo before >&2; echo; read line; echo after >&2"
    with (
        written.open("wb") as errors,
        subprocess.Popen(
            [launcher, "-c", program], stdin=-1, stdout=-1, stderr=errors, bufsize=0
        ) as process,
    ):
        assert process.stdout is not None
        process.stdout.readline()
        monkeypatch.setattr(os, "getppid", lambda: process.pid)
        with launcher_errors() as stream:
            assert stream is not None
            stream.write(b"rank 1 was killed\n")
        process.communicate(b"\n")
    assert written.read_text() == "before\nrank 1 was killed\nafter\n"

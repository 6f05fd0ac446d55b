"""The steps of a run on a time line."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner

import stablemate as sm
from stablemate.analysis.trace_events import TRACKS, trace_events
from stablemate.cli import main

PROGRAM = """func.func @main(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [1]
    : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %1, %2 : tensor<64x64xf32>, tensor<64xf32>
}"""


def check_document(document: Any) -> list[Any]:
    """The events of steps; what the format requires holds of all events.

    Source: Trace Event Format, complete and metadata events.
    """
    events = document["traceEvents"]
    for event in events:
        assert event["ph"] in "MX"
        assert isinstance(event["pid"], int)
    named = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert tuple(named.values()) == TRACKS
    spans = [event for event in events if event["ph"] == "X"]
    for event in spans:
        assert named[event["tid"]] == event["cat"]
        assert event["dur"] >= 0
    for before, after in pairwise(spans):  # one after the other, on one clock
        assert before["ts"] + before["dur"] <= after["ts"]
    return spans


def test_steps_are_events_of_their_tracks() -> None:
    executable = sm.compile(sm.parse(PROGRAM))
    spans = check_document(trace_events(executable, np.ones((64, 64), np.float32)))
    operations = [operation for span in spans for operation in span["args"].get("operations", ())]
    for name in ("stablehlo.dot_general:3", "stablehlo.reduce:10"):
        assert name in operations
    tracks = {span["cat"] for span in spans}
    assert "kernels" in tracks
    assert sum(span["args"]["bytes"] for span in spans) >= 3 * 64 * 64 * 4


def test_profile_writes_the_document(tmp_path: Path) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "t.json"
    program.write_text(PROGRAM)
    arguments = ["profile", str(program), "--random-seed=0", "--runs=1", f"--trace={trace}"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert check_document(json.loads(trace.read_text()))


def test_a_trace_that_cannot_be_written_is_misuse(tmp_path: Path) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "no" / "t.json"
    program.write_text(PROGRAM)
    arguments = ["profile", str(program), "--random-seed=0", f"--trace={trace}"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert done.output == (f"error: cannot write {trace}: there is no directory {trace.parent}\n")

"""``--trace``: a run as a time line, in a file."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from stablemate.cli.exit_codes import FAILED, INTERRUPTED
from stablemate.compiler.runtime.native.kernel_log import ENTRY_COUNT
from stablemate.compiler.runtime.run_trace import TRACES, kernel_log
from tests.trace_format import check_trace
from tests.traced_programs import PRODUCT, REDUCED

Invoke = Callable[..., Result]
FAILING = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%v = %x) : tensor<f32>
    cond {
      %p = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %y = stablehlo.sine %v : tensor<f32>
      stablehlo.return %y : tensor<f32>
    }
  return %0 : tensor<f32>
}"""


@pytest.mark.parametrize(
    "options",
    [
        ["profile", "--runs=1", "--grid=2x1"],
        ["run", "--grid=2x1", "--repeat=3"],
        ["run", "--grid=2x1", "--carrier=lockstep"],
    ],
)
def test_verbs_write_the_document(options: list[str], tmp_path: Path, stablemate: Invoke) -> None:
    verb, *rest = options
    program, trace = tmp_path / "p.mlir", tmp_path / "t.json"
    program.write_text(REDUCED)
    done = stablemate(verb, program, "--random-seed=0", *rest, f"--trace={trace}")
    assert done.exit_code == 0, done.output
    document = json.loads(trace.read_text())
    check_trace(document)
    names = {e["args"]["name"] for e in document["traceEvents"] if e["name"] == "process_name"}
    assert names == {"main, process (0,0)", "main, process (1,0)"}


def test_several_programs_are_recorded(tmp_path: Path, stablemate: Invoke) -> None:
    one, other, trace = tmp_path / "a.mlir", tmp_path / "b.mlir", tmp_path / "t.json"
    for path in (one, other):
        path.write_text(REDUCED)
    options = ["--random-seed=0", "--grid=2x1", f"--trace={trace}"]
    done = stablemate("run", one, other, *options)
    assert done.exit_code == 0, done.output
    assert {e["pid"] for e in json.loads(trace.read_text())["traceEvents"]} == {1, 2}


@pytest.mark.parametrize("verb", ["run", "profile"])
def test_a_trace_that_cannot_be_written_is_misuse(
    verb: str, tmp_path: Path, stablemate: Invoke
) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "no" / "t.json"
    program.write_text(REDUCED)
    done = stablemate(verb, program, "--random-seed=0", f"--trace={trace}")
    assert done.exit_code == 2
    assert done.output == (f"error: cannot write {trace}: there is no directory {trace.parent}\n")


def test_a_program_that_fails_leaves_the_trace_of_what_came_before(
    tmp_path: Path, stablemate: Invoke
) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "t.json"
    program.write_text(FAILING)
    options = ["--input=1", "--max-iterations=10", f"--trace={trace}"]
    done = stablemate("run", program, *options)
    assert done.exit_code == FAILED
    assert "the loop runs longer than 10 iterations" in done.output
    document = json.loads(trace.read_text())
    check_trace(document)
    assert document["traceEvents"]


def test_the_interpreter_has_no_kernels(tmp_path: Path, stablemate: Invoke) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "t.json"
    program.write_text(PRODUCT)
    options = ["--random-seed=0", "--backend=interpreter", f"--trace={trace}"]
    done = stablemate("run", program, *options)
    assert done.exit_code == FAILED
    assert done.output == "error: only a compiled program has a trace\n"
    assert not trace.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupted_run_leaves_a_whole_document(tmp_path: Path, stablemate: Invoke) -> None:
    program, trace = tmp_path / "p.mlir", tmp_path / "t.json"
    program.write_text(FAILING)

    def interrupt() -> None:
        log = kernel_log()
        while TRACES.current is None or not log.words[ENTRY_COUNT]:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    done = stablemate("run", program, "--input=1", f"--trace={trace}")
    thread.join()
    assert done.exit_code == INTERRUPTED, done.output
    document = json.loads(trace.read_text())
    check_trace(document)
    assert any(event["ph"] == "X" for event in document["traceEvents"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.mlir", "t.json"]

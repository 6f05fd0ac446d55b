"""A program for each process: processes of different programs meet at equal operations."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

LAUNCHER: Final = Path(sys.executable).parent / "mpiexec"
CHANNEL: Final = "channel_handle = #stablehlo.channel_handle<handle = {}, type = 1>"
SUM: Final = """"stablehlo.all_reduce"(%{0}) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = {1}, type = 1>, use_global_device_ids}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }}) : (tensor<2xf32>) -> tensor<2xf32>"""
SEND: Final = """"stablehlo.send"(%{0}, %t) <{{channel_handle =
    #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}}>
    : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token"""
RECV: Final = """"stablehlo.recv"(%t) <{channel_handle =
    #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>
    : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)"""
# One adds what it has and sends the sum on; the other has an argument more and a result more.
FIRST: Final = f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = {SUM.format("x", 1)}
  %u = {SEND.format("s")}
  %r = {SUM.format("s", 2)}
  return %r : tensor<2xf32>
}}"""
SECOND: Final = f"""// This text is longer, so that nothing stands where the other has it.
func.func @main(%x: tensor<2xf32>, %n: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {{
  %t = stablehlo.create_token : !stablehlo.token
  %k = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %y = stablehlo.multiply %x, %k : tensor<2xf32>
  %s = {SUM.format("y", 1)}
  %v, %u = {RECV}
  %r = {SUM.format("k", 2)}
  return %r, %v : tensor<2xf32>, tensor<2xf32>
}}"""
X: Final = np.array([1, 2], np.float32)
ARGUMENTS: Final[list[Any]] = [(X,), (X, np.float32(10))]


def check(first: Any, second: Any) -> None:
    """Compares results with arithmetic by hand."""
    np.testing.assert_array_equal(first, [11 + 10, 22 + 10])
    np.testing.assert_array_equal(second[0], [11 + 10, 22 + 10])
    np.testing.assert_array_equal(second[1], [11, 22])


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_different_programs_meet_and_send(backend: str) -> None:
    check(*sm.run_grid([FIRST, SECOND], ARGUMENTS, backend=backend))


def test_each_replica_has_a_program_for_each_partition() -> None:
    swapped = [text.replace("[[0, 1]]", "[[0, 1], [2, 3]]", 1) for text in (FIRST, SECOND)]
    text = [
        item.replace("tensor<1x2xi64>,\n    channel_handle = #stablehlo.channel_handle<handle = 1",
                     "tensor<2x2xi64>,\n    channel_handle = #stablehlo.channel_handle<handle = 1")
        for item in swapped
    ]  # fmt: skip
    text = [without(item, 2) for item in text]
    per_process = sm.run_grid(text, ARGUMENTS * 2, replicas=2, partitions=2)
    for first, second in (per_process[:2], per_process[2:]):
        np.testing.assert_array_equal(first, [11, 22])
        np.testing.assert_array_equal(second[1], [11, 22])


def without(text: str, channel: int) -> str:
    """A program without its second sum."""
    operand = "s" if "%r = " + SUM.format("s", channel) in text else "k"
    gone = text.replace("%r = " + SUM.format(operand, channel), "")
    return gone.replace("return %r", "return %s")


@pytest.mark.standard
def test_the_carrier_is_mpi(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(FIRST)
    (tmp_path / "b.mlir").write_text(SECOND)
    program = f"""
import numpy as np, stablemate as sm
from tests.execution.test_multiple_programs import ARGUMENTS, SECOND, check
files = [{str(tmp_path / "a.mlir")!r}, {str(tmp_path / "b.mlir")!r}]
for backend in ("interpreter", "cpu", "interpreter"):
    check(*sm.run_grid(files, ARGUMENTS, carrier="mpi", gather=True, backend=backend))
try:
    other = SECOND.replace("add %a, %b", "maximum %a, %b", 1)
    sm.run_grid([files[0], other], ARGUMENTS, carrier="mpi")
except sm.DeadlockError as error:
    notes = [each.message for each in error.diagnostics[0].notes]
    assert [each.split(" ")[0] for each in notes] == ["(0,0)", "(0,1)"], notes
    assert "a.mlir:3:8" in notes[0] and "<text>:6:8" in notes[1], notes
    print("ok")
"""
    done = subprocess.run(
        [str(LAUNCHER), "-n", "2", sys.executable, "-c", program],
        capture_output=True, text=True, timeout=120, check=False,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stdout.replace("\n", "") == "okok", done.stdout + done.stderr


def test_programs_that_do_not_meet_are_listed_with_their_lines() -> None:
    sources = [FIRST, SECOND.replace("stablehlo.add %a, %b", "stablehlo.maximum %a, %b", 1)]
    with pytest.raises(sm.DeadlockError) as caught:
        sm.run_grid([sm.load(source) for source in sources], ARGUMENTS)
    notes = [note.message for note in caught.value.diagnostics[0].notes]
    assert notes == [
        "(0,0) waits at all_reduce (<text>:3:8) for (0,1)",
        "(0,1) waits at all_reduce (<text>:6:8) for (0,0)",
    ]


def test_there_is_a_program_for_each_process() -> None:
    with pytest.raises(sm.ArgumentError, match="2 programs for a grid 1x3: one for each process"):
        sm.run_grid([FIRST, SECOND], ARGUMENTS, partitions=3)
    with pytest.raises(sm.ArgumentError, match=r"process \(0,1\)"):
        sm.run_grid([FIRST, SECOND], [(X,), (X,)])

"""The interpreter dialect: printing, probes, and grids within a program.

The printed texts are those of the upstream interpreter, except for the names of arguments, for
which it prints ``<``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm

PRINTED = """
func.func @main(%x: tensor<2xi32>) {
  %0:2 = stablehlo.optimization_barrier %x, %x : tensor<2xi32>, tensor<2xi32>
  interpreter.print %0#1 : tensor<2xi32>
  interpreter.print %x : tensor<2xi32>
  %a = stablehlo.add %x, %x : tensor<2xi32>
  interpreter.print %a : tensor<2xi32>
  %b = stablehlo.constant dense<[[1.5, 2.0, 3.25e10], [4.0, 5.0, 0x7F800000]]> : tensor<2x3xf32>
  interpreter.print %b : tensor<2x3xf32>
  %c = stablehlo.constant dense<1> : tensor<i8>
  interpreter.print %c : tensor<i8>
  %d = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  interpreter.print %d : tensor<2xi1>
  %e = stablehlo.constant dense<(1.0, -2.0)> : tensor<2x2xcomplex<f32>>
  interpreter.print %e : tensor<2x2xcomplex<f32>>
  %f = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 255]]]> : tensor<2x2x2xui8>
  interpreter.print %f : tensor<2x2x2xui8>
  %g = stablehlo.constant dense<> : tensor<0x2xi64>
  interpreter.print %g : tensor<0x2xi64>
  %h = stablehlo.constant dense<> : tensor<2x0xi64>
  interpreter.print %h : tensor<2x0xi64>
  %i = stablehlo.constant dense<[1.0, 0x7F80, 0xFFC0]> : tensor<3xbf16>
  interpreter.print %i : tensor<3xbf16>
  %j = stablehlo.constant dense<[1, -1]> : tensor<2xi4>
  interpreter.print %j : tensor<2xi4>
  return
}"""
TEXT = """\
%0:2 = tensor<2xi32> {
  [7, 8]
}
%arg0 = tensor<2xi32> {
  [7, 8]
}
%1 = tensor<2xi32> {
  [14, 16]
}
%cst = tensor<2x3xf32> {
  [
    [1.500000e+00, 2.000000e+00, 3.250000e+10],
    [4.000000e+00, 5.000000e+00, 0x7F800000]
  ]
}
%c = tensor<i8> {1}
%c_0 = tensor<2xi1> {
  [true, false]
}
%cst_1 = tensor<2x2xcomplex<f32>> {
  [
    [[1.000000e+00, -2.000000e+00], [1.000000e+00, -2.000000e+00]],
    [[1.000000e+00, -2.000000e+00], [1.000000e+00, -2.000000e+00]]
  ]
}
%c_2 = tensor<2x2x2xui8> {
  [
    [
      [1, 2],
      [3, 4]
    ],
    [
      [5, 6],
      [7, 255]
    ]
  ]
}
%c_3 = tensor<0x2xi64> {
  []
}
%c_4 = tensor<2x0xi64> {
  [
    [],
    []
  ]
}
%cst_5 = tensor<3xbf16> {
  [1.000000e+00, 0x7F80, 0xFFC0]
}
%c_6 = tensor<2xi4> {
  [1, -1]
}
"""


def test_print_shows_name_type_and_elements(capsys: pytest.CaptureFixture[str]) -> None:
    sm.run(PRINTED, np.int32([7, 8]))
    assert capsys.readouterr().out == TEXT


def test_print_shows_the_shape_that_arrives(capsys: pytest.CaptureFixture[str]) -> None:
    text = """
func.func @main(%x: tensor<?xf32>) {
  %0 = stablehlo.negate %x : tensor<?xf32>
  interpreter.print %0 : tensor<?xf32>
  return
}"""
    sm.run(text, np.float32([1, 2]))
    assert capsys.readouterr().out == "%0 = tensor<2xf32> {\n  [-1.000000e+00, -2.000000e+00]\n}\n"


def test_processes_print_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    text = """
func.func @main() {
  %0 = stablehlo.partition_id : tensor<ui32>
  interpreter.print %0 : tensor<ui32>
  return
}"""
    sm.run_grid(text, (), 1, 3)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"%0 = tensor<ui32> {{{i}}}" for i in range(3)]


PROBED = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = interpreter.probe %s, probe_id = "state" : tensor<2xf32>
    %4 = stablehlo.add %3, %3 : tensor<2xf32>
    stablehlo.return %2, %4 : tensor<i32>, tensor<2xf32>
  }
  %5 = interpreter.probe %0#0, probe_id = "steps, all" : tensor<i32>
  %6 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  check.expect_serialized_eq %6, probe_id = "state", iter = 2 : tensor<2xf32>
  check.expect_serialized_eq %three, probe_id = "steps, all" : tensor<i32>
  return %0#1 : tensor<2xf32>
}"""


def test_probes_write_arrays_and_an_index(tmp_path: Path) -> None:
    for _ in range(2):  # a run replaces the index of the one before
        assert sm.run(PROBED, np.float32([1, 2]), probe_dir=tmp_path).tolist() == [8, 16]
    places = [tmp_path / f"probe{i}.npy" for i in range(1, 5)]
    arrays = [np.load(place).tolist() for place in places]
    assert arrays == [[1, 2], [2, 4], [4, 8], 3]
    assert (tmp_path / "index.csv").read_text() == (
        f"state,tensor<2xf32>,{places[0]}\n"
        f"state,tensor<2xf32>,{places[1]}\n"
        f"state,tensor<2xf32>,{places[2]}\n"
        f'"steps, all",tensor<i32>,{places[3]}\n'
    )


@pytest.mark.parametrize(
    ("element", "dtype"),
    [
        ("i1", np.bool_),
        ("i4", ml_dtypes.int4),
        ("ui64", np.uint64),
        ("f16", np.float16),
        ("bf16", ml_dtypes.bfloat16),
        ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
        ("complex<f64>", np.complex128),
        ("!quant.uniform<i8:f32, 0.5:3>", np.int8),
    ],
)
def test_any_element_type_can_be_recorded(tmp_path: Path, element: str, dtype: Any) -> None:
    text = f"""
func.func @main(%x: tensor<2x1x{element}>) {{
  %0 = interpreter.probe %x, probe_id = "x" : tensor<2x1x{element}>
  check.expect_serialized_eq %0, probe_id = "x" : tensor<2x1x{element}>
  return
}}"""
    values = np.array([[1], [0]]).astype(dtype)
    sm.run(text, values, probe_dir=tmp_path)
    stored = np.load(tmp_path / "probe1.npy")
    assert stored.tobytes() == values.tobytes()
    assert stored.shape == (2, 1)


CHECKED = """
func.func @main(%x: tensor<2xf32>) {
  check.expect_serialized_eq %x, probe_id = "state", iter = ITERATION : tensor<2xf32>
  return
}"""


def test_a_later_run_may_check_what_was_recorded(tmp_path: Path) -> None:
    sm.run(PROBED, np.float32([1, 2]), probe_dir=tmp_path)
    sm.run(CHECKED.replace("ITERATION", "3"), np.float32([4, 8]), probe_dir=tmp_path)
    with pytest.raises(sm.EvaluationError, match="the record of the probe") as caught:
        sm.run(CHECKED.replace("ITERATION", "3"), np.float32([4, 7]), probe_dir=tmp_path)
    assert caught.value.diagnostics[0].values == {
        "different": "1 of 2",
        "[1]": "8.0, expected 7.0",
    }


@pytest.mark.parametrize("element", ["i32", "ui32", "i64"])
def test_the_iteration_may_be_of_any_width(tmp_path: Path, element: str) -> None:
    sm.run(PROBED, np.float32([1, 2]), probe_dir=tmp_path)
    text = f"""
func.func @main(%x: tensor<2xf32>) {{
  "check.expect_serialized_eq"(%x) <{{iteration = 3 : {element}, probe_id = "state"}}>
    : (tensor<2xf32>) -> ()
  return
}}"""
    sm.run(text, np.float32([4, 8]), probe_dir=tmp_path)


def test_what_was_not_recorded_is_an_error(tmp_path: Path) -> None:
    x = np.float32([1, 2])
    sm.run(PROBED, x, probe_dir=tmp_path)
    with pytest.raises(sm.EvaluationError, match="'state' has 3 records, and 4 is asked for"):
        sm.run(CHECKED.replace("ITERATION", "4"), x, probe_dir=tmp_path)
    with pytest.raises(sm.EvaluationError, match="where are the records of probes"):
        sm.run(CHECKED.replace("ITERATION", "1"), x)
    with pytest.raises(sm.EvaluationError, match="cannot be read"):
        sm.run(CHECKED.replace("ITERATION", "1"), x, probe_dir=tmp_path / "nowhere")
    (tmp_path / "file").touch()
    with pytest.raises(sm.EvaluationError, match="the probe cannot be written"):
        sm.run(PROBED, x, probe_dir=tmp_path / "file")
    other = CHECKED.replace("ITERATION", "1").replace("2xf32", "2xf64")
    with pytest.raises(sm.EvaluationError, match=r"has elements of float32, not tensor<2xf64>"):
        sm.run(other, np.float64([1, 2]), probe_dir=tmp_path)


def test_programs_of_other_types_are_refused_when_they_run() -> None:
    text = """
func.func private @f(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@f]]}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    with pytest.raises(sm.EvaluationError, match="inputs have the types that the programs say"):
        sm.run(text, np.float32([1, 2]))


def test_errors_within_name_the_inner_process() -> None:
    text = """
func.func private @f(%x: tensor<f32>) {
  check.expect_eq_const %x, dense<1.0> : tensor<f32>
  return
}
func.func @main(%x: tensor<f32>, %y: tensor<f32>) {
  "interpreter.run_parallel"(%x, %y) <{programs = [[@f, @f]]}> : (tensor<f32>, tensor<f32>) -> ()
  return
}"""
    sm.run(text, np.float32(1), np.float32(1))
    with pytest.raises(sm.EvaluationError, match=r"<text>:3:3.*lhs = value") as caught:
        sm.run(text, np.float32(1), np.float32(2))
    assert [note.message for note in caught.value.diagnostics[0].notes] == ["in process (0,1)"]

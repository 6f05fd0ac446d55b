"""Profiles: what is counted, not how long it takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import stablemate as sm
from stablemate.analysis.profile import Profile, ProfileRow
from stablemate.compiler.runtime.machine_peaks import Peaks, measure_peaks, peaks

LOOP = """
func.func @main(%x: tensor<1024xf32>, %n: tensor<i32>) -> tensor<1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i, %y = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, tensor<1024xf32>
  cond {
    %0 = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  } do {
    %0 = stablehlo.add %a, %one : tensor<i32>
    %1 = stablehlo.add %b, %b : tensor<1024xf32>
    %2 = stablehlo.sine %1 : tensor<1024xf32>
    stablehlo.return %0, %2 : tensor<i32>, tensor<1024xf32>
  }
  return %y : tensor<1024xf32>
}
"""
RANDOM = """
func.func @main(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<1xi64>) -> tensor<62xf32> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<62xf32>
  return %0 : tensor<62xf32>
}
"""
KILOBYTES = 4096


def rows_of(profile: Profile, name: str) -> list[ProfileRow]:
    """The rows with an operation."""
    return [x for x in profile.rows if any(operation.name == name for operation in x.operations)]


def row_of(profile: Profile, name: str) -> ProfileRow:
    """The one row with an operation."""
    (row,) = rows_of(profile, name)
    return row


@pytest.fixture(scope="module")
def loop() -> Profile:
    executable = sm.compile(sm.load(LOOP), backend="cpu", threads=1)
    return sm.profile(executable, np.ones(1024, np.float32), np.int32(5), runs=2)


def test_a_kernel_is_counted_with_its_operations(loop: Profile) -> None:
    row = row_of(loop, "stablehlo.sine")
    assert row.kind == "kernel"
    assert [str(operation) for operation in row.operations] == [
        "stablehlo.add:11",
        "stablehlo.sine:12",
    ]
    assert row.executions == 5
    assert (row.flops, row.transcendentals) == (5 * 1024, 5 * 1024)
    assert row.bytes == 5 * 2 * KILOBYTES


def test_executions_are_those_of_a_run(loop: Profile) -> None:
    assert sum(row.executions for row in rows_of(loop, "stablehlo.compare")) == 6
    assert loop.runs == 2


def test_the_whole_is_the_sum_of_its_parts(loop: Profile) -> None:
    assert loop.seconds == sum(row.seconds for row in loop.rows)
    assert loop.run_seconds > 0
    assert [row.seconds for row in loop.rows] == sorted(
        (row.seconds for row in loop.rows), reverse=True
    )


def test_rates_are_of_the_time() -> None:
    row = ProfileRow("kernel", "k1", (), executions=2, seconds=0.5, bytes=100, flops=10)
    assert (row.bytes_per_second, row.flops_per_second) == (200, 20)
    assert ProfileRow("kernel", "k1", (), executions=1, seconds=0, bytes=1).bytes_per_second == 0


def test_results_are_those_of_a_call() -> None:
    executable = sm.compile(sm.load(LOOP), backend="cpu")
    arguments = np.linspace(0, 1, 1024, dtype=np.float32), np.int32(3)
    before = executable(*arguments)
    sm.profile(executable, *arguments, runs=1)
    np.testing.assert_array_equal(executable(*arguments), before)


def test_requests_are_rows() -> None:
    executable = sm.compile(sm.load(RANDOM), backend="cpu")
    assert executable.fallback is None
    arguments = np.float32(0), np.float32(1), np.array([62])
    row = row_of(sm.profile(executable, *arguments, runs=1), "stablehlo.rng")
    assert row.kind == "request"
    assert row.executions == 1
    assert row.bytes == 62 * 4 + 2 * 4 + 8


def test_programs_with_open_sizes_are_profiled_as_they_are_called() -> None:
    executable = sm.compile(sm.load(LOOP.replace("1024xf32", "?xf32")), backend="cpu")
    profile = sm.profile(executable, np.ones(512, np.float32), np.int32(1), runs=1)
    assert row_of(profile, "stablehlo.sine").bytes == KILOBYTES


def test_a_profile_needs_native_code_and_a_run() -> None:
    interpreted = sm.compile(sm.load(LOOP), backend="interpreter")
    with pytest.raises(sm.UnsupportedError, match="only a compiled program has a profile"):
        sm.profile(interpreted, np.ones(1024, np.float32), np.int32(1))
    with pytest.raises(sm.ArgumentError, match="at least one run"):
        sm.profile(sm.compile(sm.load(LOOP)), np.ones(1024, np.float32), np.int32(1), runs=0)


def test_the_machine_moves_and_computes_something() -> None:
    measure_peaks_result = measure_peaks(1)
    assert measure_peaks_result == Peaks(
        1, measure_peaks_result.bytes_per_second, measure_peaks_result.flops_per_second
    )
    assert min(measure_peaks_result.bytes_per_second, measure_peaks_result.flops_per_second) > 1e6


def test_what_was_better_once_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path))
    iter_result = iter([Peaks(1, 10e9, 1e9), Peaks(1, 8e9, 5e9)])
    monkeypatch.setattr(
        "stablemate.compiler.runtime.machine_peaks.measure_peaks", lambda threads: next(iter_result)
    )
    assert peaks(1) == Peaks(1, 10e9, 1e9)
    assert peaks(1, observed_flops=1e9) == Peaks(1, 10e9, 1e9)
    assert peaks(1, observed_flops=2e9) == Peaks(1, 10e9, 5e9)
    assert peaks(1) == Peaks(1, 10e9, 5e9)


def test_operations_of_which_the_compiler_makes_others_keep_their_place() -> None:
    """A product and the transpose of its result become one product."""
    program = """func.func @main(%x: tensor<3x5xf32>, %y: tensor<3x7xf32>) -> tensor<7x5xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]
        : (tensor<3x5xf32>, tensor<3x7xf32>) -> tensor<5x7xf32> loc("f.py":3:4)
      %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<5x7xf32>) -> tensor<7x5xf32>
        loc("f.py":3:4)
      return %1 : tensor<7x5xf32>
    }"""
    executable = sm.compile(program, backend="cpu", threads=1)
    arguments = np.ones((3, 5), np.float32), np.ones((3, 7), np.float32)
    profile = sm.profile(executable, *arguments, runs=1)
    places = {operation.place for row in profile.rows for operation in row.operations}
    assert places == {"f.py:3:4"}

"""Comparisons of executors, programs and traces: a difference is found where it originates."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

import stablemate as sm
from stablemate.analysis.tolerance import Tolerance
from stablemate.debugging.closeness import closeness
from tests.programs.program import load_program

LOOP = """
func.func @main(%x: tensor<3xf32>, %n: tensor<i32>) -> (tensor<3xf32>, tensor<i1>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %w:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<3xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %t = stablehlo.tanh %v : tensor<3xf32>
      %u = stablehlo.add %t, %x : tensor<3xf32>
      stablehlo.return %j, %u : tensor<i32>, tensor<3xf32>
    }
  %p = stablehlo.compare EQ, %w#0, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %w#1, %p : tensor<3xf32>, tensor<i1>
}
"""
X = np.array([0.5, -1.5, 2.0], np.float32)


@pytest.mark.parametrize("against", ["interpreter", "xla"])
def test_executors_agree(against: str) -> None:
    comparison = sm.compare(LOOP, X, np.int32(3), against=against)
    assert comparison.matches
    assert comparison.first is None
    assert [result.type for result in comparison.results] == ["tensor<3xf32>", "tensor<i1>"]
    assert all(result.closeness.cosine > 0.999999 for result in comparison.results[:1])
    names = {step.operation.name for step in comparison.steps if step.operation}
    inside = {"stablehlo.tanh"} if against == "interpreter" else set[str]()
    assert names >= {"stablehlo.while", *inside}
    assert "They match." in str(comparison)


def test_programs_part_where_they_differ() -> None:
    comparison = sm.compare(LOOP, X, np.int32(3), other=LOOP.replace("tanh", "sine"))
    assert not comparison.matches
    assert comparison.first is not None
    assert comparison.first.operation is not None
    assert comparison.first.operation.name == "stablehlo.tanh"
    assert comparison.first.occurrence == 0
    assert re.search(r"They diverge first at %\w+, stablehlo\.tanh", str(comparison))
    json.dumps(comparison.to_json(), allow_nan=False)


def test_a_value_that_parts_later_is_named_with_its_time() -> None:
    """``tanh`` stands before ``add``, but its values part one turn later."""
    other = LOOP.replace("%u = stablehlo.add %t, %x", "%u = stablehlo.subtract %t, %x")
    assert sm.compare(LOOP, X * 0, np.int32(3), other=other).matches  # plus or minus zero
    comparison = sm.compare(LOOP, X, np.int32(3), other=other)
    assert comparison.first is not None
    assert comparison.first.operation is not None
    assert (comparison.first.operation.name, comparison.first.occurrence) == ("stablehlo.add", 0)
    late = [step for step in comparison.steps if not step.closeness.matches and step.occurrence]
    assert [item.operation.name for item in late if item.operation] == ["stablehlo.tanh"]


def test_programs_of_other_structure_are_compared_by_results() -> None:
    other = """func.func @main(%x: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32> {
      return %x : tensor<3xf32> }"""
    comparison = sm.compare(LOOP, X, np.int32(0), other=other)
    assert not comparison.matches
    assert "operations" in comparison.remark
    assert comparison.results[0].closeness.matches
    assert comparison.results[1].closeness.difference == "only the first program has it"


def test_unequal_shapes_and_types_are_findings() -> None:
    a = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }"
    b = """func.func @main(%x: tensor<3xf32>) -> tensor<1x3xf32> {
      %0 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<1x3xf32>
      return %0 : tensor<1x3xf32> }"""
    c = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf64> {
      %0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xf64>
      return %0 : tensor<3xf64> }"""
    for other, difference in ((b, "shape [3], not [1, 3]"), (c, "elements of float32, not of")):
        comparison = sm.compare(a, X, other=other)
        assert not comparison.matches
        assert comparison.results[0].closeness.difference.startswith(difference)
        assert difference in str(comparison)


def test_a_run_that_fails_is_a_finding() -> None:
    bad = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.custom_call @nobody_knows(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32> }"""
    good = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }"
    comparison = sm.compare(bad, X, other=good)
    assert not comparison.matches
    assert list(comparison.failures) == ["first program"]
    assert "nobody_knows" in str(comparison)


@pytest.mark.parametrize(
    ("got", "expected", "near"),
    [
        ([1.0, np.nan], [1.0, np.nan], True),
        ([1.0, np.nan], [1.0, 2.0], False),
        ([np.inf], [np.inf], True),
        ([np.inf], [1e30], False),
        ([1e-9, 1.0], [0.0, 1.0], True),
        ([1.001], [1.0], False),
        ([1.0001], [1.0], True),
    ],
)
def test_half_of_the_digits(got: list[float], expected: list[float], near: bool) -> None:
    assert closeness(np.float32(got), np.float32(expected)).matches is near


def test_cosine() -> None:
    a, b = np.float32([3, 4]), np.float32([4, -3])
    assert closeness(a, b).cosine == pytest.approx(0)
    assert closeness(a, 2 * a).cosine == pytest.approx(1)
    assert closeness(a * 1e30, a * 1e30).cosine == pytest.approx(1)
    assert math.isnan(closeness(a, 0 * a).cosine)
    assert closeness(np.complex64([1j]), np.complex64([1j])).cosine == pytest.approx(1)
    assert closeness(np.int8([-3, 4]), np.int8([-3, 4])).cosine == pytest.approx(1)


def test_integers_have_to_be_equal() -> None:
    assert not closeness(np.int32([1000000]), np.int32([1000001])).matches
    assert closeness(np.int32([5]), np.int32([6]), Tolerance(ulp=1)).matches


@pytest.mark.standard
def test_traces(tmp_path: Path) -> None:
    source, arrays = load_program("smallwhile")
    module = sm.load(source) if not isinstance(source, sm.Module) else source
    first = sm.trace(module, *arrays, backend="cpu", keep="*")
    second = sm.trace(module, *arrays, backend="interpreter", keep="*")
    compare_traces_result = sm.compare_traces(first, second)
    assert compare_traces_result.matches, str(compare_traces_result)
    assert len(compare_traces_result.pairs) > 100
    second.save(tmp_path / "trace")
    again = sm.compare_traces(first, sm.load_trace(tmp_path / "trace"))
    assert again.matches
    bare = sm.trace(module, *arrays, backend="interpreter")
    assert sm.compare_traces(first, bare).matches


def test_traces_that_part() -> None:
    first = sm.trace(LOOP, X, np.int32(3), keep="*")
    other = LOOP.replace("stablehlo.tanh", "stablehlo.sine")
    second = sm.trace(other, X, np.int32(2), keep="*")
    compare_traces_result = sm.compare_traces(first, second)
    assert compare_traces_result.first is not None
    assert compare_traces_result.first.event.place.name == "stablehlo.tanh"
    assert compare_traces_result.only_first
    assert not compare_traces_result.only_second
    json.dumps(compare_traces_result.to_json(), allow_nan=False)
    by_statistics = sm.compare_traces(first, sm.trace(other, X, np.int32(2)))
    assert by_statistics.first is not None
    assert by_statistics.first.closeness.difference.startswith(("min", "max", "mean"))
